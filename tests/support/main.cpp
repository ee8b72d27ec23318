// The entry of every C++ test program.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// Asked by ThreadSanitizer alone. ICU is not built with it, so that it does not see how ICU guards what
// it makes once.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions() {
  return "called_from_lib:libicuuc.so\ncalled_from_lib:libicui18n.so\n";
}
