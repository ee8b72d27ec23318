// Reading the pair, and the rules of every session.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <server/wire/tls_identity.hpp>
#include <string_view>

namespace freshet::server {
namespace {

constexpr std::string_view certificate_setting = "server.tls.certificate";
constexpr std::string_view key_setting = "server.tls.key";
/// Keys of a moment, and a sum over every record: what was taken down stays secret when the
/// certificate's key is lost. TLS 1.3 has no others.
constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr const char* groups = "X25519:P-256:P-384";
/// As ALPN has it: a byte of length, then the name.
constexpr std::string_view spoken = "\x08http/1.1";
/// A certificate that ends so soon is warned of.
constexpr std::chrono::hours soon{14 * 24};
/// So often a client may have new keys on a connection: programs have them after millions of
/// records, and each costs as much as reading a few requests.
constexpr std::intptr_t most_new_keys = 100;
/// Names of a certificate that its description gives.
constexpr int most_names = 3;

template <auto Free>
struct freeing {
  template <class Type>
  void operator()(Type* of) const noexcept {
    Free(of);
  }
};
using bio = std::unique_ptr<BIO, freeing<BIO_free_all>>;
using private_key = std::unique_ptr<EVP_PKEY, freeing<EVP_PKEY_free>>;
using general_names = std::unique_ptr<GENERAL_NAMES, freeing<GENERAL_NAMES_free>>;

/// OpenSSL tells of every message. What comes then cannot be refused, but the session can be told
/// that the client has ended. The count stands where a session keeps what is not its own.
void count_new_keys(int is_sent, int, int kind, const void* message, std::size_t size, SSL* session,
                    void*) {
  if (is_sent != 0 || kind != SSL3_RT_HANDSHAKE || size == 0) return;
  if (*static_cast<const unsigned char*>(message) != SSL3_MT_KEY_UPDATE) return;
  const auto count = reinterpret_cast<std::intptr_t>(SSL_get_app_data(session)) + 1;
  SSL_set_app_data(session, reinterpret_cast<void*>(count));
  if (count <= most_new_keys) return;
  SSL_set_shutdown(session, SSL_get_shutdown(session) | SSL_RECEIVED_SHUTDOWN);
}

error refuse(std::string_view setting, const std::string& why) {
  return error(errc::invalid_configuration, std::string(setting) + ": " + why);
}

/// What OpenSSL says of its last failure.
std::string reason() {
  const char* said = ERR_reason_error_string(ERR_peek_last_error());
  return said != nullptr ? said : "it cannot be read";
}

/// Whether it is a file that can be read: OpenSSL would wait for a pipe, and says little else.
result<void> check_file(std::string_view setting, const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || ::access(path.c_str(), R_OK) != 0) {
    return refuse(setting, "'" + path + "': " + std::strerror(errno) +
                               "; name a file in PEM that the server's user may read");
  }
  if (!S_ISREG(found.st_mode)) return refuse(setting, "'" + path + "' is no file");
  return {};
}

/// The server has nobody to ask for a passphrase.
int refuse_passphrase(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

result<private_key> read_key(const std::string& path) {
  const bio file(BIO_new_file(path.c_str(), "r"));
  bool asked = false;
  private_key read(file ? PEM_read_bio_PrivateKey(file.get(), nullptr, refuse_passphrase, &asked)
                        : nullptr);
  if (read) return read;
  if (asked) {
    return refuse(key_setting, "'" + path +
                                   "' wants a passphrase; store it without one: openssl "
                                   "pkey -in OLD -out NEW, with mode 600");
  }
  return refuse(key_setting, "'" + path + "' holds no private key in PEM (" + reason() + ")");
}

int choose_protocol(SSL*, const unsigned char** out, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  // Its parameter is not const, what it points to is left alone.
  unsigned char* chosen = nullptr;
  const int found =
      SSL_select_next_proto(&chosen, size, reinterpret_cast<const unsigned char*>(spoken.data()),
                            static_cast<unsigned int>(spoken.size()), offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

tls_identity::time time_of(const ASN1_TIME* at) {
  std::tm parts{};
  if (at == nullptr || ASN1_TIME_to_tm(at, &parts) != 1) return {};
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

std::string text_of(tls_identity::time at) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts)};
}

std::string taken_from(const bio& memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

/// "DNS:a.example, IP Address:192.0.2.1", or the subject where there are no names.
std::string names_of(const X509* certificate) {
  const bio out(BIO_new(BIO_s_mem()));
  if (!out) return {};
  const general_names names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  const int count = names ? sk_GENERAL_NAME_num(names.get()) : 0;
  if (count == 0) {
    X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0, XN_FLAG_ONELINE);
  }
  for (int i = 0; i < count && i < most_names; ++i) {
    if (i > 0) BIO_puts(out.get(), ", ");
    GENERAL_NAME_print(out.get(), sk_GENERAL_NAME_value(names.get(), i));
  }
  if (count > most_names) BIO_puts(out.get(), " and others");
  return taken_from(out);
}

}  // namespace

void tls_session_end::operator()(ssl_st* of) const noexcept { SSL_free(of); }

result<std::optional<tls_files>> tls_files_of(const config& from) {
  tls_files named{from.text(certificate_setting), from.text(key_setting)};
  if (named.certificate.empty() && named.key.empty()) return std::optional<tls_files>();
  if (named.certificate.empty() || named.key.empty()) {
    const bool has_key = named.certificate.empty();
    return refuse(has_key ? certificate_setting : key_setting,
                  "is not set, though " + std::string(has_key ? key_setting : certificate_setting) +
                      " is; set both for TLS, or neither for plain HTTP");
  }
  const std::string base_url = from.text("server.base_url");
  if (!base_url.empty() && !base_url.starts_with("https://")) {
    return refuse("server.base_url", "'" + base_url +
                                         "' is not https, which is all that the "
                                         "server speaks with server.tls.certificate; correct it");
  }
  return std::optional<tls_files>(std::move(named));
}

tls_identity::~tls_identity() { SSL_CTX_free(context_); }

result<std::shared_ptr<const tls_identity>> tls_identity::of(const tls_files& files) {
  const std::shared_ptr<tls_identity> made(new tls_identity);
  if (const auto loaded = made->load(files); !loaded) return loaded.error();
  return std::shared_ptr<const tls_identity>(made);
}

result<void> tls_identity::load(const tls_files& files) {
  if (auto sound = check_file(certificate_setting, files.certificate); !sound) return sound;
  if (auto sound = check_file(key_setting, files.key); !sound) return sound;
  ERR_clear_error();
  context_ = SSL_CTX_new(TLS_server_method());
  if (context_ == nullptr || !set_rules()) {
    return error(errc::invalid_configuration,
                 "TLS cannot be set up: " + reason() + "; look at OpenSSL's own configuration");
  }
  if (SSL_CTX_use_certificate_chain_file(context_, files.certificate.c_str()) != 1) {
    return refuse(certificate_setting, "'" + files.certificate +
                                           "' holds no certificate in PEM that is strong enough (" +
                                           reason() +
                                           "); the server's own comes first, then its chain");
  }
  const auto key = read_key(files.key);
  if (!key) return key.error();
  const X509* const own = SSL_CTX_get0_certificate(context_);
  if (X509_check_private_key(own, key->get()) != 1 ||
      SSL_CTX_use_PrivateKey(context_, key->get()) != 1) {
    return refuse(key_setting, "'" + files.key + "' is not the key of the first certificate in '" +
                                   files.certificate + "' (" + reason() + ")");
  }
  struct stat found {};
  key_file_ = files.key;
  key_is_open_ = ::stat(files.key.c_str(), &found) == 0 && (found.st_mode & S_IROTH) != 0;
  describe_certificate();
  return {};
}

bool tls_identity::set_rules() {
  SSL_CTX_set_options(context_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                    SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                                    // HTTP says itself where a message ends.
                                    SSL_OP_IGNORE_UNEXPECTED_EOF);
  // A client's messages between those of HTTP are each worth a turn of its own.
  SSL_CTX_clear_mode(context_, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_mode(context_, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                 SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Clients keep their sessions in tickets, the server keeps none.
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context_, choose_protocol, nullptr);
  SSL_CTX_set_msg_callback(context_, count_new_keys);
  return SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_cipher_list(context_, ciphers) == 1 &&
         SSL_CTX_set1_groups_list(context_, groups) == 1;
}

void tls_identity::describe_certificate() {
  const X509* const own = SSL_CTX_get0_certificate(context_);
  begin_ = time_of(X509_get0_notBefore(own));
  end_ = time_of(X509_get0_notAfter(own));
  description_ = names_of(own) + ", until " + text_of(end_);
}

tls_session tls_identity::make_session(int socket) const {
  tls_session made(SSL_new(context_));
  if (made && SSL_set_fd(made.get(), socket) != 1) made.reset();
  ERR_clear_error();
  return made;
}

std::vector<tls_identity::warning> tls_identity::warnings(time now) const {
  std::vector<warning> found;
  const std::string renew =
      "put a new pair into the files of server.tls; the server takes it by itself";
  if (now < begin_) {
    found.push_back(
        {"the certificate (" + description_ + ") is not valid before " + text_of(begin_),
         "set the clock right, or use one that is valid", true});
  } else if (now >= end_) {
    found.push_back({"the certificate (" + description_ + ") has ended", renew, true});
  } else if (now >= end_ - soon) {
    found.push_back({"the certificate (" + description_ + ") ends soon", renew});
  }
  if (key_is_open_) {
    found.push_back({"the key '" + key_file_ + "' can be read by every user of this machine",
                     "take that right away: chmod o= FILE"});
  }
  return found;
}

}  // namespace freshet::server
