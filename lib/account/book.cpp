// A draft is only kept when its ledger was replayed and found sound.
#include <account/book.hpp>

namespace freshet::account {
namespace {

bool go_on_always(std::string_view, std::int64_t, std::int64_t) { return true; }

/// Gives a draft its name if its ledger is sound; what is not is told as `code`.
result<book_report> keep_sound(book_draft& draft, errc code, const std::string& book,
                               const progress& watch) {
  const auto report = replay(draft, {.watch = watch});
  if (!report) return report.error();
  if (!report->ok) {
    std::string why = book + " is not sound: " + report->findings.front();
    if (report->findings.size() > 1)
      why += ", and " + std::to_string(report->findings.size() - 1) + " more";
    return error(code, std::move(why));
  }
  if (auto kept = draft.keep(); !kept) return kept.error();
  return book_report{report->rows, report->head, draft.bytes()};
}

}  // namespace

result<book_report> back_up(const book_place& place, const std::string& file,
                            const backup_options& options) {
  const progress watch = options.watch ? options.watch : go_on_always;
  const auto book = book_file::open(place);
  if (!book) return book.error();
  const auto draft = (*book)->begin_backup(file, options.replaces, watch);
  if (!draft) return draft.error();
  return keep_sound(**draft, errc::storage_unavailable, "the book, as it was copied,", watch);
}

result<book_report> restore(const std::string& file, const book_place& place,
                            const progress& watch) {
  const progress goes_on = watch ? watch : go_on_always;
  const auto draft = begin_restore(file, place, goes_on);
  if (!draft) return draft.error();
  return keep_sound(**draft, errc::invalid_request, file, goes_on);
}

result<book_report> move_book(const book_place& source, const book_place& target,
                              const progress& watch) {
  const progress goes_on = watch ? watch : go_on_always;
  if (auto copied = copy_to_database(source, target, goes_on); !copied) return copied.error();
  chain_head known;
  {
    const auto old = book_file::open(source);
    if (!old) return old.error();
    const auto read_known = [&](const chain_head& head, std::string_view) { known = head; };
    result<void> read_head;
    auto read = (*old)->read_snapshot(
        [&](ledger_snapshot& rows) { read_head = rows.read_head(read_known); });
    if (!read || !read_head) return read ? read_head.error() : read.error();
  }
  const auto report = verify_book(target, {.known = known, .watch = goes_on});
  if (!report) return report.error();
  if (report->ok && report->head.seq == known.seq)
    return book_report{report->rows, report->head, 0};
  return error(errc::storage_unavailable,
               "the book, as it was copied, is not sound: " +
                   (report->ok ? "it ends at another row" : report->findings.front()));
}

result<verify_report> verify_book(const book_place& place, const replay_options& options) {
  const auto book = book_file::open(place);
  if (!book) return book.error();
  return replay(**book, options);
}

}  // namespace freshet::account
