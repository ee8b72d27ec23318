// libfido2 reads what the authenticator has said (CBOR, COSE) and checks its signature; what the
// browser says, as JSON, is read here.
#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>
#include <account/rules/passkey.hpp>
#include <algorithm>
#include <base/digest.hpp>
#include <base/json.hpp>
#include <base/url.hpp>
#include <memory>

namespace freshet::account {
namespace {

static_assert(passkey_algorithms == std::array{COSE_ES256, COSE_EDDSA, COSE_RS256});
/// Of every part of an answer; the largest is the authenticator's, with a key of RSA in it.
constexpr std::size_t max_part_bytes = 4096;
constexpr std::size_t max_answer_bytes = 5 * max_part_bytes;

template <class Handle, void (*Free)(Handle**)>
struct fido_freeing {
  void operator()(Handle* one) const noexcept { Free(&one); }
};
using credential_handle = std::unique_ptr<fido_cred_t, fido_freeing<fido_cred_t, fido_cred_free>>;
using assertion_handle =
    std::unique_ptr<fido_assert_t, fido_freeing<fido_assert_t, fido_assert_free>>;

error unproven(std::string why) { return error(errc::invalid_second_factor, std::move(why)); }

const unsigned char* bytes_of(std::string_view text) noexcept {
  return reinterpret_cast<const unsigned char*>(text.data());
}

bool is_number(std::string_view host) noexcept {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// A part of the answer, which must be there.
std::optional<std::string> part(const boost::json::value& value, std::string_view name) {
  auto bytes = base::base64url_decode(base::view_of(base::member(value, name)));
  if (!bytes || bytes->empty() || bytes->size() > max_part_bytes) return std::nullopt;
  return bytes;
}

result<std::string> challenge_of(std::string_view client_data, passkey_act act,
                                 const passkey_site& site) {
  const auto said = base::parse_json(client_data, true);
  if (!said || !said->is_object()) return unproven("the passkey's answer cannot be read");
  const auto text = [&](std::string_view name) { return base::view_of(base::member(*said, name)); };
  if (text("type") != (act == passkey_act::make ? "webauthn.create" : "webauthn.get"))
    return unproven("the passkey's answer is to another question");
  if (text("origin") != site.origin)
    return unproven("passkeys are for " + site.origin +
                    ": open the dashboard there, or have server.base_url name this address");
  if (base::flag_of(base::member(*said, "crossOrigin")).value_or(false))
    return unproven("the passkey's answer comes out of another site's page");
  return std::string(text("challenge"));
}

/// Any of the kinds that were asked for.
credential_handle read_credential(std::string_view authenticator_data) {
  for (const int algorithm : passkey_algorithms) {
    credential_handle made(fido_cred_new());
    if (!made) throw std::bad_alloc();
    if (fido_cred_set_type(made.get(), algorithm) == FIDO_OK &&
        fido_cred_set_authdata_raw(made.get(), bytes_of(authenticator_data),
                                   authenticator_data.size()) == FIDO_OK)
      return made;
  }
  return nullptr;
}

/// The first bytes of what an authenticator says: the digest of the site's id.
bool is_of_site(std::string_view authenticator_data, const passkey_site& site) {
  return authenticator_data.starts_with(base::as_text(base::sha256(site.host)));
}

constexpr std::uint8_t somebody_was_there = 0x01;

/// Calls `verify` with the key in the form that libfido2 takes.
template <class Key, Key* (*Make)(), void (*Free)(Key**),
          int (*Read)(Key*, const void*, std::size_t), class Verify>
bool verified(std::string_view bytes, const Verify& verify) {
  const std::unique_ptr<Key, fido_freeing<Key, Free>> key(Make());
  if (!key) throw std::bad_alloc();
  return Read(key.get(), bytes.data(), bytes.size()) == FIDO_OK && verify(key.get()) == FIDO_OK;
}

bool is_signed_by(const fido_assert_t* said, const passkey_key& key) {
  const auto bytes = base::base64url_decode(key.bytes).value_or("");
  const auto algorithm = static_cast<int>(key.algorithm);
  const auto verify = [&](const void* with) {
    return fido_assert_verify(said, 0, algorithm, with);
  };
  switch (algorithm) {
    case COSE_ES256:
      return verified<es256_pk_t, es256_pk_new, es256_pk_free, es256_pk_from_ptr>(bytes, verify);
    case COSE_EDDSA:
      return verified<eddsa_pk_t, eddsa_pk_new, eddsa_pk_free, eddsa_pk_from_ptr>(bytes, verify);
    case COSE_RS256:
      return verified<rs256_pk_t, rs256_pk_new, rs256_pk_free, rs256_pk_from_ptr>(bytes, verify);
    default:
      return false;
  }
}

/// What was signed, as libfido2 takes it; null for what no authenticator says.
assertion_handle read_assertion(const passkey_answer& shown, const passkey_site& site) {
  assertion_handle said(fido_assert_new());
  if (!said) throw std::bad_alloc();
  const auto digest = base::sha256(shown.client_data);
  const bool read =
      fido_assert_set_count(said.get(), 1) == FIDO_OK &&
      fido_assert_set_rp(said.get(), site.host.c_str()) == FIDO_OK &&
      fido_assert_set_clientdata_hash(said.get(), digest.data(), digest.size()) == FIDO_OK &&
      fido_assert_set_authdata_raw(said.get(), 0, bytes_of(shown.authenticator_data),
                                   shown.authenticator_data.size()) == FIDO_OK &&
      fido_assert_set_sig(said.get(), 0, bytes_of(shown.signature), shown.signature.size()) ==
          FIDO_OK &&
      fido_assert_set_up(said.get(), FIDO_OPT_TRUE) == FIDO_OK;
  return read ? std::move(said) : nullptr;
}

}  // namespace

passkey_site passkey_site_of(std::string_view base_url) {
  const auto at = base::parse_url(base_url);
  if (!at || !at->is_http() || is_number(at->host)) return {};
  const bool is_local = at->host == "localhost" || at->host.ends_with(".localhost");
  if (at->scheme != "https" && !is_local) return {};
  return {at->host, at->origin()};
}

result<passkey_answer> read_passkey_answer(std::string_view text, passkey_act act,
                                           const passkey_site& site) {
  if (text.size() > max_answer_bytes) return unproven("the passkey's answer is too long");
  const auto said = base::parse_json(text, true);
  const auto& response = said ? base::member(*said, "response") : boost::json::value();
  auto credential = said ? part(*said, "id") : std::nullopt;
  auto client_data = part(response, "clientDataJSON");
  auto authenticator_data = part(response, "authenticatorData");
  auto signature = part(response, "signature");
  const bool is_whole =
      credential && client_data && authenticator_data && (signature || act == passkey_act::make);
  if (!is_whole) return unproven("the passkey's answer cannot be read");
  auto challenge = challenge_of(*client_data, act, site);
  if (!challenge) return challenge.error();
  return passkey_answer{base::base64url(*credential), std::move(*challenge),
                        std::move(*client_data), std::move(*authenticator_data),
                        std::move(signature).value_or("")};
}

result<made_passkey> read_made_passkey(const passkey_answer& answer, const passkey_site& site) {
  fido_init(0);
  const credential_handle read = read_credential(answer.authenticator_data);
  if (!read) return unproven("the passkey is of a kind that this server does not know");
  const fido_cred_t* const made = read.get();
  if (!is_of_site(answer.authenticator_data, site))
    return unproven("the passkey is for another site");
  if ((fido_cred_flags(made) & somebody_was_there) == 0)
    return unproven("nobody was there when the passkey was made");
  const std::string_view id(reinterpret_cast<const char*>(fido_cred_id_ptr(made)),
                            fido_cred_id_len(made));
  if (base::base64url(id) != answer.credential) return unproven("the passkey has two names");
  const std::string_view key(reinterpret_cast<const char*>(fido_cred_pubkey_ptr(made)),
                             fido_cred_pubkey_len(made));
  return made_passkey{{fido_cred_type(made), base::base64url(key)}, fido_cred_sigcount(made)};
}

result<std::int64_t> check_shown_passkey(const passkey_answer& shown, const passkey_key& key,
                                         const passkey_site& site) {
  fido_init(0);
  const assertion_handle said = read_assertion(shown, site);
  if (!said || !is_signed_by(said.get(), key))
    return unproven("the passkey did not sign this for " + site.host);
  return fido_assert_sigcount(said.get(), 0);
}

}  // namespace freshet::account
