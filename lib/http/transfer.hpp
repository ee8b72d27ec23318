// One exchange on one reusable curl easy handle: what is set before it, what its callbacks collect
// and refuse, and what its outcome means. It does not drive itself; the engine does.
#pragma once

#include <curl/curl.h>

#include <base/fair_queue.hpp>
#include <base/url.hpp>
#include <http/address_guard.hpp>
#include <http/arriving_bytes.hpp>
#include <http/content_decoder.hpp>
#include <http/curl_engine.hpp>
#include <http/transport.hpp>
#include <optional>
#include <string>

namespace freshet::http {

/// Limits of one exchange, beside those in message.hpp.
inline constexpr std::size_t max_header_bytes = 64u << 10;
inline constexpr std::size_t max_header_lines = 512;
inline constexpr std::chrono::milliseconds connect_timeout{10'000};
/// What a body may take on its way, framing and codings included, for what it is in the end: four
/// times as much, and this beside. Whoever packs nothing into much is not read to the deadline.
inline constexpr std::size_t wire_times_body = 4, wire_beside_body = 256u << 10;

struct transfer;
/// Those of whose bytes more waits to be unpacked, by whose they are.
using unpacking_queue = base::fair_queue<transfer*>;

/// An easy handle with its callbacks; used again and again, by one thread.
struct transfer {
  /// All must outlive it. What curl refuses is said by prepare().
  transfer(const engine_options& options, arriving_bytes& arriving, unpacking_queue& unpacking);
  transfer(const transfer&) = delete;
  transfer& operator=(const transfer&) = delete;
  ~transfer();

  /// Makes the handle ready. Error: what the request itself forbids, or overloaded.
  result<void> prepare(request request, transport::deadline until, transport::deadline now);
  /// Curl has refused what only a lack of memory makes it refuse: not to be used again.
  [[nodiscard]] bool is_spoilt() const { return spoilt_; }
  /// Unpacks the next piece of what has come, after which the transfer stands in the queue again if
  /// there is more; else curl is told to go on. What ended the exchange, if anything did.
  [[nodiscard]] std::optional<CURLcode> go_on(transport::deadline now);
  /// What curl has ended, unless something of it waits to be unpacked: then go_on() will tell.
  [[nodiscard]] bool has_ended(CURLcode code) noexcept;
  /// What a finished exchange means.
  [[nodiscard]] result<response> outcome(CURLcode code, transport::deadline now, time_point wall);
  /// Forgets the exchange and gives its handler back.
  [[nodiscard]] transport::handler release();

  CURL* easy = nullptr;
  std::uint64_t ticket = 0;
  transport::handler done;

 private:
  static int begin_lookup(void* state, void* reserved, void* self);
  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int check_connection(void* self, char* peer, char* local, int peer_port, int local_port);
  /// Runs what a callback of curl does: an exception must not go through curl.
  template <class Work, class Refusal>
  static Refusal safely(transfer& me, Refusal refusal, const Work& work) noexcept;
  static std::size_t take_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t take_body(char* data, std::size_t size, std::size_t count, void* self);
  static int count_wire(CURL* handle, curl_infotype type, char* data, std::size_t size, void* self);
  static int judge_wire(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
  [[nodiscard]] bool take_codings(std::string_view names, bool are_ours);
  [[nodiscard]] std::size_t take_packed(std::string_view packed);
  [[nodiscard]] bool unpack();
  [[nodiscard]] bool unpack_some();
  [[nodiscard]] bool take_piece(std::string_view piece);

  template <class Value>
  void set(CURLoption option, Value value);
  void set_constant_options();
  void append(curl_slist*& list, const std::string& line);
  void set_places(const base::url& url);
  result<void> set_headers();
  void set_method();
  void set_cookies();
  void take_cookies();
  void set_version();
  [[nodiscard]] bool is_unreached(CURLcode code, transport::deadline now) const;
  [[nodiscard]] error badly_packed() const;
  [[nodiscard]] error failure(CURLcode code, transport::deadline now) const;

  const address_guards& guards_;
  const address_guard* guard_ = &guards_.all;  ///< that of the request under way
  arriving_bytes& arriving_;
  std::size_t held_bytes_ = 0;   ///< of arriving_
  std::optional<errc> no_room_;  ///< arriving_ had none
  bool has_user_agent_ = false, asks_for_part_ = false;
  request asked_;
  transport::deadline by_, started_;
  transport::deadline knocked_;  ///< when a connection was first tried; {}: none was
  response answer_;
  std::string host_;
  std::size_t header_bytes_ = 0, header_lines_ = 0;
  std::size_t wire_bytes_ = 0;  ///< of the body, before anything is undone
  int codings_ = 0;             ///< that have to be undone
  content_decoder decoder_;
  std::string packed_;  ///< what decoder_ reads; "": nothing waits
  unpacking_queue& unpacking_;
  bool is_queued_ = false, is_paused_ = false;  ///< in unpacking_; curl, until packed_ is read
  bool has_come_ = false;                       ///< all of it, while something waits
  std::chrono::nanoseconds decoding_{};         ///< what that took of the engine's thread
  bool forbidden_ = false;                      ///< the guard refused an address
  bool body_too_long_ = false;
  bool headers_too_long_ = false;
  bool too_many_codings_ = false;
  bool is_badly_packed_ = false;
  bool is_badly_framed_ = false;
  bool out_of_memory_ = false;
  bool spoilt_ = false;
  const std::string& user_agent_;
  const decltype(engine_options::used_processor)& used_processor_;
  const decltype(engine_options::unreached)& unreached_;
  curl_slist* lines_ = nullptr;
  curl_slist* places_ = nullptr;  ///< of the host, for curl
};

}  // namespace freshet::http
