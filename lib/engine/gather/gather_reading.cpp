// What an answer is read as, by its source, and what is left beside it for calls that want no more.
#include <algorithm>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <http/answer_readings.hpp>
#include <markdown/safety/marks.hpp>
#include <model/json.hpp>
#include <model/possible_numbers.hpp>
#include <model/possible_times.hpp>
#include <model/shown_text.hpp>

#include "engine/gather/gatherer.hpp"
#include "engine/gather/highlighting.hpp"

namespace freshet::detail {
namespace {

/// A state that is longer, as one that carries what was found so far, is named by its digest.
constexpr std::size_t longest_state_in_purpose = 256;
/// Of an item's text that is looked through for marks.
constexpr std::size_t bytes_of_step = 8;

/// Has an answer say what counts the reading of it, for as long as that lives.
class counting {
 public:
  counting(http::response* answer, base::meter& meter) : answer_(answer) {
    if (answer_ != nullptr) answer_->counted = &meter;
  }
  counting(const counting&) = delete;
  counting& operator=(const counting&) = delete;
  ~counting() {
    if (answer_ != nullptr) answer_->counted = nullptr;
  }

 private:
  http::response* const answer_;
};

/// Whether an id names something: one that is made of what nobody sees has its source alone, or the
/// source's instance, once that is gone.
bool names_something(std::string_view shown, bool is_changed) noexcept {
  const auto name = base::trim(shown.substr(shown.find(':') + 1));
  return !name.empty() && !(is_changed && name.ends_with('/'));
}

/// About what a page takes in memory.
std::size_t size_of(const sources::listing& page) {
  std::size_t size = sizeof page + page.next.size() + page.blocks.size() * sizeof(std::size_t);
  for (const auto& each : page.warnings) size += each.size();
  for (const auto& each : page.items) size += sizeof each + model::text_size(each);
  return size;
}

}  // namespace

void let_go_of_rest(const sources::listing& page, std::vector<candidate>& kept) {
  constexpr std::size_t most_rest = 1u << 20;
  if (kept.size() == page.items.size()) return;
  auto size = size_of(page);
  for (const auto& one : kept) size -= sizeof(item) + model::text_size(one.what);
  if (size <= most_rest) return;
  for (auto& one : kept) one.what = shared_item(item(one.what.get()));
}

/// Room for so many bytes that a call holds, as long as what is given is kept.
result<std::shared_ptr<const void>> gatherer::room_for(gates::pass* pass, std::size_t bytes) {
  if (pass == nullptr || bytes == 0) return std::shared_ptr<const void>();
  return pass->hold_bytes(bytes);
}

/// All that a reading depends on, beside the answer.
std::string gatherer::purpose_of(const branch& one, const http::request& request,
                                 const std::string& state) const {
  if (plan_.identity.empty() || request.render != http::rendering::never) return {};
  std::string purpose = one.key;
  if (one.how->stands_until != nullptr) {
    const auto until = one.how->stands_until(asked_of(one));
    if (until <= asked_of(one).now) return {};
    purpose.append(1, '\n').append(std::to_string(until.time_since_epoch().count()));
  }
  const bool is_long = state.size() > longest_state_in_purpose;
  const auto stands_for = is_long ? base::hex(base::as_text(base::sha256(state))) : state;
  for (const auto& part : {one.position, stands_for, plan_.identity})
    purpose.append(1, '\n').append(part);
  purpose.append(1, '\n').append(std::to_string(asked_of(one).limit));
  if (const auto& from = asked_of(one).since) {
    const auto since = from->time_since_epoch().count();
    purpose.append(1, '\n').append(std::to_string(since));
  }
  return purpose;
}

/// Whether a further request that came to nothing is read all the same. What was ended here, and
/// what we have no room for, is nothing that a source can do without.
bool gatherer::can_do_without(const branch& one, const std::string& state, const error& why) const {
  const bool is_ours = why.code() == errc::overloaded || why.code() == errc::cancelled;
  return one.how->reads_failures && !state.empty() && !is_ours && !work_->reason_to_end();
}

/// What an answer says, for as long as somebody waits for it: it may have waited for its turn.
result<reading> gatherer::read_answer(const branch& one, result<http::response>& got,
                                      const std::string& state) const {
  static const http::response no_answer;
  const error failure = got ? error(errc::internal) : got.error();
  const http::response& answer = got ? *got : no_answer;
  if (answer.reading) {
    return reading{std::static_pointer_cast<const sources::listing>(answer.reading), false, {}};
  }
  constexpr auto detail = "nobody waits for the answer any more; it was not read to its end";
  if (const auto why = work_->reason_to_end()) return error(*why, detail);
  base::meter counted(work_);
  const counting counts(got ? &*got : nullptr, counted);
  try {
    auto read = one.how->read({asked_of(one), *one.where, answer, one.position, state, &counted,
                               got ? nullptr : &failure});
    if (!read) {
      auto failed = read.error();
      model::to_one_line(failed.source_text);
      return failed;
    }
    return keep_reading(one, answer, std::move(*read), counted);
  } catch (const base::work_ended& ended) {
    if (ended.code() != errc::unsupported_content) return error(ended.code(), detail);
    return error(errc::source_error, "the source's answer holds more than is read of one");
  }
}

/// Leaves a page beside the answer, where that is kept.
reading gatherer::keep_reading(const branch& one, const http::response& answer, sources::step read,
                               base::meter& counted) const {
  if (auto* further = std::get_if<sources::follow>(&read)) return {{}, false, std::move(*further)};
  auto& made = std::get<sources::listing>(read);
  // Of a recording the call's time is the later one: its clock stands still.
  const auto now = std::max(answer.fetched_at, asked_of(one).now);
  for (auto& each : made.items) {
    counted.spend(model::text_size(each) / bytes_of_step);
    // The marks are of what the source has said, all else of what is shown.
    markdown::mark_item(each);
    auto& id = common(each).id;
    const bool is_odd = !model::is_one_line(id);
    model::to_shown(each);
    if (!names_something(id, is_odd)) id.clear();
    model::drop_impossible_numbers(each);
    if (now != time_point()) model::drop_future_times(each, now);
    if (plan_.highlights) add_highlights(each, *plan_.highlights, counted);
    // What an archive has kept says itself when it came.
    auto& fetched = common(each).fetched_at;
    if (!fetched && answer.fetched_at != time_point()) fetched = answer.fetched_at;
  }
  const auto left_out =
      std::erase_if(made.items, [](const item& each) { return common(each).id.empty(); });
  if (left_out > 0) {
    made.partial = true;
    made.warnings.push_back(std::string(one.source->of->name) + ": " + std::to_string(left_out) +
                            " items without a name that can be shown were left out");
  }
  for (auto& each : made.warnings) model::to_one_line(each);
  auto page = std::make_shared<const sources::listing>(std::move(made));
  const bool is_kept = answer.readings && !one.purpose.empty();
  if (is_kept) answer.readings->put(one.purpose, page, size_of(*page));
  return {std::move(page), !is_kept, {}};
}

/// Tells the suspensions what came of a request. What was kept says nothing of the source now, nor
/// does what was made of an answer that did not come.
void gatherer::note(const branch& one, const result<http::response>& answer,
                    const result<reading>& read) const {
  if (environment_.suspended == nullptr) return;
  if (answer ? answer->cache == http::cache_state::hit : read.has_value()) return;
  const auto& source = *one.source->of;
  if (read || read.error().code() == errc::not_found) {
    return environment_.suspended->succeeded(source, asked_of(one).op, one.asked_url, plan_.owner);
  }
  environment_.suspended->failed(source, asked_of(one), one.asked_url, read.error(),
                                 answer ? &*answer : nullptr,
                                 {environment_.clock->steady(), plan_.owner, one.is_at_source});
}

void gatherer::note_answer(branch& one, const http::response& answer) const {
  one.cache = answer.cache;
  one.rendered = one.rendered || answer.rendered;
  one.fetched_at = answer.fetched_at;
  one.elapsed += answer.elapsed;
  if (!answer.fresh_until || !one.fresh_until) {
    one.fresh_until.reset();
  } else {
    one.fresh_until = std::min(*one.fresh_until, *answer.fresh_until);
  }
}

}  // namespace freshet::detail
