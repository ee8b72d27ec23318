// RFC 9110, 15.4: which statuses redirect, what becomes of the method, and what is left behind when
// the origin changes.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <http/credentials.hpp>
#include <http/redirects.hpp>
#include <utility>

namespace freshet::http {
namespace {

bool is_redirect(int status) noexcept {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

result<std::optional<request>> next_hop(const request& was, const response& got) {
  if (!is_redirect(got.status)) return std::optional<request>();
  const std::string_view location = find_header(got.headers, "Location");
  const std::optional<base::url> from = base::parse_url(was.url);
  if (location.empty() || !from) return std::optional<request>();
  const std::optional<base::url> to = base::resolve_url(*from, location);
  if (!to || !to->is_http()) {
    return error(errc::target_forbidden,
                 from->host + " redirects to something that is not an http or https address");
  }
  request next = was;
  next.url = to->text();
  const bool becomes_get = (got.status == 303 && was.method != "HEAD") ||
                           ((got.status == 301 || got.status == 302) && was.method == "POST");
  if (becomes_get && was.method != "GET") {
    next.method = "GET";
    next.body.clear();
    std::erase_if(next.headers, [](const header& each) {
      return base::equals_ignoring_ascii_case(each.name, "Content-Type");
    });
  }
  if (from->origin() != to->origin()) {
    next.chosen_by = target_choice::caller;  // the operator named where we were, not where we go
    std::erase_if(next.headers, [](const header& each) { return is_credential_header(each.name); });
    if (next.method != "GET" && next.method != "HEAD") next.repeatable = false;
  }
  return std::optional<request>(std::move(next));
}

error too_many_redirects(const request& first) {
  return error(errc::source_error, base::host_of(first.url) + " redirects too often");
}

std::uint64_t redirects::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  const int limit = std::clamp(request.redirect_limit, 0, max_redirects);
  request.redirect_limit = 0;
  if (limit == 0) {  // whatever comes is the answer
    requests_.add(ticket, std::move(done), {});
    requests_.forward(ticket, next_, std::move(request), deadline);
    return ticket;
  }
  request.keeps_cookies = true;
  requests_.add(ticket, std::move(done), {std::move(request), deadline, 0, limit, 0});
  ask(ticket);
  return ticket;
}

void redirects::ask(std::uint64_t ticket) {
  pending_request& asking = requests_.at(ticket);
  const int hop = asking.hops;
  const std::uint64_t inner =
      next_.submit(request(asking.what), asking.by,
                   [this, ticket](result<response>&& got) { answered(ticket, std::move(got)); });
  // If it has answered before returning, the request may be gone or at its next hop.
  pending_request* const found = requests_.find(ticket);
  if (found != nullptr && found->hops == hop) found->inner = inner;
}

void redirects::answered(std::uint64_t ticket, result<response>&& got) {
  pending_request* const asking = requests_.find(ticket);
  if (asking == nullptr) return;
  if (!got) return requests_.answer(ticket, std::move(got));
  result<std::optional<request>> next = next_hop(asking->what, *got);
  if (!next) return requests_.answer(ticket, next.error());
  if (!next->has_value()) return requests_.answer(ticket, std::move(got));
  if (asking->hops == asking->limit) {
    return requests_.answer(ticket, too_many_redirects(asking->what));
  }
  ++asking->hops;
  asking->inner = 0;
  asking->what = std::move(**next);
  // Who brings cookies of his own has these alone.
  if (find_header(asking->what.headers, "Cookie").empty())
    asking->what.cookies = std::move(got->cookies);
  ask(ticket);
}

void redirects::cancel(std::uint64_t ticket) {
  const pending_request* const found = requests_.find(ticket);
  if (found == nullptr) return;
  next_.cancel(found->inner);
  requests_.answer(ticket, error(errc::cancelled, "the request was cancelled"));
}

}  // namespace freshet::http
