// Searches posts about a subject and reads the pages that they link to, as markdown for a model. A
// page that cannot be read is told and skipped: one bad link must not end an agent's work.
#include <freshet/engine.hpp>
#include <iostream>
#include <set>

int main(int count, char** arguments) {
  freshet::engine_options options;
  // Recorded answers, no network. Without this line the calls reach the internet.
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto opened = freshet::engine::open(std::move(options));
  if (!opened) return 1;
  freshet::engine& engine = **opened;

  const std::string subject = count > 1 ? arguments[1] : "\"tide gauge\"";
  const auto found =
      engine.microblog().search({.q = subject, .since = "30d", .list = {.limit = 50}});
  if (!found) {
    std::cerr << found.error().detail() << '\n';
    return 1;
  }

  std::set<std::string> pages;  // what several posts link to is read once
  for (const freshet::post& post : found->data) pages.insert(post.links.begin(), post.links.end());
  for (const auto& url : pages) {
    const auto page = engine.scrape().markdown({.url = url, .max_tokens = 2000});
    if (page) {
      const auto& read = page->data;
      std::cout << "## " << read.title << " (" << read.token_estimate << " tokens)\n"
                << read.final_url << "\n\n"
                << read.markdown << "\n\n";
    } else {
      std::cerr << "skipped " << url << ": " << page.error().detail() << '\n';
    }
  }
}
