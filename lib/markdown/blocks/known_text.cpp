// A window is a run of letters; of all windows only those are kept, on both sides, whose hash says
// so: a fourth of them is enough to compare.
#include <algorithm>
#include <array>
#include <base/hash_spread.hpp>
#include <markdown/blocks/known_text.hpp>

namespace freshet::markdown {

namespace {

constexpr std::size_t window = 12;

constexpr std::uint64_t power(std::size_t exponent) noexcept {
  std::uint64_t made = 1;
  for (std::size_t i = 0; i < exponent; ++i) made *= base::hash_spread;
  return made;
}

/// Calls `use` with the hash of every window that is kept.
class windows {
 public:
  template <class Use>
  void read(std::string_view text, Use use) {
    constexpr auto oldest = power(window);
    for (const char c : text) {
      auto byte = static_cast<unsigned char>(c);
      const bool capital = byte >= 'A' && byte <= 'Z';
      if (capital) byte |= 0x20u;
      if (byte < 0x80 && (byte < 'a' || byte > 'z') && (byte < '0' || byte > '9')) continue;
      auto& slot = ring_[count_ % window];
      hash_ = hash_ * base::hash_spread + byte - oldest * slot;
      slot = byte;
      ++count_;
      constexpr int shift = 40;
      constexpr std::uint64_t one_in = 4;
      if (count_ >= window && (hash_ >> shift) % one_in == 0) use(hash_);
    }
  }

 private:
  std::array<unsigned char, window> ring_{};
  std::uint64_t hash_ = 0;
  std::size_t count_ = 0;
};

/// Calls `use` with the hash of every window of a text that may have markup: what stands in tags is
/// not compared.
template <class Use>
void read_marked_up(std::string_view text, Use use) {
  windows all;
  while (!text.empty()) {
    const auto tag = std::min(text.find('<'), text.size());
    all.read(text.substr(0, tag), use);
    text.remove_prefix(tag);
    const auto end = text.find('>');
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

constexpr std::size_t least_bytes = 200, most_bytes = 200'000;

}  // namespace

known_text::known_text(const page_tree& tree, std::string_view text) : tree_(tree) {
  if (text.size() < least_bytes) return;
  text = text.substr(0, most_bytes);
  tree_.spend(text.size());
  read_marked_up(text, [this](std::uint64_t hash) { windows_.insert(hash); });
}

double share_found(std::string_view text, std::string_view words) {
  text = text.substr(0, most_bytes);
  std::unordered_set<std::uint64_t> known;
  windows().read(words.substr(0, most_bytes), [&](std::uint64_t hash) { known.insert(hash); });
  std::size_t seen = 0, found = 0;
  read_marked_up(text, [&](std::uint64_t hash) {
    ++seen;
    found += known.contains(hash) ? 1 : 0;
  });
  return seen == 0 ? 0 : static_cast<double>(found) / static_cast<double>(seen);
}

std::optional<double> known_text::share_of(html::node_id first, html::node_id last) const {
  std::size_t seen = 0, known = 0;
  windows all;
  for (auto id = first; id <= last; ++id) {
    if (tree_.is_dropped(id) || !tree_.is_text(id)) continue;
    tree_.spend(tree_.text_at(id).size() / 2);
    all.read(tree_.text_at(id), [&](std::uint64_t hash) {
      ++seen;
      known += windows_.contains(hash) ? 1 : 0;
    });
  }
  constexpr std::size_t least = 2;
  if (seen < least) return std::nullopt;
  return static_cast<double>(known) / static_cast<double>(seen);
}

}  // namespace freshet::markdown
