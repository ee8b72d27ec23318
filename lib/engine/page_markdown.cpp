// A page or a PDF that is at hand as markdown, without an engine.
#include <base/url.hpp>
#include <engine/runtime/environment.hpp>
#include <freshet/engine.hpp>
#include <markdown/blocks/report.hpp>
#include <markdown/page.hpp>
#include <pdf/convert.hpp>

namespace freshet {

result<document> to_markdown(std::string_view html, const markdown_options& options,
                             std::vector<std::string>* warnings, std::string* explanation) {
  markdown::page_options chosen;
  markdown::choice_report report;
  if (explanation != nullptr) chosen.report = &report;
  if (options.mode != "article" && options.mode != "page") {
    return error(errc::invalid_request, "mode: '" + options.mode + "' is neither article nor page");
  }
  if (options.links != "inline" && options.links != "footnotes" && options.links != "none") {
    return error(errc::invalid_request,
                 "links: '" + options.links + "' is not inline, footnotes or none");
  }
  if (options.safety != "report" && options.safety != "strip" && options.safety != "refuse") {
    return error(errc::invalid_request,
                 "safety: '" + options.safety + "' is not report, strip or refuse");
  }
  if (const auto from = base::parse_url(options.url);
      !options.url.empty() && (!from || !from->is_http())) {
    return error(errc::invalid_request,
                 "url: '" + options.url + "' is not an absolute http or https URL");
  }
  if (options.safety == "strip") chosen.safety = markdown::safety_mode::strip;
  if (options.safety == "refuse") chosen.safety = markdown::safety_mode::refuse;
  if (options.mode == "page") chosen.mode = markdown::page_mode::page;
  if (options.links == "footnotes") chosen.links = markdown::link_style::footnotes;
  if (options.links == "none") chosen.links = markdown::link_style::none;
  chosen.include = options.include;
  chosen.exclude = options.exclude;
  chosen.images = options.images;
  std::string content_type = options.content_type;
  result<pdf::converted_document> read = pdf::converted_document{};
  if (pdf::is_pdf(html)) {
    const auto bounds = detail::configure_pdf({});
    read = pdf::convert(html, bounds, std::chrono::steady_clock::now() + bounds.time);
    if (!read) return read.error();
    html = read->html;
    content_type = "text/html; charset=utf-8";
    chosen.mode = markdown::page_mode::page;  // a PDF has nothing around its content
  }
  auto made = markdown::convert({html, content_type, options.url}, chosen);
  if (!made) return made.error();
  made->warnings.insert(made->warnings.begin(), read->warnings.begin(), read->warnings.end());
  if (warnings != nullptr) *warnings = std::move(made->warnings);
  if (explanation != nullptr) *explanation = markdown::explain(report);
  auto& page = made->document;
  page.source = "web";
  page.id = "web:" + (page.url.empty() ? std::string("local") : page.url);
  return std::move(page);
}

}  // namespace freshet
