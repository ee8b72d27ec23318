// Addresses and headers of requests for JSON.
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <sources/json_request.hpp>

namespace freshet::sources {

http::request json_request(std::string_view base, std::string_view path,
                           const query_pairs& parameters) {
  http::request out;
  out.url = base::join_path(base, path);
  if (!parameters.empty()) out.url += "?" + base::build_query(parameters);
  out.headers = {{"Accept", "application/json"}};
  return out;
}

http::request json_post(std::string_view base, std::string_view path,
                        const base::json::object& body) {
  auto out = json_request(base, path);
  out.method = "POST";
  out.body = boost::json::serialize(body);
  out.headers.push_back({"Content-Type", "application/json"});
  out.repeatable = true;
  return out;
}

}  // namespace freshet::sources
