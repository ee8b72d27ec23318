// One request under way: what was asked, in which manner, and the way back to the client. It knows
// what an answer looks like in each revision; what is answered it does not.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <server/mcp/message.hpp>
#include <server/mcp/request_meta.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

/// A result that is the same for every client, as text in both manners: written once, and shared by
/// all answers.
struct prepared_result {
  std::string with_handshake, stateless;
};

/// How an answer came out, for transports that have a word for it.
struct verdict {
  enum class kind : std::uint8_t {
    done,            // a result, or an error of what was asked for
    refused,         // the request itself is not one that can be taken
    unknown_method,  // nothing has this name
  };
  kind what = kind::done;
  std::int64_t credits_used = 0;
  boost::json::value id = nullptr;  // of the request
};

/// Where the messages about one request go: a transport's. Called from any thread.
class response_sink {
 public:
  virtual ~response_sink() = default;
  /// A notification, or a request of ours, that belongs to the request.
  virtual void tell(std::string text) = 0;
  /// The answer. Nothing comes after it.
  virtual void answer(std::string text, verdict how) = 0;
  /// There will be no answer: the client has cancelled the request, or its session has ended.
  virtual void withdraw() = 0;
  /// Whether something may be told that can be left out: its reader keeps up.
  [[nodiscard]] virtual bool has_room() { return true; }
  /// Ends what carries this, where the client can come back for the rest.
  virtual void interrupt() {}
};

/// Immutable, so that threads share it.
struct request_context {
  message asked;
  request_meta how;
  std::shared_ptr<response_sink> to;

  /// How long clients may keep a result, and whether others may see it; revision 2026-07-28 says so
  /// with lists and resources.
  enum class keeping : std::uint8_t { unsaid, for_an_hour, not_at_all };

  void tell(std::string_view method, boost::json::object params) const;
  /// Tells how far the work is, if the client wants to know.
  void tell_progress(std::int64_t done, std::int64_t total) const;
  /// What the `count`-th source to answer has given (source_event::body), as progress, if the
  /// client wants to know and reads fast enough. Items beyond a bound are left to the answer.
  void tell_source(std::string_view event, std::int64_t count) const;
  /// A log message, if the client wants those of this level.
  void tell_log(std::string_view level, boost::json::value data) const;
  /// The result, with what the revision wants beside it.
  void finish(boost::json::object result, keeping how_long = keeping::unsaid,
              std::int64_t credits_used = 0) const;
  /// A result that was prepared.
  void finish_prepared(const prepared_result& result) const;
  void fail(rpc_error code, std::string_view detail, boost::json::value data = nullptr) const;
  /// The request cannot be taken as it is.
  void refuse(const protocol_refusal& why) const;
  void refuse_method() const;
};

/// Adds to a result what the revision wants in it; `_meta` goes in as it is given.
void complete_result(const request_meta& how, boost::json::object& result, boost::json::object meta,
                     request_context::keeping how_long);

/// Of what stays as it is while the server runs.
[[nodiscard]] prepared_result prepare_result(const boost::json::object& result);

/// Who we are.
[[nodiscard]] boost::json::object server_info();

}  // namespace freshet::server::mcp
