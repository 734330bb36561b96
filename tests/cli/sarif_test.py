"""SARIF: valid by the schema of OASIS, and its fixes, fingerprints and notifications are what they claim to be."""

import json
import os
import pathlib
import re
import shutil
import subprocess

from program import LOOP, SUPPRESSION, ProgramTest, main

TOP = pathlib.Path(__file__).parents[2]
FIXTURES = TOP / "fixtures"
SCHEMA = TOP / "tests/data/sarif/sarif-schema-2.1.0.json"
PYTHON = os.environ.get("PTOFIX_PYTHON", "/usr/bin/python3")
SILENCED = LOOP.replace("    for h in range(HEADS):", "    for h in range(HEADS):  # pto-fix: ignore[PTO201] {measured}, 3 s")


class SarifTest(ProgramTest):
    def check(self, document):
        done = subprocess.run([PYTHON, str(pathlib.Path(__file__).with_name("schema_errors.py")), str(SCHEMA)],
                              input=json.dumps(document), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return document["runs"][0]

    def sarif(self, *arguments, code=1, **options):
        result = self.run_program("--format", "sarif", *arguments, code=code, **options)
        return self.check(result.json())


def offset_in(text, line, column):
    """Of a text with whatever line breaks."""
    starts = [0] + [match.end() for match in re.finditer("\r\n|\n|\r", text)]
    return starts[line - 1] + column - 1


class Logs(SarifTest):
    def test_every_log(self):
        folders = sorted((FIXTURES / "logs").iterdir())
        for folder in folders[::8] + [FIXTURES / "logs" / name for name in ("hang_subgraphs", "rank_five", "out_of_memory", "ub_alone")]:
            kernel = folder / json.loads((folder / "case.json").read_text()).get("kernel", "kernel.py")
            kernels = [kernel] if kernel.exists() else []
            with self.subTest(folder.name):
                result = self.run_program("diagnose", "--no-config", "--format", "sarif", folder / "build.log", *kernels, code=1)
                run = self.check(result.json())
                self.assertEqual(run["invocations"][0]["exitCode"], 1)
                self.assertEqual(run["tool"]["driver"]["semanticVersion"], run["tool"]["driver"]["version"])
                for one in run["results"]:
                    self.assertTrue(one["partialFingerprints"])
                    rule = run["tool"]["driver"]["rules"][one["ruleIndex"]]
                    if rule["id"].startswith("PTO"):
                        self.assertRegex(rule["name"], r"^([A-Z][a-z0-9]*)+$")
                names = {p["physicalLocation"]["artifactLocation"]["uri"].rsplit("/", 1)[-1]
                         for one in run["results"] for p in one.get("relatedLocations", []) + one["locations"]}
                self.assertIn("build.log", names)


class Document(SarifTest):
    def test_a_finding(self):
        self.write("a b/中 k.py", LOOP)
        for lang in ("en", "zh"):
            run = self.sarif("--lang", lang, ".")
            driver = run["tool"]["driver"]
            self.assertEqual(driver["semanticVersion"], driver["version"])
            (result,) = run["results"]
            rule = driver["rules"][result["ruleIndex"]]
            self.assertEqual((rule["id"], rule["name"]), ("PTO201", "PythonLoopInKernel"))
            self.assertIn("# PTO201 python-loop-in-kernel", rule["help"]["markdown"])
            self.assertEqual(result["level"], "warning")
            self.assertEqual(run["language"], lang)
            self.assertEqual(run["columnKind"], "unicodeCodePoints")
            place = result["locations"][0]
            self.assertEqual(place["logicalLocations"][0]["fullyQualifiedName"], "kernel")
            artifact = place["physicalLocation"]["artifactLocation"]
            self.assertEqual(artifact["uri"], "a%20b/%E4%B8%AD%20k.py")
            self.assertEqual(artifact["uriBaseId"], "%SRCROOT%")
            self.assertEqual(run["artifacts"][artifact["index"]]["location"]["uri"], artifact["uri"])
            self.assertEqual(run["artifacts"][artifact["index"]]["length"], len(LOOP.encode()))
            region = place["physicalLocation"]["region"]
            self.assertEqual(region["snippet"]["text"], LOOP.splitlines()[region["startLine"] - 1])
            self.assertEqual(run["invocations"], [{"executionSuccessful": True, "exitCode": 1,
                                                   "toolExecutionNotifications": []}])

    def test_nothing_found(self):
        self.write("k.py", "import pypto\n")
        run = self.sarif(".", code=0)
        self.assertEqual(run["results"], [])
        names = [rule["name"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(len(set(names)), len(names))
        for name in names:
            self.assertRegex(name, r"^[A-Z][A-Za-z0-9]+$")

    def test_rules_are_those_that_are_looked_for(self):
        self.write("k.py", LOOP)
        ids = lambda *options, code: [r["id"] for r in self.sarif(*options, ".", code=code)["tool"]["driver"]["rules"]]
        self.assertEqual(ids("--select", "PTO201,PTO001", code=1), ["PTO001", "PTO201"])
        self.assertNotIn("PTO201", ids("--ignore", "PTO2", code=0))

    def test_unreadable_files_are_notifications(self):
        self.write("k.py", LOOP)
        self.write("bin.py", b"pypto\0")
        run = self.sarif("k.py", "bin.py", "gone.py", code=2)
        (invocation,) = run["invocations"]
        self.assertEqual((invocation["executionSuccessful"], invocation["exitCode"]), (False, 2))
        told = {n["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: n["descriptor"]["id"]
                for n in invocation["toolExecutionNotifications"]}
        self.assertEqual(told, {"bin.py": "binary", "gone.py": "not-found"})
        self.assertEqual([n["id"] for n in run["tool"]["driver"]["notifications"]], ["binary", "not-found"])
        self.assertEqual(len(run["results"]), 1)

    def test_suppressed_findings_are_there_when_they_are_asked_for(self):
        """GitHub opens an alarm for each of them, so they are not by default."""
        self.write("k.py", SILENCED)
        self.assertEqual(self.sarif("k.py", code=0)["results"], [])
        (result,) = self.sarif("--show-suppressed", "k.py", code=0)["results"]
        (suppression,) = result["suppressions"]
        self.assertEqual((suppression["kind"], suppression["justification"]), ("inSource", "{measured}, 3 s"))
        region = suppression["location"]["physicalLocation"]["region"]
        self.assertTrue(SILENCED.splitlines()[region["startLine"] - 1][region["startColumn"] - 1 :].startswith("# pto"))
        self.assertEqual(len(self.run_program("--show-suppressed", "--format", "json", ".", code=0).json()["suppressed"]), 1)
        self.assertNotIn("suppressed", self.run_program("--format", "json", ".", code=0).json())

    def test_every_fixture_is_valid_and_its_fixes_are_the_edits_of_json(self):
        shutil.copytree(FIXTURES, self.folder / "one", ignore=lambda _, names: [n for n in names if n == "logs"])
        outputs = ("--format", "json", "--output", "r.json", "--format", "sarif", "--output", "r.sarif")
        for lang in ("en", "zh"):
            result = self.run_program("--lang", lang, "--show-suppressed", *outputs, "one")
            self.assertEqual(result.out, "")
            run = self.check(json.loads(self.read("r.sarif")))
            found = json.loads(self.read("r.json"))["findings"]
            self.assertGreater(len(found), 100)
            shown = [r for r in run["results"] if "suppressions" not in r]
            self.assertEqual(len(found), len(shown))
            for finding, result in zip(found, shown):
                self.compare(finding, result)

    def compare(self, finding, result):
        self.assertEqual((finding["rule"], finding["fingerprint"]),
                         (result["ruleId"], result["partialFingerprints"]["primaryLocationLineHash"]))
        fixes = [f for f in [finding["fix"], *finding.get("alternatives", [])]
                 if f and f["applicability"] != "suggestion" and f["edits"]]
        self.assertEqual(len(fixes), len(result.get("fixes", [])))
        for fix, shown in zip(fixes, result.get("fixes", [])):
            self.assertEqual(fix["applicability"], shown["properties"]["pto-fix/applicability"])
            replacements = [(change["artifactLocation"]["uri"], one) for change in shown["artifactChanges"]
                            for one in change["replacements"]]
            self.assertEqual(len(fix["edits"]), len(replacements))
            by_bytes = {(one["deletedRegion"]["byteOffset"],
                         one["deletedRegion"]["byteOffset"] + one["deletedRegion"]["byteLength"],
                         one.get("insertedContent", {}).get("text", "")) for _, one in replacements}
            self.assertEqual({(e["start"], e["end"], e["text"]) for e in fix["edits"]}, by_bytes)
            for uri, one in replacements:
                region = one["deletedRegion"]
                raw = (self.folder / uri).read_bytes()
                part = raw[region["byteOffset"] : region["byteOffset"] + region["byteLength"]]
                try:
                    text = raw.decode("utf-8-sig")
                except UnicodeDecodeError:
                    continue
                start = offset_in(text, region["startLine"], region["startColumn"])
                end = offset_in(text, region["endLine"], region["endColumn"])
                self.assertEqual(text[start:end].encode(), part)

    def test_columns_and_bytes_in_any_encoding(self):
        for name, encode in {
            "BOM": lambda t: t.encode("utf-8-sig"),
            "CRLF": lambda t: t.replace("\n", "\r\n").encode(),
            "CR": lambda t: t.replace("\n", "\r").encode(),
            "GBK": lambda t: ("# coding: gbk\n" + t).encode("gbk"),
        }.items():
            with self.subTest(name):
                text = SUPPRESSION.replace("x = 1", "名 = '中文é'" if name == "GBK" else "名 = '😀é'")
                raw = encode(text)
                self.write("k.py", raw)
                run = self.sarif("k.py")
                (result,) = run["results"]
                ((one,),) = [c["replacements"] for c in result["fixes"][0]["artifactChanges"]]
                region = one["deletedRegion"]
                self.assertNotIn("insertedContent", one)
                rest = raw[: region["byteOffset"]] + raw[region["byteOffset"] + region["byteLength"] :]
                text = raw.decode("gbk" if name == "GBK" else "utf-8-sig")
                start = offset_in(text, region["startLine"], region["startColumn"])
                end = offset_in(text, region["endLine"], region["endColumn"])
                self.run_program("--apply", "--unsafe", "k.py", code=0)
                self.assertEqual(rest, self.read("k.py"))
                self.assertEqual(text[:start] + text[end:], rest.decode("gbk" if name == "GBK" else "utf-8-sig"))


class Fingerprints(SarifTest):
    def prints(self, *arguments):
        found = self.run_program("--format", "json", *arguments).json()["findings"]
        return [f["fingerprint"] for f in found]

    def test_moved_code_keeps_them(self):
        self.write("k.py", LOOP)
        (before,) = self.prints("k.py")
        for name, text in {
            "lines above": "# one\n" * 50 + LOOP,
            "CRLF": LOOP.replace("\n", "\r\n"),
            "blanks": LOOP.replace("range(HEADS)", "range( HEADS )"),
            "a comment": LOOP.replace("range(HEADS):", "range(HEADS):  # why"),
            "deeper": LOOP.replace("    for h in", "    if True:\n     for h in").replace("\n        ", "\n         "),
        }.items():
            with self.subTest(name):
                self.write("k.py", text)
                self.assertEqual(self.prints("k.py"), [before])
        self.write("new/name.py", LOOP)
        self.assertEqual(self.prints("new"), [before])

    def test_other_code_has_others(self):
        self.write("k.py", LOOP)
        (before,) = self.prints("k.py")
        for text in (LOOP.replace("range(HEADS)", "range(HEADS - 1)"), LOOP.replace("kernel", "second")):
            self.write("k.py", text)
            self.assertNotIn(before, self.prints("k.py"))

    def test_equal_lines_are_numbered(self):
        body = LOOP[LOOP.index("    for h in") : LOOP.index("\n\ndef wrapper")]
        self.write("k.py", LOOP.replace(body, body + body))
        one, two = self.prints("k.py")
        self.assertEqual((one[:-1], one[-2:], two[-2:]), (two[:-1], ":1", ":2"))


if __name__ == "__main__":
    main()
