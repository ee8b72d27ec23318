// The engine: everything Freshet does, in process. One engine serves any number of threads.
//
//   auto engine = freshet::engine::open({});
//   auto page = (*engine)->microblog().search({.q = "\"tide gauge\"", .since = "7d"});
//   for (const auto& post : page->data) use(post.text);
#pragma once

#include <cstdint>
#include <freshet/admin.hpp>
#include <freshet/client.hpp>
#include <freshet/config.hpp>
#include <freshet/dashboard.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// How an engine is opened.
struct engine_options {
  freshet::config config = {};  ///< its settings; all have defaults
  /// Whether to open the accounts under storage.data_dir. Without them only callers in process are
  /// served, unmetered.
  bool with_accounts = false;
  log_sink log = {};  ///< null: silence. Called from any thread.
  /// Whether to fill the archives that the configuration switches on, as long as the engine lives,
  /// or only to read what is there.
  bool collect = true;
  /// Told why, once, when nobody can say any more what is on the disk: a failed sync, a damaged
  /// file. The accounts refuse to be written from then on; a process that serves others should end
  /// at once and be started again, which recovers. Called on a thread of the engine, before the
  /// calls that wait are answered; it must neither block nor call the engine. Null: nobody is told.
  std::function<void(const error&)> storage_lost = {};
};

/// The engine in process. Thread-safe. Its destructor cancels what still runs and waits for it.
class engine final : public client {
 public:
  /// Errors: invalid_configuration, storage_unavailable.
  [[nodiscard]] static result<std::unique_ptr<engine>> open(engine_options options);
  ~engine() override;

  /// Starts a call; `done` is called exactly once, on a thread of the engine, and must not block.
  /// Returns a ticket for cancel(). Where no memory is left the answer is `overloaded`; only a call
  /// that cannot even begin throws std::bad_alloc, and its `done` is not called.
  std::uint64_t submit(request request, std::function<void(response)> done) override;
  /// Ends a running call early: it answers `cancelled`, and is not charged unless it has already
  /// been settled.
  void cancel(std::uint64_t ticket) override;

  /// GET /openapi.json, with examples that the sandbox answers; made at the first call. The
  /// reference lives as long as the engine.
  [[nodiscard]] const std::string& openapi() const;
  /// The endpoints as tools of an MCP server: the array of `tools/list`, with this engine's prices.
  [[nodiscard]] std::string tools() const;
  /// Whether the accounts can be read and written; true without accounts.
  [[nodiscard]] bool ready() const noexcept;
  /// Whether the process is far enough from its bound of memory to take connections
  /// (server.max_memory_bytes). Cheap.
  [[nodiscard]] bool has_room() const;
  /// What the engine does and has done, in the text format of Prometheus (0.0.4). Its labels are
  /// endpoints, codes and sources: nothing that callers send. Thread-safe; takes a millisecond.
  [[nodiscard]] std::string metrics() const;
  /// What a key may do.
  struct key_rights {
    bool read = false;       ///< the scope of the platforms' endpoints
    bool account = false;    ///< that of the account's
    std::int64_t owner = 0;  ///< the account's number; 0 without accounts
  };
  /// Checks a key without a call, for a door whose protocol has requests that are none. Does not
  /// wait. Errors: missing_api_key, invalid_api_key, revoked_api_key.
  [[nodiscard]] result<key_rights> check_key(std::string_view key) const;
  /// Whether check_key() would let a key in. This is no use of the key, so a door may ask it again
  /// and again of what it keeps open in the key's name.
  [[nodiscard]] bool is_key_good(std::string_view key) const;
  /// Whether there is a key that web pages of that origin may use. Does not wait.
  [[nodiscard]] bool knows_origin(std::string_view origin) const;
  /// The problem document for an error found outside a call (a door's own: 404, 405, 413…).
  [[nodiscard]] response problem(const error& problem, std::string_view request_id) const;

  /// An operator's command on the accounts, as the command line and the administration socket
  /// send it: one of admin_commands(), with JSON arguments; the answer is JSON. The caller is
  /// trusted, and stands in the audit log as "command line".
  /// Errors: those of the accounts; invalid_request, invalid_json (the arguments).
  [[nodiscard]] result<std::string> run_admin_command(std::string_view command,
                                                      std::string_view arguments);

  /// What a person does at a dashboard. `done` is called exactly once, on a thread of the engine,
  /// and must not block. An engine without accounts answers invalid_configuration.
  void submit_dashboard(freshet::dashboard_request request,
                        std::function<void(dashboard_response)> done);

  /// Calls `written`, on a thread of the engine, whenever calls of the account that is signed in by
  /// `session` are in account/requests/list: until it answers false, until the session has ended,
  /// or until what is returned goes, which may be before a callback has ended. `written` must not
  /// wait, nor call the engine. Errors: not_signed_in, overloaded (16 watch an account, or 1,024
  /// all), invalid_configuration (an engine without accounts or without a request log).
  [[nodiscard]] result<std::shared_ptr<const void>> watch_calls(const std::string& session,
                                                                std::function<bool()> written);

  /// What `freshet doctor` prints: one finding a line. Asks every source unless `offline`.
  struct finding {
    bool ok = true;       ///< false: `advice` says what to do
    std::string subject;  ///< "source bluesky"
    std::string detail;   ///< what was found
    std::string advice;   ///< what to do; "" if nothing
    bool warns = false;   ///< it works, but worse than it could: `advice` says what to do
    bool is_off = false;  ///< switched off, or not configured: nothing of it was looked at
  };
  /// Looks at configuration, storage, network, browser and sources; may take some seconds. Never
  /// fails: what is wrong is a finding.
  [[nodiscard]] std::vector<finding> run_doctor(bool offline);

  /// What `freshet doctor --sources --live` prints: asks each configured source a harmless question
  /// of each capability and holds its answers against the recorded ones. JSON: `checked_at`,
  /// `changed`, `failed`, and `checks`, each with `source`, `instance`, `endpoint`, `status` (`ok`,
  /// `changed`, `failed`, `not_asked`), `items`, `elapsed_ms` and `findings`, sentences. Sends some
  /// requests for each endpoint at the sources' own pace: takes minutes. Thread-safe.
  [[nodiscard]] std::string check_sources();

  struct state;

 private:
  explicit engine(std::unique_ptr<state> inside);
  std::unique_ptr<state> state_;
};

/// How a page becomes markdown.
struct markdown_options {
  std::string mode = "article";           ///< the main content, or "page": all that is visible
  std::string url = {};                   ///< of the page, to resolve its links; may be empty
  std::string content_type = {};          ///< the header's value; empty if unknown
  std::vector<std::string> include = {};  ///< CSS selectors: only what they match
  std::vector<std::string> exclude = {};  ///< CSS selectors: all but what they match
  std::string links = "inline";           ///< or "footnotes", "none"
  bool images = true;                     ///< whether pictures are kept
  std::string safety = "report";          ///< of what is marked; or "strip", "refuse"
};
/// A page to markdown, without network, account or engine: HTML, text, or a PDF where poppler's
/// programs are installed. Thread-safe. Errors: unsupported_content (not text), unsafe_content (of
/// `safety` "refuse"), invalid_request (an unknown mode, a bad selector). `warnings`, if given,
/// gets what the caller should know: that the main content was not found and this is the whole
/// page, that a limit cut the page. `explanation`, if given, gets what was chosen and why, a line
/// for each block of text.
[[nodiscard]] result<document> to_markdown(std::string_view html, const markdown_options& options,
                                           std::vector<std::string>* warnings = nullptr,
                                           std::string* explanation = nullptr);

/// An item as JSON: the bytes that stand in `data`. Thread-safe.
[[nodiscard]] std::string item_json(const item& what);
/// An error as a problem document, for a door that has no engine at hand. Thread-safe.
[[nodiscard]] response problem_document(const error& problem, std::string_view request_id);

/// What the command line shows for an endpoint, or for all when `path` is empty, in lines of at
/// most so many columns; what is to be copied stays whole.
[[nodiscard]] std::string endpoint_help(std::string_view path, std::size_t columns = 80);
/// Every source as a Markdown table, made from the catalogue and the descriptors: what it serves,
/// what it gives without settings, its settings, and which promises it keeps by itself.
[[nodiscard]] std::string sources_table();
/// Every endpoint: "microblog/search".
[[nodiscard]] std::vector<std::string> endpoint_paths();
/// The OpenAPI description without an engine: default prices, `base_url` as the server.
[[nodiscard]] std::string openapi_document(std::string_view base_url);
/// engine::tools() without an engine: default prices.
[[nodiscard]] std::string tools_document();

/// A fresh request id: "req_" and a ULID. Thread-safe.
[[nodiscard]] std::string make_request_id();
/// Whether a caller's X-Request-Id may be echoed.
[[nodiscard]] bool is_valid_request_id(std::string_view text) noexcept;

}  // namespace freshet
