// Cascade layers: rules of a later one win over those of an earlier one, and those of none over
// all.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace freshet::markdown {

inline constexpr std::uint16_t no_layer = 0;

class sheet_layers {
 public:
  /// The layer of a name ("a.b") inside of another, made where there is none yet; without a name
  /// always a new one. Beyond a bound all are the same.
  [[nodiscard]] std::uint16_t at(std::string_view name, std::uint16_t outer);
  /// How strong each is, by its number: a bit less than `most_ranks`.
  static constexpr std::uint64_t most_ranks = 512;
  [[nodiscard]] std::vector<std::uint16_t> ranks() const;

 private:
  struct layer {
    std::string_view name;
    std::uint16_t outer = no_layer;
  };
  [[nodiscard]] std::uint16_t one_at(std::string_view name, std::uint16_t outer);

  std::vector<layer> layers_;  ///< by number, less one
};

}  // namespace freshet::markdown
