// Frameworks leave in a page the data that it was made of: Next.js, Shopify's themes and many more,
// each with names of its own. So it is read by shape: the product is an object with the name or the
// description of the page's product, its features are titles with a text inside of it.
#include <algorithm>
#include <array>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <markdown/product_state.hpp>

namespace freshet::markdown {

namespace {

namespace json = base::json;

/// All states of a page together, and what is looked at in them.
constexpr std::size_t max_state_bytes = 4 << 20, max_state_values = 100'000;
constexpr std::size_t max_parts = 20;
/// A text is prose from so many bytes on, and no feature beyond; a title is no sentence.
constexpr std::size_t shortest_text = 40, longest_text = 4000, longest_heading = 80;
/// So much of two descriptions is compared: one may be shortened, or have other markup.
constexpr std::size_t telling_prefix = 40;

constexpr std::array<std::string_view, 3> title_keys = {"title", "name", "heading"};
constexpr std::array<std::string_view, 5> text_keys = {"description", "descriptionHtml",
                                                       "body_html", "text", "content"};
/// What has one of these can be bought or opened by itself: another product, a variant, a link.
constexpr std::array<std::string_view, 9> keys_of_others = {
    "price", "sku", "handle", "slug", "url", "href", "link", "product", "author"};
/// Members that hold other things than the product's properties, by parts of their names.
constexpr std::array<std::string_view, 14> side_members = {
    "image",  "media",  "video",    "swatch", "variant",    "related", "recommend",
    "review", "rating", "shipping", "return", "breadcrumb", "seo",     "navigation"};

template <std::size_t N>
std::string_view first_text(const json::value& object,
                            const std::array<std::string_view, N>& keys) {
  for (const auto key : keys) {
    const auto found = base::trim(base::view_of(base::member(object, key)));
    if (!found.empty()) return found;
  }
  return {};
}

std::string plain(std::string_view text) {
  const auto decoded = html::decode_entities(text);
  const bool markup = decoded.find('<') != std::string::npos;
  return base::collapse_spaces(markup ? html::plain_text(decoded) : decoded);
}

bool is_side_member(std::string_view key) {
  return contains_any(base::to_lower_ascii(key), side_members);
}

class state_reader {
 public:
  explicit state_reader(const metadata& about)
      : name_(base::fold(about.declared_title)),
        description_(plain(about.product).substr(0, telling_prefix)) {}

  /// Whether the product was found.
  bool read(const json::value& state) {
    const auto* product = find_product(state);
    if (product == nullptr) return false;
    collect(*product);
    return true;
  }
  [[nodiscard]] std::vector<product_part> take() { return std::move(parts_); }

 private:
  [[nodiscard]] bool is_product(const json::value& object) const {
    const auto text = first_text(object, text_keys);
    if (text.size() < shortest_text) return false;
    const auto name = first_text(object, title_keys);
    if (!name_.empty() && name.size() <= longest_text && base::fold(plain(name)) == name_) {
      return true;
    }
    return description_.size() >= telling_prefix &&
           plain(text.substr(0, longest_text)).starts_with(description_);
  }

  /// The outermost one; what is pushed first is looked at last.
  const json::value* find_product(const json::value& state) {
    std::vector<const json::value*> open = {&state};
    while (!open.empty() && seen_ < max_state_values) {
      const auto& one = *open.back();
      open.pop_back();
      ++seen_;
      if (one.is_object() && is_product(one)) return &one;
      const auto& members = base::object_of(one);
      for (auto at = members.end(); at != members.begin();) open.push_back(&(--at)->value());
      const auto& elements = base::array_of(one);
      for (auto at = elements.end(); at != elements.begin();) open.push_back(&*--at);
    }
    return nullptr;
  }

  void collect(const json::value& product) {
    std::vector<const json::value*> open = {&product};
    while (!open.empty() && seen_ < max_state_values && parts_.size() < max_parts) {
      const auto& one = *open.back();
      open.pop_back();
      ++seen_;
      if (one.is_object() && &one != &product && is_another(one)) continue;
      if (one.is_object()) add(one, &one == &product);
      const auto& members = base::object_of(one);
      for (auto at = members.end(); at != members.begin();) {
        --at;
        if (is_side_member(at->key())) continue;
        if (at->value().is_object() || at->value().is_array()) open.push_back(&at->value());
      }
      const auto& elements = base::array_of(one);
      for (auto at = elements.end(); at != elements.begin();) open.push_back(&*--at);
    }
  }

  [[nodiscard]] static bool is_another(const json::value& object) {
    return std::ranges::any_of(
        keys_of_others, [&](std::string_view key) { return !base::member(object, key).is_null(); });
  }

  void add(const json::value& object, bool is_whole) {
    const auto text = first_text(object, text_keys);
    const auto title = first_text(object, title_keys);
    if (text.size() < shortest_text || text.size() > longest_text) return;
    if (!is_whole && (title.empty() || title.size() > longest_heading)) return;
    parts_.push_back({is_whole ? std::string() : std::string(title), std::string(text)});
  }

  std::string name_, description_;
  std::vector<product_part> parts_;
  std::size_t seen_ = 0;
};

bool is_state(const html::document& page, html::node_id id) {
  return page.is_element(id, html::tag_id::script) && page.at(id).first_child != html::none &&
         base::equals_ignoring_ascii_case(base::trim(page.attribute_of(id, "type")),
                                          "application/json");
}

}  // namespace

std::vector<product_part> read_product_state(const html::document& page, const metadata& about) {
  state_reader reader(about);
  std::size_t bytes = 0;
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (!is_state(page, id)) continue;
    const std::string_view text = page.at(page.at(id).first_child).text;
    bytes += text.size();
    if (bytes > max_state_bytes) break;
    const auto state = base::parse_json(base::trim(text));
    if (state && reader.read(*state)) break;
  }
  return reader.take();
}

}  // namespace freshet::markdown
