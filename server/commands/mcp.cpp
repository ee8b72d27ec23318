// `freshet mcp`: the Model Context Protocol over standard input and output, one message a line. In
// process, or as a bridge to a server. Standard output carries messages and nothing else. Where the
// input ends, what it asked for is answered first.
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <server/commands/commands.hpp>
#include <server/commands/sign_in.hpp>
#include <server/mcp/session_core.hpp>

namespace freshet::server {
namespace {

/// A line longer than this is no message of a client.
constexpr std::size_t max_message_bytes = 4 * 1024 * 1024;

/// What tools are called through, and what it offers.
struct backing {
  std::unique_ptr<client> through;
  std::shared_ptr<const mcp::offers> offered;
};

result<backing> open_backing(const invocation& given, const sign_in& where) {
  const auto& [server, key] = where;
  if (!server.empty()) {
    auto connected = connect(server, key, {}, given.options.text("--ca"));
    if (!connected) return connected.error();
    return backing{std::move(*connected), std::make_shared<const mcp::offers>(mcp::make_offers(
                                              tools_document(), sources_table(),
                                              [at = server] { return openapi_document(at); }))};
  }
  result<config> settings = load_settings(given.options, given.environment);
  if (!settings) return settings.error();
  const bool with_accounts = !key.empty();
  if (with_accounts) {
    const auto made = make_data_dir(settings->text("storage.data_dir"));
    if (!made) return made.error();
  }
  auto opened = engine::open({std::move(*settings), with_accounts, nullptr, false});
  if (!opened) return opened.error();
  auto offered = std::make_shared<const mcp::offers>(mcp::make_offers(
      (*opened)->tools(), sources_table(), [core = opened->get()] { return core->openapi(); }));
  return backing{std::move(*opened), std::move(offered)};
}

/// How often somebody who waits for answers is looked for.
constexpr std::chrono::milliseconds reader_check{100};

/// Standard output. Messages come from several threads, and each is one line.
class standard_output : public mcp::response_sink {
 public:
  void tell(std::string text) override {
    const std::lock_guard guard(mutex_);
    std::cout << text << '\n' << std::flush;
  }
  void answer(std::string text, mcp::verdict) override {
    tell(std::move(text));
    withdraw();
  }
  void withdraw() override {
    const std::lock_guard guard(mutex_);
    --unanswered_;
    ended_.notify_one();
  }
  /// A request has come, of which one of the two will be told.
  void expect() {
    const std::lock_guard guard(mutex_);
    ++unanswered_;
  }
  /// Returns when every request has its answer, each within its call's own deadline, or at once
  /// where nobody reads them any more.
  void wait() {
    std::unique_lock lock(mutex_);
    while (unanswered_ > 0 && has_reader()) ended_.wait_for(lock, reader_check);
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t unanswered_ = 0;
};

/// One line without its end; false at the end of input. A line that is too long is cut, which no
/// JSON survives, so that it is answered as an error and not as somebody else's message.
bool read_line(std::istream& input, std::string& line) {
  line.clear();
  for (int c = input.get(); c != std::istream::traits_type::eof(); c = input.get()) {
    if (c == '\n') return true;
    if (line.size() < max_message_bytes) line += static_cast<char>(c);
  }
  return !line.empty();
}

int speak(const invocation& with) {
  auto where = destination_of(with);
  if (!where) return failed_with(with, where.error());
  const bool in_process = where->server.empty();
  if (in_process && with.options.has("--ca")) return wrong_usage("--ca is for --server");
  // A key of the accounts that the line names: hosts of agents give it by the environment.
  if (in_process && where->key.empty() &&
      (with.options.has("--data") || with.options.has("--config"))) {
    where->key = variable(with.environment, "FRESHET_API_KEY");
  }
  auto behind = open_backing(with, *where);
  if (!behind) return failed_with(with, behind.error());
  const auto output = std::make_shared<standard_output>();
  const auto talk = std::make_shared<mcp::session_core>(behind->offered, *behind->through,
                                                        mcp::caller{where->key, true});
  say_what_is_awaited("waiting for a client of the Model Context Protocol; Ctrl-D ends it");
  std::string line;
  while (read_line(std::cin, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    mcp::rejection why;
    const auto read = mcp::read_messages(line, why);
    if (!read) output->tell(mcp::error_text(why.id, why.code, why.detail));
    for (const mcp::message& one : read.value_or(std::vector<mcp::message>())) {
      if (one.what == mcp::message::kind::request) output->expect();
      talk->receive(one, output);
    }
  }
  output->wait();
  talk->close();
  behind->through.reset();  // waits for what was cancelled
  return std::cout.good() ? exit_ok : exit_failed;
}

constexpr option_spec mcp_options[] = {
    {"--server", "URL",
     "call the tools on this server instead of in this process; also $FRESHET_URL"},
    ca_option,
    {"--key", "KEY", "the API key; also $FRESHET_API_KEY, or that of freshet login"},
    config_option,
    set_option,
    data_option};

constexpr command mcp_rows[] = {
    {"mcp", "",
     "Speak the Model Context Protocol over standard input and output: a tool for each endpoint. "
     "Without --server, --key and settings its calls go where those of `freshet call` go.",
     "freshet mcp --set network.sandbox=true", speak, mcp_options}};

}  // namespace

std::span<const command> mcp_commands() noexcept { return mcp_rows; }

}  // namespace freshet::server
