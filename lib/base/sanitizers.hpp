// Which sanitizers watch this build: g++ and clang say so in words of their own.
#pragma once

#ifdef __has_feature
#define FRESHET_HAS_FEATURE(name) __has_feature(name)
#else
#define FRESHET_HAS_FEATURE(name) 0
#endif

namespace freshet::base {

#if defined(__SANITIZE_ADDRESS__) || FRESHET_HAS_FEATURE(address_sanitizer)
inline constexpr bool watches_addresses = true;
#else
inline constexpr bool watches_addresses = false;
#endif

#if defined(__SANITIZE_THREAD__) || FRESHET_HAS_FEATURE(thread_sanitizer)
inline constexpr bool watches_threads = true;
#else
inline constexpr bool watches_threads = false;
#endif

}  // namespace freshet::base

#undef FRESHET_HAS_FEATURE
