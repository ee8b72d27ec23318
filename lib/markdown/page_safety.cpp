// The markdown is read once, as it is given: what was chosen counts, not all of the page.
#include <markdown/page_safety.hpp>
#include <markdown/safety/instructions.hpp>

namespace freshet::markdown {

namespace {

/// Marks texts beside the content, which go as a whole where they are to be stripped.
void mark_beside(document& item, bool images_are_written, bool strip, mark_list& marks) {
  const auto mark = [&](std::string& text) {
    if (mark_text(text, marks) && strip) text.clear();
  };
  for (auto* text : {&item.title, &item.description, &item.site_name, &item.author.display_name}) {
    mark(*text);
  }
  for (auto& one : item.authors) mark(one.display_name);
  if (strip)
    std::erase_if(item.authors, [](const author& one) { return one.display_name.empty(); });
  // Those that are written are read with the markdown.
  if (images_are_written && !strip) return;
  for (auto& one : item.media) mark(one.alt);
}

void mark_content(const std::string& markdown, mark_list& marks) {
  for (const auto& one : find_instructions(markdown, most_marks)) {
    marks.add_around(mark_kind::instruction_like, one.rule, markdown, one.begin, one.end);
  }
}

void strip_content(page_result& made) {
  const auto lines = strip_instructions(made.document.markdown, made.blocks);
  std::vector<std::size_t> none;
  strip_instructions(made.document.text, none);
  if (lines == 0) return;
  made.warnings.push_back("safety: " + std::to_string(lines) +
                          (lines == 1 ? " line that reads" : " lines that read") +
                          " like an instruction to a model left out");
}

/// The rules alone: what a page says is never a part of a detail.
error refusal(const std::vector<safety_mark>& marks) {
  std::string rules, excerpts;
  for (const auto& one : marks) {
    const auto rule = one.kind + " (" + one.rule + ")";
    if (rules.find(rule) == std::string::npos) rules += (rules.empty() ? "" : ", ") + rule;
    excerpts += (excerpts.empty() ? "" : "\n") + one.excerpt;
  }
  error refused(errc::unsafe_content, "safety: the page has marks of " + rules +
                                          "; take it with `strip` or `report`, or not at all");
  refused.source_text = std::move(excerpts);
  return refused;
}

}  // namespace

std::optional<error> apply_safety(page_result& made, mark_list marks, const page_options& how) {
  const bool strip = how.safety == safety_mode::strip;
  mark_beside(made.document, how.images, strip, marks);
  mark_content(made.document.markdown, marks);
  if (how.safety == safety_mode::refuse && !marks.empty()) return refusal(marks.all());
  if (strip) strip_content(made);
  made.document.safety = marks.take();
  return std::nullopt;
}

}  // namespace freshet::markdown
