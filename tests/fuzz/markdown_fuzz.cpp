// Any bytes as a page: converting must end, stay in bounds and give valid UTF-8.
#include <base/unicode.hpp>
#include <cstdint>
#include <cstdlib>
#include <fuzz/target.hpp>
#include <markdown/page.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace freshet;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  markdown::page_options options;
  const unsigned choice = size == 0 ? 0 : data[0];
  if ((choice & 1u) != 0) options.mode = markdown::page_mode::page;
  if ((choice & 2u) != 0) options.links = markdown::link_style::footnotes;
  if ((choice & 4u) != 0) options.images = false;
  const auto made = markdown::convert({bytes, "text/html", "https://example.org/a/b"}, options);
  if (!made) return 0;
  fuzz::require(base::is_utf8(made->document.markdown));
  fuzz::require(base::is_utf8(made->document.text));
  std::size_t last = 0;
  for (const auto start : made->blocks) {
    fuzz::require(start >= last && start < made->document.markdown.size());
    last = start;
  }
  return 0;
}
