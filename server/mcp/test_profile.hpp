// The fixtures of the protocol's conformance suites: tools, resources and prompts of fixed names,
// for server.mcp_test_profile and nothing else. None of them calls the engine.
#pragma once

#include <server/mcp/offers.hpp>

namespace freshet::server::mcp {

/// What is offered, with the fixtures in front.
[[nodiscard]] offers with_test_profile(offers from);

}  // namespace freshet::server::mcp
