#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO207.found",
     "{parameter}, {elements:,} elements of {from}, is cast to {to} in every trip of this loop, and no trip changes "
     "it.",
     "{parameter}（{elements:,} 个元素，{from}）在循环的每次迭代中都转换为 {to}，而迭代之间并不改变。"},
    {"PTO207.found.size_unknown",
     "{parameter} ({from}) is cast to {to} in every trip of this loop, and no trip changes it; its size is not known.",
     "{parameter}（{from}）在循环的每次迭代中都转换为 {to}，而迭代之间并不改变；其大小未知。"},
    {"PTO207.why",
     "No pass moves the cast out of the loop. Every unrolled copy of the body expands it again, and compilation hangs "
     "between Pass_04 (ExpandFunction) and Pass_05 (MergeViewAssemble) until a timeout ends it (exit 124).",
     "没有任何 pass 会把转换移出循环。每个展开的循环体副本都会再展开它一次，编译卡在 Pass_04（ExpandFunction）和 "
     "Pass_05（MergeViewAssemble）之间，直到被 timeout 终止（exit 124）。"},
    {"PTO207.label", "{from} to {to} in every trip", "每次迭代 {from} 转 {to}"},
    {"PTO207.related.loop", "this loop repeats it", "由这个循环重复执行"},
    {"PTO207.related.parameter", "{parameter} is declared here", "{parameter} 在此声明"},
    {"PTO207.fix.host_precompute",
     "Convert {parameter} on the host ({steps}) and declare it {to}: {to_bytes:byte|bytes} an element instead of "
     "{from_bytes}. It runs at each call; for a weight, the time of loading is the better place.",
     "在 host 侧转换 {parameter}（{steps}），并声明为 {to}：每元素 {to_bytes} 字节，原为 {from_bytes} 字节。"
     "转换在每次调用时执行；对权重而言，放到加载时更好。"},
    {"PTO207.fix.host_wrapper",
     "Convert {parameter} on the host ({steps}) in a wrapper that keeps the name {kernel}: {to_bytes:byte|bytes} an "
     "element instead of {from_bytes}. It runs at each call; for a weight, the time of loading is the better place.",
     "在保留名字 {kernel} 的 wrapper 中于 host 侧转换 {parameter}（{steps}）：每元素 {to_bytes} 字节，原为 "
     "{from_bytes} "
     "字节。转换在每次调用时执行；对权重而言，放到加载时更好。"},
    {"PTO207.fix.host_everywhere",
     "Convert {parameter} on the host ({steps}) at {calls:call|calls} of {kernel} in {files:file|files}, and declare "
     "it {to}: "
     "{to_bytes:byte|bytes} an element instead of {from_bytes}. All of these files change, or none.",
     "在 host 侧转换 {parameter}（{steps}）：{files} 个文件中 {kernel} 的 {calls} 处调用，并声明为 {to}：每元素 "
     "{to_bytes} "
     "字节，原为 {from_bytes} 字节。这些文件一起修改，或都不修改。"},
    {"PTO207.fix.hoist", "Move the cast of {parameter} above the loop", "把 {parameter} 的转换移到循环之前"},
    {"PTO207.blocked.caller",
     "{path}:{line} uses {kernel} in a way that shows no argument for {parameter}: it cannot be converted there.",
     "{path}:{line} 对 {kernel} 的使用看不出传给 {parameter} 的参数，无法在那里转换。"},
    {"PTO207.blocked.caller_unparsed", "{path} may call {kernel} and does not parse: its calls are not known.",
     "{path} 可能调用 {kernel} 且无法解析，其中的调用未知。"},
    {"PTO207.blocked.parameter_used_raw", "{parameter} is also used without the cast at this place.",
     "{parameter} 在此处还以未转换的形式使用。"},
    {"PTO207.blocked.rounding_mode", "The cast names the mode {mode}, which torch's .to() has no equal of.",
     "该转换指定了模式 {mode}，torch 的 .to() 没有对应的模式。"},
    {"PTO207.blocked.saturation", "The cast saturates; torch's .to() does not.",
     "该转换带饱和，torch 的 .to() 不饱和。"},
    {"PTO207.blocked.no_torch_type", "torch has no type for {to}.", "torch 没有与 {to} 对应的类型。"},
    {"PTO207.blocked.parameter_written",
     "The kernel writes {parameter}, so the host's tensor must stay the one it is given.",
     "kernel 会写入 {parameter}，host 必须传入原来的张量。"},
    {"PTO207.blocked.result_written",
     "The kernel writes here into what the cast of {parameter} gives, so every trip needs a tensor of its own.",
     "kernel 在此写入 {parameter} 转换得到的张量，因此每次迭代都需要各自的张量。"},
    {"PTO207.blocked.format",
     "{parameter} is declared in the NZ format: a cast does not take it, in the loop or in front of it, and its blocks "
     "depend on the type, so that a conversion on the host is not proven either.",
     "{parameter} 声明为 NZ 格式：cast 不支持该格式，放在循环内外都一样；其分块又随类型而变，host "
     "侧转换的正确性也无法证明。"},
    {"PTO207.blocked.shared_cast",
     "This cast serves other tensors as well as {parameter}, so it cannot be taken out for it alone.",
     "该转换除 {parameter} 外还用于其他张量，不能只为它移除。"},
    {"PTO207.blocked.conversion_differs",
     "A cast from {from} to {to} and torch's .to() need not give the same values for {parameter}.",
     "对 {parameter}，从 {from} 到 {to} 的转换与 torch 的 .to() 结果未必相同。"},
    {"PTO207.blocked.dtype_read", "The code asks for a dtype here that would change with that of {parameter}.",
     "此处读取的 dtype 会随 {parameter} 的 dtype 改变。"},
    {"PTO207.blocked.passed_on", "{parameter} is passed here to a call that pto-fix cannot follow.",
     "{parameter} 在此传给 pto-fix 无法跟踪的调用。"},
    {"PTO207.blocked.from_torch",
     "The host makes tensors of the framework here; if {parameter} is one of them, it has no .to().",
     "host 在此创建框架自己的张量；若 {parameter} 是其中之一，则没有 .to()。"},
    {"PTO207.blocked.declaration", "The declaration of {parameter} cannot be changed for this parameter alone.",
     "{parameter} 的声明无法只为这一个参数修改。"},
    {"PTO207.blocked.name_taken",
     "`{name}` is something else than the module here, so {parameter} cannot be converted.",
     "此处 `{name}` 不是该模块，无法转换 {parameter}。"},
    {"PTO207.blocked.decorators", "{kernel} is not decorated by the jit alone, so a wrapper cannot take its name.",
     "{kernel} 的装饰器不只是 jit，wrapper 无法取代它的名字。"},
    {"PTO207.blocked.method", "{kernel} is a method; a wrapper cannot take its name.",
     "{kernel} 是方法，wrapper 无法取代它的名字。"},
    {"PTO207.blocked.rebound", "{kernel} gets another value here, so a wrapper cannot take its name.",
     "{kernel} 在此被重新赋值，wrapper 无法取代它的名字。"},
    {"PTO207.blocked.attribute", "An attribute of {kernel} is used here, which a wrapper would not have.",
     "此处使用了 {kernel} 的属性，wrapper 没有该属性。"},
    {"PTO207.blocked.device_call",
     "Code of the device calls {kernel} here, and what it hands over is no tensor of torch: a wrapper cannot convert "
     "it.",
     "此处由 device 侧代码调用 {kernel}，传入的不是 torch 张量，wrapper 无法转换。"},
    {"PTO207.blocked.type_chosen", "The type is chosen outside of the kernel; the next time it may be another one.",
     "该类型由 kernel 之外决定，下次可能不同。"},
    {"PTO207.blocked.chain_conditional", "The cast happens on one side of a condition only.",
     "转换只在条件的一个分支中发生。"},
};

}  // namespace

std::span<const Message> messages_pto207() {
    return kMessages;
}

}  // namespace ptofix::rules
