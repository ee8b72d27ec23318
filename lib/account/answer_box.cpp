// A sealed body begins with how many bytes it has when it is inflated, in decimal digits, and a
// space.
#include <account/answer_box.hpp>
#include <base/sealing.hpp>
#include <charconv>
#include <exception>

namespace freshet::account {
namespace {

/// Beyond what any answer has: a bound for what a stored length may claim.
constexpr std::size_t max_body = 256 << 20;

base::sha256_digest key_of(const answer_owner& of) {
  return base::hmac_sha256(
      of.pepper, "answer of " + std::to_string(of.account_id) + " to " + std::string(of.key));
}

/// What stands beside the body and must not be changed, either.
std::string context_of(const stored_answer& answer) {
  return answer.fingerprint + "\n" + std::to_string(answer.status) + "\n" + answer.content_type +
         "\n" + std::to_string(answer.data_offset) + "\n" + std::to_string(answer.data_size);
}

std::optional<std::string> inflate(std::string_view text) {
  std::size_t size = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), size);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (wrong != std::errc() || size > max_body || digits == text.size()) return std::nullopt;
  return base::inflate_to(text.substr(digits + 1), size);
}

}  // namespace

stored_answer put_away(const answer_owner& owner, stored_answer answer) {
  answer.is_kept = false;
  try {
    if (const auto deflated = base::deflate_within(answer.body, max_kept_answer)) {
      const std::string text = std::to_string(answer.body.size()) + " " + *deflated;
      answer.body = base::seal(key_of(owner), context_of(answer), text);
      answer.is_kept = true;
    }
  } catch (const std::exception&) {
    // No memory, or no random bytes: the charge must not fail for it.
  }
  if (!answer.is_kept) answer.body = std::string();
  return answer;
}

result<stored_answer> take_out(const answer_owner& owner, sealed_answer stored) {
  stored_answer& answer = stored.answer;
  answer.is_kept = stored.form != answer_form::not_kept;
  if (stored.form != answer_form::sealed) return std::move(answer);
  const auto text = base::unseal(key_of(owner), context_of(answer), answer.body);
  auto body = text ? inflate(*text) : std::nullopt;
  if (!body) return error(errc::storage_unavailable, "the answer that was kept cannot be read");
  answer.body = std::move(*body);
  return std::move(answer);
}

}  // namespace freshet::account
