// Any bytes as what poppler's programs say of a document: the words (pdftotext) before a line of
// dashes, their type (pdftohtml) behind it. Both are read to an end, and make a page.
#include <base/unicode.hpp>
#include <cstdint>
#include <fuzz/target.hpp>
#include <html/document.hpp>
#include <pdf/html.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace freshet;
  constexpr std::string_view between = "\n-----\n";
  const auto bytes = fuzz::text_of(data, size);
  const auto cut = bytes.find(between);
  pdf::reading_meter counted;
  auto read = pdf::read_layout(bytes.substr(0, cut), counted);
  if (cut != std::string_view::npos)
    pdf::add_styles(read, bytes.substr(cut + between.size()), counted);
  static_cast<void>(pdf::has_text(read));
  const auto made = base::repair_utf8(pdf::to_html(std::move(read), counted));
  // No word of a document opens an element of the page.
  const auto page = html::parse(made);
  for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
    fuzz::require(page.at(at).tag != html::tag_id::script);
  }
  return 0;
}
