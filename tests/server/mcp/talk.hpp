// What several tests of MCP sessions speak with.
#pragma once

#include <cstdint>
#include <functional>
#include <server/mcp/session_core.hpp>
#include <utility>

namespace freshet::server::mcp {

/// A client that nobody answers.
class nobody : public client {
 public:
  std::uint64_t submit(request, std::function<void(response)>) override { return 0; }
  void cancel(std::uint64_t) override {}
};

inline message asked(std::int64_t id, const char* method, boost::json::object params = {}) {
  message out;
  out.id = id;
  out.method = method;
  out.params = std::move(params);
  return out;
}

}  // namespace freshet::server::mcp
