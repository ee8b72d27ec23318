// Refunds: an operator gives back what a call was charged. The credits come from the book that the
// call paid into and do not expire. The entry names the one that it refunds, inside the hash chain,
// and never more is given back than that one took, however many refunds there are.
#include <account/rules/refund.hpp>
#include <account/state.hpp>
#include <base/number.hpp>

namespace freshet::account {
namespace {

constexpr std::string_view entry_prefix = "led_";
constexpr int max_named_entries = 5;

/// The charge of a call, as the ledger has it.
struct call_charge {
  std::int64_t seq = 0, account_id = 0, credits = 0, key_id = 0;
  std::string endpoint, request_id;
};

/// The charged calls of that request id, or the one of that entry; a few at most.
result<std::vector<call_charge>> find_charges(database& on, std::string_view call) {
  constexpr std::string_view columns =
      "SELECT seq, CAST(substr(book, 9) AS INTEGER), -amount, key_id, endpoint, request_id "
      "FROM ledger WHERE kind='usage' AND amount<0 AND ";
  std::int64_t seq = 0;
  const bool is_entry = call.starts_with(entry_prefix);
  if (is_entry) {
    call.remove_prefix(entry_prefix.size());
    const auto number = base::parse_number<std::int64_t>(call);
    if (!number) return std::vector<call_charge>();
    seq = *number;
  }
  const std::string sql =
      std::string(columns) + (is_entry ? "seq=?" : "request_id=?") + " ORDER BY seq LIMIT ?";
  statement query(on, "query", sql);
  (is_entry ? query.bind(seq) : query.bind(call)).bind(max_named_entries + 1);
  std::vector<call_charge> found;
  sqlite_code code = query.step();
  for (; code == sqlite_row; code = query.step())
    found.push_back({query.integer(0), query.integer(1), query.integer(2), query.integer(3),
                     std::string(query.text(4)), std::string(query.text(5))});
  if (code != sqlite_done) return on.last_error("reading the ledger");
  return found;
}

error several(const std::vector<call_charge>& calls) {
  std::string names;
  for (std::size_t i = 0; i < calls.size() && i < max_named_entries; ++i)
    names += (i == 0 ? "" : ", ") + entry_name(calls[i].seq);
  if (calls.size() > max_named_entries) names += " and more";
  return error(errc::invalid_request, "several calls had this request id: give one of " + names);
}

/// Of a request id that its caller chose there may be several.
result<call_charge> find_charge(const accounts_state& in, std::string_view call) {
  result<std::vector<call_charge>> found = std::vector<call_charge>();
  if (in.in_memory) {
    const std::lock_guard guard(in.writer.mutex);
    found = find_charges(in.writer, call);
  } else {
    // A connection of its own: no index leads to a request id, and nobody waits behind this.
    database reader;
    if (auto done = reader.open(in.options.database_path, database_use::read); !done)
      return done.error();
    found = find_charges(reader, call);
  }
  if (!found) return found.error();
  if (found->empty())
    return error(errc::not_found, "no charged call has this request id or ledger entry");
  if (found->size() > 1) return several(*found);
  return std::move(found->front());
}

/// What refunds have given back of an entry so far, those in the running transaction included.
sqlite_code read_refunded(database& on, std::string_view book, std::string_view entry,
                          std::int64_t& into) {
  statement query(on, "refund",
                  "SELECT ifnull(sum(amount), 0) FROM ledger "
                  "WHERE book=? AND sources=? AND kind='refund' AND amount>0");
  const sqlite_code code = query.bind(book).bind(entry).step();
  if (code == sqlite_row) into = query.integer(0);
  return code == sqlite_row ? sqlite_ok : code;
}

error too_much(std::int64_t left) {
  if (left == 0) return error(errc::invalid_request, "the call was refunded in full before");
  return error(errc::invalid_request,
               "of the call's charge " + std::to_string(left) + " can be refunded at most");
}

}  // namespace

std::string entry_name(std::int64_t seq) { return std::string(entry_prefix) + std::to_string(seq); }

result<refund_done> accounts::refund(std::string_view call, std::optional<credits> amount,
                                     std::string_view reason) {
  accounts_state& state = *state_;
  if (amount && amount->value <= 0)
    return error(errc::invalid_request, "a refund is of 1 credit at least");
  if (auto fine = check_reason(reason); !fine) return fine.error();
  if (state.on_ledger_thread())
    return error(errc::internal, "the ledger thread was asked to wait for itself");
  const auto of = find_charge(state, call);
  if (!of) return of.error();
  const std::string book = account_book_name(of->account_id), entry = entry_name(of->seq);
  const movement_note note{.kind = "refund",
                           .reason = reason,
                           .endpoint = of->endpoint,
                           .request_id = of->request_id,
                           .sources = entry,
                           .key_id = of->key_id,
                           .at = state.now()};
  const auto wanted = amount ? std::optional(amount->value) : std::nullopt;
  refund_share share;
  const auto write = [&](batch& in) {
    std::int64_t refunded = 0;
    const sqlite_code code = read_refunded(state.writer, book, entry, refunded);
    if (code != sqlite_ok) return code;
    account_book& changed = in.book_of(of->account_id).book;
    share = refund_share_of(of->credits, refunded, wanted, changed);
    if (share.given == 0) return sqlite_ok;
    return state.ledger->append(of->account_id, {share.given, changed.monthly_left}, note, changed);
  };
  refund_done done;
  done.entry = entry;
  done.request_id = of->request_id;
  const auto commit = [&] {
    const account_entry& account = state.accounts_by_id.at(of->account_id);
    done.account = account.record;
    done.after = state.balance_of(account);
  };
  if (auto ran = state.run(write, commit); !ran) return ran.error();
  if (share.too_large) return error(errc::invalid_request, "the balance would be too large");
  if (share.given == 0) return too_much(share.left);
  done.refunded = {share.given};
  done.left = {share.left - share.given};
  return done;
}

}  // namespace freshet::account
