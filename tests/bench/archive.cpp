// How long a search of the archive takes at 100,000 items, or as many as the first argument says,
// alone and while items arrive and others search, and how fast items are written: in a file, and,
// where FRESHET_TEST_POSTGRES has the address of an empty database, there; with a second argument,
// "sqlite" or "postgres", in that one alone. Prints a table; nothing here passes or fails.
#include <algorithm>
#include <archive/store.hpp>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace freshet;
using namespace freshet::archive;
using steady = std::chrono::steady_clock;

namespace {

constexpr int batch_size = 500;
constexpr int searches = 400;
constexpr int vocabulary = 30'000;
/// Over which the items lie.
constexpr std::chrono::milliseconds span = std::chrono::hours(150);

/// Words as often as texts have them: the n-th one in proportion to 1/n.
class texts {
 public:
  explicit texts(unsigned seed) : random_(seed) {}
  std::string next() {
    std::string out;
    for (int i = 0, words = 5 + static_cast<int>(random_() % 30); i < words; ++i) {
      const double u = std::uniform_real_distribution<>(0, 1)(random_);
      out += "w" + std::to_string(static_cast<int>(std::pow(vocabulary, u))) + " ";
    }
    return out;
  }

 private:
  std::mt19937 random_;
};

item make_post(int number, time_point time, texts& texts) {
  post made;
  made.id = "bench:at://did:plc:author" + std::to_string(number % 5000) + "/post/" +
            std::to_string(number);
  made.source = "bench";
  made.url = "https://posts.example/" + std::to_string(number);
  made.author.id = "bench:did:plc:author" + std::to_string(number % 5000);
  made.text = texts.next();
  made.lang = "en";
  made.created_at = time;
  return made;
}

void fill(item_store& kept, time_point now, int items) {
  texts from(1);
  const auto before = steady::now();
  for (int number = 0; number < items;) {
    changes batch;
    for (int i = 0; i < batch_size; ++i, ++number) {
      batch.list.push_back({changes::kind::keep,
                            make_post(number, now - span * (items - number) / items, from),
                            {}});
    }
    if (!kept.write(batch)) std::exit(1);
  }
  const std::chrono::duration<double> took = steady::now() - before;
  // As a server does every minute.
  for (auto more = kept.expire(); more && *more;) more = kept.expire();
  const auto size = kept.measure();
  std::printf("written: %d items in %.1f s, %.0f a second, %.0f bytes each\n", items, took.count(),
              items / took.count(), size ? static_cast<double>(size->bytes) / items : 0.0);
}

void measure(item_store& kept, const char* name, const std::string& q) {
  const auto parsed = query::parse_text_query(q);
  if (!parsed) return;
  std::vector<double> times_ms;
  std::size_t found = 0;
  for (int i = 0; i < searches; ++i) {
    search what;
    what.q = &*parsed;
    const auto before = steady::now();
    const auto page = kept.find(what);
    times_ms.push_back(std::chrono::duration<double, std::milli>(steady::now() - before).count());
    if (page) found = page->items.size();
  }
  std::sort(times_ms.begin(), times_ms.end());
  std::printf("  %-34s %3zu items  p50 %7.3f ms  p99 %7.3f ms\n", name, found,
              times_ms[times_ms.size() / 2], times_ms[times_ms.size() * 99 / 100]);
}

void measure_all(item_store& kept) {
  measure(kept, "the commonest word", "w1");
  measure(kept, "two common words", "w1 w2");
  measure(kept, "a phrase of common words", "\"w1 w2\"");
  measure(kept, "a phrase that nobody wrote", "\"w1 w2 w3 w4 w5 w6 w7\"");
  measure(kept, "two of them", "\"w1 w2 w3 w4 w5\" \"w5 w4 w3 w2 w1\"");
  measure(kept, "a common word without another", "w1 -w2");
  measure(kept, "a rare word", "w29000");
  measure(kept, "a common and a rare word", "w1 w29000");
  measure(kept, "five words", "w1 w2 w3 w4 w5");
  measure(kept, "a word that is nowhere", "nowhere");
}

void run(const std::string& path, int items) {
  const auto now = base::system_clock().now();
  item_store_options options;
  options.path = path;
  options.platform = "microblog";
  options.bytes = std::int64_t{1} << 40;
  auto opened = item_store::open(options);
  if (!opened) std::exit(1);
  auto& kept = **opened;
  if (!kept.hold()) std::exit(1);
  fill(kept, now, items);
  std::printf("alone:\n");
  measure_all(kept);
  std::printf("with 200 items a second arriving and two others searching:\n");
  std::atomic<bool> stop = false;
  std::vector<std::thread> others;
  others.emplace_back([&] {
    texts from(2);
    for (int number = items; !stop; std::this_thread::sleep_for(std::chrono::milliseconds(500))) {
      changes batch;
      for (int i = 0; i < 100; ++i, ++number) {
        batch.list.push_back({changes::kind::keep, make_post(number, now, from), {}});
      }
      if (!kept.write(batch) || !kept.expire()) std::exit(1);
    }
  });
  for (int i = 0; i < 2; ++i) {
    others.emplace_back([&] {
      const auto parsed = query::parse_text_query("w7");
      search what;
      what.q = &*parsed;
      while (!stop) {
        if (!kept.find(what)) std::exit(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  measure_all(kept);
  stop = true;
  for (auto& each : others) each.join();
}

}  // namespace

int main(int count, char** arguments) {
  auto folder = (std::filesystem::temp_directory_path() / "freshet-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const int items = count > 1 ? std::atoi(arguments[1]) : 100'000;
  const std::string only = count > 2 ? arguments[2] : "";
  if (only != "postgres") {
    std::printf("SQLite\n");
    run(folder + "/archive.db", items);
  }
  const char* const server = std::getenv("FRESHET_TEST_POSTGRES");
  if (server != nullptr && only != "sqlite") {
    std::printf("PostgreSQL\n");
    run(server, items);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
