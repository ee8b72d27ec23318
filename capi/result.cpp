// Results: an answer with what is read from it, or one of the two that need no memory.
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cstring>
#include <freshet/engine.hpp>
#include <memory>

#include "guard.hpp"

namespace freshet::capi {
namespace {

constexpr std::string_view no_memory_body =
    R"({"type":"/errors/overloaded","title":"Overloaded","status":503,)"
    R"("detail":"no memory is left","code":"overloaded",)"
    R"("request_id":"req_00000000000000000000000000","retryable":true,"retry_after_s":null,)"
    R"("errors":[],"credits":{"used":0,"remaining":null}})";

constexpr freshet_result make_no_memory() {
  freshet_result made;
  made.error = static_cast<std::int32_t>(errc::overloaded);
  made.status = 503;
  made.body = no_memory_body;
  return made;
}

// Never written to, so that any number of threads may hold them; not const, since handles are not.
constinit freshet_result the_opened;
constinit freshet_result the_no_memory = make_no_memory();

/// A result with memory of its own.
struct owned_result final : freshet_result {
  response answer;
  std::string cursor;
};

/// `page.next_cursor` of an envelope, without reading its items.
std::string cursor_in(const response& answer) {
  const std::string_view whole = answer.body;
  const auto after = answer.data_offset + answer.data_size;
  if (answer.data_size == 0 || after > whole.size()) return {};
  std::string rest(whole.substr(0, answer.data_offset));
  rest.append("null").append(whole.substr(after));
  boost::system::error_code ec;
  const auto read = boost::json::parse(rest, ec);
  if (ec || !read.is_object()) return {};
  const auto* page = read.get_object().if_contains("page");
  if (page == nullptr || !page->is_object()) return {};
  const auto* cursor = page->get_object().if_contains("next_cursor");
  if (cursor == nullptr || !cursor->is_string()) return {};
  return std::string(cursor->get_string());
}

/// An answer for which the engine had no memory has a code and no body.
void fill(owned_result& made) noexcept {
  const auto& from = made.answer;
  made.is_static = false;
  made.error = static_cast<std::int32_t>(from.code);
  made.status = from.status;
  made.credits = from.credits_used;
  made.credits_remaining = from.credits_remaining.value_or(-1);
  if (from.retry_after) made.retry_after_s = from.retry_after->count();
  made.body = from.body.empty() && made.error != 0 ? no_memory_body : std::string_view(from.body);
  made.data = from.data();
  made.request_id = from.request_id;
  made.next_cursor = made.cursor;
}

}  // namespace

freshet_result* opened() noexcept { return &the_opened; }
freshet_result* no_memory() noexcept { return &the_no_memory; }

freshet_result* take(response& answer, std::string* cursor) noexcept {
  try {
    auto made = std::make_unique<owned_result>();
    made->cursor = cursor_in(answer);
    if (cursor != nullptr) *cursor = made->cursor;
    made->answer = std::move(answer);
    fill(*made);
    return made.release();
  } catch (...) {
    return no_memory();
  }
}

freshet_result* failure(const error& what) noexcept {
  try {
    auto said = problem_document(what, make_request_id());
    return take(said);
  } catch (...) {
    return no_memory();
  }
}

result<std::string_view> text_in(const char* text, std::size_t size, const char* name) {
  if (text != nullptr) return std::string_view(text, size == FRESHET_NTS ? strlen(text) : size);
  if (size == 0) return std::string_view();
  return error(errc::invalid_request,
               std::string(name) + " is NULL with a size; pass (NULL, 0) for an empty text");
}

result<boost::json::object> options_in(std::string_view options) {
  if (options.empty()) return boost::json::object();
  boost::system::error_code ec;
  auto read = boost::json::parse({options.data(), options.size()}, ec);
  if (ec || !read.is_object()) return error(errc::invalid_json, "options: give one JSON object");
  return std::move(read.get_object());
}

}  // namespace freshet::capi

namespace {

const char* text_out(std::string_view text, size_t* size) noexcept {
  if (size != nullptr) *size = text.size();
  return text.data();
}

}  // namespace

extern "C" {

int32_t freshet_result_error(const freshet_result* result) {
  return result == nullptr ? static_cast<int32_t>(freshet::errc::internal) : result->error;
}

int32_t freshet_result_status(const freshet_result* result) {
  return result == nullptr ? 500 : result->status;
}

const char* freshet_result_body(const freshet_result* result, size_t* size) {
  return text_out(result == nullptr ? "" : result->body, size);
}

const char* freshet_result_data(const freshet_result* result, size_t* size) {
  return text_out(result == nullptr ? "" : result->data, size);
}

const char* freshet_result_request_id(const freshet_result* result, size_t* size) {
  return text_out(result == nullptr ? "" : result->request_id, size);
}

const char* freshet_result_next_cursor(const freshet_result* result, size_t* size) {
  return text_out(result == nullptr ? "" : result->next_cursor, size);
}

int64_t freshet_result_credits(const freshet_result* result) {
  return result == nullptr ? 0 : result->credits;
}

int64_t freshet_result_credits_remaining(const freshet_result* result) {
  return result == nullptr ? -1 : result->credits_remaining;
}

int64_t freshet_result_retry_after_s(const freshet_result* result) {
  return result == nullptr ? -1 : result->retry_after_s;
}

int32_t freshet_result_retryable(const freshet_result* result) {
  const auto code = static_cast<freshet::errc>(freshet_result_error(result));
  return code != freshet::errc{} && freshet::describe(code).retryable ? 1 : 0;
}

void freshet_result_free(freshet_result** result) {
  if (result == nullptr || *result == nullptr) return;
  if (!(*result)->is_static) delete static_cast<freshet::capi::owned_result*>(*result);
  *result = nullptr;
}

}  // extern "C"
