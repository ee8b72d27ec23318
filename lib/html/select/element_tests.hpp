// One element against what a part of a selector asks of it: names, attributes, states, its place
// among its siblings. What stands above it is the walk's. Shared by the files of the matcher only.
#pragma once

#include <base/text_hash.hpp>
#include <base/work.hpp>
#include <cstdint>
#include <html/document.hpp>
#include <html/select/direction.hpp>
#include <html/select/selector_program.hpp>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace freshet::html {

[[nodiscard]] inline bool is_element_node(const document& document, node_id id) noexcept {
  return document.at(id).type == node_type::element;
}

/// Where elements stand among their siblings; filled parent by parent, on demand, so that each
/// parent's children are counted once.
class places {
 public:
  struct place {
    std::uint32_t from_start = 0, from_end = 0, of_type_from_start = 0, of_type_from_end = 0;
  };

  const place& of(const document& document, node_id element, base::meter& counted) {
    const auto found = places_.find(element);
    if (found != places_.end()) return found->second;
    count(document, document.at(element).parent, counted);
    return places_[element];
  }

 private:
  void count(const document& document, node_id parent, base::meter& counted) {
    constexpr std::uint64_t steps_to_keep = 16;
    std::unordered_map<std::string_view, std::uint32_t, base::text_hash> by_type;
    std::uint32_t total = 0;
    for (node_id at = document.at(parent).first_child; at != none; at = document.at(at).next) {
      counted.spend();
      if (!is_element_node(document, at)) continue;
      counted.spend(steps_to_keep);
      auto& one = places_[at];
      one.from_start = ++total;
      one.of_type_from_start = ++by_type[document.at(at).name];
    }
    for (node_id at = document.at(parent).first_child; at != none; at = document.at(at).next) {
      if (!is_element_node(document, at)) continue;
      auto& one = places_[at];
      one.from_end = total + 1 - one.from_start;
      one.of_type_from_end = by_type[document.at(at).name] + 1 - one.of_type_from_start;
    }
  }

  std::unordered_map<node_id, place> places_;
};

/// Where elements stand among those of their siblings that a formula counts by.
struct chosen_place {
  std::uint32_t from_start = 0, from_end = 0;
};
using chosen_places = std::unordered_map<node_id, chosen_place>;

/// What a test is told beside its element, and where its work is counted.
struct circumstances {
  base::meter& counted;
  places known = {};
  std::string_view language = {};  ///< of the element, its own or one from above
  std::string_view direction = left_to_right;
  std::unordered_map<const simple*, chosen_places> chosen = {};
  /// Of a :has(), all elements of the page that have it.
  std::unordered_map<const simple*, std::unordered_set<node_id>> having = {};
};

/// The value of an attribute, counted by the attributes and the bytes that are looked at.
[[nodiscard]] std::string_view read_attribute(const document& document, node_id element,
                                              std::string_view name, base::meter& counted);
[[nodiscard]] bool compound_matches(const document& document, node_id element, const compound& all,
                                    circumstances& circumstances);

}  // namespace freshet::html
