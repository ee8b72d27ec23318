// The adoption agency algorithm: what a browser makes of formatting that ends across blocks. Both
// loops are bounded by the standard; what they walk over is bounded by the depth.
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

void tree_builder::adopt() {
  constexpr int most_rounds = 8;
  const tag_id subject = token_.tag;
  if (open_.current().is(subject) &&
      formatting_.index_of(open_.current().id) == formatting_.size()) {
    return pop();
  }
  for (int round = 0; round < most_rounds; ++round) {
    if (!adopt_once(subject)) return;
  }
}

/// One round; false if it was the last.
bool tree_builder::adopt_once(tag_id subject) {
  const std::size_t listed = formatting_.last_of(subject);
  if (listed == formatting_.size()) {
    end_any();  // nothing of the name is remembered: an end tag like any other
    return false;
  }
  const node_id element = formatting_[listed].element;
  const std::size_t formatting_at = open_.index_of(element);
  if (formatting_at == open_.size()) {
    formatting_.remove(listed);
    return false;
  }
  if (!open_.is_in_scope(formatting_at)) return false;
  std::size_t block_at = open_.topmost_special_above(formatting_at);
  if (block_at == open_.size()) {
    pop_to(formatting_at);
    formatting_.remove(formatting_.index_of(element));
    return false;
  }
  const open_element block = open_[block_at];
  const open_element common = open_[formatting_at - 1];
  std::size_t bookmark = listed;
  const node_id last = adopt_inner(formatting_at, block_at, bookmark);

  doc_.unlink(last);
  link(place_for(common), last);

  const node_id fresh = copy_of(element);
  for (node_id child = doc_.at(block.id).first_child; child != none;) {
    const node_id next = doc_.at(child).next;
    doc_.unlink(child);
    doc_.append_child(fresh, child);
    open_.count_looks(1);
    child = next;
  }
  doc_.append_child(block.id, fresh);
  formatting_entry entry = formatting_[formatting_.index_of(element)];
  const std::size_t old = formatting_.index_of(element);
  formatting_.remove(old);
  if (old < bookmark) --bookmark;
  entry.element = fresh;
  entry.open = true;
  formatting_.insert(bookmark, entry);
  open_.remove(open_.index_of(element));
  const open_element reopened{fresh, subject, element_space::html,
                              traits_of(subject, element_space::html), 0};
  open_.insert(open_.index_of(block.id) + 1, reopened);
  return true;
}

/// Between the formatting element and the block: opens again, inside the block's new parent, the
/// formatting that stood there. Returns what holds the block now.
node_id tree_builder::adopt_inner(std::size_t formatting_at, std::size_t& block_at,
                                  std::size_t& bookmark) {
  constexpr int most_kept = 3;
  const node_id block = open_[block_at].id;
  node_id last = block;
  int count = 0;
  for (std::size_t at = block_at; --at > formatting_at;) {
    ++count;
    const open_element one = open_[at];
    std::size_t listed = formatting_.index_of(one.id);
    if (count > most_kept && listed < formatting_.size()) {
      formatting_.remove(listed);
      if (listed < bookmark) --bookmark;
      listed = formatting_.size();
    }
    if (listed == formatting_.size()) {
      open_.remove(at);
      --block_at;
      continue;
    }
    const node_id fresh = copy_of(one.id);
    formatting_.replace(listed, fresh);
    open_.replace(at, fresh);
    if (last == block) bookmark = listed + 1;
    doc_.unlink(last);
    doc_.append_child(fresh, last);
    last = fresh;
  }
  return last;
}

}  // namespace freshet::html
