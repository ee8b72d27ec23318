// One connection: a small state machine of callbacks on the io thread. It reads a request, answers
// it or hands it to the engine, and only then looks at the next; while the engine works, or while a
// body comes in pieces, it keeps reading, to notice a client that goes away. It has no timer of its
// own: the listener sweeps.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <server/http/reply.hpp>
#include <server/http/request_reader.hpp>
#include <server/routes.hpp>
#include <server/wire/proxy_header.hpp>
#include <server/wire/wire.hpp>
#include <string>
#include <variant>

namespace freshet::server {

struct listener_core;

/// An answer on its way to a connection.
struct delivery {
  std::uint64_t to = 0, call = 0;
  std::variant<reply, response, dashboard_response> answer;
};

/// Used on one io thread at a time. That thread's core owns it until close(); pending handlers keep
/// it alive after that.
class connection : public std::enable_shared_from_this<connection> {
 public:
  using clock = std::chrono::steady_clock;

  connection(tcp_socket socket, std::shared_ptr<listener_core> core, std::uint64_t id);

  /// `guest`: there is no room for it; what it asks is answered 503, but for the server's health.
  void start(bool guest);
  /// Acts on a deadline that has passed.
  void sweep(clock::time_point now);
  [[nodiscard]] bool is_due(clock::time_point now) const noexcept { return now >= deadline_; }
  /// In a drain: closes if nothing is under way.
  void retire();
  /// What the engine answered to call number `call`; ignored if that one is over.
  void deliver(std::uint64_t call, response&& answered);
  /// What came of a dashboard request; likewise.
  void deliver(std::uint64_t call, dashboard_response&& made);
  /// The answer that was deferred; likewise.
  void deliver(std::uint64_t call, reply&& made);
  /// Ends some of the calls that wait for it, gives some of the answers to their connections, and
  /// comes back for the rest.
  static void deliver_waiting(const std::shared_ptr<listener_core>& core);
  /// Ends all calls that wait for that.
  static void end_waiting(listener_core& core);
  /// The drain's deadline has passed: ends a running call.
  void abandon();
  void close();
  /// It has to go for another, or takes its answer too slowly: what the kernel has of it goes, too.
  void dismiss();

 private:
  enum class phase : std::uint8_t {
    opening,   // a proxy's header, TLS
    idle,      // between requests, nothing read
    head,      // some bytes of a head
    crossing,  // a head, and on the way to the thread where it belongs
    body,      // a head, not all of its body
    calling,   // the engine works
    writing,
    streaming,  // the head is out, pieces of the body follow
    parting,    // all is said but TLS's own word for that
    lingering,  // all is said; reads until the client has closed, so that it sees the answer
    closed,
  };

  void open();
  void await_proxy_header();
  void on_proxy_bytes();
  void take_name(const ip_address& from);
  void begin_tls();
  void on_first_byte();
  void begin_requests();

  void read_more();
  void listen();
  void on_read(boost::system::error_code failed, std::size_t bytes);
  void on_end_of_input(boost::system::error_code why);
  void call_out();
  void advance();
  void go_on(request_reader::progress reached);
  [[nodiscard]] bool belongs_elsewhere() const noexcept;
  void set_out();
  void post_crossing();
  void cross();
  void arrive(const std::shared_ptr<listener_core>& core);
  void enter(phase next, clock::duration allowed);
  [[nodiscard]] clock::duration first_timeout() const;
  void send_continue();
  void heed(const request_head& head);
  void judge_key(const request_head& head);
  [[nodiscard]] bool judge();
  [[nodiscard]] bool hold_input();
  void handle();
  void refuse_by_head();
  void answer_in_turn(void (connection::*step)());
  void dispatch(router::outcome&& what);
  void submit(request&& what);
  template <class Answer>
  [[nodiscard]] std::function<void(Answer)> deliverer();
  static void deliver(const listener_core& core, delivery&& delivery);
  static void deliver_now(const listener_core& core, delivery&& delivery) noexcept;
  void refuse(const error& why);
  void stand(bool busy, bool streams = false);
  void begin_taking(std::size_t owned);
  [[nodiscard]] std::size_t on_taken(std::size_t bytes);
  [[nodiscard]] bool keeps_up(clock::time_point now);
  void send(reply&& what);
  void pack_in_turn();
  void pack(gzip_encoder& with);
  bool take_packed_lead();
  void stop_packing();
  [[nodiscard]] connection_facts facts_of_answer() const;
  void write_reply();
  using reply_buffers = std::array<boost::asio::const_buffer, 3>;
  [[nodiscard]] bool write_at_once(reply_buffers& from);
  void on_reply_written(std::size_t body_size);
  void on_written();
  void begin_stream();
  void on_stream_changed(std::uint64_t call);
  void owe_what_waits();
  void write_pieces(std::string bytes, bool is_last);
  void write_next_pieces();
  void send_heartbeat();
  void linger();
  void half_close();
  void log_answer(int status, std::int64_t credits, std::size_t bytes);

  wire wire_;
  std::shared_ptr<listener_core> core_;
  std::uint64_t id_;
  ip_address address_;
  std::string peer_;
  bool guest_ = false;
  std::string proxy_bytes_;  // of a proxy's header, until it is whole
  bool refused_ = false;     // by its head, whatever the body is
  bool waits_turn_ = false;  // it is not among those with a key, and asks for more than the health
  request_reader reader_;
  phase phase_ = phase::opening;
  clock::time_point deadline_;
  bool reading_ = false;
  bool end_of_input_ = false;
  bool awaits_failure_ = false;  // of the socket
  std::size_t lingered_bytes_ = 0;
  std::size_t held_ = 0;  // as the crowd knows it

  // The last head that was heeded, which mostly comes again, and what was found of it when.
  request_head heeded_;
  head_verdict verdict_;
  clock::time_point judged_;

  // The request under way.
  clock::time_point began_;
  request_facts facts_;
  std::string method_, path_;
  int minor_version_ = 1;
  bool keep_alive_ = true;
  std::uint64_t call_ = 0;  // counts the calls, so that a late answer finds no other request
  std::uint64_t ticket_ = 0;
  std::function<void()>
      on_client_gone_;  // tells a deferred answer's maker that the client has gone

  // The answer under way.
  reply reply_;
  std::string reply_head_;
  std::unique_ptr<gzip_encoder> packer_;  // of a large answer, while it is compressed
  bool is_finishing_ = false;             // a reply is out, and what follows it begins
  bool piece_under_way_ = false;
  std::size_t behind_ = 0;  // bytes that wait behind it, as the crowd knows them
  std::size_t streamed_bytes_ = 0;
  // How it is taken: bytes handed to the kernel, and acknowledged when the window began.
  std::uint64_t written_ = 0, acknowledged_ = 0;
  std::size_t taken_ = 0;
  bool owes_ = false;
};

}  // namespace freshet::server
