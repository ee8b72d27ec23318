// The plans that are configured, each with its rate as it is counted. Built once, then only read.
#pragma once

#include <account/rules/rate_limit.hpp>
#include <map>

namespace freshet::account {

class plan_table {
 public:
  /// There is always one called "free". Error: invalid_configuration (a rate that cannot be kept,
  /// monthly credits out of bounds).
  [[nodiscard]] static result<plan_table> build(std::map<std::string, plan> configured,
                                                const test_key_rate& of_test_keys);
  /// Null for one that is not configured.
  [[nodiscard]] const plan* find(const std::string& name) const;
  /// What is said where one is not found: its name, and those that there are.
  [[nodiscard]] std::string no_plan(std::string_view name) const;
  /// For a plan that is no longer configured: one that is given nothing. To a test key it is the
  /// plan with the rate of test keys.
  [[nodiscard]] plan plan_called(const std::string& name, key_mode mode) const;
  [[nodiscard]] rate_rule rate_of(const std::string& name, key_mode mode) const;

 private:
  [[nodiscard]] plan for_test_keys(plan of) const;

  std::map<std::string, plan> plans_;
  std::map<std::string, rate_rule> rates_, test_rates_;
  test_key_rate of_test_keys_;
};

}  // namespace freshet::account
