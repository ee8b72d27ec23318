// Refunds: an operator gives back what a call was charged. The credits come from the book that the
// call paid into and do not expire. The entry names the one that it refunds, inside the hash chain,
// and never more is given back than that one took, however many refunds there are.
#include <account/owners.hpp>

namespace freshet::account {
namespace {

constexpr int max_named_entries = 5;

error several(const std::vector<call_charge>& calls) {
  std::string names;
  for (std::size_t i = 0; i < calls.size() && i < max_named_entries; ++i)
    names += (i == 0 ? "" : ", ") + entry_name(calls[i].seq);
  if (calls.size() > max_named_entries) names += " and more";
  return error(errc::invalid_request, "several calls had this request id: give one of " + names);
}

/// Of a request id that its caller chose there may be several.
result<call_charge> find_charge(account_store& books, std::string_view call) {
  const error unknown(errc::not_found, "no charged call has this request id or ledger entry");
  const auto entry = entry_number(call);
  if (is_entry_name(call) && !entry) return unknown;
  auto found = books.find_charges({entry, call, max_named_entries + 1});
  if (!found) return found.error();
  if (found->empty()) return unknown;
  if (found->size() > 1) return several(*found);
  return std::move(found->front());
}

error too_much(std::int64_t left) {
  if (left == 0) return error(errc::invalid_request, "the call was refunded in full before");
  return error(errc::invalid_request,
               "of the call's charge " + std::to_string(left) + " can be refunded at most");
}

}  // namespace

result<std::string> accounts::charge_of(std::int64_t account_id,
                                        std::string_view request_id) const {
  const auto found = owners_->books->find_charges(
      {.request_id = request_id, .book = account_book_name(account_id)});
  if (!found) return found.error();
  return found->empty() ? std::string() : entry_name(found->front().seq);
}

result<refund_outcome> accounts::refund(std::string_view call, std::optional<credits> amount,
                                        std::string_view reason) {
  owners& in = *owners_;
  if (amount && amount->value <= 0)
    return error(errc::invalid_request, "a refund is of 1 credit at least");
  if (auto fine = check_reason(reason); !fine) return fine.error();
  if (in.queue.is_own_thread()) return waits_for_itself();
  const auto charged = find_charge(*in.books, call);
  if (!charged) return charged.error();
  const auto kept = in.residents.admit(charged->account_id);
  if (!kept) return kept.error();
  const std::string entry = entry_name(charged->seq);
  const movement_note note{.kind = "refund",
                           .reason = reason,
                           .endpoint = charged->endpoint,
                           .request_id = charged->request_id,
                           .refund_of = entry,
                           .key_id = charged->key_id,
                           .at = in.now()};
  const auto wanted = amount ? std::optional(amount->value) : std::nullopt;
  refund_share share;
  const auto write = [&](transaction& running) {
    share = in.balances.refund(running, *charged, wanted, note);
  };
  refund_outcome done;
  done.entry = entry;
  done.request_id = charged->request_id;
  const auto commit = [&] {
    done.account = *in.directory.find(charged->account_id);
    done.after = in.balances.balance_of(charged->account_id);
  };
  if (auto ran = in.queue.run(write, commit); !ran) return ran.error();
  if (share.too_large) return error(errc::invalid_request, "the balance would be too large");
  if (share.given == 0) return too_much(share.left);
  done.refunded = {share.given};
  done.left = {share.left - share.given};
  return done;
}

}  // namespace freshet::account
