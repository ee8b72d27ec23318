// `freshet call`: one call, in process or to a server; the envelope goes to standard output, byte
// for byte, and a problem document to standard error.
#include <array>
#include <iostream>
#include <iterator>
#include <server/commands/call_body.hpp>
#include <server/commands/commands.hpp>
#include <span>

namespace freshet::server {
namespace {

/// In process: without a key unmetered, with one through the accounts of the data folder.
result<std::unique_ptr<client>> open_engine(const invocation& line, bool with_accounts) {
  result<config> settings = load_settings(line.options, line.environment);
  if (!settings) return settings.error();
  if (with_accounts) {
    const auto made = make_data_dir(settings->text("storage.data_dir"));
    if (!made) return made.error();
  }
  auto opened = engine::open({std::move(*settings), with_accounts, nullptr, false});
  if (!opened) return opened.error();
  return std::unique_ptr<client>(std::move(*opened));
}

int show_help(const std::vector<std::string>& operands) {
  const std::string every = endpoint_help("");
  if (operands.empty()) return print("endpoints:\n" + every) ? exit_ok : exit_failed;
  const std::string one = endpoint_help(operands[0]);
  if (one == every) {
    return wrong_usage("unknown endpoint '" + operands[0] + "'; these are known:\n" + every);
  }
  return print(one) ? exit_ok : exit_failed;
}

int call(const invocation& with) {
  const std::vector<std::string>& operands = with.options.operands();
  if (with.options.has("--help")) return show_help(operands);
  request what;
  what.endpoint = operands[0];
  what.api_key = with.options.text("--key");
  if (operands.size() == 2 && operands[1] == "-") {
    what.body.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  } else {
    const std::span words = std::span(operands).subspan(1);
    const bool is_json = words.empty() || words[0].starts_with('{');
    const auto body = call_body(words, what.endpoint,
                                is_json ? std::string() : openapi_document("http://localhost"));
    if (!body) return wrong_usage(body.error().detail());
    what.body = *body;
  }
  const std::string server = with.options.text("--server");
  if (!server.empty() && what.api_key.empty()) {
    what.api_key = variable(with.environment, "FRESHET_API_KEY");
  }
  if (server.empty() && with.options.has("--ca")) return wrong_usage("--ca is for --server");
  const bool in_accounts = !what.api_key.empty();
  const auto through = server.empty()
                           ? open_engine(with, in_accounts)
                           : connect(server, what.api_key, {}, with.options.text("--ca"));
  if (!through) {
    if (through.error().code() == errc::invalid_configuration && !in_accounts) {
      return wrong_usage(through.error().detail());
    }
    return failed_with(through.error());
  }
  const response answered = (*through)->call(std::move(what));
  if (!answered.ok()) return failed_with(answered.body);
  return print(answered.body + "\n") ? exit_ok : exit_failed;
}

constexpr option_spec call_options[] = {
    {"--server", "URL", "ask this server instead of this process"},
    ca_option,
    {"--key", "KEY", "the API key; for a server also $FRESHET_API_KEY"},
    config_option,
    set_option,
    data_option};

constexpr command call_rows[] = {
    {"call", "PLATFORM/ENDPOINT [NAME=VALUE...]",
     "Make one call, in process or to a server, and print the envelope. One JSON object may stand "
     "in place of the parameters; - reads it from standard input.\n"
     "`freshet call PLATFORM/ENDPOINT --help` shows what it takes.",
     "freshet call news/search q='\"tide gauge\" -toy' limit=3", call, call_options}};

}  // namespace

std::span<const command> call_commands() noexcept { return call_rows; }

}  // namespace freshet::server
