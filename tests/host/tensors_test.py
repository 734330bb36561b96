"""Runs snippets of host code with torch and through `pto-fix trace`, and compares shape and dtype of what they leave in x."""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import numpy as np
import torch

PTO_FIX = os.environ.get("PTO_FIX", str(pathlib.Path(__file__).parents[2] / "build/release/pto-fix"))

# Followed to the last dim and the dtype.
FOLLOWED = """
x = torch.zeros(4, 8)
x = torch.ones((4, 8), dtype=torch.bfloat16)
x = torch.empty([4, 8], dtype=torch.float16, device="cpu")
x = torch.empty(size=(4, 8))
x = torch.zeros([])
x = torch.zeros(7)
x = torch.zeros(*[2, 3], dtype=torch.int32)
n = 3; x = torch.rand(n * 2, n + 1)
x = torch.randn((2, 3, 4)).to(torch.bfloat16)
x = torch.randn(2, 3).half()
x = torch.randn(2, 3).to("cpu")
d = "cpu"; x = torch.randn(2, 3).to(d).to(dtype=torch.float16)
x = torch.randn(2, 3).to(device="cpu", dtype=torch.bfloat16)
x = torch.randn(2, 3).to("cpu", torch.float16)
x = torch.randn(2, 3).to(torch.zeros(1, dtype=torch.float16).dtype)
x = torch.randint(0, 10, (5, 6), dtype=torch.int32)
x = torch.randint(10, (5, 6))
x = torch.randint(0, 10, size=[5, 6])
x = torch.full((3, 4), 1.5)
x = torch.full((3, 4), 1)
x = torch.full([3, 4], 2, dtype=torch.float16)
x = torch.arange(10)
x = torch.arange(2, 11, 3, dtype=torch.int32)
x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
x = torch.tensor([1, 2, 3])
x = torch.tensor([1, 2, 3], dtype=torch.int32)
x = torch.tensor(5)
x = torch.tensor([True, False])
x = torch.eye(4)
x = torch.eye(4, dtype=torch.float16)
x = torch.zeros_like(torch.ones(2, 3, dtype=torch.float16))
x = torch.rand_like(torch.ones(2, 3), dtype=torch.float16)
x = torch.full_like(torch.ones(2, 3), 4)
x = torch.zeros(2, 12).reshape(4, 6)
x = torch.zeros(2, 12).reshape(-1, 4)
x = torch.zeros(2, 12).view([3, 8])
x = torch.zeros(2, 12).view(-1)
x = torch.zeros(2, 3, 4).transpose(0, 2)
x = torch.zeros(2, 3, 4).transpose(-1, -2).contiguous()
x = torch.zeros(2, 3, 4).permute(2, 0, 1)
x = torch.zeros(2, 3, 4).permute([2, 0, 1])
x = torch.zeros(2, 3).t()
x = torch.zeros(2, 3).T
x = torch.zeros(2, 3, 4).mT
x = torch.zeros(2, 3).unsqueeze(0)
x = torch.zeros(2, 3).unsqueeze(-1)
x = torch.zeros(2, 1, 3).squeeze(1)
x = torch.zeros(2, 3).squeeze(1)
x = torch.zeros(2, 1).expand(2, 5)
x = torch.zeros(2, 1).expand(4, -1, 5)
x = torch.zeros(2, 3).repeat(2, 2)
x = torch.zeros(2, 3).repeat(4, 1, 1)
x = torch.zeros(2, 3, 4).flatten()
x = torch.zeros(2, 3).new_zeros((4, 5))
x = torch.zeros(2, 3, dtype=torch.float16).new_empty(4, 5)
x = torch.zeros(2, 3).new_full((4, 5), 1.0, dtype=torch.int32)
x = torch.zeros(4, 8)[0]
x = torch.zeros(4, 8)[1:3]
x = torch.zeros(4, 8)[:, 2:]
x = torch.zeros(4, 8)[..., :3]
x = torch.zeros(4, 8)[-1, :4]
x = torch.zeros(4, 8)[:, -2:]
x = torch.zeros(4, 8)[1:100]
x = torch.zeros(4, 8) * 2
x = 1.0 - torch.zeros(4, 8)
x = torch.zeros(4, 8, dtype=torch.int32) + 1
x = torch.zeros(4, 8, dtype=torch.float16) * 0.5
x = torch.zeros(4, 8) + torch.zeros(8)
x = torch.zeros(4, 1) * torch.zeros(1, 8, dtype=torch.bfloat16)
x = torch.zeros(4, 8, dtype=torch.bfloat16) + torch.zeros(4, 8, dtype=torch.float16)
x = torch.zeros(4, 8, dtype=torch.int8) + torch.zeros(4, 8, dtype=torch.int32)
x = torch.zeros(4, 8) / 3
x = -torch.zeros(4, 8)
x = torch.zeros(4, 8) > 0
x = torch.zeros(4, 8) == torch.ones(8)
x = torch.zeros(4, 8) @ torch.zeros(8, 3)
x = torch.matmul(torch.zeros(2, 4, 8), torch.zeros(2, 8, 3))
x = torch.abs(torch.zeros(4, 8))
x = torch.softmax(torch.zeros(4, 8), dim=-1)
x = torch.clamp(torch.zeros(4, 8, dtype=torch.bfloat16), -1, 1)
x = torch.sum(torch.zeros(4, 8), dim=-1, keepdim=True)
x = torch.zeros(4, 8).sum(0)
x = torch.zeros(4, 8).amax(dim=1)
x = torch.zeros(4, 8).uniform_(-1, 1)
x = torch.zeros(4, 8).clone().detach().requires_grad_(False)
x, _ = torch.sort(torch.zeros(4, 8))
_, x = torch.sort(torch.zeros(4, 8))
x = torch.from_numpy(np.zeros((4, 8)))
x = torch.from_numpy(np.zeros((4, 8), dtype=np.float32))
x = torch.from_numpy(np.random.uniform(-1, 1, (4, 8)).astype(np.float32))
x = torch.from_numpy(np.random.randint(0, 9, size=(4, 8)).astype(np.int32))
x = torch.tensor(np.ones([4, 8], np.float16))
x = torch.from_numpy(np.array([[1.0, 2.0]]))
a = torch.zeros(4, 8); x = torch.zeros(a.shape)
a = torch.zeros(4, 8); x = torch.zeros(a.shape[1], a.size(0))
a = torch.zeros(4, 8); b, c = a.shape; x = torch.zeros(c, b)
a = torch.zeros(4, 8); x = torch.zeros(len(a), a.dim(), a.ndim)
a = torch.zeros(4, 8, dtype=torch.int8); x = torch.zeros(a.numel(), dtype=a.dtype)
a = torch.zeros(4, 8); x = a if a.shape[0] == 4 else None
""".strip().splitlines()

# Not followed today, or only in part: anything but a wrong answer will do.
LOOSE = """
x = torch.zeros(4, 8, dtype=torch.int32) / 3
x = torch.zeros(4, 8, dtype=torch.int32) * 0.5
x = torch.zeros(4, 8).view(torch.int32)
x = torch.zeros(4, 8)[torch.tensor([0, 1])]
x = torch.zeros(4, 8)[[0, 1]]
x = torch.zeros(4, 8)[None]
x = torch.zeros(4, 8)[::2]
x = torch.zeros(4, 8)[torch.zeros(4, dtype=torch.bool)]
x = torch.zeros(4, 8).argmax(dim=-1)
x = torch.zeros(4, 8).type(torch.int8)
x = torch.zeros(4, 8).split(2)[0]
x = torch.zeros(4, 8).chunk(2, dim=1)[1]
x = torch.cat([torch.zeros(4, 8), torch.zeros(4, 8)], dim=1)
x = torch.stack([torch.zeros(4, 8), torch.zeros(4, 8)])
x = torch.zeros(4, 8).squeeze()
x = torch.zeros(4, 8).sum()
x = torch.zeros(4, 8).mean(dim=(0, 1))
x = torch.zeros(4, 8, dtype=torch.int8).sum(0)
x = torch.zeros(4, 8).max(dim=1)[0]
x = torch.tensor([[1, 2], [3, 4.0]])
x = torch.tensor([1, 2.0])
x = torch.tensor([torch.tensor(1), torch.tensor(2)])
x = torch.zeros(4, 8, dtype=torch.uint8) + torch.zeros(4, 8, dtype=torch.int8)
x = torch.zeros(4, 8) // 2
x = torch.zeros(4, 8, dtype=torch.int32) ** 2
x = 2 ** torch.zeros(4, 8, dtype=torch.int32)
x = torch.zeros(4, 8, dtype=torch.int32).float() % 2
x = torch.zeros(4, 8, dtype=torch.bool) + True
x = torch.zeros(4, 8, dtype=torch.bool) * 2
x = torch.exp(torch.zeros(4, 8, dtype=torch.int32))
x = torch.zeros(4, 8, dtype=torch.int32).sqrt()
x = torch.zeros(4, 8).unsqueeze_(0)
x = torch.zeros(4, 8).resize_(2, 2)
x = torch.zeros(4, 8).t_()
x = torch.zeros(4, 8).flatten(1)
x = torch.zeros(2, 3, 4) @ torch.zeros(4, 5)
x = torch.zeros(4) @ torch.zeros(4, 5)
x = torch.matmul(torch.zeros(1, 2, 3), torch.zeros(5, 3, 4))
x = torch.full((3, 4), True)
x = torch.arange(0, 1, 0.25)
x = torch.arange(5.0)
x = torch.arange(10, 0, -2)
x = torch.linspace(0, 1, 5)
x = torch.where(torch.zeros(4, 8) > 0, 1.0, 0.0)
x = torch.zeros(4, 8).masked_fill(torch.zeros(4, 8) > 0, 1)
x = torch.from_numpy(np.random.randn(4, 8))
x = torch.from_numpy(np.arange(12).reshape(3, 4))
x = torch.from_numpy(np.zeros(5, np.int64) + 1.0)
x = torch.from_numpy(np.zeros((2, 3)).T.copy())
x = torch.zeros(2, 3).roll(1)
x = torch.zeros(3, 4)[1, 2]
x = torch.zeros((2, 3)).sort()[0]
x = torch.round(torch.zeros(4, 8, dtype=torch.int32) / 2)
x = torch.zeros(4, 8, dtype=torch.float16) + np.float32(1)
x = torch.zeros(4, 8).long() / torch.zeros(4, 8).int()
x = torch.zeros(2, 2).repeat(2)  if False else torch.zeros(2, 2)
""".strip().splitlines()

START = ["torch.zeros(4, 6)", "torch.ones(2, 3, 4, dtype=torch.bfloat16)", "torch.randint(0, 5, (6, 8), dtype=torch.int32)",
         "torch.randn(1, 5)", "torch.zeros(3, 1, dtype=torch.int8)", "torch.zeros(2, 2, dtype=torch.bool)"]
STEPS = ["x.unsqueeze({a})", "x.squeeze({a})", "x.transpose({a}, {b})", "x.reshape(-1)", "x.reshape(-1, 2)", "x.flatten()",
         "x[0]", "x[:1]", "x[..., 0:1]", "x[..., -1:]", "x[:, None]", "x + 1", "x * 2.5", "x / 2", "-x", "x.float()", "x.half()",
         "x.to(torch.bfloat16)", "x.to('cpu')", "x.T", "x.t()", "x.sum({a})", "x.sum({a}, keepdim=True)", "x.amax(dim={a})",
         "x.repeat(2, 1)", "x.repeat(1, 1, 2)", "x.expand(3, -1, -1)", "x + x", "x @ x.T", "torch.abs(x)", "torch.exp(x)",
         "torch.zeros_like(x)", "torch.cat([x, x])", "x.permute(1, 0)", "x > 0", "x.clone()", "x.new_zeros(3)",
         "torch.zeros(x.shape)", "torch.empty(x.shape[0], x.size(-1))", "x.contiguous().view(-1)", "torch.softmax(x, -1)",
         "x - torch.ones(1)", "torch.ones(3, 1, 1) * x", "x.mean(dim={a})", "x.int()", "x.bool()", "x.type_as(torch.zeros(1))"]


def trace(snippets):
    """(shape, dtype) of x for each snippet; None for what is not known."""
    lines = ["import numpy as np", "import pypto", "import torch", ""]
    for i, snippet in enumerate(snippets):
        lines += ["", "@pypto.frontend.jit", f"def k{i}(x: pypto.Tensor()):", "    pypto.set_vec_tile_shapes(1)", "",
                  f"def host{i}():", f"    {snippet}", f"    k{i}(x)", ""]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "host.py")
        path.write_text("\n".join(lines))
        done = subprocess.run([PTO_FIX, "trace", "--format", "json", path], capture_output=True, check=True)
    by_name = {k["kernel"]: k["parameters"][0] for k in json.loads(done.stdout)["files"][0]["kernels"]}
    return [(by_name[f"k{i}"].get("shape"), by_name[f"k{i}"].get("dtype")) for i in range(len(snippets))]


DTYPES = {torch.float32: "DT_FP32", torch.float16: "DT_FP16", torch.bfloat16: "DT_BF16", torch.float64: "DT_DOUBLE",
          torch.int8: "DT_INT8", torch.int16: "DT_INT16", torch.int32: "DT_INT32", torch.int64: "DT_INT64",
          torch.uint8: "DT_UINT8", torch.bool: "DT_BOOL"}


def run(snippet):
    names = {"torch": torch, "np": np}
    exec(snippet, names)
    return list(names["x"].shape), DTYPES[names["x"].dtype]


class HostTensors(unittest.TestCase):
    maxDiff = None

    def agree(self, snippet, traced, whole):
        shape, dtype = run(snippet)
        seen_shape, seen_dtype = traced
        with self.subTest(snippet=snippet):
            if whole:
                self.assertEqual((seen_shape, seen_dtype), (shape, dtype))
                return
            if seen_shape is not None:
                self.assertEqual(len(seen_shape), len(shape), (seen_shape, shape))
                for seen, real in zip(seen_shape, shape):
                    if isinstance(seen, int):
                        self.assertEqual(seen, real, (seen_shape, shape))
            if seen_dtype is not None:
                self.assertEqual(seen_dtype, dtype)

    def test_what_is_followed_agrees_with_torch(self):
        for snippet, traced in zip(FOLLOWED, trace(FOLLOWED)):
            self.agree(snippet, traced, True)

    def test_what_is_not_followed_is_not_wrong(self):
        for snippet, traced in zip(LOOSE, trace(LOOSE)):
            self.agree(snippet, traced, False)

    def test_random_chains_are_never_wrong(self):
        rng = random.Random(20260801)
        snippets = []
        while len(snippets) < 400:
            chain = [f"x = {rng.choice(START)}"]
            for _ in range(rng.randint(1, 5)):
                step = rng.choice(STEPS).format(a=rng.randint(-3, 2), b=rng.randint(-3, 2))
                try:
                    run("; ".join([*chain, f"x = {step}"]))
                except Exception:  # torch refuses it
                    continue
                chain.append(f"x = {step}")
            snippets.append("; ".join(chain))
        followed = 0
        for snippet, traced in zip(snippets, trace(snippets)):
            self.agree(snippet, traced, False)
            followed += traced[0] is not None and traced[1] is not None
        self.assertGreater(followed, 200)


if __name__ == "__main__":
    unittest.main()
