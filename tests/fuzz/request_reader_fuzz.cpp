// Any bytes as a connection's input: whole and byte by byte they must come out as the same requests
// and stop at the same place, and no body may be larger than allowed.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fuzz/target.hpp>
#include <server/http/request_reader.hpp>
#include <string>
#include <vector>

namespace {

using namespace freshet::server;

constexpr std::size_t max_body_bytes = 64;

struct outcome {
  std::vector<std::string> requests;
  bool failed = false;
  bool operator==(const outcome&) const = default;
};

outcome read_all(std::string_view stream, std::size_t step) {
  reader_limits limits;
  limits.body_bytes = max_body_bytes;
  request_reader reader(limits);
  outcome out;
  while (!stream.empty()) {
    const auto room = reader.prepare();
    const std::size_t size = std::min({room.size(), stream.size(), step});
    std::memcpy(room.data(), stream.data(), size);
    reader.commit(size);
    stream.remove_prefix(size);
    auto reached = reader.advance();
    for (; reached == request_reader::progress::complete; reached = reader.advance()) {
      const http_request request = reader.take();
      freshet::fuzz::require(request.body.size() <= max_body_bytes);
      freshet::fuzz::require(request.head.minor_version() == 0 || request.head.count("host") == 1);
      out.requests.push_back(std::string(request.head.method()) + ' ' +
                             std::string(request.head.path()) + '?' +
                             std::string(request.head.query()) + '\n' + request.body);
    }
    out.failed = reached == request_reader::progress::failed;
    if (out.failed) break;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  const outcome whole = read_all(stream, stream.size());
  freshet::fuzz::require(read_all(stream, 1) == whole);
  return 0;
}
