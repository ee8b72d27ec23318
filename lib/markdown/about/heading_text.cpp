// Pages break headings into boxes, and have some of them twice: drawn letter by letter for the eye,
// with the whole text beside it for screen readers. What stands in no other part stays.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/about/heading_text.hpp>
#include <markdown/about/page_title.hpp>
#include <markdown/about/site_name.hpp>
#include <markdown/about/written_date.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;

struct heading_parts {
  std::string all, read, drawn;  ///< `drawn` is for the eye alone
};

bool is_code(html::tag_id tag) {
  using enum html::tag_id;
  return tag == style || tag == script || tag == template_;
}

/// A day in front of everything else; a year may be a part of the title.
bool is_day(const page_tree& tree, node_id id, std::string_view before) {
  constexpr html::node_id most_nodes = 8;
  if (!base::trim(before).empty() || tree.end_of(id) - id > most_nodes) return false;
  const auto text = base::fold(base::collapse_spaces(tree.raw_text_of(id)));
  if (text.find_first_of("0123456789") == std::string::npos || text.size() > longest_heading) {
    return false;
  }
  if (tree.is_element(id, html::tag_id::time)) return text.find(' ') != std::string::npos;
  const auto days = written_dates(text, day_order::day_first);
  return days.size() == 1 && days.front().begin == 0 && days.front().end == text.size();
}

heading_parts parts_of(const page_tree& tree, node_id id, node_id left_out) {
  heading_parts out;
  node_id end_of_drawn = id;
  for (node_id at = id; at < tree.end_of(id) && out.all.size() <= longest_heading;) {
    if (at == left_out || (tree.is_element(at) &&
                           (is_code(tree.tag_of(at)) || (at != id && is_day(tree, at, out.all))))) {
      at = tree.end_of(at);
      continue;
    }
    if (at >= end_of_drawn && tree.attribute_of(at, "aria-hidden") == "true") {
      end_of_drawn = tree.end_of(at);
    }
    const bool parts = is_block(tree.tag_of(at)) || tree.is_element(at, html::tag_id::br);
    const auto text = tree.is_text(at) ? tree.text_at(at) : parts ? " " : std::string_view();
    (at < end_of_drawn ? out.drawn : out.read).append(text);
    out.all.append(text);
    ++at;
  }
  return out;
}

std::string letters_of(std::string_view text) {
  auto out = comparable(text);
  std::erase(out, ' ');
  return out;
}

std::string text_without(const page_tree& tree, node_id id, node_id left_out) {
  tree.spend_on(id);
  const auto parts = parts_of(tree, id, left_out);
  const auto drawn = letters_of(parts.drawn);
  const auto read = letters_of(parts.read);
  // Drawn twice, once for a desk and once for a phone, it has what is read within it.
  const bool is_copy = !drawn.empty() && (read.find(drawn) != std::string::npos ||
                                          (!read.empty() && drawn.find(read) != std::string::npos));
  auto text = base::nfc(base::collapse_spaces(is_copy ? parts.read : parts.all));
  // Once for a desk and once for a phone; "New York, New York" has fewer words.
  const auto half = std::string_view(text).substr(0, text.size() / 2);
  if (std::ranges::count(half, ' ') > 1 && text.ends_with(half)) {
    text = base::collapse_spaces(text.substr(0, text.size() / 2));
  }
  return text;
}

bool says_something(const page_tree& tree, node_id id) {
  return tree.is_element(id) ? tree.text_in(id) > 0 : !base::trim(tree.text_at(id)).empty();
}

}  // namespace

std::string heading_text(const page_tree& tree, node_id id) {
  return text_without(tree, id, html::none);
}

std::vector<std::string> heading_cores(const page_tree& tree, node_id id) {
  std::vector<std::string> out;
  for (auto around = id; tree.is_element(around);) {
    auto first = tree.at(around).first_child, last = tree.at(around).last_child;
    while (first != html::none && !says_something(tree, first)) first = tree.at(first).next;
    while (last != html::none && !says_something(tree, last)) last = tree.at(last).previous;
    if (first == html::none) break;
    if (first == last) {
      around = first;
      continue;
    }
    for (const auto end : {first, last}) {
      if (!tree.is_element(end)) continue;
      if (auto text = text_without(tree, id, end); !text.empty()) out.push_back(std::move(text));
    }
    break;
  }
  return out;
}

}  // namespace freshet::markdown
