// The commands that look at Freshet itself: openapi, doctor, version.
#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <freshet/version.hpp>
#include <server/commands/admin_socket.hpp>
#include <server/commands/commands.hpp>
#include <server/dashboard_http.hpp>
#include <server/terminal/checkup.hpp>
#include <server/wire/proxy_header.hpp>
#include <server/wire/tls_identity.hpp>
#include <sstream>

namespace freshet::server {
namespace {

namespace json = boost::json;

int show_openapi(const invocation& with) {
  result<config> settings = load_settings(with.options, with.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  if (!settings->has("server.base_url")) {
    const bool with_tls = settings->has("server.tls.certificate");
    const auto set = settings->set(
        "server.base_url", (with_tls ? "https://" : "http://") + settings->text("server.listen"));
    if (!set) return failed_with(with, set.error());
  }
  // From an engine, since the prices in it are the operator's.
  const auto opened = engine::open({std::move(*settings), false, nullptr, false});
  if (!opened) return failed_with(with, opened.error());
  return finish(print((*opened)->openapi() + "\n"));
}

/// What cannot be found out with an engine, because there is none.
engine::finding opening_failed(const error& why) {
  return {false, "configuration", why.detail(), "correct it and run freshet doctor again"};
}

/// What the running server leaves alone just now.
void add_suspended(const std::string& data_dir, std::vector<engine::finding>& findings) {
  const auto asked = ask_running_server(data_dir, "sources.suspended", "{}");
  if (!asked || !asked->has_value() || !(*asked)->ok) return;
  boost::system::error_code failed;
  const json::value said = json::parse((*asked)->body, failed);
  const auto* list = failed ? nullptr : said.find_pointer("/suspended", failed);
  if (list == nullptr || !list->is_array()) return;
  for (const json::value& one : list->get_array()) {
    const auto text = [&one](const char* key) {
      const auto* value = one.is_object() ? one.get_object().if_contains(key) : nullptr;
      return value != nullptr && value->is_string() ? std::string(value->get_string()) : "?";
    };
    const auto number = [&one](std::string_view name) {
      const auto* found = one.is_object() ? one.get_object().if_contains(name) : nullptr;
      return found != nullptr && found->is_int64() ? found->get_int64() : 0;
    };
    const auto whose = number("accounts");
    const std::string for_whom =
        whose == 0 ? "" : " for " + std::to_string(whose) + (whose == 1 ? " account" : " accounts");
    findings.push_back({true, "source " + text("source"),
                        "suspended" + for_whom + " after " + text("code") + " at " + text("host") +
                            "; asked again in " + std::to_string(number("seconds")) + " s",
                        ""});
  }
}

/// How clients come in, which the engine knows nothing of.
void check_entrance(const config& settings, std::vector<engine::finding>& findings) {
  const auto proxies = dashboard_settings_of(settings);
  const auto named = proxy_protocol_of(settings);
  if (!proxies) findings.push_back(opening_failed(proxies.error()));
  if (!named) findings.push_back(opening_failed(named.error()));
  const auto files = tls_files_of(settings);
  if (!files) return findings.push_back(opening_failed(files.error()));
  if (!files->has_value()) {
    findings.push_back({true, "TLS", "server.listen speaks plain HTTP",
                        "put a proxy with TLS in front, or set server.tls.certificate and .key"});
    return;
  }
  const auto identity = tls_identity::of(**files);
  if (!identity) return findings.push_back(opening_failed(identity.error()));
  const auto warnings = (*identity)->warnings(std::chrono::system_clock::now());
  for (const auto& one : warnings) {
    findings.push_back({!one.is_grave, "TLS", one.text, one.advice});
  }
  if (warnings.empty()) findings.push_back({true, "TLS", (*identity)->description(), ""});
}

std::vector<engine::finding> run_doctor(const config& settings, bool offline) {
  const std::string data_dir = settings.text("storage.data_dir");
  // The accounts belong to the server while one runs; a line of its log answers for them.
  const auto asked = ask_running_server(data_dir, "audit.list", R"({"limit":1})");
  std::vector<engine::finding> findings;
  bool running = !asked || asked->has_value();
  if (!asked) {
    findings.push_back({false, "server", asked.error().detail(), "look at its log; restart it"});
  } else if (running) {
    findings.push_back({(*asked)->ok, "server",
                        (*asked)->ok ? "runs on " + data_dir : "cannot read its accounts",
                        (*asked)->ok ? "" : "look at its log"});
    add_suspended(data_dir, findings);
  } else if (const auto made = make_data_dir(data_dir); !made) {
    findings.push_back({false, "data folder", made.error().detail(), "give another with --data"});
    running = true;
  }
  check_entrance(settings, findings);
  const auto opened = engine::open({settings, !running, nullptr, false});
  if (!opened) {
    findings.push_back(opening_failed(opened.error()));
    return findings;
  }
  for (engine::finding& one : (*opened)->run_doctor(offline)) findings.push_back(std::move(one));
  return findings;
}

/// For programs and pipes: a line each, in the order in which they were found, but that those with
/// one advice stand together above it.
std::string findings_text(std::span<const engine::finding> findings) {
  std::string text;
  const auto sorted = by_advice(findings);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const engine::finding& one = sorted[i];
    const auto* const verdict = !one.ok ? "FAIL  " : one.warns ? "warn  " : "ok    ";
    text.append(verdict).append(one.subject).append(": ").append(one.detail);
    if (!one.advice.empty() && !is_said_below(sorted, i))
      text.append("\n      -> ").append(one.advice);
    text.append("\n");
  }
  return text;
}

std::string findings_json(std::span<const engine::finding> findings, bool healthy) {
  json::array list;
  for (const engine::finding& one : findings) {
    list.push_back(json::object{{"ok", one.ok},
                                {"warns", one.warns},
                                {"off", one.is_off},
                                {"subject", one.subject},
                                {"detail", one.detail},
                                {"advice", one.advice}});
  }
  return json::serialize(json::object{{"ok", healthy}, {"findings", std::move(list)}}) + "\n";
}

/// For people: what is not as it was, a line each, then a count.
std::string checks_text(const json::object& report) {
  std::string text;
  for (const json::value& each : report.at("checks").as_array()) {
    const json::object& one = each.as_object();
    const std::string_view status = one.at("status").as_string();
    const auto* const verdict = status == "ok"        ? "ok    "
                                : status == "changed" ? "CHANGE"
                                : status == "failed"  ? "FAIL  "
                                                      : "-     ";
    text.append(verdict).append(" ").append(one.at("source").as_string().c_str());
    if (one.at("instance").is_string())
      text.append(" at ").append(one.at("instance").as_string().c_str());
    text.append(" ").append(one.at("endpoint").as_string().c_str());
    text.append(": ").append(std::to_string(one.at("items").as_int64())).append(" items\n");
    for (const json::value& finding : one.at("findings").as_array())
      text.append("      -> ").append(harmless(finding.as_string())).append("\n");
  }
  return text;
}

/// Holds what the sources answer today against what they did when they were recorded.
int check_sources(const invocation& with) {
  const result<config> settings = load_settings(with.options, with.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  const auto opened = engine::open({*settings, false, nullptr, false});
  if (!opened) return failed_with(with, opened.error());
  const std::string report = (*opened)->check_sources();
  const json::value read = json::parse(report);
  const bool same = read.at("changed").as_int64() == 0 && read.at("failed").as_int64() == 0;
  const std::string text =
      with.options.has("--json") ? report + "\n" : checks_text(read.as_object());
  if (!print(text)) return output_ended();
  return same ? exit_ok : exit_failed;
}

int run_doctor(const invocation& with) {
  const bool of_sources = with.options.has("--sources"), live = with.options.has("--live");
  if (of_sources != live) {
    return wrong_usage("give --sources and --live together: they ask each source a question");
  }
  if (of_sources) return check_sources(with);
  const result<config> settings = load_settings(with.options, with.environment);
  std::vector<engine::finding> findings;
  if (settings) {
    findings = run_doctor(*settings, with.options.has("--offline"));
  } else {
    findings.push_back(opening_failed(settings.error()));
  }
  const bool healthy = std::ranges::all_of(findings, &engine::finding::ok);
  const auto seen = screen_of(with);
  const std::string text = with.options.has("--json") ? findings_json(findings, healthy)
                           : seen                     ? checkup_text(findings, *seen)
                                                      : findings_text(findings);
  if (!print(text)) return output_ended();
  return healthy ? exit_ok : exit_failed;
}

/// The cells of a line of a Markdown table, without what marks them as code.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  constexpr std::string_view between = " |";
  line.remove_prefix(std::min(line.size(), between.size() - 1));
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(between), line.size());
    std::string cell(line.substr(0, end));
    std::erase(cell, '`');
    cells.push_back(cell.substr(std::min(cell.find_first_not_of(' '), cell.size())));
    line.remove_prefix(std::min(line.size(), end + between.size()));
  }
  return cells;
}

/// Each source with its platform, and below it what there is to say, by the table's titles.
std::string sources_on(const screen& screen) {
  constexpr std::size_t text_column = 20;
  std::istringstream lines(sources_table());
  std::string line, out;
  std::getline(lines, line);
  const std::vector<std::string> titles = cells_of(line);
  std::getline(lines, line);  // the line of dashes
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    out.append(out.empty() ? "" : "\n").append(screen.paint(tone::strong, cells.at(1)));
    out.append("  ").append(cells.at(0)).append("\n");
    for (std::size_t i = 2; i < std::min(cells.size(), titles.size()); ++i) {
      if (!cells[i].empty())
        out.append(definition("  " + titles[i], cells[i], text_column, screen.columns));
    }
  }
  return out;
}

int show_sources(const invocation& with) {
  const auto seen = screen_of(with);
  return finish(print(seen ? sources_on(*seen) : sources_table()));
}

int show_version(const invocation& with) {
  const std::string text =
      with.options.has("--json")
          ? json::serialize(json::object{{"version", version}, {"contract", contract_version}})
          : "freshet " + std::string(version) + " (contract " + contract_version + ")";
  return finish(print(text + "\n"));
}

constexpr option_spec json_option{"--json", "", "print the answer as JSON"};

constexpr option_spec openapi_options[] = {config_option, set_option, data_option};
constexpr option_spec doctor_options[] = {
    {"--offline", "", "ask no source, use no network"},
    {"--sources", "", "hold what the sources answer against what they did"},
    {"--live", "", "with --sources: ask them; takes minutes"},
    json_option,
    config_option,
    set_option,
    data_option};
constexpr option_spec version_options[] = {json_option};

constexpr command tool_rows[] = {
    {"openapi", "", "Print the OpenAPI description.", "freshet openapi > openapi.json",
     show_openapi, openapi_options},
    {"sources", "", "Print what every source serves, needs and keeps; Markdown for programs.",
     "freshet sources", show_sources},
    {"doctor", "", "Check configuration, storage, network and every source.",
     "freshet doctor --offline", run_doctor, doctor_options},
    {"version", "", "Print the version.", "freshet version", show_version, version_options},
};

}  // namespace

std::span<const command> tool_commands() noexcept { return tool_rows; }

}  // namespace freshet::server
