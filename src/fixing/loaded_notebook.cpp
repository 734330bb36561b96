#include "fixing/loaded_notebook.h"

#include <fcntl.h>

#include <utility>

#include "text/disk_file.h"
#include "text/utf8.h"

namespace ptofix::fixing {

std::string lines_of_json(std::string json) {
    const bool is_text = text::find_invalid_utf8(json) == std::string_view::npos;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '"') {
            json[i] = '\n';
        } else if (json[i] == '\\' && i + 1 < json.size()) {
            json[i++] = ' ';
            if (json[i] == 'n' || json[i] == 'r') json[i] = '\n';
        } else if (json[i] == '\0' || (!is_text && static_cast<unsigned char>(json[i]) >= 0x80)) {
            json[i] = ' ';
        }
    }
    return json;
}

std::shared_ptr<const text::Source> load_notebook(const std::string& path) {
    if (auto loaded = text::Source::load(path)) {
        if (!loaded->text().empty()) return std::make_shared<const text::Source>(*std::move(loaded));
        if (auto parsed = loaded->with_bytes(std::string(loaded->bytes()))) {
            return std::make_shared<const text::Source>(*std::move(parsed));
        }
    }
    const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    std::string bytes;
    if (!file.is_open() || text::read_all(file.get(), text::kMaxSourceBytes, bytes) != 0) return nullptr;
    auto lines = text::Source::from_text(path, lines_of_json(std::move(bytes)));
    return lines ? std::make_shared<const text::Source>(*std::move(lines)) : nullptr;
}

}  // namespace ptofix::fixing
