// What animations leave behind when they are over, and what they say as long as they run: a step of
// one is declarations like others, but for those that are important.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <cmath>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/style.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

/// Nobody waits for so long.
constexpr double endless_s = 100;

/// "1s", "20ms".
std::optional<double> seconds_in(std::string_view word) noexcept {
  const auto number = base::take_number<double>(word);
  if (!number || (!is_named(word, "s") && !is_named(word, "ms"))) return std::nullopt;
  return is_named(word, "ms") ? *number / 1000 : *number;
}

/// How one runs.
struct animation_run {
  bool is_reversed = false, alternates = false, is_endless = false, stands = false;
  bool stays = false, is_there_before = false;
  double count = 1, delay_s = 0;

  void take_fill(std::string_view word) noexcept {
    stays |= is_one_of(word, {"forwards", "both"});
    is_there_before |= is_one_of(word, {"backwards", "both"});
  }
  /// Whether its end is that of the last of its rounds, and not in the middle of one.
  [[nodiscard]] bool is_whole() const noexcept { return count == std::floor(count); }
  /// Whether the step that is left is the first one.
  [[nodiscard]] bool ends_at_first() const noexcept {
    if (count == 0) return !is_reversed;
    const bool turns = alternates && std::fmod(count, 2) == 0;
    return is_reversed != turns;
  }
};

animation_run run_of(std::string_view animation) noexcept {
  animation_run run;
  bool has_duration = false;
  for (const auto word : parts_of(animation, css_spaces)) {
    run.take_fill(word);
    run.is_reversed |= is_one_of(word, {"reverse", "alternate-reverse"});
    run.alternates |= is_one_of(word, {"alternate", "alternate-reverse"});
    run.is_endless |= is_named(word, "infinite");
    run.stands |= is_named(word, "paused");
    if (const auto time = seconds_in(word)) {
      if (has_duration) run.delay_s = *time;
      if (!has_duration) run.is_endless |= *time >= endless_s;
      has_duration = true;
    } else if (base::is_digit(word.front()) || word.front() == '.') {
      auto rest = word;
      const auto count = base::take_number<double>(rest);
      if (count && rest.empty()) run.count = *count;
    }
  }
  return run;
}

/// A name may be written as a string.
std::string_view plain_name(std::string_view name) noexcept {
  const bool is_string = name.size() > 2 && (name.front() == '"' || name.front() == '\'');
  return is_string && name.back() == name.front() ? name.substr(1, name.size() - 2) : name;
}

}  // namespace

void style_rules::read_animations() {
  for (const auto& [name, body] : sheets_.animations()) {
    animation_steps steps;
    steps.always = ~property_set{0};
    std::size_t at = 0;
    while (at < body.size()) {
      const auto open = body.find('{', at);
      if (open == body.npos) break;
      const auto end = end_of_block(body, open + 1);
      const auto step = body.substr(open + 1, end - open - 1);
      auto says = summary_of(step);
      if (hides_by_color(says)) says.hides |= says.declares & colors;
      steps.always &= says.hides;
      for (const auto when : parts_of(body.substr(at, open - at), ",")) {
        if (is_one_of(when, {"to", "100%"})) steps.last = step;
        if (is_one_of(when, {"from", "0%"})) steps.first = step;
        if (!is_one_of(when, {"to", "100%", "from", "0%"})) continue;
        steps.declares |= says.declares;
        steps.hides |= says.hides;
      }
      at = end + 1;
    }
    if (steps.first.empty() || steps.last.empty()) steps.always = 0;
    // One that is said again is another.
    if (steps.declares != 0) animations_[plain_name(name)] = steps;
  }
}

property_set style_rules::hidden_by_animations(std::string_view declarations) const {
  property_set hides = 0;
  if (animations_.empty()) return hides;
  while (const auto one = take_declaration(declarations)) {
    const bool is_all = is_one_of(one->name, {"animation", "-webkit-animation"});
    if (!is_all && property_named(one->name) != property::animation) continue;
    if (has_variable(one->value)) {
      for (const auto& [name, steps] : animations_) hides |= steps.hides;
    }
    for (const auto part : parts_of(one->value, " ,\t\n\r\f")) {
      const auto found = animations_.find(plain_name(part));
      if (found != animations_.end()) hides |= found->second.hides;
    }
  }
  return hides;
}

/// The step of an animation that is seen for good; null for none.
const std::string_view* style_rules::lasting_step(std::string_view animation,
                                                  std::optional<std::string_view> fill) const {
  for (const auto word : parts_of(animation, css_spaces)) {
    const auto found = animations_.find(plain_name(word));
    if (found == animations_.end()) continue;
    const auto& steps = found->second;
    auto run = run_of(animation);
    if (fill) {
      run.stays = run.is_there_before = false;
      for (const auto each : parts_of(*fill, " ,\t\n\r\f")) run.take_fill(each);
    }
    const auto* const begin = run.is_reversed ? &steps.last : &steps.first;
    if (run.delay_s >= endless_s) return run.is_there_before ? begin : nullptr;
    if (run.stands) return begin;
    if (run.is_endless) return steps.always != 0 ? &steps.last : nullptr;
    if (!run.stays || !run.is_whole()) return nullptr;
    return run.ends_at_first() ? &steps.first : &steps.last;
  }
  return nullptr;
}

/// What is left when animations are over wins over all that is not important.
void style_rules::end_animations(cascade& style, property_set asked, html::node_id id,
                                 std::size_t screen) {
  constexpr std::uint64_t weight = (std::uint64_t{1} << 63) - 1;
  auto value = style.of(property::animation);
  if (animations_.empty() || value.empty()) return;
  if (has_variable(value)) value = resolved(value, id, screen);
  // A shorthand says of each how it fills.
  const auto said = style.of(property::animation_fill);
  std::optional<std::string_view> fill;
  if (said != style.of(property::animation)) {
    fill = has_variable(said) ? resolved(said, id, screen) : said;
  }
  std::vector<declaration> last;
  for (const auto one : parts_of(value, ",")) {
    const auto* const step = lasting_step(one, fill);
    if (step != nullptr) read_declarations(*step, last);
  }
  for (const auto& one : last) {
    if (!one.important && (bit_of(one.of) & asked) != 0) style.add(one, weight, no_selector);
  }
}

}  // namespace freshet::markdown
