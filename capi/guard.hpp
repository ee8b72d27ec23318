// The one place where an exception is stopped at the C boundary.
#pragma once

#include <freshet/error.hpp>
#include <freshet/response.hpp>
#include <memory>
#include <new>
#include <string>

/// What a freshet_result handle points to.
struct freshet_result {
  freshet::response answer;
};

namespace freshet::capi {

/// A result that says `what`; its body is a problem document.
[[nodiscard]] freshet_result* failure(const error& what) noexcept;
/// A result that holds an answer.
[[nodiscard]] freshet_result* success(response answer) noexcept;

/// Runs `body`, which answers a freshet_result*; an exception becomes `internal`.
template <class Body>
[[nodiscard]] freshet_result* guard(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return failure(error(errc::overloaded));
  } catch (const std::exception& e) {
    return failure(error(errc::internal, e.what()));
  } catch (...) {
    return failure(error(errc::internal));
  }
}

}  // namespace freshet::capi
