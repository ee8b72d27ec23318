// The names of keys begin with a mark of a secret that stands in the book: another book's servers
// may use the same Redis.
#include "engine/settings/sharing_settings.hpp"

#include <account/servers.hpp>
#include <base/digest.hpp>

namespace freshet::detail {

result<std::optional<sharing_options>> configured_sharing(const config& config,
                                                          account::accounts* accounts,
                                                          const log_function& log) {
  const std::string url = config.text("storage.redis");
  if (accounts == nullptr || url.empty()) return std::optional<sharing_options>();
  auto where = redis::read_address(url);
  if (!where) return where.error();
  auto secret = accounts->secret("sharing");
  if (!secret) return secret.error();
  const auto mark = base::hmac_sha256(*secret, "sources");
  sharing_options made;
  made.where = std::move(*where);
  made.timeout =
      std::chrono::milliseconds(config.integer("storage.redis_timeout_ms").value_or(100));
  made.prefix = "freshet:" + base::hex(base::as_text(mark).substr(0, 6)) + ":";
  made.secret = base::hex(base::as_text(base::hmac_sha256(*secret, "answers")));
  made.answer_bytes =
      static_cast<std::size_t>(config.integer("storage.redis_answer_bytes").value_or(0));
  made.servers = [accounts] { return account::count_servers(*accounts); };
  made.changed = [log](bool is_here, std::string_view why) {
    if (is_here) return log("info", "what servers know of sources goes over Redis");
    log("warn", "what servers know of sources does not go over Redis (" + std::string(why) +
                    "): each has what it finds itself");
  };
  return std::optional(std::move(made));
}

}  // namespace freshet::detail
