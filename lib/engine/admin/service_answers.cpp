// The sources' states and the sums of the last hour.
#include <algorithm>
#include <engine/admin/list_page.hpp>
#include <engine/admin/service_answers.hpp>
#include <map>

namespace freshet::detail {
namespace {

/// Of answers in the last hour, from which on a source counts as failing: fewer than half came.
constexpr double failing_share = 0.5;

struct source_state {
  const configured_source* source = nullptr;
  std::string state = "ok";
  std::string code;  ///< why it is left alone; "": it is not
  std::optional<std::int64_t> retry_after_s;
  recent_calls::source_figures hour;
};

std::vector<std::string> platforms_of(const sources::descriptor& of) {
  std::vector<std::string> platforms;
  for (const auto& capability : of.capabilities) {
    const std::string name(catalog::find_endpoint(capability.op).platform);
    if (std::ranges::find(platforms, name) == platforms.end()) platforms.push_back(name);
  }
  return platforms;
}

std::vector<source_state> states_of(const core& core, const recent_calls::figures& hour) {
  const auto suspended = core.live.suspended->list(core.live.clock->steady());
  std::vector<source_state> states;
  for (const auto& source : core.live.sources) {
    source_state one;
    one.source = &source;
    if (!source.enabled) {
      one.state = "disabled";
    } else if (!source.missing.empty()) {
      one.state = "not_configured";
    }
    const auto left_alone = std::ranges::find_if(suspended, [&](const suspension& each) {
      return each.accounts == 0 && each.source == source.of->name;
    });
    if (left_alone != suspended.end()) {
      one.state = "suspended";
      one.code = describe(left_alone->code).name;
      one.retry_after_s = left_alone->left.count();
    }
    const auto found = hour.sources.find(source.of->name);
    if (found != hour.sources.end()) one.hour = found->second;
    states.push_back(std::move(one));
  }
  return states;
}

bool is_failing(const source_state& one) {
  const auto& hour = one.hour;
  return hour.asked > 0 &&
         static_cast<double>(hour.failed) > failing_share * static_cast<double>(hour.asked);
}

}  // namespace

void write_hour(model::object_writer& object, const recent_calls::figures& hour) {
  object.object("hour", [&](model::object_writer& to) {
    to.integer("calls", hour.calls);
    to.integer("failed", hour.failed);
    to.integer("p50_ms", hour.took.quantile(0.5));
    to.integer("p95_ms", hour.took.quantile(0.95));
    to.integer("step_s", std::chrono::seconds(recent_calls::step).count());
    to.objects("steps", hour.in_steps, [](model::object_writer& step, const auto& one) {
      step.integer("calls", one.first);
      step.integer("failed", one.second);
    });
    const std::vector<std::pair<std::string, std::int64_t>> codes(hour.codes.begin(),
                                                                  hour.codes.end());
    to.objects("codes", codes, [](model::object_writer& row, const auto& one) {
      row.exact("code", one.first);
      row.integer("calls", one.second);
    });
  });
}

void append_sources(std::string& out, const core& core, const recent_calls::figures& hour) {
  append_list(out, states_of(core, hour), [](std::string& text, const source_state& one) {
    model::object_writer row(text);
    row.exact("name", one.source->of->name);
    row.strings("platforms", platforms_of(*one.source->of));
    row.exact("state", one.state);
    row.text("code", one.code);
    row.integer("retry_after_s", one.retry_after_s);
    row.integer("asked", one.hour.asked);
    row.integer("failed", one.hour.failed);
    const bool known = one.hour.asked > 0;
    row.integer("p50_ms", known ? std::optional(one.hour.took.quantile(0.5)) : std::nullopt);
    row.text("last_error", one.hour.last_error);
    row.time("last_error_at", one.hour.last_error_at);
    row.close();
  });
}

std::string public_status(const core& of) {
  struct counts {
    std::int64_t sources = 0, answering = 0;
  };
  const auto hour = of.recent.show(0);
  std::map<std::string, counts> platforms;
  for (const auto& one : states_of(of, hour)) {
    if (one.state == "disabled" || one.state == "not_configured") continue;
    for (const auto& platform : platforms_of(*one.source->of)) {
      auto& to = platforms[platform];
      ++to.sources;
      if (one.state == "ok" && !is_failing(one)) ++to.answering;
    }
  }
  const bool takes_calls = of.accounts == nullptr || of.accounts->healthy();
  std::string out;
  model::object_writer object(out);
  object.flag("takes_calls", takes_calls);
  object.integer("p50_ms", hour.calls > 0 ? std::optional(hour.took.quantile(0.5)) : std::nullopt);
  const std::vector<std::pair<std::string, counts>> rows(platforms.begin(), platforms.end());
  object.objects("platforms", rows, [](model::object_writer& row, const auto& one) {
    const auto& [name, has] = one;
    row.exact("name", name);
    row.exact("state", has.answering == has.sources ? "ok"
                       : has.answering > 0          ? "partial"
                                                    : "down");
    row.integer("sources", has.sources);
    row.integer("answering", has.answering);
  });
  object.close();
  return out;
}

}  // namespace freshet::detail
