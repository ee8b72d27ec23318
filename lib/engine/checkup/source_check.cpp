// Searches first: what they find names the users and the posts that the other questions are of. The
// same questions are put to the sandbox, whose answers are what a source looked like when it was
// written.
#include "engine/checkup/source_check.hpp"

#include <algorithm>
#include <array>
#include <base/ids.hpp>
#include <base/time_text.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <http/credentials.hpp>
#include <map>
#include <mutex>
#include <sources/read_answer.hpp>

#include "engine/checkup/json_shape.hpp"
#include "engine/checkup/neutral_questions.hpp"
#include "model/json.hpp"

namespace freshet::detail {
namespace {

using catalog::operation;

constexpr std::chrono::seconds answer_time{30};
/// How often who waits for an answer looks whether somebody still wants it.
constexpr std::chrono::milliseconds look_every{100};
/// Handles and ids of one source that are tried.
constexpr std::size_t max_names = 3;
/// Fewer items say little of what all of them have.
constexpr std::size_t least_items = 3;

/// What one capability gave: the shapes of its answers, and its items with the keys that say
/// something.
struct capability_answer {
  json_shape wire;
  std::map<std::string, std::size_t> filled;
  std::size_t items = 0;
  bool is_answered = false;
  std::optional<error> failure;  ///< of who answered nothing
  std::chrono::milliseconds elapsed{0};
};

/// What earlier questions have named.
struct known_names {
  std::vector<std::string> handles, natives;

  static void keep(std::vector<std::string>& out, const std::string& name) {
    const bool is_new = std::ranges::find(out, name) == out.end();
    if (!name.empty() && is_new && out.size() < max_names) out.push_back(name);
  }
  void take(const item& any) {
    const auto* who = std::get_if<user>(&any);
    keep(handles, who != nullptr ? who->handle : common(any).author.handle);
    if (who != nullptr || std::holds_alternative<comment>(any)) return;
    if (const auto parts = base::parse_item_id(common(any).id))
      keep(natives, std::string(parts->native));
  }
};

std::vector<sources::call> questions(operation op, const known_names& known, time_point now) {
  auto out = neutral_questions(op, now);
  auto made = empty_question(op, now);
  const auto kind = kind_of_question(op);
  if (kind == question_kind::handle) {
    for (const auto& one : known.handles) {
      made.username = one;
      out.push_back(made);
    }
  } else if (kind == question_kind::native) {
    for (const auto& one : known.natives) {
      made.native_id = one;
      out.push_back(made);
    }
  }
  return out;
}

/// A request and its answer, waited for.
class asker {
 public:
  asker(const environment& environment, std::shared_ptr<base::stop_token> work)
      : environment_(environment), work_(std::move(work)) {}

  [[nodiscard]] time_point now() const { return environment_.clock->now(); }

  /// Asks one question to its end, and adds what comes to `given`. True if there were items.
  bool ask(const sources::descriptor& source, const sources::capability& how,
           const sources::settings& where, const sources::call& wanted, known_names& known,
           capability_answer& given) {
    const auto began = environment_.clock->steady();
    auto page = answer(source, how, where, wanted, given);
    given.elapsed +=
        std::chrono::duration_cast<std::chrono::milliseconds>(environment_.clock->steady() - began);
    if (!page) {
      if (!given.is_answered) given.failure = page.error();
      return false;
    }
    given.is_answered = true;
    given.failure.reset();
    for (const auto& one : page->items) {
      known.take(one);
      note_filled(one, given);
    }
    return !page->items.empty();
  }

 private:
  result<sources::listing> answer(const sources::descriptor& source, const sources::capability& how,
                                  const sources::settings& where, const sources::call& call,
                                  capability_answer& answer) {
    auto request = how.plan(call, where, "");
    if (!request) return request.error();
    std::string state;
    for (int step = 0; step <= how.max_follows; ++step) {
      const auto got = fetch(source, where, how.op, std::move(*request));
      const error failure = got ? error(errc::internal) : got.error();
      if (!got && (!how.reads_failures || state.empty())) return failure;
      const http::response none;
      // Feeds and pages are held against the recorded ones by their items alone.
      if (got && !sources::is_html(*got)) {
        if (const auto body = base::parse_json(got->body)) answer.wire.add(*body);
      }
      auto read = read_step(
          how, {call, where, got ? *got : none, "", state, nullptr, got ? nullptr : &failure});
      if (!read) return read.error();
      if (auto* page = std::get_if<sources::listing>(&*read)) return std::move(*page);
      auto& next = std::get<sources::follow>(*read);
      request = std::move(next.request);
      state = std::move(next.state);
    }
    return error(errc::source_error, "the source sent us on too often");
  }

  result<sources::step> read_step(const sources::capability& how, sources::exchange exchange) {
    base::meter counted(work_);
    exchange.meter = &counted;
    try {
      return how.read(exchange);
    } catch (const base::work_ended& ended) {
      return error(ended.code(), "the check was ended");
    }
  }

  /// Waits for an answer, for as long as anybody wants the check.
  result<http::response> fetch(const sources::descriptor& source, const sources::settings& where,
                               operation op, http::request request) {
    struct answer_box {
      std::mutex mutex;
      std::condition_variable arrived;
      std::optional<result<http::response>> answer;
    };
    if (const auto why = work_->reason_to_end()) return error(*why, "the check was ended");
    if (request.pace_key.empty()) request.pace_key = source.name;
    request.cacheable = false;
    sources::choose_target(request, where);
    const auto began = environment_.clock->steady();
    if (environment_.suspended != nullptr) {
      auto refused = environment_.suspended->refusal(source, op, request.url, began);
      if (refused) return std::move(*refused);
    }
    const auto box = std::make_shared<answer_box>();
    const auto ticket = environment_.transport->submit(std::move(request), began + answer_time,
                                                       [box](result<http::response> answer) {
                                                         const std::lock_guard lock(box->mutex);
                                                         box->answer.emplace(std::move(answer));
                                                         box->arrived.notify_all();
                                                       });
    std::unique_lock lock(box->mutex);
    const auto is_there = [&] { return box->answer.has_value(); };
    while (!box->arrived.wait_for(lock, look_every, is_there)) {
      if (!work_->reason_to_end()) continue;
      lock.unlock();
      environment_.transport->cancel(ticket);
      lock.lock();
      box->arrived.wait(lock, is_there);
    }
    return std::move(*box->answer);
  }

  /// Counts the keys of an item, and of the objects in it, that say something.
  static void note_filled(const item& one, capability_answer& answer) {
    std::string text;
    model::append_item(text, one);
    ++answer.items;
    const auto read = base::parse_json(text);
    if (!read) return;
    const auto note = [&](const std::string& name, const base::json::value& value) {
      const auto* list = value.if_array();
      if (!value.is_null() && (list == nullptr || !list->empty())) ++answer.filled[name];
    };
    for (const auto& [name, value] : read->as_object()) {
      const auto* inside = value.if_object();
      if (inside == nullptr) note(std::string(name), value);
      if (inside == nullptr) continue;
      for (const auto& [key, part] : *inside)
        note(std::string(name) + "." + std::string(key), part);
    }
  }

  const environment& environment_;
  std::shared_ptr<base::stop_token> work_;
};

/// What all capabilities of a source gave at an instance, in an order in which each has its names.
std::map<operation, capability_answer> survey(asker& asker, const sources::descriptor& source,
                                              const sources::settings& where) {
  std::map<operation, capability_answer> all;
  known_names known;
  for (const auto& turn :
       {std::vector{question_kind::words, question_kind::nothing, question_kind::hashtag,
                    question_kind::community},
        std::vector{question_kind::handle}, std::vector{question_kind::native}}) {
    for (const auto& how : source.capabilities) {
      const auto kind = kind_of_question(how.op);
      if (std::ranges::find(turn, kind) == turn.end()) continue;
      auto& into = all[how.op];
      for (const auto& what : questions(how.op, known, asker.now())) {
        if (asker.ask(source, how, where, what, known, into)) break;
      }
    }
  }
  return all;
}

/// Sentences about keys of items that all recorded ones fill and none of today's.
void add_empty_keys(std::vector<std::string>& out, const capability_answer& now,
                    const capability_answer& then) {
  if (now.items < least_items || then.items < least_items) return;
  for (const auto& [key, times] : then.filled) {
    const bool was_always = times == then.items;
    // What stands for the source itself is no news.
    if (was_always && !now.filled.contains(key))
      out.push_back(key + " is empty in all " + std::to_string(now.items) + " items, it was not");
  }
}

capability_check compared(const capability_answer& now, const capability_answer& then) {
  capability_check made;
  made.items = static_cast<std::int64_t>(now.items);
  made.elapsed_ms = now.elapsed.count();
  if (now.failure) {
    made.status = now.failure->code() == errc::not_found ? "not_asked" : "failed";
    made.findings.push_back(std::string(describe(now.failure->code()).name) + ": " +
                            now.failure->detail());
    return made;
  }
  if (now.items == 0 && now.wire.empty() && now.elapsed.count() == 0) {
    made.status = "not_asked";
    made.findings.emplace_back("nothing that was found names what to ask for");
    return made;
  }
  if (!then.wire.empty() && !now.wire.empty()) made.findings = now.wire.differences_from(then.wire);
  if (now.items == 0 && then.items != 0)
    made.findings.emplace_back("no item came, where the recorded answer has some");
  add_empty_keys(made.findings, now, then);
  made.status = made.findings.empty() ? "ok" : "changed";
  return made;
}

/// The recorded source as the operator's is set: who has no token is answered in another shape.
sources::settings recorded_as(const sources::settings& set, sources::settings recorded) {
  std::erase_if(recorded.values, [&](const auto& one) { return set.get(one.first).empty(); });
  return recorded;
}

const configured_source* same_in(const environment& environment,
                                 const sources::descriptor& source) {
  const auto found = std::ranges::find(environment.sources, &source, &configured_source::of);
  return found == environment.sources.end() || found->instances.empty() ? nullptr : &*found;
}

}  // namespace

std::int64_t source_checkup::count(std::string_view status) const {
  return std::ranges::count(checks, status, &capability_check::status);
}

std::vector<capability_check> check_sources(const environment& live, const environment& recorded,
                                            const std::shared_ptr<base::stop_token>& work) {
  std::vector<capability_check> out;
  asker now_asker(live, work), then_asker(recorded, work);
  for (const auto& source : live.sources) {
    const auto& what = *source.of;
    if (!source.enabled || !source.missing.empty() || what.of_archive) continue;
    const auto* then = same_in(recorded, what);
    if (then == nullptr) continue;
    const auto before =
        survey(then_asker, what, recorded_as(source.instances.front(), then->instances.front()));
    for (const auto& where : source.instances) {
      if (work->reason_to_end()) return out;
      for (const auto& [op, now] : survey(now_asker, what, where)) {
        auto made = compared(now, before.at(op));
        made.source = what.name;
        if (!what.instances_key.empty()) made.instance = http::public_url(where.base_url);
        made.endpoint = catalog::find_endpoint(op).path;
        out.push_back(std::move(made));
      }
    }
  }
  return out;
}

std::string checkup_json(const source_checkup& of) {
  namespace json = boost::json;
  json::array list;
  for (const auto& one : of.checks) {
    json::array findings;
    for (const auto& each : one.findings) findings.emplace_back(each);
    json::value instance = nullptr;
    if (!one.instance.empty()) instance = json::string(one.instance);
    list.push_back(json::object{{"source", one.source},
                                {"instance", std::move(instance)},
                                {"endpoint", one.endpoint},
                                {"status", one.status},
                                {"items", one.items},
                                {"elapsed_ms", one.elapsed_ms},
                                {"findings", std::move(findings)}});
  }
  return json::serialize(json::object{{"checked_at", base::format_time(of.at)},
                                      {"changed", of.count("changed")},
                                      {"failed", of.count("failed")},
                                      {"checks", std::move(list)}});
}

std::optional<source_checkup> read_checkup(std::string_view text) {
  const auto read = base::parse_json(text);
  if (!read) return std::nullopt;
  const auto at = base::parse_time(base::view_of(base::member(*read, "checked_at")));
  if (!at) return std::nullopt;
  source_checkup made;
  made.at = *at;
  for (const auto& each : base::array_of(base::member(*read, "checks"))) {
    capability_check one;
    one.source = base::text_of(base::member(each, "source"));
    one.instance = base::text_of(base::member(each, "instance"));
    one.endpoint = base::text_of(base::member(each, "endpoint"));
    one.status = base::text_of(base::member(each, "status"));
    one.items = base::integer_of(base::member(each, "items")).value_or(0);
    one.elapsed_ms = base::integer_of(base::member(each, "elapsed_ms")).value_or(0);
    for (const auto& finding : base::array_of(base::member(each, "findings")))
      one.findings.push_back(base::text_of(finding));
    made.checks.push_back(std::move(one));
  }
  return made;
}

}  // namespace freshet::detail
