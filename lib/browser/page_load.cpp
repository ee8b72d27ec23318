// opening (profile, page, rules) -> loading (its requests) -> reading (its document) -> leaving
// (the profile is thrown away) -> over.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <browser/document_script.hpp>
#include <browser/page_load.hpp>

namespace freshet::browser {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

/// The characters of a document that are taken, and the nodes that are copied out of shadow trees.
constexpr std::size_t max_document_length = http::max_body_bytes / 2;
constexpr std::size_t max_document_nodes = 500'000;
/// Forbidden addresses that a warning names, and how much of each.
constexpr std::size_t max_named = 3;
constexpr std::size_t max_named_length = 200;
/// What is kept of a call's time for reading the document.
constexpr milliseconds reading_reserve{1'500};

constexpr std::string_view no_parameters = "{}";

}  // namespace

page_load::page_load(devtools& tools, const options& limits, fetcher fetch, page_order order,
                     time now, done_handler done)
    : tools_(tools),
      limits_(limits),
      fetch_(std::move(fetch)),
      order_(std::move(order)),
      done_(std::move(done)),
      started_(now) {
  const time latest = std::max(now, order_.by - reading_reserve);
  settle_by_ = std::min(now + limits_.page_time, latest);
  give_up_at_ = std::min(settle_by_ + snapshot_time, std::max(order_.by, settle_by_));
  document_ = *order_.fetched;
  document_.body.clear();
}

void page_load::must(std::string_view method, std::string parameters,
                     std::function<void(const base::json::value&)> then) {
  const std::weak_ptr<page_load> self = weak_from_this();
  tools_.call(
      session_, method, parameters,
      [self, name = std::string(method), then = std::move(then)](const base::json::value* result) {
        const auto alive = self.lock();
        if (!alive || alive->phase_ >= phase::leaving) return;
        if (result == nullptr) {
          alive->hung_ = true;
          alive->abandon(error(errc::internal, "the browser refuses " + name));
        } else if (then) {
          then(*result);
        }
      });
}

void page_load::start() {
  must("Target.createBrowserContext", json_object({{"disposeOnDetach", "true"}}),
       [this](const base::json::value& made) {
         context_ = base::text_of(base::member(made, "browserContextId"));
         open_target();
       });
}

void page_load::open_target() {
  must("Browser.setDownloadBehavior",
       json_object({{"behavior", "\"deny\""}, {"browserContextId", json_string(context_)}}));
  must("Target.createTarget",
       json_object({{"url", "\"about:blank\""}, {"browserContextId", json_string(context_)}}),
       [this](const base::json::value& made) {
         attach(base::text_of(base::member(made, "targetId")));
       });
}

void page_load::attach(const std::string& target) {
  frame_ = target;  // a page's main frame has its number
  must("Target.attachToTarget",
       json_object({{"targetId", json_string(target)}, {"flatten", "true"}}),
       [this](const base::json::value& attached) {
         session_ = base::text_of(base::member(attached, "sessionId"));
         prepare();
       });
}

void page_load::prepare() {
  must("Page.enable", std::string(no_parameters));
  must("Fetch.enable", R"({"patterns":[{"urlPattern":"*","requestStage":"Request"}]})");
  if (!limits_.user_agent.empty()) {
    must("Emulation.setUserAgentOverride",
         json_object({{"userAgent", json_string(limits_.user_agent)}}));
  }
  // Answered in order: once this one is, every request of the page comes by here.
  must("Page.setLifecycleEventsEnabled", json_object({{"enabled", "false"}}),
       [this](const base::json::value&) { navigate(); });
}

void page_load::navigate() {
  phase_ = phase::loading;
  const std::string& address = order_.fetched->final_url;
  must("Page.navigate",
       json_object({{"url", json_string(address.empty() ? order_.what.url : address)}}));
}

void page_load::on_event(std::string_view session, std::string_view method,
                         const base::json::value& parameters, time now) {
  if (method == "Inspector.targetCrashed" || method == "Target.targetCrashed") {
    hung_ = true;
    return abandon(error(errc::source_error, "the page crashed the browser"));
  }
  if (session != session_ || session.empty() || phase_ >= phase::leaving) return;
  if (method == "Fetch.requestPaused") {
    on_paused(read_paused(parameters), now);
  } else if (method == "Page.loadEventFired") {
    loaded_ = true;
    quiet_since_ = now;
  } else if (method == "Page.frameNavigated") {
    on_navigated(parameters);
  } else if (method == "Page.javascriptDialogOpening") {
    // A question of leaving is answered with yes, all others with no.
    const bool leaving = base::view_of(base::member(parameters, "type")) == "beforeunload";
    tools_.call(session_, "Page.handleJavaScriptDialog",
                json_object({{"accept", leaving ? "true" : "false"}}));
  }
}

void page_load::on_navigated(const base::json::value& parameters) {
  const base::json::value& frame = base::member(parameters, "frame");
  if (base::view_of(base::member(frame, "id")) != frame_) return;
  loaded_ = false;
  quiet_since_.reset();
}

void page_load::on_paused(paused_request paused, time now) {
  const bool is_main = paused.kind == "Document" && paused.frame == frame_;
  quiet_since_ = now;
  if (is_main && !document_given_) {
    // The first one is the page itself, which we have.
    document_given_ = true;
    tools_.call(session_, "Fetch.fulfillRequest", fulfilment(paused.id, *order_.fetched));
    return;
  }
  const auto page = base::parse_url(document_.final_url);
  const std::string origin = page ? page->origin() : std::string();
  const refusal why = judge(paused, {frame_, origin});
  if (why == refusal::needless) ++refused_.needless;
  if (why != refusal::none) return refuse(paused, "BlockedByClient");
  if (is_main && ++navigations_ > max_navigations) {
    document_error_ = error(errc::source_error, "the page leads on to others without end");
    return refuse(paused, "BlockedByClient");
  }
  if (requests_ >= limits_.requests_per_page || bytes_ >= limits_.bytes_per_page ||
      paused.body.size() > max_posted_bytes) {
    ++refused_.over_limit;
    return refuse(paused, "BlockedByClient");
  }
  ++requests_;
  bytes_ += paused.body.size();
  let_in_.push_back(std::move(paused));
  ask_next();
}

void page_load::refuse(const paused_request& paused, std::string_view why) {
  tools_.call(session_, "Fetch.failRequest", failing(paused.id, why));
}

void page_load::ask_next() {
  while (!let_in_.empty() && in_flight_ < max_requests_at_once) {
    const paused_request next = std::move(let_in_.front());
    let_in_.pop_front();
    if (bytes_ < limits_.bytes_per_page) {
      ask(next);
    } else {
      ++refused_.over_limit;
      refuse(next, "BlockedByClient");
    }
  }
}

void page_load::ask(paused_request what) {
  ++in_flight_;
  http::request request = to_http(what, order_.what);
  request.body_limit = std::min(request.body_limit, limits_.bytes_per_page - bytes_);
  const std::weak_ptr<page_load> self = weak_from_this();
  fetch_(std::move(request), settle_by_,
         [self, what = std::move(what)](result<http::response> got) {
           if (const auto alive = self.lock()) alive->answered(what, std::move(got));
         });
}

void page_load::answered(const paused_request& paused, result<http::response> got) {
  if (phase_ >= phase::leaving) return;
  --in_flight_;
  quiet_since_ = std::chrono::steady_clock::now();
  if (got) bytes_ += got->body.size();
  give(paused, std::move(got));
  ask_next();
}

void page_load::give(const paused_request& paused, result<http::response> got) {
  const bool is_main = paused.kind == "Document" && paused.frame == frame_;
  if (got && bytes_ > limits_.bytes_per_page) {
    ++refused_.over_limit;
    return refuse(paused, "BlockedByClient");
  }
  if (!got) {
    if (is_main) document_error_ = got.error();
    note_failure(paused, got.error());
    const bool late = got.error().code() == errc::source_timeout;
    return refuse(paused, late ? "TimedOut" : "BlockedByClient");
  }
  tools_.call(session_, "Fetch.fulfillRequest", fulfilment(paused.id, *got));
  if (!is_main) return;
  document_error_.reset();
  document_ = std::move(*got);
  document_.body.clear();
}

void page_load::note_failure(const paused_request& paused, const error& why) {
  if (why.code() == errc::robots_disallowed) {
    ++refused_.robots;
  } else if (why.code() == errc::target_forbidden) {
    refused_.forbidden.push_back(paused.url.substr(0, max_named_length));
  } else {
    ++refused_.failed;
  }
}

page_load::time page_load::next_tick() const noexcept {
  if (phase_ != phase::loading) return give_up_at_;
  if (!loaded_ || in_flight_ > 0 || !quiet_since_) return settle_by_;
  return std::min(settle_by_, *quiet_since_ + quiet_time);
}

void page_load::tick(time now) {
  if (phase_ == phase::over) return;
  if (now >= give_up_at_) {
    hung_ = true;
    if (phase_ == phase::leaving) {
      phase_ = phase::over;
      return;
    }
    const auto waited = duration_cast<milliseconds>(now - started_).count();
    return abandon(error(errc::source_timeout, "the page's scripts were still busy after " +
                                                   std::to_string(waited) + " ms"));
  }
  if (phase_ != phase::loading) return;
  const bool quiet =
      loaded_ && in_flight_ == 0 && quiet_since_ && now >= *quiet_since_ + quiet_time;
  if (now >= settle_by_) time_is_up_ = true;
  if (quiet || time_is_up_) read_document(now);
}

void page_load::read_document(time now) {
  phase_ = phase::reading;
  requests_when_read_ = requests_;
  give_up_at_ = std::min(std::max(settle_by_, now) + snapshot_time, std::max(order_.by, now));
  const std::weak_ptr<page_load> self = weak_from_this();
  tools_.call(session_, "Page.createIsolatedWorld",
              json_object({{"frameId", json_string(frame_)}, {"worldName", "\"freshet\""}}),
              [self](const base::json::value* made) {
                const auto alive = self.lock();
                if (!alive) return;
                const auto context =
                    made == nullptr ? std::nullopt
                                    : base::integer_of(base::member(*made, "executionContextId"));
                if (context) return alive->evaluate(*context);
                alive->take_document(nullptr, std::chrono::steady_clock::now());
              });
}

void page_load::evaluate(std::int64_t context) {
  const std::string expression = std::string(document_script) + "(" +
                                 std::to_string(max_document_length) + "," +
                                 std::to_string(max_document_nodes) + ")";
  const std::weak_ptr<page_load> self = weak_from_this();
  tools_.call(session_, "Runtime.evaluate",
              json_object({{"expression", json_string(expression)},
                           {"contextId", std::to_string(context)},
                           {"returnByValue", "true"}}),
              [self](const base::json::value* evaluated) {
                const auto alive = self.lock();
                if (alive) alive->take_document(evaluated, std::chrono::steady_clock::now());
              });
}

void page_load::take_document(const base::json::value* evaluated, time now) {
  if (phase_ != phase::reading) return;
  const base::json::value none;
  const base::json::value& document =
      evaluated == nullptr ? none : base::member(*evaluated, "result", "value");
  // A page that was busy when it seemed quiet, or that has just moved on, is given more time.
  const bool moved = !document.is_object() || requests_ != requests_when_read_ || in_flight_ > 0;
  if (moved && !time_is_up_ && now < settle_by_) {
    phase_ = phase::loading;
    quiet_since_ = now;
    return;
  }
  if (!document.is_object()) {
    return finish(error(errc::source_error, "the page left while it was being read"));
  }
  finish(make_response(document));
}

result<http::response> page_load::make_response(const base::json::value& document) const {
  const std::string address = base::text_of(base::member(document, "url"));
  const auto parsed = base::parse_url(address);
  if (!parsed || !parsed->is_http()) {
    if (document_error_) return *document_error_;
    return error(errc::source_error, "the page leads to what is no page of the web");
  }
  http::response out = document_;
  std::erase_if(out.headers, [](const http::header& each) {
    return base::equals_ignoring_ascii_case(each.name, "Content-Type");
  });
  out.headers.push_back({"Content-Type", "text/html; charset=utf-8"});
  out.body = base::text_of(base::member(document, "html"));
  out.final_url = address;
  out.elapsed = duration_cast<milliseconds>(std::chrono::steady_clock::now() - started_) +
                order_.fetched->elapsed;
  out.rendered = true;
  out.warnings = warnings();
  if (base::flag_of(base::member(document, "truncated")).value_or(false)) {
    out.warnings.emplace_back("render: the page is too long; its end is missing");
  }
  return out;
}

std::vector<std::string> page_load::warnings() const {
  std::vector<std::string> out;
  const auto add = [&](const std::string& text) { out.push_back("render: " + text); };
  const auto add_count = [&](std::size_t count, const char* text) {
    if (count == 0) return;
    add(std::to_string(count) + (count == 1 ? " request" : " requests") + " of the page " + text);
  };
  const std::size_t named = std::min(refused_.forbidden.size(), max_named);
  for (std::size_t i = 0; i < named; ++i) {
    add("a request of the page to " + refused_.forbidden[i] +
        " was refused: its address is not one that may be asked");
  }
  add_count(refused_.forbidden.size() - named, "to other forbidden addresses refused too");
  add_count(refused_.robots, "refused: robots.txt disallows them");
  add_count(refused_.over_limit, "refused: the page asks for too much");
  add_count(refused_.failed, "without an answer");
  if (time_is_up_) add("the page was still loading when its time was up");
  return out;
}

void page_load::abandon(error why) {
  if (phase_ < phase::leaving) finish(std::move(why));
}

void page_load::finish(result<http::response> with) {
  phase_ = phase::leaving;
  give_up_at_ = std::chrono::steady_clock::now() + dispose_time;
  if (hung_ || context_.empty()) {
    phase_ = phase::over;
  } else {
    const std::weak_ptr<page_load> self = weak_from_this();
    tools_.call("", "Target.disposeBrowserContext",
                json_object({{"browserContextId", json_string(context_)}}),
                [self](const base::json::value* done) {
                  const auto alive = self.lock();
                  if (!alive) return;
                  alive->hung_ = done == nullptr;
                  alive->phase_ = phase::over;
                });
  }
  if (done_) std::exchange(done_, nullptr)(std::move(with));
}

}  // namespace freshet::browser
