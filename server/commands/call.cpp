// `freshet call`: one call, in process or to a server; the envelope goes to standard output, byte
// for byte, and a problem document to standard error. A person at a terminal sees cards and
// sentences instead.
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <iterator>
#include <server/commands/call_body.hpp>
#include <server/commands/commands.hpp>
#include <server/commands/sign_in.hpp>
#include <server/nearest.hpp>
#include <server/terminal/cards.hpp>
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

int show_help(const std::vector<std::string>& operands, std::size_t columns) {
  if (operands.empty()) {
    return finish(print("endpoints:\n" + endpoint_help("", columns)));
  }
  const std::vector<std::string> paths = endpoint_paths();
  if (std::ranges::find(paths, operands[0]) == paths.end()) {
    const std::vector<std::string_view> known(paths.begin(), paths.end());
    return wrong_usage("unknown endpoint '" + operands[0] + "'" + did_you_mean(operands[0], known) +
                       "\ntry: freshet call --help");
  }
  return finish(print(endpoint_help(operands[0], columns)));
}

/// The answer, as whoever reads it wants it.
int show_answer(const invocation& line, const std::string& body, std::string_view server,
                std::chrono::milliseconds took) {
  const auto seen = screen_of(line);
  boost::system::error_code unreadable;
  if (seen) {
    const boost::json::value read = boost::json::parse(body, unreadable);
    if (!unreadable && read.is_object()) {
      return finish(print(cards_text(read.get_object(), {took, server}, *seen)));
    }
  }
  return finish(print_foreign(body + "\n"));
}

int call(const invocation& with) {
  const std::vector<std::string>& operands = with.options.operands();
  if (with.options.has("--help")) return show_help(operands, help_columns(with.environment));
  request what;
  what.endpoint = operands[0];
  if (operands.size() == 2 && operands[1] == "-") {
    say_what_is_awaited("type a JSON object, then Ctrl-D");
    what.body.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  } else {
    const std::span words = std::span(operands).subspan(1);
    const bool is_json = words.empty() || words[0].starts_with('{');
    const auto body = call_body(words, what.endpoint,
                                is_json ? std::string() : openapi_document("http://localhost"));
    if (!body) return wrong_usage(body.error().detail());
    what.body = *body;
  }
  auto destination = destination_of(with);
  if (!destination) return failed_with(with, destination.error());
  what.api_key = std::move(destination->key);
  const std::string server = std::move(destination->server);
  if (server.empty() && with.options.has("--ca")) return wrong_usage("--ca is for --server");
  const bool in_accounts = !what.api_key.empty();
  const auto through = server.empty()
                           ? open_engine(with, in_accounts)
                           : connect(server, what.api_key, {}, with.options.text("--ca"));
  if (!through) {
    if (through.error().code() == errc::invalid_configuration && !in_accounts) {
      return wrong_usage(through.error().detail());
    }
    return failed_with(with, through.error());
  }
  const auto before = std::chrono::steady_clock::now();
  const response answered = (*through)->call(std::move(what));
  if (!answered.ok()) return failed_with(with, answered.body);
  return show_answer(with, answered.body, server,
                     std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::steady_clock::now() - before));
}

constexpr option_spec call_options[] = {
    {"--server", "URL", "ask this server instead of this process; also $FRESHET_URL"},
    ca_option,
    {"--key", "KEY", "the API key; for a server also $FRESHET_API_KEY, or that of freshet login"},
    {"--json", "", "print the envelope also on a terminal, which has cards otherwise"},
    config_option,
    set_option,
    data_option};

constexpr command call_rows[] = {
    {"call", "PLATFORM/ENDPOINT [NAME=VALUE...]",
     "Make one call, in process or to a server, and print the envelope. One JSON object may stand "
     "in place of the parameters; - reads it from standard input. Without --server, --key and "
     "settings it goes to the server of $FRESHET_URL or of `freshet login`, where there is one.\n"
     "`freshet call PLATFORM/ENDPOINT --help` shows what it takes.",
     "freshet call news/search q='\"tide gauge\" -toy' limit=3", call, call_options}};

}  // namespace

std::span<const command> call_commands() noexcept { return call_rows; }

}  // namespace freshet::server
