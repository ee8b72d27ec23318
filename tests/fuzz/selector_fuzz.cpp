// Any text as a selector: compiling must end, and what compiles must match in bounds.
#include <algorithm>
#include <cstdint>
#include <fuzz/target.hpp>
#include <html/select/selector.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace freshet;
  static const auto page = html::parse(
      "<body><div id=a class='b c'><p lang=en>x<i></i></p><p>y</p><ul><li>1<li>2</ul></div>");
  const auto compiled = html::selector::compile({reinterpret_cast<const char*>(data), size});
  if (!compiled) return 0;
  for (const auto id : compiled->select(page, page.root())) {
    const auto beside = compiled->select(page, page.at(id).parent);
    fuzz::require(std::find(beside.begin(), beside.end(), id) != beside.end());
  }
  return 0;
}
