// From the catalogue's tools, the table of sources and the description to what clients list.
#include <boost/json/parse.hpp>
#include <server/mcp/offers.hpp>
#include <server/mcp/prompts.hpp>
#include <server/mcp/resources.hpp>
#include <utility>

namespace freshet::server::mcp {

namespace json = boost::json;

offers make_offers(const std::string& tools, std::string sources,
                   std::function<std::string()> description) {
  offers out;
  boost::system::error_code failed;
  json::value read = json::parse(tools, failed);
  if (!failed && read.is_array()) out.tools = std::move(read.get_array());
  out.resources = resources();
  out.resource_templates = resource_templates();
  out.prompts = prompts();
  out.capabilities = {{"tools", json::object()},
                      {"resources", json::object()},
                      {"prompts", json::object()},
                      {"completions", json::object()},
                      {"logging", json::object()}};
  out.stateless_capabilities = out.capabilities;
  out.sources = std::move(sources);
  if (description) {
    out.description =
        std::make_shared<late_document>(std::string(description_uri), std::move(description));
  }
  prepare(out);
  return out;
}

void prepare(offers& all) {
  const auto list = [&](std::string_view method, std::string_view name, const json::array& items) {
    json::object result;
    result[name] = items;
    all.lists.insert_or_assign(std::string(method), prepare_result(result));
  };
  list("tools/list", "tools", all.tools);
  list("resources/list", "resources", all.resources);
  list("resources/templates/list", "resourceTemplates", all.resource_templates);
  list("prompts/list", "prompts", all.prompts);
  all.documents.insert_or_assign(
      std::string(sources_uri),
      prepare_result(one_text(sources_uri, "text/markdown", all.sources)));
}

const json::object* find_tool(const offers& offers, std::string_view name) {
  for (const json::value& one : offers.tools) {
    if (text_at(one.get_object(), "name") == name) return &one.get_object();
  }
  return nullptr;
}

}  // namespace freshet::server::mcp
