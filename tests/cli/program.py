"""Runs pto-fix in a temporary folder. Every test case of this directory derives from ProgramTest."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PTO_FIX = os.environ.get("PTO_FIX", str(pathlib.Path(__file__).parents[2] / "build/release/pto-fix"))
PTO_PARSE_ONLY = os.environ.get("PTO_PARSE_ONLY", str(pathlib.Path(PTO_FIX).with_name("pto-parse-only")))
INTERPOSE = os.environ.get("PTO_INTERPOSE", str(pathlib.Path(PTO_FIX).with_name("tests") / "cli/libcli_interpose.so"))

# Seconds for one run; sanitizers make the program several times slower.
TIMEOUT = 600 if "ASAN_OPTIONS" in os.environ else 120

# A finding that needs no kernel: a suppression of a rule that does not exist. Its fix is unsafe.
SUPPRESSION = "import pypto\n\nx = 1  # pto-fix: ignore[PTO999] kept words\n"
SUPPRESSION_FIXED = "import pypto\n\nx = 1  # kept words\n"


# A kernel with a loop that is worth a pypto.loop, and a host wrapper.
LOOP = """import pypto
import torch

HEADS = 128


@pypto.frontend.jit
def kernel(
    q: pypto.Tensor([HEADS * 16, 128], pypto.DT_BF16),
    k: pypto.Tensor([HEADS * 16, 128], pypto.DT_BF16),
    out: pypto.Tensor([HEADS * 16, 16], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [16, 16])
    pypto.set_vec_tile_shapes(16, 16)
    for h in range(HEADS):
        row = h * 16
        q_head = pypto.view(q, [16, 128], [row, 0])
        k_head = pypto.view(k, [16, 128], [row, 0])
        score = pypto.matmul(q_head, k_head, pypto.DT_FP32, b_trans=True)
        pypto.assemble(pypto.exp(pypto.sub(score, pypto.amax(score, -1, True))), [row, 0], out)


def wrapper(q, k):
    out = torch.empty([HEADS * 16, 16], dtype=torch.float32, device=q.device)
    kernel(q, k, out)
    return out
"""


class Result:
    def __init__(self, code, out, err):
        self.code = code
        self.out_bytes = out
        self.err_bytes = err

    @property
    def out(self):
        return self.out_bytes.decode()

    @property
    def err(self):
        return self.err_bytes.decode()

    def json(self):
        return json.loads(self.out_bytes)

    def __repr__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out_bytes!r}\n--- stderr\n{self.err_bytes!r}"


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pto-fix-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        # Where pto-fix keeps its journals: never in the developer's own home.
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="pto-fix-state-"))
        self.addCleanup(shutil.rmtree, self.state, ignore_errors=True)

    def write(self, name, content=SUPPRESSION):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        return (self.folder / name).read_bytes()

    def environment(self, **changes):
        # LeakSanitizer does not run under another user or a tracer; the variables of a developer's shell must not matter.
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS")}
        kept.update({"LC_ALL": "C.UTF-8", "PTO_FIX_NO_CACHE": "1", "XDG_STATE_HOME": str(self.state)})
        kept.update(changes)
        return kept

    def run_program(self, *arguments, stdin=b"", code=None, env=None, timeout=TIMEOUT, **options):
        done = subprocess.run(
            [PTO_FIX, *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=options.pop("cwd", self.folder),
            env=self.environment(**(env or {})),
            timeout=timeout,
            **options,
        )
        result = Result(done.returncode, done.stdout, done.stderr)
        if code is not None:
            self.assertEqual(result.code, code, result)
        return result


def main():
    unittest.main(verbosity=1)
