// Menus and sidebars have headings, too, before that of the article: so more of the lower ones are
// kept.
#include <base/unicode.hpp>
#include <markdown/about/heading_text.hpp>
#include <markdown/about/page_headings.hpp>
#include <markdown/about/page_title.hpp>
#include <markdown/about/site_name.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::tag_id;

constexpr std::size_t max_lower_headings = 60;

}  // namespace

bool page_headings::has(tag_id tag) noexcept {
  return tag == tag_id::h1 || tag == tag_id::h2 || tag == tag_id::h3 || tag == tag_id::h4;
}

void page_headings::add(node_id id) {
  const bool is_main = tree_.is_element(id, tag_id::h1);
  if (is_main && first_.empty()) first_ = base::collapse_spaces(tree_.raw_text_of(id));
  auto& into = is_main ? main_ : lower_;
  if (into.places.size() >= (is_main ? max_headings : max_lower_headings)) return;
  auto text = heading_text(tree_, id);
  if (text.empty()) return;
  into.places.push_back(id);
  into.texts.push_back(std::move(text));
  if (!is_main) return;
  for (auto& core : heading_cores(tree_, id)) cores_.push_back(std::move(core));
}

node_id page_headings::level::place_of(std::string_view compared) const {
  const auto words = ' ' + std::string(compared) + ' ';
  for (std::size_t at = 0; at < places.size(); ++at) {
    // Beside the title stand the mark of a link, a number of answers, a kicker, the source of a
    // story.
    const auto text = ' ' + comparable(texts[at]) + ' ';
    if (text.starts_with(words) || text.ends_with(words)) return places[at];
  }
  return html::none;
}

node_id page_headings::place_of(std::string_view title) const {
  const auto compared = comparable(title);
  if (!compared.empty()) {
    for (const auto* one : {&main_, &lower_}) {
      if (const auto found = one->place_of(compared); found != html::none) return found;
    }
  }
  return main_.places.empty() ? html::none : main_.places.front();
}

}  // namespace freshet::markdown
