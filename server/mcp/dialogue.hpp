// One client's side of the Model Context Protocol, without transport: messages in, messages out.
// It speaks the revisions with a handshake (2025-03-26 to 2025-11-25) and the one without
// (2026-07-28), told apart by what each request says of itself. Tools are calls of the engine;
// nothing here fetches.
#pragma once

#include <boost/json/array.hpp>
#include <freshet/client.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <server/mcp/message.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

/// What is offered to every client. Built once.
struct offers {
  boost::json::array tools;  ///< as `tools/list` has them
  std::string sources;       ///< the table of sources, markdown
  std::string description;   ///< the OpenAPI document
};
/// `tools`: engine::tools(). The document is read as it is asked for.
[[nodiscard]] offers make_offers(const std::string& tools, std::string sources,
                                 std::string description);

/// Thread-safe. Make it with make_shared: calls under way hold it. The client behind it must
/// outlive those calls: close() ends them.
class dialogue : public std::enable_shared_from_this<dialogue> {
 public:
  /// Takes a message for the client, without newline; called from any thread, one at a time.
  using sender = std::function<void(std::string_view)>;

  /// `key`: with which tools are called; "" in process.
  dialogue(std::shared_ptr<const offers> offered, client& behind, std::string key, sender send);

  /// A message of the client. Its answer is sent now, or when the call that it asks for is done.
  void receive(std::string_view text);
  /// Cancels what runs; nothing is sent after it.
  void close();

 private:
  /// What a request says of the revision that it follows.
  struct manner {
    bool stateless = false;  ///< 2026-07-28: no handshake, and results say what they are
    boost::json::value progress_token;
    std::string log_level;  ///< "" for no log messages
  };

  void answer(const message& asked);
  void notice(const message& told);
  [[nodiscard]] bool read_manner(const message& asked, manner& out);
  void initialize(const message& asked);
  void discover(const message& asked, const manner& how);
  void set_level(const message& asked);
  void complete(const message& asked, const manner& how);
  void get_prompt(const message& asked, const manner& how);
  void read_resource(const message& asked, const manner& how);
  void call_tool(const message& asked, const manner& how);
  void tell_tool_result(const message& asked, const manner& how, const response& answered,
                        bool untrusted);
  void tell_resource(const message& asked, const manner& how, const std::string& uri,
                     const response& answered);
  void start(const message& asked, request what, std::function<void(const response&)> then);
  void report_warnings(const manner& how, const boost::json::value& envelope);

  void send_result(const message& asked, const manner& how, boost::json::object result,
                   bool is_list = false);
  void send_error(const message& asked, rpc_error code, std::string_view detail,
                  boost::json::value data = nullptr);
  void send(std::string_view text);
  [[nodiscard]] const boost::json::object* find_tool(std::string_view name) const;

  std::shared_ptr<const offers> offered_;
  client& behind_;
  std::string key_;
  sender send_;

  std::mutex mutex_;  // guards the rest
  bool closed_ = false;
  bool initialized_ = false;
  std::string log_level_ = "warning";
  std::map<std::string, std::uint64_t> running_;  // the call of each request, by its id as JSON
  std::mutex sending_;
};

}  // namespace freshet::server::mcp
