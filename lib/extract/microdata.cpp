// The standard's algorithm (HTML, 5.2.6 and 5.4) with a list of what is left to do in place of its
// recursion. An item that would be inside itself is left out.
#include <algorithm>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <extract/microdata.hpp>
#include <markdown/tree/tree.hpp>
#include <unordered_map>
#include <unordered_set>

namespace freshet::extract {
namespace json = base::json;

namespace {

using html::node_id;
using html::tag_id;

constexpr std::size_t max_text_bytes = 200'000;

/// The first `most` words of an attribute.
std::vector<std::string> words_in(const html::document& page, std::string_view text,
                                  std::size_t most) {
  constexpr std::string_view white_space = " \n\t\r\f";
  std::vector<std::string> out;
  std::size_t at = 0;
  while (out.size() < most) {
    at = text.find_first_not_of(white_space, at);
    if (at == std::string_view::npos) break;
    const auto end = std::min(text.find_first_of(white_space, at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  page.spend(1 + std::min(at, text.size()) / 8);
  return out;
}

/// Which attribute has the address that an element stands for; "" for none.
std::string_view address_attribute(tag_id tag) {
  switch (tag) {
    case tag_id::a:
    case tag_id::area:
    case tag_id::link:
      return "href";
    case tag_id::audio:
    case tag_id::embed:
    case tag_id::iframe:
    case tag_id::img:
    case tag_id::source:
    case tag_id::track:
    case tag_id::video:
      return "src";
    case tag_id::object:
      return "data";
    default:
      return {};
  }
}

std::string absolute(std::string_view written, const std::optional<base::url>& base) {
  const auto resolved = base ? base::resolve_url(*base, written) : base::parse_url(written);
  return resolved ? resolved->text() : std::string(base::trim(written));
}

class item_reader {
 public:
  item_reader(const html::document& page, const std::optional<base::url>& base, copy_room& room)
      : page_(page), base_(base), room_(room) {}

  std::vector<microdata_item> read() {
    std::vector<microdata_item> out;
    for (node_id at = 1; at < page_.size(); ++at) {
      page_.spend(1);
      const auto id = page_.attribute_of(at, "id");
      if (!id.empty()) ids_.try_emplace(std::string(id), at);
    }
    for (node_id at = 1; at < page_.size() && can_go_on(); ++at) {
      page_.spend(1);
      const bool is_top =
          page_.has_attribute(at, "itemscope") && !page_.has_attribute(at, "itemprop");
      if (is_top) out.push_back({at, item_at(at, {})});
    }
    return out;
  }

 private:
  struct property {
    node_id element;
    std::vector<std::string> names;
  };

  /// Bounded by max_item_depth: `around` are the items that this one is in.
  json::object item_at(node_id element, std::vector<node_id> around) {
    ++items_;
    around.push_back(element);
    json::object out;
    for (const auto& type : words_in(page_, page_.attribute_of(element, "itemtype"), max_names)) {
      add(out, "@type", json::string(type));
    }
    const auto id = page_.attribute_of(element, "itemid");
    page_.spend(id.size() / 16);
    if (!base::trim(id).empty()) add(out, "@id", json::string(absolute(id, base_)));
    for (const auto& one : properties_of(element)) {
      if (!can_go_on()) break;
      auto value = value_at(one.element, around);
      if (!value) continue;
      for (const auto& name : one.names) add(out, name, *value);
    }
    return out;
  }

  [[nodiscard]] bool can_go_on() const noexcept { return items_ < max_items && !room_.is_full(); }

  std::optional<json::value> value_at(node_id element, const std::vector<node_id>& around) {
    if (!page_.has_attribute(element, "itemscope")) {
      return json::value(json::string(value_of_element(page_, element, base_)));
    }
    const bool is_circle = std::ranges::find(around, element) != around.end();
    if (is_circle || around.size() >= max_item_depth || !can_go_on()) return std::nullopt;
    return json::value(item_at(element, around));
  }

  /// An item in items has taken its room itself, but not that of its further names.
  void add(json::object& object, const std::string& name, const json::value& value) {
    if (!room_.take(name.size() + bytes_of(value))) return;
    auto [at, fresh] = object.emplace(name, value);
    if (fresh) return;
    if (!at->value().is_array()) at->value() = json::array{at->value()};
    at->value().get_array().push_back(value);
  }

  /// What a copy of a value holds, items in it included.
  std::size_t bytes_of(const json::value& value) const {
    std::size_t bytes = 0;
    std::vector<const json::value*> waiting{&value};
    while (!waiting.empty()) {
      const auto* const one = waiting.back();
      waiting.pop_back();
      page_.spend(1);
      constexpr std::size_t holder_bytes = 64;
      bytes += holder_bytes + base::view_of(*one).size();
      for (const auto& inner : base::array_of(*one)) waiting.push_back(&inner);
      if (const auto* object = one->if_object()) {
        for (const auto& inner : *object) waiting.push_back(&inner.value());
      }
    }
    return bytes;
  }

  /// The elements that are properties of an item, in the order of the page.
  std::vector<property> properties_of(node_id item) {
    std::vector<node_id> roots{item};
    std::unordered_set<node_id> known{item};
    for (const auto& id :
         words_in(page_, page_.attribute_of(item, "itemref"), max_item_properties)) {
      const auto found = ids_.find(id);
      if (found != ids_.end() && known.insert(found->second).second) {
        roots.push_back(found->second);
      }
    }
    std::vector<property> out;
    for (const auto root : roots) {
      for (auto at = root == item ? page_.next_in_order(item, item) : root;
           at != html::none && out.size() < max_item_properties;) {
        page_.spend(1);
        const bool is_property = page_.has_attribute(at, "itemprop");
        if (is_property) {
          out.push_back({at, words_in(page_, page_.attribute_of(at, "itemprop"), max_names)});
        }
        at = page_.has_attribute(at, "itemscope") ? page_.next_skipping_children(at, root)
                                                  : page_.next_in_order(at, root);
      }
    }
    std::ranges::stable_sort(out, {}, &property::element);
    const auto same = [](const property& a, const property& b) { return a.element == b.element; };
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    return out;
  }

  const html::document& page_;
  const std::optional<base::url>& base_;
  copy_room& room_;
  std::unordered_map<std::string, node_id, base::text_hash> ids_;
  std::size_t items_ = 0;
};

}  // namespace

std::string text_of_element(const html::document& page, html::node_id element) {
  const auto parts_text = [](tag_id tag) { return tag == tag_id::br || markdown::is_block(tag); };
  std::string text;
  for (auto at = page.next_in_order(element, element);
       at != html::none && text.size() < max_text_bytes;) {
    page.spend(1);
    const auto& node = page.at(at);
    const bool is_behind = node.previous != html::none && parts_text(page.at(node.previous).tag);
    if (is_behind || parts_text(node.tag)) text += ' ';
    const bool is_silent =
        node.tag == tag_id::script || node.tag == tag_id::style || node.tag == tag_id::noscript;
    if (node.type == html::node_type::text) {
      const auto part = node.text.substr(0, max_text_bytes - text.size());
      page.spend(part.size() / 16);
      text += part;
    }
    at = is_silent ? page.next_skipping_children(at, element) : page.next_in_order(at, element);
  }
  return base::nfc(base::collapse_spaces(text));
}

std::string value_of_element(const html::document& page, html::node_id element,
                             const std::optional<base::url>& base) {
  const auto tag = page.at(element).tag;
  const auto own = [&](std::string_view name) {
    const auto text = page.attribute_of(element, name);
    page.spend(text.size() / 16);
    return std::string(base::trim(text));
  };
  if (tag == tag_id::meta) return own("content");
  const auto address = address_attribute(tag);
  if (!address.empty() && page.has_attribute(element, address)) {
    const auto written = page.attribute_of(element, address);
    page.spend((written.size() + (base ? base->path.size() : 0)) / 4);
    return absolute(written, base);
  }
  if ((tag == tag_id::data || tag == tag_id::meter) && page.has_attribute(element, "value")) {
    return own("value");
  }
  if (tag == tag_id::time && page.has_attribute(element, "datetime")) return own("datetime");
  // No standard has it, and many pages do.
  if (page.has_attribute(element, "content")) return own("content");
  return text_of_element(page, element);
}

std::vector<microdata_item> read_microdata(const html::document& page,
                                           const std::optional<base::url>& base, copy_room& room) {
  return item_reader(page, base, room).read();
}

}  // namespace freshet::extract
