// An endpoint in the first line and any bytes as the body of a request to it: each refusal is one
// of the contract and points at parameters, and what is accepted is accepted again in its canonical
// form, as the same call.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <catalog/validate.hpp>
#include <cstdint>
#include <fuzz/headed_input.hpp>
#include <fuzz/target.hpp>

namespace {

using namespace freshet;

const catalog::endpoint& chosen_endpoint(std::string_view path) {
  if (const auto* found = catalog::find_endpoint(path)) return *found;
  static_cast<void>(catalog::nearest_path(path));
  const auto all = catalog::endpoints();
  return all[fuzz::any_of(path, all.size())];
}

void require_refusal(const error& why) {
  fuzz::require(base::is_utf8(why.detail()));
  if (why.code() == errc::invalid_json) return;
  fuzz::require(why.code() == errc::invalid_request);
  fuzz::require(!why.parameters.empty() && why.parameters.size() <= catalog::max_parameter_errors);
  for (const auto& one : why.parameters) {
    fuzz::require(base::is_utf8(one.pointer) && base::is_utf8(one.detail));
    fuzz::require(one.pointer.empty() || one.pointer.front() == '/');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  const auto end = bytes.find('\n');
  const auto& endpoint = chosen_endpoint(bytes.substr(0, end));
  const auto body = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
  const auto read = catalog::validate(endpoint, body);
  if (!read) {
    require_refusal(read.error());
    return 0;
  }
  const auto identity = read->query_identity();
  const auto canonical = read->canonical_body();
  fuzz::require(base::is_utf8(identity) && base::is_utf8(canonical));
  const auto again = catalog::validate(endpoint, canonical);
  if (!again) fuzz::require_nothing(canonical + ": " + again.error().detail());
  fuzz::require(again->query_identity() == identity);
  fuzz::require(again->canonical_body() == canonical);
  return 0;
}
