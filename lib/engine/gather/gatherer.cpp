// The gatherer's control: ask, read, refill, collect. Every decision is taken under one mutex;
// reading an answer, the expensive part, is done outside it.
#include "engine/gather/gatherer.hpp"

#include <algorithm>
#include <base/url.hpp>
#include <engine/gather/filter.hpp>
#include <markdown/page.hpp>
#include <model/json.hpp>
#include <sources/item_text.hpp>

namespace freshet::detail {
namespace {

/// Tokens that the envelope itself takes from a budget: page and meta, and each row of a source.
constexpr std::int64_t envelope_tokens = 60, tokens_of_source = 60;

/// The place that an engine gave a result in the whole walk, which goes on from page to page; for
/// other items their place among what was read in this call.
std::int64_t rank_of(const item& found, std::int64_t read) {
  const auto rank = std::visit(
      [](const auto& one) -> std::int64_t {
        if constexpr (requires { one.rank; }) return one.rank;
        return 0;
      },
      found);
  return rank > 0 ? rank : read;
}

bool is_ranked(const item& what) {
  return std::visit(
      [](const auto& one) {
        return requires { one.rank; };
      },
      what);
}

void set_rank(item& item, std::int64_t rank) {
  std::visit(
      [rank](auto& one) {
        if constexpr (requires { one.rank; }) one.rank = rank;
      },
      item);
}

/// Whether an address is one of the source's own, not one that a call has led to: a page of the
/// web, somebody's instance.
bool is_at_source(const sources::descriptor& source, const sources::settings& where,
                  std::string_view address) {
  if (source.instances_key.empty() && !source.default_base_url.empty()) return true;
  const auto own = base::parse_url(where.base_url);
  const auto asked = base::parse_url(address);
  return own && asked && own->origin() == asked->origin();
}

/// A request without a deadline has none while its answer is read, either.
base::stop_token::time deadline_of(http::transport::deadline by) {
  return by == http::transport::deadline{} ? base::stop_token::time::max() : by;
}

}  // namespace

gatherer::gatherer(const environment& environment, workers& workers, gather_request plan,
                   std::vector<branch> branches, done_handler done)
    : environment_(environment),
      workers_(workers),
      plan_(std::move(plan)),
      branches_(std::move(branches)),
      done_(std::move(done)),
      work_(std::make_shared<base::stop_token>(deadline_of(plan_.by))) {
  given_before_.insert(plan_.from.fingerprints.begin(), plan_.from.fingerprints.end());
  for (auto& one : branches_) {
    const auto found = plan_.from.next.find(one.key);
    if (found != plan_.from.next.end()) one.next = found->second;
    if (plan_.from.ended.contains(one.key)) one.exhausted = one.queue.ended = true;
  }
  out_.after = plan_.from;
  out_.after.since = plan_.parts.front().what.since;
  out_.after.next.clear();
  out_.given.resize(plan_.parts.size());
  told_.resize(plan_.parts.size());
  turn_ = static_cast<std::size_t>(plan_.from.given) % plan_.parts.size();
}

void gatherer::start() noexcept {
  const std::lock_guard lock(mutex_);
  if (plan_.mode == ask_mode::any_one) {
    // A walk that has begun stays with the source that it began with.
    const auto begun = [&](const branch& one) { return plan_.from.next.contains(one.key); };
    const auto found = std::ranges::find_if(branches_, begun);
    if (found != branches_.end()) choice_ = static_cast<std::size_t>(found - branches_.begin());
  }
  try {
    advance();
  } catch (const std::bad_alloc&) {
    give_up();
  }
}

void gatherer::cancel() noexcept {
  work_->stop();
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (auto& one : branches_) {
    if (!one.waiting) continue;
    try {
      environment_.transport->cancel(one.ticket);
    } catch (const std::bad_alloc&) {
      // It cannot be told to hurry: what is under way ends by itself.
    }
  }
}

/// Ends it at once, for want of memory; what is under way finds it finished.
void gatherer::give_up() noexcept {
  done_handler done;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    const std::lock_guard end(end_mutex_);
    is_over_ = true;
    done.swap(done_);
  }
  cancel();
  if (done) done(error(errc::overloaded));
}

std::vector<std::size_t> gatherer::live() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (plan_.mode == ask_mode::all || i == choice_) indices.push_back(i);
  }
  return indices;
}

/// Called with the mutex held, whenever something has changed.
void gatherer::advance() {
  while (outstanding_ == 0 && !finished_) {
    if (cancelled_) return finish();
    collect();
    if (out_.items.size() >= plan_.wanted || out_.truncated) return finish();
    if (refill()) {
      if (outstanding_ > 0) return;
      continue;  // every one asked failed before anything was sent
    }
    if (!try_next_choice()) return finish();
  }
}

/// Asks the branches whose queues must be filled; false if there is none.
bool gatherer::refill() {
  const auto indices = live();
  std::vector<std::size_t> asked;
  for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
    std::vector<std::size_t> members;
    std::vector<const merge_queue*> queues;
    for (const auto i : indices) {
      if (branches_[i].part != part) continue;
      members.push_back(i);
      queues.push_back(&branches_[i].queue);
    }
    std::vector<std::size_t> needed;
    const auto wanted = plan_.wanted - out_.items.size();
    if (can_give(plan_.parts[part].order, queues, wanted, needed)) continue;
    for (const auto k : needed) asked.push_back(members[k]);
  }
  for (const auto i : asked) ask(branches_[i]);
  return !asked.empty();
}

void gatherer::ask(branch& one) {
  if (leads_back(one)) return end_circle(one);
  if (one.pages >= max_upstream_pages) {
    one.queue.ended = true;  // for this call; the cursor goes on
    bounded_ = true;
    return;
  }
  one.position = one.next;
  one.asked_for.push_back(one.next);
  one.asked = true;
  one.asked_at = environment_.clock->steady();
  one.follows = 0;
  auto planned = one.how->plan(asked_of(one), *one.where, one.position);
  if (!planned) return fail(one, planned.error());
  send(static_cast<std::size_t>(&one - branches_.data()), std::move(*planned), {});
}

void gatherer::send(std::size_t index, http::request request, std::string state) {
  auto& one = branches_[index];
  // What a call has named the host of has the host's pace: no caller's target holds up another's.
  one.is_at_source = is_at_source(*one.source->of, *one.where, request.url);
  if (request.pace_key.empty() && one.is_at_source) request.pace_key = one.source->of->name;
  request.owner = plan_.owner;
  sources::choose_target(request, *one.where);
  one.asked_url = request.url;
  one.purpose = purpose_of(one, request, state);
  request.reading = one.purpose;
  if (environment_.suspended != nullptr) {
    auto refused = environment_.suspended->refusal(*one.source->of, asked_of(one).op, request.url,
                                                   {environment_.clock->steady(), plan_.owner});
    if (refused) return fail(one, std::move(*refused));
  }
  if (plan_.pass && request.render != http::rendering::never) {
    if (auto may = plan_.pass->may_render(); !may) return fail(one, may.error());
  }
  // A state may be as large as the answers that it was made of, and waits for the next one.
  auto held = room_for(plan_.pass.get(), state.size());
  if (!held) return fail(one, held.error());
  one.span.begin(plan_.spans, one.source->of->name, request);
  one.waiting = true;
  one.decided = std::make_shared<std::atomic<bool>>(false);
  ++outstanding_;
  auto by = plan_.by;
  if (const auto time = one.source->of->pace.answer_time; time.count() > 0) {
    by = std::min(by, environment_.clock->steady() + time);
  }
  auto self = shared_from_this();
  one.ticket = environment_.transport->submit(
      std::move(request), by,
      // Weakly: once the page is made its call is over, though this answer is still under way.
      [self, index, state = std::move(state), held = std::move(*held), decided = one.decided,
       pass = std::weak_ptr(plan_.pass)](result<http::response> answer) mutable {
        held.reset();
        try {
          if (decided->exchange(true)) return self->note_late(self->branches_[index], answer);
          self->hand_over(index, std::move(state), std::move(answer), pass.lock());
        } catch (const std::bad_alloc&) {
          self->give_up();
        }
      });
}

/// Has an answer read as soon as it is its owner's turn. On the network thread.
void gatherer::hand_over(std::size_t index, std::string state, result<http::response> answer,
                         std::shared_ptr<gates::pass> pass) {
  branches_[index].span.end(answer);
  auto held = room_for(pass.get(), answer ? answer->body.size() : 0);
  if (!held) answer = held.error();
  const auto bytes = answer ? bytes_to_read(answer->body.size()) : 0;
  workers_.post(
      [self = shared_from_this(), pass = std::move(pass), held = std::move(held), index,
       state = std::move(state), answer = std::move(answer)]() mutable {
        const auto before = base::thread_processor_time();
        try {
          self->on_answer(index, state, std::move(answer));
        } catch (const std::bad_alloc&) {
          self->give_up();
        }
        if (pass) pass->use(base::thread_processor_time() - before);
      },
      plan_.owner, bytes);
}

void gatherer::on_answer(std::size_t index, const std::string& state,
                         result<http::response> answer) {
  auto& one = branches_[index];  // its settings and position stand still while it waits
  result<reading> read = error(errc::internal);
  const bool is_read = answer || can_do_without(one, state, answer.error());
  if (!is_read) {
    read = answer.error();
  } else {
    const auto began = plan_.spans.begin();
    read = read_answer(one, answer, state);
    plan_.spans.end_reading(began, one.source->of->name, read ? errc{} : read.error().code());
  }
  // What was ended here is no fault of the source.
  if (!was_ended_here(answer)) note(one, answer, read);
  const std::lock_guard lock(mutex_);
  one.waiting = false;
  --outstanding_;
  answer ? note_answer(one, *answer) : one.fresh_until.reset();
  if (!read) {
    fail(one, read.error());
  } else if (auto& more = read->follow) {
    if (cancelled_) {
      fail(one, error(errc::cancelled));
    } else if (++one.follows > one.how->max_follows) {
      fail(one, error(errc::source_error, "the source sent us on too often"));
    } else {
      send(index, std::move(more->request), std::move(more->state));
    }
  } else {
    take(one, *read);
  }
  advance();
  set_alarm();
}

void gatherer::fail(branch& one, error why) {
  one.queue.ended = true;
  one.next = one.position;  // a later page may try it again
  if (why.code() == errc::not_found) one.skipped = true;
  one.failure = std::move(why);
  tell(one, one.queue.waiting.size());
}

void gatherer::take(branch& one, const reading& read) {
  const sources::listing& listing = *read.page;
  ++one.pages;
  one.partial = one.partial || listing.partial;
  for (const auto& warning : listing.warnings) sources::add_once(one.warnings, warning);
  if (!listing.blocks.empty()) out_.blocks = listing.blocks;
  if (plan_.provenance) places_ = listing.places;
  const bool goes_on = !listing.next.empty() && listing.next != one.position;
  const auto before = one.queue.waiting.size();
  enqueue(one, read);
  tell(one, before);
  one.next = listing.next;
  if (!goes_on || past_since(asked_of(one), *one.how, listing)) {
    one.exhausted = one.queue.ended = true;
  }
}

/// Puts what keeps the promises and was not given before into the branch's queue.
void gatherer::enqueue(branch& one, const reading& read) {
  const sources::listing& listing = *read.page;
  const gather_part& part = part_of(one);
  const bool whole = one.position.empty() && listing.next.empty();
  const bool is_by_time = part.order == merge_order::by_time;
  const auto last = plan_.from.last_times.find(part.name);
  const bool is_cut = whole && is_by_time && last != plan_.from.last_times.end();
  std::vector<candidate> fresh;
  std::optional<std::uint32_t> known;  // the first that was given before
  for (const auto& found : listing.items) {
    const auto rank = rank_of(found, ++one.read);
    one.queue.last_rank = std::max(one.queue.last_rank, rank);
    if (!keeps_promises(part.what, *one.how, found)) {
      ++one.dropped;
      continue;
    }
    // What two platforms tell are two items, though it be one page.
    auto identity = part.name.empty() ? identity_of(found) : part.name + " " + identity_of(found);
    if (const auto print = fingerprint(identity); given_before_.contains(print)) {
      known = known.value_or(print);
      continue;
    }
    // A source of one page (a feed) is read anew for every page of ours; beyond the window of
    // fingerprints, the time of the last item given says what was given.
    if (is_cut && common(found).created_at > last->second) continue;
    fresh.push_back({shared_item(read.page, found, read.sole), std::move(identity), one.position,
                     rank, static_cast<std::size_t>(&one - branches_.data()),
                     one.cache != http::cache_state::miss});
  }
  let_go_of_rest(listing, fresh);
  if (known && fresh.empty()) one.repeated.push_back(*known);
  if (is_by_time) {
    std::ranges::stable_sort(fresh, [](const candidate& a, const candidate& b) {
      return common(a.what).created_at > common(b.what).created_at;
    });
  }
  for (auto& candidate : fresh) one.queue.waiting.push_back(std::move(candidate));
}

void gatherer::collect() {
  // Members take no place in the page: as long as there are some, it is not full.
  while (collect_once() != 0 && plan_.clusters && out_.items.size() < plan_.wanted &&
         !out_.truncated) {
  }
}

/// Returns how many items were taken from the queues.
std::size_t gatherer::collect_once() {
  std::size_t taken = 0;
  std::vector<merge_group> groups(plan_.parts.size());
  for (const auto i : live()) groups[branches_[i].part].queues.push_back(&branches_[i].queue);
  for (std::size_t part = 0; part < groups.size(); ++part) {
    groups[part].order = plan_.parts[part].order;
    const auto given = static_cast<std::size_t>(plan_.from.given);
    if (const auto queues = groups[part].queues.size(); queues != 0) {
      groups[part].turn = given % queues + out_.given[part];
    }
  }
  const auto accept = [this, &taken](candidate& one) {
    if (plan_.clusters && joins(one)) {
      ++taken;
      return true;
    }
    const auto fits = try_to_fit(one);
    if (fits != fit::later) ++taken;
    if (fits == fit::now) keep(one);
    if (fits == fit::never) {
      out_.too_large = true;
      sources::add_once(out_.warnings, "an item that is larger than an answer may be was left out");
    }
    return fits != fit::later;
  };
  const auto wanted = plan_.wanted - out_.items.size();
  if (groups.size() == 1) {
    give(groups[0].order, groups[0].queues, wanted, groups[0].turn, given_, accept);
  } else {
    turn_ = give_of_groups(groups, wanted, turn_, given_, accept) % groups.size();
  }
  return taken;
}

/// Whether an item tells the same as one that stands in the page: then it is given as its member.
bool gatherer::joins(candidate& one) {
  item room;
  if (!clusters_.take(dated(one.what, room))) return false;
  note_given(one);
  return true;
}

/// Whether an item fits into what is left of the budgets. Of tokens the first always does: a budget
/// that no item fits would otherwise never end. It is written here, once.
gatherer::fit gatherer::try_to_fit(candidate& one) {
  item_json_.clear();
  if (std::holds_alternative<document>(one.what.get())) return fit::now;
  const auto rank = out_.after.given + 1;
  if (is_ranked(one.what.get()) && rank_of(one.what.get(), 0) != rank)
    set_rank(one.what.change(), rank);
  write_item(item_json_, one.what);
  if (plan_.provenance) model::append_provenance(item_json_, provenance_of(one));
  if (plan_.max_bytes != 0 && item_json_.size() > plan_.max_bytes) return fit::never;
  const bool is_over =
      plan_.max_bytes != 0 && out_.written.size() + 1 + item_json_.size() > plan_.max_bytes;
  const auto cost = plan_.max_tokens == 0 ? 0 : markdown::estimate_tokens(item_json_);
  const auto around =
      envelope_tokens + tokens_of_source * static_cast<std::int64_t>(branches_.size());
  const bool is_dear =
      plan_.max_tokens != 0 && !out_.items.empty() && tokens_ + cost + around > plan_.max_tokens;
  if (is_over || is_dear) {
    out_.truncated = true;
    return fit::later;
  }
  tokens_ += cost;
  return fit::now;
}

void gatherer::keep(candidate& one) {
  note_given(one);
  if (plan_.provenance) out_.provenance = provenance_of(one);
  if (plan_.clusters) {
    item room;
    clusters_.add(dated(one.what, room));
  }
  if (!out_.written.empty()) out_.written += ',';
  out_.written += item_json_;
  out_.items.push_back(std::move(one.what));
}

/// What is given comes on no further page of the walk.
void gatherer::note_given(const candidate& one) {
  out_.after.fingerprints.push_back(fingerprint(one.identity));
  const auto& at = common(one.what).created_at;
  branch& from = branches_[one.branch];
  const gather_part& part = part_of(from);
  if (part.order == merge_order::by_time && at) out_.after.last_times[part.name] = *at;
  ++out_.after.given;
  ++out_.given[from.part];
  ++from.given;
}

/// In any_one: goes on to the next source if the one tried does not have it.
bool gatherer::try_next_choice() {
  if (plan_.mode != ask_mode::any_one || !out_.items.empty() || !plan_.from.next.empty()) {
    return false;
  }
  if (choice_ >= branches_.size() || !branches_[choice_].failure) return false;
  const auto code = branches_[choice_].failure->code();
  // A refusal by the target is an answer: another source would not change it.
  if (code == errc::target_forbidden || code == errc::robots_disallowed) return false;
  return ++choice_ < branches_.size();
}

void gatherer::finish() {
  finished_ = true;
  plan_.pass.reset();  // what is still under way is nobody's call
  const auto answered = [](const branch& one) { return one.asked && !one.failure; };
  const bool any = std::ranges::any_of(branches_, answered) ||
                   std::ranges::all_of(branches_, [](const branch& one) { return one.exhausted; });
  outcome_ = error(errc::cancelled, "the call was cancelled");
  if (!cancelled_) {
    if (any || !out_.items.empty()) {
      settle_positions(out_);
      report(out_);
      out_.clusters = clusters_.made();
      outcome_ = std::move(out_);
    } else {
      outcome_ = overall_failure();
    }
  }
  const std::lock_guard end(end_mutex_);
  is_over_ = true;
  // Outside this stack: the handler may take locks of its own, and may let go of the gatherer.
  workers_.post([self = shared_from_this()] { self->deliver(); }, plan_.owner);
}

void gatherer::deliver() {
  done_handler done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  if (done) done(std::move(outcome_));
}

}  // namespace freshet::detail
