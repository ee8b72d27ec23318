// Which requests are equal, how long an answer is given again, and when it is forgotten before.
#include <algorithm>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <http/kept_answers.hpp>
#include <utility>

namespace freshet::http {
namespace {

/// Digested, so that no credential lies about in a key.
std::string token_key(const request& what) {
  std::string text = what.chosen_by == target_choice::configuration ? "o" : "";
  text += what.method + ' ' + what.url;
  for (const header& each : what.headers) {
    text.append(1, '\n').append(base::to_lower_ascii(each.name)).append(1, ':').append(each.value);
  }
  text.append("\n\n").append(what.body);
  return std::string(base::as_text(base::sha256(text)));
}

std::chrono::seconds lifetime_of(const request& request, const response& got) {
  if (got.body.size() > max_kept_body) return std::chrono::seconds(0);
  const auto wanted = std::min(request.keep_for, longest_kept);
  if (got.status >= 200 && got.status < 300) return wanted;
  const bool is_refusal = got.status == 400 || got.status == 401 || got.status == 403;
  return is_refusal ? std::min(wanted, refusal_kept) : std::chrono::seconds(0);
}

bool holds_refused(const request& request, const response& got) {
  return !request.refused.empty() && got.body.find(request.refused) != std::string::npos;
}

}  // namespace

std::uint64_t kept_answers::submit(request&& wanted, deadline deadline, handler done) {
  if (wanted.keep_for.count() <= 0)
    return next_.submit(std::move(wanted), deadline, std::move(done));
  std::string key = token_key(wanted);
  if (const response* kept = look_up(key, wanted)) {
    response copy = *kept;
    copy.cache = cache_state::hit;
    copy.elapsed = std::chrono::milliseconds(0);
    done(std::move(copy));
    return 0;
  }
  request asked = wanted;
  auto wrapped = [this, key = std::move(key), asked = std::move(asked),
                  done = std::move(done)](result<response> got) {
    if (got) store(key, asked, *got);
    done(std::move(got));
  };
  return next_.submit(std::move(wanted), deadline, std::move(wrapped));
}

const response* kept_answers::look_up(const std::string& key, const request& request) {
  const auto at = std::ranges::find(kept_, key, &entry::key);
  if (at == kept_.end()) return nullptr;
  const bool is_old = loop_.now() - at->stored >= std::min(request.keep_for, at->lifetime);
  if (is_old || holds_refused(request, at->answer)) {
    kept_.erase(at);
    return nullptr;
  }
  kept_.splice(kept_.begin(), kept_, at);
  return &kept_.front().answer;
}

void kept_answers::store(const std::string& key, const request& request, const response& got) {
  const std::chrono::seconds lifetime = lifetime_of(request, got);
  // What has just been refused is not kept for the next one.
  if (lifetime.count() <= 0 || holds_refused(request, got)) return;
  std::erase_if(kept_, [&](const entry& each) { return each.key == key; });
  kept_.push_front({key, loop_.now(), lifetime, got});
  if (kept_.size() > max_kept_answers) kept_.pop_back();
}

}  // namespace freshet::http
