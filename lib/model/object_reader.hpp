// Reads one JSON object that a remote Freshet wrote: absent and null members are what a source did
// not say, unknown ones are from a newer server, and a member of the wrong type is a failure that
// is noted once and told at the end.
#pragma once

#include <base/json.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::model {

/// Must not outlive the value it reads or the string that takes the first problem.
class object_reader {
 public:
  object_reader(const boost::json::value& value, std::string& problem);

  [[nodiscard]] std::string text(std::string_view name);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name);
  [[nodiscard]] std::optional<double> number(std::string_view name);
  [[nodiscard]] std::optional<bool> flag(std::string_view name);
  [[nodiscard]] std::optional<time_point> time(std::string_view name);
  [[nodiscard]] std::vector<std::string> strings(std::string_view name);
  /// Whatever it is, as JSON.
  [[nodiscard]] json_text any(std::string_view name);
  /// An object inside; absent reads as one without members.
  [[nodiscard]] object_reader object(std::string_view name);
  /// The elements of a list, or none.
  [[nodiscard]] const boost::json::array& list(std::string_view name);
  /// Whether the member is there and not null.
  [[nodiscard]] bool has(std::string_view name) const;

  /// Notes a problem unless there is one already.
  void fail(std::string_view name, std::string_view text);
  [[nodiscard]] std::string& problem() const noexcept { return problem_; }

 private:
  [[nodiscard]] const boost::json::value* find(std::string_view name) const;
  /// Null where the member is absent, or is no `kind`, which fails.
  template <class Value>
  [[nodiscard]] std::optional<Value> read(std::string_view name, std::string_view kind,
                                          std::optional<Value> (*of)(const boost::json::value&));

  const boost::json::value& from_;
  std::string& problem_;
};

}  // namespace freshet::model
