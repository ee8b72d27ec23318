// Whoever asks before it is made waits in a list, which is as long as there are connections.
#include <openssl/evp.h>

#include <array>
#include <boost/json/parse.hpp>
#include <server/description.hpp>
#include <server/http/negotiation.hpp>
#include <server/routes.hpp>
#include <server/yaml.hpp>

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

std::string as_yaml(const std::string& document) {
  boost::system::error_code failed;
  const boost::json::value read = boost::json::parse(document, failed);
  return failed ? std::string() : yaml_of(read);
}

}  // namespace

description::~description() {
  if (maker_.joinable()) maker_.join();
}

description::published_text description::publish(std::string text) {
  published_text out;
  out.plain_etag = etag_of(text, "");
  out.gzip_etag = etag_of(text, "-gzip");
  out.gzip = std::make_shared<const std::string>(gzip_encoder().encode(text));
  out.plain = std::make_shared<const std::string>(std::move(text));
  return out;
}

void description::show(form wanted, http_request asked, request_facts facts,
                       std::function<void(reply)> give) {
  {
    const std::lock_guard lock(mutex_);
    if (!made_) {
      waiting_.push_back([this, wanted, asked = std::move(asked), facts = std::move(facts),
                          give = std::move(give)] { give(reply_to(wanted, asked, facts)); });
      if (making_) return;
      making_ = true;
      if (maker_.joinable()) maker_.join();  // one that failed, and has nothing left to do
      maker_ = std::thread([this] { make(); });
      return;
    }
  }
  give(reply_to(wanted, asked, facts));
}

void description::make() noexcept {
  published_text json, yaml;
  try {
    const std::string text = text_();
    yaml = publish(as_yaml(text));
    json = publish(text);
  } catch (const std::bad_alloc&) {
    json = yaml = {};  // the next who asks tries again
  }
  std::vector<std::function<void()>> waited;
  {
    const std::lock_guard lock(mutex_);
    made_ = json.plain != nullptr;
    making_ = false;
    json_ = std::move(json);
    yaml_ = std::move(yaml);
    waited.swap(waiting_);
  }
  for (const auto& each : waited) each();
}

reply description::reply_to(form wanted, const http_request& asked,
                            const request_facts& facts) const {
  const published_text& what = wanted == form::json ? json_ : yaml_;
  reply out;
  out.request_id = facts.request_id;
  if (what.plain == nullptr) {
    out.status = describe(errc::overloaded).http_status;
    out.retry_after = std::chrono::seconds(1);
    return out;
  }
  out.content_type = wanted == form::json ? "application/json" : "application/yaml";
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

}  // namespace freshet::server
