// Stands in for the application's files in a build without the dashboard.
#include <server/dashboard/pages.hpp>

namespace freshet::server {

std::span<const page_file> page_files() noexcept { return {}; }

}  // namespace freshet::server
