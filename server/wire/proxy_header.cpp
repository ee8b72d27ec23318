// https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt, section 2. Further fields of
// version 2 (TLVs) are skipped, its sums with them: a proxy is trusted, the way from it is TCP.
#include <algorithm>
#include <array>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <server/number.hpp>
#include <server/wire/proxy_header.hpp>

namespace freshet::server {
namespace {

namespace ip = boost::asio::ip;
using progress = proxy_header::progress;

constexpr std::string_view line_start = "PROXY ";
constexpr std::size_t max_line_bytes = 107;
constexpr std::string_view signature("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t fixed_bytes = 16;  // signature, version and command, family, length
constexpr unsigned version_2 = 2, local = 0, proxied = 1;
constexpr unsigned tcp_over_4 = 0x11, tcp_over_6 = 0x21;
constexpr std::size_t addresses_4 = 12, addresses_6 = 36;

proxy_header malformed() { return {}; }
proxy_header incomplete() { return {progress::incomplete, 0, {}}; }

unsigned byte_at(std::string_view bytes, std::size_t place) {
  return static_cast<unsigned char>(bytes[place]);
}

/// Whether `bytes` may go on to be `whole`, or have begun with it.
bool agrees(std::string_view bytes, std::string_view whole) {
  const std::size_t known = std::min(bytes.size(), whole.size());
  return bytes.substr(0, known) == whole.substr(0, known);
}

/// The word before the next blank, which it takes.
std::string_view next_word(std::string_view& rest) {
  const std::size_t blank = rest.find(' ');
  const std::string_view word = rest.substr(0, blank);
  rest = blank == std::string_view::npos ? std::string_view() : rest.substr(blank + 1);
  return word;
}

std::optional<ip_address> address_of(std::string_view word, bool is_4) {
  boost::system::error_code failed;
  const auto read = ip::make_address(std::string(word), failed);
  if (failed || read.is_v4() != is_4) return std::nullopt;
  return plain_address(read);
}

proxy_header read_line(std::string_view bytes) {
  const std::string_view most = bytes.substr(0, max_line_bytes);
  const std::size_t end = most.find("\r\n");
  if (end == std::string_view::npos) {
    return bytes.size() < max_line_bytes ? incomplete() : malformed();
  }
  std::string_view rest = bytes.substr(line_start.size(), end - line_start.size());
  const std::string_view family = next_word(rest);
  proxy_header read{progress::complete, end + 2, {}};
  // Whatever else stands there.
  if (family == "UNKNOWN") return read;
  if (family != "TCP4" && family != "TCP6") return malformed();
  const bool is_4 = family == "TCP4";
  const auto from = address_of(next_word(rest), is_4);
  const auto to = address_of(next_word(rest), is_4);
  const auto from_port = parse_number<std::uint16_t>(next_word(rest));
  if (!from || !to || !from_port || !parse_number<std::uint16_t>(rest)) return malformed();
  read.source = from;
  return read;
}

template <class Address>
ip_address address_in(std::string_view bytes) {
  typename Address::bytes_type raw;
  std::copy_n(bytes.begin() + fixed_bytes, raw.size(), raw.begin());
  return plain_address(Address(raw));
}

proxy_header read_binary(std::string_view bytes) {
  if (bytes.size() < fixed_bytes) return incomplete();
  const unsigned version = byte_at(bytes, 12) >> 4, command = byte_at(bytes, 12) & 0xf;
  const std::size_t length = byte_at(bytes, 14) * 256 + byte_at(bytes, 15);
  const std::size_t size = fixed_bytes + length;
  if (version != version_2 || command > proxied || size > max_proxy_header_bytes) {
    return malformed();
  }
  const unsigned family = byte_at(bytes, 13);
  const bool is_4 = family == tcp_over_4, is_6 = family == tcp_over_6;
  const bool has_room = length >= (is_4 ? addresses_4 : is_6 ? addresses_6 : 0);
  if (command == proxied && !has_room) return malformed();
  if (bytes.size() < size) return incomplete();
  proxy_header read{progress::complete, size, {}};
  if (command == local) return read;
  if (is_4) read.source = address_in<ip::address_v4>(bytes);
  if (is_6) read.source = address_in<ip::address_v6>(bytes);
  return read;
}

}  // namespace

result<bool> proxy_protocol_of(const config& from) {
  const bool wanted = from.flag("server.proxy_protocol").value_or(false);
  if (!wanted || !from.list("server.trusted_proxies").empty()) return wanted;
  return error(errc::invalid_configuration,
               "server.proxy_protocol: nobody is trusted to say whose connection it is; set "
               "server.trusted_proxies to the networks of your proxies, such as 10.0.0.7/32");
}

proxy_header read_proxy_header(std::string_view bytes) {
  if (bytes.empty()) return incomplete();
  if (agrees(bytes, line_start)) {
    return bytes.size() < line_start.size() ? incomplete() : read_line(bytes);
  }
  return agrees(bytes, signature) ? read_binary(bytes) : malformed();
}

}  // namespace freshet::server
