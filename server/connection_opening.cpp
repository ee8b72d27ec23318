// What comes before the first request: whose connection it is, where a proxy says so, and TLS. All
// of it is under one deadline, and nothing of it is answered but a client that speaks plain HTTP
// where TLS is meant.
#include <algorithm>
#include <array>
#include <server/callers.hpp>
#include <server/connection.hpp>
#include <server/listener.hpp>

namespace freshet::server {

void connection::open() {
  const auto& proxies = core_->calls.dashboard_http.proxies;
  if (core_->entered_by.proxy_protocol && proxies.hold(address_)) return await_proxy_header();
  begin_tls();
}

void connection::await_proxy_header() {
  wire_.async_wait_readable([self = shared_from_this()](boost::system::error_code failed) {
    if (self->phase_ == phase::closed) return;
    return failed ? self->close() : self->on_proxy_bytes();
  });
}

void connection::on_proxy_bytes() {
  using progress = proxy_header::progress;
  std::array<char, max_proxy_header_bytes> seen;
  boost::system::error_code failed;
  const std::size_t size = wire_.peek(seen, failed);
  if (failed) return close();
  const std::size_t before = proxy_bytes_.size();
  proxy_bytes_.append(seen.data(), size);
  const proxy_header read = read_proxy_header(proxy_bytes_);
  if (read.reached == progress::malformed) return close();
  // What follows the header stays in the socket: TLS reads there.
  const bool is_whole = read.reached == progress::complete;
  wire_.drop(is_whole ? read.size - before : size, failed);
  if (failed) return close();
  if (!is_whole) return await_proxy_header();
  proxy_bytes_ = {};
  if (read.source) take_name(*read.source);
  begin_tls();
}

void connection::take_name(const ip_address& from) {
  address_ = from;
  peer_ = from.to_string();
  crowd::leavers gone;
  // Who has no room may still ask for the server's health.
  if (!core_->everybody->rename(id_, from, gone)) guest_ = true;
  core_->dismiss(gone);
}

void connection::begin_tls() {
  if (core_->entered_by.tls == nullptr) return begin_requests();
  wire_.async_wait_readable([self = shared_from_this()](boost::system::error_code failed) {
    if (self->phase_ == phase::closed) return;
    return failed ? self->close() : self->on_first_byte();
  });
}

void connection::on_first_byte() {
  std::array<char, 1> first{};
  boost::system::error_code failed;
  const std::size_t size = wire_.peek(first, failed);
  if (failed) return close();
  if (size == 0) return begin_tls();
  // No record of TLS begins so, and each request of HTTP.
  const bool is_plain = (first[0] >= 'A' && first[0] <= 'Z') || first[0] == '\r';
  if (is_plain) {
    return refuse(
        error(errc::malformed_http, "this port speaks TLS: ask for https://, not http://"));
  }
  if (!wire_.seal(*core_->entered_by.tls->current())) return close();
  wire_.async_handshake(
      core_->keyless_turns, network_part(address_), peer_, weak_from_this(),
      [this](bool waits_here) { stand(waits_here); },
      [this](boost::system::error_code ended) {
        if (phase_ == phase::closed) return;
        return ended ? close() : begin_requests();
      });
}

void connection::begin_requests() {
  core_->everybody->opened(id_);
  enter(phase::idle, first_timeout());
  read_more();
}

}  // namespace freshet::server
