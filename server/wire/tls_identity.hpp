// Who the server is under TLS: a certificate with its chain and its key, and the rules that every
// session with it keeps: TLS 1.2 and 1.3, ciphers that authenticate, keys that nobody can
// reconstruct later. It is read from two files, once; a new pair is another identity.
#pragma once

#include <chrono>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ssl_st;
struct ssl_ctx_st;

namespace freshet::server {

struct tls_session_end {
  void operator()(ssl_st* of) const noexcept;
};
using tls_session = std::unique_ptr<ssl_st, tls_session_end>;

/// PEM; the chain follows the certificate in its file.
struct tls_files {
  std::string certificate, key;
};
/// Of the configuration; null where the server speaks plain HTTP. Error: invalid_configuration
/// (only one of the two, or a base URL that is not https).
[[nodiscard]] result<std::optional<tls_files>> tls_files_of(const config& from);

/// Immutable; any thread may make sessions of it.
class tls_identity {
 public:
  /// Error: invalid_configuration, which names the setting and what to do.
  [[nodiscard]] static result<std::shared_ptr<const tls_identity>> of(const tls_files& files);
  ~tls_identity();
  tls_identity(const tls_identity&) = delete;
  tls_identity& operator=(const tls_identity&) = delete;

  /// A session of the server on a connected, non-blocking socket, which is borrowed. Null: there is
  /// no memory.
  [[nodiscard]] tls_session make_session(int socket) const;
  using time = std::chrono::system_clock::time_point;
  /// When the certificate ends; its chain is not looked at.
  [[nodiscard]] time end() const noexcept { return end_; }
  /// "DNS:api.example.org, until 2026-11-21 05:23 UTC"
  [[nodiscard]] const std::string& description() const noexcept { return description_; }

  struct warning {
    std::string text, advice;
    bool is_grave = false;  ///< clients refuse the server
  };
  /// What should not stay so; empty if all is well.
  [[nodiscard]] std::vector<warning> warnings(time now) const;

 private:
  tls_identity() = default;
  [[nodiscard]] result<void> load(const tls_files& files);
  [[nodiscard]] bool set_rules();
  void describe_certificate();

  ssl_ctx_st* context_ = nullptr;
  time begin_, end_;
  std::string description_;
  std::string key_file_;
  bool key_is_open_ = false;  // to every user of the machine
};

}  // namespace freshet::server
