// A question goes the way of any call: it is planned, paced, read on a worker, and followed. Only
// what a refusal is, and for how long it holds, the suspensions say.
#include "engine/checkup/source_probes.hpp"

#include <algorithm>
#include <base/url.hpp>
#include <new>
#include <utility>

#include "engine/checkup/neutral_questions.hpp"

namespace freshet::detail {
namespace {

using std::chrono::milliseconds;

/// For a request, and for all of a question.
constexpr std::chrono::seconds time_of_request{10}, time_of_question{30};

bool can_be_asked(const sources::capability& how) {
  const auto kind = kind_of_question(how.op);
  return kind < question_kind::handle;
}

const sources::capability* askable(const sources::descriptor& source,
                                   std::optional<catalog::operation> op) {
  const auto* wanted = op ? sources::find_capability(source, *op) : nullptr;
  if (wanted != nullptr && can_be_asked(*wanted)) return wanted;
  const auto found = std::ranges::find_if(source.capabilities, can_be_asked);
  return found == source.capabilities.end() ? nullptr : &*found;
}

milliseconds least_pause(std::int64_t a_day) {
  if (a_day <= 0) return milliseconds{0};
  constexpr milliseconds day = std::chrono::hours{24};
  return day / std::max<std::int64_t>(1, a_day / source_probes::share_of_day);
}

bool is_of_one_origin(std::string_view one, std::string_view other) {
  const auto left = base::parse_url(one), right = base::parse_url(other);
  return left && right && left->origin() == right->origin();
}

}  // namespace

source_probes::source_probes(environment& live, workers& readers) : live_(live), readers_(readers) {
  for (const auto& source : live.sources) {
    const auto& of = *source.of;
    // A source whose address the call itself names stands for the whole web.
    const bool is_anywhere = of.default_base_url.empty() && of.instances_key.empty();
    const bool is_ready = source.enabled && source.missing.empty() && !of.of_archive;
    if (!is_ready || is_anywhere || askable(of, std::nullopt) == nullptr) continue;
    for (const auto& where : source.instances) {
      const bool is_one_of_many = !of.instances_key.empty();
      instances_.push_back({.source = &source,
                            .where = &where,
                            .place = is_one_of_many ? suspension_place(of, where.base_url) : "",
                            .least_pause = least_pause(source.requests_a_day)});
    }
  }
  live_.suspended->on_doubt([this](const source_doubt& about) { return look_into(about); });
}

source_probes::~source_probes() {
  live_.suspended->on_doubt(nullptr);  // and nobody is in it any more
  std::vector<std::uint64_t> tickets;
  std::unique_lock lock(mutex_);
  is_closing_ = true;
  for (const auto& one : under_way_) {
    one->work->stop();
    tickets.push_back(one->ticket);
  }
  lock.unlock();
  for (const auto ticket : tickets) live_.transport->cancel(ticket);
  lock.lock();
  ended_.wait(lock, [this] { return under_way_.empty(); });
}

source_probes::instance* source_probes::find(const source_doubt& about) {
  const auto found = std::ranges::find_if(instances_, [&](const instance& each) {
    return each.source->of == about.source && (each.place.empty() || each.place == about.place);
  });
  return found == instances_.end() ? nullptr : &*found;
}

/// Null where there is nothing to ask.
source_probes::shared_probe source_probes::begin(instance& place, const source_doubt& doubt) const {
  const auto* how = askable(*place.source->of, doubt.op);
  auto questions = neutral_questions(how->op, live_.clock->now());
  if (questions.empty()) return nullptr;
  auto work =
      std::make_shared<base::stop_token>(std::chrono::steady_clock::now() + time_of_question);
  return std::make_shared<probe>(probe{.at = place,
                                       .how = *how,
                                       .what = std::move(questions.front()),
                                       .work = std::move(work),
                                       .url = {}});
}

/// Where no memory is left it stays a doubt, and the next failure raises it again.
bool source_probes::look_into(const source_doubt& about) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    instance* const at = find(about);
    const auto now = live_.clock->steady();
    if (at == nullptr) return false;
    if (at->is_asked || now < at->well_until) return true;
    if (is_closing_ || under_way_.size() >= most_at_once || now < at->due) return false;
    if (now > at->due + at->pause) at->pause = first_pause;  // it was quiet since
    auto one = begin(*at, about);
    if (!one) return false;
    under_way_.push_back(one);
    try {
      post(
          one, [this, one] { ask(one); }, 0);
    } catch (const std::bad_alloc&) {
      under_way_.pop_back();
      return false;
    }
    at->is_asked = true;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Has a worker do what may itself run out of memory.
void source_probes::post(const shared_probe& one, std::function<void()> work, std::size_t bytes) {
  readers_.post(
      [this, one, work = std::move(work)] {
        try {
          work();
        } catch (const std::bad_alloc&) {
          end(one, outcome::unknown);
        }
      },
      0, bytes);
}

void source_probes::ask(const shared_probe& one) {
  auto planned = one->how.plan(one->what, *one->at.where, "");
  if (!planned) return end(one, outcome::unknown);
  send(one, std::move(*planned), {});
}

void source_probes::send(const shared_probe& one, http::request request, std::string state) {
  const auto& source = *one->at.source->of;
  const auto now = live_.clock->steady();
  const auto& base_url = one->at.where->base_url;
  const bool is_at_source = one->at.place.empty() || is_of_one_origin(base_url, request.url);
  if (request.pace_key.empty() && is_at_source) request.pace_key = source.name;
  request.cacheable = false;
  sources::choose_target(request, *one->at.where);
  one->url = request.url;
  if (one->work->reason_to_end() || live_.suspended->refusal(source, one->what.op, one->url, now)) {
    return end(one, outcome::unknown);
  }
  auto by = now + time_of_request;
  if (const auto time = source.pace.answer_time; time.count() > 0) by = std::min(by, now + time);
  const int step = count_step(*one);
  const auto ticket = live_.transport->submit(
      std::move(request), by, [this, one, state = std::move(state)](result<http::response> answer) {
        const auto bytes = answer ? bytes_to_read(answer->body.size()) : 0;
        try {
          post(
              one, [this, one, state, answer = std::move(answer)] { read(one, state, answer); },
              bytes);
        } catch (const std::bad_alloc&) {
          end(one, outcome::unknown);
        }
      });
  note_ticket(*one, step, ticket);
}

int source_probes::count_step(probe& one) {
  const std::lock_guard lock(mutex_);
  return ++one.steps;
}

/// The answer may have been there before the ticket, and the next request sent; and who closes may
/// not have known of the ticket.
void source_probes::note_ticket(probe& one, int step, std::uint64_t ticket) {
  {
    const std::lock_guard lock(mutex_);
    if (one.steps == step) one.ticket = ticket;
    if (!is_closing_) return;
  }
  live_.transport->cancel(ticket);
}

/// Tells the suspensions what came of a request; without `why` it was answered.
source_probes::outcome source_probes::note(const probe& one, const std::optional<error>& why,
                                           const http::response* answer) {
  const auto& source = *one.at.source->of;
  if (!why || why->code() == errc::not_found) {
    live_.suspended->succeeded(source, one.what.op, one.url);
    return outcome::answered;
  }
  live_.suspended->failed(source, one.what, one.url, *why, answer, live_.clock->steady());
  return kind_of_refusal(*why, answer, one.what) ? outcome::refused : outcome::unknown;
}

void source_probes::read(const shared_probe& one, const std::string& state,
                         const result<http::response>& answer) {
  if (!answer) {
    // What a source can do without, or we have ended, says nothing of it.
    const bool is_part = one->how.reads_failures && !state.empty();
    if (is_part || one->work->reason_to_end()) return end(one, outcome::unknown);
    return end(one, note(*one, answer.error(), nullptr));
  }
  base::meter counted(one->work);
  result<sources::step> step = error(errc::internal);
  try {
    step = one->how.read({one->what, *one->at.where, *answer, "", state, &counted});
  } catch (const base::work_ended&) {
    return end(one, outcome::unknown);
  }
  const auto said = note(*one, step ? std::nullopt : std::optional(step.error()), &*answer);
  auto* const more = step ? std::get_if<sources::follow>(&*step) : nullptr;
  if (more == nullptr || one->steps > one->how.max_follows) return end(one, said);
  send(one, std::move(more->request), std::move(more->state));
}

void source_probes::end(const shared_probe& one, outcome found) noexcept {
  const std::lock_guard lock(mutex_);
  instance& place = one->at;
  const milliseconds wanted = found == outcome::refused ? milliseconds(refused_pause) : place.pause;
  const auto now = live_.clock->steady();
  place.is_asked = false;
  place.due = now + std::max(wanted, place.least_pause);
  if (found == outcome::answered) place.well_until = now + place.pause;
  place.pause = found == outcome::answered ? std::min<milliseconds>(2 * place.pause, last_pause)
                                           : milliseconds(first_pause);
  under_way_.remove(one);
  ended_.notify_all();
}

}  // namespace freshet::detail
