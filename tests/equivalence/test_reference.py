#!/usr/bin/env python3
"""The reference interpreter against answers that are known without it."""
import math
import os
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pair  # noqa: E402

import pypto  # noqa: E402
import torch  # noqa: E402
from pypto import _control, _state  # noqa: E402
from pypto._symbolic import SymbolicScalar  # noqa: E402
from pypto._tensor import Tensor  # noqa: E402

FP32, BF16, FP16 = pypto.DT_FP32, pypto.DT_BF16, pypto.DT_FP16
INT8, INT16, INT32 = pypto.DT_INT8, pypto.DT_INT16, pypto.DT_INT32


def of(values, dtype=FP32):
    return pypto.cast(Tensor.made(torch.tensor(values, dtype=torch.float32), FP32), dtype) if dtype != FP32 else \
        Tensor.made(torch.tensor(values, dtype=torch.float32), FP32)


def ints(values, dtype=INT32):
    return Tensor.made(torch.tensor(values).to(pair.STORAGE[dtype]), dtype)


def listed(tensor):
    return tensor.data.tolist()


class Case(unittest.TestCase):
    def setUp(self):
        _state.reset()

    def kinds(self):
        return {problem.kind for problem in _state.problems}


class Loops(Case):
    def test_each_factor_takes_what_the_larger_ones_left(self):
        got = [(index._value, k) for index, k in pypto.loop_unroll(0, 27, 1, unroll_list=[8, 2, 16])]
        self.assertEqual(got, [(0, 16), (16, 8), (24, 2), (26, 1)])

    def test_one_is_always_a_factor_and_repeats_and_order_mean_nothing(self):
        lists = ([4], [1, 4, 4], {4, 1}, (4,))
        runs = [[(i._value, k) for i, k in pypto.loop_unroll(6, unroll_list=unroll)] for unroll in lists]
        self.assertEqual(runs, [[(0, 4), (4, 1), (5, 1)]] * 4)

    def test_a_factor_counts_steps(self):
        got = [(i._value, k) for i, k in pypto.loop_unroll(0, 20, 4, unroll_list=[2])]
        self.assertEqual(got, [(0, 8), (8, 8), (16, 4)])

    def test_loop_visits_every_index_once_with_or_without_a_list(self):
        for unroll in (None, [4], [128, 1]):
            self.assertEqual([i._value for i in pypto.loop(2, 13, 3, unroll_list=unroll)], list(range(2, 13, 3)))

    def test_an_empty_range_runs_nothing(self):
        self.assertEqual(list(pypto.loop(5, 5)) + list(pypto.loop_unroll(0, unroll_list=[4])), [])

    def test_a_factor_must_be_positive(self):
        with self.assertRaisesRegex(ValueError, "unroll factor 0 must be a positive integer"):
            list(pypto.loop(4, unroll_list=[0]))

    def test_begin_and_end_are_the_first_and_the_last_iteration(self):
        seen = [(bool(pypto.is_loop_begin(i)), bool(pypto.is_loop_end(i))) for i in pypto.loop(0, 7, 3)]
        self.assertEqual(seen, [(True, False), (False, False), (False, True)])

    def test_only_a_loop_index_has_a_begin(self):
        with self.assertRaisesRegex(ValueError, "not loop index"):
            pypto.is_loop_begin(3)

    def test_settings_made_in_a_body_do_not_leave_the_loop(self):
        pypto.set_vec_tile_shapes(8, 8)
        inside = []
        for _ in pypto.loop(3):
            inside.append(pypto.get_vec_tile_shapes())
            pypto.set_vec_tile_shapes(16, 16)
        self.assertEqual(inside, [[8, 8]] * 3)
        self.assertEqual(pypto.get_vec_tile_shapes(), [8, 8])

    def test_an_unrolled_body_is_one_scope(self):
        inside = []
        for _ in pypto.loop(4, unroll_list=[2]):
            inside.append(len(pypto.get_vec_tile_shapes()))
            pypto.set_vec_tile_shapes(16, 16)
        self.assertEqual(inside, [0, 2, 0, 2])

    def test_parallel_iterations_run_in_another_order(self):
        self.assertEqual([i._value for i in pypto.loop(3, parallel=True)], [2, 1, 0])

    def test_a_keyword_that_a_loop_ignores_is_noted(self):
        list(pypto.loop(1, idx="b"))
        self.assertEqual(self.kinds(), {"loop-keyword"})

    def test_state_is_restored_when_a_body_leaves_early(self):
        with self.assertRaises(KeyError):
            for _ in pypto.loop(3):
                raise KeyError
        import gc
        gc.collect()
        self.assertEqual(_control._stack, [])


class Symbols(Case):
    def index(self):
        return next(iter(pypto.loop(5, 9)))

    def test_what_cancels_is_a_number(self):
        b = self.index()
        self.assertEqual(int((b + 1) * 16 - b * 16), 16)
        self.assertEqual(int((b // 2) * 4 + 4 - (b // 2) * 4), 4)

    def test_what_does_not_cancel_is_none(self):
        b = self.index()
        with self.assertRaises(ValueError):
            int(b)
        for use in (lambda: range(b), lambda: [1, 2, 3][b], lambda: range(b.min(2))):
            with self.assertRaises(TypeError):
                use()

    def test_min_and_max(self):
        b = self.index()
        self.assertEqual([(20 - b).min(16)._value, b.max(7)._value, pypto.min(3, b)._value], [15, 7, 3])

    def test_conditions_follow_the_value(self):
        b = self.index()
        self.assertTrue(b == 5)
        self.assertFalse(b > 5)
        self.assertTrue((b >= 5) & (b < 6))

    def test_division_goes_towards_zero_as_in_the_framework(self):
        self.assertEqual([(SymbolicScalar(-7) // 2)._value, (SymbolicScalar(-7) % 2)._value], [-3, -1])

    def test_a_number_that_is_no_int_is_refused(self):
        with self.assertRaises(TypeError):
            self.index() + 1.5

    def test_a_view_of_symbolic_shape_is_refused_and_a_symbolic_offset_is_not(self):
        x = of([[1.0, 2.0]] * 8)
        b = self.index()
        self.assertEqual(pypto.view(x, [1, 2], [b, 0]).sizes, [1, 2])
        self.assertEqual(x[b:b + 2, :].sizes, [2, 2])
        with self.assertRaises(TypeError):
            pypto.view(x, [b, 2], [0, 0])


class Memory(Case):
    def test_a_buffer_that_nobody_wrote_is_poison(self):
        self.assertTrue(bool(torch.isnan(pypto.tensor([4], FP32).data).all()))
        self.assertEqual(listed(pypto.tensor([1], INT32)), [0x5A5A5A5A])
        self.assertEqual(listed(pypto.tensor([1], INT8)), [0x5A])

    def test_view_and_assemble_go_round(self):
        x = Tensor.made(torch.arange(24.0).reshape(4, 6), FP32)
        out = pypto.tensor([4, 6], FP32)
        for i in pypto.loop(2):
            for j in pypto.loop(3):
                pypto.assemble(pypto.view(x, [2, 2], [i * 2, j * 2]), [i * 2, j * 2], out)
        self.assertTrue(torch.equal(out.data, x.data))

    def test_assemble_takes_a_list_of_sources(self):
        out = pypto.zeros([2, 4], dtype=FP32)
        pypto.assemble([(of([[1.0]]), [0, 1]), (of([[2.0, 3.0]]), [1, 2])], out, parallel=True)
        self.assertEqual(listed(out), [[0, 1, 0, 0], [0, 0, 2, 3]])

    def test_a_view_past_the_end_is_valid_only_as_far_as_there_is_data(self):
        part = pypto.view(of([1.0, 2.0, 3.0]), [4], [1])
        self.assertEqual(part.valid, [2])
        self.assertEqual(listed(part)[:2], [2.0, 3.0])
        self.assertTrue(math.isnan(listed(part)[2]))

    def test_only_what_is_valid_is_assembled_and_reduced(self):
        part = pypto.view(of([1.0, 2.0, 3.0, 4.0]), [4], [0], valid_shape=[3])
        self.assertEqual(listed(pypto.sum(part, 0, True)), [6.0])
        out = pypto.zeros([6], dtype=FP32)
        pypto.assemble(part, [2], out)
        self.assertEqual(listed(out), [0, 0, 1, 2, 3, 0])

    def test_validity_passes_through_arithmetic_reshape_and_transpose(self):
        part = pypto.view(Tensor.made(torch.ones(4, 2, 8), FP32), [4, 2, 8], [0, 0, 0], valid_shape=[3, 2, 8])
        self.assertEqual(pypto.exp(part * 2.0 + 1.0).valid, [3, 2, 8])
        self.assertEqual(pypto.reshape(part, [8, 8]).valid, [6, 8])
        self.assertEqual(pypto.reshape(pypto.reshape(part, [8, 8]), [4, 2, 8]).valid, [3, 2, 8])
        self.assertEqual(pypto.transpose(part, 0, 2).valid, [8, 2, 3])
        self.assertEqual(pypto.amax(part, -1).valid, [3, 2])

    def test_fillpad_fills_what_is_not_valid(self):
        part = pypto.view(of([1.0, 2.0, 3.0]), [3], [0], valid_shape=[2])
        self.assertEqual(listed(pypto.fillpad(part, "constant", -1.0)), [1.0, 2.0, -1.0])

    def test_a_view_is_a_copy_of_its_moment(self):
        x = pypto.zeros([2], dtype=FP32)
        before = pypto.view(x, [2], [0])
        x[0:] = of([5.0, 5.0])
        self.assertEqual((listed(before), listed(x)), ([0, 0], [5, 5]))

    def test_an_inplace_reshape_shares_memory(self):
        x = pypto.zeros([2, 2], dtype=FP32)
        flat = pypto.reshape(x, [4], inplace=True)
        pypto.assemble(of([7.0]), [3], flat)
        self.assertEqual(listed(x), [[0, 0], [0, 7]])

    def test_slices_read_and_store(self):
        x = Tensor.made(torch.arange(16.0).reshape(4, 4), FP32)
        self.assertEqual(listed(x[1, 1:3]), [5.0, 6.0])
        self.assertEqual(listed(x[-1, -3:-1]), [13.0, 14.0])
        self.assertEqual(x[..., 1:3].sizes, [4, 2])
        x[0, 1:3] = of([10.0, 11.0])
        x[2:] = of([[1.0, 1.0, 1.0, 1.0]])
        self.assertEqual(listed(x)[0], [0, 10, 11, 3])
        self.assertEqual(listed(x)[2], [1, 1, 1, 1])

    def test_an_element_read_is_a_symbolic_integer(self):
        x = ints([3, 10])
        count = x[1] - x[0]
        self.assertEqual(count._value, 7)
        self.assertFalse(count.is_concrete())
        x[0] = 4
        self.assertEqual(listed(x), [4, 10])

    def test_move_fills_the_callers_memory(self):
        memory = torch.zeros(2)

        @pypto.frontend.jit
        def kernel(out: pypto.Tensor([2], FP32)):
            pypto.set_vec_tile_shapes(8)
            out[:] = pypto.full([2], 3.0, FP32)

        kernel(memory)
        self.assertEqual(memory.tolist(), [3.0, 3.0])

    def test_a_store_of_another_type_or_shape_is_refused(self):
        x = pypto.zeros([2], dtype=FP32)
        with self.assertRaises(TypeError):
            pypto.assemble(pypto.ones([2], dtype=BF16), [0], x)
        with self.assertRaises(ValueError):
            pypto.assemble(pypto.ones([1, 2]), [0, 0], x)

    def test_a_write_past_the_end_is_noted(self):
        pypto.set_vec_tile_shapes(8)
        pypto.assemble(pypto.ones([3]), [1], pypto.zeros([3]))
        self.assertEqual(self.kinds(), {"write-outside"})


class Rounding(Case):
    values = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4, -2.6]

    def whole(self, mode):
        return listed(pypto.cast(of(self.values), INT32, mode))

    def test_every_mode_to_an_integer(self):
        modes = pypto.CastMode
        self.assertEqual(self.whole(modes.CAST_RINT), [-2, -2, 0, 0, 2, 2, 2, -3])
        self.assertEqual(self.whole(modes.CAST_ROUND), [-3, -2, -1, 1, 2, 3, 2, -3])
        self.assertEqual(self.whole(modes.CAST_FLOOR), [-3, -2, -1, 0, 1, 2, 2, -3])
        self.assertEqual(self.whole(modes.CAST_CEIL), [-2, -1, 0, 1, 2, 3, 3, -2])
        self.assertEqual(self.whole(modes.CAST_TRUNC), [-2, -1, 0, 0, 1, 2, 2, -2])

    def test_the_default_is_towards_zero_to_integers_and_to_nearest_even_else(self):
        self.assertEqual(self.whole(pypto.CastMode.CAST_NONE), self.whole(pypto.CastMode.CAST_TRUNC))
        tie = 1.0 + 2.0**-8  # halfway between two BF16 numbers
        self.assertEqual(listed(pypto.cast(of([tie, tie + 2.0**-7]), BF16)), [1.0, 1.0 + 2.0**-6])

    def test_every_mode_to_bf16(self):
        x = 1.0 + 2.0**-8
        got = {mode.name[5:]: listed(pypto.cast(of([x, -x]), BF16, mode)) for mode in pypto.CastMode}
        up = 1.0 + 2.0**-7
        self.assertEqual(got["ROUND"], [up, -up])
        self.assertEqual(got["FLOOR"], [1.0, -up])
        self.assertEqual(got["CEIL"], [up, -1.0])
        self.assertEqual(got["TRUNC"], [1.0, -1.0])
        self.assertEqual(got["RINT"], [1.0, -1.0])

    def test_odd_to_fp16(self):
        got = listed(pypto.cast(of([1.0 + 2.0**-13, 1.0 + 2.0**-10 + 2.0**-13]), FP16, pypto.CastMode.CAST_ODD))
        self.assertEqual(got, [1.0 + 2.0**-10] * 2)

    def test_nearest_agrees_with_torch_on_all_kinds_of_numbers(self):
        torch.manual_seed(1)
        x = torch.randn(4096) * torch.pow(2.0, torch.randint(-30, 18, (4096,)).float())
        for dtype, kind in ((FP16, torch.float16), (BF16, torch.bfloat16)):
            got = pypto.cast(Tensor.made(x, FP32), dtype, pypto.CastMode.CAST_RINT).data
            self.assertTrue(torch.equal(got, x.to(kind)), dtype)

    def test_out_of_range_wraps_or_saturates(self):
        x = pypto.cast(of([300.0, -300.0, 5.0]), FP16)
        self.assertEqual(listed(pypto.cast(x, INT8)), [44, -44, 5])
        on = pypto.SaturationMode.ON
        self.assertEqual(listed(pypto.cast(x, INT8, pypto.CastMode.CAST_TRUNC, on)), [127, -128, 5])

    def test_a_mode_that_a_conversion_lacks_falls_back(self):
        self.assertEqual(listed(pypto.cast(ints([3], INT8), FP16, pypto.CastMode.CAST_FLOOR)), [3.0])

    def test_a_float_to_itself_with_a_mode_rounds_to_whole_numbers(self):
        self.assertEqual(listed(pypto.cast(of([1.5, 2.5]), FP32, pypto.CastMode.CAST_RINT)), [2.0, 2.0])
        self.assertEqual(listed(pypto.cast(of([1.5]), FP32)), [1.5])

    def test_a_conversion_in_no_single_step_is_noted(self):
        pypto.set_vec_tile_shapes(8)
        pypto.cast(ints([1], INT8), FP32)
        self.assertEqual(self.kinds(), {"cast"})

    def test_satmode_is_no_bool(self):
        with self.assertRaises(TypeError):
            pypto.cast(of([1.0]), INT32, satmode=True)


class Arithmetic(Case):
    def test_bf16_add_is_done_in_fp32_and_rounded(self):
        a, b = of([256.0, 1.0], BF16), of([1.0, 2.0**-8], BF16)
        self.assertEqual(listed(pypto.add(a, b)), [256.0, 1.0])
        self.assertEqual(listed(pypto.add(a, 1.0)), [256.0, 2.0])

    def test_fp32_arithmetic_is_ieee(self):
        torch.manual_seed(2)
        x, y = torch.randn(1000), torch.randn(1000)
        a, b = Tensor.made(x, FP32), Tensor.made(y, FP32)
        for got, want in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (a / b, x / y)):
            self.assertTrue(torch.equal(got.data, want))

    def test_integers_wrap(self):
        self.assertEqual(listed(ints([127], INT8) + 1), [-128])
        self.assertEqual(listed(ints([2**31 - 1]) * 2), [-2])

    def test_a_float_does_not_go_with_an_integer_tensor(self):
        with self.assertRaises(TypeError):
            ints([1]) + 1.5

    def test_the_first_operand_is_a_tensor(self):
        with self.assertRaises(TypeError):
            pypto.sub(127.0, of([1.0]))
        with self.assertRaises(TypeError):
            pypto.mul(of([1.0]), pypto.Element(FP32, 2.0))

    def test_operands_of_two_types_are_refused(self):
        with self.assertRaises(TypeError):
            of([1.0]) + of([1.0], BF16)

    def test_reflected_operators_are_what_the_framework_makes_of_them(self):
        self.assertEqual(listed(1.0 - of([3.0])), [-2.0])
        third = torch.tensor(3.0).reciprocal() * 5.0
        self.assertEqual(listed(5.0 / of([3.0])), [float(third)])

    def test_the_same_element_has_the_same_bits_wherever_it_stands(self):
        torch.manual_seed(3)
        x = Tensor.made(torch.randn(37, 53), FP32)
        whole = pypto.exp(x)
        rows = [pypto.exp(x[i:i + 1, :]) for i in range(37)]
        self.assertTrue(torch.equal(torch.cat([r.data for r in rows]), whole.data))

    def test_where_takes_a_python_number_for_fp32_only(self):
        mask = of([1.0, -1.0]) > 0.0
        self.assertEqual(listed(pypto.where(mask, of([5.0, 6.0]), 0.0)), [5.0, 0.0])
        with self.assertRaises(TypeError):
            pypto.where(mask, of([5.0, 6.0], BF16), 0.0)
        self.assertEqual(listed(pypto.where(mask, of([5.0, 6.0], BF16), pypto.Element(BF16, 1.0))), [5.0, 1.0])

    def test_softmax_and_sigmoid_and_rms_norm(self):
        x = torch.tensor([[1.0, 2.0, 3.0]])
        self.assertTrue(torch.allclose(pypto.softmax(Tensor.made(x, FP32), -1).data, torch.softmax(x, -1)))
        self.assertTrue(torch.allclose(pypto.sigmoid(Tensor.made(x, FP32)).data, torch.sigmoid(x)))
        want = x / (x.pow(2).mean() + 1e-6).sqrt()
        got = pypto.rms_norm(Tensor.made(x, FP32), of([1.0, 1.0, 1.0]))
        self.assertTrue(torch.allclose(got.data, want))

    def test_topk_is_stable_and_gives_int32_places(self):
        values, places = pypto.topk(of([[3.0, 9.0, 9.0, 1.0]]), 3)
        self.assertEqual((listed(values), listed(places)), ([[9.0, 9.0, 3.0]], [[1, 2, 0]]))
        self.assertEqual(places.dtype, INT32)

    def test_scatter_update_writes_rows(self):
        x = pypto.zeros([4, 2], dtype=FP32)
        pypto.scatter_update(x, -2, ints([[3, 1]]), of([[1.0, 2.0], [3.0, 4.0]]))
        self.assertEqual(listed(x), [[0, 0], [3, 4], [0, 0], [1, 2]])

    def test_gather_in_ub_reads_through_the_block_table(self):
        cache = Tensor.made(torch.arange(24.0).reshape(6, 4), FP32)
        got = pypto.experimental.gather_in_ub(cache, ints([[0, 4, 3]]), ints([[0, 2, 1]]), 2, -2)
        self.assertEqual([row[0] for row in listed(got)], [0.0, 8.0, 20.0])

    def test_what_the_reference_does_not_know_it_says(self):
        with self.assertRaisesRegex(NotImplementedError, "reference does not know pypto.scaled_mm"):
            pypto.scaled_mm


class Products(Case):
    def test_bf16_accumulates_in_fp32(self):
        a = pypto.ones([1, 4096], dtype=BF16)
        pypto.set_vec_tile_shapes(8, 8)
        self.assertEqual(listed(pypto.matmul(a, pypto.ones([4096, 1], dtype=BF16), FP32)), [[4096.0]])
        small = pypto.matmul(of([[256.0, 1.0]], BF16), of([[1.0], [1.0]], BF16), BF16)
        self.assertEqual(listed(small), [[256.0]])

    def test_int8_is_exact_in_int32(self):
        torch.manual_seed(4)
        a = torch.randint(-128, 128, (5, 700)).to(torch.int8)
        b = torch.randint(-128, 128, (700, 3)).to(torch.int8)
        got = pypto.matmul(Tensor.made(a, INT8), Tensor.made(b, INT8), INT32)
        self.assertTrue(torch.equal(got.data.long(), a.long() @ b.long()))

    def test_how_it_is_cut_does_not_show(self):
        torch.manual_seed(5)
        a, b = torch.randn(3, 17, 96).bfloat16(), torch.randn(3, 96, 33).bfloat16()
        whole = pypto.matmul(Tensor.made(a, BF16), Tensor.made(b, BF16), FP32).data
        for h in range(3):
            for row in range(17):
                one = pypto.matmul(Tensor.made(a[h, row:row + 1], BF16), Tensor.made(b[h], BF16), FP32)
                self.assertTrue(torch.equal(one.data, whole[h, row:row + 1]))

    def test_transposed_operands_and_broadcast_batches(self):
        torch.manual_seed(6)
        a, b = torch.randn(1, 8, 4), torch.randn(3, 5, 8)
        got = pypto.matmul(Tensor.made(a, FP32), Tensor.made(b, FP32), FP32, a_trans=True, b_trans=True)
        want = a.transpose(-1, -2).double() @ b.transpose(-1, -2).double()
        self.assertEqual(got.sizes, [3, 4, 5])
        self.assertTrue(torch.equal(got.data, want.float()))

    def test_only_what_is_valid_takes_part(self):
        a = pypto.view(Tensor.made(torch.ones(3, 8), FP32), [4, 8], [0, 0])
        got = pypto.matmul(a, Tensor.made(torch.ones(8, 2), FP32), FP32)
        self.assertEqual((got.valid, listed(got)[2]), ([3, 2], [8.0, 8.0]))

    def test_types_must_match_and_ranks_too(self):
        with self.assertRaisesRegex(ValueError, "identical dtypes"):
            pypto.matmul(of([[1.0]]), of([[1.0]], BF16), FP32)
        with self.assertRaises(RuntimeError):
            pypto.matmul(of([[1.0]]), of([[[1.0]]]), FP32)
        with self.assertRaises(TypeError):
            pypto.matmul(of([[1.0]]), of([[1.0]]))

    def test_bias_scale_and_relu(self):
        a, b = ints([[1, 2]], INT8), ints([[3], [-4]], INT8)
        out = pypto.matmul(a, b, FP16, extend_params={"scale": 0.5})
        self.assertEqual(listed(out), [[-2.5]])
        out = pypto.matmul(a, b, FP16, extend_params={"scale": 0.5, "relu_type": pypto.ReLuType.RELU})
        self.assertEqual(listed(out), [[0.0]])
        out = pypto.matmul(of([[2.0]]), of([[3.0]]), FP32, extend_params={"bias_tensor": of([[1.0]])})
        self.assertEqual(listed(out), [[7.0]])

    def test_cube_tile_rules_are_noted(self):
        good = ([16, 16], [64, 128], [64, 64])
        for m, k, n in (good, ([4, 8], [32, 64, 128], [16, 32])):
            pypto.set_cube_tile_shapes(m, k, n)
            _state.judge_cube(2, 2, False)
        self.assertEqual(self.kinds(), set())
        for m, k, n in (([16, 16], [72, 144], [64, 64]), ([16, 16], [64, 36], [64, 64]), ([0, 0], [64, 64], [64, 64])):
            _state.reset()
            pypto.set_cube_tile_shapes(m, k, n)
            _state.judge_cube(2, 2, False)
            self.assertEqual(self.kinds(), {"cube-tile"}, (m, k, n))
        with self.assertRaisesRegex(ValueError, "k must have 2 or 3 elements, got 4"):
            pypto.set_cube_tile_shapes([16, 16], [16, 16, 16, 16], [16, 16])


class Kernels(Case):
    def test_every_way_to_declare_a_kernel(self):
        def body(x, out):
            pypto.set_vec_tile_shapes(8)
            out[:] = x + 1.0

        notes = {"x": pypto.Tensor[[pypto.DYNAMIC], FP32], "out": pypto.Tensor([...], FP32)}
        for make in (pypto.frontend.jit, pypto.frontend.jit(), pypto.jit,
                     pypto.frontend.jit(runtime_options={"stitch_function_max_num": 8}, new_ir=False)):
            def kernel(x, out):
                body(x, out)

            kernel.__annotations__ = notes
            memory = torch.zeros(3)
            make(kernel)(torch.ones(3), memory)
            self.assertEqual(memory.tolist(), [2.0] * 3)

    def test_arguments_are_held_to_their_annotations(self):
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([4, pypto.DYNAMIC], FP32)):
            self.assertEqual((x.shape[0], type(x.shape[1])), (4, SymbolicScalar))

        kernel(torch.zeros(4, 7))
        for wrong in (torch.zeros(5, 7), torch.zeros(4), torch.zeros(4, 7).bfloat16(), torch.zeros(7, 4).t()):
            with self.assertRaises((ValueError, RuntimeError)):
                kernel(wrong)

    def test_an_unknown_option_group_is_refused(self):
        with self.assertRaises(TypeError):
            pypto.frontend.jit(run_options={})

    def test_a_missing_or_short_vector_tile_is_noted(self):
        x = of([[1.0]])
        pypto.exp(x)
        self.assertEqual(self.kinds(), {"vec-tile-missing"})
        pypto.set_vec_tile_shapes(8)
        pypto.exp(x)
        self.assertEqual(self.kinds(), {"vec-tile-missing", "vec-tile-rank"})

    def test_settings_of_a_kernel_stay_in_it(self):
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([1], FP32)):
            pypto.set_vec_tile_shapes(8)

        kernel(torch.zeros(1))
        self.assertEqual(pypto.get_vec_tile_shapes(), [])


    def test_numbers_of_a_vector_tile_are_noted_where_an_operation_checks_them(self):
        x = pypto.from_torch(torch.rand(8, 64))
        pypto.set_vec_tile_shapes(8, 24)
        pypto.exp(x)
        self.assertEqual(self.kinds(), set())  # the compiler pads
        pypto.argsort(x, -1)
        self.assertEqual(self.kinds(), {"vec-tile-tail"})
        _state.reset()
        pypto.set_vec_tile_shapes(8, 12)
        pypto.concat([x, x], 1)
        self.assertEqual(self.kinds(), {"vec-tile-tail"})
        _state.reset()
        pypto.set_vec_tile_shapes(8, 64, 1)
        pypto.exp(x)
        self.assertEqual(self.kinds(), set())  # surplus axes
        pypto.transpose(x, 0, 1)
        self.assertEqual(self.kinds(), {"vec-tile-rank"})


class Pairs(unittest.TestCase):
    head = """
        import pypto, torch
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([pypto.DYNAMIC, 32], pypto.DT_FP32),
                   out: pypto.Tensor([pypto.DYNAMIC, 32], pypto.DT_FP32)):
            pypto.set_vec_tile_shapes(16, 32)
        """

    def judge(self, before, after, **options):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, body in (("a.py", before), ("b.py", after)):
                paths.append(os.path.join(folder, name))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(textwrap.dedent(self.head) + textwrap.indent(textwrap.dedent(body), "    "))
            return pair.compare(*paths, options)

    loop = """
        for i in pypto.loop(x.shape[0] // 16):
            out[i * 16:(i + 1) * 16, :] = x[i * 16:(i + 1) * 16, :] * 2.0
        """

    def test_a_schedule_change_is_equal(self):
        other = """
            for i, k in pypto.loop_unroll(x.shape[0] // 16, unroll_list=[2]):
                out[i * 16:i * 16 + k * 16, :] = pypto.exp(pypto.log(x[i * 16:i * 16 + k * 16, :] * 0.0 + 1.0)) * \\
                    x[i * 16:i * 16 + k * 16, :] * 2.0
            """
        self.assertEqual(self.judge(self.loop, self.loop)[0], pair.EQUAL)
        self.assertEqual(self.judge(self.loop, other)[0], pair.EQUAL)

    def test_a_lost_iteration_shows(self):
        code, text = self.judge(self.loop, self.loop.replace("// 16)", "// 16 - 1)"))
        self.assertEqual(code, pair.DIFFERENT)
        self.assertIn("512 of 2048 elements differ", text)

    def test_another_order_of_arithmetic_needs_a_tolerance(self):
        other = self.loop.replace("* 2.0", "* 3.0 / 1.5")
        self.assertEqual(self.judge(self.loop, other)[0], pair.DIFFERENT)
        self.assertEqual(self.judge(self.loop, other, tolerance=1e-6)[0], pair.EQUAL)

    def test_a_read_of_unwritten_memory_shows(self):
        other = "buffer = pypto.tensor([16, 32], pypto.DT_FP32)" + textwrap.dedent(self.loop)
        other = other.replace("* 2.0", "* 2.0 + buffer")
        self.assertEqual(self.judge(self.loop, other)[0], pair.DIFFERENT)

    def test_a_symbolic_range_in_the_new_text_fails(self):
        code, text = self.judge(self.loop, self.loop.replace("pypto.loop", "range"))
        self.assertEqual(code, pair.DIFFERENT)
        self.assertIn("symbolic integer", text)

    def test_a_new_refusal_fails_and_may_be_allowed(self):
        after = "pypto.set_vec_tile_shapes(16)" + textwrap.dedent(self.loop)
        self.assertEqual(self.judge(self.loop, after)[0], pair.DIFFERENT)
        self.assertEqual(self.judge(self.loop, after, allow=["vec-tile-rank"])[0], pair.EQUAL)
        self.assertEqual(self.judge(after, self.loop)[0], pair.EQUAL)

    def test_an_overflow_that_is_left_fails_even_when_there_was_a_larger_one(self):
        wide = "y = pypto.tensor([512, 256], pypto.DT_FP32)\npypto.set_vec_tile_shapes(TILE, 256)\ny = y + y" + \
            textwrap.dedent(self.loop)
        before = wide.replace("TILE", "512")
        self.assertEqual(self.judge(before, wide.replace("TILE", "256"))[0], pair.DIFFERENT)
        self.assertEqual(self.judge(before, wide.replace("TILE", "64"))[0], pair.EQUAL)

    def test_a_kernel_that_writes_nothing_is_no_evidence(self):
        self.assertEqual(self.judge("pass", "pass")[0], pair.NOT_RUN)

    def test_an_old_text_that_is_refused_cannot_be_compared(self):
        self.assertEqual(self.judge("out[:] = pypto.sub(1.0, x)", self.loop)[0], pair.NOT_RUN)

    def test_the_builtin_min_of_symbols_is_symbolic(self):
        cut = self.loop.replace("x[i * 16:(i + 1) * 16, :]",
                                "pypto.view(x, [min(16, x.shape[0] - i * 16), 32], [i * 16, 0])")
        code, text = self.judge(self.loop, cut)
        self.assertEqual(code, pair.DIFFERENT)
        self.assertIn("known at compile time", text)


if __name__ == "__main__":
    unittest.main()
