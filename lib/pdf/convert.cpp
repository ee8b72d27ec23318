// Two runs over one file in memory: pdftotext for the words in the order of reading, pdftohtml for
// their type and links.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <pdf/convert.hpp>
#include <pdf/html.hpp>
#include <process/run.hpp>

namespace freshet::pdf {
namespace {

using clock = std::chrono::steady_clock;

constexpr int file_descriptor = 3;
constexpr const char* file_path = "/proc/self/fd/3";
/// A head may be preceded by a little of anything, as Acrobat has it.
constexpr std::size_t head_within = 1024;

constexpr const char* ended_reading = "the reading of the PDF was ended";

error unreadable(std::string why) { return error(errc::unsupported_content, std::move(why)); }

struct conversion {
  const conversion_options& with;
  const process::file_descriptor& file;
  process::bounds within;
  const process::walls& walls;
  reading_course& course;
};

result<std::string> run_program(const char* name, std::vector<std::string> arguments,
                                const conversion& conversion) {
  process::command_line what;
  what.program = conversion.with.folder + "/" + name;
  what.arguments = std::move(arguments);
  what.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/"};
  what.behind = &conversion.walls;
  what.address_space = conversion.with.memory_bytes * 2;
  what.cpu_seconds = static_cast<std::uint64_t>(conversion.with.time.count() / 1000) + 1;
  what.file_bytes = 1;  // they write to us and nowhere else
  const std::array<process::inherited_file, 1> file{{{conversion.file.number(), file_descriptor}}};
  auto done = process::run(what, "", conversion.within, file);
  if (!done) return done.error();
  conversion.course.processor += done->processor;
  switch (done->how) {
    case process::outcome::stopped:
      return error(errc::cancelled, ended_reading);
    case process::outcome::out_of_time:
      return unreadable("the PDF takes too long to read");
    case process::outcome::too_much_memory:
    case process::outcome::too_much_output:
      return unreadable("the PDF is too large to read");
    case process::outcome::ended:
      break;
  }
  if (done->end.signal != 0) return unreadable("the PDF is too large, or broken");
  if (done->errors.find("ncorrect password") != std::string::npos) {
    return unreadable("the PDF is encrypted and asks for a password");
  }
  if (!done->end.is_success()) return unreadable("the PDF is broken and cannot be read");
  return std::move(done->output);
}

/// From what pdftotext wrote, and what pdftohtml has to add, to HTML.
result<converted_document> read_outputs(std::string_view layout, const conversion& conversion,
                                        const std::string& last, reading_meter& counted) {
  text_document read = read_layout(layout, counted);
  if (!has_text(read)) return unreadable("the PDF holds no text: its pages are pictures");
  const auto styles = run_program(
      "pdftohtml",
      {"-xml", "-i", "-q", "-zoom", "1", "-stdout", "-enc", "UTF-8", "-l", last, file_path},
      conversion);
  if (styles) add_styles(read, *styles, counted);
  if (!styles && styles.error().code() == errc::cancelled) return styles.error();
  converted_document out;
  if (!styles) out.warnings.emplace_back("pdf: headings and links could not be told");
  if (read.pages.size() > static_cast<std::size_t>(conversion.with.max_pages)) {
    read.pages.resize(static_cast<std::size_t>(conversion.with.max_pages));
    out.warnings.push_back("pdf: only the first " + std::to_string(conversion.with.max_pages) +
                           " pages were read");
  }
  out.html = base::repair_utf8(to_html(std::move(read), counted));
  return out;
}

}  // namespace

bool is_pdf(std::string_view body) noexcept {
  return body.substr(0, head_within).find("%PDF-") != std::string_view::npos;
}

result<converted_document> convert(std::string_view body, const conversion_options& options,
                                   clock::time_point deadline, reading_course* course) {
  reading_course own;
  reading_course& told = course != nullptr ? *course : own;
  if (options.folder.empty()) {
    return unreadable(
        "PDFs cannot be read here: install poppler's programs (Debian: apt-get install "
        "poppler-utils) or name their folder in pdf.folder");
  }
  const process::walls& walls = options.walls->get();
  if (!walls.refusal.empty()) return unreadable("PDFs are not read here: " + walls.refusal);
  const auto now = clock::now();
  if (deadline <= now) return error(errc::source_timeout, "no time was left to read the PDF");
  auto file = process::make_memory_file(body);
  if (!file) return file.error();
  process::bounds within;
  within.by = std::min(deadline, now + options.time);
  within.output_bytes = max_output_bytes;
  within.memory_bytes = options.memory_bytes;
  within.stop = told.stop;
  const conversion of{options, *file, within, walls, told};
  // One more than is given, to know whether there are more.
  const std::string last = std::to_string(options.max_pages + 1);
  const auto layout =
      run_program("pdftotext", {"-bbox-layout", "-enc", "UTF-8", "-l", last, file_path, "-"}, of);
  if (!layout) return layout.error();
  reading_meter counted(told.stop, deadline);
  auto made = [&]() -> result<converted_document> {
    try {
      return read_outputs(*layout, of, last, counted);
    } catch (const base::work_ended& ended) {
      if (ended.code() == errc::cancelled) return error(errc::cancelled, ended_reading);
      return error(errc::source_timeout, "no time was left to read the PDF");
    }
  }();
  told.steps = counted.spent();
  return made;
}

}  // namespace freshet::pdf
