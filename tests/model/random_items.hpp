// Random items of every kind, for properties that must hold for any item. Each field of the table
// is filled by its type, and by nothing more; the test seeds the generator, so that a failure can
// be repeated.
#pragma once

#include <array>
#include <base/json_writer.hpp>
#include <base/unicode.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <iterator>
#include <model/item_fields.hpp>
#include <random>
#include <string>
#include <vector>

namespace freshet::test {

class random_items {
 public:
  explicit random_items(std::uint64_t seed) : engine_(seed) {}

  item next() {
    using maker = item (random_items::*)();
    constexpr maker makers[] = {
#define FRESHET_ITEM(name, doc) &random_items::make<name>,
#include <freshet/item_fields.def>
    };
    return (this->*makers[below(std::size(makers))])();
  }

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  /// Empty, plain, with everything that JSON escapes, or beyond the basic plane.
  std::string text() {
    static const std::array<char32_t, 14> special = {U'"',   U'\\',    U'/',    U'\n', U'\t',
                                                     U'\r',  0x01,     0x1F,    0x7F,  0x2028,
                                                     0xFFFD, 0x10FFFF, 0x1F600, 0xE9};
    std::string out;
    if (once_in(4)) return out;
    const auto size = 1 + below(24);
    for (std::uint64_t at = 0; at < size; ++at) {
      const auto point =
          once_in(3) ? special[below(special.size())] : static_cast<char32_t>(U' ' + below(95));
      base::append_utf8(out, point);
    }
    return out;
  }

  std::string url() {
    return once_in(4) ? "" : "https://a.example/" + std::to_string(below(1'000'000));
  }

  count integer() {
    static const std::array<std::int64_t, 6> edges = {0,         -1,        1,
                                                      INT64_MAX, INT64_MIN, std::int64_t{1} << 53};
    if (once_in(3)) return std::nullopt;
    if (once_in(4)) return edges[below(edges.size())];
    return static_cast<std::int64_t>(below(10'000'000));
  }

  /// Thousandths, which is how finely sources give durations and ratios.
  std::optional<double> number() {
    if (once_in(3)) return std::nullopt;
    return static_cast<double>(below(100'000'000)) / 1000.0;
  }

  std::optional<bool> flag() {
    if (once_in(3)) return std::nullopt;
    return once_in(2);
  }

  std::optional<time_point> time() {
    if (once_in(4)) return std::nullopt;
    constexpr std::uint64_t end_of_9999_ms = 253'402'300'800'000;
    auto at = below(end_of_9999_ms);
    if (once_in(2)) at -= at % 1000;
    return time_point(std::chrono::milliseconds(at));
  }

  std::vector<std::string> texts() {
    std::vector<std::string> out(below(4));
    for (auto& one : out) one = text();
    return out;
  }

  /// Any JSON, at most `depth` arrays and objects deep.
  boost::json::value json_value(int depth) {
    switch (below(depth == 0 ? 4 : 6)) {
      case 0:
        return nullptr;
      case 1:
        return once_in(2);
      case 2: {
        const auto one = number();
        return one ? boost::json::value(*one) : boost::json::value(integer().value_or(0));
      }
      case 3:
        return boost::json::string(text());
      case 4: {
        boost::json::array out;
        for (auto left = below(4); left > 0; --left) out.push_back(json_value(depth - 1));
        return out;
      }
      default: {
        boost::json::object out;
        for (auto left = below(4); left > 0; --left) out[text()] = json_value(depth - 1);
        return out;
      }
    }
  }

  // One field of an item, by its type; each_field calls these.

  void operator()(auto, std::string_view key, std::string& value) {
    const bool address = key == "url" || key == "found_at" || key.ends_with("_url");
    value = address && key != "display_url" ? url() : text();
  }
  void operator()(auto, std::string_view, std::int64_t& value) {
    value = once_in(3) ? 0 : static_cast<std::int64_t>(below(100'000));
  }
  void operator()(auto, std::string_view, count& value) { value = integer(); }
  void operator()(auto, std::string_view, std::optional<double>& value) { value = number(); }
  void operator()(auto, std::string_view, double& value) { value = number().value_or(0); }
  void operator()(auto, std::string_view, std::optional<bool>& value) { value = flag(); }
  void operator()(auto, std::string_view, std::optional<time_point>& value) { value = time(); }
  void operator()(auto, std::string_view, std::vector<std::string>& value) { value = texts(); }
  void operator()(auto, std::string_view, json_text& value) {
    value.text.clear();
    base::append_json(value.text, json_value(3));
  }
  template <class Part>
  void operator()(auto, std::string_view, std::vector<Part>& value) {
    value.resize(below(3));
    for (auto& one : value) model::each_field(one, *this);
  }
  template <class Part>
  void operator()(auto, std::string_view, Part& value) {
    model::each_field(value, *this);
  }
  void object() {}
  void metrics() {}  // stand in the item, not in item_common

 private:
  template <class Item>
  item make() {
    Item made;
    model::each_field(static_cast<item_common&>(made), *this);
    model::each_field(made, *this);
    if constexpr (requires { made.metrics; }) model::each_field(made.metrics, *this);
    made.id = "source:" + std::to_string(engine_());
    made.source = "source";
    for (auto& one : made.media) one.url = "https://a.example/i";
    if constexpr (std::is_same_v<Item, web_image>) made.image_url = "https://a.example/i";
    return made;
  }

  std::mt19937_64 engine_;
};

}  // namespace freshet::test
