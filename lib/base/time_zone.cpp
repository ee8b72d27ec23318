// ICU's TimeZone behind our own type. ICU takes abbreviations and made-up offsets for zones too;
// we do not.
#include <unicode/timezone.h>
#include <base/late_library.hpp>
#include <base/time_zone.hpp>

// As compilers spell them: ICU's namespace has the number of its version.
#define ICU_TIME_ZONE(rest) "_ZN6icu_" FRESHET_TEXT_OF(U_ICU_VERSION_MAJOR_NUM) "8TimeZone" rest

namespace freshet::base {
namespace {

using canonical_id_finder = icu::UnicodeString&(const icu::UnicodeString&, icu::UnicodeString&,
                                                UBool&, UErrorCode&);
using zone_maker = icu::TimeZone*(const icu::UnicodeString&);

/// What is used of ICU's TimeZone beside what a zone does by itself; null where it is not there.
struct zone_functions {
  canonical_id_finder* find_canonical_id = icu_i18n().find<canonical_id_finder>(
      ICU_TIME_ZONE("14getCanonicalIDERKNS_13UnicodeStringERS1_RaR10UErrorCode"));
  zone_maker* make =
      icu_i18n().find<zone_maker>(ICU_TIME_ZONE("14createTimeZoneERKNS_13UnicodeStringE"));

  static const zone_functions& known() {
    static const zone_functions all;
    return all;
  }
};

}  // namespace

struct time_zone::rules {
  std::unique_ptr<const icu::TimeZone> zone;  // null: UTC, without ICU
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
  const zone_functions& icu_has = zone_functions::known();
  if (icu_has.find_canonical_id == nullptr || icu_has.make == nullptr) return std::nullopt;
  icu_has.find_canonical_id(id, canonical, is_known, failed);
  if (U_FAILURE(failed) || is_known == 0) return std::nullopt;
  auto made = std::make_shared<rules>();
  made->zone.reset(icu_has.make(id));
  if (made->zone == nullptr) return std::nullopt;
  return time_zone(std::move(made));
}

time_zone time_zone::utc() { return time_zone(std::make_shared<rules>()); }

std::chrono::sys_days time_zone::day_of(time_point at) const {
  if (rules_->zone == nullptr) return std::chrono::floor<std::chrono::days>(at);
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
