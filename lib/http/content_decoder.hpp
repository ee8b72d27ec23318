// Undoes the coding of an answer's body, a piece at a time, and knows whether its end has come:
// curl's own decoders take what breaks off for the whole.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace freshet::http {

/// The codings that can be undone, as Accept-Encoding has them. Not zstd: its windows take memory
/// before a byte has come out that could be counted.
inline constexpr std::string_view decodable_codings = "gzip, deflate, br";

class content_decoder {
 public:
  content_decoder() noexcept;
  ~content_decoder();

  /// Forgets the body before. Of a coding that cannot be undone every byte is broken; a name of no
  /// coding changes nothing.
  void begin(std::string_view coding);
  /// As it was made: what comes is taken as it is.
  void clear() noexcept;

  [[nodiscard]] bool is_coded() const noexcept { return kind_ != kind::none; }
  /// The next bytes of the body, which must stay until next() has given nothing.
  void feed(std::string_view packed) noexcept { packed_ = packed; }
  /// What comes out next, in `room`; "" when more has to be fed; null: it is not packed so. Throws
  /// std::bad_alloc.
  [[nodiscard]] std::optional<std::string_view> next(std::span<char> room);
  /// Whether what was fed is whole; so is nothing at all.
  [[nodiscard]] bool is_whole() const noexcept { return !is_begun_ || is_ended_; }

 private:
  enum class kind : unsigned char { none, gzip, deflate, brotli, unknown };
  struct state;

  [[nodiscard]] bool is_raw_deflate() const noexcept;
  [[nodiscard]] std::optional<std::string_view> inflate(std::span<char> room);
  [[nodiscard]] std::optional<std::string_view> inflate_some(std::string_view& given,
                                                             std::span<char> room);
  [[nodiscard]] std::optional<std::string_view> decode_brotli(std::span<char> room);
  [[nodiscard]] bool skip_trailer() noexcept;

  kind kind_ = kind::none;
  bool is_begun_ = false, is_ended_ = false, is_raw_ = false;
  std::size_t trailer_bytes_ = 0;
  std::string head_;  ///< of deflate, until it says of which of two kinds it is
  std::string_view packed_;
  std::unique_ptr<state> state_;
};

}  // namespace freshet::http
