// The usual places of Chromium and its relatives.
#include <unistd.h>

#include <array>
#include <base/unicode.hpp>
#include <browser/find.hpp>
#include <chrono>
#include <process/run.hpp>

namespace freshet::browser {
namespace {

/// The programs themselves come before the shell scripts that distributions put in front of them,
/// and the smaller ones, made for this, before all.
constexpr std::array<const char*, 15> places = {
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/chrome-headless-shell",
    "/usr/lib/chromium/headless_shell",
    "/usr/bin/chrome-headless-shell",
    "/usr/bin/headless_shell",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/chromium.org/chromium/chromium",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/local/bin/chromium",
    "/usr/local/bin/google-chrome",
};

constexpr std::chrono::seconds version_time{10};
constexpr std::size_t longest_version = 200;

}  // namespace

result<std::string> find_browser(std::string_view configured) {
  if (!configured.empty()) {
    std::string path(configured);
    if (path.front() == '/' && access(path.c_str(), X_OK) == 0) return path;
    return error(errc::invalid_configuration,
                 "render.chromium: '" + path + "' is not a program that can be run");
  }
  for (const char* each : places) {
    if (access(each, X_OK) == 0) return std::string(each);
  }
  return error(errc::invalid_configuration,
               "no browser is installed: install Chromium (Debian: apt-get install "
               "chromium-headless-shell) or name it in render.chromium");
}

result<std::string> version_of(const std::string& program, const process::walls& behind) {
  process::command_line what;
  what.program = program;
  what.arguments = {"--version"};
  what.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp"};
  what.behind = &behind;
  process::bounds within;
  within.by = std::chrono::steady_clock::now() + version_time;
  const auto said = process::run(what, "", within);
  if (!said) return said.error();
  const std::string_view line = base::trim(said->output);
  if (!said->end.is_success() || line.empty() || line.size() > longest_version) {
    return error(errc::internal, program + " does not tell its version");
  }
  return std::string(line);
}

}  // namespace freshet::browser
