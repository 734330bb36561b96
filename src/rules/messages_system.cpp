#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What the system says, found by its English words (rules::in_language). The words are those of the C library and of
// src/text; a test asks the C library for them.
constexpr Message kMessages[] = {
    {"system.notebook.cell", "a cell without a type or a source", "有单元格缺少类型或源码"},
    {"system.notebook.json", "not valid JSON", "不是有效的 JSON"},
    {"system.notebook.no_cells", "no list of cells", "没有单元格列表"},
    {"system.notebook.no_format", "no nbformat", "没有 nbformat"},
    {"system.notebook.no_text", "a character that no text has in a cell", "单元格中有不属于文本的字符"},
    {"system.EACCES", "Permission denied", "权限不足"},
    {"system.EBUSY", "Device or resource busy", "设备或资源忙"},
    {"system.EDQUOT", "Disk quota exceeded", "超出磁盘配额"},
    {"system.EFBIG", "File too large", "文件过大"},
    {"system.EINVAL", "Invalid argument", "参数无效"},
    {"system.EIO", "Input/output error", "输入输出错误"},
    {"system.EISDIR", "Is a directory", "是文件夹"},
    {"system.ELOOP", "Too many levels of symbolic links", "符号链接层数过多"},
    {"system.EMFILE", "Too many open files", "打开的文件过多"},
    {"system.ENAMETOOLONG", "File name too long", "文件名过长"},
    {"system.ENFILE", "Too many open files in system", "系统中打开的文件过多"},
    {"system.ENODEV", "No such device", "没有这个设备"},
    {"system.ENOENT", "No such file or directory", "没有这个文件或文件夹"},
    {"system.ENOMEM", "Cannot allocate memory", "内存不足"},
    {"system.ENOSPC", "No space left on device", "设备空间不足"},
    {"system.ENOTDIR", "Not a directory", "不是文件夹"},
    {"system.ENXIO", "No such device or address", "没有这个设备或地址"},
    {"system.EPERM", "Operation not permitted", "操作不允许"},
    {"system.EROFS", "Read-only file system", "文件系统只读"},
    {"system.ESTALE", "Stale file handle", "文件句柄已失效"},
    {"system.ETXTBSY", "Text file busy", "程序文件正在使用"},

    {"system.step.access", "access", "检查权限"},
    {"system.step.close_temporary", "close temporary file", "关闭临时文件"},
    {"system.step.create_temporary", "create temporary file", "创建临时文件"},
    {"system.step.open", "open", "打开"},
    {"system.step.open_directory", "open directory", "打开文件夹"},
    {"system.step.open_writing", "open for writing", "以写入方式打开"},
    {"system.step.read_again", "read again", "重新读取"},
    {"system.step.rename", "rename", "重命名"},
    {"system.step.change_mode", "change mode", "修改权限"},
    {"system.step.create_folder", "create folder", "创建文件夹"},
    {"system.step.write_journal", "write journal", "写入日志"},
    {"system.step.read", "read", "读取"},
    {"system.step.no_journal", "not a whole journal", "不是完整的日志"},
    {"system.step.reserve", "reserve space", "预留空间"},
    {"system.step.resolve", "resolve", "解析路径"},
    {"system.step.seek", "seek", "定位"},
    {"system.step.stat", "stat", "查询状态"},
    {"system.step.write", "write", "写入"},
    {"system.step.write_temporary", "write temporary file", "写入临时文件"},

    {"system.type.block", "block device", "块设备"},
    {"system.type.character", "character device", "字符设备"},
    {"system.type.directory", "directory", "文件夹"},
    {"system.type.fifo", "fifo", "管道"},
    {"system.type.socket", "socket", "套接字"},
    {"system.type.special", "special file", "特殊文件"},
};

}  // namespace

std::span<const Message> messages_system() {
    return kMessages;
}

}  // namespace ptofix::rules
