// The pseudo-classes that are known by their name alone, and the attributes that are compared in
// any case. Shared by the files of the selectors only.
#pragma once

#include <array>
#include <html/select/selector_program.hpp>
#include <optional>
#include <string_view>

namespace freshet::html {

/// A pseudo-class and what it tests.
struct named_state {
  std::string_view name;
  simple_type type;
};

inline constexpr std::array<named_state, 42> known_states = {
    {{"root", simple_type::root},
     {"scope", simple_type::root},
     {"empty", simple_type::empty},
     {"only-child", simple_type::only_child},
     {"only-of-type", simple_type::only_of_type},
     {"link", simple_type::link},
     {"any-link", simple_type::link},
     {"enabled", simple_type::enabled},
     {"disabled", simple_type::disabled},
     {"checked", simple_type::checked},
     {"visited", simple_type::never},
     {"hover", simple_type::never},
     {"active", simple_type::never},
     {"focus", simple_type::never},
     {"target", simple_type::never},
     {"indeterminate", simple_type::indeterminate},
     {"valid", simple_type::valid},
     {"invalid", simple_type::invalid},
     {"in-range", simple_type::in_range},
     {"out-of-range", simple_type::out_of_range},
     {"required", simple_type::required},
     {"optional", simple_type::optional},
     {"default", simple_type::chosen_first},
     {"focus-within", simple_type::never},
     {"focus-visible", simple_type::never},
     {"target-within", simple_type::never},
     {"popover-open", simple_type::never},
     {"modal", simple_type::never},
     {"fullscreen", simple_type::never},
     {"-webkit-full-screen", simple_type::never},
     {"window-inactive", simple_type::never},
     {"target-current", simple_type::never},
     {"xr-overlay", simple_type::never},
     {"autofill", simple_type::never},
     {"-webkit-autofill", simple_type::never},
     {"picture-in-picture", simple_type::never},
     {"user-valid", simple_type::never},
     {"user-invalid", simple_type::never},
     {"defined", simple_type::defined},
     {"open", simple_type::open},
     {"placeholder-shown", simple_type::placeholder_shown},
     {"read-write", simple_type::read_write}}};

inline constexpr std::array<named_state, 4> counting_classes = {
    {{"nth-child", simple_type::nth_child},
     {"nth-last-child", simple_type::nth_last_child},
     {"nth-of-type", simple_type::nth_of_type},
     {"nth-last-of-type", simple_type::nth_last_of_type}}};

/// :first-child and its kin are formulas with a fixed b.
inline constexpr std::array<named_state, 4> place_classes = {
    {{"first-child", simple_type::nth_child},
     {"last-child", simple_type::nth_last_child},
     {"first-of-type", simple_type::nth_of_type},
     {"last-of-type", simple_type::nth_last_of_type}}};

template <std::size_t N>
[[nodiscard]] std::optional<simple_type> find_state(const std::array<named_state, N>& list,
                                                    std::string_view name) {
  for (const auto& one : list) {
    if (one.name == name) return one.type;
  }
  return std::nullopt;
}

/// Attributes whose values HTML compares in any case; sorted.
inline constexpr auto any_case_attributes = std::to_array<std::string_view>(
    {"accept",     "accept-charset", "align",     "alink",    "axis",     "bgcolor", "charset",
     "checked",    "clear",          "codetype",  "color",    "compact",  "declare", "defer",
     "dir",        "direction",      "disabled",  "enctype",  "face",     "frame",   "hreflang",
     "http-equiv", "lang",           "language",  "link",     "media",    "method",  "multiple",
     "nohref",     "noresize",       "noshade",   "nowrap",   "readonly", "rel",     "rev",
     "rules",      "scope",          "scrolling", "selected", "shape",    "target",  "text",
     "type",       "valign",         "valuetype", "vlink"});

}  // namespace freshet::html
