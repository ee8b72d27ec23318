// A page of the web as markdown, in this process: fetched politely, its main content chosen, cut to
// a budget of tokens. Usage: page_to_markdown [URL]
#include <freshet/engine.hpp>
#include <iostream>

int main(int count, char** arguments) {
  freshet::engine_options options;
  // Recorded answers, no network. Without this line the call reaches the internet; then say who you
  // are: options.config.set("network.contact", "you@example.org").
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto engine = freshet::engine::open(std::move(options));
  if (!engine) return 1;

  freshet::scrape_parameters page;
  page.url = count > 1 ? arguments[1] : "https://example.com/tide-gauges";
  page.exclude = {"nav", ".advert"};
  page.links = "footnotes";  // the text reads better, and the addresses stand at its end
  page.max_tokens = 1000;
  const auto read = (*engine)->scrape().markdown(page);
  if (!read) {
    std::cerr << freshet::describe(read.error().code()).name << ": " << read.error().detail()
              << '\n';
    return 1;
  }
  // The title stands beside the markdown, not in it.
  std::cout << "# " << read->data.title << "\n\n" << read->data.markdown << '\n';
  std::cerr << read->data.word_count << " words, " << read->data.token_estimate << " tokens"
            << (read->meta.truncated ? ", cut" : "") << '\n';
}
