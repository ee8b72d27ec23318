// The return type of everything that can fail: a value or a freshet::error. No exception crosses
// include/; `value()` on a failed result is a programming error and throws std::logic_error.
#pragma once

#include <boost/system/result.hpp>
#include <freshet/error.hpp>
#include <source_location>
#include <stdexcept>
#include <string>

namespace freshet {

/// A value or an error. Test it, then use `*r` or `r.error()`.
template <class T>
using result = boost::system::result<T, error>;

/// Called by boost::system::result when value() is asked of a failure.
[[noreturn]] inline void throw_exception_from_error(const error& e, const boost::source_location&) {
  throw std::logic_error(std::string(describe(e.code()).name) + ": " + e.detail());
}

}  // namespace freshet
