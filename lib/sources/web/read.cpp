// An answer to a document item. Statuses and challenge pages become errors: a block page is never
// passed on as if it were the page.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <markdown/page.hpp>
#include <sources/mark_set.hpp>
#include <sources/read_answer.hpp>
#include <sources/web/leads.hpp>
#include <sources/web/shell.hpp>
#include <sources/web/wire.hpp>

namespace freshet::sources::web {

namespace {

/// A challenge has hardly any text; a page that writes about challenges has more.
constexpr std::int64_t most_challenge_words = 120;

/// Titles of challenge pages, in lower case, as they begin.
constexpr std::array<std::string_view, 12> challenge_titles = {
    "just a moment",   "attention required!",     "access denied",        "robot check",
    "are you a robot", "pardon our interruption", "human verification",   "ddos-guard",
    "security check",  "please verify you are",   "verify you are human", "checking your browser"};

/// Addresses of the scripts behind challenges.
constexpr mark_set challenge_scripts{std::array<std::string_view, 6>{
    "/cdn-cgi/challenge-platform/h/", "captcha-delivery.com", "/_incapsula_resource", "px-captcha",
    "geo.captcha", "awswafintegration"}};

std::optional<error> error_of_status(const http::response& answer) {
  switch (answer.status) {
    case 404:
    case 410:
      return answer_error(errc::not_found, "the site has no such page", answer);
    case 401:
    case 407:
      return answer_error(errc::source_auth_required, "the page asks for a login", answer);
    case 429:
    case 503:
      if (!sniff(answer).block_page) {
        return answer_error(errc::source_unavailable, "the site asks to come back later", answer);
      }
      return answer_error(errc::source_blocked, "the site answered with a challenge", answer);
    default:
      return check_status(answer);
  }
}

}  // namespace

std::optional<error> error_of_page(const http::response& answer) {
  if (answer.status >= 200 && answer.status < 300) return std::nullopt;
  if (auto problem = error_of_status(answer)) return problem;
  return answer_error(errc::source_error,
                      "the site answered with status " + std::to_string(answer.status), answer);
}

bool is_challenge(const http::response& answer, const freshet::document& item) {
  if (base::equals_ignoring_ascii_case(http::find_header(answer.headers, "cf-mitigated"),
                                       "challenge")) {
    return true;
  }
  if (item.word_count > most_challenge_words) return false;
  const auto title = base::to_lower_ascii(item.title);
  if (std::ranges::any_of(challenge_titles,
                          [&](std::string_view one) { return title.starts_with(one); })) {
    return true;
  }
  if (item.word_count > most_challenge_words / 4) return false;
  constexpr std::size_t looked_at = 64 * 1024;
  return challenge_scripts.is_in(std::string_view(answer.body).substr(0, looked_at));
}

namespace {

/// What a page shows in its own place; null, with a warning, after a few.
std::optional<result<step>> go_on(const exchange& exchange, plan_function* plan, std::string target,
                                  std::vector<std::string>& warnings) {
  if (exchange.state.size() >= most_leading_pages) {
    warnings.push_back("the page sends its readers on to " + target +
                       ", as those did that led to it; that was not followed");
    return std::nullopt;
  }
  auto further = exchange.call;
  further.url = std::move(target);
  auto request = plan(further, exchange.settings, "");
  if (!request) return request.error();
  return step{follow{std::move(*request), std::string(exchange.state) + leading_mark}};
}

/// Of a page that has nothing to read: its only frame, or a warning that says what may help.
std::optional<result<step>> look_elsewhere(const exchange& exchange, const std::string& address,
                                           std::vector<std::string>& warnings) {
  auto frames = frames_of(exchange.answer, address, exchange.meter);
  auto& addresses = frames.addresses;
  const bool is_rendering = exchange.state == rendering_state;
  if (frames.is_set && addresses.size() == 1 && !is_rendering)
    return go_on(exchange, plan_page, std::move(addresses.front()), warnings);
  std::string told = "the page has nothing to read";
  if (!addresses.empty()) {
    told += " but frames: ask for ";
    for (const auto& one : addresses) told += (&one == &addresses.front() ? "" : ", ") + one;
  } else if (exchange.call.render == http::rendering::never) {
    told += " as it is fetched; with render \"auto\" it is read as its scripts leave it";
  }
  warnings.push_back(std::move(told));
  return std::nullopt;
}

}  // namespace

std::optional<result<step>> lead_on(const exchange& exchange, const std::string& address,
                                    plan_function* plan, std::vector<std::string>& warnings) {
  auto target = refresh_target(exchange.answer, address, exchange.meter);
  if (target.empty()) return std::nullopt;
  return go_on(exchange, plan, std::move(target), warnings);
}

namespace {

/// The same page again, this time by way of a browser, which is given what has been fetched.
result<step> render_page(const exchange& exchange, const std::string& address) {
  auto wanted = exchange.call;
  if (!exchange.state.empty()) wanted.url = address;
  auto again = plan_page(wanted, exchange.settings, "");
  if (!again) return again.error();
  again->render = http::rendering::if_possible;
  again->fetched = std::make_shared<const http::response>(exchange.answer);
  return step{follow{std::move(*again), std::string(rendering_state)}};
}

}  // namespace

result<step> read_page(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (auto problem = error_of_page(answer)) return *std::move(problem);
  const std::string& address = answer.final_url.empty() ? exchange.call.url : answer.final_url;
  const auto content_type = http::find_header(answer.headers, "content-type");
  auto options = exchange.call.page;
  // A document that was no page has nothing around its content that would have to be told from it.
  if (!answer.converted_from.empty()) options.mode = markdown::page_mode::page;
  auto page = markdown::convert({answer.body, content_type, address}, options, exchange.meter);
  if (!page) return page.error();
  if (is_challenge(answer, page->document)) {
    return answer_error(errc::source_blocked, "the site answered with a challenge", answer);
  }
  listing out;
  if (exchange.state != rendering_state) {
    if (auto further = lead_on(exchange, address, plan_page, out.warnings))
      return *std::move(further);
    if (exchange.call.render == http::rendering::if_possible &&
        !sign_of_empty_shell(answer, exchange.meter).empty()) {
      return render_page(exchange, address);
    }
  }
  auto& item = page->document;
  item.url = base::canonical_url(item.url.empty() ? address : item.url);
  item.id = "web:" + base::canonical_url(address);
  item.source = "web";
  item.final_url = address;
  item.status_code = answer.status;
  item.content_type = answer.converted_from.empty() ? content_type : answer.converted_from;
  out.warnings.insert(out.warnings.end(), answer.warnings.begin(), answer.warnings.end());
  if (exchange.state == rendering_state && !answer.rendered && out.warnings.empty()) {
    out.warnings.emplace_back("render: there is no browser here; the page is as it was fetched");
  }
  out.warnings.insert(out.warnings.end(), page->warnings.begin(), page->warnings.end());
  if (item.markdown.empty() || page->is_frames) {
    if (auto frame = look_elsewhere(exchange, address, out.warnings)) return *std::move(frame);
  }
  out.blocks = std::move(page->blocks);
  out.places = std::move(page->places);
  out.items.emplace_back(std::move(item));
  return step{std::move(out)};
}

}  // namespace freshet::sources::web
