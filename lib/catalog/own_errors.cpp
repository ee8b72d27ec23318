// See own_errors.hpp: each error with what makes an endpoint give it, from the table of endpoints.
#include <algorithm>
#include <catalog/own_errors.hpp>

namespace freshet::catalog {
namespace {

bool always(const endpoint&) { return true; }
bool asks_sources(const endpoint& of) { return of.scope == scope::read; }
bool costs(const endpoint& of) { return of.credits > 0 || of.render_credits > 0; }
bool has_pages(const endpoint& of) { return find_parameter(of, "cursor") != nullptr; }
bool judges_safety(const endpoint& of) { return find_parameter(of, "safety") != nullptr; }
bool rotates_keys(const endpoint& of) { return of.op == operation::account_keys_rotate; }
bool tells_somebody(const endpoint& of) { return of.op == operation::account_alerts_test; }

/// Whether it fetches what the caller names.
bool reads_pages(const endpoint& of) { return of.platform == "scrape"; }

/// Whether it answers what the caller names, which may not be there.
bool seeks_one(const endpoint& of) {
  const auto names = [](const parameter& one) {
    return one.format == value_format::key_id || one.format == value_format::request_id;
  };
  if (of.scope == scope::account) return std::ranges::any_of(of.own, names);
  return of.shape == answer_shape::lookup || of.asks == ask_mode::any_one ||
         find_parameter(of, "community") != nullptr;
}

struct own_error {
  errc code;
  bool (*given_by)(const endpoint&);
};
constexpr own_error error_rows[] = {
    {errc::invalid_request, always},
    {errc::invalid_cursor, has_pages},
    {errc::insufficient_credits, costs},
    {errc::key_budget_exceeded, costs},
    {errc::max_credits_exceeded, costs},
    {errc::forbidden_scope, always},
    {errc::target_forbidden, reads_pages},
    {errc::robots_disallowed, reads_pages},
    {errc::not_found, seeks_one},
    {errc::unsupported_content, reads_pages},
    {errc::key_not_rotatable, rotates_keys},
    {errc::unsafe_content, judges_safety},
    {errc::no_recipient, tells_somebody},
    {errc::source_error, asks_sources},
    {errc::source_blocked, asks_sources},
    {errc::source_auth_required, asks_sources},
    {errc::source_unavailable, asks_sources},
    {errc::source_timeout, asks_sources},
};

}  // namespace

std::vector<errc> own_errors(const endpoint& of) {
  std::vector<errc> out;
  for (const auto& row : error_rows) {
    if (row.given_by(of)) out.push_back(row.code);
  }
  return out;
}

}  // namespace freshet::catalog
