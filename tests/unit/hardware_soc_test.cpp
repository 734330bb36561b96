#include "hardware/soc.h"

#include <catch2/catch.hpp>

namespace {

using ptofix::hardware::all_pools;
using ptofix::hardware::Pools;
using ptofix::hardware::pools;
using ptofix::hardware::Soc;
using ptofix::hardware::soc_of_name;

}  // namespace

TEST_CASE("pools carry the sizes that the compiler prints") {
    CHECK(pools(Soc::a2a3).ub == 196608);
    CHECK(pools(Soc::a2a3).l1 == 524288);
    CHECK(pools(Soc::a2a3).l0a == 65536);
    CHECK(pools(Soc::a2a3).l0b == 65536);
    CHECK(pools(Soc::a2a3).l0c == 131072);
    CHECK(pools(Soc::ascend950).ub == 253952);
    CHECK(pools(Soc::ascend950).l0c == 262144);
    CHECK(all_pools().size() == 4);
}

TEST_CASE("an SoC is found by the names people use") {
    for (const auto name : {"a2a3", "A2", "a3", "910B", "Ascend910B1", "910C", "A2/A3"})
        CHECK(soc_of_name(name) == Soc::a2a3);
    for (const auto name : {"950", "Ascend950", "950PR", "950dt"}) CHECK(soc_of_name(name) == Soc::ascend950);
    CHECK(soc_of_name("KirinX90") == Soc::kirin_x90);
    CHECK(soc_of_name("kirin-9030") == Soc::kirin_9030);
    for (const auto name : {"", "ascend", "310p", "a100"}) CHECK_FALSE(soc_of_name(name));
    for (const Pools& p : all_pools()) CHECK(&pools(*soc_of_name(p.name)) == &p);
}
