"""A kernel that several files call with their sizes: what each of them shows is told once."""

from program import ProgramTest, main

# Its shapes are those of its callers. `flow` carries a value from trip to trip, so that the loop stays one.
KERNEL = """import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.STATIC, pypto.STATIC], pypto.DT_FP32), out: pypto.Tensor()):
    pypto.set_vec_tile_shapes(8, 512)
    flow = pypto.exp(x)
    for _ in range(64):
        flow = pypto.div(flow, pypto.sum(flow, -1, True))
    out[:] = flow
"""
CALLER = """import pypto
import torch
from kernels import kernel


@pypto.frontend.jit
def other(x: pypto.Tensor([8, 8], pypto.DT_FP32), out: pypto.Tensor()):
    pypto.set_vec_tile_shapes(8, 8)
    out[:] = pypto.exp(x)


def test_kernel():
    x = torch.rand(1024, 512)
    kernel(x, torch.empty(1024, 512))
"""


class SeveralCallers(ProgramTest):
    def test_what_they_show_is_told_once(self):
        self.write("pyproject.toml", "")
        self.write("kernels.py", KERNEL)
        for name in ("one.py", "two.py"):
            self.write(name, CALLER)
        for mode in ([], ["--diff"], ["--apply"]):
            with self.subTest(mode=mode):
                found = self.run_program(*mode, "--format", "json", ".").json()["findings"]
                self.assertEqual([(f["rule"], f["path"]) for f in found if f["rule"] == "PTO201"], [("PTO201", "kernels.py")])


if __name__ == "__main__":
    main()
