#include "hardware/cube_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptofix::hardware {
namespace {

/// Blocks of the NZ layout hold this much along their inner axis; 4-bit elements twice that (GetAlignSize).
constexpr std::int64_t kNzInnerBytes = 32;
constexpr std::int64_t kNzInnerBytes4Bit = 64;

std::int64_t nz_inner_bytes(DType dtype) {
    return cube_align(dtype) == kCubeAlign4Bit ? kNzInnerBytes4Bit : kNzInnerBytes;
}

/// Elements whose bytes are a multiple of `bytes`; for an unknown type those of one byte.
std::int64_t elements_of(std::int64_t bytes, DType dtype) {
    return bytes / std::max(size_of(dtype), 1);
}

bool divides(std::int64_t part, std::int64_t whole) {
    return part != 0 && whole % part == 0;
}

class Check {
  public:
    Check(const CubeTile& tile, const MatmulForm& form, const MatmulExtent& extent)
        : tile_(tile), form_(form), extent_(extent) {}

    std::optional<CubeProblem> run() {
        if (form_.checked_when_called) {
            if (!positive() || !sixteen() || !relations() || !bytes() || !nz_operands() || !nz_result() || !scaled()) {
                return problem_;
            }
        }
        if (!l1_of_k()) return problem_;
        return std::nullopt;
    }

  private:
    template <typename... Args>
    bool complain(CubeFault fault, char axis, fmt::format_string<Args...> text, Args&&... args) {
        problem_ = {fault, axis, fmt::format(text, std::forward<Args>(args)...)};
        return false;
    }

    bool positive() {
        const std::array<std::pair<char, std::int64_t>, 7> all{{{'k', tile_.k_l0},
                                                                {'k', tile_.k_a_l1},
                                                                {'k', tile_.k_b_l1},
                                                                {'m', tile_.m_l0},
                                                                {'m', tile_.m_l1},
                                                                {'n', tile_.n_l0},
                                                                {'n', tile_.n_l1}}};
        const auto bad = std::ranges::find_if(all, [](const auto& v) { return v.second <= 0; });
        if (bad == all.end()) return true;
        return complain(CubeFault::not_positive, bad->first,
                        "Invalid tile values: kL0={}, kL1a={}, kL1b={}, mL0={}, mL1={}, nL0={}, nL1={}", tile_.k_l0,
                        tile_.k_a_l1, tile_.k_b_l1, tile_.m_l0, tile_.m_l1, tile_.n_l0, tile_.n_l1);
    }

    bool sixteen() {
        const bool k = divides(kCubeAlign, tile_.k_l0);
        if (k && divides(kCubeAlign, tile_.n_l0)) return true;
        return complain(CubeFault::l0_alignment, k ? 'n' : 'k', "kL0({}) and nL0({}) must be aligned to 16 elements",
                        tile_.k_l0, tile_.n_l0);
    }

    bool relation(char axis, std::string_view l0_name, std::int64_t l0, std::string_view l1_name, std::int64_t l1) {
        if (l0 <= l1 && divides(l0, l1)) return true;
        return complain(CubeFault::relation, axis,
                        "Invalid L1/L0 relation: {0}={1}, {2}={3}, require {0} <= {2} && {2} % {0} == 0", l0_name, l0,
                        l1_name, l1);
    }

    bool relations() {
        return relation('k', "kL0", tile_.k_l0, "kL1a", tile_.k_a_l1) &&
               relation('k', "kL0", tile_.k_l0, "kL1b", tile_.k_b_l1) &&
               relation('n', "nL0", tile_.n_l0, "nL1", tile_.n_l1) &&
               relation('m', "mL0", tile_.m_l0, "mL1", tile_.m_l1);
    }

    bool bytes() {
        const auto check = [&](char axis, std::int64_t number, DType dtype) {
            const std::int64_t bytes = saturating_multiply(number, size_of(dtype));
            if (bytes % kCubeAlignBytes == 0) return true;
            return complain(CubeFault::byte_alignment, axis, "{}L0 * sizeof(dtype) = {} bytes, must be 32-byte aligned",
                            axis, bytes);
        };
        if (!check('k', tile_.k_l0, form_.a) || !check('n', tile_.n_l0, form_.b)) return false;
        const std::int64_t m = saturating_multiply(tile_.m_l0, size_of(form_.a));
        if (form_.a_nz || !form_.a_transposed || m % kCubeAlignBytes == 0) return true;
        return complain(CubeFault::byte_alignment, 'm',
                        "mL0 memory not aligned when transA=true: {} bytes, must be 32-byte aligned", m);
    }

    bool nz_operand(char inner, std::int64_t inner_size, char outer, std::int64_t outer_size, DType dtype) {
        const std::int64_t bytes = saturating_multiply(inner_size, size_of(dtype));
        if (bytes % nz_inner_bytes(dtype) != 0) {
            return complain(CubeFault::nz_alignment, inner,
                            "Current length of {}L0: {} bytes, the length must be aligned to 32 bytes(4bit dtype must "
                            "be aligned to 64)",
                            inner, bytes);
        }
        if (divides(kCubeAlign, outer_size)) return true;
        return complain(CubeFault::nz_alignment, outer,
                        "Current length of {}L0: {} elements, the length must be aligned to 16 elements", outer,
                        outer_size);
    }

    bool nz_operands() {
        if (form_.a_nz) {
            const bool fine = form_.a_transposed ? nz_operand('m', tile_.m_l0, 'k', tile_.k_l0, form_.a)
                                                 : nz_operand('k', tile_.k_l0, 'm', tile_.m_l0, form_.a);
            if (!fine) return false;
        }
        if (!form_.b_nz) return true;
        return form_.b_transposed ? nz_operand('k', tile_.k_l0, 'n', tile_.n_l0, form_.b)
                                  : nz_operand('n', tile_.n_l0, 'k', tile_.k_l0, form_.b);
    }

    bool nz_result() {
        if (!form_.out_nz || form_.out == DType::int32) return true;  // nL0 is a multiple of 16 anyway
        const std::int64_t bytes = saturating_multiply(tile_.n_l0, size_of(form_.out));
        if (bytes % kNzInnerBytes == 0) return true;
        return complain(CubeFault::nz_alignment, 'n',
                        "Current nL0: {} bytes, nL0 must be aligned to 32 bytes when CMatrix is NZ", bytes);
    }

    bool scaled() {
        if (!form_.scaled || divides(kScaledAlign, tile_.k_l0)) return true;
        return complain(CubeFault::scaled_alignment, 'k',
                        "Current length of kL0: {}, the length of kL0 for mx matmul must be aligned to 64 elements",
                        tile_.k_l0);
    }

    bool l1_of_k() {
        const auto [least, most] = std::minmax(tile_.k_a_l1, tile_.k_b_l1);
        if (!extent_.k && !divides(least, most)) return true;  // K may be no longer than the larger one
        if (!(extent_.k && most >= *extent_.k) && !divides(least, most)) {
            return complain(CubeFault::l1_ratio, 'k',
                            "Invalid tileKL1 configuration: tileKL1Max: {}, kViewA: {}, tileKL1Min: {}", most,
                            *extent_.k, least);
        }
        if (tile_.k_l0 > 0 && divides(tile_.k_l0, least)) return true;
        return complain(CubeFault::relation, 'k',
                        "tileKL0: {}, tileKL1Min: {}. Must have: tileKL0 > 0 AND tileKL1Min is divisible by tileKL0.",
                        tile_.k_l0, least);
    }

    const CubeTile& tile_;
    const MatmulForm& form_;
    const MatmulExtent& extent_;
    CubeProblem problem_;
};

}  // namespace

std::optional<CubeProblem> cube_problem(const CubeTile& tile, const MatmulForm& form, const MatmulExtent& extent) {
    return Check(tile, form, extent).run();
}

CubeSteps cube_steps(const MatmulForm& form) {
    CubeSteps steps;
    if (!form.checked_when_called) return {1, 1, 1};
    const auto at_least = [](std::int64_t& step, std::int64_t other) {
        step = std::max(step, other);
    };  // powers of two
    at_least(steps.k, elements_of(kCubeAlignBytes, form.a));
    at_least(steps.n, elements_of(kCubeAlignBytes, form.b));
    if (form.a_transposed) at_least(steps.m, elements_of(form.a_nz ? nz_inner_bytes(form.a) : kCubeAlignBytes, form.a));
    if (form.a_nz && !form.a_transposed) {
        at_least(steps.m, kCubeAlign);
        at_least(steps.k, elements_of(nz_inner_bytes(form.a), form.a));
    }
    if (form.b_nz) {
        at_least(form.b_transposed ? steps.k : steps.n, elements_of(nz_inner_bytes(form.b), form.b));
    }
    if (form.out_nz && form.out != DType::int32) at_least(steps.n, elements_of(kNzInnerBytes, form.out));
    if (form.scaled) at_least(steps.k, kScaledAlign);
    return steps;
}

}  // namespace ptofix::hardware
