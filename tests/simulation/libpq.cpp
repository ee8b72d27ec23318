// libpq, as far as lib/postgres asks for it, over the simulated database.
#include <libpq-fe.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <simulation/connections.hpp>
#include <simulation/database.hpp>

using namespace freshet::simulation;

/// Its address is that of `pg_conn`.
struct pg_conn {
  connection inside;
  bool is_bad = true;
};
struct pg_result {
  answer inside;
};

namespace {

constexpr int first_file = 1'000'000;
std::map<int, pg_conn*> files;
int next_file = first_file;

/// Whether it was sent.
bool ask(pg_conn& asker, std::vector<statement> all, bool is_prepared) {
  if (asker.is_bad || asker.inside.is_broken) {
    asker.is_bad = true;
    return false;
  }
  database::current()->send(asker.inside, std::move(all), is_prepared);
  return true;
}

pg_result* result_of(answer given) { return new pg_result{std::move(given)}; }  // NOLINT

/// Texts between "; ", but for a block, which is one.
std::vector<statement> split(std::string_view text) {
  std::vector<statement> all;
  if (text.starts_with("DO ")) return {{std::string(text), {}, {}}};
  while (!text.empty()) {
    const auto end = std::min(text.find("; "), text.size());
    all.push_back({std::string(text.substr(0, end)), {}, {}});
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return all;
}

}  // namespace

bool freshet::simulation::is_connection(int file) noexcept { return file >= first_file; }
bool freshet::simulation::can_be_read(int file) noexcept {
  const auto found = files.find(file);
  if (found == files.end()) return true;
  const connection& one = found->second->inside;
  return one.is_broken || !one.notices.empty() || (one.is_answered && !one.is_heard);
}

std::vector<int> freshet::simulation::connections() {
  std::vector<int> all;
  for (const auto& [file, one] : files) all.push_back(file);
  return all;
}

extern "C" {

PQconninfoOption* PQconninfoParse(const char*, char**) {
  return static_cast<PQconninfoOption*>(std::calloc(1, sizeof(PQconninfoOption)));  // NOLINT
}
void PQconninfoFree(PQconninfoOption* all) { std::free(all); }  // NOLINT
void PQfreemem(void* memory) { std::free(memory); }             // NOLINT

PGconn* PQconnectdbParams(const char* const*, const char* const*, int) {
  auto* const made = new pg_conn;  // NOLINT
  made->inside.file = next_file++;
  files[made->inside.file] = made;
  database::current()->open(made->inside);
  made->is_bad = !made->inside.is_open;
  return made;
}
void PQfinish(PGconn* on) {
  if (on == nullptr) return;
  database::current()->close(on->inside);
  files.erase(on->inside.file);
  delete on;  // NOLINT
}
ConnStatusType PQstatus(const PGconn* on) { return on->is_bad ? CONNECTION_BAD : CONNECTION_OK; }
char* PQerrorMessage(const PGconn*) {
  static char text[] = "as the simulation has it";
  return text;
}
int PQserverVersion(const PGconn*) { return 150'000; }
const char* PQparameterStatus(const PGconn*, const char*) { return nullptr; }
int PQbackendPID(const PGconn*) { return 0; }
PQnoticeProcessor PQsetNoticeProcessor(PGconn*, PQnoticeProcessor, void*) { return nullptr; }
PGTransactionStatusType PQtransactionStatus(const PGconn* on) {
  return on->is_bad ? PQTRANS_UNKNOWN : on->inside.is_in ? PQTRANS_INTRANS : PQTRANS_IDLE;
}

int PQsetnonblocking(PGconn*, int) { return 0; }
int PQflush(PGconn*) { return 0; }
int PQsendQuery(PGconn* asker, const char* sql) { return ask(*asker, split(sql), false) ? 1 : 0; }
int PQisBusy(PGconn* on) {
  const connection& in = on->inside;
  return on->is_bad || in.is_broken || in.is_heard ? 0 : 1;
}
PGresult* PQgetResult(PGconn* on) {
  connection& in = on->inside;
  if (in.is_broken && !in.is_heard) on->is_bad = true;
  if (on->is_bad || in.taken >= in.answers.size()) return nullptr;
  return result_of(in.answers[in.taken++]);
}
/// Known at once: what is prepared wrongly ends the simulation when it is run.
int PQsendPrepare(PGconn* asker, const char* name, const char* sql, int, const Oid*) {
  connection& in = asker->inside;
  asker->is_bad = asker->is_bad || in.is_broken;
  if (asker->is_bad) return 0;
  in.prepared[name] = sql;
  in.answers = {{}};
  in.taken = 0;
  in.is_answered = in.is_heard = true;
  return 1;
}
int PQsendQueryPrepared(PGconn* asker, const char* name, int count, const char* const* values,
                        const int* sizes, const int* forms, int) {
  statement one{asker->inside.prepared.at(name), {}, {}};
  for (int i = 0; i < count; ++i) {
    one.is_bytes.push_back(forms[i] != 0);
    if (values[i] == nullptr)
      one.given.emplace_back();
    else
      one.given.emplace_back(
          std::in_place, values[i],
          forms[i] != 0 ? static_cast<std::size_t>(sizes[i]) : std::strlen(values[i]));
  }
  return ask(*asker, {std::move(one)}, true) ? 1 : 0;
}

ExecStatusType PQresultStatus(const PGresult* of) {
  if (of == nullptr || !of->inside.state.empty()) return PGRES_FATAL_ERROR;
  return of->inside.gives_rows ? PGRES_TUPLES_OK : PGRES_COMMAND_OK;
}
char* PQresultErrorField(const PGresult* given, int) {
  return const_cast<char*>(given->inside.state.c_str());  // NOLINT
}
void PQclear(PGresult* of) { delete of; }  // NOLINT
int PQntuples(const PGresult* of) { return static_cast<int>(of->inside.rows.size()); }
char* PQgetvalue(const PGresult* given, int row, int column) {
  auto& value = given->inside.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  return const_cast<char*>(value ? value->data() : "");  // NOLINT
}
int PQgetlength(const PGresult* given, int row, int column) {
  const auto& value =
      given->inside.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  return value ? static_cast<int>(value->size()) : 0;
}
int PQgetisnull(const PGresult* given, int row, int column) {
  return given->inside.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] ? 0
                                                                                             : 1;
}
char* PQcmdTuples(PGresult*) {
  static char none[] = "0";
  return none;
}

int PQsocket(const PGconn* on) { return on->inside.file; }
PGnotify* PQnotifies(PGconn* on) {
  auto& all = on->inside.heard;
  if (all.empty()) return nullptr;
  auto* const told = static_cast<PGnotify*>(  // NOLINT
      std::malloc(sizeof(PGnotify) + all.front().size() + 1));
  told->extra = reinterpret_cast<char*>(told + 1);  // NOLINT
  std::memcpy(told->extra, all.front().c_str(), all.front().size() + 1);
  all.pop_front();
  return told;
}
int PQconsumeInput(PGconn* on) {
  connection& in = on->inside;
  if (in.is_answered) in.is_heard = true;
  in.heard.insert(in.heard.end(), in.notices.begin(), in.notices.end());
  in.notices.clear();
  if (in.is_broken) on->is_bad = true;
  return on->is_bad ? 0 : 1;
}

}  // extern "C"
