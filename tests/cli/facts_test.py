"""What `pto-fix trace` knows of a kernel's parameters: from asserts in its host wrapper, from its callers, from the configuration."""

import unittest

from program import ProgramTest, main

HEAD = """import pypto
import torch


@pypto.frontend.jit
def kernel(
    x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC]),
    w: pypto.Tensor(),
    rows: int = 0,
):
    pypto.set_vec_tile_shapes(rows, 256)
    y = pypto.exp(x)


def wrapper(x, w, rows):
"""


class FactsTest(ProgramTest):
    def kernels(self, *files, arguments=()):
        for name, text in files:
            self.write(name, text)
        last = files[-1][0]
        document = self.run_program("trace", "--format", "json", *arguments, last, code=0).json()
        return document["files"][0]["kernels"]

    def parameters(self, body, arguments=(), head=HEAD):
        text = head + "".join(f"    {line}\n" for line in body.strip().splitlines())
        (kernel,) = self.kernels(("kernel.py", text), arguments=arguments)
        return {p["name"]: (p.get("shape"), p.get("dtype"), p.get("value")) for p in kernel["parameters"]}


class Asserts(FactsTest):
    def known(self, body, x=None, w=None, x_dtype=None, w_dtype=None, rows="rows"):
        parameters = self.parameters(body + "\nkernel(x, w, rows)")
        shape, dtype, _ = parameters["x"]
        self.assertEqual(shape[0], "x.shape[0]", "a dim declared DYNAMIC stays one")
        self.assertEqual((shape[1], dtype), (x if x is not None else "x.shape[1]", x_dtype))
        self.assertEqual(parameters["w"][:2], (w, w_dtype))
        self.assertEqual(parameters["rows"][2], rows)

    def test_nothing_is_known_without_one(self):
        self.known("pass")

    def test_a_dim(self):
        for fact in ["x.size(1) == 1024", "x.shape[1] == 1024", "1024 == x.shape[1]", "(x.shape[1] == 1024)",
                     "x.dim() == 2 and x.size(1) == 1024", "x.shape[1] in (1024,)", "x.shape[1] == 2 * 512",
                     "x.shape[-1] == 1024", "x.size(-1) == 1024"]:
            with self.subTest(fact=fact):
                self.known(f"assert {fact}", x=1024)

    def test_a_dim_through_a_name(self):
        self.known("n = x.shape[1]\nassert n == 1024", x=1024)
        self.known("b, n = x.shape\nassert n == 1024, 'text'", x=1024)
        self.known("n = x.shape[1] // 2\nassert x.shape[1] == 64\nassert n == 32", x=64)

    def test_a_whole_shape(self):
        for fact in ["w.shape == (8, 16)", "tuple(w.shape) == (8, 16)", "list(w.shape) == [8, 16]", "w.size() == (8, 16)"]:
            with self.subTest(fact=fact):
                self.known(f"assert {fact}", w=[8, 16])

    def test_a_rank(self):
        for fact in ["w.dim() == 2", "w.ndim == 2", "len(w.shape) == 2"]:
            with self.subTest(fact=fact):
                self.known(f"assert {fact}", w=["w.shape[0]", "w.shape[1]"])
        self.known("a, b, c = w.shape", w=["w.shape[0]", "w.shape[1]", "w.shape[2]"])
        self.known("a, b = w.size()\nassert b == 4", w=["w.shape[0]", 4])
        self.known("assert w.shape[1] == 4\nassert w.dim() == 2", w=["w.shape[0]", 4])

    def test_a_dtype(self):
        self.known("assert x.dtype == torch.bfloat16", x_dtype="DT_BF16")
        self.known("assert x.dtype == torch.bfloat16 == w.dtype", x_dtype="DT_BF16", w_dtype="DT_BF16")
        self.known("if x.dtype != torch.float16:\n    raise TypeError", x_dtype="DT_FP16")

    def test_a_number(self):
        self.known("assert rows == 16", rows="16")
        self.known("assert rows in [16]", rows="16")
        self.known("assert rows == 16 and x.shape[1] == rows", rows="16", x=16)

    def test_two_that_are_equal_are_known_together(self):
        self.known("assert w.dim() == 1\nassert x.shape[1] == w.shape[0]\nassert w.shape[0] == 64", w=[64])

    def test_a_condition_whose_other_way_leaves(self):
        self.known("if x.shape[1] != 1024:\n    raise ValueError('no')", x=1024)
        self.known("if x.shape[1] != 1024 or rows != 4:\n    raise ValueError('no')", x=1024, rows="4")
        self.known("if not (x.shape[1] == 1024):\n    return", x=1024)

    def test_a_helper_that_returns_tells_its_caller_nothing(self):
        checked = HEAD.replace("def wrapper", "def check(a):\n    if a.size(1) != 1024:\n        return\n\n\ndef wrapper")
        self.assertEqual(self.parameters("check(x)\nkernel(x, w, rows)", head=checked)["x"][0][1], "x.shape[1]")

    def test_in_a_helper_that_checks(self):
        checked = HEAD.replace("def wrapper", "def check(a, b):\n    assert a.size(1) == 1024 and b.shape == (4,)\n\n\ndef wrapper")
        shapes = self.parameters("check(x, w)\nkernel(x, w, rows)", head=checked)
        self.assertEqual(shapes["x"][0], ["x.shape[0]", 1024])
        self.assertEqual(shapes["w"][0], [4])

    def test_of_a_list_made_before_it(self):
        shapes = self.parameters("arguments = [x, w]\nassert x.size(1) == 1024\nkernel(*arguments, rows)")
        self.assertEqual(shapes["x"][0][1], 1024)

    def test_what_proves_nothing_tells_nothing(self):
        for body in ["assert x.shape[1] == 1024 or rows == 3", "assert x.shape[1] != 1024", "assert not x.shape[1] == 1024",
                     "assert x.shape[1] in (512, 1024)", "if rows:\n    assert x.shape[1] == 1024",
                     "for i in range(rows):\n    assert x.shape[1] == 1024", "if x.shape[1] == 1024:\n    raise ValueError",
                     "assert x.shape[1] > 1", "if x.shape[1] != 1024:\n    print('odd')"]:
            with self.subTest(body=body):
                self.known(body)

    def test_one_of_two_joined_values_is_not_both(self):
        parameters = self.parameters("a = x if rows else w\nassert a.shape == (4, 4)\nkernel(x, w, rows)")
        self.assertIsNone(parameters["w"][0])

    def test_what_is_asserted_after_the_call_does_not_count(self):
        parameters = self.parameters("kernel(x, w, rows)\nassert x.shape[1] == 1024")
        self.assertEqual(parameters["x"][0], ["x.shape[0]", "x.shape[1]"])

    def test_inside_the_kernel(self):
        head = """import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32), w: pypto.Tensor()):
    rows, columns = x.shape
    assert columns == 256
    a, b = w.shape
    pypto.set_vec_tile_shapes(16, columns)
    y = pypto.exp(pypto.view(x, [16, columns], [0, 0]))
"""
        (kernel,) = self.kernels(("kernel.py", head))
        (exp,) = [op for op in kernel["operations"] if op["operation"] == "exp"]
        self.assertEqual(exp["tile"]["vec"], [16, 256])
        self.assertEqual(exp["operands"][0]["shape"], [16, 256])
        self.assertEqual(len(kernel["parameters"][1]["shape"]), 2)


class Callers(FactsTest):
    def test_dims_and_dtype_of_the_call_fill_what_the_declaration_leaves(self):
        parameters = self.parameters("kernel(torch.zeros(4, 512, dtype=torch.bfloat16), torch.ones(3), 16)")
        self.assertEqual(parameters["x"][:2], (["x.shape[0]", 512], "DT_BF16"))
        self.assertEqual(parameters["w"][:2], ([3], "DT_FP32"))
        self.assertEqual(parameters["rows"][2], "16")

    def test_a_caller_in_another_file(self):
        call = "from impl import wrapper\nimport torch\nimport pypto\n\n\ndef test():\n    wrapper(torch.rand(4, 512), torch.rand(3), 8)\n"
        kernels = self.kernels(("impl.py", HEAD + "    kernel(x, w, rows)\n"), ("test_it.py", call))
        (kernel,) = kernels
        self.assertEqual(kernel["path"], "impl.py")
        self.assertEqual(kernel["parameters"][0]["shape"], ["x.shape[0]", 512])
        self.assertEqual(kernel["operations"][0]["tile"]["vec"], [8, 256])

    def test_each_shape_is_a_context_and_dynamic_dims_make_none(self):
        text = HEAD + "    kernel(x, w, rows)\n" + """

def test():
    for rows, columns in [(1, 64), (2, 64), (1, 128)]:
        wrapper(torch.zeros(rows, columns), torch.zeros(5), 4)
"""
        kernels = self.kernels(("kernel.py", text))
        self.assertEqual([k["parameters"][0]["shape"] for k in kernels], [["x.shape[0]", 64], ["x.shape[0]", 128]])


if __name__ == "__main__":
    main()
