// A document that is offered to clients and takes long to make: made once, when somebody first
// asks, on a thread of its own. Where sessions are answered everybody would wait for it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <server/mcp/request_context.hpp>
#include <string>
#include <thread>
#include <vector>

namespace freshet::server::mcp {

/// Thread-safe.
class late_document {
 public:
  /// `text`: what it says, as JSON.
  late_document(std::string uri, std::function<std::string()> text)
      : uri_(std::move(uri)), text_(std::move(text)) {}
  late_document(const late_document&) = delete;
  late_document& operator=(const late_document&) = delete;
  /// Waits for its thread.
  ~late_document();

  /// The result of reading it; null where there was no memory for it.
  using taker = std::function<void(const prepared_result*)>;
  /// Gives it at once, or when it is made: then on another thread.
  void tell(taker give);

 private:
  void make() noexcept;

  const std::string uri_;
  const std::function<std::string()> text_;
  std::mutex mutex_;
  std::unique_ptr<const prepared_result> made_;
  bool is_making_ = false;
  std::vector<taker> waiting_;
  std::thread maker_;
};

}  // namespace freshet::server::mcp
