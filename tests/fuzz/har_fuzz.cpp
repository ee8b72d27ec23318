// Any bytes as a recording: what is read of it can be written and is then read as the same, but for
// the secrets, which are gone.
#include <cstdint>
#include <fuzz/target.hpp>
#include <http/har.hpp>

namespace {

using namespace freshet;

std::string written(const http::recorded_exchange& of) {
  http::request asked;
  asked.method = of.method;
  asked.url = of.url;
  asked.body = of.body;
  const result<http::response> got =
      of.failure ? result<http::response>(*of.failure) : result<http::response>(of.answer);
  return http::har_entry(asked, got, of.answer.fetched_at);
}

std::string recording_of(const std::vector<http::recorded_exchange>& all) {
  std::string out(http::har_head);
  for (std::size_t i = 0; i < all.size(); ++i) out += (i == 0 ? "" : ",\n") + written(all[i]);
  return out + std::string(http::har_tail);
}

void require_same(const http::recorded_exchange& one, const http::recorded_exchange& other) {
  fuzz::require(one.method == other.method && one.url == other.url && one.body == other.body);
  fuzz::require(one.answer.status == other.answer.status);
  fuzz::require(one.answer.body == other.answer.body);
  fuzz::require(one.answer.fetched_at == other.answer.fetched_at);
  fuzz::require(one.answer.headers.size() == other.answer.headers.size());
  for (std::size_t i = 0; i < one.answer.headers.size(); ++i) {
    fuzz::require(one.answer.headers[i].name == other.answer.headers[i].name);
    fuzz::require(one.answer.headers[i].value == other.answer.headers[i].value);
  }
  if (one.failure) fuzz::require(one.failure->code() == other.failure->code());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = http::read_har(fuzz::text_of(data, size));
  if (!read) {
    fuzz::require(read.error().code() == errc::invalid_configuration);
    return 0;
  }
  const auto first = http::read_har(recording_of(*read));
  fuzz::require(first.has_value() && first->size() == read->size());
  for (std::size_t i = 0; i < read->size(); ++i) {
    fuzz::require((*first)[i].failure.has_value() == (*read)[i].failure.has_value());
    fuzz::require((*first)[i].answer.status == (*read)[i].answer.status);
  }
  // What was left out the first time stays so: a recording of a replay is the recording.
  const auto second = http::read_har(recording_of(*first));
  fuzz::require(second.has_value() && second->size() == first->size());
  for (std::size_t i = 0; i < first->size(); ++i) require_same((*first)[i], (*second)[i]);
  return 0;
}
