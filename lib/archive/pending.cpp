// Positions and keys, items as what is stored of them, and a batch summed up.
#include <algorithm>
#include <archive/index_text.hpp>
#include <archive/pending.hpp>
#include <base/digest.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <cstring>
#include <model/json.hpp>

namespace freshet::archive {
namespace {

constexpr std::int64_t max_time_ms = (std::int64_t{1} << (62 - tie_bits)) - 1;

/// What is dated further ahead would stand before all that is new for longer than most is kept.
constexpr std::chrono::hours most_kept_ahead{24 * 7};

bool says_nothing(const base::json::value& value) {
  if (value.is_null()) return true;
  if (const auto* list = value.if_array()) return list->empty();
  const auto* object = value.if_object();
  if (object == nullptr) return false;
  return std::all_of(object->begin(), object->end(),
                     [](const auto& member) { return member.value().is_null(); });
}

/// Stands last in what is stored, so that all before it can be compared.
constexpr std::string_view fetched_member = R"(,"fetched_at":)";

/// An item as JSON without what says nothing, and with when it was fetched: it reads back as the
/// same item. Most keys of most items are null or empty: left out, an item takes a third of the
/// space.
std::string stored_json(const item& item, time_point fetched) {
  std::string whole;
  model::append_item(whole, item);
  auto parsed = base::parse_json(whole);
  // In a value that a caller described, null and empty are said.
  if (std::holds_alternative<extraction>(item) || !parsed || !parsed->is_object()) return whole;
  base::json::object kept;
  for (auto& member : parsed->as_object()) {
    auto& value = member.value();
    if (says_nothing(value) || member.key() == "fetched_at") continue;
    if (auto* inner = value.if_object()) {
      base::json::object fuller;
      for (auto& one : *inner) {
        if (!one.value().is_null()) fuller.emplace(one.key(), std::move(one.value()));
      }
      value = std::move(fuller);
    }
    kept.emplace(member.key(), std::move(value));
  }
  std::string out = base::json::serialize(kept);
  out.pop_back();  // the brace that closes it
  out += fetched_member;
  return out + '"' + base::format_time(fetched) + "\"}";
}

}  // namespace

std::string_view without_fetched_at(std::string_view stored) {
  return stored.substr(0, stored.rfind(fetched_member));
}

std::int64_t oldest_position(time_point at) noexcept {
  const auto at_ms = std::int64_t{at.time_since_epoch().count()};
  if (at_ms <= 0) return 0;
  return (at_ms > max_time_ms ? max_time_ms : at_ms) << tie_bits;
}

std::int64_t key_of(std::string_view name) {
  const auto digest = base::sha256(name);
  std::int64_t key = 0;
  std::memcpy(&key, digest.data(), sizeof key);
  return key;
}

void pending::add(const changes::change& one) {
  switch (one.how) {
    case changes::kind::keep:
      return keep(one.what);
    case changes::kind::erase:
      by_key[key_of(one.name)] = std::nullopt;
      return;
    case changes::kind::erase_author:
      return lose(key_of(one.name));
    case changes::kind::shut_author:
      shut[key_of(one.name)] = true;
      return lose(key_of(one.name));
    case changes::kind::reopen_author:
      shut[key_of(one.name)] = false;
      return;
  }
}

void pending::lose(std::int64_t author) {
  authors.insert(author);
  for (auto& [key, kept] : by_key) {
    if (kept && kept->author == author) kept.reset();
  }
}

void pending::keep(const item& what) {
  const auto& shared = common(what);
  const auto key = key_of(shared.id);
  // One that may not be kept still replaces what was kept under its id.
  auto& slot = by_key[key];
  slot.reset();
  if (!shared.created_at || *shared.created_at > now_ + most_kept_ahead) return;
  const auto time = oldest_position(*shared.created_at);
  if (time <= 0 || time < oldest_) return;
  item_row made;
  made.position = time | (key & tie_mask);
  made.key = key;
  made.author = key_of(shared.author.id);
  const auto said = shut.find(made.author);
  if (said != shut.end() && said->second) return;
  made.unless_shut = said == shut.end();
  made.item = stored_json(what, shared.fetched_at.value_or(now_));
  if (made.item.size() > max_item_bytes) return;
  made.words = index_text(what);
  slot = std::move(made);
}

}  // namespace freshet::archive
