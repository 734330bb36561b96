#include "trace/some_number.h"

#include "trace/numbers.h"

namespace ptofix::trace {

namespace {

const UnknownReason kSomeNumber{UnknownReason::Why::unsupported, {}, "a number"};

}  // namespace

bool is_some_number(const Value& v) {
    return v.tag == Tag::unknown && v.as.reason == &kSomeNumber;
}

bool is_numeric(const Value& v) {
    return numbers::is_number(v) || v.tag == Tag::symbol || is_some_number(v);
}

Value as_some_number(Value unknown) {
    unknown.as.reason = &kSomeNumber;
    return unknown;
}

}  // namespace ptofix::trace
