#!/usr/bin/env python3
"""orders.py PTO_FIX FOLDER: several rules on one kernel give one clean text, whatever the order in which they are selected. Each
kernel of the folder has findings of several rules; for every order of these one rule after the other is selected and
applied, then what that has uncovered. The text must be that of all rules at once, and nothing may be found in it.

A tile or a list is written as it is in the text that all rules lead to (src/fixing/selected_part.h): that is what this
test holds it to."""
import itertools
import json
import os
import subprocess
import sys


def run(program, *arguments, stdin):
    done = subprocess.run([program, "--no-config", *arguments, "-"], input=stdin, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout


class Kernel:
    def __init__(self, program, path):
        self.program = program
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.known = {}  # what a rule makes of a text

    def found(self, text):
        findings = json.loads(run(self.program, "--format", "json", stdin=text))["findings"]
        return [f for f in findings if f["severity"] != "info"]

    def after(self, rules, text):
        if (rules, text) not in self.known:
            selected = ["--select", rules] if rules else []
            self.known[rules, text] = run(self.program, *selected, "--apply", stdin=text)
        return self.known[rules, text]

    def in_order(self, order):
        text, before = self.text, None
        while text != before:
            before = text
            for rule in [*order, ""]:
                text = self.after(rule, text)
        return text


def faults(kernel):
    rules = sorted({f["rule"] for f in kernel.found(kernel.text) if f["fix"]})
    if len(rules) < 3:
        yield f"only {len(rules)} rules find something: {rules}"
    together = kernel.after("", kernel.text)
    for finding in kernel.found(together):
        yield f"left over: {finding['rule']} {finding['message']}"
    # PTO205 is about the company of others: it goes before they are gone.
    orders = [o for o in itertools.permutations(rules) if "PTO205" not in o or o[0] == "PTO205"]
    exact = 0
    for order in orders:
        text = kernel.in_order(order)
        exact += text == together
        if text != together:
            changed = [f"{a!r} instead of {b!r}" for a, b in zip(text.splitlines(), together.splitlines()) if a != b]
            yield f"in the order {', '.join(order)}: {changed[:3]}"
        for finding in kernel.found(text):
            yield f"in the order {', '.join(order)} is left over: {finding['rule']} {finding['message']}"
    print(f"{os.path.basename(kernel.path):32} {len(orders)} orders of {', '.join(rules)}: {exact} to the very same text")


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    passed = failed = 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".py") or name.endswith(".fixed.py"):
            continue
        kernel = Kernel(program, os.path.join(folder, name))
        kernel.path = name
        said = list(faults(kernel))
        failed += bool(said)
        passed += not said
        for line in said:
            print(f"FAILED {name}: {line}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
