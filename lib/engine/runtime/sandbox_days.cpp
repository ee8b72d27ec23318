// The days of the sandbox, and the times of items, by the table of their keys.
#include "engine/runtime/sandbox_days.hpp"

#include <base/time_text.hpp>
#include <sources/sandbox.hpp>

namespace freshet::detail {
namespace {

using std::chrono::days;

constexpr std::size_t day_size = std::string_view("2026-11-01").size();

template <class Value>
void move_value(Value& /*no time*/, days /*by*/) {}
void move_value(std::optional<time_point>& time, days days) {
  if (time) *time += days;
}

// Parts have no times; what an item and its common keys have is moved by these.
#define FRESHET_PART(name, doc) [[maybe_unused]] void move_own(name& one, days shift) {
#define FRESHET_ITEM(name, doc) void move_own(name& one, days shift) {
#define FRESHET_FIELD(type, key, presence, json, doc) move_value(one.key, shift);
#define FRESHET_END() \
  (void)one;          \
  (void)shift;        \
  }
#include <freshet/item_fields.def>

}  // namespace

result<sandbox_days> sandbox_days::of(const config& from) {
  sandbox_days made;
  const auto text = from.text("sandbox.date");
  if (text.empty()) {
    made.fixed_.reset();
    return made;
  }
  const auto day = text.size() == day_size ? base::parse_time(text) : std::nullopt;
  if (!day) {
    return error(errc::invalid_configuration,
                 "sandbox.date: '" + text + "' is no day; write it as 2026-11-01");
  }
  made.fixed_ = std::chrono::floor<days>(*day - std::chrono::floor<days>(sources::sandbox_now));
  return made;
}

days sandbox_days::at(time_point now) const {
  return fixed_ ? *fixed_ : std::chrono::floor<days>(now - sources::sandbox_now);
}

time_point sandbox_days::stand_until(time_point now) const {
  return fixed_ ? time_point::max() : sources::sandbox_now + at(now) + days(1);
}

void move_times(item& one, days shift) {
  if (shift == days(0)) return;
  std::visit(
      [shift](auto& own) {
        move_own(static_cast<item_common&>(own), shift);
        move_own(own, shift);
      },
      one);
}

void move_times(std::vector<source_report>& asked, days shift) {
  for (auto& one : asked) {
    if (one.fetched_at) *one.fetched_at += shift;
  }
}

}  // namespace freshet::detail
