// Any bytes as a page and as a fragment: parsing must end, and what it makes must be a tree whose
// numbers are in document order, within its limits.
#include <cstdint>
#include <fuzz/target.hpp>
#include <html/document.hpp>
#include <vector>

namespace {

using namespace freshet;

/// A byte can at most repeat the formatting that is open, and the adoption agency copies some more.
constexpr std::size_t most_nodes_per_byte = 40;

void check(const html::document& page, std::size_t bytes) {
  fuzz::require(page.size() <= 16 + most_nodes_per_byte * bytes);
  std::vector<std::size_t> depth(page.size(), 0);
  html::node_id expected = 0;
  for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
    fuzz::require(at == expected++);
    const auto& one = page.at(at);
    if (at != page.root()) {
      fuzz::require(one.parent < at);
      depth[at] = depth[one.parent] + 1;
      fuzz::require(depth[at] <= html::max_depth);
    }
    fuzz::require(one.attribute_count <= html::max_attributes_per_element);
    if (one.previous != html::none) {
      fuzz::require(page.at(one.previous).next == at);
      // Adjacent texts are one node.
      fuzz::require(one.type != html::node_type::text ||
                    page.at(one.previous).type != html::node_type::text);
    }
    if (one.first_child == html::none) fuzz::require(one.last_child == html::none);
    if (one.type == html::node_type::element) {
      fuzz::require(!one.name.empty());
      fuzz::require(one.tag == html::tag_id::other || one.space != html::element_space::html ||
                    one.name == html::name_of(one.tag));
    }
  }
  fuzz::require(expected == page.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(html::parse(bytes), size);
  constexpr const char* contexts[] = {"div",      "template", "td",       "tr",
                                      "tbody",    "table",    "select",   "script",
                                      "textarea", "colgroup", "frameset", "caption"};
  const std::size_t choice = size == 0 ? 0 : data[size - 1];
  check(html::parse_fragment(bytes, contexts[choice % std::size(contexts)]), size);
  if (choice % 5 == 0) {
    check(html::parse_fragment(bytes, "foreignObject", html::element_space::svg), size);
    check(html::parse_fragment(bytes, "annotation-xml", html::element_space::math), size);
  }
  return 0;
}
