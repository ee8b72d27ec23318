// The strict reading of a head. The cases are those of a probe against widely used servers: each
// refusal below is a shape that at least one of them accepts and frames in its own way.
#include <algorithm>
#include <array>
#include <server/framing.hpp>
#include <utility>

namespace freshet::server {
namespace {

constexpr std::size_t max_method_bytes = 32;
/// More digits cannot be a length that we would take, and could overflow.
constexpr std::size_t max_length_digits = 18;

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}
constexpr std::array<bool, 256> token_table = make_token_table();

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return token_table[static_cast<unsigned char>(c)];
  });
}

bool is_visible_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

/// field-vchar, SP and HTAB: no control character, so no bare CR and no NUL.
bool is_field_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
}

/// uri-host [ ":" port ], by its alphabet: no userinfo, no list, no path.
bool is_host(std::string_view text) {
  if (text.empty()) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~%!$&'()*+;=:[]").find(c) != std::string_view::npos;
  });
}

error malformed(const char* detail) { return error(errc::malformed_http, detail); }

}  // namespace

bool equal_ascii_nocase(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim_blank(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

head_end find_head_end(std::string_view bytes, std::size_t from) noexcept {
  using state = head_end::state;
  if (!bytes.empty() && !token_table[static_cast<unsigned char>(bytes[0])]) {
    return {state::malformed, 0, 0};  // no method starts so; TLS on a plain port, for one
  }
  while (true) {
    const std::size_t lf = bytes.find('\n', from);
    if (lf == std::string_view::npos) return {state::incomplete, 0, bytes.size()};
    if (lf == 0 || bytes[lf - 1] != '\r') return {state::malformed, 0, 0};
    if (lf >= 3 && bytes[lf - 2] == '\n') return {state::complete, lf + 1, 0};
    from = lf + 1;
  }
}

std::optional<std::string_view> request_head::field(std::string_view name) const noexcept {
  for (const field_slices& f : fields_) {
    if (equal_ascii_nocase(view(f.name), name)) return view(f.value);
  }
  return std::nullopt;
}

std::size_t request_head::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(fields_.begin(), fields_.end(),
                    [&](const field_slices& f) { return equal_ascii_nocase(view(f.name), name); }));
}

result<request_head> request_head::parse(std::string_view raw, const head_limits& limits) {
  if (raw.size() > limits.bytes || raw.size() > UINT16_MAX) {
    return error(errc::headers_too_large, "the head is larger than the server accepts");
  }
  request_head head;
  head.raw_ = std::make_shared<const std::string>(raw);
  const std::string_view bytes = *head.raw_;
  std::size_t at = 0;
  bool first = true;
  while (true) {
    const std::size_t end = bytes.find("\r\n", at);
    if (end == std::string_view::npos) return malformed("a line does not end in CRLF");
    const std::string_view line = bytes.substr(at, end - at);
    if (line.empty()) break;
    if (!first && head.fields_.size() == limits.fields) {
      return error(errc::headers_too_large, "there are more header fields than the server accepts");
    }
    const result<void> read = first ? head.read_request_line(line) : head.read_field(at, line);
    if (!read) return read.error();
    first = false;
    at = end + 2;
  }
  if (first) return malformed("there is no request line");
  if (const result<void> host = head.check_host(); !host) return host.error();
  if (const result<void> framed = head.check_framing(); !framed) return framed.error();
  head.read_connection();
  return head;
}

result<void> request_head::read_request_line(std::string_view line) {
  const std::size_t space = line.find(' ');
  const std::string_view method = line.substr(0, space);
  if (space == std::string_view::npos || !is_token(method) || method.size() > max_method_bytes) {
    return malformed("the request line does not start with a method");
  }
  const std::size_t second = line.find(' ', space + 1);
  if (second == std::string_view::npos) return malformed("the request line has no version");
  const std::string_view version = line.substr(second + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return malformed("the version is neither HTTP/1.1 nor HTTP/1.0");
  }
  minor_ = version.back() - '0';
  method_ = {0, static_cast<std::uint16_t>(space)};
  return read_target(space + 1, second - space - 1);
}

result<void> request_head::read_target(std::size_t at, std::size_t size) {
  std::string_view target = std::string_view(*raw_).substr(at, size);
  if (target.empty() || !is_visible_ascii(target)) return malformed("the target is not a URL");
  for (const std::string_view scheme :
       {std::string_view("http://"), std::string_view("https://")}) {
    if (target.size() <= scheme.size() ||
        !equal_ascii_nocase(target.substr(0, scheme.size()), scheme)) {
      continue;
    }
    const std::size_t path = std::min(target.find_first_of("/?", scheme.size()), target.size());
    if (!is_host(target.substr(scheme.size(), path - scheme.size()))) {
      return malformed("the target's host is not a host");
    }
    at += path;
    target.remove_prefix(path);
    break;
  }
  if (!target.empty() && target[0] != '/' && target[0] != '?' && target != "*") {
    return malformed("the target is neither a path nor an http URL");
  }
  if (target.find('#') != std::string_view::npos) return malformed("the target has a fragment");
  const std::size_t mark = std::min(target.find('?'), target.size());
  path_ = {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(mark)};
  if (mark < target.size()) {
    query_ = {static_cast<std::uint16_t>(at + mark + 1),
              static_cast<std::uint16_t>(target.size() - mark - 1)};
  }
  return {};
}

result<void> request_head::read_field(std::size_t at, std::string_view line) {
  if (line[0] == ' ' || line[0] == '\t') return malformed("a header field is folded over lines");
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return malformed("a header field has no valid name");
  }
  const std::string_view value = trim_blank(line.substr(colon + 1));
  if (!is_field_value(value)) return malformed("a header field has a control character");
  const std::size_t value_at =
      value.empty() ? at + colon + 1 : static_cast<std::size_t>(value.data() - raw_->data());
  fields_.push_back(
      {{static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(colon)},
       {static_cast<std::uint16_t>(value_at), static_cast<std::uint16_t>(value.size())}});
  return {};
}

result<void> request_head::check_host() const {
  const std::size_t hosts = count("host");
  if (hosts > 1) return malformed("there is more than one Host field");
  if (hosts == 0) {
    if (minor_ == 0) return {};
    return malformed("there is no Host field");
  }
  if (!is_host(*field("host"))) return malformed("the Host field is not a host");
  return {};
}

result<void> request_head::check_framing() {
  const std::size_t codings = count("transfer-encoding");
  if (codings > 0) {
    if (minor_ == 0) return malformed("HTTP/1.0 has no Transfer-Encoding");
    if (codings > 1 || !equal_ascii_nocase(*field("transfer-encoding"), "chunked")) {
      return error(errc::unsupported_transfer_encoding,
                   "the Transfer-Encoding is not exactly one chunked");
    }
    if (count("content-length") > 0) {
      return malformed("there are both Transfer-Encoding and Content-Length");
    }
    framing_.chunked = true;
  } else if (const result<void> length = read_length(); !length) {
    return length.error();
  }
  const auto expect = field("expect");
  if (expect && minor_ >= 1) {
    if (count("expect") > 1 || !equal_ascii_nocase(*expect, "100-continue")) {
      return error(errc::expectation_failed, "only 100-continue can be expected");
    }
    framing_.expect_continue = true;
  }
  return {};
}

result<void> request_head::read_length() {
  const std::size_t lengths = count("content-length");
  if (lengths > 1) return malformed("there is more than one Content-Length field");
  if (lengths == 0) {
    if (minor_ == 0 && method() == "POST") {
      return error(errc::length_required, "a POST in HTTP/1.0 needs a Content-Length");
    }
    return {};
  }
  const std::string_view digits = *field("content-length");
  const bool number = !digits.empty() && digits.size() <= max_length_digits &&
                      digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!number) return malformed("the Content-Length is not a number");
  for (const char digit : digits) {
    framing_.content_length =
        framing_.content_length * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  framing_.has_content_length = true;
  return {};
}

void request_head::read_connection() {
  bool close = false;
  bool keep = false;
  for (const field_slices& f : fields_) {
    if (!equal_ascii_nocase(view(f.name), "connection")) continue;
    for_each_element(view(f.value), [&](std::string_view option) {
      close = close || equal_ascii_nocase(option, "close");
      keep = keep || equal_ascii_nocase(option, "keep-alive");
    });
  }
  framing_.keep_alive = !close && (minor_ >= 1 || keep);
}

}  // namespace freshet::server
