// The whole book, by the configuration that says where it is.
#include <account/book.hpp>
#include <base/invalid_parameter.hpp>
#include <engine/admin/known_head.hpp>
#include <engine/settings/book_settings.hpp>
#include <freshet/book.hpp>

namespace freshet {

namespace detail {

result<std::optional<account::chain_head>> known_head(std::string_view text,
                                                      std::string_view pointer) {
  if (text.empty()) return std::optional<account::chain_head>();
  if (auto head = account::read_head_name(text)) return head;
  return base::invalid_parameter(pointer, "invalid_format",
                                 "give a head as it was printed: a row's number, a colon and 64 "
                                 "hexadecimal digits");
}

}  // namespace detail

namespace {

book_report report_of(const account::book_report& made) {
  book_report report;
  report.rows = made.rows;
  report.head = account::head_name(made.head);
  report.bytes = made.bytes;
  return report;
}

}  // namespace

result<book_report> back_up_book(const config& settings, const std::string& file, bool replaces,
                                 const book_watch& watch) {
  const auto at = detail::configured_book(settings);
  if (!at) return at.error();
  const auto made = account::back_up(*at, file, {replaces, watch});
  if (!made) return made.error();
  return report_of(*made);
}

result<book_report> restore_book(const config& settings, const std::string& file,
                                 const book_watch& watch) {
  const auto at = detail::configured_book(settings);
  if (!at) return at.error();
  const auto made = account::restore(file, *at, watch);
  if (!made) return made.error();
  return report_of(*made);
}

result<book_report> move_book(const config& settings, const std::string& source,
                              const book_watch& watch) {
  constexpr std::string_view scheme = "sqlite:";
  const auto to = detail::configured_book(settings);
  if (!to) return to.error();
  if (!source.starts_with(scheme))
    return error(errc::invalid_request, "--from: sqlite:PATH is expected");
  const auto made = account::move_book(source.substr(scheme.size()), *to, watch);
  if (!made) return made.error();
  return report_of(*made);
}

result<book_report> verify_book(const config& settings, const book_verification& options,
                                const book_watch& watch) {
  const auto at = detail::configured_book(settings);
  if (!at) return at.error();
  const auto known = detail::known_head(options.known_head);
  if (!known) return known.error();
  auto found = account::verify_book(*at, {*known, options.resumes, watch});
  if (!found) return found.error();
  book_report report;
  report.ok = found->ok;
  report.rows = found->rows;
  report.begun_after = found->begun_after;
  report.head = account::head_name(found->head);
  report.findings = std::move(found->findings);
  return report;
}

}  // namespace freshet
