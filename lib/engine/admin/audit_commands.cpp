// The audit log as operators read it: with people's addresses in place of their accounts' numbers,
// as long as there are such accounts. What is looked for is looked for in what they read, so it is
// found here and not by the store, which knows the numbers alone.
#include <algorithm>
#include <base/unicode.hpp>
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

void append_entry(std::string& out, const account::audit_entry& entry) {
  model::object_writer object(out);
  object.exact("id", "aud_" + std::to_string(entry.id));
  object.time("at", entry.at);
  object.exact("actor", entry.actor);
  object.exact("action", entry.action);
  object.exact("subject", entry.subject);
  object.exact("detail", entry.detail);
  object.exact("address", entry.address);
  object.close();
}

/// Which entries are wanted.
struct audit_filter {
  std::string account;             ///< who did it or to whom it was done, "acc_…"; "" for all
  std::vector<std::string> words;  ///< folded; each stands somewhere in the entry

  [[nodiscard]] bool is_open() const { return account.empty() && words.empty(); }
  /// Of an entry as it is stored.
  [[nodiscard]] bool is_about(const account::audit_entry& stored) const {
    return account.empty() || stored.actor.ends_with(account) || stored.subject == account;
  }
  /// Of an entry as it is shown.
  [[nodiscard]] bool has_words(const account::audit_entry& shown) const {
    if (words.empty()) return true;
    const auto text = base::fold(shown.actor + " " + shown.action + " " + shown.subject + " " +
                                 shown.detail + " " + shown.address);
    return std::ranges::all_of(
        words, [&](const auto& word) { return text.find(word) != std::string::npos; });
  }
};

result<audit_filter> filter_of(const admin_call& call) {
  audit_filter filter;
  if (!call.text("email").empty()) {
    const auto account = call.account();
    if (!account) return account.error();
    filter.account = account->public_id;
  }
  const auto folded = base::collapse_spaces(base::fold(call.text("q")));
  for (std::size_t begin = 0; begin < folded.size();) {
    const auto end = std::min(folded.find(' ', begin), folded.size());
    filter.words.push_back(folded.substr(begin, end - begin));
    begin = end + 1;
  }
  return filter;
}

/// Entries that are looked at for one page: some tenths of a second. A page that found less than
/// it may hold by then goes on behind the last of them.
constexpr std::size_t most_looked_at = 20'000;

struct audit_list {
  std::vector<account::audit_entry> entries;
  std::int64_t next = 0;  ///< behind which the list goes on; 0 at its end
};

result<audit_list> read_list(const account::users& users, const admin_page& page,
                             const audit_filter& filter) {
  audit_list list;
  known_addresses known(users);
  constexpr int most_at_once = 500;
  const int at_once = filter.is_open() ? std::min(page.read_limit(), most_at_once) : most_at_once;
  std::int64_t before = page.before;
  for (std::size_t looked_at = 0; looked_at < most_looked_at;) {
    auto read = users.audit(before, at_once);
    if (!read) return read.error();
    for (auto& entry : *read) {
      if (list.entries.size() == page.limit) {
        list.next = before;
        return list;
      }
      before = entry.id;
      if (!filter.is_about(entry)) continue;
      entry.actor = known.shown_name(entry.actor);
      entry.subject = known.shown_name(entry.subject);
      if (filter.has_words(entry)) list.entries.push_back(std::move(entry));
    }
    if (read->size() < static_cast<std::size_t>(at_once)) return list;
    looked_at += read->size();
  }
  list.next = before;
  return list;
}

}  // namespace

admin_result list_audit(const admin_call& call) {
  const auto page = page_of(call);
  if (!page) return page.error();
  const auto filter = filter_of(call);
  if (!filter) return filter.error();
  const auto list = read_list(*call.core.users, *page, *filter);
  if (!list) return list.error();
  const auto next = list->next == 0 ? std::string() : std::to_string(list->next);
  std::string out;
  model::object_writer object(out);
  if (object.begin("entries"))
    append_list(out, list->entries,
                [](std::string& text, const auto& entry) { append_entry(text, entry); });
  object.text("next_cursor", next);
  object.close();
  return out;
}

}  // namespace freshet::detail::admin
