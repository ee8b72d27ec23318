// Addresses of this server for the pictures of an answer. Only who holds the session that received
// the answer can use them, and nobody can make one: they carry a signature over the session. Those
// of an example, which whoever asks receives, are for whoever asks.
#pragma once

#include <freshet/response.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::detail {

/// A value. Thread-safe.
class picture_addresses {
 public:
  /// In the place of a session, for answers to the catalogue's examples: whoever sees one may see
  /// its pictures, which the sandbox draws. No session is called so.
  static constexpr std::string_view whoever = "example of the sandbox";

  explicit picture_addresses(std::string secret) : secret_(std::move(secret)) {}

  struct picture {
    std::string url;
    bool is_sandboxed = false;  ///< of an answer of the sandbox
  };
  /// What stands behind `/dashboard/api/picture/`.
  [[nodiscard]] std::string sign(std::string_view session, const picture& picture) const;
  /// Null: it was not signed for this session.
  [[nodiscard]] std::optional<picture> read(std::string_view session, std::string_view name) const;
  /// Adds `pictures` to an answer that a session receives: the address here by that of the source.
  void add_to(response& made, std::string_view session, bool is_sandboxed) const;

 private:
  [[nodiscard]] std::string signature(std::string_view session, const picture& picture) const;

  std::string secret_;
};

}  // namespace freshet::detail
