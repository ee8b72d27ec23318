// Counting answers, and reading /proc.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <server/traffic.hpp>
#include <sstream>
#include <string>

namespace freshet::server {
namespace {

double seconds_of(const timeval& of) {
  return static_cast<double>(of.tv_sec) + static_cast<double>(of.tv_usec) / 1e6;
}

double seconds_of(const timespec& of) {
  return static_cast<double>(of.tv_sec) + static_cast<double>(of.tv_nsec) / 1e9;
}

double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double open_descriptors() {
  std::error_code failed;
  const std::filesystem::directory_iterator all("/proc/self/fd", failed);
  return failed ? 0 : static_cast<double>(std::distance(begin(all), end(all)));
}

/// When the process began, in seconds since 1970.
double start_time() {
  std::ifstream in("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  // The name, in parentheses, may hold anything; the start is the 20th field behind it.
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < 19; ++i) rest >> skipped;
  double ticks = 0;
  rest >> ticks;
  timespec booted{}, now{};
  clock_gettime(CLOCK_BOOTTIME, &booted);
  clock_gettime(CLOCK_REALTIME, &now);
  return seconds_of(now) - seconds_of(booted) + ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

void traffic::answered(int status, std::chrono::nanoseconds took, std::uint64_t bytes) noexcept {
  const int kept = std::clamp(status, first_status, last_status);
  const auto at = static_cast<std::size_t>(kept - first_status);
  statuses_[at].fetch_add(1, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  took_.observe(took);
}

void traffic::write(metrics_text& to) const {
  to.family("freshet_http_answers_total", metrics_text::kind::counter,
            "HTTP answers by status; 499 where the client had gone.");
  for (std::size_t i = 0; i < statuses_.size(); ++i) {
    const auto count = statuses_[i].load(std::memory_order_relaxed);
    const auto status = std::to_string(first_status + static_cast<int>(i));
    if (count > 0) to.sample(static_cast<double>(count), {{"status", status}});
  }
  to.family("freshet_http_duration_seconds", metrics_text::kind::histogram,
            "Time from a request's head to the end of its answer.");
  to.sample(took_);
  to.counter("freshet_http_sent_bytes_total", "Bytes of bodies that were sent.",
             static_cast<double>(bytes_.load(std::memory_order_relaxed)));
}

void write_process_metrics(metrics_text& to) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  to.counter("process_cpu_seconds_total", "Processor time of the process, in seconds.",
             seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  to.gauge("process_resident_memory_bytes", "Resident memory, in bytes.", resident_bytes());
  to.gauge("process_open_fds", "Open file descriptors.", open_descriptors());
  to.gauge("process_max_fds", "The most file descriptors that may be open.",
           static_cast<double>(descriptors.rlim_cur));
  to.gauge("process_start_time_seconds", "When the process began, in seconds since 1970.",
           start_time());
}

}  // namespace freshet::server
