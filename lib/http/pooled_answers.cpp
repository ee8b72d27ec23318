// Which requests are looked for, how an answer is written into bytes, and who waits for whom.
#include <algorithm>
#include <base/digest.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <http/freshness.hpp>
#include <http/pooled_answers.hpp>
#include <new>
#include <utility>

namespace freshet::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// How long another server's answer is waited for, at most, and never longer than half of the time
/// that there is; and how often it is looked for meanwhile.
constexpr milliseconds longest_wait_for_others{2'500}, look_pause{40};
/// No answer is kept longer, whatever its server says.
constexpr milliseconds longest_pooled{3'600'000};
/// What the bytes begin with: a version that does not know another's does not read them.
constexpr std::string_view bytes_form = "answer 1\n";

/// With these the cache asks whether what it has is good still: a whole answer says so, too.
constexpr std::string_view validators[] = {"if-none-match", "if-modified-since"};

bool is_looked_for(const request& what) {
  if (what.truncate_body || what.keep_for.count() > 0 || what.on_body) return false;
  if (what.max_age && what.max_age->count() <= 0) return false;
  return takes_kept_answers(what);
}

/// All that an answer may depend on. A digest under the servers' secret: no address and no
/// credential stands in the pool, and nobody else can tell what is kept.
std::string pool_key(const request& wanted, std::string_view secret) {
  std::string text = wanted.url;
  for (const header& each : wanted.headers) {
    const std::string name = base::to_lower_ascii(each.name);
    if (std::ranges::find(validators, name) != std::end(validators)) continue;
    text.append(1, '\n').append(name).append(1, ':').append(each.value);
  }
  text.append("\n\n").append(std::to_string(wanted.body_limit));
  text.append(1, '\n').append(std::to_string(wanted.redirect_limit));
  text += wanted.obey_robots ? "\nr" : "\n";
  text += wanted.chosen_by == target_choice::configuration ? "o" : "";
  text.append(1, '\n').append(wanted.pace_key);
  return base::hex(base::as_text(base::hmac_sha256(secret, text)));
}

bool is_one_line(std::string_view text) {
  return text.find_first_of("\r\n") == std::string_view::npos;
}

/// "" where it cannot be written.
std::string as_bytes(const response& got) {
  std::string out(bytes_form);
  out += std::to_string(got.status) + '\n' + got.final_url + '\n';
  for (const header& each : got.headers) {
    if (!is_one_line(each.name) || !is_one_line(each.value) || each.name.empty()) return {};
    out.append(each.name).append(1, ':').append(each.value).append(1, '\n');
  }
  if (!is_one_line(got.final_url)) return {};
  return out.append(1, '\n').append(got.body);
}

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::optional<response> read_bytes(std::string_view text) {
  if (!text.starts_with(bytes_form)) return std::nullopt;
  text.remove_prefix(bytes_form.size());
  const auto status = base::parse_number<int>(take_line(text), 100, 599);
  if (!status) return std::nullopt;
  response made;
  made.status = *status;
  made.final_url = take_line(text);
  while (!text.empty() && text.front() != '\n') {
    const auto line = take_line(text);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    made.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(line.substr(colon + 1))});
  }
  if (text.empty()) return std::nullopt;
  made.body = text.substr(1);
  return made;
}

bool varies_by_all(const headers& in) {
  return std::ranges::any_of(in, [](const header& each) {
    return base::equals_ignoring_ascii_case(each.name, "Vary") &&
           each.value.find('*') != std::string::npos;
  });
}

/// As the cache judges; null if it may not be kept.
std::optional<answer_to_keep> judge_answer(const request& asked, const response& got,
                                           time_point now) {
  const cache_directives said = read_cache_control(got.headers);
  if (!is_cacheable_status(got) || said.no_store || said.no_cache || is_personal(asked, said) ||
      varies_by_all(got.headers) || !got.warnings.empty() || got.rendered)
    return std::nullopt;
  answer_to_keep made;
  made.lifetime = freshness_lifetime(asked, got, now);
  made.age = age_on_arrival(got.headers, now);
  made.is_strict = said.must_revalidate;
  milliseconds until = made.lifetime;
  if (asked.max_age && !made.is_strict) until = std::max<milliseconds>(until, *asked.max_age);
  made.kept_for = std::min(until - made.age, longest_pooled);
  if (made.kept_for < seconds(1)) return std::nullopt;
  return made;
}

}  // namespace

pooled_answers::pooled_answers(transport& next, scheduler& loop, const base::clock& clock,
                               answer_pool& pool, std::string secret)
    : next_(next),
      loop_(loop),
      clock_(clock),
      pool_(pool),
      secret_(std::move(secret)),
      tokens_(base::hex(base::random_bytes(8)) + "-") {}

std::uint64_t pooled_answers::submit(request&& wanted, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  pending_request fresh;
  fresh.by = deadline;
  const auto now = loop_.now();
  if (is_looked_for(wanted) && deadline > now) {
    fresh.key = pool_key(wanted, secret_);
    fresh.token = tokens_ + std::to_string(ticket);
    fresh.waits_until =
        now + std::min<scheduler::time::duration>(longest_wait_for_others, (deadline - now) / 2);
  }
  fresh.what = std::move(wanted);
  const bool has_key = !fresh.key.empty();
  requests_.add(ticket, std::move(done), std::move(fresh));
  if (has_key) {
    look(ticket);
  } else {
    fetch(ticket);
  }
  return ticket;
}

void pooled_answers::look(std::uint64_t ticket) {
  pending_request& one = requests_.at(ticket);
  one.at = stage::asking;
  answer_question asked{one.key, one.token, one.what.max_age};
  const bool is_asked =
      pool_.find(asked, [this, ticket, asked](std::optional<pooled_answer> found) {
        try {
          loop_.post([this, ticket, asked, found = std::move(found)]() mutable {
            hear(ticket, asked, std::move(found));
          });
        } catch (const std::bad_alloc&) {
          // Whoever waits for it has a deadline.
        }
      });
  if (!is_asked) return fetch(ticket);
  one.timer = loop_.at(one.by, [this, ticket] {
    requests_.at(ticket).timer = 0;
    requests_.answer(ticket, error(errc::source_timeout, "the source did not answer in time"));
  });
}

void pooled_answers::hear(std::uint64_t ticket, const answer_question& asked,
                          std::optional<pooled_answer> found) {
  using state = pooled_answer::state;
  pending_request* const one = requests_.find(ticket);
  if (one == nullptr || one->at != stage::asking) {
    if (found && found->is == state::ours) pool_.leave(asked.key, asked.token, false);
    return;
  }
  loop_.drop(std::exchange(one->timer, 0));
  if (found && found->is == state::taken) return wait(ticket);
  if (found && found->is == state::kept) {
    if (auto made = read_bytes(found->bytes); made && made->body.size() <= one->what.body_limit) {
      ++hits_;
      made->cache = cache_state::hit;
      made->fetched_at = clock_.now() - found->held;
      std::erase_if(made->headers, [](const header& each) {
        return base::equals_ignoring_ascii_case(each.name, "Age");
      });
      const auto age = std::chrono::ceil<seconds>(found->age);
      made->headers.push_back({"Age", std::to_string(age.count())});
      return requests_.answer(ticket, std::move(*made));
    }
  }
  ++misses_;
  one->has_lease = found && found->is == state::ours;
  fetch(ticket);
}

void pooled_answers::wait(std::uint64_t ticket) {
  pending_request& one = requests_.at(ticket);
  const auto next = loop_.now() + look_pause;
  if (next > one.waits_until) {
    ++misses_;
    return fetch(ticket);
  }
  if (!std::exchange(one.has_waited, true)) ++waits_;
  one.at = stage::waiting;
  one.timer = loop_.at(next, [this, ticket] {
    requests_.at(ticket).timer = 0;
    look(ticket);
  });
}

void pooled_answers::fetch(std::uint64_t ticket) {
  pending_request& one = requests_.at(ticket);
  one.at = stage::fetching;
  // Of one that is not kept nobody looks at the request again.
  request wanted = one.key.empty() ? std::move(one.what) : one.what;
  const std::uint64_t inner =
      next_.submit(std::move(wanted), one.by,
                   [this, ticket](result<response>&& got) { land(ticket, std::move(got)); });
  if (pending_request* const waiting = requests_.find(ticket)) waiting->inner = inner;
}

void pooled_answers::land(std::uint64_t ticket, result<response>&& got) {
  auto ended = requests_.take(ticket);
  if (!ended) return;
  if (!ended->key.empty()) put(*ended.operator->(), got);
  ended.answer(std::move(got));
}

void pooled_answers::put(const pending_request& ended, const result<response>& got) {
  const bool is_answer = got && got->status != not_modified;
  if (is_answer && got->body.size() < pool_.max_bytes()) {
    if (auto kept = judge_answer(ended.what, *got, clock_.now())) {
      kept->key = ended.key;
      kept->bytes = as_bytes(*got);
      if (!kept->bytes.empty() && kept->bytes.size() <= pool_.max_bytes())
        return pool_.keep(std::move(*kept));
    }
  }
  const bool is_unfit = is_answer && got->status < 500;
  if (ended.has_lease) pool_.leave(ended.key, ended.token, is_unfit);
}

void pooled_answers::cancel(std::uint64_t ticket) {
  pending_request* const unwanted = requests_.find(ticket);
  if (unwanted == nullptr) return;
  if (unwanted->at == stage::fetching) return next_.cancel(unwanted->inner);
  loop_.drop(unwanted->timer);
  requests_.answer(ticket, error(errc::cancelled, "the request was cancelled"));
}

}  // namespace freshet::http
