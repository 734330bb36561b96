#pragma once

// Lets a test that root runs see what another user sees. Root may read and write anything, so permissions would
// otherwise go untested wherever the tests run as root, as in most containers.

#include <unistd.h>

class AsOrdinaryUser {
  public:
    AsOrdinaryUser() : was_root_(geteuid() == 0) {
        if (was_root_) switched_ = setegid(kNobody) == 0 && seteuid(kNobody) == 0;
    }
    AsOrdinaryUser(const AsOrdinaryUser&) = delete;
    AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;
    ~AsOrdinaryUser() {
        if (was_root_) static_cast<void>(seteuid(0) == 0 && setegid(0) == 0);
    }

    /// False when root could not become anybody else.
    explicit operator bool() const { return !was_root_ || switched_; }

  private:
    static constexpr unsigned kNobody = 65534;
    bool was_root_;
    bool switched_ = false;
};
