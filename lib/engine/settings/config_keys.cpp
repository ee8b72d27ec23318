// The table of settings, which the guide shows as it is. What a source alone has comes from its
// descriptor, which endpoints have prices from the catalogue; nothing is said twice.
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

constexpr config_key keys[] = {
    {"server.listen", "string", "127.0.0.1:8080", "Address and port; port 0 picks a free one."},
    {"server.base_url", "string", "",
     "The address under which the server is reached, for `/openapi.json`."},
    {"server.tls.certificate", "string", "",
     "The server's certificate and its chain, in PEM: with it `server.listen` speaks TLS alone."},
    {"server.tls.key", "string", "", "The certificate's key, in PEM, without a passphrase."},
    {"server.header_timeout_s", "number", "10", "How long a request's header may take."},
    {"server.body_timeout_s", "number", "30", "How long a request's body may take."},
    {"server.write_timeout_s", "number", "10",
     "How long a client may take for 16 KiB of its answer, or for the rest."},
    {"server.idle_timeout_s", "number", "60", "How long a kept-alive connection may idle."},
    {"server.max_connections", "integer", "4096",
     "Connections at once, half of them of one account at most, and an eighth with a TLS handshake "
     "that is not finished; for one more the longest idle one without a key is closed, or of the "
     "account with the most where few are without one."},
    {"server.max_connections_per_address", "integer", "256",
     "Connections at once of one address (IPv6: of one /64) without a key; more while half of "
     "all are free."},
    {"server.max_connections_per_network", "integer", "1024",
     "Connections at once of one network (IPv4: /24, IPv6: /56) without a key; more while half of "
     "all are free."},
    {"server.max_unfinished_bytes", "integer", "67108864",
     "Memory for requests that have not come to their end; one address, one account, and one "
     "network without a key have an eighth, and less the more is taken."},
    {"server.max_unsent_bytes", "integer", "268435456",
     "Memory for answers that their clients have not taken."},
    {"server.max_unsent_bytes_per_key", "integer", "33554432",
     "The same for the keys of one account, or for one address without a key."},
    {"server.io_threads", "integer", "",
     "Threads that serve connections whose key is valid; if not set, one for each core; as many "
     "again, which yield to them, serve all others."},
    {"server.max_body_bytes", "integer", "65536", "The largest request body."},
    {"server.max_answer_bytes", "integer", "4194304",
     "The largest answer, at least 65536; what is beyond comes by the cursor."},
    {"server.max_memory_bytes", "integer", "0",
     "Memory near which caches, then calls, then connections are given up; 0: half of the "
     "machine's."},
    {"server.drain_timeout_s", "number", "10", "How long running calls may take after SIGTERM."},
    {"server.access_log", "boolean", "true", "One line of log a request."},
    {"server.mcp_test_profile", "boolean", "false",
     "Offers the fixtures of the MCP conformance suites at `/mcp`, without a key; for tests, on "
     "loopback only."},
    {"server.mcp_session_idle_s", "integer", "3600",
     "After how long without use a session at `/mcp` ends."},
    {"server.mcp_max_sessions", "integer", "10000",
     "Sessions at `/mcp` at once; beyond, the account that has most of them loses the one that was "
     "idle for longest."},
    {"server.mcp_max_sessions_per_account", "integer", "64",
     "Sessions at `/mcp` that the keys of one account have at once, together."},
    {"server.mcp_rate", "number", "20",
     "Messages a second that an account may send to `/mcp`; those that call tools count against "
     "its plan's rate as well."},
    {"server.mcp_burst", "integer", "100", "Messages that it may send at once."},
    {"server.mcp_allowed_hosts", "list", "",
     "Further names that requests to `/mcp` may carry in `Host` and `Origin`, beside those of "
     "`server.base_url`, `server.listen` and loopback."},
    {"server.dropin", "boolean", "true",
     "Whether `/v2/scrape`, `/v2/search` and `/search` are served, for the clients of Firecrawl "
     "and Tavily."},
    {"server.trusted_proxies", "list", "",
     "Networks (CIDR) of proxies in front, whose `X-Forwarded-For` or `Forwarded` names the "
     "caller."},
    {"server.proxy_protocol", "boolean", "false",
     "Whether connections of `server.trusted_proxies` begin with a header of the PROXY protocol (1 "
     "or 2), which names the caller."},
    {"operations.listen", "string", "127.0.0.1:0",
     "Where operators ask for `/healthz`, `/readyz` and `/metrics`, on a thread of its own; port 0 "
     "picks a free one, which the log names; empty: nowhere."},
    {"dashboard.enabled", "boolean", "true",
     "Whether the pages under `/dashboard` and `/docs`, and what they call, are served; without "
     "them `/v1` is the same."},
    {"dashboard.open_sign_up", "boolean", "",
     "Whether anybody with an e-mail address can sign up; if not set, only where `server.base_url` "
     "is on loopback."},
    {"dashboard.sign_up_plan", "string", "free", "The plan of accounts that sign up."},
    {"dashboard.session_idle_s", "integer", "43200",
     "After how long without use a session at the dashboard ends."},
    {"dashboard.session_lifetime_s", "integer", "2592000", "After how long it ends in any case."},
    {"dashboard.second_factor_for_operators", "boolean", "false",
     "Whether operators' commands at the dashboard need a second factor."},
    {"mail.url", "string", "",
     "The server for mails, `smtp://HOST:587` or `smtps://HOST:465`; without it they go to the "
     "log."},
    {"mail.from", "string", "", "The sender of mails."},
    {"mail.username", "string", "", "For the mail server, if it wants a login."},
    {"mail.password", "string", "", "For the mail server."},
    {"mail.require_tls", "boolean", "true",
     "Whether mail goes over TLS only; a server on loopback may do without."},
    {"mail.ca_file", "string", "",
     "Certificates to trust for mail, in PEM; the system's if not set."},
    {"alerts.left", "list", "20,0",
     "At which parts of its plan's month, in percent, it is told that an account's credits go "
     "down."},
    {"alerts.mail", "boolean", "true",
     "Whether the account's owner is told by mail, at an address that was verified."},
    {"alerts.failing_s", "integer", "3600",
     "How long a source must have failed an account's calls before its owner may be told."},
    {"alerts.webhook", "string", "",
     "An address of the operator's that is told, too: a `POST` by the rules of Standard Webhooks."},
    {"alerts.webhook_secret", "string", "",
     "What those requests are signed with: `whsec_` and 24 bytes or more in base64."},
    {"storage.data_dir", "string", "",
     "The folder of the database, the key pepper and the administration socket."},
    {"storage.database", "string", "",
     "`sqlite:PATH`, or `postgresql://USER@HOST/NAME`; `freshet.db` in the data folder if not "
     "set."},
    {"storage.replica", "string", "",
     "`postgresql://USER@HOST/NAME`, a standby of `storage.database`, where reports are read that "
     "may be some seconds old; refused without such a database."},
    {"storage.replica_behind_s", "integer", "10",
     "How many seconds the standby may be behind, 1 to 3600; beyond it reports are read in "
     "`storage.database`."},
    {"storage.idempotency_bytes_per_account", "integer", "67108864",
     "The kept answers of an account's calls with an `Idempotency-Key`, compressed; beyond it the "
     "oldest go."},
    {"storage.idempotency_bytes", "integer", "4294967296",
     "Those of all accounts; beyond it, and where less than 64 MB of the disk are left, the oldest "
     "of the account that has the most go."},
    {"storage.redis", "string", "",
     "`redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, by which servers that share a database "
     "of PostgreSQL count the rates of callers, know their sources and keep what these answer "
     "together; refused without one."},
    {"storage.redis_timeout_ms", "integer", "100",
     "How long a call waits for Redis at most, 1 to 10000, before it is judged without."},
    {"storage.redis_answer_bytes", "integer", "262144",
     "The longest answer of a source or page that servers keep for each other in Redis, up to "
     "1048576; 0: none."},
    {"requests.keep_days", "integer", "30",
     "How many days the request log keeps a call; `0`: there is no log."},
    {"requests.bodies_hours", "integer", "0",
     "How many hours it keeps what was sent and answered; `0`: that is not kept."},
    {"requests.body_bytes", "integer", "65536",
     "The longest body, and the longest answer, that is kept; a longer one is not."},
    {"requests.bodies_bytes_per_account", "integer", "16777216",
     "Kept bodies and answers of an account; beyond it the oldest go."},
    {"requests.bytes_per_account", "integer", "67108864",
     "An account's part of the log, about 100 bytes a call; beyond it its oldest calls go."},
    {"requests.bytes", "integer", "1073741824",
     "The whole log; beyond it the oldest calls of the account that has the most go. In a file "
     "it leaves 64 MB of the disk to the book."},
    {"network.user_agent", "string", "",
     "The whole user agent, instead of `Freshet/VERSION` with the contact."},
    {"network.contact", "string", "",
     "An address or a page in the user agent, at which a source can reach you."},
    {"network.allow_private", "list", "",
     "Private networks (CIDR), or `HOST:PORT`, in which the servers that the configuration names "
     "may lie; it opens nothing to callers."},
    {"network.timeout_ms", "integer", "20000", "The deadline of a call's fetches."},
    {"network.fair_time_ms", "integer", "3000",
     "What a slow source has, at least, to answer when others have answered a call that names no "
     "`sources`; 0: until the deadline."},
    {"network.cache_bytes", "integer", "67108864",
     "Memory for answers and what is made of them; 0: none."},
    {"network.record", "string", "", "A HAR 1.2 file that every exchange is written to."},
    {"network.replay", "string", "",
     "A HAR 1.2 file to answer from; the network is never touched."},
    {"network.sandbox", "boolean", "false",
     "Answer every call from the shipped recordings, as for a test key."},
    {"telemetry.otlp_endpoint", "string", "",
     "The OpenTelemetry collector that is told of calls as traces, by OTLP over HTTP: "
     "`http://HOST:4318`; empty: nobody."},
    {"telemetry.otlp_headers", "list", "",
     "What it wants beside, `NAME=VALUE` with values percent-encoded, such as "
     "`Authorization=Bearer%20...`; a secret."},
    {"telemetry.ca_file", "string", "",
     "Certificates to trust for the collector, in PEM; the system's if not set."},
    {"telemetry.sampling", "number", "1",
     "Which share, 0 to 1, is told of the calls that come without a trace of their own."},
    {"doctor.daily", "boolean", "false",
     "Whether a server asks each source once a day what `freshet doctor --sources --live` asks."},
    {"sandbox.rate", "number", "",
     "Requests a second of an account's test keys; 50 if not set, or what its plan has if that is "
     "more."},
    {"sandbox.burst", "integer", "",
     "Their requests at once; 200 if not set, or what the plan has if that is more."},
    {"sandbox.date", "string", "",
     "The day, `YYYY-MM-DD`, at whose noon the sandbox's recorded answers end; today if not set, "
     "and until noon in UTC the day before."},
    {"pictures.bytes", "integer", "268435456",
     "Disk for the pictures of answers that people look at in the dashboard, while there are 64 MB "
     "left for the book; 0: none is kept."},
    {"scrape.respect_robots", "boolean", "true",
     "Whether scraping obeys robots.txt unless a call says otherwise."},
    {"scrape.require_robots", "boolean", "false",
     "Whether it obeys robots.txt whatever a call says: `respect_robots: false` is refused."},
    {"scrape.allow_private", "list", "",
     "Private networks (CIDR), or `HOST:PORT`, that every caller may name, and pages and redirects "
     "lead to; keep it empty unless every caller may see what is there."},
    {"render.chromium", "string", "",
     "The browser for `render`; if not set, the first Chromium in the usual places."},
    {"render.max_browsers", "integer", "2",
     "Browser processes at once, each with one page; 0 switches rendering off."},
    {"render.max_waiting", "integer", "64",
     "Pages that may wait for a browser; more are refused as overloaded."},
    {"render.pages_per_browser", "integer", "50", "After how many pages a browser is replaced."},
    {"render.memory_bytes", "integer", "1073741824",
     "Memory of a browser, beyond which it is killed and its page fails."},
    {"render.page_time_ms", "integer", "15000",
     "How long a page may load; then it is taken as it is."},
    {"render.requests_per_page", "integer", "300", "Requests of one page."},
    {"render.bytes_per_page", "integer", "33554432", "Bytes of all that one page loads, decoded."},
    {"render.credits", "integer", "4", "What a rendered page costs beside the endpoint's price."},
    {"process.allow_without_walls", "boolean", "false",
     "Render and read PDFs also where no walls hide the data folder from the programs."},
    {"pdf.folder", "string", "",
     "The folder of poppler's programs; if not set, the first usual one that has them."},
    {"pdf.max_processes", "integer", "2", "PDFs that are read at once."},
    {"pdf.max_waiting", "integer", "64",
     "PDFs that may wait to be read; more are refused as overloaded."},
    {"pdf.time_ms", "integer", "20000", "How long the reading of one PDF may take."},
    {"pdf.memory_bytes", "integer", "536870912", "Memory for the reading of one PDF."},
    {"pdf.max_pages", "integer", "500",
     "Pages of a PDF that are read; the others are left out, with a warning."},
    {"sources.<name>.enabled", "boolean", "",
     "Whether the source is asked; if not set, when it needs no credential or has it, and its "
     "terms do not make it a choice of yours."},
    {"sources.<name>.base_url", "string", "", "Where the source is; may carry a path prefix."},
    {"sources.<name>.daily_requests", "integer", "",
     "Requests a day that your plan at the source allows; 0: no limit; if not set, the free "
     "plan's."},
    {"platforms.<name>.sources", "list", "",
     "The platform's sources to ask, in the order of preference; if not set, all that are "
     "enabled."},
    {"platforms.<name>.archive", "boolean", "false",
     "Whether to keep an archive of the platform, beside the book, and to search it."},
    {"platforms.<name>.archive_age", "string", "7d", "How long an item is kept, by its own time."},
    {"platforms.<name>.archive_bytes", "integer", "1073741824",
     "The size beyond which the oldest items go."},
    {"platforms.<name>.archive_sources", "list", "",
     "The sources to keep; if not set, bluesky (Jetstream), for news the feeds."},
    {"platforms.<name>.archive_every_s", "integer", "900", "How often a feed is looked at."},
    {"plans.<name>.monthly_credits", "integer", "1000", "The grant of a calendar month (UTC)."},
    {"plans.<name>.rate", "number", "2", "Requests per second."},
    {"plans.<name>.burst", "integer", "10", "Requests at once."},
    {"plans.<name>.concurrency", "integer", "",
     "Calls under way at once; if not set, 16, or the burst where that is more."},
    {"plans.<name>.bytes_in_flight", "integer", "67108864",
     "Bytes of answers that are being read for its calls at once."},
    {"plans.<name>.processor_share", "number", "0.25",
     "Processor seconds that its calls may use a second; a minute's worth is saved up."},
    {"plans.<name>.browser_share", "number", "0.5",
     "Seconds a second for which its pages may have a browser; a minute's worth is saved up."},
    {"credits.<endpoint>", "integer", "",
     "The price of an endpoint, such as `credits.\"news/search\"`."},
};

/// Where the families begin, whose names have a part that stands for any.
constexpr auto first_of_families = std::ranges::find_if(
    keys, [](const config_key& one) { return one.name.find('<') != std::string_view::npos; });
constexpr std::span fixed_keys{std::begin(keys), first_of_families};
constexpr std::span family_keys{first_of_families, std::end(keys)};
constexpr std::string_view any_source = "sources.<name>.";
constexpr std::string_view any_platform = "platforms.<name>.";
constexpr std::string_view any_plan = "plans.<name>.";

constexpr config_key text_key{"setting", "string", "", ""};
constexpr config_key list_key{"setting", "list", "", ""};

std::vector<std::string_view> platforms() {
  std::vector<std::string_view> names;
  for (const auto& one : catalog::endpoints()) {
    if (std::ranges::find(names, one.platform) == names.end()) {
      names.push_back(one.platform);
    }
  }
  return names;
}

const config_key* find_in(std::span<const config_key> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &config_key::name);
  return found == table.end() ? nullptr : &*found;
}

const config_key* find_in_family(std::string_view family, std::string_view leaf) {
  return find_in(family_keys, std::string(family) + std::string(leaf));
}

/// What the names of a family end in.
std::vector<std::string> leaves_of(std::string_view family) {
  std::vector<std::string> found;
  for (const auto& key : family_keys) {
    if (key.name.starts_with(family)) found.emplace_back(key.name.substr(family.size()));
  }
  return found;
}

bool is_of_archive(std::string_view leaf) { return leaf.starts_with("archive"); }

const config_key* find_source_key(const sources::descriptor& source, std::string_view rest) {
  if (const auto* of_each = find_in_family(any_source, rest)) return of_each;
  if (!source.instances_key.empty() && rest == source.instances_key) return &list_key;
  for (const auto& setting : source.settings) {
    if (setting.name == rest) return setting.list ? &list_key : &text_key;
  }
  return nullptr;
}

/// Every key spelled out, for the nearest one and for environment names.
std::vector<std::string> spelled_keys() {
  std::vector<std::string> all;
  for (const auto& key : fixed_keys) all.emplace_back(key.name);
  for (const auto* source : sources::all_sources()) {
    const auto prefix = "sources." + std::string(source->name) + ".";
    for (const auto& leaf : leaves_of(any_source)) all.push_back(prefix + leaf);
    if (!source->instances_key.empty()) all.push_back(prefix + std::string(source->instances_key));
    for (const auto& setting : source->settings) all.push_back(prefix + std::string(setting.name));
  }
  for (const auto platform : platforms()) {
    all.push_back("platforms." + std::string(platform) + ".sources");
  }
  for (const auto& platform : detail::archive_platforms()) {
    for (const auto& leaf : leaves_of(any_platform)) {
      if (is_of_archive(leaf)) all.push_back("platforms." + platform + "." + leaf);
    }
  }
  for (const auto& endpoint : catalog::endpoints()) {
    all.push_back("credits." + std::string(endpoint.path));
  }
  for (const auto& leaf : leaves_of(any_plan)) all.push_back("plans.free." + leaf);
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
    return endpoint != nullptr && endpoint->parts.empty()
               ? find_in(family_keys, "credits.<endpoint>")
               : nullptr;
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
    if (std::ranges::find(known, name) == known.end()) return nullptr;
    const auto archived = detail::archive_platforms();
    const bool has_archive = std::ranges::find(archived, name) != archived.end();
    return is_of_archive(leaf) && !has_archive ? nullptr : find_in_family(any_platform, leaf);
  }
  return family == "plans" ? find_in_family(any_plan, leaf) : nullptr;
}

std::string nearest_config_key(std::string_view key) {
  const auto all = spelled_keys();
  const std::vector<std::string_view> views(all.begin(), all.end());
  return std::string(base::nearest(key, views));
}

std::string match_environment_key(std::string_view key) {
  if (find_config_key(key) != nullptr) return std::string(key);
  for (const auto& known : spelled_keys()) {
    const bool same = std::ranges::equal(known, key, [](char a, char b) {
      return a == b || (b == '_' && (a == '-' || a == '/')) || (b == '.' && a == '/');
    });
    if (same) return known;
  }
  return std::string(key);
}

std::string environment_name_of(std::string_view words) {
  for (const auto& known : spelled_keys()) {
    const bool same = std::ranges::equal(known, words, [](char a, char b) {
      return a == b || (b == '_' && (a == '.' || a == '-' || a == '/'));
    });
    if (!same) continue;
    std::string name = "FRESHET";
    // Of "platforms.web-serp.sources" FRESHET__PLATFORMS__WEB_SERP__SOURCES.
    for (const char c : "." + known) {
      if (c == '.' || c == '/') name += '_';
      name += c >= 'a' && c <= 'z'   ? static_cast<char>(c - 'a' + 'A')
              : c >= '0' && c <= '9' ? c
                                     : '_';
    }
    return name;
  }
  return "";
}

}  // namespace detail

std::span<const config_key> config_keys() noexcept { return keys; }

}  // namespace freshet
