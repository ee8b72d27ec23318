// The audit log as operators read it: with people's addresses in place of their accounts' numbers,
// as long as there are such accounts.
#include <engine/admin/admin_command.hpp>
#include <engine/admin/admin_page.hpp>
#include <map>

namespace freshet::detail::admin {
namespace {

/// The addresses of accounts, each looked up once for a page.
class known_addresses {
 public:
  explicit known_addresses(const account::users& users) : users_(users) {}

  /// "operator:acc_1" as "operator:me@example.org".
  [[nodiscard]] std::string shown_name(const std::string& name) {
    const auto start = name.find("acc_");
    if (start == std::string::npos) return name;
    const auto id = name.substr(start);
    const auto [found, is_new] = known_.try_emplace(id);
    if (is_new) found->second = users_.email_of(id);
    return name.substr(0, start) + (found->second.empty() ? id : found->second);
  }

 private:
  const account::users& users_;
  std::map<std::string, std::string, std::less<>> known_;
};

void append_entry(std::string& out, const account::audit_entry& entry, known_addresses& known) {
  model::object_writer object(out);
  object.exact("id", "aud_" + std::to_string(entry.id));
  object.time("at", entry.at);
  object.exact("actor", known.shown_name(entry.actor));
  object.exact("action", entry.action);
  object.exact("subject", known.shown_name(entry.subject));
  object.exact("detail", entry.detail);
  object.exact("address", entry.address);
  object.close();
}

}  // namespace

admin_result list_audit(const admin_call& call) {
  const auto page = page_of(call);
  if (!page) return page.error();
  auto entries = call.core.users->audit(page->before, page->read_limit());
  if (!entries) return entries.error();
  const auto next = cut_list(*entries, page->limit, [](const account::audit_entry& last) {
    return std::to_string(last.id);
  });
  known_addresses known(*call.core.users);
  std::string out;
  model::object_writer object(out);
  if (object.begin("entries"))
    append_list(out, *entries,
                [&](std::string& text, const auto& entry) { append_entry(text, entry, known); });
  object.text("next_cursor", next.value_or(""));
  object.close();
  return out;
}

}  // namespace freshet::detail::admin
