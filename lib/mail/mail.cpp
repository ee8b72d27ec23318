// A few threads over one queue, one curl handle an attempt. A refusal for good (a 5xx answer) is
// not tried again; what failed is said in the log, without the text, which may hold a link.
#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <cstring>
#include <mail/mail.hpp>
#include <memory>
#include <tuple>
#include <utility>

namespace freshet::mail {
namespace {

constexpr std::size_t max_address_size = 254;
constexpr std::size_t max_subject_size = 200;
constexpr std::size_t max_ascii_line = 900;
constexpr std::size_t base64_line = 76;
constexpr std::size_t id_bytes = 16;
/// curl asks it about once a second whether to go on.
constexpr int stop_now = 1;
/// A retry that has been due for this long is no longer behind those that are new.
constexpr std::chrono::seconds longest_behind{60};
/// Where there is no memory to look what is due.
constexpr std::chrono::milliseconds memory_pause{500};
/// Of what others left; the rest is for who else looks.
constexpr std::size_t max_taken_at_once = 16;

error refused(std::string what) { return error(errc::invalid_request, "mail: " + what); }

bool is_ascii_line(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// The bare address of "Name <address>", or of an address alone.
std::string_view bare_address(std::string_view text) {
  const std::size_t open = text.rfind('<');
  if (open == std::string_view::npos || !text.ends_with('>')) return text;
  return text.substr(open + 1, text.size() - open - 2);
}

bool is_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return text.size() <= max_address_size && is_ascii_line(text) && at != std::string_view::npos &&
         at > 0 && at + 1 < text.size() && text.find_first_of(" <>,;:\"\\()[]") == text.npos;
}

/// As it is, or as an encoded word (RFC 2047); short, so that one suffices.
std::string header_text(std::string_view text) {
  if (is_ascii_line(text)) return std::string(text);
  return "=?UTF-8?B?" + base::base64(text) + "?=";
}

/// Lines with CRLF.
std::string with_crlf(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    if (c != '\r') out += c;
  }
  if (!out.ends_with("\n")) out += "\r\n";
  return out;
}

/// Whether the text can go as it is: ASCII, in lines of a length that every server takes.
bool is_plain(std::string_view text) {
  std::size_t column = 0;
  for (const char c : text) {
    column = c == '\n' ? 0 : column + 1;
    if ((c != '\n' && c != '\t' && (c < ' ' || c > '~')) || column > max_ascii_line) return false;
  }
  return true;
}

std::string in_lines(const std::string& encoded) {
  std::string out;
  for (std::size_t at = 0; at < encoded.size(); at += base64_line)
    out.append(encoded, at, base64_line).append("\r\n");
  return out;
}

bool is_loopback(const std::string& url) {
  CURLU* const parts = curl_url();
  char* host = nullptr;
  bool loopback = false;
  if (curl_url_set(parts, CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
      curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK) {
    const std::string_view name(host);
    loopback = name == "localhost" || name == "[::1]" || name.starts_with("127.");
  }
  curl_free(host);
  curl_url_cleanup(parts);
  return loopback;
}

std::size_t give(char* buffer, std::size_t size, std::size_t count, void* source) {
  auto& rest = *static_cast<std::string_view*>(source);
  const std::size_t taken = std::min(size * count, rest.size());
  std::memcpy(buffer, rest.data(), taken);
  rest.remove_prefix(taken);
  return taken;
}

/// Asked by curl whether to go on.
using stop_check = std::function<bool()>;

int check_stop(void* client, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<const stop_check*>(client))() ? stop_now : 0;
}

}  // namespace

result<std::string> write_mail(const mail_message& message, std::string_view from_address,
                               std::chrono::system_clock::time_point time) {
  const std::string_view sender = bare_address(from_address);
  if (!is_address(message.to)) return refused("the recipient is no address that a mail can go to");
  if (!is_address(sender)) return refused("the sender is no address");
  if (!base::is_utf8(from_address) || !base::is_utf8(message.subject) ||
      !base::is_utf8(message.text) ||
      from_address.find_first_of(std::string_view("\r\n\0", 3)) != from_address.npos ||
      message.subject.find_first_of(std::string_view("\r\n\0", 3)) != message.subject.npos ||
      message.subject.size() > max_subject_size || message.text.find('\0') != message.text.npos) {
    return refused("a subject is one line of text, a text is UTF-8");
  }
  const bool bare = sender.size() == from_address.size();
  const std::string_view name = base::trim(from_address.substr(0, from_address.rfind('<')));
  const bool plain = is_plain(message.text);
  std::string out =
      "Date: " + base::format_mail_date(std::chrono::floor<std::chrono::milliseconds>(time)) +
      "\r\n";
  out += "From: " +
         (bare ? std::string(sender) : header_text(name) + " <" + std::string(sender) + ">");
  out += "\r\nTo: " + message.to + "\r\nSubject: " + header_text(message.subject) +
         "\r\nMessage-ID: <" + base::hex(base::random_bytes(id_bytes)) +
         std::string(sender.substr(sender.find('@'))) +
         ">\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
         "Content-Transfer-Encoding: " +
         (plain ? "7bit" : "base64") + "\r\nAuto-Submitted: auto-generated\r\n\r\n";
  const std::string text = with_crlf(message.text);
  return out + (plain ? text : in_lines(base::base64(text)));
}

result<std::unique_ptr<mailer>> mailer::open(mail_options options) {
  if (!options.url.starts_with("smtp://") && !options.url.starts_with("smtps://")) {
    return error(errc::invalid_configuration,
                 "mail.url: give smtp://HOST:587 or smtps://HOST:465, not '" + options.url + "'");
  }
  const auto sample = write_mail({"nobody@example.org", "", ""}, options.from, {});
  if (!sample) {
    return error(errc::invalid_configuration,
                 "mail.from: give the sender's address, such as freshet@example.org");
  }
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return error(errc::internal, "curl does not start");
  }
  return std::unique_ptr<mailer>(new mailer(std::move(options)));
}

mailer::mailer(mail_options options) : options_(std::move(options)) {
  if (!options_.log) options_.log = [](std::string_view, std::string_view) {};
  try {
    start();
  } catch (...) {
    stop();
    throw;
  }
}

void mailer::start() {
  threads_.reserve(mail_threads);
  const auto run_on = [this] {
    while (true) {
      try {
        return run();
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(memory_pause);
      }
    }
  };
  while (threads_.size() < mail_threads) threads_.emplace_back(run_on);
}

void mailer::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  for (std::thread& each : threads_) each.join();
}

mailer::~mailer() {
  stop();
  drop_gone();
  const auto lost =
      std::ranges::count_if(waiting_, [](const auto& each) { return each.id.empty(); });
  if (lost > 0) {
    options_.log("warn", "mail: " + std::to_string(lost) + " not sent: the server has ended");
  }
  curl_global_cleanup();
}

mailer::waiting_mail mailer::waiting(kept_message kept) {
  waiting_mail fresh;
  fresh.recipient = base::to_lower_ascii(kept.what.to);
  fresh.domain = fresh.recipient.substr(fresh.recipient.rfind('@') + 1);
  fresh.id = std::move(kept.id);
  fresh.what = std::move(kept.what);
  fresh.due = std::chrono::steady_clock::now();
  return fresh;
}

result<void> mailer::send(mail_message message, std::string id) {
  // Written once here, so that a bad one is refused where it is made.
  const auto sound = write_mail(message, options_.from, {});
  if (sound && options_.keeper && id.empty()) {
    auto kept = options_.keeper->keep(message);
    if (kept)
      id = std::move(*kept);
    else
      options_.log("warn", "mail: not kept, sent from memory: " + kept.error().detail());
  }
  waiting_mail fresh = waiting({id, std::move(message)});
  const auto queued = sound ? queue_up(std::move(fresh)) : result<void>(sound.error());
  if (!queued && !id.empty()) {
    const std::lock_guard lock(mutex_);
    gone_.push_back(std::move(id));
  }
  drop_gone();
  return queued;
}

result<void> mailer::queue_up(waiting_mail fresh) {
  const std::lock_guard lock(mutex_);
  const auto to_one = std::ranges::count_if(
      waiting_, [&](const auto& each) { return each.recipient == fresh.recipient; });
  if (static_cast<std::size_t>(to_one) >= max_waiting_for_one) {
    return error(errc::overloaded, "mail: not sent: " + std::to_string(to_one) +
                                       " wait for the same recipient already");
  }
  if (!make_room(fresh.domain)) {
    return error(errc::overloaded, "mail: not sent: too many messages wait to be sent");
  }
  last_turn_.try_emplace(fresh.domain, turns_);
  waiting_.push_back(std::move(fresh));
  wake_.notify_all();
  return {};
}

/// Without the lock: it waits for the keeper. What it does not take is tried again with the next.
void mailer::drop_gone() {
  std::vector<std::string> gone;
  {
    const std::lock_guard lock(mutex_);
    gone.swap(gone_);
  }
  if (gone.empty() || options_.keeper->remove(gone)) return;
  const std::lock_guard lock(mutex_);
  gone_.insert(gone_.end(), gone.begin(), gone.end());
}

bool mailer::look_is_due(time now) const {
  return options_.keeper && !looking_ && waiting_.size() < max_waiting_mails && now >= next_look_;
}

/// Takes over what others have left, as far as there is room. Without the lock.
void mailer::look() {
  std::size_t room = 0;
  {
    const std::lock_guard lock(mutex_);
    room = max_waiting_mails - std::min(waiting_.size(), max_waiting_mails);
  }
  queue taken;
  try {
    if (auto left = options_.keeper->take(std::min(room, max_taken_at_once)))
      for (kept_message& each : *left) taken.push_back(waiting(std::move(each)));
  } catch (const std::bad_alloc&) {
    options_.log("error", "mail: no memory for what others left");
  }
  const std::lock_guard lock(mutex_);
  next_look_ = std::chrono::steady_clock::now();
  if (taken.size() < max_taken_at_once) next_look_ += options_.looks_every;
  looking_ = false;
  for (const waiting_mail& each : taken) last_turn_.try_emplace(each.domain, turns_);
  waiting_.splice(waiting_.end(), taken);
  wake_.notify_all();
}

/// Whether there is room for one more to `domain`, if need be in place of one that was refused
/// before.
bool mailer::make_room(const std::string& domain) {
  std::map<std::string_view, std::size_t> counts;
  for (const waiting_mail& each : waiting_) ++counts[each.domain];
  const bool full = waiting_.size() >= max_waiting_mails;
  const bool is_too_many = counts[domain] >= max_waiting_for_domain;
  if (!full && !is_too_many) return true;
  const auto rank = [&](const waiting_mail& each) {
    return std::pair(counts[each.domain], each.attempts);
  };
  auto worst = waiting_.end();
  for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
    if (each->under_way || each->attempts == 0) continue;
    if (is_too_many && each->domain != domain) continue;
    if (worst == waiting_.end() || rank(*each) >= rank(*worst)) worst = each;
  }
  if (worst == waiting_.end()) return false;
  options_.log("error", "mail: given up for want of room, after " +
                            std::to_string(worst->attempts) + " attempts");
  remove(worst);
  return true;
}

void mailer::remove(queue::iterator one) {
  const std::string domain = std::move(one->domain);
  if (!one->id.empty()) gone_.push_back(std::move(one->id));
  waiting_.erase(one);
  const bool has_more =
      std::ranges::any_of(waiting_, [&](const auto& each) { return each.domain == domain; });
  if (!has_more) last_turn_.erase(domain);
}

/// New ones before those that were refused; then the domain whose turn is longest ago.
bool mailer::comes_before(const waiting_mail& one, const waiting_mail& other, time now) const {
  const auto rank = [&](const waiting_mail& each) {
    const bool is_behind = each.attempts > 0 && now - each.due < longest_behind;
    return std::tuple(is_behind, last_turn_.at(each.domain), each.attempts, each.due);
  };
  return rank(one) < rank(other);
}

/// The one to be tried now; the end if there is none.
mailer::queue::iterator mailer::next(time now) {
  std::map<std::string_view, std::size_t> at_domain;
  for (const waiting_mail& each : waiting_) at_domain[each.domain] += each.under_way ? 1 : 0;
  auto best = waiting_.end();
  for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
    if (each->under_way || each->due > now) continue;
    if (at_domain[each->domain] >= max_attempts_at_domain) continue;
    if (best == waiting_.end() || comes_before(*each, *best, now)) best = each;
  }
  return best;
}

/// When something will be due that is not due yet; what waits for a domain is woken by its end, and
/// so is a look for which there is no room now.
std::optional<mailer::time> mailer::soonest(time now) const {
  std::optional<time> first;
  for (const waiting_mail& each : waiting_) {
    if (!each.under_way && each.due > now) first = std::min(first.value_or(each.due), each.due);
  }
  if (options_.keeper && !looking_ && waiting_.size() < max_waiting_mails)
    first = std::min(first.value_or(next_look_), next_look_);
  return first;
}

void mailer::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const time now = std::chrono::steady_clock::now();
    if (look_is_due(now)) {
      looking_ = true;
      lock.unlock();
      look();
      lock.lock();
      continue;
    }
    const auto one = next(now);
    if (one == waiting_.end()) {
      if (const auto until = soonest(now)) {
        wake_.wait_until(lock, *until);
      } else {
        wake_.wait(lock);
      }
      continue;
    }
    one->under_way = true;
    last_turn_[one->domain] = ++turns_;
    lock.unlock();
    std::string why;
    try {
      why = attempt(one->what);  // nobody removes what is under way
    } catch (const std::bad_alloc&) {
      why = "no memory";
    }
    lock.lock();
    attempted(one, why);
    wake_.notify_all();
    lock.unlock();
    drop_gone();
    lock.lock();
  }
}

/// What becomes of a mail after an attempt, which failed if there is a `why`.
void mailer::attempted(queue::iterator one, const std::string& why) {
  one->under_way = false;
  ++one->attempts;
  // A 5 in front is the server's last word.
  const bool is_last = why.starts_with('5') || one->attempts > options_.retries.size();
  if (why.empty()) return remove(one);
  if (stopping_) return;
  if (is_last) {
    options_.log("error", "mail: given up: " + why);
    return remove(one);
  }
  options_.log("warn", "mail: not sent, will be tried again: " + why);
  one->due = std::chrono::steady_clock::now() + options_.retries[one->attempts - 1];
}

std::string mailer::attempt(const mail_message& what) const {
  const auto text = write_mail(what, options_.from, std::chrono::system_clock::now());
  if (!text) return text.error().detail();
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(),
                                                                   curl_easy_cleanup);
  CURL* const easy = handle.get();
  if (easy == nullptr) return "curl has no handle to give";
  std::string_view left = *text;  // what curl still has to send
  const std::string sender = "<" + std::string(bare_address(options_.from)) + ">";
  const std::string recipient = "<" + what.to + ">";
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> recipients(
      curl_slist_append(nullptr, recipient.c_str()), curl_slist_free_all);
  const stop_check stopping = [this] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  };
  std::array<char, CURL_ERROR_SIZE> said{};
  bool is_ready = recipients != nullptr;
  const auto set = [&](auto option, auto value) {
    is_ready = is_ready && curl_easy_setopt(easy, option, value) == CURLE_OK;
  };
  const bool must_encrypt = options_.require_tls && !is_loopback(options_.url);
  set(CURLOPT_URL, options_.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USE_SSL, static_cast<long>(must_encrypt ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  if (!options_.ca_file.empty()) set(CURLOPT_CAINFO, options_.ca_file.c_str());
  if (!options_.username.empty()) {
    set(CURLOPT_USERNAME, options_.username.c_str());
    set(CURLOPT_PASSWORD, options_.password.c_str());
  }
  set(CURLOPT_MAIL_FROM, sender.c_str());
  set(CURLOPT_MAIL_RCPT, recipients.get());
  set(CURLOPT_UPLOAD, 1L);
  set(CURLOPT_READFUNCTION, give);
  set(CURLOPT_READDATA, static_cast<void*>(&left));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, check_stop);
  set(CURLOPT_XFERINFODATA, static_cast<const void*>(&stopping));
  set(CURLOPT_ERRORBUFFER, said.data());
  set(CURLOPT_CONNECTTIMEOUT, 10L);
  set(CURLOPT_TIMEOUT, static_cast<long>(options_.timeout.count()));
  // Without one of them it might go out unencrypted, or to nobody.
  if (!is_ready) return "curl refuses an option it must have";
  const CURLcode code = curl_easy_perform(easy);
  if (code == CURLE_OK) return {};
  long answered = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answered);
  const std::string reason = said[0] != '\0' ? said.data() : curl_easy_strerror(code);
  return answered >= 500 ? std::to_string(answered) + " " + reason : reason;
}

}  // namespace freshet::mail
