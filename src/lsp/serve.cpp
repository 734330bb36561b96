#include "lsp/serve.h"

#include <malloc.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "lsp/message_stream.h"
#include "lsp/server.h"

namespace ptofix::lsp {

namespace {

/// What was read and not answered yet.
class Inbox {
  public:
    void put(MessageReader::Frame frame) {
        const std::scoped_lock lock(mutex_);
        if (frame.kind == MessageReader::Kind::message) note_cancellation(frame.body);
        frames_.push_back(std::move(frame));
        arrived_.notify_one();
    }

    /// Waits unless there is other work to do.
    std::optional<MessageReader::Frame> take(bool wait) {
        std::unique_lock lock(mutex_);
        if (wait) arrived_.wait(lock, [&] { return !frames_.empty(); });
        if (frames_.empty()) return std::nullopt;
        MessageReader::Frame frame = std::move(frames_.front());
        frames_.pop_front();
        return frame;
    }

    /// Asked once for each request; true once.
    bool take_cancelled(const Json& id) {
        const std::scoped_lock lock(mutex_);
        return cancelled_.erase(id.dump()) > 0;
    }

  private:
    /// Ahead of its turn: what it is about may be next.
    void note_cancellation(const std::string& body) {
        if (body.size() > kLongestCancellation || body.find("$/cancelRequest") == std::string::npos) return;
        const Json message = Json::parse(body, nullptr, false);
        if (text_of(member(message, "method")) != "$/cancelRequest") return;
        if (cancelled_.size() > kMostCancelled) cancelled_.clear();  // for requests that were answered before
        cancelled_.insert(at_path(message, "params.id").dump());
    }

    static constexpr std::size_t kLongestCancellation = 4096;
    static constexpr std::size_t kMostCancelled = 1000;

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<MessageReader::Frame> frames_;
    std::set<std::string> cancelled_;
};

}  // namespace

int serve(int input, int output, rules::Language language, const std::string& version) {
    // Shared with the reader, which may be waiting for more when the server ends; the process ends right after.
    struct Shared {
        explicit Shared(int input) : reader(input) {}
        Inbox inbox;
        MessageReader reader;
    };
    // An analysis frees what the next one takes again: pages need not go back to the system in between.
    constexpr int kKeptBytes = 32 << 20;
    mallopt(M_TRIM_THRESHOLD, kKeptBytes);
    mallopt(M_TOP_PAD, kKeptBytes / 8);
    mallopt(M_MMAP_THRESHOLD, kKeptBytes / 2);
    const auto shared = std::make_shared<Shared>(input);
    Inbox& inbox = shared->inbox;
    MessageWriter writer(output);
    bool unheard = false;  // nobody reads what is said
    Server server([&](const Json& message) { unheard = !writer.write(message) || unheard; },
                  [&](const Json& id) { return inbox.take_cancelled(id); }, language, version);
    std::thread([shared] {
        while (true) {
            MessageReader::Frame frame = shared->reader.next();
            const bool last = frame.kind == MessageReader::Kind::end;
            shared->inbox.put(std::move(frame));
            if (last) return;
        }
    }).detach();

    bool busy = false;
    while (!server.exited() && !unheard) {
        const auto frame = inbox.take(!busy);
        if (!frame) {
            busy = server.work();
            continue;
        }
        busy = true;
        if (frame->kind == MessageReader::Kind::end) break;
        if (frame->kind == MessageReader::Kind::unreadable) {
            server.unreadable(frame->body);
            continue;
        }
        server.handle(frame->body);
        shared->reader.watch(server.client_process());
    }
    return server.exit_code();
}

}  // namespace ptofix::lsp
