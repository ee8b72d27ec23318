// A list of contents is far longer than what stands beside it, and nearly all of it are links; but
// so are indexes, whose lists are what they are for. Those do not lead to themselves.
#include <algorithm>
#include <markdown/about/site_name.hpp>
#include <markdown/choice/contents_lists.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

namespace {

using html::node_id;
using enum html::tag_id;

/// What a list of contents has at least.
constexpr std::uint32_t least_links = 30;
constexpr double least_density = 0.6;
/// Cards of what is sold or told have pictures.
constexpr std::uint32_t least_links_a_picture = 10;
/// Characters beside it that are no links: without them there is no text.
constexpr std::uint32_t least_text = 60;
constexpr std::uint32_t longest_entry = 200;
constexpr std::size_t least_name = 4;

bool is_list(html::tag_id tag) noexcept { return tag == ul || tag == ol || tag == dl; }
bool is_box(html::tag_id tag) noexcept { return tag == div || tag == table || tag == nav; }

class contents_lists {
 public:
  contents_lists(page_tree& tree, std::string_view path)
      : tree_(tree), path_(path), file_(path.substr(path.rfind('/') + 1)) {}

  void drop() {
    find();
    if (lists_.empty()) return;
    const auto& body = tree_.of(tree_.body());
    auto beside = body.text - body.link_text;
    for (const auto id : lists_) beside -= tree_.of(id).text - tree_.of(id).link_text;
    if (beside < least_text) return;
    bool any = false;
    for (const auto id : lists_) {
      if (tree_.of(id).text < beside || !has_page(id)) continue;
      tree_.drop(id);
      any = true;
    }
    if (any) tree_.count();
  }

 private:
  /// The outermost long lists of links, and the heading beside them.
  void find() {
    tree_.spend_on(tree_.body());
    for (auto id = tree_.body() + 1; id < tree_.end_of(tree_.body()); ++id) {
      if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
      const auto tag = tree_.tag_of(id);
      const auto& text = tree_.of(id);
      const bool may_be = is_list(tag) || (is_box(tag) && text.headings == 0);
      if (may_be && text.links >= least_links && text.link_density() >= least_density &&
          text.images * least_links_a_picture <= text.links) {
        lists_.push_back(id);
        id = tree_.end_of(id) - 1;
      } else if (is_heading(tag) && text.text > 0 && text.text <= longest_entry) {
        const bool is_main = tag == h1;
        if (!heading_.empty() && (is_main_ || !is_main)) continue;
        heading_ = comparable(tree_.text_of(id));
        is_main_ = is_main;
      }
    }
  }

  [[nodiscard]] bool has_page(node_id list) const {
    constexpr std::size_t bytes_per_step = 4;
    tree_.spend_on(list);
    for (auto id = list + 1; id < tree_.end_of(list); ++id) {
      const bool is_link = tree_.is_element(id, a);
      if ((!is_link && !tree_.is_text(id)) || tree_.text_in(id) > longest_entry) continue;
      const auto text = is_link ? tree_.text_of(id) : std::string(tree_.text_at(id));
      tree_.spend(1 + text.size() / bytes_per_step);
      if (is_heading_of_page(comparable(text))) return true;
      if (!is_link || !is_list(tree_.tag_of(list))) continue;
      const auto target = tree_.attribute_of(id, "href");
      if (is_page(target.substr(0, target.find('#')))) return true;
    }
    return false;
  }

  /// Whole, or its end: "type_info::name" of "std::type_info::name".
  [[nodiscard]] bool is_heading_of_page(const std::string& entry) const {
    if (entry.size() < least_name || !heading_.ends_with(entry)) return false;
    if (entry.size() == heading_.size()) return true;
    return entry.find(' ') != std::string::npos &&
           heading_[heading_.size() - entry.size() - 1] == ' ';
  }

  /// The address of a site is in all of its menus.
  [[nodiscard]] bool is_page(std::string_view address) const {
    if (path_.size() < 2) return false;
    return (address == file_ && !file_.empty()) || address == path_ ||
           (address.starts_with("http") && address.ends_with(path_));
  }

  page_tree& tree_;
  std::string_view path_, file_;
  std::vector<node_id> lists_;
  std::string heading_;  ///< the first <h1>, or the first heading where there is none
  bool is_main_ = false;
};

}  // namespace

void drop_contents_lists(page_tree& tree, std::string_view path) {
  contents_lists(tree, path).drop();
}

}  // namespace freshet::markdown
