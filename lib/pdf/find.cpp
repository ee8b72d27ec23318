// The usual places of programs.
#include <unistd.h>

#include <array>
#include <pdf/find.hpp>

namespace freshet::pdf {
namespace {

constexpr std::array<const char*, 3> folders = {"/usr/bin", "/usr/local/bin", "/opt/poppler/bin"};

bool has_programs(const std::string& folder) {
  return access((folder + "/pdftotext").c_str(), X_OK) == 0 &&
         access((folder + "/pdftohtml").c_str(), X_OK) == 0;
}

}  // namespace

result<std::string> find_poppler(std::string_view configured) {
  if (!configured.empty()) {
    std::string folder(configured);
    if (folder.front() == '/' && has_programs(folder)) return folder;
    return error(errc::invalid_configuration,
                 "pdf.folder: '" + folder + "' does not have pdftotext and pdftohtml");
  }
  for (const char* each : folders) {
    if (has_programs(each)) return std::string(each);
  }
  return error(errc::invalid_configuration,
               "poppler's programs are not installed: install them (Debian: apt-get install "
               "poppler-utils) or name their folder in pdf.folder");
}

}  // namespace freshet::pdf
