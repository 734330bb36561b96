#!/usr/bin/env python3
"""command_line.py PTO_FIX FIXTURES [-k WORD]: the program as a user runs it, over a copy of each case. What --apply
writes, what git makes of --diff, and what the filter prints are the case's fixed text, byte for byte; nothing else in the
folder changes; CPython compiles it; what JSON says agrees with it. Needs git and nothing else."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor


class Case:
    def __init__(self, path):
        self.path = path
        self.is_folder = os.path.isdir(path)
        sidecar = os.path.join(path, "case.json") if self.is_folder else path[:-3] + ".json"
        self.sidecar = {}
        if os.path.exists(sidecar):
            with open(sidecar, encoding="utf-8") as file:
                self.sidecar = json.load(file)
        # --apply may be said in args; here each command says what it does.
        words = [word for word in self.sidecar.get("args", []) if word != "--apply"]
        assumed = self.sidecar.get("assume", {})
        if assumed:
            self.config = tempfile.NamedTemporaryFile("w", suffix=".toml", prefix="pto-fix-rules-", encoding="utf-8")
            self.config.write("[assume]\n" + "".join(f'"{name}" = {value}\n' for name, value in assumed.items()))
            self.config.flush()
        self.arguments = [*(["--config", self.config.name] if assumed else ["--no-config"]), *words]

    def lay_out(self, folder):
        """A copy in `folder`; gives the names to pass to the program."""
        if not self.is_folder:
            shutil.copy(self.path, folder)
            return [os.path.basename(self.path)]
        ignored = shutil.ignore_patterns("fixed", "case.json", "__pycache__")
        shutil.copytree(self.path, folder, ignore=ignored, dirs_exist_ok=True)
        if "inputs" in self.sidecar:
            return self.sidecar["inputs"]
        return sorted(os.path.relpath(os.path.join(top, name), folder)
                      for top, _, names in os.walk(folder) for name in names if name.endswith(".py"))

    def fixed(self, name):
        path = os.path.join(self.path, "fixed", name) if self.is_folder else self.path[:-3] + ".fixed.py"
        return read(path) if os.path.exists(path) else None


def read(path):
    with open(path, "rb") as file:
        return file.read()


def tree(folder):
    return {os.path.relpath(os.path.join(top, name), folder): read(os.path.join(top, name))
            for top, _, names in os.walk(folder) for name in names}


def find(root):
    for top, folders, names in os.walk(root):
        folders.sort()
        if top == root and "logs" in folders:
            folders.remove("logs")  # compile logs, for tests/cli/logs_test.py
        if "case.json" in names:
            folders.clear()
            yield Case(top)
            continue
        for name in sorted(names):
            if name.endswith(".py") and not name.endswith(".fixed.py"):
                yield Case(os.path.join(top, name))


def run(program, arguments, folder, stdin=b""):
    # A folder of its own under the system's temporary folder is in no repository, so git applies to it as to any folder.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder), "LC_ALL": "C.UTF-8"}
    return subprocess.run([program, *arguments], cwd=folder, input=stdin, capture_output=True, timeout=120,
                          env=environment)


def refusal(text, name):
    """What CPython says against the text, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, name, "exec")
    except (SyntaxError, ValueError) as error:
        return error
    return None


def judge(program, git, case):
    """What is wrong, a line each."""
    wrong = []

    def laid_out():
        folder = tempfile.mkdtemp(prefix="pto-fix-rules-")
        return os.path.realpath(folder), case.lay_out(folder)

    folder, names = laid_out()
    try:
        before = tree(folder)
        wanted = dict(before)
        for name in names:
            fixed = case.fixed(name)
            if fixed is not None:
                wanted[name] = fixed

        plain = [word for word in case.arguments if word != "--unsafe"]  # it is about fixes alone
        checked = run(program, ["--format", "json", *plain, *names], folder)
        if not checked.stdout:
            return [f"check: {checked.args} says {checked.stderr.decode()}"]
        found = json.loads(checked.stdout)["findings"]
        serious = any(one["severity"] != "info" for one in found)
        if checked.returncode != int(serious):
            wrong.append(f"check: exit code {checked.returncode}, {len(found)} findings: {checked.stderr.decode()}")
        if len(found) != len(case.sidecar.get("expect", [])):
            wrong.append(f"check: {len(found)} findings in JSON, {len(case.sidecar.get('expect', []))} expected")
        if tree(folder) != before:
            wrong.append("check: wrote something")

        diff = run(program, ["--diff", *case.arguments, *names], folder)
        if tree(folder) != before:
            wrong.append("--diff: wrote something")
        if diff.stdout:
            applied = run(git, ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"], folder, diff.stdout)
            if applied.returncode:
                wrong.append(f"git apply: {applied.stderr.decode()}")
        if tree(folder) != wanted:
            wrong.append("--diff, applied by git, is not the fixed text")

        if not case.is_folder:
            filtered = run(program, ["--apply", *case.arguments, "--stdin-filename", names[0], "-"], folder,
                           before[names[0]])
            if filtered.stdout != wanted[names[0]]:
                wrong.append(f"the filter's text is not the fixed text: {filtered.stderr.decode()[:400]}")
    finally:
        shutil.rmtree(folder)

    folder, names = laid_out()
    try:
        run(program, ["--apply", "--no-journal", *case.arguments, *names], folder)
        after = tree(folder)
        if after != wanted:
            wrong.append("--apply does not write the fixed text")
        for name in names:
            error = refusal(after[name], name)
            if error and not refusal(before[name], name):
                wrong.append(f"CPython does not compile {name} after --apply: {error}")
    finally:
        shutil.rmtree(folder)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("fixtures")
    parser.add_argument("-k", "--filter", default="")
    given = parser.parse_args()
    program, git = os.path.abspath(given.program), shutil.which("git")
    cases = [case for case in find(given.fixtures) if given.filter in case.path]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, wrong in zip(cases, pool.map(lambda one: judge(program, git, one), cases)):
            failed += bool(wrong)
            for text in wrong:
                print(f"FAILED {os.path.relpath(case.path, given.fixtures)}: {text}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
