#!/usr/bin/env python3
"""seed_pairs.py PTO_FIX FIXTURES: the pairs of wrong and right code of the experience notes (seed_pairs.json), as complete
kernels: the wrong form is found, it becomes the right one or a better one that is named, and nothing is said of that.
Prints the table; exit 0 when all of it holds. That both forms compute the same is for tests/equivalence to say: here only
that it is asked to."""
import json
import os
import shutil
import subprocess
import sys
import tempfile


def run(program, *arguments, stdin=None):
    done = subprocess.run([program, "--no-config", *arguments], input=stdin, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout


def faults_with_log(pair, program, path, log):
    """A pair that only a compile log tells from right code."""
    if any(f["rule"] == pair["rule"] for f in json.loads(run(program, "--format", "json", path))["findings"]):
        yield "found without a log"
    found = json.loads(run(program, "diagnose", "--format", "json", log, path))["findings"]
    if [(f["rule"], f["fix"] and f["fix"]["applicability"]) for f in found] != [(pair["rule"], "safe")]:
        yield "not found, or not alone, or no safe fix"
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, folder)
        run(program, "diagnose", "--apply", "--no-journal", log, copy)
        with open(copy, encoding="utf-8") as file:
            after = file.read()
        with open(path, encoding="utf-8") as file:
            before = file.read()
    for texts, text, name in ((pair["wrong"], before, "fixture"), (pair["right"], after, "fixed text")):
        yield from (f"the {name} does not hold {wanted!r}" for wanted in texts if wanted not in text)
    yield from (f"the fixed text still holds {wrong!r}" for wrong in pair["wrong"] if wrong in after)


def faults(pair, program, fixtures):
    path = os.path.join(fixtures, pair["fixture"])
    with open(path, encoding="utf-8") as file:
        before = file.read()
    sidecar = {}
    if "log" not in pair:
        with open(path[: -len(".py")] + ".json", encoding="utf-8") as file:
            sidecar = json.load(file)
    options = sidecar.get("args", [])
    if "log" in pair:
        yield from faults_with_log(pair, program, path, os.path.join(fixtures, pair["log"]))
        return
    for text in pair["wrong"]:
        if text not in before:
            yield f"the fixture does not hold {text!r}"
    found = [f for f in json.loads(run(program, *options, "--format", "json", path))["findings"] if f["rule"] == pair["rule"]]
    if not found:
        yield "not found"
    if any(not f["fix"] or f["fix"]["applicability"] != "safe" for f in found):
        yield "no safe fix"
    if "alternative" in pair:
        ways = [e["text"] for f in found for a in f["alternatives"] for e in a["edits"]]
        wanted = pair["alternative"]
        if not any(text and text in wanted for text in ways):
            yield f"no alternative writes {wanted!r}"
    after = run(program, *options, "--apply", "-", stdin=before)
    for text in pair["right"]:
        if text not in after:
            yield f"the fixed text does not hold {text!r}"
    for text in pair["wrong"]:
        if text in after:
            yield f"the fixed text still holds {text!r}"
    # Of any rule, not of this one alone.
    for f in json.loads(run(program, "--format", "json", "-", stdin=after))["findings"]:
        if f["rule"] == pair["rule"] or f["severity"] != "info":
            yield f"{f['rule']} in the fixed text: {f['message']}"
    equivalence = sidecar.get("equivalence", "exact")
    if equivalence != "exact" and not (isinstance(equivalence, dict) and "tolerance" in equivalence):
        yield "nobody asks whether both compute the same"


def main():
    program, fixtures = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "seed_pairs.json"), encoding="utf-8") as file:
        pairs = json.load(file)
    failed = 0
    for pair in pairs:
        said = list(faults(pair, program, fixtures))
        failed += bool(said)
        result = "; ".join(said) or ("fixed: " + pair.get("better", "the right form"))
        print(f"{'FAILED' if said else 'ok':6} {pair['place']:38} {pair['rule']} {pair['fixture']:30} {result}")
    print(f"{len(pairs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
