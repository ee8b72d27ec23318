// A certificate for 127.0.0.1 that signs itself, with its key, as PEM files in a folder of its own.
#pragma once

#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <support/temporary_folder.hpp>

namespace freshet::test {

/// What is different about it.
struct certificate_terms {
  long begin_s = -3600, end_s = 3600;  ///< from now
  unsigned rsa_bits = 0;               ///< 0: a key on P-256
  std::string passphrase;
};

class certificate {
 public:
  std::string file, key;

  explicit certificate(const certificate_terms& terms = {}) {
    file = folder_.file("certificate.pem");
    key = folder_.file("key.pem");
    write_anew(terms);
  }

  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  /// Another pair in the same files.
  void write_anew(const certificate_terms& terms = {}) const {
    EVP_PKEY* pair = terms.rsa_bits > 0 ? EVP_RSA_gen(terms.rsa_bits) : EVP_EC_gen("P-256");
    REQUIRE(pair != nullptr);
    X509* made = X509_new();
    X509_set_version(made, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
    X509_gmtime_adj(X509_getm_notBefore(made), terms.begin_s);
    X509_gmtime_adj(X509_getm_notAfter(made), terms.end_s);
    X509_set_pubkey(made, pair);
    auto* name = X509_get_subject_name(made);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("loopback"), -1, -1, 0);
    X509_set_issuer_name(made, name);
    auto* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(made, names, -1);
    X509_sign(made, pair, EVP_sha256());
    write(file, [&](FILE* to) { PEM_write_X509(to, made); });
    const bool sealed = !terms.passphrase.empty();
    write(key, [&](FILE* to) {
      PEM_write_PrivateKey(to, pair, sealed ? EVP_aes_128_cbc() : nullptr, nullptr, 0, nullptr,
                           sealed ? const_cast<char*>(terms.passphrase.c_str()) : nullptr);
    });
    std::filesystem::permissions(
        key, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    X509_EXTENSION_free(names);
    X509_free(made);
    EVP_PKEY_free(pair);
  }

 private:
  static void write(const std::string& path, const std::function<void(FILE*)>& function) {
    FILE* to = std::fopen(path.c_str(), "w");
    REQUIRE(to != nullptr);
    function(to);
    std::fclose(to);
  }

  temporary_folder folder_;
};

}  // namespace freshet::test
