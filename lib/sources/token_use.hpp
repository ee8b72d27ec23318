// A call that needs a token first: its plan() asks for one with keep_for, so that lib/http gives it
// again from call to call; read() goes on with it, and once more with a new one if it is refused.
// The state of each follow says where the call stands. Values only; what a token's answer looks
// like is each source's own affair.
#pragma once

#include <http/message.hpp>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources {

/// Whose answer a read() has before it.
struct token_use {
  bool has_answer = false;  ///< of the request that carried `token`; else of the token's own
  bool is_renewed = false;  ///< the first token has been refused: there is no third
  std::string token;
};

/// Of a state that begin_use() or renew_token() made; "" is the token's first answer.
[[nodiscard]] token_use token_use_of(std::string_view state);

/// Whether `text` can be a token: printable, without spaces, of a sensible length.
[[nodiscard]] bool is_token(std::string_view text) noexcept;

/// `request` with the token as its bearer: not cached, and not sent on to another address.
[[nodiscard]] follow use_token(http::request request, std::string_view token, const token_use& now);

/// What to do about an answer that refuses the token: the token's request again (`ask`, as plan()
/// makes it). Null if the new one has been refused too.
[[nodiscard]] std::optional<follow> renew_token(http::request ask, const token_use& now);

}  // namespace freshet::sources
