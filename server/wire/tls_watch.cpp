// Looking at two files every few seconds: a watch by the kernel would follow neither links nor
// folders that are replaced.
#include <sys/stat.h>

#include <server/wire/tls_watch.hpp>

namespace freshet::server {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// After so long the pair is read again in any case: with it the keys under which tickets are
/// sealed are new.
constexpr auto read_interval = 12h;

}  // namespace

bool tls_watch::stamp::operator==(const stamp& other) const noexcept {
  return device == other.device && number == other.number && size == other.size &&
         changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
}

result<std::unique_ptr<tls_watch>> tls_watch::open(boost::asio::io_context& io, tls_files files,
                                                   logger& log,
                                                   std::chrono::milliseconds look_interval) {
  std::unique_ptr<tls_watch> made(new tls_watch(io, std::move(files), log, look_interval));
  made->read_ = made->seen_ = made->look();
  auto identity = tls_identity::of(made->files_);
  if (!identity) return identity.error();
  made->take(std::move(*identity));
  return made;
}

std::shared_ptr<const tls_identity> tls_watch::current() const {
  const std::lock_guard lock(mutex_);
  return identity_;
}

tls_watch::stamps tls_watch::look() const {
  stamps seen;
  const std::array<const std::string*, 2> paths{&files_.certificate, &files_.key};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    struct stat found {};
    if (::stat(paths[i]->c_str(), &found) != 0) continue;
    seen[i] = {found.st_dev, found.st_ino, found.st_size, found.st_ctim};
  }
  return seen;
}

void tls_watch::start() { wait(); }

void tls_watch::stop() {
  stopped_ = true;
  timer_.cancel();
}

void tls_watch::wait() {
  if (stopped_) return;
  timer_.expires_after(look_interval_);
  timer_.async_wait([this](boost::system::error_code failed) {
    if (failed || stopped_) return;
    check();
    wait();
  });
}

void tls_watch::check() {
  const stamps before = std::exchange(seen_, look());
  // One file is replaced after the other: they are read when both have been left alone.
  const bool changed = seen_ != read_ && seen_ == before;
  if (changed || clock::now() - read_at_ >= read_interval) reload();
}

void tls_watch::reload() {
  read_ = seen_ = look();
  auto fresh = tls_identity::of(files_);
  if (fresh) return take(std::move(*fresh));
  read_at_ = clock::now();
  log_.line("warn", "the new certificate is refused and the old one stays: " +
                        std::string(fresh.error().detail()));
}

void tls_watch::take(std::shared_ptr<const tls_identity> fresh) {
  read_at_ = clock::now();
  log_.line("info", "TLS with the certificate of " + fresh->description());
  for (const auto& found : fresh->warnings(std::chrono::system_clock::now())) {
    log_.line("warn", found.text + ": " + found.advice);
  }
  const std::lock_guard lock(mutex_);
  identity_ = std::move(fresh);
}

}  // namespace freshet::server
