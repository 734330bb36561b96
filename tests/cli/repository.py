"""A git repository in the folder of a test."""

import subprocess

from program import ProgramTest


class RepositoryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.folder = self.folder / "work"
        self.folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def environment(self, **changes):
        kept = super().environment(**changes)
        kept.pop("XDG_CONFIG_HOME", None)
        kept["HOME"] = str(self.home)
        kept["GIT_CONFIG_NOSYSTEM"] = "1"
        return kept

    def git(self, *arguments, cwd=None, stdin=None):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        done = subprocess.run(
            ["git", *identity, *map(str, arguments)],
            cwd=cwd or self.folder,
            env=self.environment(),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def commit_all(self, message="a change"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def looked_at(self, *arguments):
        """The files that a run read, as JSON tells."""
        result = self.run_program("--format", "json", *arguments)
        return sorted(file["path"] for file in result.json()["files"])
