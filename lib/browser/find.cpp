// The usual places of Chromium and its relatives.
#include <unistd.h>

#include <array>
#include <browser/find.hpp>

namespace freshet::browser {
namespace {

/// The programs themselves come before the shell scripts that distributions put in front of them,
/// and the smaller ones, made for this, before all.
constexpr std::array<const char*, 14> places = {
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
               "no browser is installed: install Chromium (Debian: apt-get install chromium) or "
               "name it in render.chromium");
}

}  // namespace freshet::browser
