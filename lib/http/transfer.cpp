// The options of a transfer's curl handle, all in one place, and the callbacks that enforce our
// limits on what arrives: addresses on their bytes, headers on the wire, bodies after decoding.
#include <algorithm>
#include <array>
#include <base/clock.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <http/guarded_socket.hpp>
#include <http/header_syntax.hpp>
#include <http/name_layer.hpp>
#include <http/tls_options.hpp>
#include <http/transfer.hpp>
#include <memory>
#include <utility>

namespace freshet::http {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr milliseconds longest_exchange{300'000};  ///< whatever deadline was given
constexpr long low_speed_bytes_per_s = 64;
constexpr long low_speed_time_s = 30;
/// What a page of an honest host takes to decode is nobody's concern.
constexpr std::chrono::microseconds least_booked{500};
/// What curl reads at once: a thousand times as much may come out.
constexpr long read_bytes = 4 * 1024;
/// What comes out before others have their turn, in pieces of the second.
constexpr std::size_t turn_bytes = 64 * 1024, piece_bytes = 16 * 1024;
/// Codings that we or curl undo, asked for or not.
constexpr std::string_view codings[] = {"gzip", "x-gzip", "deflate", "br", "zstd"};

}  // namespace

transfer::transfer(const engine_options& options, arriving_bytes& arriving,
                   unpacking_queue& unpacking)
    : easy(curl_easy_init()),
      guards_(options.guards),
      arriving_(arriving),
      unpacking_(unpacking),
      user_agent_(options.user_agent),
      used_processor_(options.used_processor),
      unreached_(options.unreached) {
  set_constant_options();
  if (options.ca_file.empty()) return;
  set(CURLOPT_CAINFO, options.ca_file.c_str());
  set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
}

transfer::~transfer() {
  curl_easy_cleanup(easy);
  curl_slist_free_all(lines_);
  curl_slist_free_all(places_);
}

/// A handle without the right options must not connect: prepare() asks whether it has them.
template <class Value>
void transfer::set(CURLoption option, Value value) {
  spoilt_ = spoilt_ || easy == nullptr || curl_easy_setopt(easy, option, value) != CURLE_OK;
}

void transfer::set_constant_options() {
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PROXY, "");  // or http_proxy of the environment would be asked, unguarded
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_NOSIGNAL, 1L);
  set_tls([this](CURLoption option, auto value) { set(option, value); });
  set(CURLOPT_COOKIEFILE, "");  // no file, but who they are for is known
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_timeout.count()));
  set(CURLOPT_LOW_SPEED_LIMIT, low_speed_bytes_per_s);
  set(CURLOPT_LOW_SPEED_TIME, low_speed_time_s);
  set(CURLOPT_TCP_NODELAY, 1L);
  set(CURLOPT_BUFFERSIZE, read_bytes);
  // Names are looked up before. Curl would do so on a thread of its own, and wait for it.
  set(CURLOPT_RESOLVER_START_FUNCTION, &transfer::begin_lookup);
  set(CURLOPT_RESOLVER_START_DATA, this);
  set(CURLOPT_QUICK_EXIT, 1L);
  // What was looked up holds for a request until it has its connection, for which it may wait.
  set(CURLOPT_DNS_CACHE_TIMEOUT, static_cast<long>(longest_exchange.count() / 1'000));
  set(CURLOPT_OPENSOCKETFUNCTION, &transfer::open_socket);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_PREREQFUNCTION, &transfer::check_connection);
  set(CURLOPT_PREREQDATA, this);
  set(CURLOPT_HEADERFUNCTION, &transfer::take_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &transfer::take_body);
  set(CURLOPT_WRITEDATA, this);
  // The only place where curl shows a body with its framing; nothing is written.
  set(CURLOPT_VERBOSE, 1L);
  set(CURLOPT_DEBUGFUNCTION, &transfer::count_wire);
  set(CURLOPT_DEBUGDATA, this);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &transfer::judge_wire);
  set(CURLOPT_XFERINFODATA, this);
}

void transfer::append(curl_slist*& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list, line.c_str());
  spoilt_ = spoilt_ || longer == nullptr;
  if (longer != nullptr) list = longer;
}

/// Tells curl where the host is.
void transfer::set_places(const base::url& url) {
  curl_slist_free_all(std::exchange(places_, nullptr));
  if (!asked_.addresses.empty()) {
    const std::string_view usual = url.scheme == "https" ? "443" : "80";
    std::string line = "+" + url.host + ":";
    line += url.port.empty() ? usual : url.port;
    char before = ':';
    for (const std::string& each : asked_.addresses) line += std::exchange(before, ',') + each;
    append(places_, line);
  }
  set(CURLOPT_RESOLVE, places_);
}

result<void> transfer::set_headers() {
  curl_slist_free_all(std::exchange(lines_, nullptr));
  bool has_type = false;
  has_user_agent_ = asks_for_part_ = false;
  const auto add = [&](const std::string& line) { append(lines_, line); };
  for (const header& each : asked_.headers) {
    if (!is_header_name(each.name) || !is_header_value(each.value)) {
      return error(errc::source_error,
                   "a request header is malformed: " + base::repair_utf8(each.name).substr(0, 64));
    }
    if (is_framing_header(each.name)) continue;
    has_type |= base::equals_ignoring_ascii_case(each.name, "content-type");
    has_user_agent_ |= base::equals_ignoring_ascii_case(each.name, "user-agent");
    asks_for_part_ |= base::equals_ignoring_ascii_case(each.name, "range");
    // "Name;" is how curl is told to send a header without a value.
    add(each.value.empty() ? each.name + ";" : each.name + ": " + each.value);
  }
  if (asked_.chosen_by == target_choice::configuration && !asked_.traceparent.empty()) {
    add("traceparent: " + asked_.traceparent);
    if (!asked_.tracestate.empty()) add("tracestate: " + asked_.tracestate);
  }
  if (!has_type) add("Content-Type:");
  add("Accept-Encoding: " + std::string(decodable_codings));
  add("Expect:");  // curl would wait a second for a 100 that many servers never send
  set(CURLOPT_HTTPHEADER, lines_);
  return {};
}

/// Those of the chain; of an earlier exchange there are none any more.
void transfer::set_cookies() {
  set(CURLOPT_COOKIELIST, "ALL");  // to be left out
  for (const std::string& each : asked_.cookies) set(CURLOPT_COOKIELIST, each.c_str());
}

void transfer::take_cookies() {
  curl_slist* all = nullptr;
  curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &all);
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> owner(all, curl_slist_free_all);
  for (; all != nullptr; all = all->next) answer_.cookies.emplace_back(all->data);
}

void transfer::set_method() {
  set(CURLOPT_CUSTOMREQUEST, static_cast<char*>(nullptr));
  set(CURLOPT_HTTPGET, 1L);  // undoes what an earlier exchange has set
  if (asked_.method == "GET" && asked_.body.empty()) return;
  if (asked_.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
    return;
  }
  if (!asked_.body.empty() || asked_.method == "POST") {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, asked_.body.c_str());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(asked_.body.size()));
  }
  if (asked_.method != "POST") set(CURLOPT_CUSTOMREQUEST, asked_.method.c_str());
}

/// Curl reads frames that belong to no answer for as long as a host has more of them, and nothing
/// else meanwhile: neither another's answer nor a deadline. So only whom the configuration names
/// may speak HTTP/2.
void transfer::set_version() {
  const bool is_trusted = asked_.chosen_by == target_choice::configuration;
  set(CURLOPT_HTTP_VERSION,
      static_cast<long>(is_trusted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
}

result<void> transfer::prepare(request request, transport::deadline until,
                               transport::deadline now) {
  asked_ = std::move(request);
  guard_ = asked_.chosen_by == target_choice::configuration ? &guards_.chosen : &guards_.all;
  by_ = std::min(until, now + longest_exchange);
  started_ = now;
  knocked_ = {};
  answer_ = {};
  header_bytes_ = header_lines_ = wire_bytes_ = 0;
  codings_ = 0;
  decoder_.clear();
  packed_.clear();
  is_queued_ = is_paused_ = has_come_ = false;
  no_room_.reset();
  forbidden_ = body_too_long_ = headers_too_long_ = too_many_codings_ = false;
  is_badly_packed_ = is_badly_framed_ = out_of_memory_ = false;
  asked_.body_limit = std::min(asked_.body_limit, max_body_bytes);

  const std::optional<base::url> url = base::parse_url(asked_.url);
  if (!url || !url->is_http() || url->host.empty()) {
    host_.clear();
    return error(errc::target_forbidden, "not an http or https address");
  }
  host_ = url->host;
  if (until <= now) return error(errc::source_timeout, "no time was left to ask " + host_);
  if (!is_header_name(asked_.method)) {
    return error(errc::source_error, "the request's method is malformed");
  }
  if (result<void> added = set_headers(); !added) return added;
  set_method();
  set_cookies();
  set_places(*url);
  set_version();
  asked_.url = url->text();
  // The fragment is the browser's, never the server's.
  set(CURLOPT_URL, asked_.url.substr(0, asked_.url.find('#')).c_str());
  const char* agent = has_user_agent_ || user_agent_.empty() ? nullptr : user_agent_.c_str();
  set(CURLOPT_USERAGENT, agent);
  const auto left = std::max(milliseconds(1), duration_cast<milliseconds>(by_ - now));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
  if (spoilt_) return error(errc::overloaded);
  return {};
}

/// Only what is no name is left for curl to read.
int transfer::begin_lookup(void*, void*, void* self) {
  const auto& me = *static_cast<const transfer*>(self);
  return is_name(me.host_) ? 1 : 0;
}

curl_socket_t transfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& me = *static_cast<transfer*>(self);
  bool allowed = false;
  const curl_socket_t made = open_guarded_socket(*me.guard_, *address, me.host_, allowed);
  me.forbidden_ |= !allowed;
  // Not what the system has refused, and not the time in which curl waited for a free place.
  if (made != CURL_SOCKET_BAD && me.knocked_ == transport::deadline()) {
    me.knocked_ = std::chrono::steady_clock::now();
  }
  return made;
}

template <class Work, class Refusal>
Refusal transfer::safely(transfer& me, Refusal refusal, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    me.out_of_memory_ = true;
    return refusal;
  }
}

int transfer::check_connection(void* self, char* peer, char* local, int peer_port, int) {
  // A connection was judged when it was opened; this holds for one that is used again, perhaps by
  // a request that would not have been let to open it.
  auto& me = *static_cast<transfer*>(self);
  return safely(me, CURL_PREREQFUNC_ABORT, [&] {
    const auto port = static_cast<std::uint16_t>(peer_port);
    const auto& own = me.guards_.own_ports;
    const bool is_ours =
        me.guard_ == &me.guards_.all && std::ranges::find(own, port) != own.end() &&
        address_guard::is_own(peer, local) && !me.guard_->names(peer, port, me.host_);
    if (!is_ours && me.guard_->allows(std::string_view(peer), port, me.host_)) {
      return CURL_PREREQFUNC_OK;
    }
    me.forbidden_ = true;
    return CURL_PREREQFUNC_ABORT;
  });
}

std::size_t transfer::take_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& me = *static_cast<transfer*>(self);
  const std::size_t length = size * count;
  me.header_bytes_ += length;
  me.header_lines_ += 1;
  if (me.header_bytes_ > max_header_bytes || me.header_lines_ > max_header_lines) {
    me.headers_too_long_ = true;
    return 0;
  }
  const std::string_view line(data, length);
  if (line.starts_with("HTTP/")) {
    me.answer_.headers.clear();  // those before belong to a 1xx
    me.codings_ = 0;
    me.decoder_.clear();
    return length;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return length;
  const std::string_view name = line.substr(0, colon), value = base::trim(line.substr(colon + 1));
  const bool is_coded = base::equals_ignoring_ascii_case(name, "content-encoding");
  const bool is_sent_coded = base::equals_ignoring_ascii_case(name, "transfer-encoding");
  if ((is_coded || is_sent_coded) && !me.take_codings(value, is_coded)) {
    me.too_many_codings_ = true;
    return 0;
  }
  if (base::equals_ignoring_ascii_case(name, "content-length"))
    me.is_badly_framed_ |= !is_one_length(value, find_header(me.answer_.headers, name));
  if (me.is_badly_framed_) return 0;
  return safely(me, std::size_t{0}, [&] {
    me.answer_.headers.push_back({std::string(name), std::string(value)});
    return length;
  });
}

/// One upon the other, each makes a thousand bytes of one for the next, and no byte need come out
/// at the end to be counted: false beyond one.
bool transfer::take_codings(std::string_view names, bool are_ours) {
  while (!names.empty()) {
    const auto end = std::min(names.find(','), names.size());
    const auto name = base::trim(names.substr(0, end));
    const bool is_known = std::ranges::any_of(codings, [&](std::string_view each) {
      return base::equals_ignoring_ascii_case(name, each);
    });
    codings_ += is_known;
    // Nobody has asked for it, and curl undoes it whether or not it has an end.
    is_badly_framed_ |= is_known && !are_ours;
    // Behind the body nobody says how it was packed.
    if (are_ours && wire_bytes_ == 0) decoder_.begin(name);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return codings_ <= 1;
}

int transfer::count_wire(CURL*, curl_infotype type, char*, std::size_t size, void* self) {
  if (type == CURLINFO_DATA_IN) static_cast<transfer*>(self)->wire_bytes_ += size;
  return 0;
}

/// Whatever is not 0 ends the transfer.
int transfer::judge_wire(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& me = *static_cast<transfer*>(self);
  const std::size_t most = me.answer_.body.size() * wire_times_body + wire_beside_body;
  return me.wire_bytes_ > most ? 1 : 0;
}

std::size_t transfer::take_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& me = *static_cast<transfer*>(self);
  const std::string_view came(data, size * count);
  // Curl ends the transfer where fewer bytes are taken than given.
  return safely(me, std::size_t{0}, [&] {
    if (me.decoder_.is_coded()) return me.take_packed(came);
    return me.take_piece(came) ? came.size() : 0;
  });
}

/// Curl keeps what comes while the bytes before are read, and gives it again.
std::size_t transfer::take_packed(std::string_view packed) {
  if (!packed_.empty()) {
    is_paused_ = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  packed_ = packed;
  decoder_.feed(packed_);
  return unpack() ? packed.size() : 0;
}

/// A turn of it: false if the exchange has to end. Beyond that it waits for the next.
bool transfer::unpack() {
  const auto before = base::thread_processor_time();
  const bool goes_on = unpack_some();
  decoding_ += base::thread_processor_time() - before;
  if (!goes_on || packed_.empty()) return goes_on;
  unpacking_.push(asked_.owner, this);
  is_queued_ = true;
  return true;
}

bool transfer::unpack_some() {
  std::array<char, piece_bytes> room;
  // Over HTTP/2, which only those speak whom the configuration names, curl must not be paused: it
  // keeps a piece for each of a connection's answers, and what it says of them gets lost.
  const bool ends = asked_.chosen_by != target_choice::configuration;
  for (std::size_t made = 0; !ends || made < turn_bytes;) {
    const auto piece = decoder_.next(room);
    is_badly_packed_ = !piece;
    if (!piece) return false;
    if (piece->empty()) {
      packed_.clear();
      return true;
    }
    if (!take_piece(*piece)) return false;
    made += piece->size();
  }
  return true;
}

std::optional<CURLcode> transfer::go_on(transport::deadline now) {
  is_queued_ = false;
  if (now >= by_) return CURLE_OPERATION_TIMEDOUT;
  if (!safely(*this, false, [this] { return unpack(); })) return CURLE_WRITE_ERROR;
  if (!packed_.empty()) return std::nullopt;
  if (has_come_) return CURLE_OK;
  if (!std::exchange(is_paused_, false)) return std::nullopt;
  const CURLcode code = curl_easy_pause(easy, CURLPAUSE_CONT);  // may take a body, and pause again
  return code == CURLE_OK ? std::nullopt : std::optional(code);
}

bool transfer::has_ended(CURLcode code) noexcept {
  has_come_ = code == CURLE_OK && !packed_.empty();
  return !has_come_;
}

bool transfer::take_piece(std::string_view piece) {
  const std::size_t room = asked_.body_limit - answer_.body.size();
  const auto taken = piece.substr(0, room);
  errc code{};
  if (!arriving_.take(asked_.owner, taken.size(), code)) {
    no_room_ = code;
    return false;
  }
  held_bytes_ += taken.size();
  answer_.body += taken;
  if (asked_.on_body) asked_.on_body(taken);
  body_too_long_ = taken.size() < piece.size();
  return !body_too_long_;
}

transport::handler transfer::release() {
  if (std::exchange(is_queued_, false))
    unpacking_.remove(asked_.owner, [this](const transfer* each) { return each == this; });
  if (used_processor_ && decoding_ >= least_booked) used_processor_(asked_.owner, decoding_);
  decoding_ = {};
  arriving_.give_back(asked_.owner, std::exchange(held_bytes_, 0));
  asked_ = {};
  set_cookies();
  answer_ = {};  // an idle handle must not keep megabytes
  decoder_.clear();
  packed_.clear();
  return std::exchange(done, nullptr);
}

}  // namespace freshet::http
