// The text format, held to what its description says.
#include <catch2/catch.hpp>
#include <freshet/metrics.hpp>
#include <string>

using namespace freshet;
using namespace std::chrono_literals;

TEST_CASE("a family has its sentence, its type and its samples, with labels escaped") {
  metrics_text text;
  text.family("a_total", metrics_text::kind::counter, "What is counted.");
  text.sample(3, {{"code", "ok"}, {"name", "a\"b\\c\nd"}});
  text.sample(0.25);
  text.gauge("b", "A gauge.", 1e15);
  CHECK(text.take() ==
        "# HELP a_total What is counted.\n# TYPE a_total counter\n"
        "a_total{code=\"ok\",name=\"a\\\"b\\\\c d\"} 3\na_total 0.25\n"
        "# HELP b A gauge.\n# TYPE b gauge\nb 1e+15\n");
  CHECK(text.take().empty());
}

TEST_CASE("a histogram's buckets are cumulative, and a bound belongs to its bucket") {
  histogram took;
  for (const auto each : {1ms, 2ms, 10ms, 31'000ms}) took.observe(each);
  metrics_text text;
  text.family("t_seconds", metrics_text::kind::histogram, "Times.");
  text.sample(took, {{"of", "x"}});
  const std::string made = text.take();
  for (const char* line :
       {"t_seconds_bucket{of=\"x\",le=\"0.001\"} 1\n",
        "t_seconds_bucket{of=\"x\",le=\"0.0025\"} 2\n",
        "t_seconds_bucket{of=\"x\",le=\"0.01\"} 3\n", "t_seconds_bucket{of=\"x\",le=\"30\"} 3\n",
        "t_seconds_bucket{of=\"x\",le=\"+Inf\"} 4\n", "t_seconds_sum{of=\"x\"} 31.013\n",
        "t_seconds_count{of=\"x\"} 4\n"}) {
    INFO(line);
    CHECK(made.find(line) != std::string::npos);
  }
}
