// Whether this build has sanitizers: it is 10 to 30 times slower and looks for other faults, so that
// tests of many cases try fewer.
#pragma once

namespace freshet::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace freshet::test
