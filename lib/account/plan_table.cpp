// Checking the plans of the configuration.
#include <account/plan_table.hpp>
#include <account/rules/book.hpp>

namespace freshet::account {

result<plan_table> plan_table::build(std::map<std::string, plan> configured) {
  plan_table table;
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
    table.rates_.emplace(name, *rule);
  }
  return table;
}

const plan* plan_table::find(const std::string& name) const {
  const auto found = plans_.find(name);
  return found == plans_.end() ? nullptr : &found->second;
}

plan plan_table::plan_called(const std::string& name) const {
  if (const plan* const configured = find(name)) return *configured;
  return {.name = name, .monthly = {0}};
}

rate_rule plan_table::rate_of(const std::string& name) const {
  const auto found = rates_.find(name);
  return found == rates_.end() ? rate_rule() : found->second;
}

}  // namespace freshet::account
