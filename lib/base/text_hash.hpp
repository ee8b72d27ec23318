// The hash of texts that others have written, as keys of tables. Strangers know std::hash, and can
// make tens of thousands of names, links or addresses with one hash in half a minute: a table of
// them is a list. This one has a key of the process, which nobody sees; so has the order of what
// such a table gives, which nothing may depend on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace freshet::base {

using hash_key = std::array<std::uint64_t, 2>;

/// SipHash-1-3.
[[nodiscard]] std::uint64_t sip_hash(std::string_view text, const hash_key& key) noexcept;

/// For std::unordered_map and std::unordered_set.
struct text_hash {
  /// Not noexcept, so that the tables keep what it gives: it costs more than to read that.
  [[nodiscard]] std::size_t operator()(std::string_view text) const;
};

}  // namespace freshet::base
