// The client of a remote server: the same calls over HTTP. It keeps no accounts and no cache, and
// asks nothing twice by itself; what the server answers is handed on byte for byte.
#include <base/clock.hpp>
#include <base/ids.hpp>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <freshet/engine.hpp>
#include <freshet/version.hpp>
#include <http/stack.hpp>
#include <model/json.hpp>
#include <optional>
#include <telemetry/trace_context.hpp>

#include "engine/data_span.hpp"

namespace freshet {
namespace {

/// Above the longest timeout_ms that a call may ask for.
constexpr std::chrono::seconds remote_timeout{150};

std::optional<std::int64_t> integer_header(const http::headers& headers, std::string_view name) {
  return base::parse_number<std::int64_t>(http::find_header(headers, name));
}

response from_http(http::response got) {
  response made;
  made.status = got.status;
  made.content_type = http::find_header(got.headers, "Content-Type");
  made.request_id = http::find_header(got.headers, "X-Request-Id");
  made.credits_used = integer_header(got.headers, "X-Service-Credits-Used").value_or(0);
  made.credits_remaining = integer_header(got.headers, "X-Service-Credits-Remaining");
  if (const auto wait = integer_header(got.headers, "Retry-After")) {
    made.retry_after = std::chrono::seconds(*wait);
  }
  made.idempotency_replayed = http::find_header(got.headers, "Idempotency-Replayed") == "true";
  made.body = std::move(got.body);
  if (made.ok()) {
    const auto [offset, size] = detail::find_data(made.body);
    made.data_offset = offset;
    made.data_size = size;
  } else {
    made.code = model::read_problem(made.body, made.status).code();
  }
  return made;
}

response failed(const error& why, const std::string& request_id) {
  auto made = model::make_problem(why, request_id, {});
  made.code = why.code();
  made.request_id = request_id;
  return made;
}

/// What is wrong with an answer that no Freshet server gives: a proxy's page, another service's
/// JSON. Null for one of ours.
std::optional<error> foreign(const response& got) {
  const bool is_ours =
      got.ok() ? got.data_size > 0 : got.content_type.find("json") != std::string::npos;
  if (is_ours) return std::nullopt;
  error out(errc::source_error, "what answered with status " + std::to_string(got.status) +
                                    " is no Freshet server; is base_url right?");
  out.source_text = model::read_problem(got.body, got.status).source_text;
  return out;
}

constexpr std::string_view stream_type = "application/x-ndjson";
constexpr std::string_view source_begin = R"({"event":"source","data":)";
constexpr std::string_view result_begin = R"({"event":"result","data":)";
constexpr std::string_view failure_begin = R"({"event":"error","data":)";

/// What a line of a stream says, if it is of this kind; "" else.
std::string_view told_in(std::string_view line, std::string_view begin) {
  if (!line.starts_with(begin) || !line.ends_with('}')) return {};
  return line.substr(begin.size(), line.size() - begin.size() - 1);
}

/// Cuts a stream into its lines, as its bytes come, and tells what sources have given.
class source_lines {
 public:
  explicit source_lines(std::function<void(source_event)> to) : to_(std::move(to)) {}

  void take(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto end = bytes.find('\n');
      line_.append(bytes.substr(0, end));
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      if (const auto event = told_in(line_, source_begin); !event.empty())
        to_({std::string(event), false});
      line_.clear();
    }
  }

 private:
  std::function<void(source_event)> to_;
  std::string line_;
};

bool is_named(const http::header& one, std::string_view name) {
  return base::to_lower_ascii(one.name) == base::to_lower_ascii(name);
}

/// A field of the head as the last line says it: the head went before it was known.
void set_field(http::headers& head, std::string_view name, const boost::json::value& told) {
  std::erase_if(head, [name](const auto& one) { return is_named(one, name); });
  if (const auto value = base::integer_of(told)) {
    head.push_back({std::string(name), std::to_string(*value)});
  }
}

/// The answer at the end of a stream, as the plain one has it.
http::response last_of_stream(http::response got) {
  if (!http::find_header(got.headers, "Content-Type").starts_with(stream_type)) return got;
  std::string_view body = got.body;
  while (body.ends_with('\n')) body.remove_suffix(1);
  const auto line = body.substr(body.rfind('\n') + 1);
  const auto answer = told_in(line, result_begin);
  const auto failure = told_in(line, failure_begin);
  if (!answer.empty() || !failure.empty()) {
    got.body = std::string(failure.empty() ? answer : failure);
    const auto read = base::parse_json(got.body);
    const boost::json::value told = read ? *read : boost::json::value();
    const auto& credits =
        failure.empty() ? base::member(told, "meta", "credits") : base::member(told, "credits");
    set_field(got.headers, "X-Service-Credits-Used", base::member(credits, "used"));
    set_field(got.headers, "X-Service-Credits-Remaining", base::member(credits, "remaining"));
    set_field(got.headers, "Retry-After", base::member(told, "retry_after_s"));
  }
  if (!failure.empty()) {
    got.status = describe(model::read_problem(got.body, got.status).code()).http_status;
  }
  const bool failed = got.status != 200;
  std::erase_if(got.headers, [](const auto& one) { return is_named(one, "Content-Type"); });
  got.headers.push_back({"Content-Type", failed ? "application/problem+json" : "application/json"});
  return got;
}

/// Why the server gave no answer, with what to look at.
error unanswered(const error& why, const std::string& base_url) {
  if (why.code() != errc::source_unavailable) return why;
  return error(why.code(), why.detail() + "; see that a Freshet server runs at " + base_url);
}

/// A call under way.
struct remote_call {
  std::function<void(response)> done;
  std::string request_id;
  std::string base_url;
  response final_answer;  ///< made beforehand, for when there is no memory for another

  void answer(result<http::response> got) noexcept {
    try {
      if (got) {
        auto made = from_http(last_of_stream(std::move(*got)));
        const auto why = foreign(made);
        final_answer = why ? failed(*why, request_id) : std::move(made);
      } else if (got.error().code() != errc::overloaded) {
        final_answer = failed(unanswered(got.error(), base_url), request_id);
      }
    } catch (const std::bad_alloc&) {
      // Then it is the one that was made beforehand.
    }
    done(std::move(final_answer));
  }
};

class remote final : public client {
 public:
  remote(std::string base_url, std::unique_ptr<http::transport> transport)
      : base_url_(std::move(base_url)), transport_(std::move(transport)) {}

  std::uint64_t submit(request wanted, std::function<void(response)> done) override {
    http::request sent;
    sent.method = "POST";
    sent.url = base::join_path(base_url_, std::string(contract_version) + "/" + wanted.endpoint);
    sent.cacheable = false;
    sent.redirect_limit = 0;
    sent.headers.push_back({"Content-Type", "application/json"});
    if (!wanted.api_key.empty())
      sent.headers.push_back({"Authorization", "Bearer " + wanted.api_key});
    if (!wanted.idempotency_key.empty()) {
      sent.headers.push_back({"Idempotency-Key", wanted.idempotency_key});
    }
    // Ours, so that a call whose answer never came can be found in the server's log.
    if (wanted.request_id.empty()) wanted.request_id = make_request_id();
    sent.headers.push_back({"X-Request-Id", wanted.request_id});
    if (const auto trace = telemetry::read_trace_context(wanted.traceparent, wanted.tracestate)) {
      sent.headers.push_back({"traceparent", wanted.traceparent});
      if (!trace->state.empty()) sent.headers.push_back({"tracestate", trace->state});
    }
    if (wanted.on_source) {
      sent.headers.push_back({"Accept", std::string(stream_type)});
      const auto lines = std::make_shared<source_lines>(std::move(wanted.on_source));
      sent.on_body = [lines](std::string_view bytes) { lines->take(bytes); };
    }
    sent.body = wanted.body.empty() ? "{}" : std::move(wanted.body);
    const auto one = std::make_shared<remote_call>(remote_call{
        std::move(done), wanted.request_id, base_url_,
        failed(error(errc::overloaded, "no memory is left for the answer"), wanted.request_id)});
    return transport_->submit(std::move(sent), base::system_clock().steady() + remote_timeout,
                              [one](result<http::response> got) { one->answer(std::move(got)); });
  }

  void cancel(std::uint64_t ticket) override { transport_->cancel(ticket); }

 private:
  std::string base_url_;
  std::unique_ptr<http::transport> transport_;
};

}  // namespace

result<std::unique_ptr<client>> connect(std::string base_url, std::string api_key, log_sink log,
                                        std::string ca_file) {
  const auto parsed = base::parse_url(base_url);
  if (!parsed || !parsed->is_http()) {
    return error(errc::invalid_configuration, "server: '" + base_url +
                                                  "' is no http(s) URL; give one such as " +
                                                  "http://127.0.0.1:8080");
  }
  http::stack_options options;
  options.user_agent = "Freshet-client/" + std::string(version);
  options.allow_private = {"0.0.0.0/0", "::/0"};  // the caller chose the server
  options.any_port = true;
  options.polite = false;  // one key's 429 or one source's 503 must not hold up the next call
  options.ca_file = std::move(ca_file);
  options.clock = &base::system_clock();
  options.log = std::move(log);
  auto transport = http::make_stack(std::move(options));
  if (!transport) return transport.error();
  std::unique_ptr<client> made =
      std::make_unique<remote>(std::move(base_url), std::move(*transport));
  made->api_key = std::move(api_key);
  return made;
}

}  // namespace freshet
