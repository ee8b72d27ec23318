// The version of the library and of the contract it speaks.
#pragma once

#define FRESHET_VERSION_MAJOR 0
#define FRESHET_VERSION_MINOR 1
#define FRESHET_VERSION_PATCH 0

namespace freshet {

/// The library's version, as `MAJOR.MINOR.PATCH`. Static storage; safe from any thread.
inline constexpr const char* version = "0.1.0";

/// The contract's version: the first path segment of every endpoint.
inline constexpr const char* contract_version = "v1";

}  // namespace freshet
