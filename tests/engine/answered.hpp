// A call that has to succeed, and its answer as its schema says.
#pragma once

#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <support/print_result.hpp>
#include <support/schema_check.hpp>

namespace freshet::test {

inline boost::json::value answered(client& client, const std::string& endpoint,
                                   const boost::json::object& body) {
  request what;
  what.endpoint = endpoint;
  what.body = boost::json::serialize(body);
  const auto answer = client.call(std::move(what));
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  auto parsed = base::parse_json(answer.body, true);
  REQUIRE(parsed);
  CHECK(envelope_problems(*parsed, *catalog::find_endpoint(endpoint)) ==
        std::vector<std::string>{});
  return std::move(*parsed);
}

}  // namespace freshet::test
