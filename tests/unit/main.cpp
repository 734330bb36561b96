// The only unit that compiles Catch2's runner, so that the others rebuild quickly.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
