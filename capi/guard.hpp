// What a freshet_result is, and the one place where an exception is stopped at the C boundary.
#pragma once

#include <freshet.h>

#include <boost/json/object.hpp>
#include <freshet/error.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <new>
#include <string_view>

/// What a freshet_result handle points to: views of texts that end with a NUL, but for `data`. The
/// results that need no memory are of this very type and static, the others own their answer.
struct freshet_result {
  std::int32_t error = 0;
  std::int32_t status = 200;
  std::int64_t credits = 0;
  std::int64_t credits_remaining = -1;
  std::int64_t retry_after_s = -1;
  bool is_static = true;
  std::string_view body = "", data = "", request_id = "", next_cursor = "";
};

namespace freshet::capi {

/// The result of an open that went well. Static.
[[nodiscard]] freshet_result* opened() noexcept;
/// The result for which there is no memory (overloaded). Static.
[[nodiscard]] freshet_result* no_memory() noexcept;
/// A result that says `what`; its body is a problem document. no_memory() if there is none.
[[nodiscard]] freshet_result* failure(const error& what) noexcept;
/// A result that holds an answer; `cursor`, if given, gets that of the next page. no_memory() if
/// there is none; `answer` is then as it was.
[[nodiscard]] freshet_result* take(response& answer, std::string* cursor = nullptr) noexcept;

/// Runs `body`, which answers a freshet_result*; an exception becomes a result, too.
template <class Body>
[[nodiscard]] freshet_result* guard(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception& e) {
    try {
      return failure(error(errc::internal, e.what()));
    } catch (...) {
      return no_memory();
    }
  } catch (...) {
    return failure(error(errc::internal));
  }
}

/// A text as it came in: bytes and a size, or a NUL at its end. Error: invalid_request, which calls
/// it `name`.
[[nodiscard]] result<std::string_view> text_in(const char* text, std::size_t size,
                                               const char* name);
/// The members of a JSON object that `options` is; nothing has none. Error: invalid_json.
[[nodiscard]] result<boost::json::object> options_in(std::string_view options);

}  // namespace freshet::capi
