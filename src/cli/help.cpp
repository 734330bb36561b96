#include "cli/options.h"

namespace ptofix::cli {

namespace {

constexpr std::string_view kHelpEnglish =
    R"(pto-fix finds what makes PyPTO kernels overflow on-chip memory or hang the compiler, and rewrites it.

  pto-fix [OPTIONS] PATH...            report what is wrong (files, notebooks, folders, or patterns
                                       in quotes: 'models/**/*.py')
  pto-fix --diff [OPTIONS] PATH...     print what --apply would write as a unified diff; writes nothing
  pto-fix --apply [OPTIONS] PATH...    write the fixes that cannot change results
  pto-fix diagnose LOG [PATH...]       what a compile log comes to: which memory or stage, which operation on which line,
                                       what will help and what will not; LOG may be compressed, or - for standard
                                       input. With --diff or --apply: the fix of what the log is about, and nothing else
  pto-fix explain RULE|CODE...         what a rule finds, why it matters, what its fix does; what an error code means
  pto-fix rules                        the catalogue of rules
  pto-fix trace [OPTIONS] PATH...      what it believes of the kernels: operations, shapes, tiles, loops, and what is not
                                       known and why
  pto-fix budget [OPTIONS] PATH...     what each tile setting takes of the chip's memories, operation by operation, what
                                       compiling will cost, and what tile would fit
  pto-fix merge REPORT...              one JSON or SARIF report from those of the shards of a run (--shard); all of them,
                                       unless --allow-missing
  pto-fix undo [PATH...]               put back what the last --apply wrote, here (in this git work tree, else in this
                                       folder) or in these paths
  pto-fix lsp                          the language server, on standard input and output
  pto-fix completions SHELL            what makes bash, zsh or fish complete options, rules and codes

What to do
  --diff                   print the diff instead of the findings
  --apply                  write the safe fixes of errors and warnings, then report what is left
  --unsafe                 with --diff or --apply: also the fixes that a person should look at
  --add-ignore REASON      write a comment that silences each error and warning (--fail-on), with this reason; with --diff
                           only show them
  --review                 with --apply: ask for each fix (y n a d q e ?), as `git add -p` does
  --allow-dirty            with --apply: write although git has changes that are not committed; what is staged is such a
                           change, so --staged --apply needs it
  --no-journal             with --apply: keep no journal; undo will not know of this run
  --list                   with undo: list the runs that can be put back (the last 10 of a project)
  --skip-changed           with undo: leave the files that were changed since, restore the others; those left can still be
                           put back once the change is gone
  --stdin-filename FILE    with the path `-`: the name of what standard input holds

What to look for
  --select IDS             only these rules; ids, names or beginnings of ids, separated by commas: PTO201,PTO1.
                           The fix of an info finding is written when its rule is selected by its full id or name
                           (an unused suppression is removed with --unsafe alone)
  --ignore IDS             not these rules; stronger than --select
  --soc NAME               the chip whose memory counts: a2a3 (default), 950, kirinx90, kirin9030
  --config FILE            this configuration, for every path; otherwise each file has the nearest pto-fix.toml or
                           [tool.pto-fix] in pyproject.toml
  --no-config              no configuration

Where to look
  --files-from FILE        also the files and folders in this list, one a line or each ended by a NUL (--null);
                           - is standard input. Files that are not Python by name are passed over
  --null                   with --files-from: each path is ended by a NUL, whether the list holds one or not
  --since REV              only files that have changed since a git revision, and only what touches changed lines;
                           without a path, below the current folder. --apply fixes nothing else
  --staged                 the same for what is staged, as it is staged; a file with further changes is not written
  --shard K/N              the K-th of N parts of the files, for N machines; `pto-fix merge` joins their reports
  --no-respect-gitignore   also what git ignores in the folders; a file that is named is looked at in any case
  --force-exclude          what the configuration excludes or git ignores stays out even when it is named (for
                           pre-commit)

How to report
  --format text|json|sarif|github|gitlab|junit|html
                           text (default) has code frames, json is one object for programs; sarif for code scanning,
                           github for annotations, gitlab for code quality, junit for test reports; html is a page to
                           open, search and filter, with diffs and estimates
  --output FILE            the --format before it goes to FILE, and not to stdout; may be repeated, and the name's ending
                           tells the format where none is given. Also with diagnose (text, json, sarif) and merge
  --allow-missing          with merge: join the reports although some shards have none
  --statistics             text: a table of the rules instead of the findings
  --baseline FILE          a former report, json or sarif: only findings that it has not are shown and count. Lines that
                           move and files that are renamed do not make a finding new; json and sarif have all, marked.
                           --apply and --diff leave what is not shown as it is
  --fail-on error|warning|info
                           the lowest severity that leads to exit code 1; the default is warning
  --exit-zero              exit code 0 whatever is found
  --exit-non-zero-on-fix   with --apply or --diff: exit code 1 if there was anything to fix; not beside --exit-zero
  --show-suppressed        json and sarif also have what comments silence, marked so
  --lang en|zh             language of messages; the default follows the locale
  --color auto|always|never
                           auto (default): when stdout is a terminal and NO_COLOR is not set
  --explain-unknown        also print what could not be followed, and why
  --coverage               with trace: only how many tile settings and unroll lists are known
  --jobs N                 threads that analyse; the default is one for each processor
  --no-cache, --cache-dir DIR
                           keep no results between runs, or keep them there. Default: ~/.cache/pto-fix, where what
                           nobody asks for goes after two weeks. PTO_FIX_NO_CACHE, PTO_FIX_CACHE_DIR say the same
  --timing                 also print where the time went, by stage and by rule
  --no-progress            no line on the terminal while a long run is at work
  --help, --version

Exit code
  0  nothing of severity warning or error (--fail-on) is left    1  something is left    2  usage, input or internal error
Findings and diffs go to stdout, everything else to stderr.

Examples
  pto-fix models/                          check every Python file below models/
  pto-fix --diff kernel.py | git apply     the same as: pto-fix --apply kernel.py
  pto-fix --apply --select PTO202 .        only progressive unrolling
  pto-fix --apply - < old.py > new.py      as a filter: prints the text, fixed or not
  pto-fix diagnose build.log kernel.py     from the compiler's error to the line and its fix
  pto-fix explain F40005                   what the compiler means by it

Silence a finding with a comment on its line or the line above:  # pto-fix: ignore[PTO201] why it is fine
)";

constexpr std::string_view kHelpChinese =
    R"(pto-fix 查找会使 PyPTO kernel 片上内存溢出或编译卡死的写法，并改写它们。

  pto-fix [选项] 路径...               报告问题（文件、notebook、文件夹或带引号的通配符：
                                       'models/**/*.py'）
  pto-fix --diff [选项] 路径...        以 unified diff 打印 --apply 将写入的内容，不写文件
  pto-fix --apply [选项] 路径...       写入不会改变结果的修复
  pto-fix diagnose 日志 [路径...]      诊断编译日志：哪种内存或哪个阶段、哪一行的哪个操作、什么有用、什么没用；
                                       日志可以是压缩文件，- 表示标准输入。与 --diff 或 --apply 合用时只修复日志所报的问题
  pto-fix explain 规则|错误码...       规则查什么、为什么重要、如何修复；错误码的含义
  pto-fix rules                        规则目录
  pto-fix trace [选项] 路径...         分析所得的 kernel 内容：操作、形状、tile、循环，以及哪些未知、为什么
  pto-fix budget [选项] 路径...        每个 tile 设置占用多少片上内存（逐个操作）、编译量多大、怎样的 tile 放得下
  pto-fix merge 报告...                把各分片（--shard）的 JSON 或 SARIF 报告合并成一个；缺少分片时需要 --allow-missing
  pto-fix undo [路径...]               还原此处（所在的 git 工作树，没有则为当前文件夹）或这些路径中最近一次 --apply 的写入
  pto-fix lsp                          语言服务器，使用标准输入和标准输出
  pto-fix completions SHELL            让 bash、zsh 或 fish 补全选项、规则和错误码

做什么
  --diff                   打印 diff 而不是问题
  --apply                  写入错误和警告的安全修复，然后报告剩余的问题
  --unsafe                 与 --diff 或 --apply 合用：包括需要人工确认的修复
  --add-ignore 理由        为每个错误和警告（--fail-on）写入抑制注释，注明理由；与 --diff 合用时只显示
  --review                 与 --apply 合用：逐个询问修复，类似 `git add -p`；? 说明各个答案
  --allow-dirty            与 --apply 合用：git 中有未提交的改动也写入；已暂存的也算未提交，因此 --staged --apply 需要它
  --no-journal             与 --apply 合用：不记日志；undo 无法还原这次运行
  --list                   与 undo 合用：列出可还原的运行（每个项目最近 10 次）
  --skip-changed           与 undo 合用：之后又改过的文件保持不动，还原其余文件；撤销该改动后仍可还原它们
  --stdin-filename FILE    与路径 `-` 合用：标准输入内容的文件名

查什么
  --select IDS             只用这些规则；编号、名字或编号前缀，以逗号分隔：PTO201,PTO1。
                           提示类问题只有在规则以完整编号或名字选中时才会修复
  --ignore IDS             不用这些规则；优先于 --select
  --soc NAME               以哪种芯片的内存为准：a2a3（默认）、950、kirinx90、kirin9030
  --config FILE            所有路径都用这个配置；否则每个文件用最近的 pto-fix.toml 或 pyproject.toml 中的
                           [tool.pto-fix]
  --no-config              不读配置

在哪里查
  --files-from FILE        同时检查列表中的文件和文件夹，每行一个或以 NUL 结尾（--null）；- 表示标准输入。
                           名字不是 Python 的文件跳过
  --null                   与 --files-from 合用：路径一律以 NUL 结尾
  --since REV              只检查自某个 git 版本以来改动的文件，只报告触及改动行的问题；不写路径时从当前文件夹查起。
                           --apply 也只修复这些
  --staged                 同上，只看已暂存的内容；还有未暂存改动的文件不写
  --shard K/N              把文件分成 N 份，只检查第 K 份，供 N 台机器使用；`pto-fix merge` 合并报告
  --no-respect-gitignore   文件夹中被 git 忽略的文件也检查；点名的文件总会检查
  --force-exclude          配置排除或 git 忽略的文件即使被点名也不检查（用于 pre-commit）

如何报告
  --format text|json|sarif|github|gitlab|junit|html
                           text（默认）带代码片段，json 为一个对象，供程序读取；sarif 用于代码扫描，github 用于
                           批注，gitlab 用于 Code Quality，junit 用于测试报告；html 为可搜索、可筛选的网页，含 diff 和估算
  --output FILE            前一个 --format 写入 FILE，不输出到 stdout；可重复；没有 --format 时按文件名后缀确定格式。
                           也可用于 diagnose（text、json、sarif）和 merge
  --allow-missing          与 merge 合用：缺少某些分片的报告也合并
  --statistics             text：只显示各规则的统计表
  --baseline FILE          以前的报告（json 或 sarif）：只显示并计入其中没有的问题。代码行移动、文件改名不算新问题；
                           json 和 sarif 仍包括全部，并加以标记。--apply 和 --diff 不修复没有显示的问题
  --fail-on error|warning|info
                           导致退出码 1 的最低级别；默认 warning
  --exit-zero              无论发现什么，退出码都是 0
  --exit-non-zero-on-fix   与 --apply 或 --diff 合用：只要有可修复的内容，退出码就是 1；不能与 --exit-zero 合用
  --show-suppressed        json 和 sarif 也包括被注释抑制的问题，并加以标记
  --lang en|zh             消息的语言；默认取决于 locale
  --color auto|always|never
                           auto（默认）：stdout 是终端且未设置 NO_COLOR 时着色
  --explain-unknown        同时打印无法分析的地方及原因
  --coverage               与 trace 合用：只统计有多少 tile 设置和 unroll_list 已知
  --jobs N                 分析线程数；默认每个处理器一个
  --no-cache, --cache-dir DIR
                           不在两次运行之间保存结果，或保存到该目录。默认 ~/.cache/pto-fix，两周没有用到的会被删除；
                           环境变量 PTO_FIX_NO_CACHE、PTO_FIX_CACHE_DIR 作用相同
  --timing                 同时打印各阶段、各规则用时
  --no-progress            运行较久时不在终端显示进度
  --help, --version

退出码
  0  没有剩余的警告或错误（--fail-on）    1  有剩余    2  用法、输入或内部错误
问题和 diff 输出到 stdout，其余输出到 stderr。

例子
  pto-fix models/                          检查 models/ 下的所有 Python 文件
  pto-fix --diff kernel.py | git apply     等同于：pto-fix --apply kernel.py
  pto-fix --apply --select PTO202 .        只做递进展开
  pto-fix --apply - < old.py > new.py      作为过滤器：打印文本，无论是否修改
  pto-fix diagnose 日志 kernel.py          从编译报错定位到代码行并给出修复
  pto-fix explain F40005                   这个错误码是什么意思

在该行或上一行用注释抑制某个问题：  # pto-fix: ignore[PTO201] 理由
)";

}  // namespace

std::string_view help_text(rules::Language language) {
    return language == rules::Language::zh ? kHelpChinese : kHelpEnglish;
}

}  // namespace ptofix::cli
