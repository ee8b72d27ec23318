// A file of its own, one in the data folder, or a database of PostgreSQL.
#include <engine/settings/book_settings.hpp>
#include <postgres/read_replica.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view usual_name = "/freshet.db";

}  // namespace

result<account::book_place> configured_book(const config& from) {
  const auto named = from.text("storage.database");
  const auto folder = from.text("storage.data_dir");
  constexpr std::string_view scheme = "sqlite:";
  if (named.starts_with(scheme)) return account::book_place(named.substr(scheme.size()));
  if (!named.empty() && !postgres::is_url(named)) {
    return error(errc::invalid_configuration,
                 "storage.database: sqlite:PATH or postgresql://… is expected, and it is neither");
  }
  if (folder.empty()) {
    return error(errc::invalid_configuration,
                 named.empty() ? "storage.data_dir: name the folder of the database"
                               : "storage.data_dir: name the folder of the pepper");
  }
  if (!named.empty()) return account::book_place(named, folder);
  return account::book_place(folder + std::string(usual_name));
}

std::shared_ptr<postgres::read_replica> open_replica(const config& settings,
                                                     const log_function& log) {
  postgres::replica_options options;
  options.url = settings.text("storage.replica");
  if (options.url.empty()) return nullptr;
  options.primary_url = settings.text("storage.database");
  options.most_behind =
      std::chrono::seconds(settings.integer("storage.replica_behind_s").value_or(10));
  options.changed = [log, place = postgres::shown_url(options.url)](bool is_fit,
                                                                    std::string_view why) {
    if (is_fit) return log("info", "reports are read at the replica " + place);
    log("warn",
        "reports are read in the database, not at the replica " + place + ": " + std::string(why));
  };
  auto opened = std::make_shared<postgres::read_replica>(std::move(options));
  opened->start();
  return opened;
}

account::answer_limits configured_answers(const config& settings) {
  account::answer_limits limits;
  limits.of_account =
      settings.integer("storage.idempotency_bytes_per_account").value_or(limits.of_account);
  limits.of_all = settings.integer("storage.idempotency_bytes").value_or(limits.of_all);
  return limits;
}

std::string file_of(const account::book_place& book) {
  return book.folder.empty() ? book.database : book.folder + std::string(usual_name);
}

}  // namespace freshet::detail
