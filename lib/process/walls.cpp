// Candidates from the strongest to the weakest; the first behind which a program runs and does not
// see what is hidden is taken. What a child is to be kept from is tried, not deduced.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <process/call_filter.hpp>
#include <process/landlock.hpp>
#include <process/run.hpp>
#include <process/walls.hpp>

namespace freshet::process {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds try_time{5'000};
/// Not nobody's, which other services share: one that distributions give to no one.
constexpr uid_t own_user = 60'913;
constexpr std::array<const char*, 2> bubblewraps = {"/usr/bin/bwrap", "/usr/local/bin/bwrap"};
constexpr const char* lister = "/bin/ls";
constexpr const char* fix =
    "install bubblewrap (Debian: apt-get install bubblewrap) where user namespaces are allowed, "
    "or run a kernel with Landlock (Linux 5.13), or start Freshet as root, which gives children a "
    "user of their own; process.allow_without_walls = true goes without";

std::string find_bubblewrap() {
  for (const char* each : bubblewraps) {
    if (access(each, X_OK) == 0) return each;
  }
  return {};
}

result<run_result> try_out(const walls& behind, std::string program,
                           std::vector<std::string> arguments, bool nests) {
  command_line what;
  what.program = std::move(program);
  what.arguments = std::move(arguments);
  what.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
  what.behind = &behind;
  what.nests = nests;
  bounds within;
  within.by = std::chrono::steady_clock::now() + try_time;
  return run(what, "", within);
}

/// Whether one hidden folder cannot be entered. Landlock and another root let nothing be opened; by
/// its user alone a child may name what it cannot list, unless it cannot pass the folder either.
bool hides(const walls& behind, const std::string& folder) {
  const bool by_user_alone = behind.bubblewrap.empty() && behind.landlock == 0;
  const auto seen = by_user_alone ? try_out(behind, lister, {"-d", folder + "/."}, false)
                                  : try_out(behind, lister, {"-A", folder}, false);
  if (!seen || seen->how != outcome::ended) return false;
  if (!seen->end.is_success()) return true;
  // In another root an empty folder stands where one would show among the readable places.
  return !behind.bubblewrap.empty() && seen->output.empty();
}

/// Whether a program runs behind the walls at all, and sees nothing of what is hidden.
bool hide_everything(const walls& behind) {
  const auto runs = try_out(behind, lister, {"-d", lister}, false);
  if (!runs || !runs->end.is_success() || runs->output != std::string(lister) + "\n") return false;
  return std::ranges::all_of(behind.hidden,
                             [&](const std::string& each) { return hides(behind, each); });
}

bool lets_nest(const walls& behind) {
  const auto done = try_out(behind, "/usr/bin/unshare", {"-Ur", "/bin/true"}, true);
  return done && done->end.is_success();
}

/// Whether the kernel gives a child a network of its own: then the child has said so.
bool gives_network(const walls& behind) {
  command_line what;
  what.program = "/bin/true";
  what.behind = &behind;
  const auto started = child::start(what, {});
  return started && started->is_walled();
}

std::vector<walls> candidates(const walls& base) {
  std::vector<walls> all;
  const std::string bubblewrap = find_bubblewrap();
  const int version = landlock_version();
  const bool superuser = geteuid() == 0;
  for (const bool with_user : {true, false}) {
    if (with_user && !superuser) continue;
    walls one = base;
    if (with_user) one.user = own_user;
    if (!bubblewrap.empty()) {
      all.push_back(one);
      all.back().bubblewrap = bubblewrap;
    }
    if (version > 0) {
      all.push_back(one);
      all.back().landlock = version;
    }
    // Its user alone keeps a child from folders that are ours only.
    if (with_user) all.push_back(one);
  }
  return all;
}

walls look(std::vector<std::string> hidden, bool allowed_without) {
  walls base;
  for (std::string& each : hidden) {
    std::error_code missing;
    const auto real = std::filesystem::canonical(each, missing);
    if (!missing) base.hidden.push_back(real.string());
  }
  base.call_filter = make_call_filter(false).has_value();
  for (walls& each : candidates(base)) {
    if (!hide_everything(each)) continue;
    each.own_network = !each.bubblewrap.empty() || gives_network(each);
    // Without a network of its own it is the filter that refuses sockets.
    if (!each.own_network && !each.call_filter) continue;
    each.nests = lets_nest(each);
    each.is_whole = true;
    return std::move(each);
  }
  base.own_network = gives_network(base);
  if (!allowed_without) {
    base.refusal =
        "no walls can be raised here between our files and programs that read what "
        "strangers wrote: " +
        std::string(fix);
  }
  return base;
}

}  // namespace

std::string walls::description() const {
  std::string out;
  const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (!bubblewrap.empty()) add("an empty root by " + bubblewrap);
  if (landlock > 0) add("Landlock " + std::to_string(landlock));
  if (user) add("user " + std::to_string(*user));
  if (own_network) add("no network");
  if (call_filter) add("seccomp");
  if (nests) add("the browser's own sandbox");
  return out.empty() ? "none" : out;
}

result<void> walls::check() const {
  if (refusal.empty()) return {};
  return error(errc::invalid_configuration, refusal);
}

const walls& wall_survey::get() const {
  std::call_once(once_, [this] { found_ = look(hidden_, allowed_without_); });
  return found_;
}

const std::vector<std::string>& readable_places() {
  static const std::vector<std::string> places = {"/usr",
                                                  "/bin",
                                                  "/sbin",
                                                  "/lib",
                                                  "/lib32",
                                                  "/lib64",
                                                  "/libx32",
                                                  "/opt/google",
                                                  "/opt/chromium.org",
                                                  "/opt/poppler",
                                                  "/etc/fonts",
                                                  "/etc/ssl",
                                                  "/etc/pki",
                                                  "/etc/ld.so.cache",
                                                  "/etc/ld.so.conf",
                                                  "/etc/ld.so.conf.d",
                                                  "/etc/alternatives",
                                                  "/etc/chromium",
                                                  "/etc/chromium.d",
                                                  "/etc/localtime",
                                                  "/etc/mime.types",
                                                  "/etc/nsswitch.conf",
                                                  "/var/cache/fontconfig",
                                                  "/sys/devices/system/cpu"};
  return places;
}

const std::vector<std::string>& open_devices() {
  static const std::vector<std::string> devices = {"/dev/null", "/dev/zero", "/dev/full",
                                                   "/dev/random", "/dev/urandom"};
  return devices;
}

bool is_beneath(std::string_view path, std::string_view folder) noexcept {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

std::string folder_beside(const std::string& program) {
  std::error_code missing;
  const auto real = std::filesystem::canonical(program, missing);
  if (missing) return {};
  for (const std::string& each : readable_places()) {
    if (is_beneath(real.native(), each)) return {};
  }
  const std::string folder = real.parent_path().string();
  return folder == "/" ? "" : folder;
}

}  // namespace freshet::process
