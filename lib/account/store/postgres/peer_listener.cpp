// News as text: the node that tells, then each as its kind's letter and its numbers, "7 a12
// b12,90,5".
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <account/store/postgres/peer_listener.hpp>
#include <base/number.hpp>
#include <cstring>
#include <new>

namespace freshet::account::on_postgres {
namespace {

using postgres::pg_outcome;

/// In the order of the kinds.
constexpr std::string_view letters = "akspbuRF*";
constexpr const char* listen =
    "DO $$ BEGIN EXECUTE format('LISTEN %I', left('freshet '||current_schema(), 63)); END $$";
constexpr std::chrono::milliseconds connect_pause{500};

/// Numbers between commas; what is missing stays 0.
void read_numbers(std::string_view text, peer_news& one) {
  for (std::int64_t* const to : {&one.id, &one.first, &one.second}) {
    const auto end = std::min(text.find(','), text.size());
    *to = base::parse_number<std::int64_t>(text.substr(0, end)).value_or(0);
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

std::string_view take_word(std::string_view& text) {
  const auto end = std::min(text.find(' '), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

std::string news_text(std::int64_t node, const std::vector<peer_news>& told) {
  std::string text = std::to_string(node);
  for (const peer_news& one : told) {
    text += ' ';
    text += letters[static_cast<std::size_t>(one.what)];
    text += std::to_string(one.id);
    if (one.what == peer_news::kind::book || one.what == peer_news::kind::budget)
      text += "," + std::to_string(one.first) + "," + std::to_string(one.second);
  }
  return text;
}

std::vector<peer_news> read_news(std::string_view text, std::int64_t node) {
  std::vector<peer_news> all;
  if (base::parse_number<std::int64_t>(take_word(text)) == node) return all;
  while (!text.empty()) {
    const auto word = take_word(text);
    const auto place = word.empty() ? letters.npos : letters.find(word.front());
    // Of a newer program.
    if (place == letters.npos) continue;
    peer_news one;
    one.what = static_cast<peer_news::kind>(place);
    read_numbers(word.substr(1), one);
    all.push_back(one);
  }
  return all;
}

result<void> peer_listener::start(postgres::connection_options where, std::int64_t node) {
  where_ = std::move(where);
  node_ = node;
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_ < 0)
    return error(errc::storage_unavailable, std::string("eventfd: ") + std::strerror(errno));
  return connect();
}

void peer_listener::stop() {
  if (wake_ >= 0) static_cast<void>(::eventfd_write(wake_, 1));
  if (thread_.joinable()) thread_.join();
  if (wake_ >= 0) ::close(wake_);
  wake_ = -1;
}

void peer_listener::on_news(std::function<void(const peer_news&)> told) {
  const bool begins = told != nullptr;
  {
    const std::lock_guard guard(mutex_);
    told_ = std::move(told);
  }
  if (begins && wake_ >= 0 && !thread_.joinable()) thread_ = std::thread([this] { loop(); });
}

result<void> peer_listener::connect() {
  if (auto opened = on_.open(where_); !opened) return opened;
  if (on_.execute(listen) == pg_outcome::done) return {};
  auto failed = on_.last_error("listening to the other servers");
  on_.close();
  return failed;
}

void peer_listener::tell(const peer_news& what) {
  const std::lock_guard guard(mutex_);
  if (told_) told_(what);
}

void peer_listener::loop() {
  const auto is_ending = [this](std::chrono::milliseconds wait) {
    pollfd file{wake_, POLLIN, 0};
    return ::poll(&file, 1, static_cast<int>(wait.count())) > 0;
  };
  while (!is_ending(std::chrono::milliseconds(0))) {
    try {
      const auto hear = [this](std::string_view text) {
        for (const peer_news& one : read_news(text, node_)) tell(one);
      };
      if (on_.await_notices(wake_, hear)) continue;
      on_.close();
      if (is_ending(connect_pause)) return;
      if (connect()) tell({peer_news::kind::everything});
    } catch (const std::bad_alloc&) {
      // What is missed then is told with everything else.
      on_.close();
    }
  }
}

}  // namespace freshet::account::on_postgres
