// Rows of the store, which nobody keeps in memory but who sends them.
#include <account/kept_mails.hpp>
#include <account/owners.hpp>
#include <base/ids.hpp>
#include <base/sealing.hpp>

namespace freshet::account {
namespace {

base::sha256_digest mail_key(const owners& in) {
  return base::hmac_sha256(in.books->pepper(), "mails");
}

}  // namespace

stored_mail seal_mail(const owners& all, std::string_view text) {
  stored_mail made;
  made.written_at = all.now();
  made.id = base::make_id("mail_", made.written_at);
  made.sealed = base::seal_text(mail_key(all), made.id, text);
  return made;
}

result<std::string> kept_mails::keep(std::string_view text) {
  const stored_mail mail = seal_mail(owners_, text);
  const auto write = [&](transaction& running) { running.keep_mail(mail); };
  if (auto done = owners_.queue.run(write, nullptr); !done) return done.error();
  return mail.id;
}

result<void> kept_mails::remove(std::span<const std::string> ids) {
  const auto write = [&](transaction& running) {
    for (const std::string& id : ids) running.remove_mail(id);
  };
  return owners_.queue.run(write, nullptr);
}

result<std::vector<kept_mail>> kept_mails::take(std::size_t most) {
  std::vector<kept_mail> taken;
  // It is asked for every few seconds: where there is nothing, nothing is written.
  const auto has_any = owners_.books->has_free_mails();
  if (!has_any) return has_any.error();
  if (!*has_any) return taken;
  const time_point oldest = owners_.now() - mail_lifetime;
  const auto write = [&](transaction& running) {
    taken.clear();
    for (const stored_mail& each : running.take_mails(most)) {
      auto text = base::unseal_text(mail_key(owners_), each.id, each.sealed);
      if (text && each.takes <= max_mail_takes && each.written_at > oldest)
        taken.push_back({each.id, std::move(*text)});
      else
        running.remove_mail(each.id);
    }
  };
  if (auto done = owners_.queue.run(write, nullptr); !done) return done.error();
  return taken;
}

}  // namespace freshet::account
