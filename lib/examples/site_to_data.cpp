// The addresses of a site, and from each page a value by a JSON Schema, in this process: what data
// it has, where each of them was found, and what is missing. Usage: site_to_data [URL [WORD]]
#include <freshet/engine.hpp>
#include <iostream>

namespace {

// What is wanted of each page. Names are found as pages have them: `title` is a headline, too.
constexpr const char* wanted = R"({
  "type": "object",
  "required": ["title", "published"],
  "properties": {
    "title": {"type": "string"},
    "author": {"type": "string"},
    "published": {"type": "string", "format": "date"},
    "sections": {"type": "array", "items": {"type": "string"}, "x-selector": "article h2"}
  }
})";

}  // namespace

int main(int count, char** arguments) {
  freshet::engine_options options;
  // Recorded answers, no network. Without this line the calls reach the internet; then say who you
  // are: options.config.set("network.contact", "you@example.org").
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto engine = freshet::engine::open(std::move(options));
  if (!engine) return 1;

  freshet::map_parameters site;
  site.url = count > 1 ? arguments[1] : "https://example.com/tide-gauges";
  site.q = count > 2 ? arguments[2] : "gauges";
  const auto addresses = (*engine)->scrape().map(site);
  if (!addresses) {
    std::cerr << freshet::describe(addresses.error().code()).name << '\n';
    return 1;
  }
  for (const auto& address : addresses->data) {
    std::cout << address.url << '\n';
    freshet::extract_parameters page;
    page.url = address.url;
    page.schema = wanted;
    const auto read = (*engine)->scrape().extract(page);
    if (!read) continue;  // a page that is gone since the sitemap was written
    std::cout << "  " << read->data.value.text << '\n';
    for (const auto& one : read->data.provenance) {
      std::cout << "  " << one.pointer << " from " << one.found_in << ": " << one.path << '\n';
    }
    for (const auto& pointer : read->data.missing) std::cout << "  no " << pointer << '\n';
  }
}
