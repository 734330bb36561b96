"""Installs the program and builds its package, and uses both as people do: man page, completions, pre-commit, CI."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ.get("PTO_FIX_BUILD", TOP / "build/release"))
CMAKE = os.environ.get("PTO_FIX_CMAKE", "cmake")
FINDING = """import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([1024, 512], pypto.DT_BF16), out: pypto.Tensor([1024, 512], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(128, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
"""


def run(*command, code=0, **options):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PTO_FIX_NO_CACHE": "1", **options.pop("env", {})}
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, env=environment, timeout=240, **options
    )
    if code is not None and done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class Packaging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="pto-fix-packaging-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = cls.folder / "usr"
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)
        cls.program = cls.prefix / "bin/pto-fix"


class Installed(Packaging):
    def test_the_program_runs(self):
        self.assertRegex(run(self.program, "--version").stdout, r"^pto-fix \d+\.\d+\.\d+\n$")

    def test_man_pages_are_sound_and_name_every_option(self):
        options = set(re.findall(r"(?<=\s)--[a-z-]+", run(self.program, "--help", "--lang", "en").stdout))
        for page in ("share/man/man1/pto-fix.1", "share/man/zh_CN/man1/pto-fix.1"):
            path = self.prefix / page
            lint = run("mandoc", "-T", "lint", "-W", "warning", path, code=None)
            complaints = [line for line in lint.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(complaints, [], page)
            text = run("mandoc", "-T", "utf8", path).stdout
            plain = re.sub(".\b", "", text)
            self.assertLessEqual(options, set(re.findall(r"--[a-z-]+", plain)), page)

    def test_bash_completes(self):
        script = self.prefix / "share/bash-completion/completions/pto-fix"

        def complete(*words):
            quoted = " ".join(f"'{word}'" for word in words)
            return run(
                "bash",
                "-c",
                f"source '{script}'; COMP_WORDS=(pto-fix {quoted}); COMP_CWORD={len(words)}; _pto_fix; "
                'printf "%s\\n" "${COMPREPLY[@]}"',
                cwd=self.folder,
            ).stdout.split()

        self.assertEqual(complete("--form"), ["--format"])
        self.assertIn("json", complete("--format", ""))
        self.assertEqual(complete("--format", "=", "js"), ["json"])
        self.assertEqual(complete("--lang", "z"), ["zh"])
        self.assertIn("a2a3", complete("--soc", ""))
        self.assertEqual(complete("--select", "PTO201,PTO20")[0], "PTO201,PTO201")
        self.assertEqual(complete("explain", "F400"), ["F40005"])
        self.assertEqual(complete("expl"), ["explain"])
        self.assertNotIn("explain", complete("--diff", "expl"))
        (self.folder / "kernel one.py").write_text("")
        self.assertEqual(complete("--diff", "kern"), ["kernel", "one.py"])

    def test_fish_completes(self):
        script = self.prefix / "share/fish/vendor_completions.d/pto-fix.fish"

        def complete(line):
            out = run("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'").stdout
            return [row.split("\t")[0] for row in out.splitlines()]

        self.assertIn("--format", complete("pto-fix --form"))
        self.assertIn("json", complete("pto-fix --format "))
        self.assertIn("F40005", complete("pto-fix explain F4"))
        self.assertIn("diagnose", complete("pto-fix diag"))

    def test_zsh_completes(self):
        script = self.prefix / "share/zsh/vendor-completions/_pto-fix"
        # A terminal in which zsh completes for real.
        driver = f"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=""; unsetopt zle_bracketed_paste; fpath=({script.parent} $fpath); autoload -U compinit; compinit -u -D; zstyle ":completion:*" list-colors no; LISTMAX=9999'
zpty -w z $'echo rea""dy'
zpty -r z line '*ready*'
zpty -w -n z $'pto-fix --form\\t'
sleep 1
zpty -w -n z $' \\x15pto-fix explain F4000\\t'
sleep 1
zpty -w z ''
sleep 1
zpty -r -t z all
print -r -- $all
while zpty -r -t z all; do print -r -- $all; done
"""
        out = run("zsh", "-f", "-c", driver, cwd=self.folder, env={"TERM": "dumb"}).stdout
        self.assertIn("pto-fix --format", out)
        self.assertIn("F40005", out)

    def test_completions_say_what_is_wrong(self):
        self.assertIn("bash, zsh", run(self.program, "completions", "tcsh", code=2).stderr)
        self.assertIn("bash, zsh", run(self.program, "completions", code=2).stderr)


class Package(Packaging):
    def test_the_deb_holds_a_program_that_runs(self):
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder / "deb")
        (deb,) = (self.folder / "deb").glob("*.deb")
        fields = run("dpkg-deb", "--field", deb).stdout
        self.assertRegex(fields, r"(?m)^Package: pto-fix$")
        self.assertRegex(fields, r"(?m)^Depends: .*libc6")
        self.assertRegex(fields, r"(?m)^Depends: .*libgit2")
        run("dpkg-deb", "-x", deb, self.folder / "root")
        names = {str(p.relative_to(self.folder / "root")) for p in (self.folder / "root").rglob("*") if p.is_file()}
        self.assertLessEqual(
            {
                "usr/bin/pto-fix",
                "usr/share/man/man1/pto-fix.1",
                "usr/share/bash-completion/completions/pto-fix",
                "usr/share/doc/pto-fix/rules/PTO201.md",
            },
            names,
        )
        self.assertFalse([n for n in names if "node_modules" in n])
        run(self.folder / "root/usr/bin/pto-fix", "explain", "PTO201")


class Pipelines(Packaging):
    def repository(self, name):
        folder = self.folder / name
        folder.mkdir()
        run("git", "init", "-q", "-b", "main", cwd=folder)
        for key, value in (("user.name", "A"), ("user.email", "a@localhost")):
            run("git", "config", key, value, cwd=folder)
        return folder

    def commit(self, folder):
        run("git", "add", "-A", cwd=folder)
        run("git", "commit", "-q", "-m", "x", "--no-verify", cwd=folder)

    def test_pre_commit_runs_the_hooks(self):
        # The hooks as they are, before a program that is built already.
        hooks = self.repository("hooks")
        shutil.copy(TOP / ".pre-commit-hooks.yaml", hooks)
        (hooks / "tools").mkdir()
        (hooks / "tools/pto-fix").write_text(f'#!/bin/sh\nexec "{self.program}" "$@"\n')
        (hooks / "tools/pto-fix").chmod(0o755)
        self.commit(hooks)
        project = self.repository("project")
        (project / "bad.py").write_text(FINDING)
        (project / "excluded.py").write_text(FINDING)
        (project / "pto-fix.toml").write_text('exclude = ["excluded.py"]\n')
        run("git", "add", "-A", cwd=project)
        home = {"PRE_COMMIT_HOME": str(self.folder / "pre-commit"), "XDG_STATE_HOME": str(self.folder / "state")}

        def hook(name, code):
            command = ["pre-commit", "try-repo", hooks, name, "--all-files", "--color", "never"]
            return run(*command, cwd=project, env=home, code=code).stdout

        out = hook("pto-fix", 1)
        self.assertIn("bad.py:6", out)
        self.assertNotIn("excluded.py:", out)
        self.assertIn("files were modified by this hook", hook("pto-fix-apply", 1))
        self.assertIn("set_vec_tile_shapes(32, 512)", (project / "bad.py").read_text())
        self.assertEqual((project / "excluded.py").read_text(), FINDING)
        run("git", "add", "-A", cwd=project)
        hook("pto-fix", 0)

    def commands(self, name):
        """The lines of an example that call pto-fix."""
        text = (TOP / "packaging/ci" / name).read_text()
        return re.findall(r"(?m)^\s*(?:- )?(?:run: )?(pto-fix .*)$", text)

    def test_the_examples_for_github_and_gitlab_run(self):
        project = self.repository("merge")
        (project / "old.py").write_text(FINDING)
        self.commit(project)
        run("git", "branch", "-q", "base", cwd=project)
        run("git", "update-ref", "refs/remotes/origin/base", "base", cwd=project)
        (project / "new.py").write_text(FINDING)
        self.commit(project)
        path = {"PATH": f"{self.prefix / 'bin'}:{os.environ['PATH']}"}
        for name, count in (("github.yml", 2), ("gitlab.yml", 2)):
            commands = self.commands(name)
            self.assertEqual(len(commands), count, name)
            for command in commands:
                command = command.replace("${{ github.base_ref }}", "base")
                done = run(
                    "bash", "-c", command, cwd=project, env={**path, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "base"}, code=None
                )
                self.assertEqual(done.returncode, 0 if "--exit-zero" in command else 1, (command, done))
                if "--since" in command:
                    self.assertIn("new.py", done.stdout)
                    self.assertNotIn("old.py", done.stdout)
        self.assertTrue((project / "pto-fix.sarif").stat().st_size)
        self.assertTrue((project / "gl-code-quality-report.json").stat().st_size)


if __name__ == "__main__":
    unittest.main()
