// Time zones by their IANA names, from ICU's copy of the IANA database: which local day a moment
// falls on. It formats nothing and knows no locale.
#pragma once

#include <freshet/item.hpp>
#include <memory>
#include <optional>
#include <string_view>

namespace freshet::base {

/// A time zone. A value; copies share what is read-only, so any thread may use any copy.
class time_zone {
 public:
  /// "UTC" or a name with an area, such as "Europe/Berlin" or "Etc/GMT+3"; null for any other: an
  /// unknown name, and offsets and abbreviations, which mean different things to different people.
  [[nodiscard]] static std::optional<time_zone> find(std::string_view name);
  [[nodiscard]] static time_zone utc();

  /// The local calendar day, daylight saving time included, as the days since 1970-01-01.
  [[nodiscard]] std::chrono::sys_days day_of(time_point at) const;

 private:
  struct rules;
  explicit time_zone(std::shared_ptr<const rules> of) : rules_(std::move(of)) {}
  std::shared_ptr<const rules> rules_;
};

}  // namespace freshet::base
