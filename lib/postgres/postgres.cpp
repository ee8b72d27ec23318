// Values go as text where they are numbers and as bytes where they are texts, so that no text is
// cut at a zero byte; rows come as bytes. What the server says stays out of what callers are told.
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <base/number.hpp>
#include <cerrno>
#include <postgres/postgres.hpp>

namespace freshet::postgres {
namespace {

constexpr int oldest_version = 150'000;
constexpr int bytes_as_they_are = 1;

/// What every connection is opened with, unless the address says otherwise: a server that is gone
/// is noticed within seconds.
constexpr std::pair<const char*, const char*> usual_parameters[] = {
    {"connect_timeout", "3"},     {"application_name", "freshet"}, {"keepalives_idle", "5"},
    {"keepalives_interval", "2"}, {"keepalives_count", "3"},       {"tcp_user_timeout", "10000"},
    {"client_encoding", "UTF8"}};

/// Beyond the statement's timeout, by which a server that is there has ended it. Those without a
/// timeout are waited for as long as they take.
constexpr std::chrono::seconds longest_silence{3};
/// Between two looks whether anything will come at all, and whether anybody wants it: longer than
/// most statements take, for it costs a connection to end one.
constexpr std::chrono::milliseconds look_interval{1'000}, glance_interval{100};
/// A server looks so often whether who asked is still connected, and ends the statement where not.
/// One whose system cannot tell refuses that, and ends it by its timeout.
constexpr const char* end_without_us = "SET client_connection_check_interval='500ms'";

/// Constraints, values and limits: 22, 23 and 54 of the SQL standard's classes.
bool is_fault_of_row(std::string_view state) noexcept {
  return state.starts_with("22") || state.starts_with("23") || state.starts_with("54");
}

constexpr std::string_view lock_not_available = "55P03";

/// What the texts of statements and of answers mean, whatever the database or who uses it is set
/// to.
constexpr const char* one_meaning =
    "; SET default_transaction_isolation='read committed'; SET array_nulls=on"
    "; SET transform_null_equals=off; SET standard_conforming_strings=on; SET TimeZone='UTC'"
    "; SET DateStyle='ISO'; SET idle_session_timeout=0";
/// How often it is looked at whether a pooler has two connections share one of the server's.
constexpr int most_looks = 5;

/// Of several hosts which one is wanted.
constexpr const char* wanted_host = "target_session_attrs";

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

struct conninfo {
  PQconninfoOption* all = nullptr;
  ~conninfo() { PQconninfoFree(all); }
};

}  // namespace

bool is_url(std::string_view text) noexcept {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

std::string shown_url(std::string_view url) {
  const auto host = url.find("://") + 3;
  const auto end = std::min(url.find_first_of("/?", host), url.size());
  const auto at = url.substr(0, end).rfind('@');
  const auto colon = url.find(':', host);
  std::string shown(url.substr(0, url.find('?')));
  if (at == std::string_view::npos || colon > at) return shown;
  return shown.erase(colon, at - colon);
}

void pg_connection::closer::operator()(pg_conn* handle) const noexcept { PQfinish(handle); }
void pg_connection::clearer::operator()(pg_result* answer) const noexcept { PQclear(answer); }

result<void> pg_connection::open(const connection_options& options) {
  if (auto made = connect(options); !made) return made;
  return prepare_session(options);
}

result<void> pg_connection::connect(const connection_options& options) {
  close();
  is_unwanted_ = false;
  char* why = nullptr;
  const conninfo parsed{PQconninfoParse(options.url.c_str(), &why)};
  if (parsed.all == nullptr) {
    error wrong(errc::invalid_configuration,
                "storage.database: " + first_line(why == nullptr ? "no memory" : why));
    PQfreemem(why);
    return wrong;
  }
  std::vector<const char*> names, values;
  bool has_several = false;
  for (const PQconninfoOption* one = parsed.all; one->keyword != nullptr; ++one) {
    if (one->val == nullptr) continue;
    names.push_back(one->keyword);
    values.push_back(one->val);
    has_several = has_several || (std::string_view(one->keyword).starts_with("host") &&
                                  std::string_view(one->val).find(',') != std::string_view::npos);
  }
  const auto add_usual = [&](const char* name, const char* usual) {
    const auto is_it = [name](const char* given) { return std::string_view(given) == name; };
    if (std::any_of(names.begin(), names.end(), is_it)) return;
    names.push_back(name);
    values.push_back(usual);
  };
  for (const auto& [name, usual] : usual_parameters) add_usual(name, usual);
  if (has_several) add_usual(wanted_host, options.wants_standby ? "prefer-standby" : "read-write");
  names.push_back(nullptr);
  values.push_back(nullptr);
  handle_.reset(PQconnectdbParams(names.data(), values.data(), 0));
  if (!handle_ || PQstatus(handle_.get()) != CONNECTION_OK) {
    const std::string said = handle_ ? PQerrorMessage(handle_.get()) : "no memory";
    close();
    return error(errc::storage_unavailable, first_line(said));
  }
  PQsetNoticeProcessor(
      handle_.get(), [](void*, const char*) {}, nullptr);
  answer_timeout_ = options.statement_timeout;
  if (answer_timeout_.count() != 0) answer_timeout_ += longest_silence;
  is_gone_ = options.is_gone;
  // Sending must not wait for ever, either.
  if (PQsetnonblocking(handle_.get(), 1) != 0) {
    close();
    return error(errc::storage_unavailable, "no memory");
  }
  return {};
}

int pg_connection::server_process() {
  const auto given = last_answer(PQsendQuery(handle_.get(), "SELECT pg_backend_pid()") == 1);
  if (PQresultStatus(given.get()) != PGRES_TUPLES_OK || PQntuples(given.get()) != 1) return 0;
  return base::parse_number<int>(PQgetvalue(given.get(), 0, 0)).value_or(0);
}

bool pg_connection::shares_session(const connection_options& options) {
  int own = server_process();
  if (own == 0 || own == PQbackendPID(handle_.get())) return false;  // no pooler
  pg_connection beside;
  if (!beside.connect(options)) return false;
  beside.answer_timeout_ = longest_silence;
  for (int look = 0; look < most_looks && beside.is_open(); ++look) {
    if (own != 0 && beside.server_process() == own) return true;
    own = server_process();
  }
  return false;
}

result<void> pg_connection::prepare_session(const connection_options& options) {
  const char* unfit = nullptr;
  const char* const letters = PQparameterStatus(handle_.get(), "server_encoding");
  const std::string_view encoding(letters == nullptr ? "UTF8" : letters);
  if (PQserverVersion(handle_.get()) < oldest_version)
    unfit = "PostgreSQL 15 or newer is needed";
  else if (encoding != "UTF8" && encoding != "SQL_ASCII")
    unfit = "the database cannot keep every text: make one with ENCODING 'UTF8' TEMPLATE template0";
  else if (shares_session(options))
    unfit =
        "a pooler gives this connection's session to others: have it keep sessions "
        "(pgbouncer: pool_mode = session), or name the server itself";
  if (unfit != nullptr) {
    close();
    return error(errc::invalid_configuration, std::string("storage.database: ") + unfit);
  }
  const std::string set =
      "SET statement_timeout=" + std::to_string(options.statement_timeout.count()) +
      "; SET lock_timeout=" + std::to_string(options.lock_timeout.count()) +
      "; SET idle_in_transaction_session_timeout=" + std::to_string(options.idle_timeout.count()) +
      one_meaning;
  if (execute(set.c_str()) == pg_outcome::done) {
    static_cast<void>(execute(end_without_us));
    if (is_open()) return {};
  }
  auto failed = last_error("opening the database");
  close();
  return failed;
}

void pg_connection::close() noexcept {
  handle_.reset();
  prepared_.clear();
}

bool pg_connection::is_open() const noexcept {
  return handle_ != nullptr && PQstatus(handle_.get()) == CONNECTION_OK;
}

bool pg_connection::in_transaction() const noexcept {
  return handle_ != nullptr && PQtransactionStatus(handle_.get()) != PQTRANS_IDLE;
}

void pg_connection::give_up(std::chrono::steady_clock::time_point began) {
  const auto waited =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
  close();
  said_ = is_unwanted_ ? "nobody waits for it any more"
                       : "the server has not answered for " + std::to_string(waited.count()) + " s";
}

bool pg_connection::await(short events, std::chrono::steady_clock::time_point began) {
  for (;;) {
    auto wait = look_interval;
    if (answer_timeout_.count() != 0) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          began + answer_timeout_ - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      wait = std::min(wait, left);
    }
    if (goes_on_) wait = std::min(wait, glance_interval);
    pollfd file{PQsocket(handle_.get()), events, 0};
    const int ready = ::poll(&file, 1, static_cast<int>(wait.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (is_gone_ && is_gone_()) return false;
    if (goes_on_ && !goes_on_()) {
      is_unwanted_ = true;
      return false;
    }
  }
}

pg_connection::answer pg_connection::next_answer() {
  const auto began = std::chrono::steady_clock::now();
  while (handle_ != nullptr) {
    const int unsent = PQflush(handle_.get());
    if (unsent <= 0 && PQisBusy(handle_.get()) == 0) return answer(PQgetResult(handle_.get()));
    if (!await(unsent > 0 ? POLLIN | POLLOUT : POLLIN, began)) {
      give_up(began);
      break;
    }
    // Where it is lost PQgetResult() says so.
    static_cast<void>(PQconsumeInput(handle_.get()));
  }
  return nullptr;
}

pg_connection::answer pg_connection::last_answer(bool is_sent) {
  answer last;
  if (!is_sent) return last;
  while (answer one = next_answer()) last = std::move(one);
  if (handle_ == nullptr) last.reset();  // what came before is no whole answer
  return last;
}

pg_outcome pg_connection::judge(const answer& given) {
  if (handle_ == nullptr) return is_unwanted_ ? pg_outcome::unwanted : pg_outcome::lost;
  const ExecStatusType status = given ? PQresultStatus(given.get()) : PGRES_FATAL_ERROR;
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY)
    return pg_outcome::done;
  said_ = first_line(PQerrorMessage(handle_.get()));
  if (PQstatus(handle_.get()) != CONNECTION_OK) return pg_outcome::lost;
  const char* const state = given ? PQresultErrorField(given.get(), PG_DIAG_SQLSTATE) : nullptr;
  if (state == nullptr) return pg_outcome::failed;
  if (std::string_view(state) == lock_not_available) return pg_outcome::held;
  return is_fault_of_row(state) ? pg_outcome::refused : pg_outcome::failed;
}

pg_outcome pg_connection::execute(const char* sql) {
  if (!is_open()) return pg_outcome::lost;
  return judge(last_answer(PQsendQuery(handle_.get(), sql) != 0));
}

pg_outcome pg_connection::execute(std::string_view stage, const char* sql) {
  return fails(stage) ? pg_outcome::failed : execute(sql);
}

pg_outcome pg_connection::execute_each(const char* sql, std::size_t& done) {
  done = 0;
  if (!is_open()) return pg_outcome::lost;
  if (PQsendQuery(handle_.get(), sql) == 0) return judge(nullptr);
  auto became = pg_outcome::done;
  while (const answer one = next_answer()) {
    const auto step = judge(one);
    if (step == pg_outcome::done)
      ++done;
    else
      became = step;
  }
  // A server that ends a connection says why, and then nothing more; one that stands still may have
  // said a part.
  return is_open() ? became : pg_outcome::lost;
}

result<std::int64_t> pg_connection::integer(const char* sql) {
  pg_statement query(*this, "query", sql);
  if (query.run() != pg_outcome::done || !query.next()) return last_error("reading");
  return query.integer(0);
}

bool pg_connection::await_notices(int wake, const std::function<void(std::string_view)>& notices) {
  if (!is_open()) return false;
  const auto take_all = [&] {
    bool any = false;
    while (PGnotify* const one = PQnotifies(handle_.get())) {
      const std::unique_ptr<PGnotify, void (*)(void*)> owned(one, &PQfreemem);
      notices(owned->extra);
      any = true;
    }
    return any;
  };
  // Some may have come with the answer to a statement.
  if (take_all()) return true;
  pollfd files[] = {{PQsocket(handle_.get()), POLLIN, 0}, {wake, POLLIN, 0}};
  if (::poll(files, std::size(files), -1) < 0) return errno == EINTR;
  if (PQconsumeInput(handle_.get()) == 0 || !is_open()) return false;
  static_cast<void>(take_all());
  return true;
}

error pg_connection::last_error(std::string_view doing) const {
  return error(errc::storage_unavailable,
               std::string(doing) + ": " + (said_.empty() ? "no connection" : said_));
}

const std::string* pg_connection::prepare(const std::string& sql, pg_outcome& became) {
  if (const auto known = prepared_.find(sql); known != prepared_.end()) return &known->second;
  const std::string name = "s" + std::to_string(prepared_.size());
  became =
      judge(last_answer(PQsendPrepare(handle_.get(), name.c_str(), sql.c_str(), 0, nullptr) != 0));
  if (became != pg_outcome::done) return nullptr;
  return &prepared_.emplace(sql, name).first->second;
}

void pg_array::separate() {
  if (!text_.empty()) text_ += ',';
}

void pg_array::add(std::int64_t value) {
  separate();
  text_ += std::to_string(value);
}

void pg_array::add(std::string_view text) {
  separate();
  text_ += '"';
  const auto is_escaped = [](char c) { return c == '"' || c == '\\'; };
  for (auto at = std::ranges::find_if(text, is_escaped); at != text.end();
       at = std::ranges::find_if(text, is_escaped)) {
    text_.append(text.begin(), at) += '\\';
    text_ += *at;
    text.remove_prefix(static_cast<std::size_t>(at - text.begin()) + 1);
  }
  text_ += text;
  text_ += '"';
}

void pg_array::add(pg_bytes bytes) {
  separate();
  text_ += "\"\\\\x";
  text_ += base::hex(bytes.bytes);
  text_ += '"';
}

void pg_array::add_null() {
  separate();
  text_ += "NULL";
}

void pg_statement::bind_one(std::int64_t number) {
  values_.push_back({std::to_string(number), false, false});
}

pg_outcome pg_statement::run() {
  answer_.reset();
  row_ = -1;
  const auto bound = std::exchange(values_, {});
  if (on_->fails(stage_)) return pg_outcome::failed;
  if (!on_->is_open()) return pg_outcome::lost;
  auto became = pg_outcome::done;
  const std::string* const name = on_->prepare(sql_, became);
  if (name == nullptr) return became;
  std::vector<const char*> texts;
  std::vector<int> sizes, forms;
  for (const value& one : bound) {
    // What is not sent as bytes ends at its first zero.
    if (!one.is_binary && one.bytes.find('\0') != std::string::npos) return pg_outcome::refused;
    texts.push_back(one.is_null ? nullptr : one.bytes.c_str());
    sizes.push_back(static_cast<int>(one.bytes.size()));
    forms.push_back(one.is_binary ? bytes_as_they_are : 0);
  }
  answer_ = on_->last_answer(
      PQsendQueryPrepared(on_->handle_.get(), name->c_str(), static_cast<int>(bound.size()),
                          texts.data(), sizes.data(), forms.data(), bytes_as_they_are) != 0);
  became = on_->judge(answer_);
  if (became != pg_outcome::done) answer_.reset();
  return became;
}

bool pg_statement::next() noexcept { return answer_ && ++row_ < PQntuples(answer_.get()); }

std::size_t pg_statement::rows() const noexcept {
  return answer_ ? static_cast<std::size_t>(PQntuples(answer_.get())) : 0;
}

std::int64_t pg_statement::changed() const noexcept {
  if (!answer_) return 0;
  return base::parse_number<std::int64_t>(PQcmdTuples(answer_.get())).value_or(0);
}

std::int64_t pg_statement::integer(int column) const noexcept {
  const std::string_view bytes = text(column);
  if (bytes.empty()) return 0;
  // Of the width that the column has, the highest byte first; only eight are ever below zero here.
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(number);
}

std::string_view pg_statement::text(int column) const noexcept {
  if (!answer_ || PQgetisnull(answer_.get(), row_, column) != 0) return {};
  return {PQgetvalue(answer_.get(), row_, column),
          static_cast<std::size_t>(PQgetlength(answer_.get(), row_, column))};
}

bool pg_statement::is_null(int column) const noexcept {
  return !answer_ || PQgetisnull(answer_.get(), row_, column) != 0;
}

}  // namespace freshet::postgres
