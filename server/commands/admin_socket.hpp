// Administration while the server runs: only one process may hold the accounts, so the commands of
// the command line go to it over a Unix socket in the data folder that only its owner can open. One
// line of JSON each way; one command at a time.
#pragma once

#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace freshet::server {

/// What an order answers: `ok` with the command's JSON, or a problem document.
struct admin_answer {
  bool ok = false;
  std::string body;
};

/// Carries out a command with JSON arguments; called on the administration thread.
using admin_handler =
    std::function<admin_answer(std::string_view command, std::string_view arguments)>;

/// The server's end, on a thread of its own, since a command may wait for the disk. The destructor
/// waits for a command under way, and removes the socket.
class admin_server {
 public:
  /// Takes the place of a socket that a dead server has left: whoever holds the accounts owns the
  /// folder. Error: storage_unavailable.
  [[nodiscard]] static result<std::unique_ptr<admin_server>> open(const std::string& data_dir,
                                                                  admin_handler handler);
  ~admin_server();
  admin_server(const admin_server&) = delete;
  admin_server& operator=(const admin_server&) = delete;

 private:
  admin_server(std::string data_dir, admin_handler handler, int listening, int stop_read,
               int stop_write);
  void run();
  void serve(int connection) const;

  std::string data_dir_;
  admin_handler handler_;
  int listening_, stop_read_, stop_write_;
  std::thread thread_;
};

/// Asks a running server; null if none runs on this data folder. Error: storage_unavailable (it
/// runs and does not answer).
[[nodiscard]] result<std::optional<admin_answer>> ask_running_server(const std::string& data_dir,
                                                                     std::string_view command,
                                                                     std::string_view arguments);

}  // namespace freshet::server
