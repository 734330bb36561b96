"""A kernel whose interface changes, and its calls in other files: all of them are fixed, or none is."""

import json
import pathlib
import random
import signal
import subprocess
import time

from program import PTO_FIX, ProgramTest, main

FIXTURE = pathlib.Path(__file__).parents[2] / "fixtures/PTO207/callers_everywhere"
CHANGED = ("layers/kernels.py", "by_name.py", "by_package.py", "by_module.py")
PARTIAL = "from functools import partial\nfrom layers import project\n\nready = partial(project, None)\n"

# Callers as people write them: what stands in use.py, and in what other files there are, before and after.
DIRECT = {
    "by another name": ("""
from torch import float32
import torch
from layers.kernels import project as kernel

def run(x, w, out):
    return kernel(x, {w}, out)
""", {}),
    "by keyword, in a class": ("""
import torch
import layers.kernels as k

class Layer:
    def forward(self, x, out):
        k.project(out=out, {w_int8}=self.w{to}, x=x)
""", {}),
    "through the whole path": ("""
import torch
import layers.kernels

def run(x, w, out):
    layers.kernels.project(x, {w}, out)
    layers.kernels.scale(out, 2)
""", {}),
    "through the package alone": ("""
import torch
import layers

def run(x, w, out):
    layers.kernels.project(x, {w}, out)
""", {}),
    "the module out of the package": ("""
import torch
from layers import kernels

def run(x, w, out):
    kernels.project(x, {w}, out)
""", {}),
    "through two packages": ("""
import torch
from api import run_it

def run(x, w, out):
    run_it(x, {w}, out)
""", {"api/__init__.py": "from .inner import run_it\n",
      "api/inner/__init__.py": "from layers import project as run_it\n"}),
    "all that a package has": ("""
import torch
from api import *

def run(x, w, out):
    project(x, {w}, out)
""", {"api/__init__.py": "from layers.kernels import *\n"}),
    "a module of a package that somebody has imported": ("""
import torch
import api

def run(x, w, out):
    api.inner.project(x, {w}, out)
    api.inner.layers.project(x, {w}, out)
""", {"api/__init__.py": "from .inner import other\n",
      "api/inner.py": "import layers\nfrom layers import project\nother = 1\n"}),
    "a package that hands the module on": ("""
import torch
import api

def run(x, w, out):
    api.kern.project(x, {w}, out)
""", {"api/__init__.py": "from layers import kernels as kern\n"}),
    "out of a package's sibling": ("""
import torch
import layers.sibling

def run(x, w, out):
    layers.sibling.project(x, {w}, out)
""", {"layers/sibling.py": "from . import project\n"}),
    "inside of a function": ("""
import torch

def run(x, w, out):
    from layers.kernels import project
    project(x, {w}, out)

def project(x):
    return x
""", {}),
    "in a lambda, a default and a decorator": ("""
import torch
from layers.kernels import project

W, X, OUT = torch.ones(1024, 1024).to(torch.int8), torch.ones(32, 1024), torch.ones(32, 1024)
run = lambda x, w, out: project(x, {w}, out)

def late(x, done=project(X, {W}, OUT)):
    return x

class A:
    first = project(X, {W}, OUT)
""", {}),
    "where the others of the call only ask for its shape": ("""
import torch
from layers.kernels import project

def run(x, w, out):
    project(x, {w}, torch.empty(w.shape[0], w.size(1), device=w.device).new_empty(2))
    project(x, {w}, torch.empty_like(w))

class Model:
    def run(self, x, w, out, other):
        self.project(x, w, out)
        other.project(x)
""", {}),
    "one in the other": ("""
import torch
from layers.kernels import project

def run(x, w, out):
    return project(x, (w if project(x, {w}, out) is None else w){to}, out)
""", {}),
    "under a condition": ("""
import torch
try:
    from layers.kernels import project
except ImportError:
    pass

def run(x, w, out):
    return project(x, {w}, out)
""", {}),
    "a method of that name is another thing": ("""
import torch
from layers.kernels import project

class A:
    def go(self, x, w, out):
        self.project(x, w, out)
        project(x, {w}, out)
        x.project(w)
""", {}),
    "a method of that name of a class in the file": ("""
import torch
from layers.kernels import project

def run(x, w, out):
    project(x, {w}, out)
""", {"classes.py": """
class Kernels:
    @staticmethod
    def project(x, w, out):
        return out

class Derived(Kernels):
    def project(self, x, w, out):
        super().project(x, w, out)
        return Kernels.project(x, w, out)

Kernels.project(1, 2, 3)
Derived.project(*"123")
"""}),
    "a comment behind it": ("""
import torch
from layers.kernels import project

def run(x, w, out):
    project(x, {w}, out)  # a word on it
""", {}),
    "indented with tabs": ("""
import torch
from layers.kernels import project

def run(x, w, out):
\tif x is not None:
\t\tproject(
\t\t\tx,
\t\t\t{w},  # int8
\t\t\tout,
\t\t)
""", {}),
    "without torch": ("""
from layers.kernels import project
{torch}

def run(x, w, out):
    project(x, {w}, out)

import os
""", {}),
    "an import in the function that always runs": ("""
from layers.kernels import project
{torch}

def run(x, w, out):
    import torch.nn
    project(x, {w}, out)
""", {}),
    "an import in another function": ("""
import torch
from layers.kernels import project

def run(x, w, out):
    def other(debug):
        if debug:
            import torch
    project(x, {w}, out)
""", {}),
    "a string behind the import": ("""
from layers.kernels import project; DOC = '''
abc
'''; Z = [
    1,
]  # a word
{torch}

def run(x, w, out):
    project(x, {w}, out)
""", {}),
    "a line that goes on": ("""
X = (1,
     2); Y = \\
    3
{torch}
X = (
    1,
); \\
from layers.kernels import project; \\
Z = 1

def run(x, w, out):
    project(x, {w}, out)
""", {}),
    "torch behind all that another file has": ("""
from elsewhere import *
from layers.kernels import project
import torch

def run(x, w, out):
    project(x, {w}, out)
""", {"elsewhere.py": "torch = None\n"}),
    "torch in front of a file that has it too": ("""
import torch
from layers.kernels import project
from elsewhere import *

def run(x, w, out):
    project(x, {w}, out)
""", {"elsewhere.py": "import torch\n\nX = torch\n"}),
    "with torch by another name": ("""
import torch as th
from layers.kernels import project

def run(x, w, out):
    project(x, w{to th}, out)
""", {}),
}



def match(pattern):
    return (f"from layers.kernels import project\n\n\ndef run(thing, x, w, o):\n    match thing:\n"
            f"        case {pattern}:\n            project(x, w, o)\n")


# Where no argument is sure to be the one: the kernel keeps its name and parameters.
WRAPPED = {
    "partial": PARTIAL,
    "a list of arguments": "from layers.kernels import project\n\n\ndef run(*inputs):\n    project(*inputs)\n",
    "keywords": "from layers.kernels import project\n\n\ndef run(**inputs):\n    project(**inputs)\n",
    "in a list": "import layers\nkernels = [layers.project]\n",
    "by its name in a string": "import layers.kernels as k\nproject = getattr(k, 'project')\n",
    "by a name that comes later": "import layers\n\n\ndef run(name):\n    return getattr(layers, name)\n",
    "of the module, too": "import layers.kernels\n\n\ndef run(name):\n    return vars(layers.kernels)[name]\n",
    "the name gets another meaning": "from layers.kernels import project as p\np = p\n",
    "in __all__": "from layers.kernels import *\n\n__all__ = ['project']\n",
    "as an argument": "import layers.kernels as k\n\n\ndef run(f):\n    return f(k)\n\n\nrun(k)\n",
    "a parameter of that name": (
        "from layers import project\n\n\ndef run(project, x, w, out):\n    project(x, w, out)\n"),
    "another import of that name": (
        "from layers.kernels import project\nfrom math import sin as project\n\n\ndef run(x, w, o):\n"
        "    project(x, w, o)\n"),
    "a fallback": (
        "try:\n    from layers.kernels import project\nexcept ImportError:\n    project = None\n\n\n"
        "def run(x, w, o):\n    project(x, w, o)\n"),
    "imported in a class": (
        "class A:\n    from layers.kernels import project\n\n    def run(self, x, w, o):\n"
        "        A.project(x, w, o)\n"),
    "imported at run time": (
        "import importlib\n\n\ndef run(x, w, o):\n"
        "    importlib.import_module('layers.kernels').project(x, w, o)\n"),
    "by a path that Python learns at run time": (
        "import sys\nsys.path.insert(0, 'somewhere')\nfrom somewhere.kernels import project\n\n\n"
        "def run(x, w, o):\n    project(x, w, o)\n"),
    "a module that a function is given": "def run(kernels, x, w, o):\n    kernels.project(x, w, o)\n",
    "a module that an object has": (
        "class A:\n    def run(self, x, w, o):\n        self.kernels.project(x, w, out=o)\n"),
    "a module that a function is given, and arguments": "def run(kernels, inputs):\n    kernels . project(*inputs)\n",
    "a module among others": "def run(modules, x, w, o):\n    modules[0].project(x, w, o)\n",
    "a module that a function gives": "def run(find, x, w, o):\n    find('it').project(x, w, o)\n",
    "an attribute of a class that has none of its own": (
        "class A:\n    pass\n\n\ndef run(x, w, o):\n    A.project(x, w, o)\n"),
    "an attribute of a class that may have another one": (
        "class A:\n    def project(x, w, o):\n        pass\n\n\ndef run(f, x, w, o):\n    A.project = f\n"
        "    A.project(x, w, o)\n"),
    "a class that may be another one": (
        "class A:\n    def project(x, w, o):\n        pass\n\n\ndef run(A, x, w, o):\n    A.project(x, w, o)\n"),
    "a class of another file, perhaps": (
        "class A:\n    def project(x, w, o):\n        pass\n\n\nfrom somewhere import *\n\n\n"
        "def run(x, w, o):\n    A.project(x, w, o)\n"),
    "a method that is another one under a condition": (
        "class A:\n    def project(x, w, o):\n        pass\n    if 'a' in __doc__:\n        project = max\n\n\n"
        "def run(x, w, o):\n    A.project(x, w, o)\n"),
    "letters that are the same to Python": (
        "from layers.kernels import \uff50roject\n\n\ndef run(x, w, o):\n    project(x, w, o)\n"),
    "a call in letters that are the same to Python": (
        "import layers\n\n\ndef run(x, w, o):\n    layers.pro\U0001d423ect(x, w, o)\n"),
    "a module in letters that are the same to Python": (
        "from layers.\uff4bernels import project\n\n\ndef run(x, w, o):\n    project(x, w, o)\n"),
    "what is handed over changes in the same call": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o):\n    project(x, w, fill(w, o))\n"),
    "what is handed over is changed by its own method": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o):\n    project(x, w, out=w.add_(1))\n"),
    "what is handed over is bound in the same call": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o):\n    project(x, w, (w := o))\n"),
    "a decorator": "from layers.kernels import project\n\n\n@project\ndef run(x):\n    return x\n",
    "torch is another thing there": (
        "from layers.kernels import project\nfrom mine import torch\n\n\ndef run(x, w, o):\n"
        "    project(x, w, o)\n"),
    "torch may be missing there": (
        "try:\n    import torch\nexcept ImportError:\n    torch = None\nfrom layers.kernels import project\n\n\n"
        "def run(x, w, o):\n    project(x, w, o)\n"),
    "torch comes too late": (
        "from layers.kernels import project\nproject(1, 2, 3)\nimport torch\n"),
    "torch comes too late for a call of the function": (
        "from layers.kernels import project\n\n\ndef run(x, w, o):\n    project(x, w, o)\n\n\n"
        "run(1, 2, 3)\nimport torch\n"),
    "the place of an import comes too late": (
        "def run(x, w, o):\n    kernels.project(x, w, o)\n\n\nimport layers.kernels as kernels\n"),
    "a call behind the import on its line": (
        "from layers.kernels import project; run = lambda x, w, o: project(x, w, o)\n"),
    "torch is imported in the function under a condition": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o, debug=False):\n    if debug:\n"
        "        import torch\n    project(x, w, o)\n"),
    "a part of torch is imported in the function under a condition": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o, debug=False):\n    if debug:\n"
        "        import torch.nn\n    project(x, w, o)\n"),
    "torch's other name is imported in the function under a condition": (
        "import torch as t\nfrom layers.kernels import project\n\n\ndef run(x, w, o, debug=False):\n    if debug:\n"
        "        import torch as t\n    project(x, w, o)\n"),
    "torch is imported under a condition around the function": (
        "import torch\nfrom layers.kernels import project\n\n\ndef make(debug=False):\n    if debug:\n"
        "        import torch\n\n    def run(x, w, o):\n        project(x, w, o)\n    return run\n"),
    "another torch is imported in the function": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o, debug=False):\n"
        "    from compat import torch\n    project(x, w, o)\n"),
    "a function changes torch": (
        "import torch\nfrom layers.kernels import project\n\n\ndef setup():\n    global torch\n    torch = None\n\n\n"
        "def run(x, w, o):\n    project(x, w, o)\n"),
    "all that another file has, another torch with it": (
        "import torch\nfrom layers.kernels import project\nfrom own import *\n\n\ndef run(x, w, o):\n"
        "    project(x, w, o)\n"),
    "all that another file has, through a third one": (
        "import torch\nfrom layers.kernels import project\nfrom all_of_own import *\n\n\ndef run(x, w, o):\n"
        "    project(x, w, o)\n"),
    "all that an unknown file has": (
        "import torch\nfrom layers.kernels import project\nfrom somewhere import *\n\n\ndef run(x, w, o):\n"
        "    project(x, w, o)\n"),
    "another torch that comes with all": (
        "from layers.kernels import project\nfrom own import *\n\n\ndef run(x, w, o):\n"
        "    project(x, w, o)\n    return torch\n"),
    "a file with another torch takes all of it": (
        "from layers.kernels import project\nTAKEN = 1\n\n\ndef run(x, w, o):\n    project(x, w, o)\n"),
    "no place for an import": (
        "def run(x, w, o):\n    from layers.kernels import project\n    project(x, w, o)\n"),
    "a file that does not parse": "from layers import project\n\n\ndef run(:\n    project(x)\n",
    "by its local name in a string": (
        "from layers.kernels import project as run_it\n\n\ndef run(x, w, o):\n"
        "    {'f': run_it(x, w, o)}\n    return 'run_it'\n"),
    "among all that the file has": (
        "from layers.kernels import project as run_it\n\n\ndef run(name, x, w, o):\n"
        "    run_it(x, w, o)\n    globals()['run_' + name](x, w, o)\n"),
    "in code that is a string": (
        "import layers.kernels as k\n\n\ndef run(x, w, o):\n    eval('k.project(x, w, o)')\n"),
    "in code that a string imports": (
        "def run(x, w, o):\n    exec('from layers.kernels import project\\nproject(x, w, o)')\n"),
    "by a path in a string": (
        "import pkgutil\n\n\ndef run(x, w, o):\n    pkgutil.resolve_name('layers.kernels:project')(x, w, o)\n"),
    "replaced where another has it": (
        "from unittest import mock\nimport by_name\n\n\ndef test(x, w):\n"
        "    with mock.patch('by_name.run_projection', print):\n        by_name.run(x, w)\n"),
    "out of the module's names": (
        "import layers.kernels as k\n\n\ndef run(n, x, w, o):\n    k.__dict__[n](x, w, o)\n"),
    "all modules that there are": (
        "import sys\nfrom layers.kernels import project\n\n\ndef run(n, x, w, o):\n    project(x, w, o)\n"
        "    getattr(sys.modules['layers.ker' + n], 'proj' + n)(x, w, o)\n"),
    "out of all modules by another name": (
        "from sys import modules\n\n\ndef run(x, w, o):\n    modules['layers.kernels'].project(x, w, o)\n"),
    "by an import of itself": (
        "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o):\n    import use\n"
        "    use.project(x, w, o)\n"),
    "captured, 0": match('[project]'),
    "captured, 1": match('[1, *project]'),
    "captured, 2": match("{'a': project}"),
    "captured, 3": match("{'a': 1, **project}"),
    "captured, 4": match('C(project)'),
    "captured, 5": match('C(attr=project)'),
    "captured, 6": match('C(project) | [project, 1]'),
    "captured, 7": match('(1 | 2) as project'),
    "captured, 8": match('1, project'),
    "captured, 9": match('project'),
    "a name that a loop has": (
        "from layers.kernels import project\n\n\ndef run(x, w, o):\n    for project in x:\n"
        "        project(x, w, o)\n"),
}

# Where a function in the kernel's place would not do either: it stays as others know it.
KEPT = {
    "from a kernel": (
        "import pypto\nfrom layers.kernels import project\n\n\n@pypto.frontend.jit\ndef outer(x, w, o):\n"
        "    project(x, w, o)\n"),
    "from a kernel by another name of the jit": (
        "from layers.kernels import project\nfrom pypto.frontend import jit as k\n\n\n@k\ndef outer(x, w, o):\n"
        "    project(x, w, o)\n"),
    "from a kernel by a name that was given the jit": (
        "import pypto\nfrom layers.kernels import project as p\nk = pypto.frontend.jit(debug=True)\nj = k\n\n\n"
        "@j\ndef outer(x, w, o):\n    p(x, w, o)\n"),
    "from a kernel without a decorator": (
        "import pypto\nfrom layers import project\n\n\ndef outer(x, w, o):\n    project(x, w, o)\n\n\n"
        "ready = pypto.frontend.jit(outer)\n"),
    "from what a kernel calls": (
        "import pypto\nimport layers\n\n\ndef deep(x, w, o):\n    layers.project(x, w, o)\n\n\n"
        "def helper(x, w, o):\n    deep(x, w, o)\n\n\n@pypto.frontend.jit\ndef outer(x, w, o):\n"
        "    helper(x, w, o)\n"),
    "an attribute is set": "from layers.kernels import project\n\nproject.grid = 3\n",
    "an attribute is asked for": "from layers.kernels import project\n\nprint(project.sig)\n",
    "an attribute is asked for by another name": "from layers import project as p\n\np.compile()\n",
    "an attribute is asked for through the module": (
        "import layers\n\n\ndef run():\n    return layers.kernels.project.sig\n"),
}


# What the kernel's own file may add to reach it by.
OWN = {
    "a string": 'def launch(x, w, out):\n    globals()["project"](x, w, out)\n',
    "a name that comes later": 'def launch(name, x, w, out):\n    globals()[name](x, w, out)\n',
    "its module": 'import sys\n\n\ndef launch(n, x, w, out):\n    getattr(sys.modules[__name__], n)(x, w, out)\n',
    "code": 'def launch(code, x, w, out):\n    exec(code)\n',
    "code in a string": 'CODE = "project(x, w, out)"\n',
    "an import of itself": 'def launch(x, w, out):\n    import kernels\n    kernels.project(x, w, out)\n',
    "an import of it out of itself": 'def launch(x, w, out):\n    from .kernels import project as p\n    p(x, w, out)\n',
    "an import of itself out of the package": (
        'def launch(x, w, out):\n    from . import kernels\n    kernels.project(x, w, out)\n'),
}
BLANKS = ("from layers . kernels import project", "from layers. kernels import project",
          "from layers.kernels import (project\n as project)", "from layers.\\\n  kernels import project")


class Across(ProgramTest):
    def setUp(self):
        super().setUp()
        for path in FIXTURE.rglob("*.py"):
            name = path.relative_to(FIXTURE)
            if name.parts[0] != "fixed":
                self.write(str(name), path.read_bytes())
        self.old = {name: self.read(name) for name in CHANGED}

    def changed(self):
        return [name for name in CHANGED if self.read(name) != self.old[name]]

    def direct(self):
        """Is the kernel changed, and not behind a wrapper?"""
        return b"w_int8" not in self.read("layers/kernels.py")

    def test_all_calls_in_the_given_paths_are_fixed(self):
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertEqual(self.changed(), list(CHANGED))
        for name in CHANGED:
            self.assertEqual(self.read(name), (FIXTURE / "fixed" / name).read_bytes())
        self.run_program("undo", code=0)
        self.assertEqual(self.changed(), [])

    def test_without_unsafe_the_kernel_keeps_its_name_behind_a_wrapper(self):
        result = self.run_program("--apply", ".", code=0)
        self.assertEqual(self.changed(), ["layers/kernels.py"])
        self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))
        self.assertIn("1 fix", result.err)

    def test_a_notebook_that_does_not_name_the_framework_keeps_the_wrapper(self):
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                "source": "from layers.kernels import project\nproject(x, w8, out)"}
        self.write("call.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        before = self.read("call.ipynb")
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertEqual(self.changed(), ["layers/kernels.py"])
        self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))
        self.assertEqual(self.read("call.ipynb"), before)

    def test_the_diff_and_the_order_of_paths_are_the_same(self):
        diff = self.run_program("--diff", "--unsafe", ".", code=1).out
        self.assertEqual(diff.count("+++ "), len(CHANGED))
        names = [*CHANGED, "layers/__init__.py", "host.py"]
        for jobs in ("1", "4"):
            random.shuffle(names)
            self.assertEqual(self.run_program("--diff", "--unsafe", "--jobs", jobs, *names, code=1).out, diff)

    def test_one_file_that_cannot_be_written_keeps_all_as_they_are(self):
        for name in CHANGED:
            (self.folder / name).chmod(0o444)
            result = self.run_program("--apply", "--unsafe", ".", code=2)
            self.assertEqual(self.changed(), [], name)
            self.assertIn(f"{name}: is read-only; not written", result.err)
            self.assertEqual(result.err.count("could not be"), len(CHANGED) - 1)
            (self.folder / name).chmod(0o644)

    def test_a_caller_that_was_not_given_gets_a_wrapper(self):
        names = [name for name in CHANGED if name != "by_name.py"]
        self.run_program("--apply", "--unsafe", *names, "layers/__init__.py", code=0)
        self.assertEqual(self.changed(), ["layers/kernels.py"])
        self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))

    def test_a_neighbour_that_was_not_given_gets_a_wrapper(self):
        self.write("layers/other.py", "from .kernels import project\n\n\ndef run(x, w, out):\n    project(x, w, out)\n")
        self.run_program("--apply", "--unsafe", *CHANGED, "layers/__init__.py", code=0)
        self.assertEqual(self.changed(), ["layers/kernels.py"])
        self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))

    def test_however_a_neighbour_that_was_not_given_imports_it_there_is_a_wrapper(self):
        call = "\n\n\ndef run(x, w, out):\n    "
        near = {
            "the package": ("use.py", "from layers import project" + call + "project(x, w, out)\n"),
            "the package's name": ("use.py", "import layers" + call + "layers.project(x, w, out)\n"),
            "many lines": ("use.py", "from layers import (\n    kernels,\n)" + call + "kernels.project(x, w, out)\n"),
            "a backslash": ("use.py", "from layers \\\n    .kernels import project" + call + "project(x, w, out)\n"),
            "one line": ("use.py", "try: from layers.kernels import project\nexcept ImportError: pass\n"),
            "a name in parts": ("layers/use.py", "from . import kernels\nrun = getattr(kernels, 'pro' + 'ject')\n"),
            "another name": ("use.py", "from api import run_it" + call + "run_it(x, w, out)\n"),
            "a window's script": ("use.pyw", "from layers.kernels import project\nrun = project\n"),
            "an ending in capitals": ("use.PY", "from layers.kernels import project\nrun = project\n"),
            "a script without an ending": (
                "layers/use", "#!/usr/bin/env python3\nfrom layers.kernels import project\nrun = project\n"),
            "a mark": ("use.py", "\ufefffrom layers.kernels import project\nrun = project\n"),
        }
        self.write("api.py", "from layers.kernels import project as run_it\n")
        for name, (path, text) in near.items():
            with self.subTest(name):
                self.start_over()
                self.write(path, text)
                self.run_program("--apply", "--unsafe", *CHANGED, "api.py", "layers/__init__.py", "host.py", code=0)
                self.assertEqual(self.changed(), ["layers/kernels.py"])
                self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))
                (self.folder / path).unlink()
        self.start_over()
        self.write("layers/notes", "from layers.kernels import project\n")  # no script
        self.write("other.py", "from layers.kernels import scale\nimport api\n")
        self.run_program("--apply", "--unsafe", *CHANGED, "api.py", "layers/__init__.py", "host.py", code=0)
        self.assertEqual(self.changed(), list(CHANGED))

    def start_over(self, others=()):
        for name in others:
            (self.folder / name).unlink()
        for name, text in self.old.items():
            self.write(name, text)

    def test_a_use_that_shows_no_argument_gets_a_wrapper(self):
        self.write("own.py", "torch = 'another'\n")
        self.write("all_of_own.py", "from own import *\n")
        for name, use in WRAPPED.items():
            with self.subTest(name):
                self.start_over()
                self.write("use.py", use)
                taken = "use" if "TAKEN" in use else "math"
                self.write("takes.py", f"from own import torch\nfrom {taken} import *\n\nprint(torch)\n")
                self.run_program("--apply", "--unsafe", ".", code=0)
                self.assertEqual(self.changed(), ["layers/kernels.py"])
                self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))
                self.assertEqual(self.read("use.py").decode(), use)

    def test_a_use_of_the_kernels_own_file_that_is_not_understood_gets_a_wrapper(self):
        for name, text in OWN.items():
            with self.subTest(name):
                self.start_over()
                self.write("layers/kernels.py", self.old["layers/kernels.py"] + b"\n\n" + text.encode())
                self.run_program("--apply", "--unsafe", ".", code=0)
                self.assertEqual(self.changed(), ["layers/kernels.py"])
                self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))

    def test_a_single_file_with_a_use_that_is_not_understood_gets_a_wrapper(self):
        for name, text in OWN.items():
            if "import of" in name:
                continue
            with self.subTest(name):
                call = b"\n\nimport torch\n\n\ndef run(x, w, out):\n    project(x, w, out)\n"
                self.write("alone/one.py", self.old["layers/kernels.py"] + call)
                self.run_program("--apply", "alone")
                self.assertNotIn(b"def project(x, w_int8, out):", self.read("alone/one.py"))
                self.write("alone/one.py", self.old["layers/kernels.py"] + call + b"\n\n" + text.encode())
                self.run_program("--apply", "alone")
                self.assertIn(b"def project(x, w_int8, out):", self.read("alone/one.py"))

    def test_a_docstring_and_what_the_module_exports_are_no_uses(self):
        kernel = self.old["layers/kernels.py"] + b"\n\n__all__ = ['project', 'scale']\n"
        self.write("layers/kernels.py", b'"""Has project."""\n' + kernel)
        self.write("use.py", "import torch\nfrom layers.kernels import project\n\n\ndef run(x, w, o):\n"
                             "    \"\"\"Calls project.\"\"\"\n    project(x, w, o)\n")
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertTrue(self.direct())
        self.assertIn(b"w.to(", self.read("use.py"))

    def test_an_import_with_blanks_or_behind_a_mark_is_read(self):
        end = "\n\n\ndef run(x, w, out):\n    project(x, w, out)\n"
        for line in (*BLANKS, "\ufefffrom layers.kernels import project"):
            with self.subTest(line):
                self.start_over()
                self.write("use.py", line + "\nimport torch" + end)
                self.run_program("--apply", "--unsafe", ".", code=0)
                self.assertTrue(self.direct())
                self.assertIn(b"project(x, w.to(", self.read("use.py"))

    def test_what_cannot_be_read_may_be_a_caller(self):
        for text in (b"# coding: iso2022_jp\n# \x1b$B$3$s\nfrom layers.kernels import project\n",
                     b"# coding: no-such\n", b"x = '\xff'\n"):
            with self.subTest(text):
                self.start_over()
                self.write("use.py", text + b"\n\ndef run(x, w, o):\n    project(x, w, o)\n")
                self.run_program("--apply", "--unsafe", ".")
                self.assertEqual(self.changed(), ["layers/kernels.py"])
                self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))

    def test_a_package_that_imports_all_it_has_may_hand_it_on(self):
        self.write("layers/__init__.py", "import importlib, pkgutil\nfrom .kernels import project, scale\n"
                   "for m in pkgutil.iter_modules(__path__):\n"
                   "    globals().update(vars(importlib.import_module(__name__ + '.' + m.name)))\n")
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertEqual(self.changed(), ["layers/kernels.py"])

    def test_a_link_of_another_name_may_be_imported(self):
        (self.folder / "layers/old.py").symlink_to("kernels.py")
        (self.folder / "before").symlink_to("layers")
        for line in ("from layers.old import project", "import layers.old as k\nproject = k.project",
                     "from before.kernels import project", "from before import project"):
            with self.subTest(line):
                self.start_over()
                self.write("use.py", line + "\n\n\ndef run(*all):\n    project(*all)\n")
                self.run_program("--apply", "--unsafe", ".")
                self.assertEqual(self.changed(), ["layers/kernels.py"])
                self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))

    def test_a_kernel_far_down_is_found_from_above(self):
        for path, text in self.old.items():
            (self.folder / path).unlink()
        (self.folder / "layers/__init__.py").unlink()
        (self.folder / "host.py").unlink()
        path = "a/b/c/d/e/f/g"
        self.write(path + "/kernels.py", self.old["layers/kernels.py"])
        folder = self.folder / path
        while folder != self.folder:
            (folder / "__init__.py").touch()
            folder = folder.parent
        self.write("use.py", "import torch\nimport a\n\n\ndef run(x, w, o):\n    " + path.replace("/", ".") +
                   ".kernels.project(x, w, o)\n")
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertIn(b"project(x, w.to(", self.read("use.py"))
        self.assertNotIn(b"w_int8", self.read(path + "/kernels.py"))

    def test_where_a_wrapper_would_not_do_the_kernel_stays_what_it_is(self):
        for name, use in KEPT.items():
            for unsafe in ((), ("--unsafe",)):
                with self.subTest(name, unsafe=unsafe):
                    self.start_over()
                    self.write("use.py", use)
                    self.run_program("--apply", *unsafe, ".")
                    self.assertIn(self.changed(), ([], ["layers/kernels.py"]))
                    kernel = self.read("layers/kernels.py")
                    self.assertIn(b"@pypto.frontend.jit\ndef project(", kernel)
                    self.assertIn(b"w_int8: pypto.Tensor([1024, 1024], pypto.DT_INT8)", kernel)
                    self.assertEqual(self.read("use.py").decode(), use)

    def test_a_kernel_of_another_file_reaches_it_through_functions(self):
        outer = "import pypto\n{}\n\n\n@pypto.frontend.jit\ndef outer(x, w, o):\n    {}\n"
        call = "from layers.kernels import project\n\n\ndef helper(x, w, o):\n    project(x, w, o)\n"
        cases = {
            "a function": [call, outer.format("from helpers import helper", "helper(x, w, o)")],
            "by another name": [call, outer.format("from helpers import helper as h", "h(x, w, o)")],
            "through its module": [call, outer.format("import helpers", "helpers.helper(x, w, o)")],
            "as a value": [call, outer.format("import helpers", "pypto.run(helpers.helper)")],
            "a lambda": [call.replace("\n\n\ndef helper(x, w, o):\n   ", "\nhelper = lambda x, w, o:"),
                         outer.format("from helpers import helper", "helper(x, w, o)")],
            "a method": ["import layers\n\n\nclass Helper:\n    def go(self, x, w, o):\n"
                         "        layers.project(x, w, o)\n",
                         outer.format("from helpers import Helper", "Helper().go(x, w, o)")],
            "through two functions of a file": [call + "\n\ndef second(x, w, o):\n    helper(x, w, o)\n",
                                                outer.format("from helpers import second", "second(x, w, o)")],
            "through a third file": [call, "import helpers\n\n\ndef third(x, w, o):\n    helpers.helper(x, w, o)\n",
                                     outer.format("from more import third", "third(x, w, o)")],
            "handed on": [call, "from helpers import helper as again\n",
                          outer.format("from more import again", "again(x, w, o)")],
            "what that kernel calls": [call, outer.format("from helpers import helper", "inner(x, w, o)") +
                                       "\n\ndef inner(x, w, o):\n    helper(x, w, o)\n"],
            "a function of its own file": [None, outer.format("from layers.kernels import own", "own(x, w, o)")],
        }
        for name, (helpers, *others) in cases.items():
            for unsafe in ((), ("--unsafe",)):
                with self.subTest(name, unsafe=unsafe):
                    self.start_over()
                    if helpers is None:
                        self.write("layers/kernels.py", self.old["layers/kernels.py"] +
                                   b"\n\ndef own(x, w, o):\n    project(x, w, o)\n")
                    self.write("helpers.py", helpers or "")
                    self.write("more.py", others[0] if len(others) == 2 else "")
                    self.write("outer.py", others[-1])
                    self.run_program("--apply", *unsafe, ".")
                    kernel = self.read("layers/kernels.py")
                    self.assertIn(b"@pypto.frontend.jit\ndef project(", kernel)
                    self.assertIn(b"w_int8: pypto.Tensor([1024, 1024], pypto.DT_INT8)", kernel)
                    self.assertEqual(self.read("helpers.py").decode(), helpers or "")

    def test_a_function_that_no_kernel_calls_is_a_caller_like_others(self):
        self.write("helpers.py", "import torch\nfrom layers.kernels import project\n\n\ndef helper(x, w, o):\n"
                   "    project(x, w, o)\n")
        self.write("outer.py", "import pypto\nfrom helpers import helper\n\n\n@pypto.frontend.jit\n"
                   "def outer(x, w, o):\n    pass\n\n\ndef run(x, w, o):\n    helper(x, w, o)\n")
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertTrue(self.direct())
        self.assertIn(b"project(x, w.to(", self.read("helpers.py"))

    def test_a_call_is_found_however_it_is_reached(self):
        for name, (use, others) in DIRECT.items():
            for end in ("\n", "\r\n"):
                with self.subTest(name, end=end):
                    self.start_over()
                    to = ".to(torch.float16).to(torch.float32)"
                    before, after = use.replace("{torch}\n", ""), use
                    for place, old, new in (("{w}", "w", "w" + to), ("{W}", "W", "W" + to), ("{to}", "", to),
                                            ("{w_int8}", "w_int8", "w"), ("{torch}", "", "import torch"),
                                            ("{to th}", "", to.replace("torch", "th"))):
                        before, after = before.replace(place, old), after.replace(place, new)
                    mark = "\ufeff" if end == "\r\n" else ""
                    self.write("use.py", (mark + before).replace("\n", end))
                    for path, text in others.items():
                        self.write(path, text)
                    compile(before.encode(), "use.py", "exec")
                    self.run_program("--apply", "--unsafe", ".", code=0)
                    self.assertEqual(self.read("use.py").decode(), (mark + after).replace("\n", end))
                    self.assertTrue(self.direct())
                    self.start_over(others)

    def test_a_module_of_that_name_that_is_nearer_may_not_be_the_one_that_is_meant(self):
        self.write("kernels.py", "def project(x, w, out):\n    return out\n")
        use = "from kernels import project\n\n\ndef run(x, w, o):\n    project(x, w, o)\n"
        for path in ("import sys\nsys.path.insert(0, 'layers')\n", "from sys import path\npath[:0] = ['layers']\n",
                     "import site\nsite.addsitedir('layers')\n"):
            with self.subTest(path):
                self.start_over()
                self.write("use.py", path + use)
                self.run_program("--apply", "--unsafe", ".", code=0)
                self.assertEqual(self.changed(), ["layers/kernels.py"])
                self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))
        self.start_over()
        self.write("use.py", use)
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertTrue(self.direct())

    def test_a_package_without_a_file(self):
        (self.folder / "layers/__init__.py").unlink()
        for name in ("by_package.py", "host.py"):
            (self.folder / name).unlink()
        use = "import layers.kernels\nimport torch\n\n\ndef run(x, w, out):\n    layers.kernels.project(x, w, out)\n"
        self.write("use.py", use)
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertIn(b"project(x, w.to(torch.float16)", self.read("use.py"))
        self.run_program("undo", code=0)
        self.write("use.py", use.replace("import layers.kernels", "import layers"))
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertIn(b"project(x, w.to(torch.float16)", self.read("use.py"))

    def test_a_file_by_two_paths_is_edited_once(self):
        (self.folder / "link.py").symlink_to("by_name.py")
        self.run_program("--apply", "--unsafe", *CHANGED, "link.py", "layers/__init__.py", "host.py", code=0)
        for name in CHANGED:
            self.assertEqual(self.read(name), (FIXTURE / "fixed" / name).read_bytes())

    def test_a_caller_that_the_configuration_leaves_out_gets_a_wrapper(self):
        self.write("pto-fix.toml", "exclude = ['by_name.py']\n")
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertEqual(self.changed(), ["layers/kernels.py"])
        self.assertIn(b"def project(x, w_int8, out):", self.read("layers/kernels.py"))

    def test_the_cache_knows_when_a_caller_joins(self):
        cached = ("--cache-dir", self.folder / "cache")
        names = [*CHANGED, "layers/__init__.py", "host.py"]
        plain = self.run_program("--diff", "--unsafe", *names, code=1)
        for _ in range(2):
            self.assertEqual(self.run_program(*cached, "--diff", "--unsafe", *names, code=1).out, plain.out)
        self.write("use.py", PARTIAL)
        wrapped = self.run_program("--diff", "--unsafe", *names, "use.py", code=1)
        self.assertNotEqual(wrapped.out, plain.out)
        for _ in range(2):
            self.assertEqual(self.run_program(*cached, "--diff", "--unsafe", *names, "use.py", code=1).out, wrapped.out)
        (self.folder / "use.py").unlink()
        self.assertEqual(self.run_program(*cached, "--diff", "--unsafe", *names, code=1).out, plain.out)

    def test_the_reviewer_sees_one_fix(self):
        self.run_program("--apply", "--unsafe", "--review", ".", stdin="y\n")
        for name in CHANGED:
            self.assertEqual(self.read(name), (FIXTURE / "fixed" / name).read_bytes())
        self.start_over()
        self.run_program("--apply", "--unsafe", "--review", ".", stdin="n\n")
        self.assertEqual(self.changed(), [])

    def test_a_shard_writes_none_of_it_when_another_has_a_part(self):
        for shard in ("1/3", "2/3", "3/3"):
            self.run_program("--apply", "--unsafe", "--shard", shard, ".")
            self.assertIn(self.changed(), ([], ["layers/kernels.py"]))
            if self.changed():  # callers of other parts call it as before: the wrapper of a run that is to be safe
                sharded = self.read("layers/kernels.py")
                self.start_over()
                self.run_program("--apply", ".")
                self.assertEqual(sharded, self.read("layers/kernels.py"))
            self.start_over()

    def test_where_no_wrapper_can_stand_the_reason_names_the_call(self):
        # Two decorators leave no room for a wrapper, and between two tiles the cast cannot leave the loop.
        kernel = self.old["layers/kernels.py"].replace(b"@pypto", b"@traced\n@pypto").replace(
            b"import pypto\n", b"import pypto\n\nfrom tracing import traced\n", 1)
        view = b"pypto.view(x, [16, 1024], [b * 16, 0])"
        kernel = kernel.replace(view, b"part").replace(
            b"        w = ", b"        pypto.set_vec_tile_shapes(16, 256)\n        part = pypto.mul(" + view +
            b", 0.5)\n        pypto.set_vec_tile_shapes(32, 256)\n        w = ")
        self.write("layers/kernels.py", kernel)
        self.write("tracing.py", "def traced(function):\n    return function\n")
        self.write("use.py", PARTIAL)
        (finding,) = self.run_program("--format", "json", "--select", "PTO207", ".", code=1).json()["findings"]
        self.assertIn("use.py:4 uses project", finding["blocked"])

    def test_another_decorator_may_keep_the_kernel(self):
        register = "KERNELS = {}\n\n\ndef register(function):\n    KERNELS[0] = function\n    return function\n"
        self.write("registry.py", register)
        for others in ("@register\n@pypto.frontend.jit", "@pypto.frontend.jit\n@register"):
            with self.subTest(others):
                self.start_over()
                kernel = self.old["layers/kernels.py"].replace(b"@pypto.frontend.jit", others.encode()).replace(
                    b"import pypto\n", b"import pypto\n\nfrom registry import register\n", 1)
                self.write("layers/kernels.py", kernel)
                self.run_program("--apply", "--unsafe", ".")
                self.assertEqual([name for name in self.changed() if name != "layers/kernels.py"], [])
                self.assertIn(b"w_int8: pypto.Tensor([1024, 1024], pypto.DT_INT8)", self.read("layers/kernels.py"))

    def test_killed_between_two_of_them_undo_puts_all_back(self):
        for _ in range(20):
            program = subprocess.Popen([PTO_FIX, "--apply", "--unsafe", "."], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=self.environment())
            time.sleep(random.uniform(0, 0.2))
            program.send_signal(signal.SIGKILL)
            program.wait(60)
            self.run_program("undo")
            self.assertEqual(self.changed(), [])


if __name__ == "__main__":
    main()
