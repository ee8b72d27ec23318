// The strict look at raw bytes. The cases are those of a probe against widely used servers: each
// refusal below is a shape that at least one of them accepts and frames in its own way.
#include <algorithm>
#include <array>
#include <optional>
#include <server/http/framing.hpp>
#include <server/number.hpp>

namespace freshet::server {
namespace {

constexpr std::size_t max_method_bytes = 32;
/// More digits cannot be a length that we would take, and could overflow.
constexpr std::size_t max_length_digits = 18;
/// 8 hexadecimal digits hold any chunk that a limit of ours allows.
constexpr std::size_t max_chunk_size_digits = 8;
/// A chunk's size with its extensions; after the last chunk the whole trailer too.
constexpr std::size_t max_chunk_head_bytes = 1024;

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
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return token_table[static_cast<unsigned char>(c)];
  });
}

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

/// field-vchar, SP and HTAB: no control character, so no bare CR and no NUL.
bool is_line_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

bool is_field_value(std::string_view text) { return std::ranges::all_of(text, is_line_byte); }

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// uri-host [ ":" port ], by its alphabet: no userinfo, no list, no path.
bool is_host(std::string_view text) {
  if (text.empty()) return false;
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~%!$&'()*+;=:[]").find(c) != std::string_view::npos;
  });
}

error malformed(const char* detail) { return error(errc::malformed_http, detail); }

/// How often a field came, and what it said first.
struct seen_field {
  std::string_view name;
  std::size_t count = 0;
  std::string_view value = {};
};
struct seen_fields {
  seen_field host{"host"};
  seen_field length{"content-length"};
  seen_field coding{"transfer-encoding"};
  seen_field expect{"expect"};
};

struct request_line {
  std::string_view method;
  bool http_1_0 = false;
};

result<request_line> check_request_line(std::string_view line) {
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
  return request_line{method, version == "HTTP/1.0"};
}

result<void> check_field(std::string_view line, seen_fields& seen) {
  if (line[0] == ' ' || line[0] == '\t') return malformed("a header field is folded over lines");
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || !is_token(name)) {
    return malformed("a header field has no valid name");
  }
  const std::string_view value = trim_blank(line.substr(colon + 1));
  if (!is_field_value(value)) return malformed("a header field has a control character");
  for (seen_field* field : {&seen.host, &seen.length, &seen.coding, &seen.expect}) {
    if (!equal_ascii_nocase(name, field->name)) continue;
    if (++field->count == 1) field->value = value;
  }
  return {};
}

result<void> check_host(const seen_field& host, bool http_1_0) {
  if (host.count > 1) return malformed("there is more than one Host field");
  if (host.count == 0) {
    if (http_1_0) return {};
    return malformed("there is no Host field");
  }
  if (!is_host(host.value)) return malformed("the Host field is not a host");
  return {};
}

result<std::uint64_t> check_length(const seen_field& length, const request_line& line) {
  if (length.count > 1) return malformed("there is more than one Content-Length field");
  if (length.count == 0) {
    if (line.http_1_0 && line.method == "POST") {
      return error(errc::length_required, "a POST in HTTP/1.0 needs a Content-Length");
    }
    return std::uint64_t{0};
  }
  const auto value = parse_number<std::uint64_t>(length.value);
  if (!value || length.value.size() > max_length_digits) {
    return malformed("the Content-Length is not a number");
  }
  return *value;
}

result<framing> check_framing(const seen_fields& seen, const request_line& line) {
  framing body;
  if (seen.coding.count > 0) {
    if (line.http_1_0) return malformed("HTTP/1.0 has no Transfer-Encoding");
    if (seen.coding.count > 1 || !equal_ascii_nocase(seen.coding.value, "chunked")) {
      return error(errc::unsupported_transfer_encoding,
                   "the Transfer-Encoding is not exactly one chunked");
    }
    if (seen.length.count > 0) {
      return malformed("there are both Transfer-Encoding and Content-Length");
    }
    body.chunked = true;
  } else {
    const result<std::uint64_t> length = check_length(seen.length, line);
    if (!length) return length.error();
    body.content_length = *length;
  }
  if (seen.expect.count > 0 && !line.http_1_0) {
    if (seen.expect.count > 1 || !equal_ascii_nocase(seen.expect.value, "100-continue")) {
      return error(errc::expectation_failed, "only 100-continue can be expected");
    }
    body.expect_continue = true;
  }
  return body;
}

}  // namespace

bool equal_ascii_nocase(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trim_blank(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

head_end find_head_end(std::string_view bytes, std::size_t index) noexcept {
  using state = head_end::state;
  if (!bytes.empty() && !token_table[static_cast<unsigned char>(bytes[0])]) {
    return {state::malformed, 0, 0};  // no method starts so; TLS on a plain port, for one
  }
  while (true) {
    const std::size_t lf = bytes.find('\n', index);
    if (lf == std::string_view::npos) return {state::incomplete, 0, bytes.size()};
    if (lf == 0 || bytes[lf - 1] != '\r') return {state::malformed, 0, 0};
    if (lf >= 3 && bytes[lf - 2] == '\n') return {state::complete, lf + 1, 0};
    index = lf + 1;
  }
}

result<framing> check_head(std::string_view raw, const head_limits& limits) {
  if (raw.size() > limits.bytes) {
    return error(errc::headers_too_large, "the head is larger than the server accepts");
  }
  seen_fields seen;
  std::optional<request_line> first;
  std::size_t fields = 0;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = raw.find("\r\n", at);
    if (end == std::string_view::npos) return malformed("a line does not end in CRLF");
    const std::string_view line = raw.substr(at, end - at);
    at = end + 2;
    if (line.empty()) break;
    if (!first) {
      const result<request_line> read = check_request_line(line);
      if (!read) return read.error();
      first = *read;
    } else if (++fields > limits.fields) {
      return error(errc::headers_too_large, "there are more header fields than the server accepts");
    } else if (const result<void> read = check_field(line, seen); !read) {
      return read.error();
    }
  }
  if (!first) return malformed("there is no request line");
  if (const result<void> host = check_host(seen.host, first->http_1_0); !host) return host.error();
  return check_framing(seen, *first);
}

result<target_parts> split_target(std::string_view target) {
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
    target.remove_prefix(path);
    break;
  }
  if (!target.empty() && target[0] != '/' && target[0] != '?' && target != "*") {
    return malformed("the target is neither a path nor an http URL");
  }
  if (target.find('#') != std::string_view::npos) return malformed("the target has a fragment");
  const std::size_t mark = std::min(target.find('?'), target.size());
  return target_parts{target.substr(0, mark), target.substr(std::min(mark + 1, target.size()))};
}

head_end find_chunk_head_end(std::string_view bytes, bool first_chunk) noexcept {
  using state = head_end::state;
  constexpr head_end refused{state::malformed, 0, 0};
  const head_end incomplete{
      bytes.size() > max_chunk_head_bytes ? state::malformed : state::incomplete, 0, 0};
  std::size_t line = 0;
  if (!first_chunk) {
    if (!std::string_view("\r\n").starts_with(bytes.substr(0, 2))) return refused;
    line = 2;
  }
  const std::size_t size_at = line;
  std::size_t digit_end = size_at;
  while (digit_end < bytes.size() && is_hex_digit(bytes[digit_end])) ++digit_end;
  if (digit_end - size_at > max_chunk_size_digits) return refused;
  if (digit_end >= bytes.size()) return incomplete;
  // No blank before the extension either, though Beast would read over it.
  if (digit_end == size_at || (bytes[digit_end] != '\r' && bytes[digit_end] != ';')) {
    return refused;
  }
  const std::string_view digits = bytes.substr(size_at, digit_end - size_at);
  const bool last_chunk = digits.find_first_not_of('0') == std::string_view::npos;
  for (std::size_t at = digit_end; at < std::min(bytes.size(), max_chunk_head_bytes); ++at) {
    if (bytes[at] == '\n') {
      if (bytes[at - 1] != '\r') return refused;
      // The last chunk ends with an empty line, any other with its own.
      if (!last_chunk || at == line + 1) return {state::complete, at + 1, 0};
      line = at + 1;
    } else if (bytes[at - 1] == '\r' || (bytes[at] != '\r' && !is_line_byte(bytes[at]))) {
      return refused;  // a bare CR or another control character, also within quotes
    } else if (at == line && line > size_at && (bytes[at] == ' ' || bytes[at] == '\t')) {
      return refused;  // a folded trailer field, which Beast would unfold
    }
  }
  return incomplete;
}

}  // namespace freshet::server
