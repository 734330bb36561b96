"""Notebooks: findings in cells, fixes back into them, and not another byte changed."""

import copy
import json
import pathlib
import random
import re
import subprocess
import xml.etree.ElementTree as ElementTree

from program import LOOP, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main
from repository import RepositoryTest

FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures"
IMPORTS, KERNEL, WRAPPER = (part + "\n" for part in LOOP.split("\n\n\n"))


def cell(source, kind="code", **more):
    lines = source.splitlines(keepends=True) if isinstance(source, str) else source
    one = {"cell_type": kind, "id": f"c{abs(hash(str(source))) % 997}", "metadata": {}}
    if kind == "code":
        one.update({"execution_count": 3, "outputs": [{"output_type": "stream", "name": "stdout", "text": ["pypto 中 é\n"]}]})
    return {**one, "source": lines, **more}


def notebook(*cells, language="python", **more):
    return {
        "cells": list(cells),
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": language, "name": "k"}},
        "nbformat": 4,
        "nbformat_minor": 5,
        **more,
    }


class Writing:
    def write_notebook(self, name, *cells, indent=1, ascii=False, end="\n", **more):
        text = json.dumps(notebook(*cells, **more), indent=indent, ensure_ascii=ascii) + end
        self.write(name, text)
        return text

    def sources(self, name):
        cells = json.loads(self.read(name))["cells"]
        return ["".join(each["source"]) for each in cells if each["cell_type"] == "code"]


class Notebooks(Writing, ProgramTest):
    def test_findings_are_named_by_cell(self):
        self.write_notebook("nb.ipynb", cell("# Title", "markdown"), cell("import pypto"), cell("y = 2\n" + SUPPRESSION.split("\n")[2]))
        result = self.run_program("nb.ipynb", code=1)
        self.assertIn("nb.ipynb:cell 3:2:", result.out)
        self.assertIn("\n2 | x = 1", result.out.replace("  2 |", "2 |"))
        finding = self.run_program("--format", "json", ".", code=1).json()["findings"][0]
        self.assertEqual((finding["path"], finding["cell"], finding["line"], finding["endLine"]), ("nb.ipynb", 3, 2, 2))
        edit = finding["fix"]["edits"][0]
        source = "y = 2\n" + SUPPRESSION.split("\n")[2]
        fixed = source[: edit["start"]] + edit["text"] + source[edit["end"] :]
        self.assertEqual(edit["cell"], 3)
        self.assertEqual(fixed, "y = 2\n" + SUPPRESSION_FIXED.split("\n")[2])

    def test_fixes_change_the_bytes_of_their_lines_alone(self):
        for options in ({}, {"indent": None}, {"indent": 4, "ascii": True}, {"end": ""}, {"indent": "\t"}):
            for source in (list, str):
                with self.subTest(options=options, source=source):
                    cells = [cell("%load_ext x\nimport pypto\ns = 'é中'\n"), cell("!ls", "raw"), cell(SUPPRESSION + "t = '😀'")]
                    if source is str:
                        cells = [{**each, "source": "".join(each["source"])} for each in cells]
                    before = self.write_notebook("nb.ipynb", *cells, **options)
                    self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
                    self.assertEqual(self.read("nb.ipynb").decode(), before.replace(" pto-fix: ignore[PTO999]", ""))

    def test_line_ends_of_the_file_and_of_the_cells_stay(self):
        for cell_end in ("\n", "\r\n"):
            for file_end in ("\n", "\r\n"):
                with self.subTest(cell_end=cell_end, file_end=file_end):
                    text = self.write_notebook("nb.ipynb", cell(SUPPRESSION.replace("\n", cell_end))).replace("\n", file_end)
                    self.write("nb.ipynb", text)
                    self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
                    self.assertEqual(self.read("nb.ipynb").decode(), text.replace(" pto-fix: ignore[PTO999]", ""))

    def test_a_kernel_in_cells_is_fixed_as_in_a_file(self):
        self.write("k.py", LOOP)
        self.write_notebook("nb.ipynb", cell(IMPORTS), cell("text", "markdown"), cell(KERNEL), cell(WRAPPER.rstrip("\n")))
        before = self.read("nb.ipynb")
        diff = self.run_program("--diff", "--unsafe", "nb.ipynb").out
        self.run_program("--apply", "--unsafe", "k.py")
        self.run_program("--apply", "--unsafe", "nb.ipynb")
        fixed = self.read("nb.ipynb")
        self.assertNotEqual(fixed, before)
        self.assertEqual("\n\n".join(self.sources("nb.ipynb")).rstrip("\n"), self.read("k.py").decode().rstrip("\n"))
        for command in (["git", "apply"], ["patch", "-p1", "-s"]):
            self.write("nb.ipynb", before)
            subprocess.run(command, cwd=self.folder, input=diff.encode(), check=True, env=self.environment())
            self.assertEqual(self.read("nb.ipynb"), fixed)

    def test_every_fixture_is_fixed_in_a_notebook_as_in_a_file(self):
        names = []
        for path in sorted(set(FIXTURES.glob("*/*.py")) - set(FIXTURES.glob("*/*.fixed.py"))):
            text = path.read_bytes().decode("utf-8", "replace")
            if "coding" in text[:200] or "\r" in text or "\ufffd" in text or "\ufeff" in text or not text.endswith("\n"):
                continue
            name = f"{path.parent.name}-{path.stem}"
            names.append(name)
            self.write(f"py/{name}.py", text)
            self.write_notebook(f"nb/{name}.ipynb", cell(text))
        self.assertGreater(len(names), 30)
        for folder in ("py", "nb"):
            self.run_program("--apply", "--unsafe", folder, timeout=300)
        for name in names:
            with self.subTest(name=name):
                fixed = self.read(f"py/{name}.py").decode()
                self.assertEqual("".join(self.sources(f"nb/{name}.ipynb")), fixed)
                # Canonical: a string for each line.
                self.assertEqual(json.loads(self.read(f"nb/{name}.ipynb"))["cells"][0]["source"], fixed.splitlines(keepends=True))

    def test_magics_leave_the_rest_to_be_read(self):
        self.write_notebook("nb.ipynb", cell("%%time\n" + SUPPRESSION), cell("%%bash\npto-fix: ignore[PTO998] pypto\n"),
                            cell("files = !ls\n%matplotlib inline\nx?\nz = 1  # pto-fix: ignore[PTO997] more\n"))
        lines = [(f["cell"], f["line"]) for f in self.run_program("--format", "json", ".", code=1).json()["findings"]]
        self.assertEqual(lines, [(1, 4), (3, 4)])
        self.assertNotIn("syntaxError", self.run_program("--format", "json", ".").out)

    def test_what_is_no_notebook_is_said(self):
        self.write("bad.ipynb", '{"cells": [\n "pypto"')
        self.assertIn("bad.ipynb:2: not a valid notebook: not valid JSON", self.run_program("bad.ipynb", code=2).err)
        self.assertIn("不是有效的 notebook", self.run_program("--lang", "zh", ".", code=2).err)
        self.write("bad.ipynb", '{"nbformat": 3, "worksheets": ["pypto"]}')
        self.assertIn("a notebook of format 3", self.run_program("bad.ipynb", code=2).err)
        # Found in a folder it is a note: the other files are what the run is about.
        self.write("k.py", SUPPRESSION)
        for form in ([], ["--format", "json"], ["--apply", "--unsafe"], ["trace"], ["budget"]):
            result = self.run_program(*form, ".")
            self.assertLess(result.code, 2, result)
            self.assertIn("bad.ipynb: a notebook of format 3", result.err)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION_FIXED)
        self.assertEqual([file["path"] for file in self.run_program("--format", "json", ".").json()["files"]], ["k.py"])
        self.run_program(".", "bad.ipynb", code=2)
        (self.folder / "k.py").unlink()
        self.write("bad.ipynb", '{"nbformat": 3, "worksheets": []}')
        self.run_program(".", code=0)  # found in a folder, and it says nothing of PyPTO
        self.write("bad.ipynb", b'{"nbformat": 4, "cells": [], "pypto": "\xff"}')
        self.assertIn("not valid UTF-8", self.run_program("bad.ipynb", code=2).err)

    def test_other_languages_and_empty_notebooks_are_nothing_to_check(self):
        self.write_notebook("r.ipynb", cell(SUPPRESSION), language="R")
        self.write_notebook("empty.ipynb")
        self.write_notebook("words.ipynb", cell(SUPPRESSION, "markdown"))
        for paths in (["."], ["r.ipynb"], ["empty.ipynb"], ["words.ipynb"]):
            result = self.run_program(*paths, code=0)
            self.assertNotIn("ipynb", result.out + result.err)

    def test_standard_input_may_be_a_notebook(self):
        text = self.write_notebook("nb.ipynb", cell(SUPPRESSION))
        result = self.run_program("--apply", "--unsafe", "--stdin-filename", "nb.ipynb", "-", stdin=text, code=0)
        self.assertEqual(result.out, text.replace(" pto-fix: ignore[PTO999]", ""))

    def raw_place(self, name, text):
        """Line and column of some text in the file, from 1."""
        before = self.read(name).decode().split(text)[0]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1

    def test_formats_for_machines_have_the_lines_of_the_file(self):
        self.write_notebook("nb.ipynb", cell("# é中", "markdown"), cell("import pypto"), cell("é = 2\n" + SUPPRESSION.split("\n")[2]))
        line, column = self.raw_place("nb.ipynb", "PTO999")
        run = self.run_program("--format", "sarif", ".", code=1).json()["runs"][0]
        (result,) = run["results"]
        place = result["locations"][0]
        region = place["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]), (line, column, line, column + 6))
        raw = self.read("nb.ipynb")
        self.assertEqual(raw[region["byteOffset"] :][: region["byteLength"]], b"PTO999")
        self.assertEqual(place["logicalLocations"], [{"name": "cell 3", "fullyQualifiedName": "cell 3", "kind": "module"}])
        self.assertEqual(run["artifacts"][0]["sourceLanguage"], "json")
        # Whoever makes the replacements gets what --apply writes.
        (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
        where = replacement["deletedRegion"]
        start = where["byteOffset"]
        self.assertEqual(where["startLine"], line)
        new = replacement.get("insertedContent", {"text": ""})["text"].encode()
        made = raw[:start] + new + raw[start + where["byteLength"] :]
        github = self.run_program("--format", "github", ".", code=1).out
        self.assertIn(f"file=nb.ipynb,line={line},endLine={line},col={column},endColumn={column + 6}::cell 3:2:", github)
        (issue,) = json.loads(self.run_program("--format", "gitlab", ".", code=1).out)
        self.assertEqual(issue["location"]["lines"], {"begin": line, "end": line})
        self.assertIn("PTO001 cell 3:2:", issue["description"])
        case = ElementTree.fromstring(self.run_program("--format", "junit", ".", code=1).out).find(".//testcase")
        self.assertEqual((case.get("line"), case.get("name")), (str(line), "PTO001 cell 3:2:26"))
        self.assertIn("nb.ipynb:cell 3:2:26: warning PTO001", case.find("failure").text)
        page = self.run_program("--format", "html", ".", code=1).out
        self.assertIn('"line":2,"column":26,"cell":3', page)
        self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
        self.assertEqual(self.read("nb.ipynb"), made)

    def test_trace_and_budget_name_the_cell(self):
        self.write_notebook("nb.ipynb", cell("text", "markdown"), cell(IMPORTS), cell("\n" + KERNEL), cell(WRAPPER))
        line = KERNEL.split("\n").index("def kernel(") + 2
        for command in ("trace", "budget"):
            self.assertIn(f"nb.ipynb:cell 3:{line}: ", self.run_program(command, "nb.ipynb", code=0).out)
            kernel = self.run_program(command, "--format", "json", "nb.ipynb", code=0).json()["files"][0]["kernels"][0]
            self.assertEqual((kernel["cell"], kernel["line"]), (3, line))

    def test_undo_gives_the_bytes_back(self):
        before = self.write_notebook("nb.ipynb", cell(SUPPRESSION), ascii=True)
        self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
        self.assertNotEqual(self.read("nb.ipynb").decode(), before)
        self.run_program("undo", code=0)
        self.assertEqual(self.read("nb.ipynb").decode(), before)

    def test_a_baseline_knows_a_finding_in_another_cell(self):
        self.write_notebook("nb.ipynb", cell(SUPPRESSION))
        self.run_program("--output", "base.json", "nb.ipynb")
        self.write_notebook("nb.ipynb", cell("# new", "markdown"), cell("q = 1"), cell(SUPPRESSION), cell("z = 1  # pto-fix: ignore[PTO998] b"))
        findings = self.run_program("--format", "json", "--baseline", "base.json", "nb.ipynb", code=1).json()["findings"]
        self.assertEqual([(f["cell"], f["baseline"]) for f in findings], [(3, "unchanged"), (4, "new")])

    def test_comments_in_cells_silence(self):
        before = self.write_notebook("nb.ipynb", cell(IMPORTS), cell(KERNEL), cell(WRAPPER))
        self.run_program("--add-ignore", "later", "nb.ipynb", code=0)
        self.assertIn("range(HEADS):  # pto-fix: ignore[PTO201] later\n", self.sources("nb.ipynb")[1])
        self.assertEqual(self.read("nb.ipynb").decode().replace("  # pto-fix: ignore[PTO201] later", ""), before)
        self.run_program("nb.ipynb", code=0)

    def test_what_is_kept_between_runs(self):
        self.write_notebook("nb.ipynb", cell(IMPORTS), cell(KERNEL), cell(WRAPPER))
        runs = [self.run_program("--cache-dir", "kept", "--format", "json", "nb.ipynb", env={"PTO_FIX_NO_CACHE": ""}) for _ in range(2)]
        self.assertTrue(list((self.folder / "kept").glob("??/*")))
        self.assertEqual(runs[0].out, runs[1].out)
        self.assertEqual(runs[0].out, self.run_program("--format", "json", "nb.ipynb").out)

    def test_a_file_beside_it_can_be_imported_and_it_cannot_be(self):
        self.write("sizes.py", "HEADS = 128\n")
        imports = IMPORTS.replace("HEADS = 128", "from sizes import HEADS")
        self.write_notebook("nb.ipynb", cell(imports), cell(KERNEL), cell(WRAPPER))
        self.assertEqual(self.run_program("--format", "json", "nb.ipynb", code=1).json()["findings"][0]["data"]["trips"], 128)
        self.write_notebook("only.ipynb", cell("HEADS = 128"))
        self.write("k.py", LOOP.replace("HEADS = 128", "from only import HEADS"))
        self.assertIn("range h: ? times", self.run_program("trace", "k.py").out)

    def test_a_notebook_that_calls_a_kernel_counts_as_a_file_that_does(self):
        """Beside it the kernel takes what it took, or stays."""
        text = (FIXTURES / "PTO206/seed.py").read_text()
        kernel = re.search(r"jit\ndef (\w+)\(", text)[1]
        call = f"from k import {kernel}\n{kernel}(1)\n"
        self.write("k.py", text)
        diff = lambda: self.run_program("--diff", "--unsafe", "--select", "PTO206", "k.py").out.replace("nb.ipynb", "nb.py")
        alone = diff()
        self.assertIn("+++", alone)
        self.write("nb.py", call)
        beside_a_file = diff()
        self.assertNotEqual(beside_a_file, alone)
        (self.folder / "nb.py").unlink()
        self.write_notebook("nb.ipynb", cell(f"from k import {kernel}"), cell(f"%time {kernel}(1)", outputs=["big"] * 400_000))
        self.assertEqual(diff(), beside_a_file)

    def test_edits_of_two_cells_are_shown_and_named_each_in_its_own(self):
        """However near they are to the line between the cells."""
        text = (FIXTURES / "PTO207/seed.py").read_text()
        marked = [i for i, line in enumerate(text.splitlines()) if line.startswith(("def inputs", "@"))]
        for at in marked:
            lines = text.splitlines(keepends=True)
            first, second = "".join(lines[:at]).rstrip("\n"), "".join(lines[at:])
            for cells in ([first, second], [first, "x = 1", second], [text.rstrip("\n"), "y = 2"]):
                with self.subTest(at=at, cells=len(cells)):
                    self.write_notebook("nb.ipynb", *map(cell, cells))
                    before = self.read("nb.ipynb")
                    for options in ([], ["--format", "html"], ["--format", "sarif"]):
                        self.run_program(*options, "nb.ipynb", code=1)
                    self.assertIn("@@", self.run_program("nb.ipynb", code=1).out)
                    fix = self.run_program("--format", "json", "nb.ipynb", code=1).json()["findings"][0]["fix"]
                    if fix is None:
                        continue
                    wanted = list(cells)
                    for edit in reversed(fix["edits"]):
                        own = cells[edit["cell"] - 1].encode()
                        self.assertLessEqual(edit["end"], len(own))
                        now = wanted[edit["cell"] - 1].encode()
                        wanted[edit["cell"] - 1] = (now[: edit["start"]] + edit["text"].encode() + now[edit["end"] :]).decode()
                    self.run_program("--apply", "--unsafe", "--select", "PTO207", "nb.ipynb")
                    self.assertNotEqual(self.read("nb.ipynb"), before)
                    self.assertEqual(self.sources("nb.ipynb"), wanted)

    def test_a_notebook_without_a_word_of_the_framework_calls_a_kernel(self):
        """Of the run or not, sound or not: what it calls keeps its interface."""
        text = (FIXTURES / "PTO207/only_caller.py").read_text()
        kernel, rest = re.search(r"jit\ndef (\w+)\(", text)[1], text.index("\ndef check")
        text = text[:rest]
        call = f"from k import {kernel}\n{kernel}(x, weight, out)\n"
        plain = json.dumps({**notebook(cell(call, outputs=[])), "metadata": {}})
        self.assertNotIn("pypto", plain)
        for name, written in (("sound", plain), ("old", plain.replace('"nbformat": 4', '"nbformat": 3')), ("cut", plain[:-20])):
            for paths in (["k.py"], ["."], ["k.py", "nb.ipynb"]):
                with self.subTest(notebook=name, paths=paths):
                    self.write("k.py", text)
                    self.write("nb.ipynb", written)
                    self.run_program("--apply", *paths)
                    signature = lambda source: re.search(rf"def {kernel}\((.*?)\):", source, re.S)[1]
                    self.assertEqual(re.sub(r"\s", "", signature(self.read("k.py").decode())), "x,weight,out")

    def test_a_named_notebook_of_another_folder_that_cannot_be_read_may_call_a_kernel(self):
        """It is named, so that somebody thinks of it: what it seems to import keeps its interface."""
        text = (FIXTURES / "PTO207/only_caller.py").read_text()
        text = text[: text.index("\ndef check")]
        call = json.dumps(notebook(cell("import sys\nsys.path.append('..')\nfrom kernels_of_src import project_kernel\n"
                                        "project_kernel(x, weight, out)\n")))
        other = call.replace("project_kernel", "something_else")

        def parameters(notebook, *options):
            self.write("src/kernels_of_src.py", text)
            self.write("elsewhere/nb.ipynb", notebook)
            self.run_program("--apply", *options, "src/kernels_of_src.py", "elsewhere/nb.ipynb")
            source = self.read("src/kernels_of_src.py").decode()
            self.assertEqual(self.read("elsewhere/nb.ipynb").decode(), notebook)
            return re.sub(r"\s", "", re.search(r"def project_kernel\((.*?)\):", source, re.S)[1])

        for name, change in (("cut", lambda s: s[:-20]), ("old", lambda s: s.replace('"nbformat": 4', '"nbformat": 3')),
                             ("with a comma", lambda s: s.replace('"cells": [', '"cells": [,')),
                             ("with a mark of a merge", lambda s: "<<<<<<< HEAD\n" + s)):
            for options in ((), ("--unsafe",)):
                with self.subTest(name, options=options):
                    self.assertEqual(parameters(change(call), *options), "x,weight,out")
                    self.assertNotEqual(parameters(change(other), *options), "x,weight,out")

    def test_a_notebook_by_an_ending_in_capitals_and_a_format_with_a_point(self):
        text = self.write_notebook("NB.IPYNB", cell(SUPPRESSION)).replace('"nbformat": 4,', '"nbformat": 4.0,')
        self.write("NB.IPYNB", text)
        self.assertIn("NB.IPYNB:cell 1:", self.run_program("NB.IPYNB", code=1).out)
        self.write("NB.IPYNB", text.replace("4.0,", "5,"))
        self.assertIn("converts older ones", " ".join(self.run_program("NB.IPYNB", code=2).err.split()))

    def test_a_call_that_a_magic_hides_keeps_the_interface(self):
        """What Python does not read may call the kernel: it keeps its name and what it takes behind a wrapper."""
        text = (FIXTURES / "PTO207/only_caller.py").read_text()
        text = text[: text.index("\ndef project(")]
        call = "project_kernel(x, weight, out)"
        called = "def project(x, weight, out):\n    " + call

        def signature(*more):
            self.write_notebook("nb.ipynb", cell(text), *map(cell, more))
            self.run_program("--apply", "nb.ipynb")
            return re.sub(r"\s", "", re.search(r"def project_kernel\((.*?)\):", self.sources("nb.ipynb")[0], re.S)[1])

        for hidden in (f"%pyinstrument {call}", f"%%px\n{call}", f"%%snakeviz\n{call}", f"r = %pyinstrument {call}",
                       "/project_kernel x, weight, out", "%time project_kernel(x, \\\n    *rest)", f"%%pyinstrument {call}\n"):
            with self.subTest(hidden=hidden):
                self.assertEqual(signature(called, hidden), "x,weight,out")

    def test_a_cell_that_stops_or_does_not_parse_hides_no_other(self):
        text = (FIXTURES / "PTO101/seed.py").read_text()

        def found(*cells):
            self.write_notebook("nb.ipynb", *map(cell, cells))
            return [f["cell"] for f in self.run_program("--format", "json", "nb.ipynb", code=1).json()["findings"]]

        self.assertEqual(found(text, "x = 1", text), [1, 3])
        for between in ('raise SystemExit("stop")', "return", "while True:\n    pass", 's = """abc', "def f():\n    '''abc", "s = (1,\n"):
            with self.subTest(between=between):
                self.assertEqual(found(text, between, text), [1, 3])
        self.assertIn("cell 2:", self.run_program("nb.ipynb", code=1).err)

    def test_a_cell_that_stops_somewhere_inside_hides_no_other(self):
        text = (FIXTURES / "PTO101/seed.py").read_text()
        for between in (
            "if True:\n    raise SystemExit", "if True: raise SystemExit(1)", "x = 1; raise A", "if True:\n    return",
            "try:\n    x = 1\nfinally:\n    raise SystemExit", "try:\n    raise A\nexcept A:\n    raise",
            "with open('a') as f:\n    raise A", "for i in range(3):\n    raise A", "class A:\n    raise B",
            "for i in range(3):\n    while True: pass", "while 1 == 1:\n    pass", "def f():\n    raise A\nf()",
            "match 1:\n    case 1:\n        raise A", "try:\n    import torch\n    raise A\nexcept B:\n    pass",
        ):
            for source, cells in ((text, [1, 3]), (between + "\n" + text, [1, 2])):
                with self.subTest(between=between, cells=cells):
                    after = [text] if cells == [1, 3] else []
                    self.write_notebook("nb.ipynb", *map(cell, [text, between if after else source, *after]))
                    document = self.run_program("--format", "json", "nb.ipynb", code=1).json()
                    self.assertEqual([f["cell"] for f in document["findings"]], cells)

    def test_what_a_cell_that_stops_may_have_changed_is_not_known(self):
        text = (FIXTURES / "PTO101/seed.py").read_text().replace("(128, 512)", "(128, N)").replace("import pypto\n", "")
        for between, count in (("x = 3", 1), ("if True:\n    x = 3\n    raise A", 1), ("if True:\n    N = 3\n    raise A", 0)):
            with self.subTest(between=between):
                self.write_notebook("nb.ipynb", *map(cell, ["import pypto\nN = 512", between, text]))
                document = self.run_program("--format", "json", "nb.ipynb").json()
                self.assertEqual(len(document["findings"]), count)

    def test_a_magic_line_is_not_written(self):
        self.write_notebook("nb.ipynb", cell("import pypto\n%time x = 1  # pto-fix: ignore[PTO999] kept words"))
        before = self.read("nb.ipynb")
        out = self.run_program("--apply", "--unsafe", "nb.ipynb", code=1).out
        self.assertEqual(self.read("nb.ipynb"), before)
        self.assertIn("several cells of the notebook, or hold a magic", " ".join(out.split()))
        (finding,) = self.run_program("--format", "json", "nb.ipynb", code=1).json()["findings"]
        self.assertEqual(finding["blockedId"], "blocked.spans_cells")
        self.assertIsNone(finding["fix"])

    def test_a_cell_that_a_fix_leaves_empty_stays(self):
        self.write_notebook("nb.ipynb", cell("import pypto"), cell("# pto-fix: ignore[PTO201] gone"), cell("x = 1"))
        self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
        self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
        self.assertEqual([c["source"] for c in json.loads(self.read("nb.ipynb"))["cells"]][::2], [["import pypto"], ["x = 1"]])
        self.assertEqual(len(json.loads(self.read("nb.ipynb"))["cells"]), 3)

    def test_marks_escapes_and_double_names(self):
        text = self.write_notebook("nb.ipynb", cell(SUPPRESSION + "s = '\U0001F600é'\n"), ascii=True)
        odd = text.replace('"nbformat": 4', '"nbformat": 3, "nbformat": 4').replace("\\u00e9", "\\u00E9").replace('"source"', '"source": ["pypto"], "s\\u006furce"')
        for start in ("", "\ufeff"):
            with self.subTest(start=start):
                self.write("nb.ipynb", start + odd)
                self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
                self.assertEqual(self.read("nb.ipynb").decode(), start + odd.replace(" pto-fix: ignore[PTO999]", ""))

    def test_depth_and_size(self):
        deep = "[" * 200_000
        self.write("bomb.ipynb", '{"pypto": ' + deep)
        self.assertIn("bomb.ipynb:1: not a valid notebook: not valid JSON", self.run_program("bomb.ipynb", code=2).err)
        text = json.dumps(notebook(cell(SUPPRESSION), cell("x", outputs=["DEEP", "é" * 12_000_000]), cell("y = 1  # pto-fix: ignore[PTO998] more")), ensure_ascii=False)
        text = text.replace('"DEEP"', deep + "]" * 200_000)
        self.write("nb.ipynb", text)
        self.run_program("--apply", "--unsafe", "nb.ipynb", code=0)
        self.assertEqual(self.read("nb.ipynb").decode(), text.replace(" pto-fix: ignore[PTO999]", "").replace(" pto-fix: ignore[PTO998]", ""))

    def test_damaged_notebooks_stay_as_they_are_or_change_in_their_sources_alone(self):
        chance = random.Random(7)
        options = ({}, {"indent": None}, {"ascii": True}, {"indent": 4})
        texts = [
            json.dumps(notebook(cell(IMPORTS + SUPPRESSION), cell("%matplotlib inline\n!ls"), cell(KERNEL, "code"), cell(["a", "b\n", "", "c"]), cell(WRAPPER)),
                       indent=o.get("indent", 1), ensure_ascii=o.get("ascii", False)).encode()
            for o in options
        ]
        before = {}
        for number in range(400):
            text = bytearray(texts[number % len(texts)])
            for _ in range(chance.choice((1, 1, 2, 5))):
                at = chance.randrange(len(text))
                kind = chance.randrange(5)
                if kind == 0:
                    text[at] ^= 1 << chance.randrange(8)
                elif kind == 1:
                    del text[at : at + chance.choice((1, 1, 2, 30))]
                elif kind == 2:
                    text[at:at] = chance.choice((b'"', b"\\", b"\\n", b"\\ud800", b"\\u0000", b",", b"[", b"}", b'", "', b"%", b"'", b"("))
                elif kind == 3:
                    other = chance.randrange(len(text))
                    text[at : at + 20] = text[other : other + 20]
                else:
                    text[at] = chance.randrange(32, 127)
            before[self.write(f"n{number}.ipynb", bytes(text)).name] = bytes(text)
        result = self.run_program("--apply", "--unsafe", "--allow-dirty", ".", timeout=300)
        self.assertIn(result.code, (1, 2))
        self.assertNotIn("internal error", result.err)
        self.run_program("--diff", "--unsafe", "--format", "sarif", "--lang", "zh", ".", timeout=300)
        for name, text in before.items():
            if b"pypto" in text and is_utf8(text):
                with self.subTest(name=name):
                    self.assertEqual(f"pto-fix: {name}:" in result.err and "not valid JSON" in result.err.split(f"pto-fix: {name}:")[1].split("\n")[0], not is_json(text))
        changed = 0
        for name, text in before.items():
            now = self.read(name)
            if now == text:
                continue
            changed += 1
            with self.subTest(name=name):
                self.assertEqual(without_sources(now), without_sources(text))
        self.assertGreater(changed, 20)


class InRepository(Writing, RepositoryTest):
    def test_changed_lines_of_a_notebook_count(self):
        first, second = SUPPRESSION, "z = 1  # pto-fix: ignore[PTO998] more"
        self.write_notebook("nb.ipynb", cell(first), cell("q = 1"))
        self.commit_all()
        self.write_notebook("nb.ipynb", cell(first), cell("q = 1\n" + second))
        findings = self.run_program("--format", "json", "--since", "HEAD", code=1).json()["findings"]
        self.assertEqual([(f["cell"], f["line"]) for f in findings], [(2, 2)])

    def test_checkpoints_are_not_searched(self):
        self.write_notebook(".ipynb_checkpoints/nb-checkpoint.ipynb", cell(SUPPRESSION))
        self.write_notebook("nb.ipynb", cell(SUPPRESSION))
        self.assertEqual(self.looked_at("."), ["nb.ipynb"])
        self.assertEqual(self.looked_at("*.ipynb"), ["nb.ipynb"])

    def test_staged_lines_of_a_notebook_count(self):
        self.write_notebook("nb.ipynb", cell(SUPPRESSION), cell("q = 1"))
        self.commit_all()
        self.write_notebook("nb.ipynb", cell("a", "markdown"), cell(SUPPRESSION), cell("q = 1\nz = 1  # pto-fix: ignore[PTO998] more"))
        self.git("add", "nb.ipynb")
        findings = self.run_program("--format", "json", "--staged", code=1).json()["findings"]
        self.assertEqual([(f["cell"], f["line"]) for f in findings], [(3, 2)])
        # Outputs that changed are no change of the code.
        self.commit_all()
        self.write("nb.ipynb", self.read("nb.ipynb").replace(b"pypto ", b"other "))
        self.run_program("--since", "HEAD", code=0)


def is_utf8(text):
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_json(text):
    try:
        json.loads(text.decode())
    except ValueError:
        return False
    return True


def without_sources(text):
    """The notebook but for the sources of its code cells."""
    whole = copy.deepcopy(json.loads(text))
    for each in whole["cells"]:
        if each["cell_type"] == "code":
            del each["source"]
    return whole


if __name__ == "__main__":
    main()
