// Counting, and the escapes and numbers of the text format.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <freshet/metrics.hpp>

namespace freshet {
namespace {

std::string number_text(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '{') out += ',';
  out.append(name).append("=\"");
  for (const char each : value) {
    if (each == '\\' || each == '"') out += '\\';
    out += each == '\n' ? ' ' : each;
  }
  out += '"';
}

}  // namespace

void histogram::observe(std::chrono::nanoseconds took) noexcept {
  const double seconds = std::chrono::duration<double>(took).count();
  const auto* const at = std::lower_bound(bounds.begin(), bounds.end(), seconds);
  counts_[static_cast<std::size_t>(at - bounds.begin())].fetch_add(1, std::memory_order_relaxed);
  const auto ns = std::max<std::int64_t>(took.count(), 0);
  sum_ns_.fetch_add(static_cast<std::uint64_t>(ns), std::memory_order_relaxed);
}

void metrics_text::family(std::string_view name, kind kind, std::string_view help) {
  constexpr std::array<std::string_view, 3> kinds{"counter", "gauge", "histogram"};
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name);
  text_.append(" ").append(kinds[static_cast<std::size_t>(kind)]).append("\n");
}

void metrics_text::line(std::string_view suffix, labels labels, std::string_view bound,
                        double value) {
  text_.append(name_).append(suffix);
  if (labels.size() > 0 || !bound.empty()) {
    text_ += '{';
    for (const auto& [name, said] : labels) append_label(text_, name, said);
    if (!bound.empty()) append_label(text_, "le", bound);
    text_ += '}';
  }
  text_.append(" ").append(number_text(value)).append("\n");
}

void metrics_text::sample(double value, labels labels) { line("", labels, "", value); }

void metrics_text::sample(const histogram& values, labels labels) {
  std::uint64_t upto = 0;
  for (std::size_t i = 0; i < values.counts_.size(); ++i) {
    upto += values.counts_[i].load(std::memory_order_relaxed);
    const bool last = i == histogram::bounds.size();
    line("_bucket", labels, last ? "+Inf" : number_text(histogram::bounds[i]),
         static_cast<double>(upto));
  }
  line("_sum", labels, "",
       static_cast<double>(values.sum_ns_.load(std::memory_order_relaxed)) / 1e9);
  line("_count", labels, "", static_cast<double>(upto));
}

void metrics_text::gauge(std::string_view name, std::string_view help, double value) {
  family(name, kind::gauge, help);
  sample(value);
}

void metrics_text::counter(std::string_view name, std::string_view help, double value) {
  family(name, kind::counter, help);
  sample(value);
}

}  // namespace freshet
