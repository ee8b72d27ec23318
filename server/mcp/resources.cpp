// Two rows and a template.
#include <server/mcp/resources.hpp>

namespace freshet::server::mcp {

namespace json = boost::json;

json::array resources() {
  json::array out;
  out.push_back(json::object{{"uri", sources_uri},
                             {"name", "sources"},
                             {"title", "Sources"},
                             {"description", "Every source, what it serves and its settings"},
                             {"mimeType", "text/markdown"}});
  out.push_back(json::object{{"uri", description_uri},
                             {"name", "openapi"},
                             {"title", "The HTTP API"},
                             {"description", "The OpenAPI description"},
                             {"mimeType", "application/json"}});
  return out;
}

json::array resource_templates() {
  json::array out;
  out.push_back(json::object{
      {"uriTemplate", "freshet://document/{+url}"},
      {"name", "document"},
      {"title", "A page as markdown"},
      {"description", "The page at an http or https address; costs what scrape_markdown costs"},
      {"mimeType", "text/markdown"}});
  return out;
}

json::object one_text(std::string_view uri, std::string_view type, std::string_view text) {
  json::array contents;
  contents.push_back(json::object{{"uri", uri}, {"mimeType", type}, {"text", text}});
  json::object out;
  out["contents"] = std::move(contents);
  return out;
}

}  // namespace freshet::server::mcp
