// What a walk says of itself: its branches at the start; at the end each source's part, why it
// failed if it did, and where the next page goes on.
#include <algorithm>
#include <base/digest.hpp>
#include <base/url.hpp>
#include <http/credentials.hpp>
#include <model/json.hpp>
#include <set>
#include <sources/item_text.hpp>

#include "engine/gather/gatherer.hpp"
#include "engine/runtime/sandbox_days.hpp"

namespace freshet::detail {
namespace {

std::string branch_key(const configured_source& source, const sources::settings& where) {
  if (source.instances.size() == 1) return std::string(source.of->name);
  const auto digest = base::sha256(where.base_url);
  return std::string(source.of->name) + "#" + base::hex(base::as_text(digest)).substr(0, 8);
}

/// The instances of a source that a call asks: all for a merged search; the one that an id names,
/// or the first, where any one will do.
std::vector<const sources::settings*> chosen_instances(const configured_source& source,
                                                       ask_mode mode, std::string_view native_id) {
  std::vector<const sources::settings*> chosen;
  if (mode == ask_mode::all) {
    for (const auto& one : source.instances) chosen.push_back(&one);
    return chosen;
  }
  const auto host = native_id.substr(0, native_id.find('/'));
  for (const auto& one : source.instances) {
    const auto parsed = base::parse_url(one.base_url);
    if (!parsed) continue;
    const auto with_port = parsed->port.empty() ? parsed->host : parsed->host + ":" + parsed->port;
    if (!host.empty() && (host == parsed->host || host == with_port)) return {&one};
  }
  if (!source.instances.empty()) chosen.push_back(&source.instances.front());
  return chosen;
}

/// The address by which an operator and a caller know an instance, without the secrets in it; "" of
/// a source that has one place.
std::string instance_of(const branch& one) {
  if (one.source->of->instances_key.empty()) return {};
  return http::public_url(one.where->base_url);
}

/// "lemmy https://lemmy.example"
std::string label_of(const branch& one) {
  const auto instance = instance_of(one);
  return std::string(one.source->of->name) + (instance.empty() ? "" : " ") + instance;
}

std::string failure_warning(const branch& one) {
  auto text = "failed: " + label_of(one) + ": " + std::string(describe(one.failure->code()).name);
  if (!one.failure->detail().empty()) text += ": " + one.failure->detail();
  return text;
}

std::string filter_warning(const branch& one) {
  return "filtered: " + label_of(one) + ": none of the " + std::to_string(one.read) +
         " items that were read is what was asked for, by its words, its time and its site";
}

/// Of a source that can not keep a parameter of the call.
std::string absence_warning(const branch& one) {
  return "filtered: " + label_of(one) + " was left out: " + one.failure->detail();
}

source_report report_of(const branch& one) {
  source_report made;
  made.name = one.source->of->name;
  made.instance = instance_of(one);
  made.items_read = one.read;
  made.items = one.given;
  made.elapsed_ms = one.elapsed.count();
  if (!one.failure) {
    made.status = "ok";
    made.cache = http::name_of(one.cache);
    made.fetched_at = one.fetched_at;
  } else if (one.skipped) {
    made.status = "skipped";
  } else {
    made.status = "error";
    made.code = describe(one.failure->code()).name;
    if (one.failure->retry_after) made.retry_after_s = one.failure->retry_after->count();
  }
  return made;
}

}  // namespace

void add_branches(const std::vector<const configured_source*>& sources, const branch_rule& rule,
                  std::vector<branch>& out, std::vector<source_report>& unready) {
  const auto prefix = rule.part_name.empty() ? std::string() : std::string(rule.part_name) + "/";
  const auto before = out.size();
  for (const auto* source : sources) {
    if (!source->missing.empty()) {
      source_report report;
      report.name = source->of->name;
      report.status = "not_configured";
      unready.push_back(std::move(report));
      continue;
    }
    for (const auto* where : chosen_instances(*source, rule.mode, rule.native_id)) {
      if (out.size() - before == max_branches) return;
      branch one;
      one.key = prefix + branch_key(*source, *where);
      one.part = rule.part;
      one.source = source;
      one.where = where;
      one.how = sources::find_capability(*source->of, rule.op);
      out.push_back(std::move(one));
    }
  }
}

/// The error of a call that no source could answer: the most telling one, in the order of
/// preference. "Not found" only if every source says so.
error gatherer::overall_failure() const {
  const branch* first = nullptr;
  const branch* skipped = nullptr;
  for (const auto& one : branches_) {
    if (!one.failure) continue;
    if (one.skipped) {
      if (skipped == nullptr || skipped->failure->detail().empty()) skipped = &one;
    } else if (first == nullptr) {
      first = &one;
    }
  }
  const auto* told = first != nullptr ? first : skipped;
  if (told == nullptr) return error(errc::source_unavailable, "no source could be asked");
  auto detail = std::string(told->source->of->name);
  detail += told->failure->detail().empty() ? "" : ": " + told->failure->detail();
  error why(told->failure->code(), std::move(detail));
  why.source_text = told->failure->source_text;
  why.retry_after = told->failure->retry_after;
  // The soonest at which any of them may answer.
  for (const auto& one : branches_) {
    if (!one.failure || one.skipped || !one.failure->retry_after || !why.retry_after) continue;
    why.retry_after = std::min(*why.retry_after, *one.failure->retry_after);
  }
  why.parameters = told->failure->parameters;
  return why;
}

std::vector<source_report> gatherer::asked() {
  const std::lock_guard lock(mutex_);
  std::vector<source_report> reports;
  for (const auto& one : branches_) {
    if (one.asked) reports.push_back(report_of(one));
  }
  return reports;
}

model::item_provenance gatherer::provenance_of(const candidate& one) const {
  const branch& from = branches_[one.branch];
  const bool is_document = std::holds_alternative<document>(one.what.get());
  return {common(one.what).source, instance_of(from), plan_.request_id,  one.cached, is_document,
          places_.title,           places_.authors,   places_.created_at};
}

std::vector<std::size_t> gatherer::told() {
  const std::lock_guard lock(mutex_);
  return told_;
}

/// An item by the times that are written, which in the sandbox are today's: sources go on by the
/// times that they know. Where none is moved it is `shown`, else it is made in `room`.
const item& gatherer::dated(const item& shown, item& room) const {
  if (plan_.moved == std::chrono::days(0)) return shown;
  room = shown;
  move_times(room, plan_.moved);
  return room;
}

/// The text goes only here, since filters and clusters look at it.
void gatherer::write_item(std::string& out, const item& whole) const {
  item room;
  const item& shown = dated(whole, room);
  const bool has_passages =
      plan_.highlights && plan_.highlights->instead_of_text && !common(shown).highlights.empty();
  if (!has_passages) return model::append_item(out, shown, plan_.fields);
  if (&shown != &room) room = shown;
  common(room).text.clear();
  model::append_item(out, room, plan_.fields);
}

/// Tells what a source has given, from the item `first` of its queue on, while the others are
/// asked. All events of a page together are no larger than an answer may be: items beyond that are
/// left to the answer.
void gatherer::tell(const branch& one, std::size_t first) {
  if (!plan_.on_source || cancelled_ || finished_) return;
  std::string event;
  std::vector<source_report> row{report_of(one)};
  move_times(row, plan_.moved);
  model::begin_source_event(event, row.front());
  const auto& waiting = one.queue.waiting;
  const auto last = std::min(waiting.size(), first + plan_.wanted);
  for (auto i = first; i < last; ++i) {
    const auto size = event.size();
    if (i != first) event += ',';
    write_item(event, waiting[i].what);
    if (plan_.max_bytes != 0 && told_bytes_ + event.size() > plan_.max_bytes) {
      event.resize(size);
      break;
    }
    ++told_[one.part];
  }
  model::end_source_event(event);
  told_bytes_ += event.size();
  plan_.on_source(std::move(event));
}

/// Whether a source gives again what it gave: the page that comes next has been left behind, or as
/// many as a call may read held nothing else, two of them the same. A list that is there twice has
/// other pages, and is given to its end.
bool gatherer::leads_back(const branch& one) const {
  const auto mark = plan_.from.marks.find(one.key);
  const bool has_same =
      std::set(one.repeated.begin(), one.repeated.end()).size() < one.repeated.size();
  return std::ranges::find(one.asked_for, one.next) != one.asked_for.end() ||
         (mark != plan_.from.marks.end() && mark->second.is_at(one.next)) ||
         (has_same && one.pages >= max_upstream_pages && std::ssize(one.repeated) == one.pages);
}

/// Ends the walk of a source that leads in a circle: who follows the cursor comes to an end.
void gatherer::end_circle(branch& one) {
  one.exhausted = one.queue.ended = true;
  one.partial = out_.partial = true;
  sources::add_once(one.warnings, std::string(one.source->of->name) +
                                      " gives again what it has given; it is asked no further");
}

/// Notes the pages of this call that a branch has left behind: those before where it goes on.
void gatherer::pass_pages(const branch& one, page_outcome& out) const {
  const auto next = out.after.next.find(one.key);
  if (next == out.after.next.end() || one.asked_for.empty()) return;
  const auto end = std::ranges::find(one.asked_for, next->second);
  if (end == one.asked_for.begin()) return;
  auto& mark = out.after.marks[one.key];
  for (auto left = one.asked_for.begin(); left != end; ++left) mark.pass(*left);
}

void gatherer::settle_positions(page_outcome& out) const {
  for (const auto i : live()) {
    const auto& one = branches_[i];
    const auto& waiting = one.queue.waiting;
    if (waiting.empty() && one.exhausted) {
      out.after.ended.insert(one.key);
      out.after.marks.erase(one.key);
      continue;
    }
    // What waits came from one page or from several: go on at the first of them.
    out.after.next[one.key] = waiting.empty() ? one.next : waiting.front().position;
    pass_pages(one, out);
    if (!one.failure || !waiting.empty()) out.more = true;
  }
  if (bounded_) {
    out.partial = true;
    out.warnings.push_back("limited: stopped after " + std::to_string(max_upstream_pages) +
                           " pages of a source; the cursor goes on");
  }
}

void gatherer::report(page_outcome& out) const {
  // In the order of the branches, not in that of their answers, which is another every time.
  std::vector<std::string> said;
  for (const auto& one : branches_) {
    for (const auto& warning : one.warnings) {
      sources::add_once(said, (one.partial ? "limited: " : "") + warning);
    }
  }
  out.warnings.insert(out.warnings.begin(), said.begin(), said.end());
  out.fresh_until = std::chrono::steady_clock::time_point::max();
  for (const auto& one : branches_) {
    if (!one.asked) continue;
    out.sources.push_back(report_of(one));
    const bool is_fresh = out.fresh_until && one.fresh_until && !one.failure;
    out.fresh_until =
        is_fresh ? std::optional(std::min(*out.fresh_until, *one.fresh_until)) : std::nullopt;
    out.partial = out.partial || one.partial;
    if (!one.failure) out.rendered = out.rendered || one.rendered;
    if (one.failure && !one.skipped) {
      out.partial = true;
      out.warnings.push_back(failure_warning(one));
    } else if (one.skipped && !one.failure->parameters.empty()) {
      out.warnings.push_back(absence_warning(one));
    } else if (one.read > 0 && one.dropped == one.read) {
      out.warnings.push_back(filter_warning(one));
    }
  }
}

}  // namespace freshet::detail
