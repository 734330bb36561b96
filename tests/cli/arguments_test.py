"""What cannot be meant by a command line is refused: one reason, a hint, exit code 2, and nothing is checked or written."""

import unittest

from program import SUPPRESSION, ProgramTest, main

# Arguments, and what the refusal says in English and in Chinese.
REFUSALS = [
    ([], "no path given", "没有给出路径"),
    ([""], "a path is empty", "有空的路径"),
    (["k.py", ""], "a path is empty", "有空的路径"),
    (["-", "k.py"], "cannot be mixed", "不能与其他路径混用"),
    (["--stdin-filename", "a.py", "k.py"], "is for the path `-`", "只用于路径 `-`"),
    (["--apply", "--format", "json", "-"], "must be text or go to a file", "报告只能是 text"),
    (["--diff", "--apply", "k.py"], "exclude each other", "不能同时使用"),
    (["--config", "a.toml", "--no-config", "k.py"], "exclude each other", "不能同时使用"),
    (["--unsafe", "k.py"], "give one of them", "需与 --diff 或 --apply 合用"),
    (["--nonsense", "k.py"], "unknown option --nonsense", "未知选项 --nonsense"),
    (["-x", "k.py"], "unknown option -x", "未知选项 -x"),
    (["--aply", "k.py"], "did you mean --apply?", "是否想写 --apply？"),
    (["--fix", "k.py"], "did you mean --apply?", "是否想写 --apply？"),
    (["--select", "PTO999", "k.py"], "no rule is called PTO999", "没有名为 PTO999 的规则"),
    (["--select", "PTO201,nonsense", "k.py"], "no rule is called nonsense", "没有名为 nonsense 的规则"),
    (["--ignore", "PTO20x", "k.py"], "did you mean PTO201?", "是否想写 PTO201？"),
    (["--select", "", "k.py"], "--select names no rule", "--select 没有写出规则"),
    (["--select", " , ", "k.py"], "--select names no rule", "--select 没有写出规则"),
    (["--format", "xml", "k.py"], "must be one of text, json", "必须是 text, json, sarif"),
    (["--color", "blue", "k.py"], "must be one of auto, always, never", "必须是 auto, always, never 之一"),
    (["--soc", "abacus", "k.py"], "no chip is called abacus", "没有名为 abacus 的芯片"),
    (["--jobs", "0", "k.py"], "must be a number from 1 on", "必须是不小于 1 的整数"),
    (["--jobs", "-1", "k.py"], "--jobs", "--jobs"),
    (["--jobs", "many", "k.py"], "must be a number from 1 on", "必须是不小于 1 的整数"),
    (["--jobs", "99999999999999999999", "k.py"], "must be a number from 1 on", "必须是不小于 1 的整数"),
    (["--apply=yes", "k.py"], "--apply takes no value", "--apply 不带值"),
    (["--apply=false", "k.py"], "--apply takes no value", "--apply 不带值"),
    (["--diff=1", "k.py"], "--diff takes no value", "--diff 不带值"),
    (["--help=x"], "--help takes no value", "--help 不带值"),
    (["k.py", "--format"], "--format needs a value", "--format 需要一个值"),
    (["--format=", "k.py"], "--format needs a value", "--format 需要一个值"),
    (["--config=", "k.py"], "--config needs a value", "--config 需要一个值"),
    (["--select", "--apply", "k.py"], "--select needs a value", "--select 需要一个值"),
    (["k.py", "--select"], "--select needs a value", "--select 需要一个值"),
    (["k.py", "-j"], "-j needs a value", "-j 需要一个值"),
    (["explain"], "explain which rule?", "解释哪条规则？"),
    (["explain", "PTO999"], "no rule is called PTO999", "没有名为 PTO999 的规则"),
    (["explain", "--format", "json", "PTO201"], "explain prints a page", "explain 打印页面"),
    (["rules", "k.py"], "unexpected word k.py", "多余的参数 k.py"),
]


class Refused(ProgramTest):
    def test_with_a_reason_in_the_language_of_the_user(self):
        self.write("k.py")
        for arguments, *reasons in REFUSALS:
            for language, reason in zip(("en", "zh"), reasons):
                with self.subTest(arguments=arguments, language=language):
                    # The locale chooses: --lang would be one argument more for the case to stumble over.
                    locale = {"en": "C.UTF-8", "zh": "zh_CN.UTF-8"}[language]
                    result = self.run_program(*arguments, code=2, env={"LC_ALL": locale})
                    self.assertEqual(result.out, "")
                    self.assertIn(reason, result.err)
                    self.assertTrue(result.err.startswith("pto-fix: "), result)
                    self.assertLessEqual(result.err.count("\n"), 2)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)

    def test_a_wrong_language_is_refused_in_the_one_of_the_locale(self):
        self.assertIn("must be one of en, zh", self.run_program("--lang", "fr", "k.py", code=2).err)
        result = self.run_program("--lang", "fr", "k.py", code=2, env={"LC_ALL": "zh_CN.UTF-8"})
        self.assertIn("必须是 en, zh 之一", result.err)

    def test_options_with_values_may_stand_before_a_subcommand(self):
        self.write("k.py")
        for option in (["--cache-dir", "d"], ["--config", "c.toml"], ["--soc", "950"], ["--jobs", "1"], ["-j", "1"],
                       ["--files-from", "list"]):
            self.write("c.toml", "")
            self.write("list", "k.py\n")
            result = self.run_program(*option, "trace", "--coverage", "k.py", code=0)
            self.assertIn("vec tiles", result.out, option)
        self.assertIn("PTO201", self.run_program("--lang", "en", "explain", "PTO201", code=0).out)

    def test_any_number_of_threads_is_one_that_can_be_had(self):
        for i in range(60):
            self.write(f"m{i % 12}/k{i}.py")
        one = self.run_program("--jobs", "1", ".", code=1)
        for jobs in ("7", "300", "1000000", "4294967295"):
            self.assertEqual(self.run_program("--jobs", jobs, ".", code=1, timeout=60).out, one.out, jobs)

    def test_ignoring_nothing_is_no_fault(self):
        self.write("k.py")
        self.run_program("--ignore", "", "k.py", code=1)

    def test_values_may_be_joined_or_apart_and_options_stand_anywhere(self):
        self.write("k.py")
        for arguments in (["--select=PTO001", "k.py"], ["k.py", "--select", "PTO001"], ["-j2", "k.py"],
                          ["-j", "2", "k.py"], ["--select", "PTO001", "--select", "PTO201", "--", "k.py"],
                          ["--color=always", "--color=never", "k.py"]):
            with self.subTest(arguments=arguments):
                self.run_program(*arguments, code=1)


if __name__ == "__main__":
    main()
