// Finding the recorded answer: exactly, by method, URL and body with secrets replaced on both
// sides; or the nearest one of the same page.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <http/credentials.hpp>
#include <http/freshness.hpp>
#include <http/redirects.hpp>
#include <http/replay.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace freshet::http {
namespace {

std::string exact_key(const std::string& method, const std::string& url, const std::string& body) {
  const std::optional<base::url> parsed = base::parse_url(url);
  std::string text = parsed ? parsed->text() : url;
  text.resize(std::min(text.size(), text.find('#')));
  return method + '\n' + redact_url(text) + '\n' + redact_body(body);
}

std::string near_key(const std::string& method, const std::string& url) {
  const std::optional<base::url> parsed = base::parse_url(url);
  return parsed ? method + '\n' + parsed->host + '\n' + parsed->path : method + '\n' + url;
}

void add_pairs(std::string_view text, std::vector<std::string>& out) {
  while (!text.empty()) {
    const auto end = text.find('&');
    out.push_back(base::percent_decode(text.substr(0, end), true));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

/// What a request asks for, as "name=value": of its query, and of its body if that is a form or a
/// JSON object.
std::vector<std::string> sorted_parameters(const std::string& url, const std::string& body) {
  std::vector<std::string> out;
  const std::optional<base::url> parsed = base::parse_url(redact_url(url));
  if (parsed) add_pairs(parsed->query, out);
  const std::string clean = redact_body(body);
  if (base::trim(clean).starts_with('{')) {
    const auto members = base::parse_json(clean);
    if (members) {
      for (const auto& [name, value] : base::object_of(*members)) {
        out.push_back(std::string(name) + '=' + boost::json::serialize(value));
      }
    }
  } else if (clean.find('=') != std::string::npos) {
    add_pairs(clean, out);
  }
  std::ranges::sort(out);
  return out;
}

/// How many parameters differ in value or are on one side only.
std::size_t distance(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> differing;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(differing));
  // One that differs in value is there twice, once with each: its name counts once.
  std::vector<std::string> names;
  for (const std::string& each : differing) names.push_back(each.substr(0, each.find('=')));
  std::ranges::sort(names);
  return static_cast<std::size_t>(std::unique(names.begin(), names.end()) - names.begin());
}

/// The words of what is asked for, in lower case.
std::set<std::string> words_of(const std::vector<std::string>& parameters) {
  std::set<std::string> out;
  for (const std::string& each : parameters) {
    std::string word;
    for (const char c : each + ' ') {
      if (base::is_alphanumeric(c)) {
        word += base::lower(c);
      } else if (!word.empty()) {
        out.insert(std::exchange(word, {}));
      }
    }
  }
  return out;
}

}  // namespace

replay::replay(std::vector<recorded_exchange> exchanges, replay_match match,
               const base::clock& clock)
    : exchanges_(std::move(exchanges)), match_(match), clock_(clock) {
  for (const recorded_exchange& each : exchanges_) {
    // An answer to "has it changed?" is none to a plain question.
    if (each.answer.status == not_modified) continue;
    series*& into = exact_[exact_key(each.method, each.url, each.body)];
    if (into == nullptr) into = &series_.emplace_back();
    into->answers.push_back(&each);
    near_[near_key(each.method, each.url)].push_back(&each);
    if (const auto url = base::parse_url(each.url)) hosts_.insert(url->host);
  }
}

const recorded_exchange* replay::find_nearest(const request& what) const {
  const auto found = near_.find(near_key(what.method, what.url));
  if (found == near_.end()) return nullptr;
  const std::vector<std::string> wanted = sorted_parameters(what.url, what.body);
  const std::string body = redact_body(what.body);
  const std::set<std::string> asked = words_of(wanted);
  const recorded_exchange* best = nullptr;
  std::tuple<std::size_t, std::size_t, bool> least;
  for (const recorded_exchange* each : found->second) {
    const std::vector<std::string> here = sorted_parameters(each->url, each->body);
    const std::set<std::string> words = words_of(here);
    // As many parameters alike: the one that shares more words, as in "tide gauge" -toy and
    // "tide gauge", and not whichever was recorded first.
    const auto unlike = static_cast<std::size_t>(std::ranges::count_if(
        asked, [&](const std::string& word) { return !words.contains(word); }));
    const auto rank = std::tuple(distance(wanted, here), unlike, redact_body(each->body) != body);
    if (best != nullptr && rank >= least) continue;
    best = each;
    least = rank;
  }
  return best;
}

result<response> replay::answer_one(const request& what) {
  const recorded_exchange* found = nullptr;
  if (const auto at = exact_.find(exact_key(what.method, what.url, what.body));
      at != exact_.end()) {
    series& of = *at->second;
    const std::size_t turn = std::min(of.given.fetch_add(1), of.answers.size() - 1);
    found = match_ == replay_match::exact ? of.answers[turn] : of.answers.front();
  } else if (match_ == replay_match::nearest) {
    found = find_nearest(what);
  }
  if (found == nullptr) {
    const std::optional<base::url> url = base::parse_url(what.url);
    if (!url || url->path != "/robots.txt") {
      // A sandbox is all that there is; a recording that lacks a request is the wrong one.
      return error(match_ == replay_match::nearest ? errc::not_found : errc::source_error,
                   "not in the recording: " + what.method + ' ' + redact_url(what.url));
    }
    response none;
    none.status = 404;
    none.final_url = what.url;
    none.fetched_at = clock_.now();
    return none;
  }
  if (found->failure) return *found->failure;
  if (found->answer.body.size() > std::min(what.body_limit, max_body_bytes) &&
      !what.truncate_body) {
    return error(errc::source_error, "the recorded answer is longer than asked for");
  }
  response out = found->answer;
  out.body.resize(std::min(out.body.size(), what.body_limit));
  out.final_url = what.url;
  if (out.fetched_at == time_point()) out.fetched_at = clock_.now();
  return out;
}

result<response> replay::answer(const request& what) {
  request asking = what;
  for (int hop = 0;; ++hop) {
    result<response> got = answer_one(asking);
    if (!got || what.redirect_limit <= 0) return got;
    result<std::optional<request>> next = next_hop(asking, *got);
    if (!next) return next.error();
    if (!next->has_value()) return got;
    if (hop >= std::min(what.redirect_limit, max_redirects)) return too_many_redirects(what);
    asking = std::move(**next);
  }
}

std::uint64_t replay::submit(request&& request, deadline, handler done) {
  done(answer(request));
  return 0;
}

replay_on_demand::replay_on_demand(std::vector<std::string_view> har_texts, replay_match match,
                                   const base::clock& clock)
    : match_(match), clock_(clock), none_({}, match, clock), unread_(std::move(har_texts)) {}

/// Reads what mentions the host: that costs less than to know what is in all of them.
result<replay*> replay_on_demand::find(const std::string& url) {
  const auto parsed = base::parse_url(url);
  if (!parsed) return &none_;
  const std::lock_guard lock(mutex_);
  const auto has_it = [&](const auto& each) { return each->has_host(parsed->host); };
  if (const auto at = std::ranges::find_if(read_, has_it); at != read_.end()) return at->get();
  const std::string mention = "://" + parsed->host;
  for (auto at = unread_.begin(); at != unread_.end();) {
    if (at->find(mention) == std::string_view::npos) {
      ++at;
      continue;
    }
    auto exchanges = read_har(*at);
    if (!exchanges) return error(errc::source_error, exchanges.error().detail());
    read_.push_back(std::make_unique<replay>(std::move(*exchanges), match_, clock_));
    at = unread_.erase(at);
    if (has_it(read_.back())) return read_.back().get();
  }
  return &none_;
}

std::uint64_t replay_on_demand::submit(request&& request, deadline deadline, handler done) {
  auto found = find(request.url);
  if (!found) {
    done(found.error());
    return 0;
  }
  return (*found)->submit(std::move(request), deadline, std::move(done));
}

result<std::unique_ptr<transport>> make_replay(const std::vector<std::string_view>& har_texts,
                                               replay_match match, const base::clock* clock) {
  std::vector<recorded_exchange> all;
  for (const std::string_view text : har_texts) {
    result<std::vector<recorded_exchange>> some = read_har(text);
    if (!some) return some.error();
    std::move(some->begin(), some->end(), std::back_inserter(all));
  }
  const base::clock& time = clock == nullptr ? base::system_clock() : *clock;
  return std::unique_ptr<transport>(std::make_unique<replay>(std::move(all), match, time));
}

}  // namespace freshet::http
