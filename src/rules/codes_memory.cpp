#include "rules/code_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kOverflowAlso[] = {"TensorErr::TENSOR_MEMORY_ALLOCATION",
                                              "exceeds MEM_UB",
                                              "exceeds MEM_L1",
                                              "exceeds MEM_L0A",
                                              "exceeds MEM_L0B",
                                              "exceeds MEM_L0C"};
constexpr std::string_view kOverflowRules[] = {"PTO101", "PTO102", "PTO104", "PTO105", "PTO106", "PTO107", "PTO108"};

constexpr std::string_view kDeviceAlso[] = {"OOM", "Tried to allocate", "out of memory"};
constexpr std::string_view kDeviceRules[] = {"PTO208"};

constexpr Code kCodes[] = {
    {"F40005",
     "TENSOR_MEMORY_ALLOCATION",
     kOverflowAlso,
     kOverflowRules,
     "ErrCode: F40005! Enum: TensorErr::TENSOR_MEMORY_ALLOCATION. [U.Operation]:Alloc tensor [16] size [262144] "
     "exceeds "
     "MEM_UB size [196608]! [FuncMagic:11][OpMagic:10010].",
     {"a buffer does not fit its memory on the chip",
      R"(The scheduler pass (OoOSchedule) holds buffers against the chip's memories and finds one too large. Two sentences go with the code:
"Alloc tensor [..] size [..] exceeds MEM_.." is about **one buffer**, "OP CAST[..] in/output total size [..] exceeds MEM_.." about **the
operands and the result of one operation together**. On A2 and A3 there are 196,608 bytes of UB, 524,288 of L1, 65,536 of L0A and
L0B each, 131,072 of L0C.)",
      R"(MEM_UB: the vec tile, clipped to the shapes of the operands, is too large for that operation; 16-bit arithmetic runs in FP32, so it
counts 2 + 4 bytes an element. MEM_L0A, MEM_L0B, MEM_L0C, MEM_L1: the cube tile of a matmul, mL0 x kL0, kL0 x nL0, mL0 x nL0 x 4,
mL0 x kAL1 and nL0 x kBL1. Divide the bytes by the size of an element and look for a shape with as many elements.)",
      R"(Where one operation makes that size by itself, change what it works on: shrink the leading axes of the vec tile, compute heads in
groups, multiply INT8 as INT8, take a smaller kL0 or kL1. unroll_list and stitch_function_max_num will not help: they decide how much
work a function has. Only where no single operation makes it, shorten unroll_list. `pto-fix diagnose build.log kernel.py` does this
arithmetic.)"},
     {"缓冲区超出片上内存",
      R"(调度 pass（OoOSchedule）把缓冲区与片上内存比较，发现其中一个过大。该错误码有两种说法：“Alloc tensor [..] size [..] exceeds MEM_..”指**单个缓冲区**，
“OP CAST[..] in/output total size [..] exceeds MEM_..”指**一个操作的输入输出之和**。A2、A3 上 UB 为 196,608 字节，L1 为 524,288，L0A、L0B 各
65,536，L0C 为 131,072。)",
      R"(MEM_UB：按操作数形状裁剪后的 vec tile 对该操作而言过大；16 位运算以 FP32 进行，每元素按 2 + 4 字节计。MEM_L0A、MEM_L0B、MEM_L0C、MEM_L1：matmul 的
cube tile，分别为 mL0 × kL0、kL0 × nL0、mL0 × nL0 × 4、mL0 × kAL1 与 nL0 × kBL1。用字节数除以元素大小，再找元素个数相同的形状。)",
      R"(如果单个操作本身就是这么大，就要改它处理的数据：缩小 vec tile 的前几维、head 分组、INT8 直接做 matmul、减小 kL0 或 kL1。unroll_list 与
stitch_function_max_num 没有用：它们只决定一个函数做多少事。只有在没有任何单个操作这么大时，才缩短 unroll_list。`pto-fix diagnose build.log kernel.py`
会完成这些计算。)"}},
    {"npu-out-of-memory",
     "",
     kDeviceAlso,
     kDeviceRules,
     "RuntimeError: NPU out of memory. Tried to allocate 24.00 GiB (NPU 0; 60.97 GiB total capacity; ...)",
     {"the device has no memory left for a kernel's workspace",
      R"(torch cannot allocate what is asked for. For a PyPTO kernel that is its workspace, which is allocated before the kernel runs.)",
      R"(The workspace holds the intermediate results of as many functions as one task may have: stitch_function_max_num, 128 by default,
unless max_workspace_kb bounds it.)",
      R"(`stitch_function_max_num` 8, or `max_workspace_kb`. Smaller tiles do not help. If the amount is small, tensors of the host may have
filled the device.)"},
     {"设备内存不足以分配 kernel 的 workspace",
      R"(torch 无法分配所需内存。对 PyPTO kernel 而言，这是运行前分配的 workspace。)",
      R"(workspace 按一个任务最多容纳的函数数量存放中间结果：即 stitch_function_max_num（默认 128），除非用 max_workspace_kb 限制。)",
      R"(把 `stitch_function_max_num` 设为 8，或设置 `max_workspace_kb`。缩小 tile 没有用。如果数量不大，可能是 host 侧张量占满了设备内存。)"}},
};

}  // namespace

std::span<const Code> codes_of_memory() {
    return kCodes;
}

}  // namespace ptofix::rules
