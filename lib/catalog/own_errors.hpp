// The errors that an endpoint can give by what it is and takes, beside those that any call can.
#pragma once

#include <catalog/endpoint.hpp>
#include <freshet/error.hpp>
#include <vector>

namespace freshet::catalog {

/// In the order of errc.def. What concerns the key, the rate, the server and HTTP is not among
/// them: whatever is called can give that.
[[nodiscard]] std::vector<errc> own_errors(const endpoint& of);

}  // namespace freshet::catalog
