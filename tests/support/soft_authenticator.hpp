// An authenticator in memory, with the browser in front of it: makes a passkey and shows it, as
// well or as badly as a test wants.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <base/digest.hpp>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace freshet::test {

/// What is asked, and what is said of it.
struct passkey_terms {
  std::string challenge;
  std::string host = "api.example.org";
  std::string origin = "https://api.example.org";
  std::string type = {};  ///< "": the right one
  bool cross_origin = false;
  unsigned flags = 0x05;  ///< somebody was there, and was known
};

class soft_authenticator {
 public:
  std::string id = base::random_bytes(20);
  std::uint32_t uses = 0;

  /// Of COSE: -7, -8 or -257.
  explicit soft_authenticator(int algorithm = -7) : algorithm_(algorithm) {
    EVP_PKEY* made = algorithm == -7   ? EVP_EC_gen("P-256")
                     : algorithm == -8 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                                       : EVP_RSA_gen(2048);
    REQUIRE(made != nullptr);
    key_.reset(made);
  }

  /// RegistrationResponseJSON.
  [[nodiscard]] std::string make(const passkey_terms& terms) const {
    std::string said = head(terms, terms.flags | 0x40U) + std::string(16, '\0');
    said += number(id.size(), 2) + id + cose_key();
    return R"({"id":")" + base::base64url(id) + R"(","type":"public-key","response":{)" +
           field("clientDataJSON", client_data(terms, "webauthn.create")) + ',' +
           field("authenticatorData", said) + "}}";
  }

  /// AuthenticationResponseJSON. Counts one use more where it counts at all.
  [[nodiscard]] std::string show(const passkey_terms& terms, bool tampers = false) {
    if (uses > 0) ++uses;
    const std::string said = head(terms, terms.flags);
    const std::string client = client_data(terms, "webauthn.get");
    std::string signature = sign(said + std::string(base::as_text(base::sha256(client))));
    if (tampers) signature[signature.size() / 2] ^= 1;
    return R"({"id":")" + base::base64url(id) + R"(","type":"public-key","response":{)" +
           field("clientDataJSON", client) + ',' + field("authenticatorData", said) + ',' +
           field("signature", signature) + "}}";
  }

 private:
  struct freeing {
    void operator()(EVP_PKEY* one) const noexcept { EVP_PKEY_free(one); }
  };

  static std::string field(std::string_view name, std::string_view bytes) {
    return '"' + std::string(name) + R"(":")" + base::base64url(bytes) + '"';
  }

  static std::string number(std::size_t value, int bytes) {
    std::string out;
    for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xFF);
    return out;
  }

  static std::string client_data(const passkey_terms& terms, std::string_view type) {
    return R"({"type":")" + (terms.type.empty() ? std::string(type) : terms.type) +
           R"(","challenge":")" + terms.challenge + R"(","origin":")" + terms.origin +
           R"(","crossOrigin":)" + (terms.cross_origin ? "true" : "false") + '}';
  }

  [[nodiscard]] std::string head(const passkey_terms& terms, unsigned flags) const {
    return std::string(base::as_text(base::sha256(terms.host))) + static_cast<char>(flags) +
           number(uses, 4);
  }

  [[nodiscard]] std::string part_of_key(const char* name, std::size_t bytes) const {
    BIGNUM* value = nullptr;
    REQUIRE(EVP_PKEY_get_bn_param(key_.get(), name, &value) == 1);
    std::string out(bytes, '\0');
    BN_bn2binpad(value, reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(bytes));
    BN_free(value);
    return out;
  }

  /// In CBOR, as RFC 9053 has it.
  [[nodiscard]] std::string cose_key() const {
    using namespace std::string_literals;
    if (algorithm_ == -7)
      return "\xA5\x01\x02\x03\x26\x20\x01\x21\x58\x20"s +
             part_of_key(OSSL_PKEY_PARAM_EC_PUB_X, 32) + "\x22\x58\x20"s +
             part_of_key(OSSL_PKEY_PARAM_EC_PUB_Y, 32);
    if (algorithm_ == -257)
      return "\xA4\x01\x03\x03\x39\x01\x00\x20\x59\x01\x00"s +
             part_of_key(OSSL_PKEY_PARAM_RSA_N, 256) + "\x21\x43\x01\x00\x01"s;
    std::string bytes(32, '\0');
    std::size_t size = bytes.size();
    REQUIRE(EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(bytes.data()),
                                        &size) == 1);
    return "\xA4\x01\x01\x03\x27\x20\x06\x21\x58\x20"s + bytes;
  }

  [[nodiscard]] std::string sign(std::string_view text) const {
    EVP_MD_CTX* with = EVP_MD_CTX_new();
    std::string out(512, '\0');
    std::size_t size = out.size();
    const EVP_MD* digest = algorithm_ == -8 ? nullptr : EVP_sha256();
    REQUIRE(EVP_DigestSignInit(with, nullptr, digest, nullptr, key_.get()) == 1);
    REQUIRE(EVP_DigestSign(with, reinterpret_cast<unsigned char*>(out.data()), &size,
                           reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1);
    EVP_MD_CTX_free(with);
    out.resize(size);
    return out;
  }

  int algorithm_;
  std::unique_ptr<EVP_PKEY, freeing> key_;
};

}  // namespace freshet::test
