// What a result has beside it in each revision stands in complete_result alone.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <freshet/version.hpp>
#include <server/mcp/request_context.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

/// What is listed stays as it is while the server runs, so an hour is safe.
constexpr std::int64_t hour_ms = 3'600'000;
/// Of one source's items: they come again with the answer, and a session keeps what it tells.
constexpr std::size_t max_told_bytes = 32 * 1024;

}  // namespace

json::object server_info() {
  return {{"name", "freshet"}, {"title", "Freshet"}, {"version", version}};
}

void complete_result(const request_meta& how, json::object& result, json::object meta,
                     request_context::keeping how_long) {
  if (how.stateless) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    if (how_long != request_context::keeping::unsaid) {
      const bool kept = how_long == request_context::keeping::for_an_hour;
      result["ttlMs"] = kept ? hour_ms : 0;
      result["cacheScope"] = kept ? "public" : "private";
    }
    meta[server_info_key] = server_info();
  }
  if (!meta.empty()) result["_meta"] = std::move(meta);
}

prepared_result prepare_result(const json::object& result) {
  request_meta how;
  json::object with_handshake = result, stateless = result;
  complete_result(how, with_handshake, {}, request_context::keeping::for_an_hour);
  how.stateless = true;
  complete_result(how, stateless, {}, request_context::keeping::for_an_hour);
  return {json::serialize(with_handshake), json::serialize(stateless)};
}

void request_context::tell(std::string_view method, json::object params) const {
  to->tell(notification_text(method, std::move(params)));
}

void request_context::tell_progress(std::int64_t done, std::int64_t total) const {
  if (how.progress_token.is_null()) return;
  tell("notifications/progress",
       {{"progressToken", how.progress_token}, {"progress", done}, {"total", total}});
}

void request_context::tell_source(std::string_view event, std::int64_t count) const {
  if (how.progress_token.is_null() || !to->has_room()) return;
  boost::system::error_code failed;
  json::value source = json::parse(event, failed);
  json::object* row = failed ? nullptr : source.if_object();
  if (row == nullptr) return;
  if (event.size() > max_told_bytes) (*row)["data"] = json::array();
  const std::string message = text_at(*row, "name") + ": " + text_at(*row, "status");
  // Ever nearer to 1, which the answer is: how many pages there will be nobody knows.
  const double done = static_cast<double>(count) / static_cast<double>(count + 1);
  tell("notifications/progress", {{"progressToken", how.progress_token},
                                  {"progress", done},
                                  {"total", 1},
                                  {"message", message},
                                  {"_meta", json::object{{"freshet/source", std::move(source)}}}});
}

void request_context::tell_log(std::string_view level, json::value data) const {
  if (!is_logged(level, how.log_level)) return;
  tell("notifications/message",
       {{"level", level}, {"logger", "freshet"}, {"data", std::move(data)}});
}

void request_context::finish(json::object result, keeping how_long,
                             std::int64_t credits_used) const {
  complete_result(how, result, {}, how_long);
  to->answer(result_text(asked.id, std::move(result)),
             {verdict::kind::done, credits_used, asked.id});
}

void request_context::finish_prepared(const prepared_result& result) const {
  to->answer(result_text(asked.id, how.stateless ? std::string_view(result.stateless)
                                                 : std::string_view(result.with_handshake)),
             {verdict::kind::done, 0, asked.id});
}

void request_context::fail(rpc_error code, std::string_view detail, json::value data) const {
  to->answer(error_text(asked.id, code, detail, std::move(data)),
             {verdict::kind::done, 0, asked.id});
}

void request_context::refuse(const protocol_refusal& why) const {
  to->answer(error_text(asked.id, why.code, why.detail, why.data),
             {verdict::kind::refused, 0, asked.id});
}

void request_context::refuse_method() const {
  to->answer(error_text(asked.id, rpc_error::method_not_found, "Method not found"),
             {verdict::kind::unknown_method, 0, asked.id});
}

}  // namespace freshet::server::mcp
