// What a person does at a dashboard, as a command with JSON in and out: signing up and in, one's
// sessions, an operator's work. Sessions, CSRF tokens, who may do what and the audit log are the
// engine's, so that no door can forget them; cookies and headers are the door's.
#pragma once

#include <cstdint>
#include <freshet/response.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace freshet {

/// One command. A value.
struct dashboard_request {
  std::string command;         ///< "sign-in", "operator/credits.grant": see dashboard_commands()
  std::string arguments = {};  ///< one JSON object; empty means {}
  std::string session = {};    ///< the token of the caller's session; empty: none
  /// What the page says that belongs to the session: needed, with a session, by every command
  /// that is guarded.
  std::string csrf_token = {};
  std::string address = {};     ///< of the caller, for limits and the audit log
  std::string user_agent = {};  ///< shown to the owner in the list of sessions
  std::string request_id = {};  ///< empty: one is made
  /// Whether the caller sits at the machine that the program runs on, so far as the door can tell.
  bool at_this_machine = false;
};

/// What came of it. `answer` is a JSON object or a problem document; it costs no credit.
struct dashboard_response {
  response answer;  ///< with its status as over HTTP
  /// The token that stands for the caller from now on: null as before, "" none any more. Only the
  /// caller may ever see it.
  std::optional<std::string> session;
  std::string file_name;  ///< the answer is meant to be saved under this name; "": it is not
};

/// Who may give a command.
enum class required_role : std::uint8_t {
  anybody,    ///< without a session, too
  signed_in,  ///< with a session
  operators,  ///< with the session of an operator's account
};

/// One known command. Static storage.
struct dashboard_action {
  std::string_view name;  ///< "sign-in"
  required_role who;      ///< who may give it
  /// Whether it needs the session's CSRF token and goes by POST: all but those that only read what
  /// is the caller's own.
  bool guarded;
};

/// Every command. Thread-safe.
[[nodiscard]] std::span<const dashboard_action> dashboard_commands() noexcept;

}  // namespace freshet
