// The routes whose bytes never change while the server runs: the description, plain and compressed,
// with the names by which a client asks whether it has them already.
#include <openssl/evp.h>

#include <array>
#include <server/http/negotiation.hpp>
#include <server/routes.hpp>

namespace freshet::server {
namespace {

/// Strong, since the bytes of both encodings never change while the server runs.
std::string etag_of(std::string_view bytes, std::string_view suffix) {
  constexpr std::size_t tag_bytes = 16;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string tag = "\"";
  for (std::size_t i = 0; i < tag_bytes; ++i) {
    constexpr std::string_view digits = "0123456789abcdef";
    tag += digits[digest[i] >> 4];
    tag += digits[digest[i] & 15];
  }
  return tag.append(suffix).append("\"");
}

}  // namespace

router::published router::publish(gzip_encoder& with, std::string text) {
  published out;
  out.plain_etag = etag_of(text, "");
  out.gzip_etag = etag_of(text, "-gzip");
  out.gzip = std::make_shared<const std::string>(with.encode(text));
  out.plain = std::make_shared<const std::string>(std::move(text));
  return out;
}

reply router::show_published(const published& what, std::string_view content_type,
                             const http_request& asked, const request_facts& facts) {
  reply out;
  out.request_id = facts.request_id;
  out.content_type = content_type;
  // It may be kept, but must be asked for again: prices are in it.
  out.cache_control = "no-cache";
  const auto known = asked.head.field("if-none-match");
  out.gzipped = facts.wants_gzip && !what.gzip->empty();
  out.etag = out.gzipped ? what.gzip_etag : what.plain_etag;
  if (known && matches_etag(*known, out.etag)) {
    out.status = 304;
    out.without_body = true;
    out.gzipped = false;
    return out;
  }
  out.shared_body = out.gzipped ? what.gzip : what.plain;
  return out;
}

reply router::show_openapi(const http_request& request, const request_facts& facts, bool) const {
  return show_published(openapi_, "application/json", request, facts);
}

reply router::show_openapi_yaml(const http_request& request, const request_facts& facts,
                                bool) const {
  return show_published(openapi_yaml_, "application/yaml", request, facts);
}

}  // namespace freshet::server
