// A page to markdown: the options read from JSON, the document and its warnings written as JSON.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <freshet/engine.hpp>

#include "guard.hpp"

namespace freshet::capi {
namespace {

namespace json = boost::json;

constexpr std::size_t max_html_bytes = 16u << 20;

bool read_text(const json::value& value, std::string& out) {
  if (value.is_string()) out = value.get_string();
  return value.is_string();
}

bool read_texts(const json::value& value, std::vector<std::string>& out) {
  if (!value.is_array()) return false;
  for (const auto& each : value.get_array()) {
    if (!read_text(each, out.emplace_back())) return false;
  }
  return true;
}

bool read_flag(const json::value& value, bool& out) {
  if (value.is_bool()) out = value.get_bool();
  return value.is_bool();
}

result<markdown_options> read_options(std::string_view text) {
  markdown_options made;
  const auto read = options_in(text);
  if (!read) return read.error();
  for (const auto& [name, value] : *read) {
    const bool fine = (name == "mode" && read_text(value, made.mode)) ||
                      (name == "url" && read_text(value, made.url)) ||
                      (name == "content_type" && read_text(value, made.content_type)) ||
                      (name == "links" && read_text(value, made.links)) ||
                      (name == "safety" && read_text(value, made.safety)) ||
                      (name == "include" && read_texts(value, made.include)) ||
                      (name == "exclude" && read_texts(value, made.exclude)) ||
                      (name == "images" && read_flag(value, made.images));
    if (fine) continue;
    return error(errc::invalid_request, "options: '" + std::string(name) +
                                            "' is unknown or of the wrong type; mode, url, "
                                            "content_type, links and safety are texts, include and "
                                            "exclude lists, images a boolean");
  }
  return made;
}

response answer_of(const document& page, const std::vector<std::string>& warnings) {
  response made;
  const auto data = item_json(page);
  json::array said;
  for (const auto& each : warnings) said.emplace_back(each);
  made.body = R"({"data":)";
  made.data_offset = made.body.size();
  made.data_size = data.size();
  made.body.append(data).append(R"(,"meta":{"warnings":)").append(json::serialize(said));
  made.body.append("}}");
  return made;
}

}  // namespace
}  // namespace freshet::capi

using freshet::errc;
using freshet::error;
using freshet::capi::failure;
using freshet::capi::guard;
using freshet::capi::text_in;

extern "C" freshet_result* freshet_markdown(const char* html, size_t html_size, const char* options,
                                            size_t options_size) {
  return guard([&]() -> freshet_result* {
    const auto page = text_in(html, html_size, "html");
    if (!page) return failure(page.error());
    if (page->size() > freshet::capi::max_html_bytes) {
      return failure(error(errc::payload_too_large, "html: at most 16 MiB are read"));
    }
    const auto text = text_in(options, options_size, "options");
    if (!text) return failure(text.error());
    const auto chosen = freshet::capi::read_options(*text);
    if (!chosen) return failure(chosen.error());
    std::vector<std::string> warnings;
    const auto made = freshet::to_markdown(*page, *chosen, &warnings);
    if (!made) return failure(made.error());
    auto answer = freshet::capi::answer_of(*made, warnings);
    return freshet::capi::take(answer);
  });
}
