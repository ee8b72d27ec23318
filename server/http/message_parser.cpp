// The one place that parses HTTP, with Beast. Beast is given a whole head and whole lines between
// chunks, never a part of one, so that it sees nothing that framing.hpp has not seen before it.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>
#include <server/http/message_parser.hpp>
#include <utility>

namespace freshet::server {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using beast_parser = http::request_parser<http::string_body>;

/// Lines between chunks allowed for each byte of the body that has come: one-byte chunks cost 5, so
/// an honest sender stays below.
constexpr std::uint64_t max_chunk_head_ratio = 8;
constexpr std::uint64_t free_chunk_head_bytes = 4096;
/// Longer heads are read each time: a connection that is idle keeps its last one.
constexpr std::size_t max_last_bytes = 512;

std::string_view view(boost::beast::string_view text) noexcept {
  return {text.data(), text.size()};
}

/// A head has few fields, and of them hardly two of one length: to look at each is quicker than
/// Beast's tree of names.
bool is_named(const http::fields::value_type& field, std::string_view name) noexcept {
  const auto own = field.name_string();
  return own.size() == name.size() && equal_ascii_nocase(view(own), name);
}

error too_large(std::size_t most) {
  return error(errc::payload_too_large,
               "the body may have at most " + std::to_string(most) + " bytes");
}

/// Connection is a list, and may come more than once. In HTTP/1.0 Beast's keep_alive() lets
/// keep-alive win over close; here close wins (RFC 9112, 9.3).
bool keeps_alive(const beast_parser& parser) {
  const auto found = parser.get().equal_range(http::field::connection);
  for (auto at = found.first; at != found.second; ++at) {
    if (http::token_list(at->value()).exists("close")) return false;
  }
  return parser.keep_alive();
}

}  // namespace

struct request_head::parsed_head {
  http::request_header<> header;
  target_parts target;  // views into the header
  struct framing body;
};

std::string_view request_head::method() const noexcept {
  return view(parsed_->header.method_string());
}
std::string_view request_head::path() const noexcept { return parsed_->target.path; }
std::string_view request_head::query() const noexcept { return parsed_->target.query; }
int request_head::minor_version() const noexcept {
  return static_cast<int>(parsed_->header.version() % 10);
}
const struct framing& request_head::body() const noexcept { return parsed_->body; }

std::optional<std::string_view> request_head::field(std::string_view name) const noexcept {
  for (const auto& each : parsed_->header) {
    if (is_named(each, name)) return view(each.value());
  }
  return std::nullopt;
}

std::size_t request_head::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(parsed_->header.begin(), parsed_->header.end(),
                    [name](const auto& each) { return is_named(each, name); }));
}

std::vector<std::string_view> request_head::fields(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& each : parsed_->header) {
    if (is_named(each, name)) values.push_back(view(each.value()));
  }
  return values;
}

struct message_parser::state {
  /// Beast calls it with the size of each chunk.
  struct note_size {
    std::uint64_t left = 0;
    void operator()(std::uint64_t size, boost::beast::string_view, error_code&) { left = size; }
  };
  std::optional<beast_parser> parser;
  note_size chunk;  // `left`: of its data, how much is still to come
};

message_parser::message_parser(const reader_limits& limits)
    : limits_(limits), state_(std::make_unique<state>()) {}
message_parser::~message_parser() = default;

bool message_parser::done() const noexcept {
  if (is_again_) return body_.size() == head_.body().content_length;
  return state_->parser && state_->parser->is_done();
}

result<void> message_parser::read_head(std::string_view raw) {
  body_limit_ = limits_.body_bytes;
  chunk_head_bytes_ = 0;
  body_begun_ = false;
  is_again_ = !last_raw_.empty() && raw == last_raw_;
  if (is_again_) {
    head_ = last_;
    return {};
  }
  last_raw_.clear();
  last_ = {};
  if (auto read = read_new_head(raw); !read) return read;
  if (raw.size() > max_last_bytes || head_.body().chunked) return {};
  last_ = head_;
  last_raw_ = raw;
  return {};
}

result<void> message_parser::read_new_head(std::string_view raw) {
  result<framing> checked = check_head(raw, limits_.head);
  if (!checked) return checked.error();
  beast_parser& parser = state_->parser.emplace();
  // Beast takes a part of this size for one that is too long.
  parser.header_limit(static_cast<std::uint32_t>(limits_.head.bytes + 1));
  parser.body_limit(limits_.body_bytes);
  parser.on_chunk_header(state_->chunk);
  const result<std::size_t> taken = put(raw);
  if (!taken) return taken.error();
  // Two readers that differ on where the body ends are what all of this is about.
  if (*taken != raw.size() || !parser.is_header_done() || parser.chunked() != checked->chunked ||
      parser.content_length().value_or(0) != checked->content_length) {
    return error(errc::malformed_http, "the head can be read in two ways");
  }
  checked->keep_alive = keeps_alive(parser);
  const auto read = std::make_shared<request_head::parsed_head>();
  // Moved out before the body comes: Beast would add the fields of a trailer to it.
  read->header = std::move(parser.get().base());
  read->body = *checked;
  const result<target_parts> target = split_target(view(read->header.target()));
  if (!target) return target.error();
  read->target = *target;
  head_ = request_head(read);
  return {};
}

result<void> message_parser::limit_body(std::size_t bytes) {
  if (bytes >= body_limit_) return {};
  body_limit_ = bytes;
  if (head_.body().content_length > bytes) return too_large(bytes);
  if (!is_again_) state_->parser->body_limit(bytes);
  return {};
}

std::size_t message_parser::body_bytes() const noexcept {
  if (is_again_) return body_.size();
  return state_->parser ? state_->parser->get().body().size() : 0;
}

result<std::size_t> message_parser::read_body(std::string_view bytes) {
  if (is_again_) {
    const auto own = bytes.substr(0, head_.body().content_length - body_.size());
    body_ += own;
    body_begun_ = body_begun_ || !own.empty();
    return own.size();
  }
  const bool chunked = head_.body().chunked;
  std::size_t at = 0;
  while (!done() && at < bytes.size()) {
    const bool in_data = !chunked || state_->chunk.left > 0;
    const result<std::size_t> taken =
        in_data ? put(bytes.substr(at)) : read_chunk_head(bytes.substr(at));
    if (!taken) return taken.error();
    if (*taken == 0) break;
    if (chunked && in_data) state_->chunk.left -= *taken;
    body_begun_ = true;
    at += *taken;
  }
  return at;
}

result<std::size_t> message_parser::read_chunk_head(std::string_view bytes) {
  const head_end end = find_chunk_head_end(bytes, chunk_head_bytes_ == 0);
  if (end.what == head_end::state::incomplete) return std::size_t{0};
  if (end.what == head_end::state::malformed) {
    return error(errc::malformed_http, "the chunks are not well formed");
  }
  chunk_head_bytes_ += end.size;
  if (chunk_head_bytes_ > free_chunk_head_bytes + max_chunk_head_ratio * body_bytes()) {
    return error(errc::payload_too_large, "the chunks carry far more framing than data");
  }
  const result<std::size_t> taken = put(bytes.substr(0, end.size));
  if (taken && *taken != end.size) {
    return error(errc::malformed_http, "the chunks can be read in two ways");
  }
  return taken;
}

result<std::size_t> message_parser::put(std::string_view bytes) {
  error_code failed;
  const std::size_t taken =
      state_->parser->put(boost::asio::const_buffer(bytes.data(), bytes.size()), failed);
  if (!failed || failed == http::error::need_more) return taken;
  if (failed == http::error::body_limit) {
    return too_large(body_limit_);
  }
  return error(errc::malformed_http, failed.message());
}

http_request message_parser::take() {
  if (std::exchange(is_again_, false)) return {std::exchange(head_, {}), std::exchange(body_, {})};
  http_request taken{std::exchange(head_, {}), std::move(state_->parser->get().body())};
  state_->parser.reset();
  return taken;
}

}  // namespace freshet::server
