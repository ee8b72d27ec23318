// A block weighs as many half words as it has, and two: so that one of none counts, too. What is
// seen of several is their mean by weight.
#include <markdown/blocks/first_look.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace freshet::markdown {

namespace {

/// A probability of 1; whole numbers, for sums that are the same on every machine.
constexpr std::uint64_t sure = 255;

/// Sums over blocks: their weight, and what of it is content.
struct seen_sums {
  std::uint64_t weight = 0, content = 0;

  seen_sums& operator+=(const seen_sums& other) {
    weight += other.weight;
    content += other.content;
    return *this;
  }
  friend seen_sums operator-(seen_sums a, const seen_sums& b) {
    return {a.weight - b.weight, a.content - b.content};
  }
  [[nodiscard]] std::uint8_t mean() const noexcept { return share(content, weight * sure); }
};

/// In sixths of log-odds.
std::uint8_t odds_value(float probability) {
  constexpr double least = 1e-3, steps = 6;
  const double p = std::clamp(static_cast<double>(probability), least, 1 - least);
  return centred(static_cast<std::int32_t>(std::lround(std::log(p / (1 - p)) * steps)), 1);
}

class look_reader {
 public:
  look_reader(const block_list& list, const first_look& seen, std::vector<feature_row>& rows)
      : list_(list), seen_(seen), rows_(rows), before_(rows.size() + 1) {}

  void run();

 private:
  using enum feature;
  [[nodiscard]] std::uint8_t& at(std::size_t block, feature one) {
    return rows_[block][static_cast<std::size_t>(one)];
  }
  [[nodiscard]] seen_sums between(std::size_t begin, std::size_t end) const {
    return before_[end] - before_[begin];
  }
  [[nodiscard]] seen_sums of(std::size_t block) const { return between(block, block + 1); }
  [[nodiscard]] seen_sums inside(std::uint32_t box) const {
    return between(list_.boxes[box].first, list_.boxes[box].end);
  }
  [[nodiscard]] std::uint32_t innermost(std::size_t block) const;

  void add_up();
  void set_page();
  void set_near();
  void set_kept();
  void set_boxes();

  const block_list& list_;
  const first_look& seen_;
  std::vector<feature_row>& rows_;
  std::vector<seen_sums> before_;
};

/// The innermost box that holds more than the block.
std::uint32_t look_reader::innermost(std::size_t block) const {
  const auto box = list_.blocks[block].box;
  const auto& own = list_.boxes[box];
  return own.end - own.first == 1 ? own.up : box;
}

void look_reader::add_up() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::uint64_t weight = list_.blocks[i].text.half_words + 2;
    const auto content = std::lround(seen_.probability[i] * static_cast<float>(sure));
    before_[i + 1] = before_[i];
    before_[i + 1] += {weight, weight * static_cast<std::uint64_t>(content)};
    at(i, seen_own) = odds_value(seen_.probability[i]);
  }
}

void look_reader::set_page() {
  const auto all = before_.back();
  const auto promise = std::clamp(seen_.promise, 0.0, 1.0) * last_value;
  std::uint64_t above = 0;  // weight of what is more probable
  for (const auto i : seen_.order) {
    at(i, seen_rank) = share(above, all.weight);
    above += of(i).weight;
    at(i, seen_before) = share(before_[i].content, all.content);
    at(i, seen_words) = scale(all.content / sure);
    at(i, seen_page) = all.mean();
    at(i, seen_promise) = static_cast<std::uint8_t>(std::lround(promise));
  }
}

void look_reader::set_near() {
  constexpr std::pair<feature, std::size_t> means[] = {
      {seen_near, 2}, {seen_about, 5}, {seen_wide, 10}, {seen_far, 25}};
  const auto count = rows_.size();
  const auto own = [&](std::size_t i) { return i < count ? at(i, seen_own) : std::uint8_t{0}; };
  for (std::size_t i = 0; i < count; ++i) {
    // Below 0 is far beyond the last one.
    at(i, seen_last) = own(i - 1);
    at(i, seen_before_last) = own(i - 2);
    at(i, seen_next) = own(i + 1);
    at(i, seen_after_next) = own(i + 2);
    for (const auto& [one, reach] : means) {
      at(i, one) = between(i - std::min(i, reach), std::min(i + reach + 1, count)).mean();
    }
  }
}

/// How far it is to what the first look keeps.
void look_reader::set_kept() {
  constexpr std::ptrdiff_t reach = 3;
  const auto step = [](std::uint32_t away) { return std::min(away + 1, last_value); };
  std::uint32_t away = last_value;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    at(i, seen_since_kept) = static_cast<std::uint8_t>(away);
    away = seen_.kept[i] != 0 ? 1 : step(away);
  }
  away = last_value;
  for (auto i = rows_.size(); i-- > 0;) {
    at(i, seen_until_kept) = static_cast<std::uint8_t>(away);
    away = seen_.kept[i] != 0 ? 1 : step(away);
    const auto here = seen_.kept.begin() + static_cast<std::ptrdiff_t>(i);
    const auto from = here - std::min(reach, here - seen_.kept.begin());
    const auto to = here + std::min(reach + 1, seen_.kept.end() - here);
    at(i, seen_kept) = static_cast<std::uint8_t>(std::count(from, to, std::uint8_t{1}));
  }
}

/// The boxes around it, without the block itself.
void look_reader::set_boxes() {
  constexpr std::pair<feature, feature> levels[] = {{seen_b1, seen_b1_part},
                                                    {seen_b2, seen_b2_part},
                                                    {seen_b3, seen_b3_part},
                                                    {seen_b4, seen_b4_part},
                                                    {seen_b5, seen_b5_part}};
  const auto all = before_.back();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    auto box = innermost(i);
    for (const auto& [mean, part_of_all] : levels) {
      at(i, mean) = (inside(box) - of(i)).mean();
      at(i, part_of_all) = share(inside(box).content, all.content);
      box = list_.boxes[box].up;
    }
  }
}

void look_reader::run() {
  add_up();
  set_page();
  set_near();
  set_kept();
  set_boxes();
}

}  // namespace

bool is_unsure(const feature_row& row) noexcept {
  constexpr int sure_from = 14;  // steps of odds: nine to one
  const int own = row[static_cast<std::size_t>(feature::seen_own)];
  return std::abs(own - centred(0, 1)) < sure_from;
}

void add_first_look(const block_list& list, const first_look& seen,
                    std::vector<feature_row>& rows) {
  look_reader(list, seen, rows).run();
}

}  // namespace freshet::markdown
