// Which file answers a path, and what a browser may do with it. A page loads nothing from another
// host, runs no inline script, and cannot be framed.
#include <algorithm>
#include <array>
#include <server/dashboard/pages.hpp>
#include <server/dashboard_http.hpp>
#include <server/http/negotiation.hpp>
#include <server/routes.hpp>
#include <string>

namespace freshet::server {
namespace {

constexpr std::string_view page_path = "/dashboard";
constexpr std::string_view assets_prefix = "/dashboard/assets/";

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> page_fields{{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
     "frame-ancestors 'none'"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
}};

constexpr std::string_view left_out_page =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width\"><title>Freshet</title></head>"
    "<body><h1>The dashboard is not in this build</h1><p>It needs Node.js 18.17 or newer with npm, "
    "and npm's registry. Install them with <code>server/install build</code>, then configure and "
    "build again with <code>-DFRESHET_DASHBOARD=ON</code>.</p><p>The API works without it: "
    "<a href=\"/openapi.json\">/openapi.json</a>.</p></body></html>\n";

bool is_at_or_below(std::string_view path, std::string_view base) {
  return path.starts_with(base) && (path.size() == base.size() || path[base.size()] == '/');
}

/// What agents (llmstxt.org) and browsers look for at the root of a site.
bool is_known_at_root(std::string_view path) {
  return path == "/llms.txt" || path == "/llms-full.txt" || path == "/favicon.ico";
}

constexpr std::string_view session_path = "/dashboard/api/session",
                           description_path = "/openapi.json", guides_path = "/docs/guides.json";

bool reads_description(const request_head& head) {
  const std::string_view path = head.path();
  // Who has no session is asked to sign in first.
  if (is_at_or_below(path, "/dashboard/playground")) return head.field("cookie").has_value();
  return path == "/" || is_at_or_below(path, "/docs");
}

/// What every page of the application begins with comes beside the script, and no round trip later:
/// who is signed in, and, where a page is made of them, the description of the API and the guides.
std::string links_for(const request_head& head) {
  std::string out;
  const auto add = [&](std::string_view path) {
    out.append(out.empty() ? "<" : ", <").append(path);
    out += ">; rel=preload; as=fetch; crossorigin";
  };
  if (reads_description(head)) add(description_path);
  add(session_path);
  if (is_at_or_below(head.path(), "/docs")) add(guides_path);
  return out;
}

const page_file* find_file(std::string_view path) {
  const auto files = page_files();
  const auto found = std::ranges::find(files, path, &page_file::path);
  return found == files.end() ? nullptr : &*found;
}

reply start(const request_facts& facts) {
  reply out;
  out.request_id = facts.request_id;
  for (const auto& [name, value] : page_fields) out.more_fields.emplace_back(name, value);
  return out;
}

reply say_left_out(const request_facts& facts) {
  reply out = start(facts);
  out.status = 404;
  out.content_type = "text/html; charset=utf-8";
  out.own_body = left_out_page;
  return out;
}

}  // namespace

bool is_page(std::string_view path) noexcept {
  if (is_dashboard_api(path)) return false;
  return is_at_or_below(path, page_path) || is_at_or_below(path, "/docs") || path == "/status" ||
         is_known_at_root(path);
}

std::optional<reply> show_page(const request_head& head, const request_facts& facts) {
  if (page_files().empty()) return say_left_out(facts);
  const bool is_asset = head.path().starts_with(assets_prefix);
  const page_file* file = find_file(head.path());
  // Every other path is one of the application's own, which it reads from the address.
  const bool is_file = is_asset || head.path().ends_with(".md") || is_known_at_root(head.path());
  if (file == nullptr && !is_file) file = find_file(page_path);
  if (file == nullptr) return std::nullopt;
  reply out = start(facts);
  if (file->path == page_path) out.more_fields.emplace_back("Link", links_for(head));
  out.content_type = file->content_type;
  // The name of an asset has its content's hash in it; the page that names them is asked for again.
  out.cache_control = is_asset ? "public, max-age=31536000, immutable" : "no-cache";
  out.gzipped = facts.wants_gzip && !file->gzip.empty();
  out.etag = out.gzipped ? file->gzip_etag : file->etag;
  const auto known = head.field("if-none-match");
  if (known && matches_etag(*known, out.etag)) {
    out.status = 304;
    out.without_body = true;
    out.gzipped = false;
    return out;
  }
  out.static_body = out.gzipped ? file->gzip : file->bytes;
  return out;
}

}  // namespace freshet::server
