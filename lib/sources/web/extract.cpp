// scrape/extract: the page is asked for as scrape/markdown asks for it, and what it says for
// machines becomes the value that the caller's schema describes.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <base/work.hpp>
#include <extract/extract.hpp>
#include <html/charset.hpp>
#include <iterator>
#include <sources/read_answer.hpp>
#include <sources/web/wire.hpp>

namespace freshet::sources::web {
namespace {

bool is_markup(const http::response& answer) {
  const auto type = base::to_lower_ascii(http::find_header(answer.headers, "content-type"));
  return is_html(answer) || type.find("html") != std::string::npos;
}

result<extract::extracted_data> extract_counted(const extract::source_page& page,
                                                const extract::schema& schema,
                                                base::meter* counted) {
  try {
    return extract::extract(page, schema, counted);
  } catch (const base::work_ended& ended) {
    if (ended.code() != errc::unsupported_content) throw;
    return error(errc::unsupported_content,
                 "to look for what the schema wants takes far more work than on pages of this "
                 "size; begin with a narrower x-selector, or nest fewer of them");
  }
}

}  // namespace

result<http::request> plan_extract(const call& call, const settings& settings,
                                   std::string_view position) {
  auto request = plan_page(call, settings, position);
  if (request) request->pdf_as_html = false;
  return request;
}

result<step> read_extract(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (auto problem = error_of_page(answer)) return *std::move(problem);
  if (sniff(answer).block_page) {
    return answer_error(errc::source_blocked, "the site answered with a challenge", answer);
  }
  if (!is_markup(answer)) {
    return answer_error(errc::unsupported_content, "only HTML has what a schema could ask for",
                        answer);
  }
  const std::string& address = answer.final_url.empty() ? exchange.call.url : answer.final_url;
  listing out;
  if (auto further = lead_on(exchange, address, plan_extract, out.warnings))
    return *std::move(further);
  const auto schema = extract::schema::compile(exchange.call.schema, "/schema");
  if (!schema) return schema.error();
  const auto type = http::find_header(answer.headers, "content-type");
  std::string storage;
  const auto decoded = html::to_utf8_view(answer.body, type, storage);
  auto made = extract_counted({decoded.text, address, decoded.charset}, *schema, exchange.meter);
  if (!made) return made.error();
  auto& found = *made;
  extraction item;
  item.url = base::canonical_url(address);
  item.id = "web:" + item.url;
  item.source = "web";
  item.value = std::move(found.value);
  item.provenance = std::move(found.sources);
  item.missing = std::move(found.missing);
  item.final_url = address;
  item.status_code = answer.status;
  item.content_type = type;
  std::ranges::move(found.warnings, std::back_inserter(out.warnings));
  out.items.emplace_back(std::move(item));
  return step{std::move(out)};
}

}  // namespace freshet::sources::web
