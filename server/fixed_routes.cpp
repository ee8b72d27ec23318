// What the server says of itself: what is where, whether it runs, what its errors mean. The table
// of those paths, and their answers.
#include <array>
#include <boost/json.hpp>
#include <freshet/version.hpp>
#include <server/dashboard/pages.hpp>
#include <server/dropin/dropin.hpp>
#include <server/mcp/http_address.hpp>
#include <server/nearest.hpp>
#include <server/routes.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

constexpr std::string_view error_prefix = "/errors/";

reply json_reply(const json::value& body, const request_facts& facts) {
  reply out;
  out.own_body = json::serialize(body);
  out.request_id = facts.request_id;
  return out;
}

}  // namespace

std::span<const router::fixed_route> router::fixed_routes() noexcept {
  static constexpr std::array<fixed_route, 9> routes{{
      {"/", "", &router::show_index},
      {json_path, "the description of every endpoint", nullptr},
      {yaml_path, "the same as YAML", nullptr},
      {"/errors/", "what each error code means", &router::show_errors},
      {"/healthz", "whether the process runs", &router::show_health},
      {"/readyz", "whether it takes calls", &router::show_ready},
      {metrics_path, "", &router::show_metrics},
      {"/.well-known/oauth-protected-resource", "how /mcp is authorised", &router::show_resource},
      {"/.well-known/oauth-protected-resource/mcp", "", &router::show_resource},
  }};
  return routes;
}

reply router::not_allowed(std::string_view allow, const http_request& request,
                          const request_facts& facts) const {
  reply out =
      request.head.method() == "OPTIONS"
          ? json_reply(json::object{{"allow", allow}}, facts)
          : problem(error(errc::method_not_allowed, "this path takes " + std::string(allow)),
                    facts.request_id);
  out.allow = allow;
  return out;
}

reply router::show_index(const http_request&, const request_facts& facts, bool) const {
  json::object links;
  for (const fixed_route& route : fixed_routes()) {
    if (!route.about.empty()) links[route.path] = route.about;
  }
  if (backend_->pages && !page_files().empty()) {
    links["/dashboard"] = "the dashboard, for people";
    links["/docs"] = "the reference of the API, for people";
  }
  json::array endpoints;
  for (const std::string& path : paths_) endpoints.emplace_back(path);
  json::object index{{"name", "freshet"},
                     {"version", version},
                     {"contract", contract_version},
                     {"links", std::move(links)},
                     {"endpoints", std::move(endpoints)}};
  if (backend_->dropin) {
    json::array& listed = (index["dropin"] = json::array()).get_array();
    for (const std::string_view path : dropin::paths()) listed.emplace_back(path);
  }
  reply out = json_reply(index, facts);
  out.varies_by_accept = true;
  return out;
}

reply router::show_health(const http_request&, const request_facts& facts, bool) const {
  return json_reply(json::object{{"status", "ok"}}, facts);
}

reply router::show_ready(const http_request&, const request_facts& facts, bool draining) const {
  if (draining || (backend_->draining && backend_->draining())) {
    error why(errc::overloaded, "the server is shutting down");
    why.retry_after = std::chrono::seconds(1);
    return problem(why, facts.request_id);
  }
  if (!backend_->ready()) {
    return problem(error(errc::storage_unavailable, "the accounts cannot be read and written"),
                   facts.request_id);
  }
  return json_reply(json::object{{"status", "ready"}}, facts);
}

reply router::show_metrics(const http_request&, const request_facts& facts, bool) const {
  reply out;
  out.request_id = facts.request_id;
  out.content_type = "text/plain; version=0.0.4; charset=utf-8";
  out.own_body = backend_->metrics();
  return out;
}

reply router::show_resource(const http_request& request, const request_facts& facts, bool) const {
  reply out;
  out.request_id = facts.request_id;
  const dashboard_settings& with = backend_->dashboard_http;
  out.own_body =
      mcp::resource_metadata(mcp::address_of(with.base_url, with.is_https, request.head));
  return out;
}

reply router::show_errors(const http_request& request, const request_facts& facts, bool) const {
  const std::string_view code = request.head.path().substr(error_prefix.size());
  if (!code.empty()) return show_error(code, facts);
  json::array all;
#define FRESHET_ERRC(number, name, status, retryable, title, help) \
  all.emplace_back("/errors/" #name);
#include <freshet/errc.def>
#undef FRESHET_ERRC
  return json_reply(json::object{{"errors", std::move(all)}}, facts);
}

reply router::show_error(std::string_view code, const request_facts& facts) const {
  const errc_info* found = find_errc(code);
  if (found == nullptr) {
    static constexpr std::string_view names[] = {
#define FRESHET_ERRC(number, name, status, retryable, title, help) #name,
#include <freshet/errc.def>
#undef FRESHET_ERRC
    };
    return problem(error(errc::unknown_endpoint, "there is no error '" + std::string(code) + "'" +
                                                     did_you_mean(code, names)),
                   facts.request_id);
  }
  return json_reply(json::object{{"type", "/errors/" + std::string(found->name)},
                                 {"code", found->name},
                                 {"title", found->title},
                                 {"status", found->http_status},
                                 {"retryable", found->retryable},
                                 {"help", found->help}},
                    facts);
}

}  // namespace freshet::server
