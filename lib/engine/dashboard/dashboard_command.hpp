// One command of a person on its way: who gives it, from where, with which arguments. The commands
// are functions of it; what they need of the engine is in `dashboard_service::parts`.
#pragma once

#include <account/users.hpp>
#include <array>
#include <base/json.hpp>
#include <boost/json/object.hpp>
#include <engine/dashboard/dashboard_lane.hpp>
#include <engine/dashboard/dashboard_service.hpp>
#include <engine/dashboard/picture_service.hpp>
#include <functional>
#include <span>

namespace freshet::detail {

namespace json = boost::json;

/// What a command waits with. What takes long holds up only its like.
enum class lane : std::uint8_t {
  quick,      ///< a commit at most
  hashing,    ///< a password: tens of milliseconds and 19 MiB
  reporting,  ///< whole books: seconds, or minutes for their verification
  fetching,   ///< a picture, which may be drawn, or be another server's
};

struct dashboard_service::parts {
  explicit parts(detail::core& shared) : core(shared), pictures(shared) {}
  ~parts() { pictures.stop(); }
  detail::core& core;
  picture_service pictures;
  /// Last, so that they go first.
  std::array<std::unique_ptr<dashboard_lane>, 4> lanes;
};

/// What a command has made.
struct dashboard_answer {
  std::string body = "{}";  ///< a JSON object, unless it is of another type
  int status = 200;
  std::optional<std::string> session{};  ///< see dashboard_response::session
  std::string file_name{};
  std::string_view media_type{};  ///< of static storage; "": JSON
};

struct dashboard_command {
  dashboard_service::parts& parts;
  const freshet::dashboard_request& request;
  account::origin origin;
  std::optional<account::login> login;  ///< null: nobody is signed in
  json::object arguments;

  [[nodiscard]] account::users& users() const { return *parts.core.users; }
  [[nodiscard]] account::accounts& accounts() const { return *parts.core.accounts; }
  [[nodiscard]] const config& settings() const { return parts.core.settings; }
  /// A string of the arguments; "" if it is not there.
  [[nodiscard]] std::string text(std::string_view name) const {
    const auto* found = arguments.if_contains(name);
    return found == nullptr ? std::string() : base::text_of(*found);
  }
};

using dashboard_result = result<dashboard_answer>;
/// Takes what a command has made that waits for others: once, or it is dropped where no memory is.
using dashboard_taker = std::function<void(dashboard_result)>;

/// The second factor that came with a command, for as long as this lives.
class given_proof {
 public:
  explicit given_proof(const dashboard_command& with)
      : code_(with.text("code")), passkey_(with.text("passkey")) {}
  [[nodiscard]] account::factor_proof shown() const noexcept { return {code_, passkey_}; }

 private:
  std::string code_, passkey_;
};

/// A row of the table of commands.
struct dashboard_row {
  dashboard_action command;
  lane waits_in;
  std::span<const std::string_view> arguments;
  dashboard_result (*run)(dashboard_command&);  ///< null: it waits for others, and has `begin`
  void (*begin)(dashboard_command&, dashboard_taker) = nullptr;
};

// The families of commands.
[[nodiscard]] std::span<const dashboard_row> session_rows() noexcept;
[[nodiscard]] std::span<const dashboard_row> factor_rows() noexcept;
[[nodiscard]] std::span<const dashboard_row> member_rows() noexcept;
/// The rows of the administration's table that are at the dashboard.
[[nodiscard]] std::span<const dashboard_row> operator_rows() noexcept;

/// Whether the account that is signed in has to have a second factor for what it may do.
[[nodiscard]] bool needs_factor(const dashboard_command& command);
/// Appends a passkey as its owner sees it.
void append_passkey(std::string& out, const account::passkey_record& passkey);
/// `api/session`: the account that is signed in by `token`; null: nobody is.
[[nodiscard]] std::string session_body(const dashboard_command& command,
                                       const std::optional<account::account_record>& account,
                                       std::string_view token);
/// Appends a session as its owner sees it; `is_current` null: that is not said.
void append_session(std::string& out, const account::session_record& session,
                    std::optional<bool> is_current);

}  // namespace freshet::detail
