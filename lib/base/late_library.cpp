// Names are bound when they are found, as those of linked libraries are.
#include <dlfcn.h>
#include <unicode/uvernum.h>

#include <base/late_library.hpp>

namespace freshet::base {

late_library::late_library(const char* name) noexcept
    : handle_(::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {}

void* late_library::find_address(const char* symbol) const noexcept {
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, symbol);
}

const late_library& icu_i18n() noexcept {
  static const late_library library("libicui18n.so." FRESHET_TEXT_OF(U_ICU_VERSION_MAJOR_NUM));
  return library;
}

}  // namespace freshet::base
