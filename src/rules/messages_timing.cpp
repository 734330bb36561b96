#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// While a long run is at work, and where its time went.
constexpr Message kMessages[] = {
    {"cli.progress", "{done:,} of {total:,} files  {rate:,}/s  {findings:finding|findings}  {left} s left",
     "{done:,}/{total:,} 个文件  {rate:,} 个/秒  {findings} 个问题  剩余 {left} 秒"},
    {"timing.parse", "parse", "解析"},
    {"timing.trace", "trace the kernels", "跟踪 kernel"},
    {"timing.detect", "find", "查找问题"},
    {"timing.suppress", "suppressions", "抑制注释"},
    {"timing.rewrite", "work out fixes", "生成修复"},
    {"timing.apply", "apply and verify", "应用并验证"},
    {"timing.rest", "read, report, write", "读取、报告、写入"},
    {"timing.processor", "processor time", "处理器时间"},
    {"timing.wall", "from start to end", "总耗时"},
    {"timing.from_cache", "files known from an earlier run", "使用缓存结果的文件"},
};

}  // namespace

std::span<const Message> messages_timing() {
    return kMessages;
}

}  // namespace ptofix::rules
