// One browser process with its pipes, its profile folder and the page that it has at the moment.
#pragma once

#include <browser/devtools.hpp>
#include <browser/message_pipe.hpp>
#include <browser/options.hpp>
#include <browser/page_load.hpp>
#include <memory>
#include <optional>
#include <process/child.hpp>
#include <process/private_folder.hpp>

namespace freshet::browser {

/// For the pool's thread, which must live as long. Killed with its owner.
class browser_process {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// Error: internal (it does not start).
  [[nodiscard]] static result<std::unique_ptr<browser_process>> start(const options& options,
                                                                      time now);
  browser_process(const browser_process&) = delete;
  browser_process& operator=(const browser_process&) = delete;
  ~browser_process();

  /// Whether it has answered its first command.
  [[nodiscard]] bool is_ready() const noexcept { return ready_; }
  [[nodiscard]] bool is_free() const noexcept { return ready_ && page_ == nullptr && !broken_; }
  /// Whether it must be replaced.
  [[nodiscard]] bool is_spent() const noexcept;
  [[nodiscard]] time free_since() const noexcept { return free_since_; }

  /// Gives it a page; it must be free.
  void open(page_order order, page_load::fetcher fetch, time now, page_load::done_handler done);
  /// Ends it with its page, which gets the error.
  void give_way(const error& why) { break_down(why.code(), why.detail()); }
  /// Ends its page with an error; the profile of the page is thrown away all the same.
  void leave(error why);

  [[nodiscard]] message_pipe& pipe() noexcept { return pipe_; }
  /// Reads what has come. Nothing more is asked of one that has died.
  void receive(time now);
  /// Deadlines and memory.
  void tick(time now);
  [[nodiscard]] time next_tick() const noexcept;

 private:
  browser_process(const options& options, process::child program, message_pipe pipe, time now);
  void greet();
  void break_down(errc code, const std::string& why);

  options options_;
  process::child program_;
  std::optional<process::private_folder> folder_;
  message_pipe pipe_;
  devtools tools_;
  std::shared_ptr<page_load> page_;
  time ready_by_, free_since_, next_look_;
  int pages_ = 0;
  bool ready_ = false;
  bool broken_ = false;
};

}  // namespace freshet::browser
