// The choice of an article: paragraphs speak for the elements around them, the best of these is the
// content, siblings that resemble it join. The method is that of mozilla/readability, on sums over
// subtrees instead of repeated walks; its constants are in signals.hpp.
#include <algorithm>
#include <markdown/choice/article_content.hpp>
#include <markdown/choice/cleaning.hpp>
#include <markdown/choice/trimming.hpp>
#include <markdown/tree/signals.hpp>
#include <string>
#include <unordered_map>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using enum html::tag_id;

/// How strict an attempt is. Each next one gives up one of these.
struct strictness {
  bool strip_unlikely = true;
  bool weigh_names = true;
  bool clean = true;
};

class chooser {
 public:
  chooser(page_tree& tree, strictness how) : tree_(tree), how_(how) {}

  std::vector<node_id> run();

 private:
  void strip_unlikely();
  [[nodiscard]] bool is_unlikely(node_id id) const;
  void score_paragraphs();
  void score_run(node_id parent, const measure& text);
  void score_runs_in(node_id block);
  void give(node_id node, double points);
  double& score_of(node_id id);
  [[nodiscard]] bool begins_text(node_id id) const;
  [[nodiscard]] double base_score(node_id id) const;
  [[nodiscard]] node_id best() const;
  [[nodiscard]] node_id common_ancestor_of_rivals(node_id top) const;
  [[nodiscard]] node_id climb(node_id top) const;
  [[nodiscard]] node_id grow(node_id top) const;
  [[nodiscard]] bool is_declared_content(node_id id) const;
  [[nodiscard]] std::vector<node_id> with_siblings(node_id top) const;
  [[nodiscard]] bool belongs_to(node_id sibling, node_id top, double threshold) const;
  [[nodiscard]] double known_score(node_id id) const {
    const auto found = scores_.find(id);
    return found == scores_.end() ? -1e9 : found->second;
  }

  page_tree& tree_;
  strictness how_;
  std::unordered_map<node_id, double> scores_;
};

/// A text's own beginning is called a header, too: its title with what leads into it.
bool chooser::begins_text(node_id id) const {
  const auto around = tree_.tag_of(tree_.parent_of(id));
  const auto& text = tree_.of(id);
  if ((around != main && around != article) || text.headings == 0 ||
      text.prose < signals::enough_prose || text.link_density() > signals::prose_link_density) {
    return false;
  }
  tree_.spend_on(id);
  for (auto at = id + 1; at < tree_.end_of(id); ++at) {
    if (tree_.is_element(at, h1)) return true;
  }
  return false;
}

bool chooser::is_unlikely(node_id id) const {
  const auto tag = tree_.tag_of(id);
  if (tag == body || tag == a || tag == html || tag == main || tag == article) {
    return false;
  }
  const auto role = tree_.attribute_of(id, "role");
  if (std::find(signals::unlikely_roles.begin(), signals::unlikely_roles.end(), role) !=
      signals::unlikely_roles.end()) {
    return true;
  }
  if (std::find(signals::boilerplate_elements.begin(), signals::boilerplate_elements.end(), tag) !=
          signals::boilerplate_elements.end() &&
      tag != footer) {
    return true;
  }
  const auto names = tree_.marks_of(id);
  // What a click opens has a header of its own, and says so: a heading, or text with one.
  const auto& text = tree_.of(id);
  if ((names & mark::opened) != 0 && (text.prose >= signals::enough_prose || text.headings > 0) &&
      text.link_density() <= signals::prose_link_density) {
    return false;
  }
  if (begins_text(id)) return false;
  return (names & mark::unlikely) != 0 && (names & mark::maybe) == 0 &&
         !tree_.is_inside(id, inside::table | inside::code);
}

void chooser::strip_unlikely() {
  const auto most = tree_.of(tree_.body()).prose / 2;
  tree_.spend_on(tree_.page().root());
  for (node_id id = 1; id < tree_.page().size(); ++id) {
    if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
    // What holds most of the page's prose is no sidebar, whatever it is called.
    if (is_unlikely(id) && tree_.of(id).prose <= most) {
      tree_.drop(id);
      id = tree_.end_of(id) - 1;
    }
  }
  tree_.count();
}

double chooser::base_score(node_id id) const {
  const auto tag = tree_.tag_of(id);
  double score = 0;
  if (tag == div) score = signals::div_weight;
  if (tag == pre || tag == td || tag == blockquote) score = signals::block_weight;
  if (tag == address || tag == ol || tag == ul || tag == dl || tag == dd || tag == dt ||
      tag == li || tag == form) {
    score = signals::list_weight;
  }
  if (is_heading(tag) || tag == th) score = signals::heading_weight;
  return score + (how_.weigh_names ? name_weight(tree_, id) : 0);
}

double& chooser::score_of(node_id id) {
  const auto [at, is_new] = scores_.try_emplace(id, 0.0);
  if (is_new) at->second = base_score(id);
  return at->second;
}

void chooser::give(node_id node, double points) {
  node_id at = node;
  for (int level = 0; level < signals::scored_ancestors; ++level) {
    if (at == none || !tree_.is_element(at) || tree_.parent_of(at) == none) return;
    const double share = level == 0 ? 1 : level == 1 ? 2 : level * 3;
    score_of(at) += points / share;
    at = tree_.parent_of(at);
  }
}

void chooser::score_run(node_id parent, const measure& text) {
  if (text.text < signals::least_paragraph) return;
  const double points = 1 + 1 + text.commas +
                        std::min(text.text / signals::text_per_point, signals::most_text_points);
  give(parent, points);
}

/// Text that stands in a block beside other blocks counts as the paragraph that it is.
void chooser::score_runs_in(node_id block) {
  measure run;
  for (auto at = tree_.at(block).first_child; at != none; at = tree_.at(at).next) {
    tree_.spend(1);
    if (tree_.is_dropped(at)) continue;
    const bool inline_part =
        tree_.is_text(at) ||
        (tree_.is_element(at) && !is_block(tree_.tag_of(at)) && tree_.of(at).blocks == 0);
    if (inline_part) {
      tree_.add_to(run, at);
    } else {
      score_run(block, run);
      run = {};
    }
  }
  score_run(block, run);
}

void chooser::score_paragraphs() {
  constexpr std::uint64_t passes = 3;  // a score is looked up for several of the elements above
  tree_.spend(passes * tree_.page().size());
  for (node_id id = tree_.body(); id < tree_.page().size(); ++id) {
    if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
    const auto tag = tree_.tag_of(id);
    const auto& text = tree_.of(id);
    const bool speaks =
        tag == p || tag == td || tag == pre || tag == section || (is_heading(tag) && tag != h1);
    if (speaks) {
      score_run(tree_.parent_of(id), text);
    } else if (tag == div || tag == article || tag == main || tag == li) {
      if (tag == div && text.blocks == 1) {
        score_run(tree_.parent_of(id), text);
      } else if (tag != li) {
        score_runs_in(id);
      }
    }
  }
  for (auto& [id, score] : scores_) score *= 1 - tree_.of(id).link_density();
}

node_id chooser::best() const {
  node_id top = none;
  for (const auto& [id, score] : scores_) {
    const double known = top == none ? -1e9 : scores_.at(top);
    // Ties go to the first in the page, so that the choice does not depend on the hash.
    if (score > known || (score == known && id < top)) top = id;
  }
  return top;
}

/// When several good candidates share an ancestor, the content is spread over them.
node_id chooser::common_ancestor_of_rivals(node_id top) const {
  constexpr double rival_share = 0.75;
  constexpr std::size_t least_rivals = 3, most_rivals = 4;
  std::vector<std::pair<double, node_id>> rivals;
  for (const auto& [id, score] : scores_) {
    if (id != top && score >= rival_share * scores_.at(top)) rivals.emplace_back(-score, id);
  }
  std::ranges::sort(rivals);
  if (rivals.size() > most_rivals) rivals.resize(most_rivals);
  for (node_id at = tree_.parent_of(top); tree_.is_element(at) && !tree_.is_element(at, body);
       at = tree_.parent_of(at)) {
    const auto inside =
        static_cast<std::size_t>(std::ranges::count_if(rivals, [&](const auto& rival) {
          return rival.second != at && tree_.contains(at, rival.second);
        }));
    if (inside >= least_rivals) return at;
  }
  return top;
}

node_id chooser::climb(node_id top) const {
  double last = known_score(top);
  const double threshold = last / 3;
  for (node_id at = tree_.parent_of(top); at != none && !tree_.is_element(at, body);
       at = tree_.parent_of(at)) {
    if (scores_.find(at) == scores_.end()) continue;
    const double score = known_score(at);
    if (score < threshold) break;
    if (score > last) {
      top = at;
      break;
    }
    last = score;
  }
  // An only child's parent is as good, and may have siblings that belong to it.
  while (true) {
    const node_id parent = tree_.parent_of(top);
    if (parent == none || tree_.is_element(parent, body) || !tree_.is_element(parent)) {
      break;
    }
    if (tree_.text_in(parent) != tree_.text_in(top)) break;
    if (tree_.of(parent).images != tree_.of(top).images) break;
    top = parent;
  }
  return top;
}

/// The page's own word for its content (<main>, <article>) counts where much prose would be lost.
node_id chooser::grow(node_id top) const {
  node_id best = top;
  for (node_id at = tree_.parent_of(top);
       at != none && tree_.is_element(at) && !tree_.is_element(at, body);
       at = tree_.parent_of(at)) {
    const auto& outer = tree_.of(at);
    if (outer.link_density() > signals::wrapper_link_density) break;
    const double known = tree_.of(best).prose * (1 + signals::lost_prose);
    if (is_declared_content(at) && outer.prose > known) best = at;
  }
  return best;
}

bool chooser::is_declared_content(node_id id) const {
  const auto tag = tree_.tag_of(id);
  return tag == article || tag == main || tree_.attribute_of(id, "role") == "main" ||
         tree_.attribute_of(id, "itemprop") == "articleBody";
}

bool chooser::belongs_to(node_id sibling, node_id top, double threshold) const {
  constexpr std::uint32_t long_paragraph = 80;
  if (sibling == top) return true;
  if (tree_.is_dropped(sibling) || !tree_.is_element(sibling)) return false;
  const auto top_class = tree_.attribute_of(top, "class");
  const bool same_class = !top_class.empty() && tree_.attribute_of(sibling, "class") == top_class;
  const double bonus = same_class ? known_score(top) * signals::sibling_share : 0;
  if (known_score(sibling) + bonus >= threshold) return true;
  if (sibling < top && begins_text(sibling)) return true;
  const auto& text = tree_.of(sibling);
  const bool paragraph =
      tree_.is_element(sibling, p) || (tree_.is_element(sibling, div) && text.blocks == 1);
  if (!paragraph) return false;
  if (text.text > long_paragraph) return text.link_density() < signals::prose_link_density;
  if (text.text == 0 || text.link_text > 0) return false;
  const auto written = tree_.text_of(sibling);
  return written.ends_with('.') || written.find(". ") != std::string::npos;
}

std::vector<node_id> chooser::with_siblings(node_id top) const {
  const double threshold =
      std::max(signals::least_sibling_score, known_score(top) * signals::sibling_share);
  const node_id parent = tree_.parent_of(top);
  if (parent == none || tree_.is_element(top, body)) return {top};
  std::vector<node_id> chosen;
  const auto class_bytes = tree_.attribute_of(top, "class").size();
  for (auto at = tree_.at(parent).first_child; at != none; at = tree_.at(at).next) {
    tree_.spend(1 + class_bytes / 16);
    if (belongs_to(at, top, threshold)) chosen.push_back(at);
  }
  return chosen;
}

std::vector<node_id> chooser::run() {
  if (how_.strip_unlikely) strip_unlikely();
  score_paragraphs();
  node_id top = best();
  if (top == none) top = tree_.body();
  if (!tree_.is_element(top, body) && scores_.count(top) != 0) {
    top = grow(climb(common_ancestor_of_rivals(top)));
  }
  auto chosen = with_siblings(top);
  clean_content(tree_, chosen, {how_.clean, how_.weigh_names});
  if (how_.clean) trim_blocks(tree_, chosen);
  return chosen;
}

std::uint32_t text_of(const page_tree& tree, const std::vector<node_id>& roots) {
  std::uint32_t text = 0;
  for (const auto root : roots) text += tree.text_in(root);
  return text;
}

}  // namespace

content choose_article(page_tree& tree) {
  constexpr strictness attempts[] = {
      {true, true, true}, {false, true, true}, {false, false, true}, {false, false, false}};
  const auto before = tree.dropped();
  content best;
  page_tree::marks best_marks;
  std::uint32_t best_text = 0;
  for (const auto& how : attempts) {
    tree.set_dropped(before);
    tree.count();
    auto roots = chooser(tree, how).run();
    const auto text = text_of(tree, roots);
    if (text > best_text || best.roots.empty()) {
      best_text = text;
      best.roots = std::move(roots);
      best_marks = tree.dropped();
    }
    if (text >= signals::least_content) break;
  }
  if (best_text == 0) {
    tree.set_dropped(before);
    tree.count();
    best.roots = {tree.body()};
    best.found = tree.text_in(tree.body()) == 0;
    return best;
  }
  tree.set_dropped(std::move(best_marks));
  tree.count();
  return best;
}

}  // namespace freshet::markdown
