// What a plan does not say is what account::plan has, but for how much may run at once.
#include <algorithm>
#include <engine/settings/plan_settings.hpp>

namespace freshet::detail {

std::map<std::string, account::plan> configured_plans(const config& from) {
  std::map<std::string, account::plan> plans;
  auto names = from.names_under("plans");
  names.push_back("free");
  for (const auto& name : names) {
    const auto prefix = "plans." + name + ".";
    account::plan one;
    one.name = name;
    one.monthly.value = from.integer(prefix + "monthly_credits").value_or(one.monthly.value);
    one.rate = from.number(prefix + "rate").value_or(one.rate);
    one.burst = from.integer(prefix + "burst").value_or(one.burst);
    // A burst must be able to run at once, unless the configuration says otherwise.
    one.concurrency =
        from.integer(prefix + "concurrency").value_or(std::max(one.concurrency, one.burst));
    one.bytes_in_flight = from.integer(prefix + "bytes_in_flight").value_or(one.bytes_in_flight);
    one.processor_share = from.number(prefix + "processor_share").value_or(one.processor_share);
    one.browser_share = from.number(prefix + "browser_share").value_or(one.browser_share);
    plans[name] = one;
  }
  return plans;
}

}  // namespace freshet::detail
