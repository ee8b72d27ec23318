// The description of the API, as JSON and as YAML, plain and compressed, with the names by which a
// client asks whether it has them already. Made when somebody first asks, on a thread of its own:
// most servers are never asked.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <server/http/reply.hpp>
#include <server/http/request_reader.hpp>
#include <string>
#include <thread>
#include <vector>

namespace freshet::server {

struct request_facts;

/// Thread-safe.
class description {
 public:
  /// `text`: the JSON.
  explicit description(std::function<std::string()> text) : text_(std::move(text)) {}
  description(const description&) = delete;
  description& operator=(const description&) = delete;
  /// Waits for its thread.
  ~description();

  enum class form { json, yaml };
  /// Gives the reply to a GET or HEAD: at once, or when the description is made.
  void show(form wanted, http_request asked, request_facts facts, std::function<void(reply)> give);

 private:
  /// Bytes that never change while the server runs, and their names.
  struct published_text {
    std::shared_ptr<const std::string> plain, gzip;
    std::string plain_etag, gzip_etag;
  };
  [[nodiscard]] static published_text publish(std::string text);
  [[nodiscard]] reply reply_to(form wanted, const http_request& asked,
                               const request_facts& facts) const;
  void make() noexcept;

  const std::function<std::string()> text_;
  std::mutex mutex_;
  bool made_ = false, making_ = false;
  published_text json_, yaml_;  ///< once it is made
  std::vector<std::function<void()>> waiting_;
  std::thread maker_;
};

}  // namespace freshet::server
