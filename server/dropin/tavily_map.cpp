// Tavily's /map: the addresses alone, in the order of scrape/map. What that call warns of comes in
// `warnings`, which Tavily has not.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <server/dropin/searching.hpp>
#include <server/dropin/shapes.hpp>
#include <server/dropin/tavily_map.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr route map_route = route::tavily_map;
constexpr std::int64_t usual_addresses = 50, most_addresses = 1000;
constexpr std::chrono::milliseconds most_map_time{120'000};  // the catalogue's

struct map_state {
  std::string url;
  wish wanted;
  bool with_usage = false;
  std::vector<remark> warnings;
  std::string request_id;
};

response answer_of_map(const map_state& state, const response& found, std::int64_t credits,
                       std::chrono::milliseconds elapsed) {
  if (!found.ok()) return shape_of(map_route, found);
  const search_findings listed = read_results(found, state.wanted);
  json::array warnings = lines_of(state.warnings);
  for (const std::string& one : listed.warnings) warnings.emplace_back(one);
  json::array addresses;
  for (const json::object& one : listed.items) addresses.emplace_back(text_of(one, "url"));
  json::object body{{"base_url", state.url},
                    {"results", std::move(addresses)},
                    {"response_time", in_hundredths(elapsed)},
                    {"request_id", state.request_id}};
  if (state.with_usage) body["usage"] = json::object{{"credits", credits}};
  if (!warnings.empty()) body["warnings"] = std::move(warnings);
  response out;
  out.body = json::serialize(body);
  return out;
}

}  // namespace

composition compose_tavily_map(const json::object& body, field_remarks& said,
                               const std::string& request_id) {
  const field_reader from(map_route, body, said);
  const auto state = std::make_shared<map_state>();
  state->url = from.text("url");
  if (state->url.empty()) from.refuse("url", "give the address of a page of the site");
  state->with_usage = from.flag("include_usage", false);
  state->request_id = request_id;
  inner_call call{"scrape/map", {{"url", with_scheme(state->url)}}};
  state->wanted.limit = from.whole("limit", 1, most_addresses).value_or(usual_addresses);
  call.parameters["limit"] = state->wanted.limit;
  if (const auto time = from.seconds("timeout", 1, 150)) {  // as there
    call.parameters["timeout_ms"] = std::min(*time, most_map_time).count();
  }
  state->warnings = said.warnings;

  composition out;
  out.first.push_back(std::move(call));
  out.finish = [state](std::vector<response> first, std::vector<response>, std::int64_t credits,
                       std::chrono::milliseconds elapsed) {
    return answer_of_map(*state, first.front(), credits, elapsed);
  };
  return out;
}

}  // namespace freshet::server::dropin
