// Row by row: every number follows from the one before, and every wish is there as often as it may
// be.
#include <account/rules/chain.hpp>
#include <set>
#include <simulation/reference.hpp>

namespace freshet::simulation {
namespace {

struct book {
  std::int64_t balance = 0, monthly_left = 0, number = 0, granted = 0, charged = 0, expired = 0;
  base::sha256_digest hash{};
  std::set<std::string> months;
};

class judgement {
 public:
  explicit judgement(const evidence& of) : of_(of) {
    for (const std::int64_t id : of.accounts) books_["account:" + std::to_string(id)];
  }

  std::string run() {
    for (const ledger_row& row : of_.ledger) {
      if (auto fault = look_at(row); !fault.empty())
        return fault + ", row " + std::to_string(row.seq);
    }
    for (const auto& [name, one] : of_.wishes) {
      const bool is_there = seen_.contains(name);
      if (one.told == wish::outcome::done && !is_there)
        return name + " was told as done and is not in the book";
      if (one.told == wish::outcome::refused && is_there)
        return name + " was refused and is in the book";
    }
    for (std::size_t i = 0; i < of_.accounts.size(); ++i) {
      const book& one = books_["account:" + std::to_string(of_.accounts[i])];
      if (!of_.is_spent[i]) return "what is left cannot be spent";
      if (one.balance != 0) return "more is refused than there is not";
      if (one.charged + one.expired != one.granted) return "credits came from nowhere";
    }
    return {};
  }

 private:
  std::string look_at(const ledger_row& row) {
    const auto found = books_.find(row.book);
    if (found == books_.end()) return "a book of nobody";
    book& one = found->second;
    if (row.seq != ++seq_ || row.movement != row.seq) return "a gap in the ledger";
    if (row.number != ++one.number) return "a gap in a book";
    if (row.balance != one.balance + row.amount || row.balance < 0)
      return "a balance that is wrong";
    if (row.monthly_left < 0 || row.monthly_left > row.balance) return "a month that is wrong";
    if (auto fault = look_at_kind(one, row); !fault.empty()) return fault;
    one.balance = row.balance;
    one.monthly_left = row.monthly_left;
    account::chain_row hashed;
    hashed.kind = row.kind;
    hashed.reason = row.reason;
    hashed.endpoint = row.endpoint;
    hashed.request_id = row.request_id;
    hashed.sources = row.sources;
    hashed.refund_of = row.refund_of;
    hashed.period = row.period;
    hashed.key_id = row.key_id;
    hashed.at = time_point(std::chrono::milliseconds(row.at));
    hashed.seq = row.seq;
    hashed.number = row.number;
    hashed.movement = row.movement;
    hashed.book = row.book;
    hashed.amount = row.amount;
    hashed.balance = row.balance;
    hashed.monthly_left = row.monthly_left;
    one.hash = account::link(one.hash, hashed);
    return one.hash == base::as_digest(row.hash) ? "" : "a chain that is broken";
  }

  std::string look_at_kind(book& one, const ledger_row& row) {
    if (row.kind == "expiry") {
      one.expired -= row.amount;
      return row.amount < 0 && one.monthly_left + row.amount >= 0 ? "" : "an expiry that is wrong";
    }
    if (row.kind == "grant" && !row.period.empty()) {
      one.granted += row.amount;
      if (row.amount != of_.monthly) return "a grant that is wrong";
      return one.months.insert(row.period).second ? "" : "a month that was granted twice";
    }
    const bool is_grant = row.kind == "grant";
    const std::string& name = is_grant ? row.reason : row.request_id;
    const auto wanted = of_.wishes.find(name);
    if (wanted == of_.wishes.end() || wanted->second.is_grant != is_grant) return "nobody's wish";
    if (!seen_.insert(name).second) return "twice what was wished once";
    const wish& what = wanted->second;
    if (row.book != "account:" + std::to_string(of_.accounts[what.account]))
      return "whose it is not";
    if (row.amount != (is_grant ? what.credits : -what.credits)) return "a price that is wrong";
    (is_grant ? one.granted : one.charged) += what.credits;
    return {};
  }

  const evidence& of_;
  std::int64_t seq_ = 0;
  std::map<std::string, book> books_;
  std::set<std::string> seen_;
};

}  // namespace

std::string judge(const evidence& of) { return judgement(of).run(); }

}  // namespace freshet::simulation
