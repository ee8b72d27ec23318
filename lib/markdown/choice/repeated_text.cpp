// Texts are compared by a hash of their characters without white space, which is put together from
// those of their parts: one pass up the page, one down, whatever the depth.
#include <markdown/choice/repeated_text.hpp>
#include <markdown/tree/signals.hpp>
#include <unordered_map>

namespace freshet::markdown {

namespace {

using html::node_id;

/// A polynomial in `base`, of the bytes; `shift` is what a text before it is multiplied by.
struct digest {
  std::uint64_t hash = 0, shift = 1;

  void append(std::string_view text) noexcept {
    constexpr std::uint64_t base = 0x9E3779B97F4A7C15ull;
    for (const char c : text) {
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f') continue;
      hash = hash * base + static_cast<unsigned char>(c) + 1;
      shift *= base;
    }
  }
  void prepend(const digest& before) noexcept {
    hash += before.hash * shift;
    shift *= before.shift;
  }
};

/// The first block that said a text, and how many lines say it, by the text's digest.
struct said_before {
  std::unordered_map<std::uint64_t, node_id> blocks;
  std::unordered_map<std::uint64_t, std::size_t> lines;
};

class repetitions {
 public:
  repetitions(page_tree& tree, node_id root, repeated what)
      : tree_(tree), root_(root), what_(what) {}

  void drop(said_before& said) {
    list_candidates();
    if (candidates_.empty()) return;
    read();
    for (const auto id : candidates_) {
      if (tree_.of(id).blocks <= 1) ++said.lines[hash_of(id)];
    }
    node_id end = 0;  // of what was dropped last
    for (const auto id : candidates_) {
      if (id < end) continue;
      const auto [at, is_new] = said.blocks.try_emplace(hash_of(id), id);
      if (is_new || tree_.contains(at->second, id)) continue;
      if (what_ == repeated::boxes && !is_box(id, at->second, said)) continue;
      tree_.drop(id);
      end = tree_.end_of(id);
    }
  }

 private:
  void list_candidates() {
    tree_.spend_on(root_);
    for (auto id = root_ + 1; id < tree_.end_of(root_); ++id) {
      if (is_candidate(id)) candidates_.push_back(id);
    }
  }
  void read() {
    tree_.spend_on(root_);
    digests_.resize(tree_.end_of(root_) - root_);
    for (auto id = tree_.end_of(root_); id-- > root_ + 1;) {
      if (tree_.is_dropped(id)) continue;
      auto& parent = digests_[tree_.parent_of(id) - root_];
      // The last child comes first.
      if (tree_.is_text(id)) {
        digest own;
        tree_.spend(tree_.text_at(id).size() / 16);
        own.append(tree_.text_at(id));
        parent.prepend(own);
      } else {
        parent.prepend(digests_[id - root_]);
      }
    }
  }
  [[nodiscard]] std::uint64_t hash_of(node_id id) const { return digests_[id - root_].hash; }
  [[nodiscard]] bool is_candidate(node_id id) const {
    return !tree_.is_dropped(id) && tree_.is_element(id) && is_block(tree_.tag_of(id)) &&
           !is_fixed(id) && tree_.text_in(id) >= signals::least_repeated;
  }
  /// Not an entry of its twin's own list. A single line has one twin: what is said more often is
  /// said on purpose.
  [[nodiscard]] bool is_box(node_id id, node_id twin, const said_before& said) const {
    if (tree_.parent_of(twin) == tree_.parent_of(id)) return false;
    constexpr std::uint32_t least_blocks = 3;  // itself and two lines
    if (tree_.of(id).blocks >= least_blocks) return true;
    const auto tag = tree_.tag_of(id);
    if (tag == html::tag_id::p || tag == html::tag_id::li || is_heading(tag)) return false;
    const auto found = said.lines.find(hash_of(id));
    return found != said.lines.end() && found->second <= 2;
  }
  [[nodiscard]] bool is_fixed(node_id id) const {
    return tree_.is_inside(id, inside::quote | inside::pre | inside::code | inside::table) ||
           tree_.tag_of(id) == html::tag_id::blockquote || tree_.tag_of(id) == html::tag_id::pre;
  }

  page_tree& tree_;
  node_id root_;
  repeated what_;
  std::vector<node_id> candidates_;  ///< ascending
  std::vector<digest> digests_;
};

}  // namespace

void drop_repeated_text(page_tree& tree, const std::vector<node_id>& roots, repeated what) {
  said_before said;
  for (const auto root : roots) repetitions(tree, root, what).drop(said);
}

}  // namespace freshet::markdown
