// The columns, group by group. Sums over boxes are differences of sums over the list, because the
// blocks of a box follow one another.
#include <markdown/blocks/features.hpp>

#include <algorithm>
#include <base/hash_spread.hpp>
#include <limits>
#include <markdown/blocks/known_text.hpp>
#include <markdown/blocks/tally.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;

constexpr std::array<std::string_view, feature_count> names = {
#define FRESHET_FEATURE(group, name) #name,
#include <markdown/blocks/features.def>
};
constexpr std::array<std::string_view, feature_count> groups = {
#define FRESHET_FEATURE(group, name) #group,
#include <markdown/blocks/features.def>
};

/// Tags in an order of how much they speak for text.
std::uint8_t rank_of(html::tag_id tag) noexcept {
  using enum html::tag_id;
  switch (tag) {
    case button:
    case option:
    case label:
    case legend:
      return 0;
    case figcaption:
    case caption:
      return 1;
    case li:
      return 2;
    case th:
      return 4;
    case td:
      return 5;
    case dt:
      return 7;
    case dd:
      return 8;
    case h6:
    case h5:
      return 9;
    case h4:
      return 10;
    case h3:
      return 11;
    case h2:
      return 12;
    case h1:
      return 13;
    case p:
      return 14;
    case blockquote:
      return 15;
    case pre:
      return 16;
    case div:
      return 3;
    default:
      return 6;
  }
}

/// Sums of the blocks before each one.
struct block_sums {
  std::uint32_t words = 0, prose = 0, links = 0;
};

class page_reader {
 public:
  page_reader(const page_tree& tree, const block_list& list, const block_evidence& evidence)
      : tree_(tree), list_(list), evidence_(evidence), before_(list.blocks.size() + 1) {}

  std::vector<feature_row> run();

 private:
  using enum feature;
  [[nodiscard]] std::uint8_t& at(std::size_t block, feature one) {
    return rows_[block][static_cast<std::size_t>(one)];
  }
  [[nodiscard]] block_sums between(std::uint32_t begin, std::uint32_t end) const {
    const auto &a = before_[begin], &b = before_[end];
    return {b.words - a.words, b.prose - a.prose, b.links - a.links};
  }
  [[nodiscard]] block_sums of(const text_box& box) const { return between(box.first, box.end); }
  [[nodiscard]] const text_box& box_of(std::size_t block) const {
    return list_.boxes[list_.blocks[block].box];
  }
  /// Where names may mean something: a box with most of the page is the page.
  [[nodiscard]] bool is_small(const text_box& box) const { return of(box).words * 2 < all_.words; }

  void add_up();
  void set_page();
  void set_signs(feature_row& row) const;
  void set_text();
  void set_parts();
  void set_main(double least, feature outside);
  void set_around();
  void set_repeats();
  void set_position();
  void set_near();
  void set_names();
  void set_words();
  void set_signals();
  void set_metadata();

  const page_tree& tree_;
  const block_list& list_;
  const block_evidence& evidence_;
  std::vector<block_sums> before_;
  block_sums all_;
  std::vector<feature_row> rows_;
};

void page_reader::add_up() {
  for (std::size_t i = 0; i < list_.blocks.size(); ++i) {
    const auto& one = list_.blocks[i];
    auto& next = before_[i + 1];
    next = before_[i];
    next.words += one.text.half_words;
    next.prose += one.is_prose() ? one.text.half_words : 0;
    next.links += one.link_half_words;
  }
  all_ = before_.back();
}

void page_reader::set_signs(feature_row& row) const {
  const auto& signs = evidence_.signs;
  const auto set = [&](feature one, bool is) { row[static_cast<std::size_t>(one)] = is ? 1 : 0; };
  set(says_article, signs.article);
  set(says_path, signs.article_path);
  set(says_hint, signs.article_hint);
  set(says_forum, signs.forum);
  set(says_remarks, signs.remarks);
  set(says_product, signs.product);
  set(says_collection, signs.collection);
  set(says_shelf, signs.shelf);
  set(says_listing, signs.listing);
  set(says_documentation, signs.documentation);
  set(says_home, signs.home);
}

/// What is the same in every row.
void page_reader::set_page() {
  feature_row row{};
  const auto set = [&](feature one, std::uint8_t value) {
    row[static_cast<std::size_t>(one)] = value;
  };
  std::uint32_t largest = 0, items = 0;
  for (const auto& one : list_.blocks) {
    largest = std::max(largest, one.text.half_words);
    items += (list_.boxes[one.box].parts & part::list) != 0 ? one.text.half_words : 0;
  }
  set(page_words, scale(all_.words));
  set(page_blocks, scale(list_.blocks.size()));
  set(page_prose, share(all_.prose, all_.words));
  set(page_links, share(all_.links, all_.words));
  set(page_largest, share(largest, all_.words));
  set(page_items, share(items, all_.words));
  set_signs(row);
  rows_.assign(list_.blocks.size(), row);
}

void page_reader::set_text() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& block = list_.blocks[i];
    const auto& text = block.text;
    at(i, words) = scale(text.half_words);
    at(i, links) = share(block.link_half_words, text.half_words);
    constexpr std::uint32_t steps_of_letter = 5;
    const auto length = text.letters * 2 * steps_of_letter / std::max(text.half_words, 1u);
    at(i, word_length) = static_cast<std::uint8_t>(std::min(length, last_value));
    at(i, digits) = share(text.digits, text.letters);
    at(i, capitals) = share(text.capitals, text.letters);
    at(i, commas) = scale(text.commas);
    const bool ends = text.last == '.' || text.last == '!' || text.last == '?' ||
                      text.last == 0xE3 || text.last == '"' || text.last == 0xE2;
    at(i, ends_sentence) = ends ? 2 : text.last == ':' ? 1 : 0;
    at(i, tag) = rank_of(tree_.tag_of(box_of(i).id));
  }
}

void page_reader::set_parts() {
  constexpr std::pair<std::uint16_t, feature> bits[] = {
      {part::nav, in_nav},       {part::aside, in_aside},   {part::footer, in_footer},
      {part::header, in_header}, {part::main, in_main},     {part::article, in_article},
      {part::form, in_form},     {part::figure, in_figure}, {part::control, in_control},
      {part::list, in_list},     {part::table, in_table},   {part::dialog, in_dialog}};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto parts = box_of(i).parts;
    for (const auto& [bit, one] : bits) at(i, one) = (parts & bit) != 0 ? 1 : 0;
  }
}

/// `outside` and the two features after it. The element is the innermost box that has the share.
void page_reader::set_main(double least, feature outside) {
  const auto nth = [&](int n) { return static_cast<feature>(static_cast<int>(outside) + n); };
  const text_box* best = &list_.boxes.front();
  std::uint8_t depth = 0;
  for (const auto& box : list_.boxes) {
    const bool inside = box.first >= best->first && box.end <= best->end;
    if (!inside || of(box).prose < least * all_.prose || all_.prose == 0) continue;
    depth += box.end - box.first < best->end - best->first && depth < last_value ? 1 : 0;
    best = &box;
  }
  const auto inner = of(*best);
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    const bool before = i < best->first, after = i >= best->end;
    at(i, outside) = before ? 1 : after ? 2 : 0;
    std::uint32_t away = 0;
    if (before) away = between(i, best->first).words;
    if (after) away = between(best->end, i + 1).words;
    at(i, nth(1)) = scale(away);
    at(i, nth(2)) =
        before || after ? 0 : share(before_[i].words - before_[best->first].words, inner.words);
    if (outside == half_outside) at(i, page_half_depth) = depth;
  }
}

void page_reader::set_around() {
  constexpr int levels = 5, columns = 5;
  constexpr auto first = static_cast<std::size_t>(a1_words);
  std::vector<std::array<std::uint8_t, columns>> of_box(list_.boxes.size());
  for (std::size_t i = 0; i < list_.boxes.size(); ++i) {
    const auto& box = list_.boxes[i];
    const auto inner = of(box);
    of_box[i] = {share(inner.words, all_.words), share(inner.prose, all_.prose),
                 share(inner.prose, inner.words), share(inner.links, inner.words),
                 scale(inner.words / (box.end - box.first))};
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    auto at_box = list_.blocks[i].box;
    if (list_.boxes[at_box].end - list_.boxes[at_box].first == 1) at_box = list_.boxes[at_box].up;
    for (int level = 0; level < levels; ++level) {
      std::copy_n(of_box[at_box].begin(), columns,
                  rows_[i].begin() + first + static_cast<std::size_t>(level * columns));
      at_box = list_.boxes[at_box].up;
    }
  }
}

void page_reader::set_repeats() {
  const auto mix = [](std::uint64_t a, std::uint64_t b) {
    const auto both = (a ^ (b + base::hash_spread + (a << 6) + (a >> 2))) * base::hash_spread;
    return both ^ (both >> 32);
  };
  const auto& boxes = list_.boxes;
  tally siblings_by(boxes.size()), path_by(boxes.size()), near_by(boxes.size());
  tally path_words_by(boxes.size()), texts(list_.blocks.size()), earlier(list_.blocks.size());
  std::vector<std::uint64_t> paths(boxes.size()), nears(boxes.size()), kin(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto& box = boxes[i];
    const auto& parent = boxes[box.parent];
    paths[i] = mix(i == 0 ? 0 : paths[box.parent], box.signature);
    nears[i] = mix(mix(boxes[parent.parent].signature, parent.signature), box.signature);
    kin[i] = mix(box.parent, box.signature);
    siblings_by.add(kin[i], 1);
  }
  for (const auto& one : list_.blocks) {
    path_by.add(paths[one.box], 1);
    path_words_by.add(paths[one.box], one.text.half_words);
    near_by.add(nears[one.box], one.text.half_words);
    texts.add(one.text.hash, 1);
  }
  std::vector<std::uint8_t> most(boxes.size(), 0), own(boxes.size(), 0);
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    own[i] = scale(siblings_by.count(kin[i]));
    most[i] = std::max(most[boxes[i].parent], is_small(boxes[i]) ? own[i] : std::uint8_t{0});
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& one = list_.blocks[i];
    at(i, siblings) = own[one.box];
    at(i, most_siblings) = most[one.box];
    at(i, path_blocks) = scale(path_by.count(paths[one.box]));
    at(i, path_words) = share(path_words_by.count(paths[one.box]), all_.words);
    at(i, near_words) = share(near_by.count(nears[one.box]), all_.words);
    at(i, same_text) = scale(texts.count(one.text.hash));
    at(i, same_before) = scale(earlier.count(one.text.hash));
    earlier.add(one.text.hash, 1);
  }
}

void page_reader::set_position() {
  std::size_t title = rows_.size();
  for (std::size_t i = 0; i < rows_.size() && title == rows_.size(); ++i) {
    if (tree_.tag_of(box_of(i).id) == html::tag_id::h1) title = i;
  }
  std::size_t since = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& one = list_.blocks[i];
    at(i, before_title) = title < rows_.size() && i < title ? scale(title - i) : 0;
    since = one.heading ? 0 : since + 1;
    at(i, since_heading) = scale(since);
    at(i, heading_words) =
        since > 0 && since <= i ? scale(list_.blocks[i - since].text.half_words) : 0;
    at(i, words_of_last) = i > 0 ? scale(list_.blocks[i - 1].text.half_words) : 0;
    at(i, words_of_next) = i + 1 < rows_.size() ? scale(list_.blocks[i + 1].text.half_words) : 0;
  }
}

void page_reader::set_near() {
  constexpr std::uint32_t reach = 4;
  const auto count = static_cast<std::uint32_t>(rows_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto from = i > reach ? i - reach : 0, to = std::min(i + reach + 1, count);
    const auto near = between(from, to);
    at(i, mean_near) = scale(near.words / (to - from));
    at(i, links_near) = share(near.links, near.words);
  }
}

void page_reader::set_names() {
  constexpr std::pair<name_marks, feature> bits[] = {
      {mark::unlikely, is_unlikely}, {mark::negative, is_negative},
      {mark::positive, is_positive}, {mark::related, is_related},
      {mark::request, is_request},   {mark::sharing, is_sharing},
      {mark::comment, is_comment},   {mark::about, is_about},
      {mark::passage, is_passage},   {mark::caption, is_caption},
      {mark::opened, is_opened},     {mark::surroundings, is_surroundings},
      {mark::controls, is_controls}, {mark::poster, is_poster},
      {mark::opinions, is_opinions}, {mark::post_body, is_post_body},
      {mark::overlay, is_overlay},   {mark::price, is_price},
      {mark::purchase, is_purchase}};
  struct said {
    std::int32_t own = 0, sum = 0, least = 0, most = 0;
    name_marks marks = 0;
  };
  const auto& boxes = list_.boxes;
  std::vector<said> of_box(boxes.size());
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    auto& one = of_box[i];
    const auto& above = of_box[boxes[i].parent];
    each_name_word(tree_, boxes[i].id,
                   [&](std::uint32_t hash) { one.own += evidence_.odds.find(hash); });
    one.sum = above.sum + one.own;
    one.least = std::min(above.least, one.own);
    one.most = std::max(above.most, one.own);
    one.marks = above.marks | (is_small(boxes[i]) ? tree_.marks_of(boxes[i].id) : 0);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto box = list_.blocks[i].box;
    const auto& one = of_box[box];
    at(i, odds_own) = centred(one.own, 1);
    at(i, odds_near) = centred(one.own + of_box[boxes[box].parent].own, 1);
    at(i, odds_sum) = centred(one.sum, 4);
    at(i, odds_least) = centred(one.least, 1);
    at(i, odds_most) = centred(one.most, 1);
    for (const auto& [bit, column] : bits) at(i, column) = (one.marks & bit) != 0 ? 1 : 0;
  }
}

void page_reader::set_words() {
  constexpr std::uint32_t reach = 3;
  const auto count = static_cast<std::uint32_t>(rows_.size());
  std::vector<std::int32_t> before(count + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& one = list_.blocks[i];
    std::int32_t sum = 0, least = 0, greatest = 0;
    for (auto word = one.first_word; word < one.end_word; ++word) {
      const auto odds = evidence_.odds.find(list_.words[word]);
      sum += odds;
      least = std::min(least, odds);
      greatest = std::max(greatest, odds);
    }
    const auto own = static_cast<std::int32_t>(std::max(one.end_word - one.first_word, 1u));
    at(i, said_sum) = centred(sum, 4);
    at(i, said_mean) = centred(sum, own);
    at(i, said_least) = centred(least, 1);
    at(i, said_most) = centred(greatest, 1);
    before[i + 1] = before[i] + sum;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto from = i > reach ? i - reach : 0, to = std::min(i + reach + 1, count);
    at(i, said_near) =
        centred((before[to] - before[from]) / static_cast<std::int32_t>(to - from), 4);
  }
}

void page_reader::set_signals() {
  constexpr std::uint32_t reach = 4;
  const auto count = static_cast<std::uint32_t>(rows_.size());
  const auto& is_kept = evidence_.kept;
  std::vector<std::uint32_t> kept_before(count + 1, 0), kept_blocks(count + 1, 0);
  std::uint32_t first = count, last = 0, links_kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& one = list_.blocks[i];
    const auto in = (is_kept[one.first] != 0 ? 1u : 0u) + (is_kept[one.last] != 0 ? 1u : 0u);
    kept_before[i + 1] = kept_before[i] + one.text.half_words * in / 2;
    kept_blocks[i + 1] = kept_blocks[i] + in;
    at(i, kept) = static_cast<std::uint8_t>(in);
    if (in == 0) continue;
    first = std::min(first, i);
    last = i;
    links_kept += one.link_half_words;
  }
  const auto whole = kept_before[count];
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto from = i > reach ? i - reach : 0, to = std::min(i + reach + 1, count);
    at(i, kept_near) = share(kept_blocks[to] - kept_blocks[from], 2 * (to - from));
    at(i, kept_outside) = whole == 0 ? 3 : i < first ? 1 : i > last ? 2 : 0;
    std::uint32_t away = 0;
    if (i < first && whole > 0) away = between(i, first).words;
    if (i > last && whole > 0) away = between(last, i).words;
    at(i, kept_distance) = scale(away);
    const auto& up = list_.boxes[list_.boxes[list_.blocks[i].box].up];
    at(i, kept_above) = share(kept_before[up.end] - kept_before[up.first], of(up).words);
    at(i, kept_share) = share(whole, all_.words);
    at(i, kept_links) = share(links_kept, whole);
  }
}

void page_reader::set_metadata() {
  const auto title = text_hash(evidence_.about.declared_title);
  const auto description = text_hash(evidence_.about.description);
  const known_text body(tree_, evidence_.about.body);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& one = list_.blocks[i];
    at(i, is_title) = one.text.hash == title ? 1 : 0;
    at(i, is_description) = one.text.hash == description ? 1 : 0;
    if (body.empty()) continue;
    const auto found = body.share_of(one.first, one.last);
    constexpr double steps = last_value - 2;
    at(i, in_body) = found ? static_cast<std::uint8_t>(2 + *found * steps) : 1;
  }
}

std::vector<feature_row> page_reader::run() {
  constexpr std::uint64_t steps_of_block = 24, steps_of_box = 8;
  tree_.spend(list_.blocks.size() * steps_of_block + list_.boxes.size() * steps_of_box);
  add_up();
  set_page();
  set_text();
  set_parts();
  constexpr double half = 0.5, most = 0.8;
  set_main(half, half_outside);
  set_main(most, most_outside);
  set_around();
  set_repeats();
  set_position();
  set_near();
  set_names();
  set_words();
  set_signals();
  set_metadata();
  return std::move(rows_);
}

}  // namespace

std::string_view name_of(feature one) noexcept { return names[static_cast<std::size_t>(one)]; }
std::string_view group_of(feature one) noexcept { return groups[static_cast<std::size_t>(one)]; }

std::vector<feature_row> read_features(const page_tree& tree, const block_list& list,
                                       const block_evidence& evidence) {
  if (list.blocks.empty()) return {};
  return page_reader(tree, list, evidence).run();
}

}  // namespace freshet::markdown
