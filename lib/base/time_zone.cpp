// ICU's TimeZone behind our own type. ICU takes abbreviations and made-up offsets for zones too;
// we do not.
#include <unicode/timezone.h>
#include <base/time_zone.hpp>

namespace freshet::base {

struct time_zone::rules {
  std::unique_ptr<const icu::TimeZone> zone;
};

std::optional<time_zone> time_zone::find(std::string_view name) {
  constexpr std::size_t longest = 64;
  if (name.size() > longest || name == "Etc/Unknown") return std::nullopt;
  if (name != "UTC" && name.find('/') == std::string_view::npos) return std::nullopt;
  // ICU reads on to the first NUL, and what is no letter of a name is none of ours.
  for (const char c : name)
    if (c <= ' ' || c > '~') return std::nullopt;
  const auto id = icu::UnicodeString::fromUTF8(
      icu::StringPiece(name.data(), static_cast<std::int32_t>(name.size())));
  icu::UnicodeString canonical;
  UBool is_known = 0;
  UErrorCode failed = U_ZERO_ERROR;
  icu::TimeZone::getCanonicalID(id, canonical, is_known, failed);
  if (U_FAILURE(failed) || is_known == 0) return std::nullopt;
  auto made = std::make_shared<rules>();
  made->zone.reset(icu::TimeZone::createTimeZone(id));
  if (made->zone == nullptr) return std::nullopt;
  return time_zone(std::move(made));
}

time_zone time_zone::utc() {
  auto made = std::make_shared<rules>();
  made->zone.reset(icu::TimeZone::getGMT()->clone());
  return time_zone(std::move(made));
}

std::chrono::sys_days time_zone::day_of(time_point at) const {
  std::int32_t offset_ms = 0, saving_ms = 0;
  UErrorCode failed = U_ZERO_ERROR;
  const auto utc_ms = at.time_since_epoch().count();
  rules_->zone->getOffset(static_cast<UDate>(utc_ms), 0, offset_ms, saving_ms, failed);
  // Only a moment that no double can tell fails here, and no ledger has one.
  if (U_FAILURE(failed)) offset_ms = saving_ms = 0;
  return std::chrono::floor<std::chrono::days>(at + std::chrono::milliseconds(offset_ms) +
                                               std::chrono::milliseconds(saving_ms));
}

}  // namespace freshet::base
