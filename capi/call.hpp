// One call behind the C boundary: started on a client_state, its answer waited for.
#pragma once

#include <cstdint>
#include <memory>

#include "client_state.hpp"
#include "guard.hpp"

/// What a freshet_call handle points to. The one for which there was no memory is of this very type
/// and static.
struct freshet_call {
  bool is_static = true;
};

namespace freshet::capi {

struct running_call final : freshet_call {
  std::shared_ptr<client_state> on;
  std::shared_ptr<mailbox> box = std::make_shared<mailbox>();
  std::uint64_t ticket = 0;  ///< 0: it was answered where it was made
  bool taken = false;
};

/// The texts of a call that come in, as one request. Errors: invalid_request, invalid_json.
struct call_texts {
  const char* endpoint;
  size_t endpoint_size;
  const char* body;
  size_t body_size;
  const char* options;
  size_t options_size;
  [[nodiscard]] result<request> read(const client_state& of) const;
};

}  // namespace freshet::capi
