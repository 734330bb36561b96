"""What README.md shows is what the program does."""

import pathlib
import re
import unittest

from program import ProgramTest, main

TOP = pathlib.Path(__file__).parents[2]
README = (TOP / "README.md").read_text()


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class Readme(ProgramTest):
    def test_the_output_of_its_command(self):
        shown = next(block for block in blocks(README, "console") if block.startswith("$ tools/pto-fix "))
        command, _, output = shown.partition("\n")
        arguments = command.split()[2:]
        for argument in arguments:
            if argument.endswith(".py"):
                self.write(argument, (TOP / argument).read_bytes())
        self.assertEqual(self.run_program(*arguments, code=1).out, output)

    def test_the_answer_to_a_log(self):
        shown = next(block for block in blocks(README, "console") if block.startswith("$ pto-fix diagnose "))
        command, _, output = shown.partition("\n")
        for name in ("build.log", "kernel.py"):
            self.write(name, (TOP / "fixtures/logs/ub_buffer" / name).read_bytes())
        self.assertEqual(self.run_program(*command.split()[2:], code=1).out, output)

    def test_the_example_is_that_of_a_rule_and_changes_as_it_says(self):
        before, after = blocks((TOP / "docs/rules/PTO201.md").read_text(), "python")[:2]
        loop, line = blocks(README, "python")
        self.assertIn(loop, before)
        self.assertEqual(before.replace(loop.split("\n")[0] + "\n", line), after)
        self.write("kernel.py", before)
        self.run_program("--apply", "kernel.py", code=0)
        self.assertEqual(self.read("kernel.py").decode(), after)

    def test_its_configuration_is_one(self):
        (config,) = blocks(README, "toml")
        for name, text in (("pto-fix.toml", config), ("pyproject.toml", self.in_pyproject(config))):
            with self.subTest(name):
                self.write("k.py", "import pypto\n")
                path = self.write(name, text)
                self.assertEqual(self.run_program("k.py", code=0).err, "1 file checked, nothing found\n")
                path.unlink()

    @staticmethod
    def in_pyproject(config):
        return "[tool.pto-fix]\n" + config.replace("[assume]", "[tool.pto-fix.assume]")

    def test_every_rule_and_every_link(self):
        for rule in self.run_program("rules", code=0).out.splitlines():
            self.assertIn(f"| [{rule.split()[0]}](", README)
        for link in re.findall(r"\]\(([^)]+)\)", README):
            self.assertTrue((TOP / link).exists(), link)

    def test_every_command_is_in_both_helps(self):
        commands = set(re.findall(r"`?pto-fix ([a-z]+) ", README)) - {"is"}
        self.assertIn("diagnose", commands)
        for language in ("en", "zh"):
            text = self.run_program("--help", "--lang", language, code=0).out
            for command in commands:
                self.assertIn(f"pto-fix {command} ", text)

    def test_every_option_is_in_the_help(self):
        known = self.run_program("--help", code=0).out + self.run_program("--help", "--lang", "zh", code=0).out
        for option in re.findall(r"(?<![-\w])--[a-z][a-z-]*", README):
            if option not in ("--preset", "--build", "--asan"):
                self.assertIn(option, known)


if __name__ == "__main__":
    main()
