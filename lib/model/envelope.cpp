// The outermost object of an answer, both ways: the contract's sections 3 and 5. `data` passes
// through untouched, so its bytes are the same from every door.
#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <model/json.hpp>
#include <model/object_reader.hpp>
#include <model/object_writer.hpp>
#include <utility>

namespace freshet::model {
namespace {

constexpr std::size_t envelope_overhead = 1024;  // bytes of page and meta in a usual answer
constexpr std::size_t frame_overhead = 256;      // bytes of page and meta that a call changes
constexpr std::string_view data_begin = "{\"data\":";
constexpr std::size_t max_source_text = 4096;  // bytes of an upstream's words in a problem
constexpr std::string_view error_pages = "/errors/";

void write_credits(object_writer& writer, const credits_info& credits) {
  writer.integer("used", credits.used);
  writer.integer("remaining", credits.remaining);
}

void write_source(object_writer& writer, const source_report& one) {
  writer.exact("name", one.name);
  writer.text("instance", one.instance);
  writer.exact("status", one.status);
  writer.text("code", one.code);
  writer.integer("items_read", one.items_read);
  writer.integer("items", one.items);
  writer.text("cache", one.cache);
  writer.time("fetched_at", one.fetched_at);
  writer.integer("elapsed_ms", one.elapsed_ms);
  writer.integer("retry_after_s", one.retry_after_s);
}

void write_member(object_writer& writer, const cluster_member& one) {
  writer.exact("object", one.object);
  writer.exact("id", one.id);
  writer.exact("source", one.source);
  writer.text("url", one.url);
  writer.text("title", one.title);
  writer.time("created_at", one.created_at);
}

void write_cluster(object_writer& writer, const item_cluster& one) {
  writer.exact("id", one.id);
  writer.objects("members", one.members, write_member);
}

void write_meta(object_writer& writer, const response_meta& meta) {
  writer.exact("request_id", meta.request_id);
  writer.object("credits", [&](object_writer& inside) { write_credits(inside, meta.credits); });
  writer.exact("completeness", meta.completeness);
  writer.flag("truncated", meta.truncated);
  writer.objects("sources", meta.sources, write_source);
  writer.strings("warnings", meta.warnings);
  if (meta.clusters) writer.objects("clusters", *meta.clusters, write_cluster);
  if (!meta.quote) return;
  writer.object("quote", [&](object_writer& inside) { inside.integer("credits", *meta.quote); });
}

void write_page(object_writer& writer, const page_info* page) {
  if (page == nullptr) return;
  writer.object("page", [&](object_writer& inside) {
    inside.text("next_cursor", page->next_cursor);
    inside.flag("has_more", page->has_more);
  });
}

credits_info read_credits(object_reader from) {
  credits_info out;
  out.used = from.integer("used").value_or(0);
  out.remaining = from.integer("remaining");
  return out;
}

source_report read_source(object_reader source) {
  source_report report;
  report.name = source.text("name");
  if (source.has("instance")) report.instance = source.text("instance");
  report.status = source.text("status");
  report.code = source.text("code");
  report.items = source.integer("items").value_or(0);
  report.items_read = report.items;  // what a server of before says is both
  if (source.has("items_read")) report.items_read = source.integer("items_read").value_or(0);
  report.cache = source.text("cache");
  report.fetched_at = source.time("fetched_at");
  report.elapsed_ms = source.integer("elapsed_ms").value_or(0);
  report.retry_after_s = source.integer("retry_after_s");
  return report;
}

item_cluster read_cluster(object_reader from) {
  item_cluster out;
  out.id = from.text("id");
  for (const auto& one : from.list("members")) {
    object_reader member(one, from.problem());
    out.members.push_back({member.text("object"), member.text("id"), member.text("source"),
                           member.text("url"), member.text("title"), member.time("created_at")});
  }
  return out;
}

response_meta read_meta(object_reader from) {
  response_meta out;
  out.request_id = from.text("request_id");
  out.credits = read_credits(from.object("credits"));
  if (from.has("completeness")) out.completeness = from.text("completeness");
  out.truncated = from.flag("truncated").value_or(false);
  for (const auto& one : from.list("sources")) {
    out.sources.push_back(read_source(object_reader(one, from.problem())));
  }
  out.warnings = from.strings("warnings");
  if (from.has("clusters")) {
    out.clusters.emplace();
    for (const auto& one : from.list("clusters"))
      out.clusters->push_back(read_cluster(object_reader(one, from.problem())));
  }
  if (from.has("quote")) out.quote = from.object("quote").integer("credits");
  return out;
}

/// At most max_source_text bytes, never half a character.
std::string_view shortened(std::string_view text) noexcept {
  if (text.size() <= max_source_text) return text;
  auto size = max_source_text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
  return text.substr(0, size);
}

error unreadable(const std::string& why) {
  return error(errc::source_error, "the answer is no envelope: " + why);
}

}  // namespace

response make_envelope(std::string_view data, const page_info* page, const response_meta& meta) {
  response out;
  out.body.reserve(data.size() + envelope_overhead);
  object_writer to(out.body);
  if (to.begin("data")) {
    out.data_offset = out.body.size();
    out.data_size = data.size();
    out.body += data;
  }
  write_page(to, page);
  to.object("meta", [&](object_writer& inside) { write_meta(inside, meta); });
  to.close();
  out.request_id = meta.request_id;
  out.credits_used = meta.credits.used;
  out.credits_remaining = meta.credits.remaining;
  return out;
}

envelope_frame make_frame(std::string_view data, const response_meta& meta) {
  std::string lead;
  lead.reserve(data_begin.size() + data.size());
  lead.append(data_begin).append(data);
  // What a call changes stands at the beginning of `meta`, before this member.
  constexpr std::string_view first_kept = ",\"completeness\":";
  response_meta kept = meta;
  kept.request_id.clear();
  std::string rest;
  object_writer to(rest);
  to.object("meta", [&](object_writer& inside) { write_meta(inside, kept); });
  to.close();
  return {std::make_shared<const body_lead>(std::move(lead)), rest.substr(rest.find(first_kept))};
}

response fill_frame(const envelope_frame& frame, const page_info* page, std::string_view request_id,
                    const credits_info& credits) {
  response out;
  out.lead = frame.lead;
  out.data_offset = data_begin.size();
  out.data_size = frame.lead->bytes.size() - data_begin.size();
  const std::size_t cursor = page == nullptr ? 0 : page->next_cursor.size();
  out.body.reserve(frame.rest.size() + cursor + frame_overhead);
  object_writer to(out.body);
  write_page(to, page);
  to.object("meta", [&](object_writer& inside) {
    inside.exact("request_id", request_id);
    inside.object("credits", [&](object_writer& of) { write_credits(of, credits); });
  });
  // An object of its own would begin anew: the first brace is the lead's, the last one the rest's.
  out.body.front() = ',';
  out.body.pop_back();
  out.body += frame.rest;
  out.request_id = request_id;
  out.credits_used = credits.used;
  out.credits_remaining = credits.remaining;
  return out;
}

void join_lead(response& of) {
  if (of.lead == nullptr) return;
  of.body.insert(0, of.lead->bytes);
  of.lead = nullptr;
}

response make_problem(const error& problem, std::string_view request_id,
                      const credits_info& credits) {
  const auto& row = describe(problem.code());
  response out;
  out.status = row.http_status;
  out.content_type = "application/problem+json";
  out.request_id = request_id;
  out.credits_used = credits.used;
  out.credits_remaining = credits.remaining;
  out.retry_after = problem.retry_after;
  // It passes when the disk does; to ask again at once would only add to its work.
  if (problem.code() == errc::storage_unavailable && !out.retry_after)
    out.retry_after = std::chrono::seconds(1);
  object_writer to(out.body);
  to.exact("type", std::string(error_pages) + std::string(row.name));
  to.exact("title", row.title);
  to.integer("status", row.http_status);
  // Where nobody had more to say, what the code means in general still helps.
  to.exact("detail", problem.detail().empty() ? row.help : std::string_view(problem.detail()));
  to.exact("code", row.name);
  to.exact("request_id", request_id);
  to.flag("retryable", row.retryable);
  to.integer("retry_after_s", out.retry_after ? count(out.retry_after->count()) : std::nullopt);
  to.objects("errors", problem.parameters, [](object_writer& inside, const parameter_error& one) {
    inside.exact("pointer", one.pointer);
    inside.exact("code", one.code);
    inside.exact("detail", one.detail);
  });
  to.object("credits", [&](object_writer& inside) { write_credits(inside, credits); });
  if (!problem.source_text.empty()) to.exact("source_text", shortened(problem.source_text));
  to.close();
  return out;
}

result<parsed_envelope> read_envelope(std::string_view body) {
  const auto parsed = base::parse_json(body);
  if (!parsed) return unreadable(parsed.error().detail());
  const auto& data = base::member(*parsed, "data");
  parsed_envelope out;
  if (const auto* list = data.if_array()) {
    out.is_list = true;
    for (const auto& one : *list) {
      auto read = read_item(one);
      if (!read) return read.error();
      out.items.push_back(std::move(*read));
    }
  } else {
    auto read = read_item(data);
    if (!read) return read.error();
    out.items.push_back(std::move(*read));
  }
  std::string problem;
  object_reader envelope(*parsed, problem);
  auto page = envelope.object("page");
  out.page.next_cursor = page.text("next_cursor");
  out.page.has_more = page.flag("has_more").value_or(false);
  out.meta = read_meta(envelope.object("meta"));
  if (!problem.empty()) return unreadable(problem);
  return out;
}

void begin_source_event(std::string& out, const source_report& row) {
  object_writer to(out);
  write_source(to, row);
  if (to.begin("data")) out += '[';
}

void end_source_event(std::string& out) { out += "]}"; }

result<source_part> read_source_event(std::string_view body) {
  const auto parsed = base::parse_json(body);
  if (!parsed) return unreadable(parsed.error().detail());
  std::string problem;
  source_part out;
  out.row = read_source(object_reader(*parsed, problem));
  for (const auto& one : base::array_of(base::member(*parsed, "data"))) {
    auto read = read_item(one);
    if (!read) return read.error();
    out.items.push_back(std::move(*read));
  }
  if (!problem.empty()) return unreadable(problem);
  return out;
}

error read_problem(std::string_view body, int status) {
  const auto parsed = base::parse_json(body);
  const auto code = parsed ? base::text_of(base::member(*parsed, "code")) : std::string();
  const auto* known = find_errc(code);
  if (known == nullptr) {
    error out(errc::source_error,
              "the server answered with status " + std::to_string(status) +
                  (code.empty() ? " and no problem document" : " and a code unknown here"));
    out.source_text = shortened(body);
    return out;
  }
  std::string ignored;  // what is readable is told; the rest is left out
  object_reader from(*parsed, ignored);
  error out(known->code, from.text("detail"));
  out.source_text = from.text("source_text");
  if (const auto seconds = from.integer("retry_after_s")) {
    out.retry_after = std::chrono::seconds(*seconds);
  }
  for (const auto& one : from.list("errors")) {
    object_reader parameter(one, ignored);
    out.parameters.push_back(
        {parameter.text("pointer"), parameter.text("code"), parameter.text("detail")});
  }
  return out;
}

}  // namespace freshet::model
