// The table of settings. Those of sources come from the sources' descriptors, those of prices from
// the catalogue; nothing is said twice.
#include "engine/settings/config_keys.hpp"

#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <catalog/endpoint.hpp>
#include <sources/source.hpp>
#include <vector>

#include "engine/runtime/archives.hpp"

namespace freshet {
namespace {

constexpr std::array fixed_keys{
    config_key{"server.listen", "string", "127.0.0.1:8080",
               "Address and port to listen on; port 0 picks a free one."},
    config_key{"server.base_url", "string", "",
               "The URL under which the server is reached, for /openapi.json."},
    config_key{"server.header_timeout_s", "number", "10", "How long a request's header may take."},
    config_key{"server.body_timeout_s", "number", "30", "How long a request's body may take."},
    config_key{"server.write_timeout_s", "number", "10",
               "How long a client may take for 16 KiB of its answer, or for the rest."},
    config_key{"server.idle_timeout_s", "number", "60",
               "How long a kept-alive connection may idle."},
    config_key{"server.max_connections", "integer", "4096",
               "Connections at once; for one more the longest idle one without a key is closed."},
    config_key{"server.max_connections_per_address", "integer", "256",
               "Connections at once of one address (IPv6: of one /64)."},
    config_key{"server.max_connections_per_network", "integer", "1024",
               "Connections at once of one network (IPv4: /24, IPv6: /56)."},
    config_key{"server.max_unfinished_bytes", "integer", "67108864",
               "Memory for requests that have not come to their end; one address has an eighth."},
    config_key{"server.max_unsent_bytes", "integer", "268435456",
               "Memory for answers that their clients have not taken."},
    config_key{"server.max_unsent_bytes_per_key", "integer", "33554432",
               "The same for the keys of one account, or for one address without a key."},
    config_key{"server.io_threads", "integer", "",
               "Threads that serve connections; default: one for each core."},
    config_key{"server.max_body_bytes", "integer", "65536", "The largest request body."},
    config_key{"server.max_answer_bytes", "integer", "4194304",
               "The largest answer; what is beyond comes by the cursor. At least 65536."},
    config_key{"server.max_memory_bytes", "integer", "0",
               "The process's bound, near which caches, then calls, then connections are given up; "
               "0: half of what the machine has."},
    config_key{"server.drain_timeout_s", "number", "10",
               "How long running calls may take after SIGTERM."},
    config_key{"server.access_log", "boolean", "true", "One line of log a request."},
    config_key{"server.mcp_test_profile", "boolean", "false",
               "Offers the fixtures of the MCP conformance suites at /mcp, without a key; for "
               "tests, on loopback only."},
    config_key{"server.mcp_session_idle_s", "integer", "3600",
               "After how long without use a session at /mcp ends."},
    config_key{"server.mcp_max_sessions", "integer", "10000",
               "Sessions at /mcp at once. Beyond, the account that has most of them loses the one "
               "that was idle for longest."},
    config_key{"server.mcp_max_sessions_per_account", "integer", "64",
               "Sessions at /mcp that the keys of one account have at once, together."},
    config_key{"server.mcp_rate", "number", "20",
               "Messages a second that an account may send to /mcp; those that call tools count "
               "against its plan's rate as well."},
    config_key{"server.mcp_burst", "integer", "100", "Messages that it may send at once."},
    config_key{"server.mcp_allowed_hosts", "list", "",
               "Further names that requests to /mcp may carry in Host and Origin, beside those of "
               "server.base_url, server.listen and loopback."},
    config_key{"server.dropin", "boolean", "true",
               "Whether /v2/scrape, /v2/search (Firecrawl's) and /search (Tavily's) are served."},
    config_key{"server.trusted_proxies", "list", "",
               "Networks (CIDR) of proxies in front, whose X-Forwarded-For or Forwarded names the "
               "caller."},
    config_key{"operations.listen", "string", "127.0.0.1:0",
               "Where operators ask for /healthz, /readyz and /metrics, on a thread of its own; port 0 picks "
               "a free one, which the log names; \"\" for nowhere."},
    config_key{"dashboard.enabled", "boolean", "true",
               "The pages /dashboard and /docs and what they call; without them /v1 is the same."},
    config_key{"dashboard.open_sign_up", "boolean", "",
               "Whether anybody with an e-mail address can sign up; default: only where "
               "server.base_url is on loopback."},
    config_key{"dashboard.sign_up_plan", "string", "free", "The plan of accounts that sign up."},
    config_key{"dashboard.session_idle_s", "integer", "43200",
               "After how long without use a session at the dashboard ends."},
    config_key{"dashboard.session_lifetime_s", "integer", "2592000",
               "After how long it ends in any case."},
    config_key{"mail.url", "string", "",
               "The server for mails: smtp://HOST:587 or smtps://HOST:465; without it they go to "
               "the log."},
    config_key{"mail.from", "string", "", "The sender of mails."},
    config_key{"mail.username", "string", "", "For the mail server, if it wants a login."},
    config_key{"mail.password", "string", "", "For the mail server."},
    config_key{"mail.require_tls", "boolean", "true",
               "Whether mail goes over TLS only; a server on loopback may do without."},
    config_key{"mail.ca_file", "string", "",
               "Certificates to trust for mail, in PEM; default: the system's."},
    config_key{"storage.data_dir", "string", "",
               "The folder of the database, the key pepper and the administration socket."},
    config_key{"storage.database", "string", "",
               "sqlite:PATH; default: freshet.db in the data folder."},
    config_key{"storage.idempotency_bytes_per_account", "integer", "67108864",
               "The kept answers of an account's calls with an Idempotency-Key, compressed; the "
               "oldest go."},
    config_key{"storage.idempotency_bytes", "integer", "4294967296",
               "Those of all accounts; the oldest of the account that has the most go."},
    config_key{"storage.redis", "string", "",
               "redis://... for several servers; not supported yet, and refused."},
    config_key{"network.user_agent", "string", "",
               "The user agent; default: Freshet/VERSION with the contact."},
    config_key{"network.contact", "string", "",
               "An address or a page in the user agent, so that a source can reach the operator."},
    config_key{"network.allow_private", "list", "",
               "Private networks (CIDR), or HOST:PORT, in which the servers that the configuration "
               "names may lie; it opens nothing to callers."},
    config_key{"network.timeout_ms", "integer", "20000", "The deadline of a call's fetches."},
    config_key{"network.cache_bytes", "integer", "67108864",
               "Memory for cached answers; 0 for none."},
    config_key{"network.record", "string", "", "A HAR 1.2 file that every exchange is written to."},
    config_key{"network.replay", "string", "",
               "A HAR 1.2 file to answer from; the network is never touched."},
    config_key{"network.sandbox", "boolean", "false",
               "Answer every call from the shipped recordings, as for a test key."},
    config_key{"sandbox.rate", "number", "",
               "Requests a second of an account's test keys; default: 50, or the plan's if more."},
    config_key{"sandbox.burst", "integer", "",
               "Their requests at once; default: 200, or the plan's if more."},
    config_key{"scrape.respect_robots", "boolean", "true",
               "Whether scraping obeys robots.txt unless a call says otherwise."},
    config_key{"scrape.allow_private", "list", "",
               "Private networks (CIDR), or HOST:PORT, that every caller may name, and pages and "
               "redirects lead to; keep it empty unless every caller may see what is there."},
    config_key{"render.chromium", "string", "",
               "The browser for `render`; default: the first Chromium in the usual places."},
    config_key{"render.max_browsers", "integer", "2",
               "Browser processes at once, each with one page; 0 switches rendering off."},
    config_key{"render.max_waiting", "integer", "64",
               "Pages that may wait for a browser; more are refused as overloaded."},
    config_key{"render.pages_per_browser", "integer", "50",
               "After how many pages a browser is replaced."},
    config_key{"render.memory_bytes", "integer", "1073741824",
               "Memory of a browser, beyond which it is killed and its page fails."},
    config_key{"render.page_time_ms", "integer", "15000",
               "How long a page may load; then it is taken as it is."},
    config_key{"render.requests_per_page", "integer", "300", "Requests of one page."},
    config_key{"render.bytes_per_page", "integer", "33554432",
               "Bytes of all that one page loads, decoded."},
    config_key{"render.credits", "integer", "4",
               "What a rendered page costs beside the endpoint's price."},
    config_key{"process.allow_without_walls", "boolean", "false",
               "Render and read PDFs also where no walls hide the data folder from the programs."},
    config_key{"pdf.folder", "string", "",
               "The folder of poppler's programs; default: the first usual one that has them."},
    config_key{"pdf.max_processes", "integer", "2", "PDFs that are read at once."},
    config_key{"pdf.max_waiting", "integer", "64",
               "PDFs that may wait to be read; more are refused as overloaded."},
    config_key{"pdf.time_ms", "integer", "20000", "How long the reading of one PDF may take."},
    config_key{"pdf.memory_bytes", "integer", "536870912", "Memory for the reading of one PDF."},
    config_key{"pdf.max_pages", "integer", "500",
               "Pages of a PDF that are read; the others are left out, with a warning."},
};

constexpr std::array platform_keys{
    config_key{"sources", "list", "", "The sources to ask, in the order of preference."},
};

/// Of the platforms that can keep an archive.
constexpr std::array archive_keys{
    config_key{"archive", "boolean", "false",
               "Whether to keep an archive of the platform, in the data folder, and to search it."},
    config_key{"archive_age", "string", "7d", "How long an item is kept, by its own time."},
    config_key{"archive_bytes", "integer", "1073741824",
               "The size beyond which the oldest items go."},
    config_key{"archive_sources", "list", "",
               "The sources to keep; default: bluesky (Jetstream), for news the feeds."},
    config_key{"archive_every_s", "integer", "900", "How often a feed is looked at."},
};

constexpr std::array plan_keys{
    config_key{"monthly_credits", "integer", "1000", "The grant of a calendar month (UTC)."},
    config_key{"rate", "number", "2", "Requests per second."},
    config_key{"burst", "integer", "10", "Requests at once."},
    config_key{"concurrency", "integer", "",
               "Calls under way at once; default: 16, or the burst where that is more."},
    config_key{"bytes_in_flight", "integer", "67108864",
               "Bytes of answers that are being read for its calls at once."},
    config_key{"processor_share", "number", "0.25",
               "Processor seconds that its calls may use a second; a minute's worth is saved up."},
};

constexpr config_key enabled_key{
    "enabled", "boolean", "",
    "Whether the source is asked; default: when it needs no credential or has it, and its terms do "
    "not make it a choice of yours."};
constexpr config_key base_url_key{"base_url", "string", "",
                                  "Where the source is; may carry a path prefix."};
constexpr config_key daily_requests_key{
    "daily_requests", "integer", "",
    "Requests a day that your plan at the source allows; 0: no limit. Default: the free plan's."};
constexpr config_key text_key{"setting", "string", "", ""};
constexpr config_key list_key{"setting", "list", "", ""};
constexpr config_key price_key{"credits", "integer", "", "The price of an endpoint."};

std::vector<std::string_view> platforms() {
  std::vector<std::string_view> names;
  for (const auto& one : catalog::endpoints()) {
    if (std::find(names.begin(), names.end(), one.platform) == names.end()) {
      names.push_back(one.platform);
    }
  }
  return names;
}

const config_key* find_source_key(const sources::descriptor& source, std::string_view rest) {
  if (rest == "enabled") return &enabled_key;
  if (rest == "base_url") return &base_url_key;
  if (rest == "daily_requests") return &daily_requests_key;
  if (!source.instances_key.empty() && rest == source.instances_key) return &list_key;
  for (const auto& setting : source.settings) {
    if (setting.name == rest) return setting.list ? &list_key : &text_key;
  }
  return nullptr;
}

template <class Table>
const config_key* find_in(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const config_key& key) { return key.name == name; });
  return found == table.end() ? nullptr : &*found;
}

/// Every key spelled out, for the nearest one and for environment names.
std::vector<std::string> spelled_keys() {
  std::vector<std::string> all;
  for (const auto& key : fixed_keys) all.emplace_back(key.name);
  for (const auto* source : sources::all_sources()) {
    const auto prefix = "sources." + std::string(source->name) + ".";
    all.push_back(prefix + "enabled");
    all.push_back(prefix + "base_url");
    all.push_back(prefix + "daily_requests");
    if (!source->instances_key.empty()) all.push_back(prefix + std::string(source->instances_key));
    for (const auto& setting : source->settings) all.push_back(prefix + std::string(setting.name));
  }
  for (const auto platform : platforms()) {
    all.push_back("platforms." + std::string(platform) + ".sources");
  }
  for (const auto& platform : detail::archive_platforms()) {
    for (const auto& key : archive_keys) {
      all.push_back("platforms." + platform + "." + std::string(key.name));
    }
  }
  for (const auto& endpoint : catalog::endpoints()) {
    all.push_back("credits." + std::string(endpoint.path));
  }
  for (const auto& key : plan_keys) all.push_back("plans.free." + std::string(key.name));
  return all;
}

}  // namespace

namespace detail {

const config_key* find_config_key(std::string_view key) {
  if (const auto* fixed = find_in(fixed_keys, key)) return fixed;
  const auto dot = key.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const auto family = key.substr(0, dot);
  const auto rest = key.substr(dot + 1);
  if (family == "credits") {
    const auto* endpoint = catalog::find_endpoint(rest);
    return endpoint != nullptr ? &price_key : nullptr;
  }
  const auto second = rest.find('.');
  if (second == std::string_view::npos || second == 0) return nullptr;
  const auto name = rest.substr(0, second);
  const auto leaf = rest.substr(second + 1);
  if (family == "sources") {
    const auto* source = sources::find_source(name);
    return source == nullptr ? nullptr : find_source_key(*source, leaf);
  }
  if (family == "platforms") {
    const auto known = platforms();
    if (std::find(known.begin(), known.end(), name) == known.end()) return nullptr;
    const auto archived = detail::archive_platforms();
    if (std::find(archived.begin(), archived.end(), name) != archived.end()) {
      if (const auto* of_archive = find_in(archive_keys, leaf)) return of_archive;
    }
    return find_in(platform_keys, leaf);
  }
  return family == "plans" ? find_in(plan_keys, leaf) : nullptr;
}

std::string nearest_config_key(std::string_view key) {
  const auto all = spelled_keys();
  const std::vector<std::string_view> views(all.begin(), all.end());
  return std::string(base::nearest(key, views));
}

std::string match_environment_key(std::string_view key) {
  if (find_config_key(key) != nullptr) return std::string(key);
  for (const auto& known : spelled_keys()) {
    if (known.size() != key.size()) continue;
    const bool same = std::equal(known.begin(), known.end(), key.begin(), [](char a, char b) {
      return a == b || (b == '_' && (a == '-' || a == '/')) || (b == '.' && a == '/');
    });
    if (same) return known;
  }
  return std::string(key);
}

}  // namespace detail

std::span<const config_key> config_keys() noexcept { return fixed_keys; }

}  // namespace freshet
