// The whole stack, where it may ask servers on loopback.
#pragma once

#include <http/stack.hpp>
#include <memory>

namespace freshet::test {

inline std::unique_ptr<http::transport> stack_over_loopback(std::size_t cache_bytes = 1 << 20) {
  http::stack_options options;
  options.user_agent = "Freshet/1.0 (+mailto:ops@example.org)";
  options.allow_private = {"127.0.0.0/8"};
  options.shelf = std::make_shared<base::shelf>(cache_bytes);
  return http::make_stack(std::move(options)).value();
}

}  // namespace freshet::test
