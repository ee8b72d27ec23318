// The whole flow of a call, one stage a module:
//
//   find (catalog) -> authenticate, take a rate token (account) -> enter the account's gate ->
//   look for a kept page -> validate (catalog, query) -> choose sources -> quote
//   -> recall (idempotency) -> reserve (ledger) -> fetch: loop { plan (source) -> fetch
//   (http) -> read (source) } -> merge -> page -> settle or void (ledger) -> envelope (model)
//
// Where there is a kept page it goes from there to recall, reserve and settle.
//
// Authentication and admission come before validation: a caller without a key learns nothing, and
// malformed calls count against the rate like any other. The reservation voids itself unless it is
// settled, so that no path leaks a credit.
#include "engine/pipeline.hpp"

#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <engine/dashboard/dashboard_service.hpp>
#include <engine/runtime/late_value.hpp>
#include <model/json.hpp>

namespace freshet::detail {

namespace {

constexpr std::string_view out_of_memory =
    R"({"type":"/errors/overloaded","title":"Overloaded","status":503,)"
    R"("detail":"no memory is left for this call","code":"overloaded",)"
    R"("request_id":"req_00000000000000000000000000","retryable":true,"retry_after_s":null,)"
    R"("errors":[],"credits":{"used":0,"remaining":null}})";
constexpr std::string_view no_id = "req_00000000000000000000000000";

const response& when_out_of_memory() {
  static const response made = [] {
    response out;
    out.status = describe(errc::overloaded).http_status;
    out.code = errc::overloaded;
    out.content_type = "application/problem+json";
    out.body = out_of_memory;
    return out;
  }();
  return made;
}

}  // namespace

pipeline::pipeline(core& core, request&& request, done_handler done)
    : core_(core),
      request_(std::move(request)),
      done_(std::move(done)),
      out_of_memory_response_(when_out_of_memory()) {}

pipeline::~pipeline() = default;

void pipeline::give_up() noexcept {
  if (!done_) return;
  try {
    reservation_.release();
    if (marked_) core_.accounts->end_idempotent(*who_, request_.idempotency_key);
  } catch (const std::bad_alloc&) {
    // What is held lets go of itself with this object.
  }
  marked_ = false;
  pass_.reset();
  if (meta_.request_id.size() == no_id.size()) {
    out_of_memory_response_.body.replace(out_of_memory_response_.body.find(no_id), no_id.size(),
                                         meta_.request_id);
  }
  out_of_memory_response_.request_id = std::move(meta_.request_id);
  out_of_memory_response_.rate = rate_;
  core_.calls.ended(endpoint_, out_of_memory_response_, {},
                    std::chrono::steady_clock::now() - began_);
  spans_.end(endpoint_, out_of_memory_response_, owner(), is_sandboxed());
  remember(out_of_memory_response_);
  std::exchange(done_, nullptr)(std::move(out_of_memory_response_));
}

void pipeline::run() noexcept {
  guarded([this] {
    if (request_.request_id.empty()) {
      request_.request_id = base::make_id("req_", base::system_clock().now());
    }
    meta_.request_id = std::move(request_.request_id);
    spans_.begin(core_.tracer.get(), request_);
    run_stages();
  });
}

/// Runs stages until one waits, answers or fails. A stage that waits is over: when what it waits
/// for has come, another thread may be in here before this one has left.
void pipeline::run_stages() {
  static constexpr std::array<stage, 10> stages{
      &pipeline::find,           &pipeline::authenticate,  &pipeline::take_rate_token,
      &pipeline::enter_gate,     &pipeline::look_for_page, &pipeline::validate,
      &pipeline::choose_sources, &pipeline::quote,         &pipeline::recall,
      &pipeline::reserve,
  };
  while (stage_ < stages.size()) {
    const auto ended = (this->*stages[stage_++])();
    if (!ended) return refuse(ended.error());
    if (*ended != stage_end::next) return;
  }
  if (endpoint_->platform == "account") {
    if (auto made = answer_at_once(as_account_call()))
      return settle(std::move(made->data), std::move(made->page), false);
    auto& on = is_report(endpoint_->op) ? *core_.readers : *core_.pool;
    go_on(on, &pipeline::read_account, owner());
  } else if (kept_) {
    give_kept_page();
  } else {
    fetch();
  }
}

void pipeline::go_on(workers& workers, void (pipeline::*step)(), owner_id whose) {
  workers.post(
      [self = shared_from_this(), step] {
        const auto before = base::thread_processor_time();
        self->guarded([&] { ((*self).*step)(); });
        self->book(base::thread_processor_time() - before);
      },
      whose);
}

/// Goes on behind the stage that waited, on a worker: who brings what was waited for has other
/// calls to see to.
void pipeline::resume() noexcept {
  guarded([this] { go_on(*core_.pool, &pipeline::run_stages, owner()); });
}

namespace {

/// Endpoints of a platform, or with a last word, that somebody gave in place of a path; "" for
/// none.
std::string paths_meant_by(std::string_view given) {
  constexpr std::size_t most = 6;
  const std::string ending = "/" + std::string(given);
  std::string out;
  std::size_t found = 0;
  for (const auto& one : catalog::endpoints()) {
    if (one.platform != given && !one.path.ends_with(ending)) continue;
    if (++found <= most) out += (out.empty() ? "" : ", ") + std::string(one.path);
  }
  if (found > most) out += " and " + std::to_string(found - most) + " more";
  return out;
}

}  // namespace

result<pipeline::stage_end> pipeline::find() {
  endpoint_ = catalog::find_endpoint(request_.endpoint);
  if (endpoint_ != nullptr) return stage_end::next;
  std::string detail = "no endpoint '" + request_.endpoint + "'";
  const auto near = catalog::nearest_path(request_.endpoint);
  if (!near.empty()) {
    detail += "; did you mean '" + std::string(near) + "'?";
  } else if (const auto meant = paths_meant_by(request_.endpoint); !meant.empty()) {
    detail += "; there are " + meant;
  }
  return error(errc::unknown_endpoint, std::move(detail));
}

result<pipeline::stage_end> pipeline::authenticate() {
  environment_ = core_.is_sandbox_alone ? &core_.sandbox : &core_.live;
  if (request_.example) return take_example();
  if (!request_.session.empty()) return look_up_caller(0);
  if (request_.api_key.empty()) {
    if (request_.in_process) return stage_end::next;
    return error(errc::missing_api_key, "send Authorization: Bearer <API_KEY>");
  }
  if (core_.accounts == nullptr) {
    // Without accounts only the sandbox needs a key, and any well-formed test key opens it.
    const auto mode = account::check_key_format(request_.api_key);
    if (!mode) return mode.error();
    if (*mode != account::key_mode::test) {
      return error(errc::invalid_api_key, "this engine has no accounts; call without a key");
    }
    environment_ = &core_.sandbox;
    return stage_end::next;
  }
  auto who = core_.accounts->authenticate_at_once(request_.api_key);
  if (who) return admit(std::move(*who));
  const auto whose = core_.accounts->check_key(request_.api_key);
  return look_up_caller(whose ? whose->account_id : 0);
}

/// What no one has to be known for: there is one body an endpoint, whose answer is kept.
result<pipeline::stage_end> pipeline::take_example() {
  if (endpoint_->scope != catalog::scope::read)
    return error(errc::not_signed_in, "sign in first; an account's calls have no example here");
  environment_ = &core_.sandbox;
  request_.body = boost::json::serialize(catalog::example_body(*endpoint_));
  return stage_end::next;
}

/// Waits for a worker: who has not called for long has to be read from the disk.
result<pipeline::stage_end> pipeline::look_up_caller(owner_id whose) {
  go_on(*core_.pool, &pipeline::look_caller_up, whose);
  return stage_end::waiting;
}

void pipeline::look_caller_up() {
  auto who = request_.session.empty() ? core_.accounts->authenticate(request_.api_key)
                                      : authenticate_session(core_, request_);
  if (auto in = admit(std::move(who)); !in) return refuse(in.error());
  run_stages();
}

/// Lets in who is known to call, within what they may.
result<pipeline::stage_end> pipeline::admit(result<account::principal>&& who) {
  if (!who) return who.error();
  who_ = std::move(*who);
  if (who_->key.mode == account::key_mode::test) environment_ = &core_.sandbox;
  const bool allowed =
      endpoint_->scope == catalog::scope::read ? who_->key.scope_read : who_->key.scope_account;
  if (allowed) return stage_end::next;
  const char* scope = endpoint_->scope == catalog::scope::read ? "read" : "account";
  return error(errc::forbidden_scope, "the key lacks the scope '" + std::string(scope) + "'");
}

/// What was answered to the same words is answered again. A call that may be repeated has its
/// arguments read all the same: its name is made of them.
result<pipeline::stage_end> pipeline::look_for_page() {
  if (endpoint_->platform == "account") return stage_end::next;
  kept_ = environment_->pages->find(*endpoint_, request_.body, environment_->clock->steady());
  if (!kept_) return stage_end::next;
  price_ = kept_->price;
  if (!request_.idempotency_key.empty()) return stage_end::next;
  // There is nothing left to find out before the reservation.
  constexpr std::size_t stages_of_arguments = 4;
  stage_ += stages_of_arguments;
  return stage_end::next;
}

/// Waits for a worker where there is much to read: the thread of the caller has other calls to see
/// to, and who sends much waits for his own turn.
result<pipeline::stage_end> pipeline::validate() {
  constexpr std::size_t short_body = 2u << 10;
  if (request_.body.size() > short_body && !std::exchange(is_on_worker_, true)) {
    --stage_;
    go_on(*core_.pool, &pipeline::run_stages, owner());
    return stage_end::waiting;
  }
  auto checked = catalog::validate(*endpoint_, request_.body);
  if (!checked) return checked.error();
  arguments_.emplace(std::move(*checked));
  if (auto target = check_target(); !target) return target.error();
  if (auto able = check_rendering(); !able) return able.error();
  if (auto usable = check_schema(); !usable) return usable.error();
  if (auto obeys = check_robots(); !obeys) return obeys.error();
  const auto cursor = arguments_->text("cursor");
  if (cursor.empty()) return stage_end::next;
  if (auto read = continue_from(cursor); !read) return read.error();
  return stage_end::next;
}

result<void> pipeline::check_rendering() const {
  if (arguments_->text("render") != "always" || environment_->no_browser.empty()) return {};
  return base::invalid_parameter("/render", "not_allowed",
                                 environment_->no_browser + "; `never` and `auto` do without one");
}

result<void> pipeline::continue_from(std::string_view cursor) {
  if (endpoint_->platform == "account") return {};  // its cursors are read where they are made
  auto state = read_cursor(cursor, arguments_->query_identity(), core_.cursor_secret,
                           base::system_clock().now());
  if (!state) return state.error();
  from_ = std::move(*state);
  return {};
}

result<pipeline::stage_end> pipeline::quote() {
  const auto render = arguments_->text("render");
  const bool may_render =
      render == "always" || (render == "auto" && environment_->no_browser.empty());
  render_surcharge_ = may_render ? core_.render_surcharge(*endpoint_) : 0;
  price_ = render_surcharge_;
  for (const auto* part : parts_) price_ += core_.price(*part);
  const auto most = arguments_->integer("max_credits");
  if (arguments_->given("max_credits") && price_ > most) {
    return error(errc::max_credits_exceeded, "this call costs " + std::to_string(price_) +
                                                 " and max_credits is " + std::to_string(most));
  }
  if (kept_) {
    price_ = kept_->price;
    render_surcharge_ = 0;
  }
  if (!arguments_->flag("dry_run")) return stage_end::next;
  meta_.quote = metered() ? price_ : 0;
  const bool list = endpoint_->shape == catalog::answer_shape::list;
  envelope(list ? "[]" : "null", list ? std::optional<page_info>(page_info{}) : std::nullopt);
  return stage_end::answered;
}

/// Answers a repeated idempotent call from what was stored with its debit. Waits for a worker:
/// what is stored is read from the disk and inflated.
result<pipeline::stage_end> pipeline::recall() {
  if (request_.idempotency_key.empty() || !who_) return stage_end::next;
  const auto digest =
      base::sha256(std::string(endpoint_->path) + "\n" + arguments_->canonical_body());
  fingerprint_ = base::hex(base::as_text(digest));
  spans_.enter("recall");
  go_on(*core_.pool, &pipeline::look_up_answer, owner());
  return stage_end::waiting;
}

void pipeline::look_up_answer() {
  auto stored = core_.accounts->begin_idempotent(*who_, request_.idempotency_key, fingerprint_);
  spans_.leave();
  if (!stored) return refuse(stored.error());
  repeats_ = *stored && !(*stored)->is_kept;
  marked_ = !*stored || repeats_;
  if (repeats_) price_ = render_surcharge_ = 0;
  if (marked_) return run_stages();
  response replay;
  replay.status = (*stored)->status;
  replay.content_type = (*stored)->content_type;
  replay.body = std::move((*stored)->body);
  replay.data_offset = (*stored)->data_offset;
  replay.data_size = (*stored)->data_size;
  replay.idempotency_replayed = true;
  answer(std::move(replay));
}

/// Waits where the account's month has to begin first, which is a commit.
result<pipeline::stage_end> pipeline::reserve() {
  if (!metered() || price_ == 0) return stage_end::next;
  spans_.enter("reserve");
  if (auto made = core_.accounts->reserve_at_once(*who_, {price_})) {
    spans_.leave();
    if (!*made) return made->error();
    reservation_ = std::move(**made);
    return stage_end::next;
  }
  const auto held = std::make_shared<late_value<result<account::reservation>>>();
  const auto keep = [held](pipeline& call) -> result<stage_end> {
    auto made = held->take();
    call.spans_.leave();
    if (!made) return made.error();
    call.reservation_ = std::move(*made);
    return stage_end::next;
  };
  core_.accounts->reserve(*who_, {price_}, [self = shared_from_this(), held, keep](auto made) {
    if (!held->bring(std::move(made))) return;
    self->guarded([&] {
      if (auto kept = keep(*self); !kept) return self->refuse(kept.error());
      self->resume();
    });
  });
  return held->need() ? keep(*this) : stage_end::waiting;
}

/// Whether this call moves credits: a live key on an engine with accounts.
bool pipeline::metered() const {
  return who_ && who_->key.mode == account::key_mode::live && endpoint_->platform != "account";
}

std::optional<std::int64_t> pipeline::remaining() const {
  if (!who_) return std::nullopt;
  const auto balance = core_.accounts->balance_of(*who_);
  if (!balance) return std::nullopt;
  return balance->available().value;
}

void pipeline::fetch() {
  auto self = shared_from_this();
  identity_ = arguments_->query_identity();
  auto plan = make_gather_request();
  moved_ = plan.moved = environment_->recorded.at(base::system_clock().now());
  keep_until(stands_until(plan), environment_->clock->now());  // while the branches are here
  plan.spans = spans_.enter("gather");
  plan.on_source = teller();
  auto made =
      std::make_shared<gatherer>(*environment_, *core_.readers, std::move(plan),
                                 std::move(branches_), [self](result<page_outcome> outcome) {
                                   self->guarded([&] { self->page(std::move(outcome)); });
                                 });
  bool cancelled = false;
  {
    const std::lock_guard lock(mutex_);
    gatherer_ = made;
    cancelled = cancelled_;
  }
  if (cancelled) made->cancel();
  made->start();
}

account_call pipeline::as_account_call() {
  return {*core_.accounts,
          *who_,
          *arguments_,
          core_.cursor_secret,
          [this] { return is_wanted(); },
          core_.users.get(),
          core_.requests.get(),
          core_};
}

void pipeline::read_account() {
  auto made = answer_account_call(as_account_call());
  if (!made) return refuse(made.error());
  settle(std::move(made->data), std::move(made->page), false);
}

void pipeline::refuse(const error& why) {
  reservation_.release();
  auto made = model::make_problem(why, meta_.request_id, {0, remaining()});
  made.code = why.code();
  answer(std::move(made));
}

/// The one way out: everything that is held is let go of, then the caller is told.
void pipeline::answer(response&& made) {
  if (marked_) core_.accounts->end_idempotent(*who_, request_.idempotency_key);
  marked_ = false;
  made.request_id = meta_.request_id;
  made.rate = rate_;
  if (made.idempotency_replayed) made.credits_remaining = remaining();
  made.origin_allowed = is_origin_allowed();
  pass_.reset();  // who has the answer may call again at once
  core_.calls.ended(endpoint_, made, sources_asked(), std::chrono::steady_clock::now() - began_);
  spans_.end(endpoint_, made, owner(), is_sandboxed());
  count(made);
  remember(made);
  note_alerts(made);
  const bool is_seen = request_.example || !request_.session.empty();
  const bool has_pictures =
      made.ok() && is_seen && endpoint_ != nullptr && endpoint_->platform != "account";
  if (!has_pictures) return give(std::move(made));
  answered_ = std::move(made);
  try {
    // An answer is read as a whole for them: where pages are, not by the ledger's thread or that of
    // a connection.
    go_on(*core_.readers, &pipeline::give_with_pictures, owner());
  } catch (const std::bad_alloc&) {
    give(std::move(*answered_));
  }
}

/// Whether pages of the caller's origin may read what the call is answered.
bool pipeline::is_origin_allowed() const {
  return who_ && std::ranges::find(who_->key.origins, request_.origin) != who_->key.origins.end();
}

void pipeline::give_with_pictures() {
  const auto whose =
      request_.example ? picture_addresses::whoever : std::string_view(request_.session);
  core_.pictures.add_to(*answered_, whose, is_sandboxed());
  give(std::move(*answered_));
}

void pipeline::give(response&& made) {
  auto done = std::exchange(done_, nullptr);
  if (done) done(std::move(made));
}

/// For who looks at the service now. The sandbox's sources are none that could fail.
void pipeline::count(const response& made) noexcept {
  recent_calls::call one;
  if (who_) one.account = who_->account.public_id;
  if (!made.ok()) one.failure = made.code;
  const auto took = std::chrono::steady_clock::now() - began_;
  one.elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  if (!kept_ && !is_sandboxed())
    one.asked = failed_sources_.empty() ? std::span<const source_report>(meta_.sources)
                                        : std::span<const source_report>(failed_sources_);
  core_.recent.add(one);
}

bool pipeline::is_wanted() {
  const std::lock_guard lock(mutex_);
  return !cancelled_;
}

void pipeline::cancel() noexcept {
  std::shared_ptr<gatherer> running;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    running = gatherer_;
  }
  if (running) running->cancel();
}

}  // namespace freshet::detail
