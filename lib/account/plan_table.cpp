// Checking the plans of the configuration.
#include <account/plan_table.hpp>
#include <account/rules/book.hpp>
#include <algorithm>

namespace freshet::account {

result<plan_table> plan_table::build(std::map<std::string, plan> configured,
                                     const test_key_rate& of_test_keys) {
  plan_table table;
  table.of_test_keys_ = of_test_keys;
  table.plans_ = std::move(configured);
  table.plans_.try_emplace("free");
  for (auto& [name, plan] : table.plans_) {
    plan.name = name;
    const auto rule = rate_rule::from(plan);
    if (!rule) return rule.error();
    if (plan.monthly.value < 0 || plan.monthly.value > max_grant)
      return error(
          errc::invalid_configuration,
          "plans." + name + ".monthly_credits must be from 0 to " + std::to_string(max_grant));
    const auto test_rule = rate_rule::from(table.for_test_keys(plan));
    if (!test_rule) return error(errc::invalid_configuration, "sandbox.rate cannot be kept");
    table.rates_.emplace(name, *rule);
    table.test_rates_.emplace(name, *test_rule);
  }
  return table;
}

const plan* plan_table::find(const std::string& name) const {
  const auto found = plans_.find(name);
  return found == plans_.end() ? nullptr : &found->second;
}

std::string plan_table::no_plan(std::string_view name) const {
  constexpr std::size_t most_named = 10;
  std::string text = "there is no plan '" + std::string(name) + "'; there is ";
  std::size_t named = 0;
  for (const auto& [known, plan] : plans_) {
    if (named == most_named) return text + ", …";
    text.append(named++ > 0 ? ", " : "").append(known);
  }
  return text;
}

plan plan_table::plan_called(const std::string& name, key_mode mode) const {
  const plan* const configured = find(name);
  plan called = configured != nullptr ? *configured : plan{.name = name, .monthly = {0}};
  return mode == key_mode::test ? for_test_keys(std::move(called)) : called;
}

rate_rule plan_table::rate_of(const std::string& name, key_mode mode) const {
  const auto& rates = mode == key_mode::test ? test_rates_ : rates_;
  const auto found = rates.find(name);
  return found == rates.end() ? rate_rule() : found->second;
}

plan plan_table::for_test_keys(plan of) const {
  of.rate = of_test_keys_.rate.value_or(std::max(of.rate, usual_test_rate));
  of.burst = of_test_keys_.burst.value_or(std::max(of.burst, usual_test_burst));
  // A burst must be able to run at once.
  of.concurrency = std::max(of.concurrency, of.burst);
  return of;
}

}  // namespace freshet::account
