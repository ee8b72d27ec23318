// `freshet login` and `freshet logout`, and the file between them: JSON below $XDG_CONFIG_HOME,
// made anew beside the old one and renamed, for its owner alone (the program's umask).
#include "server/commands/sign_in.hpp"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace freshet::server {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr std::string_view usual_server = "http://127.0.0.1:8080";

/// "" where the user has no home.
fs::path sign_in_file(environment_block environment) {
  const std::string folder = variable(environment, "XDG_CONFIG_HOME");
  if (!folder.empty()) return fs::path(folder) / "freshet" / "login.json";
  const std::string home = variable(environment, "HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".config" / "freshet" / "login.json";
}

error no_file(const fs::path& path, std::string_view why) {
  return error(errc::storage_unavailable, path.string() + ": " + std::string(why));
}

/// While it lives, a terminal does not show what is typed.
class unseen_typing {
 public:
  unseen_typing() noexcept : is_on_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!is_on_) return;
    termios unseen = before_;
    unseen.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen);
  }
  ~unseen_typing() {
    if (is_on_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  unseen_typing(const unseen_typing&) = delete;
  unseen_typing& operator=(const unseen_typing&) = delete;

 private:
  termios before_{};
  bool is_on_;
};

/// The key that was given, piped in, or typed.
std::string ask_key(const invocation& line, const std::string& server) {
  std::string key = line.options.text("--key");
  if (!key.empty()) return key;
  const bool typed = ::isatty(STDIN_FILENO) == 1;
  {
    const unseen_typing unseen;  // before the question: who types at once is neither shown nor lost
    if (typed) std::cerr << "API key for " << server << " (it is not shown): " << std::flush;
    std::getline(std::cin, key);
  }
  if (typed) std::cerr << "\n";
  while (!key.empty() && (key.back() == '\r' || key.back() == ' ')) key.pop_back();
  return key;
}

/// What an answer says at a JSON pointer; "" where nothing.
std::string text_at(const json::value& answer, const char* pointer) {
  boost::system::error_code missing;
  const json::value* found = answer.find_pointer(pointer, missing);
  if (found == nullptr || found->is_null()) return {};
  return found->is_string() ? std::string(found->get_string()) : json::serialize(*found);
}

int log_in(const invocation& line) {
  const auto& operands = line.options.operands();
  sign_in wanted{operands.empty() ? std::string(usual_server) : operands[0], {}};
  wanted.key = ask_key(line, wanted.server);
  if (wanted.key.empty()) return wrong_usage("login needs a key: --key KEY, or on standard input");
  const auto through = connect(wanted.server, wanted.key, {}, line.options.text("--ca"));
  if (!through) return failed_with(line, through.error());
  // A key that does not work is not kept.
  request who;
  who.endpoint = "account/show";
  who.api_key = wanted.key;
  const response answered = (*through)->call(std::move(who));
  if (!answered.ok()) return failed_with(line, answered.body);
  const auto kept = keep_sign_in(line.environment, wanted);
  if (!kept) return failed_with(line, kept.error());
  boost::system::error_code unreadable;
  const json::value account = json::parse(answered.body, unreadable);
  return finish(print_foreign(
      "signed in to " + wanted.server + " as " + text_at(account, "/data/email") + " with a " +
      text_at(account, "/data/key/mode") + " key, balance " + text_at(account, "/data/balance") +
      "\nkept in " + *kept + "\ntry: freshet call news/search q=climate limit=2\n"));
}

int log_out(const invocation& line) {
  const auto forgotten = forget_sign_in(line.environment);
  if (!forgotten) return failed_with(line, forgotten.error());
  return finish(print(*forgotten
                          ? "signed out; the key itself still works: freshet keys revoke ends it\n"
                          : "nobody was signed in\n"));
}

constexpr option_spec login_options[] = {
    {"--key", "KEY", "the API key; default: it is asked for, or read from standard input"},
    ca_option};

constexpr command sign_in_rows[] = {
    {"login", "[URL]",
     "Keep a server and an API key for `freshet call`. Without a URL it is "
     "http://127.0.0.1:8080.",
     "freshet login https://freshet.example.org", log_in, login_options},
    {"logout", "", "Forget the server and the key of `freshet login`.", "freshet logout", log_out},
};

}  // namespace

result<std::optional<sign_in>> load_sign_in(environment_block environment) {
  const fs::path path = sign_in_file(environment);
  std::error_code failed;
  if (path.empty() || !fs::exists(path, failed)) return std::optional<sign_in>();
  const auto text = read_file(path.string());
  if (!text) return no_file(path, text.error().detail());
  boost::system::error_code unreadable;
  const json::value read = json::parse(*text, unreadable);
  sign_in kept{text_at(read, "/server"), text_at(read, "/key")};
  if (unreadable || kept.server.empty() || kept.key.empty()) {
    return error(errc::invalid_configuration,
                 path.string() + " is not what freshet login has written; run it again");
  }
  return std::optional<sign_in>(std::move(kept));
}

result<std::string> keep_sign_in(environment_block environment, const sign_in& attempt) {
  const fs::path path = sign_in_file(environment);
  if (path.empty()) return no_file("login", "neither XDG_CONFIG_HOME nor HOME is set");
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed) return no_file(path, failed.message());
  const fs::path fresh = path.string() + "." + std::to_string(::getpid());
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  file << json::serialize(json::object{{"server", attempt.server}, {"key", attempt.key}}) << "\n";
  file.close();
  if (!file) {
    const error why = no_file(fresh, std::strerror(errno));
    fs::remove(fresh, failed);
    return why;
  }
  fs::rename(fresh, path, failed);
  if (failed) return no_file(path, failed.message());
  return path.string();
}

result<bool> forget_sign_in(environment_block environment) {
  const fs::path path = sign_in_file(environment);
  std::error_code failed;
  const bool was = !path.empty() && fs::remove(path, failed);
  if (failed) return no_file(path, failed.message());
  return was;
}

result<sign_in> destination_of(const invocation& line) {
  sign_in found{line.options.text("--server"), line.options.text("--key")};
  const bool says_here = std::ranges::any_of(
      std::array{"--key", "--config", "--set", "--data"},
      [&](const char* option) { return line.options.has(option) && found.server.empty(); });
  if (says_here) return found;
  if (found.server.empty()) found.server = variable(line.environment, "FRESHET_URL");
  if (!found.server.empty() && found.key.empty()) {
    found.key = variable(line.environment, "FRESHET_API_KEY");
  }
  if (!found.key.empty()) return found;
  auto kept = load_sign_in(line.environment);
  if (!kept) return kept.error();
  if (*kept && (found.server.empty() || found.server == (*kept)->server)) return std::move(**kept);
  return found;
}

std::span<const command> sign_in_commands() noexcept { return sign_in_rows; }

}  // namespace freshet::server
