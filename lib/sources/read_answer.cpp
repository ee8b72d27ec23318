// Reads statuses, headers and the outside of a body. It trusts none of them: every length is
// bounded and every number is checked before it is used.
#include <algorithm>
#include <array>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/mark_set.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources {
namespace {

using base::json::value;

/// How much of a body is looked at to tell what it is.
constexpr std::size_t max_sniffed_bytes = 64u << 10;
/// How much of a web page is turned into an error's text.
constexpr std::size_t max_page_text_bytes = 4u << 10;
/// Numbers above it are seconds since 1970, numbers below are seconds to wait.
constexpr std::int64_t first_epoch_reset = 1'000'000'000;

/// What only a challenge or a block page says, lower case. Each comes from a recorded page or from
/// the vendor's own script names.
constexpr mark_set block_marks{std::array{
    std::string_view("challenge-platform"),             // Cloudflare
    std::string_view("cf-chl-"),                        // Cloudflare
    std::string_view("<title>just a moment"),           // Cloudflare
    std::string_view("attention required! | cloudfl"),  // Cloudflare
    std::string_view("captcha-delivery.com"),           // DataDome
    std::string_view("px-captcha"),                     // PerimeterX
    std::string_view("_incapsula_resource"),            // Imperva
    std::string_view("<title>ddos-guard"),              // DDoS-Guard
    std::string_view("/.within.website/x/cmd/anubis"),  // Anubis
    std::string_view("making sure you&#39;re not a bot"),
    std::string_view("making sure you're not a bot"),
    std::string_view("anomaly-modal"),                               // DuckDuckGo
    std::string_view("anomaly.js?"),                                 // DuckDuckGo
    std::string_view("if this error persists, please let us know"),  // DuckDuckGo
    std::string_view("our systems have detected unusual traffic"),   // Google
    std::string_view("/sorry/index"),                                // Google
    std::string_view("showcaptcha"),                                 // Yandex
    std::string_view("checkcaptcha"),                                // Yandex
    std::string_view("| verifying your request</title>"),            // searx.be
    std::string_view("checking your browser before accessing"),
    std::string_view("verify you are human"),
    std::string_view("verifying you are human"),
    std::string_view("verify that you are not a robot"),
    std::string_view("access to this page has been denied"),
}};

/// Paths of login forms, where a redirect ends when a source wants a session.
constexpr std::array login_paths = {
    std::string_view("/login"),          std::string_view("/signin"),
    std::string_view("/sign_in"),        std::string_view("/auth/sign_in"),
    std::string_view("/accounts/login"),
};

std::string_view body_start(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  const auto first = body.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view{} : body.substr(first);
}

std::optional<time_point> reference_time(const http::response& answer) {
  if (const auto date = base::parse_time(http::find_header(answer.headers, "date"))) return date;
  if (answer.fetched_at == time_point{}) return std::nullopt;
  return answer.fetched_at;
}

std::chrono::seconds bounded(std::int64_t seconds) {
  return std::chrono::seconds{
      std::clamp<std::int64_t>(seconds, 0, std::int64_t{max_retry_after.count()})};
}

std::optional<std::chrono::seconds> until(time_point moment, const http::response& answer) {
  const auto from = reference_time(answer);
  if (!from) return std::nullopt;
  return bounded(std::chrono::ceil<std::chrono::seconds>(moment - *from).count());
}

std::optional<std::int64_t> digits(std::string_view text) {
  constexpr std::size_t longest = 15;  // far beyond any wait, far below overflow
  if (text.empty() || text.size() > longest) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

/// A wait as headers spell it: seconds, seconds since 1970, a date.
std::optional<std::chrono::seconds> wait_of(std::string_view text, const http::response& answer) {
  text = base::trim(text);
  text = text.substr(0, text.find(','));
  if (const auto dot = text.find('.'); dot != std::string_view::npos && digits(text.substr(0, dot)))
    text = text.substr(0, dot);
  if (const auto number = digits(text)) {
    if (*number < first_epoch_reset) return bounded(*number);
    const auto moment = base::from_unix_seconds(static_cast<double>(*number));
    return moment ? until(*moment, answer) : std::nullopt;
  }
  return std::nullopt;
}

/// Of "0, 1990" left in windows that end in "1, 1419704" seconds: the longest wait of those that
/// are used up. Null if none is, or if these are no lists of one length.
std::optional<std::chrono::seconds> longest_spent_window(std::string_view left,
                                                         std::string_view reset,
                                                         const http::response& answer) {
  std::optional<std::chrono::seconds> longest;
  while (!left.empty() && !reset.empty()) {
    const auto here = base::trim(left.substr(0, left.find(',')));
    const auto wait = wait_of(reset, answer);
    if (here == "0" && wait) longest = std::max(longest.value_or(*wait), *wait);
    const auto next = [](std::string_view list) {
      const auto comma = list.find(',');
      return comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    };
    left = next(left);
    reset = next(reset);
  }
  return left.empty() && reset.empty() ? longest : std::nullopt;
}

std::string one_line(std::string_view text) {
  const auto repaired = base::repair_utf8(text);
  return std::string(base::prefix(base::collapse_spaces(repaired), max_source_text));
}

/// The words of a JSON error, wherever the many conventions put them.
std::string message_of(const value& from) {
  for (const auto key : {"message", "detail", "error_message", "error_description"}) {
    if (auto text = base::text_of(base::member(from, key)); !text.empty()) return text;
  }
  const auto& inner = base::member(from, "error");
  if (inner.is_object()) {
    for (const auto key : {"message", "detail", "info", "type"}) {
      if (auto text = base::text_of(base::member(inner, key)); !text.empty()) return text;
    }
  }
  if (inner.is_string()) return base::text_of(inner);
  const auto& list = base::array_of(base::member(from, "errors"));
  if (!list.empty()) {
    if (list.front().is_string()) return base::text_of(list.front());
    for (const auto key : {"message", "detail"}) {
      if (auto text = base::text_of(base::member(list.front(), key)); !text.empty()) return text;
    }
  }
  return base::text_of(base::member(from, "title"));
}

std::string page_text(std::string_view page) {
  page = page.substr(0, max_page_text_bytes);
  const auto lower = base::to_lower_ascii(page);
  if (const auto open = lower.find("<title"); open != std::string::npos) {
    const auto start = lower.find('>', open);
    const auto end = lower.find("</title", open);
    if (start != std::string::npos && end != std::string::npos && start < end)
      return html::decode_entities(base::repair_utf8(page.substr(start + 1, end - start - 1)));
  }
  return html::plain_text(base::repair_utf8(page));
}

bool is_login_form(std::string_view address) {
  const auto where = base::parse_url(address);
  if (!where) return false;
  const auto path = base::to_lower_ascii(where->path);
  return std::ranges::any_of(login_paths,
                             [&path](std::string_view one) { return path.ends_with(one); });
}

std::string status_detail(int status) {
  return "the source answered with HTTP status " + std::to_string(status);
}

}  // namespace

bool is_html(const http::response& answer) {
  const auto start = body_start(answer.body);
  const auto type = base::to_lower_ascii(http::find_header(answer.headers, "content-type"));
  const bool says_html = type.find("text/html") != std::string::npos ||
                         type.find("application/xhtml") != std::string::npos;
  // Some servers label their JSON as HTML.
  if (says_html) return !start.starts_with('{') && !start.starts_with('[');
  if (!type.empty() && type.find("json") == std::string::npos) return false;
  const auto head = base::to_lower_ascii(start.substr(0, 16));
  return head.starts_with("<!doctype html") || head.starts_with("<html") ||
         head.starts_with("<head");
}

answer_signs sniff(const http::response& answer) {
  answer_signs signs;
  signs.html = is_html(answer);
  signs.block_page = http::find_header(answer.headers, "cf-mitigated") == "challenge";
  if (!signs.html) return signs;
  const auto beginning = std::string_view(answer.body).substr(0, max_sniffed_bytes);
  signs.block_page = signs.block_page || block_marks.is_in(beginning);
  signs.login_wall = is_login_form(answer.final_url);
  return signs;
}

std::optional<std::chrono::seconds> retry_after_of(const http::response& answer) {
  const auto asked = http::find_header(answer.headers, "retry-after");
  if (!asked.empty()) {
    // A date holds a comma, so it is tried as a whole before it is cut there.
    if (const auto date = base::parse_time(base::trim(asked)); date && !digits(base::trim(asked)))
      return until(*date, answer);
    if (const auto wait = wait_of(asked, answer)) return wait;
  }
  for (const std::string prefix : {"ratelimit", "x-ratelimit", "x-rate-limit"}) {
    const auto left = http::find_header(answer.headers, prefix + "-remaining");
    const auto reset = http::find_header(answer.headers, prefix + "-reset");
    if (reset.empty() || (answer.status != 429 && base::trim(left) != "0")) continue;
    if (const auto wait = longest_spent_window(left, reset, answer)) return wait;
    if (const auto wait = wait_of(reset, answer)) return wait;
    if (const auto date = base::parse_time(base::trim(reset))) return until(*date, answer);
  }
  return std::nullopt;
}

std::string source_text_of(const http::response& answer) {
  const auto start = body_start(answer.body);
  const bool is_json = start.starts_with('{') || start.starts_with('[');
  if (is_json && answer.body.size() <= max_sniffed_bytes) {
    const auto body = parse_body(answer);
    if (body) return one_line(message_of(*body));
  }
  if (is_html(answer)) return one_line(page_text(start));
  return one_line(start.substr(0, max_page_text_bytes));
}

error answer_error(errc code, std::string detail, const http::response& answer) {
  error failed(code, std::move(detail));
  failed.source_text = source_text_of(answer);
  failed.retry_after = retry_after_of(answer);
  return failed;
}

bool is_object_list(const value& value) noexcept {
  const auto& list = base::array_of(value);
  return value.is_array() && (list.empty() || std::ranges::any_of(list, [](const auto& one) {
                                return one.is_object();
                              }));
}

error no_list_of(std::string_view name, const http::response& answer) {
  return answer_error(errc::source_error, "the answer holds no list of " + std::string(name),
                      answer);
}

std::optional<error> check_status(const http::response& answer) {
  return check_status(answer, sniff(answer));
}

std::optional<error> check_status(const http::response& answer, const answer_signs& signs) {
  const int status = answer.status;
  const auto fail = [&answer](errc code, std::string detail) {
    return answer_error(code, std::move(detail), answer);
  };
  if (signs.block_page)
    return fail(errc::source_blocked, "the source answered with a block page or a captcha");
  if (status != 401 && signs.login_wall)
    return fail(errc::source_auth_required, "the source redirected to its login form");
  if (status >= 200 && status < 300) return std::nullopt;
  switch (status) {
    case 401:
      return fail(errc::source_auth_required, "the source wants a valid credential");
    case 402:
      return fail(errc::source_unavailable, "the quota at the source is used up");
    case 403:
      return fail(errc::source_blocked, "the source refused the request");
    case 404:
    case 410:
      if (signs.html)
        return fail(errc::source_error, "there is no such address at the source; check base_url");
      return fail(errc::not_found, "the source knows no such thing");
    case 408:
    case 504:
      return fail(errc::source_timeout, "the source ran into a timeout");
    case 429:
      return fail(errc::source_unavailable, "the source's rate limit is reached");
    case 451:
      return fail(errc::source_blocked, "the source withholds it for legal reasons");
    default:
      break;
  }
  const bool is_down = status == 502 || status == 503 || (status >= 520 && status <= 530);
  return fail(is_down ? errc::source_unavailable : errc::source_error, status_detail(status));
}

result<json_body> json_body::parse(std::string_view text, base::meter* counted) {
  // Small bodies make small trees; large ones grow by themselves.
  constexpr std::size_t least = 1u << 10, most = 64u << 10;
  auto read = std::make_unique<tree>(std::clamp(text.size(), least, most));
  auto parsed = base::parse_json(text, {counted, max_answer_objects}, &read->memory);
  if (!parsed) return parsed.error();
  read->root = std::move(*parsed);
  return json_body(std::move(read));
}

result<json_body> parse_body(const http::response& answer) {
  std::string_view body = answer.body;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  const bool is_clean = base::is_utf8(body);
  auto parsed = is_clean ? json_body::parse(body, answer.counted)
                         : json_body::parse(base::repair_utf8(body), answer.counted);
  if (parsed) return std::move(*parsed);
  const bool html = is_html(answer);
  error failed(errc::source_error, html ? "the source answered with a web page instead of JSON"
                                        : "the source's answer is not readable JSON");
  failed.source_text =
      one_line(html ? page_text(body_start(body)) : std::string(body.substr(0, max_source_text)));
  return failed;
}

result<json_body> read_json(const http::response& answer) {
  if (auto failed = check_status(answer)) return std::move(*failed);
  return parse_body(answer);
}

result<json_body> read_json_of_any_status(const http::response& answer) {
  return is_html(answer) ? read_json(answer) : parse_body(answer);
}

namespace {

/// One link-value of a Link header: its target and its rel, and where the next one begins.
struct link_value {
  std::string_view target, rel;
  std::size_t end = std::string_view::npos;
};

link_value read_link_value(std::string_view text, std::size_t index) {
  link_value link;
  const auto open = text.find('<', index);
  const auto close = text.find('>', open == std::string_view::npos ? text.size() : open);
  if (close == std::string_view::npos) return link;
  link.target = text.substr(open + 1, close - open - 1);
  std::size_t i = close + 1;
  bool quoted = false;
  std::size_t start = i;
  const auto take = [&](std::size_t end) {
    auto parameter = base::trim(text.substr(start, end - start));
    if (!base::equals_ignoring_ascii_case(parameter.substr(0, 3), "rel")) return;
    parameter = base::trim(parameter.substr(3));
    if (!parameter.starts_with('=')) return;
    parameter = base::trim(parameter.substr(1));
    if (parameter.size() >= 2 && parameter.front() == '"' && parameter.back() == '"')
      parameter = parameter.substr(1, parameter.size() - 2);
    if (link.rel.empty()) link.rel = parameter;
  };
  for (; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted || (text[i] != ';' && text[i] != ',')) continue;
    take(i);
    start = i + 1;
    if (text[i] == ',') break;
  }
  if (i >= text.size()) take(text.size());
  link.end = i < text.size() ? i + 1 : std::string_view::npos;
  return link;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto space = list.find(' ');
    if (base::equals_ignoring_ascii_case(list.substr(0, space), word)) return true;
    if (space == std::string_view::npos) break;
    list.remove_prefix(space + 1);
  }
  return false;
}

}  // namespace

std::string link_target(const http::response& answer, std::string_view rel) {
  for (const auto& header : answer.headers) {
    if (!base::equals_ignoring_ascii_case(header.name, "link")) continue;
    for (std::size_t at = 0; at != std::string_view::npos && at < header.value.size();) {
      const auto link = read_link_value(header.value, at);
      if (has_word(link.rel, rel)) {
        const auto resolved = base::resolve_url(answer.final_url, link.target);
        return resolved.empty() ? std::string(link.target) : resolved;
      }
      at = link.end;
    }
  }
  return {};
}

}  // namespace freshet::sources
