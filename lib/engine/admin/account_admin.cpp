// The typed face of run_admin_command(): JSON there, values here.
#include <base/json.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <freshet/account.hpp>

namespace freshet {
namespace {

namespace json = boost::json;

result<json::value> run(engine& accounts, std::string_view command, const json::object& arguments) {
  const auto answer = accounts.run_admin_command(command, json::serialize(arguments));
  if (!answer) return answer.error();
  return base::parse_json(*answer);
}

}  // namespace

result<account_info> account_admin::create(std::string_view email, std::string_view plan) {
  const auto made = run(*engine_, "accounts.create", {{"email", email}, {"plan", plan}});
  if (!made) return made.error();
  return account_info{base::text_of(base::member(*made, "id")),
                      base::text_of(base::member(*made, "email")),
                      base::text_of(base::member(*made, "plan")),
                      base::integer_of(base::member(*made, "balance")).value_or(0)};
}

result<key_info> account_admin::create_key(std::string_view email, bool test) {
  const auto made = run(*engine_, "keys.create", {{"email", email}, {"test", test}});
  if (!made) return made.error();
  return key_info{base::text_of(base::member(*made, "id")),
                  base::text_of(base::member(*made, "key"))};
}

result<std::int64_t> account_admin::grant(std::string_view email, std::int64_t credits,
                                          std::string_view reason) {
  const auto made =
      run(*engine_, "credits.grant", {{"email", email}, {"credits", credits}, {"reason", reason}});
  if (!made) return made.error();
  return base::integer_of(base::member(*made, "balance")).value_or(0);
}

}  // namespace freshet
