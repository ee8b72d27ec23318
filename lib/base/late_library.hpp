// A shared library that is loaded when something of it is first needed: most servers never do, and
// to load one costs its tables of names, about a megabyte for ICU's. What it has is found by name,
// as the linker would.
#pragma once

namespace freshet::base {

/// For static storage: what was loaded stays. Thread-safe.
class late_library {
 public:
  /// By the name that the linker knows it under, "libx.so.1".
  explicit late_library(const char* name) noexcept;
  /// Null where there is none; the same for every symbol if the library cannot be loaded.
  template <class Function>
  [[nodiscard]] Function* find(const char* symbol) const noexcept {
    return reinterpret_cast<Function*>(find_address(symbol));
  }

 private:
  [[nodiscard]] void* find_address(const char* symbol) const noexcept;

  void* handle_;
};

/// ICU's second half, of the version whose first half is linked: time zones, and charsets by what
/// bytes look like.
[[nodiscard]] const late_library& icu_i18n() noexcept;

}  // namespace freshet::base

/// The text of what a macro stands for.
#define FRESHET_TEXT_OF_TOKEN(token) #token
#define FRESHET_TEXT_OF(token) FRESHET_TEXT_OF_TOKEN(token)
