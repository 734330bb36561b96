"""Installs the program and builds its package, and uses both as people do: man page, completions."""

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


if __name__ == "__main__":
    unittest.main()
