// A library that is loaded when something of it is needed, or is not there.
#include <base/late_library.hpp>
#include <catch2/catch.hpp>

using freshet::base::icu_i18n;
using freshet::base::late_library;

TEST_CASE("a library that is there gives what it has, one that is not nothing") {
  static const late_library none("libfreshet-that-is-not-there.so.1");
  CHECK(none.find<void()>("main") == nullptr);
  CHECK(icu_i18n().find<void()>("no_such_symbol") == nullptr);
  CHECK(&icu_i18n() == &icu_i18n());
}
