// The same calls to a server: what takes a freshet::client does not know the difference. Typed
// calls have no idempotency key; call() takes one, so that an answer lost on the way is not paid
// for twice. Usage: remote_client URL KEY
#include <freshet/client.hpp>
#include <iostream>

namespace {

void print_news(freshet::client& client, const std::string& about) {
  const auto news = client.news().search({.q = about, .list = {.limit = 3}});
  if (!news) {
    std::cerr << news.error().detail() << '\n';
    return;
  }
  for (const auto& article : news->data)
    std::cout << article.site.name << ": " << article.title << '\n';
  std::cout << news->meta.credits.remaining.value_or(0) << " credits left\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: remote_client URL KEY\n";
    return 2;
  }
  const auto server = freshet::connect(arguments[1], arguments[2]);
  if (!server) {
    std::cerr << server.error().detail() << '\n';
    return 1;
  }
  print_news(**server, "climate");

  freshet::request what;
  what.endpoint = "news/search";
  what.body = R"({"q": "climate", "limit": 1, "fields": ["title"]})";
  what.api_key = (*server)->api_key;
  what.idempotency_key = "digest of 22 November";
  for (int attempt = 0; attempt < 2; ++attempt) {  // the second time the stored answer, for nothing
    const auto answer = (*server)->call(what);
    std::cout << answer.data() << ' ' << answer.credits_used << '\n';
    if (!answer.ok()) return 1;
  }
}
