// The system calls of descriptors and pipes.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <process/file_descriptor.hpp>

namespace freshet::process {

void file_descriptor::close() noexcept {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

result<void> file_descriptor::set_nonblocking() noexcept {
  const int flags = fcntl(number_, F_GETFL);
  if (flags < 0 || fcntl(number_, F_SETFL, flags | O_NONBLOCK) != 0) {
    return error(errc::internal, "a pipe cannot be made non-blocking");
  }
  return {};
}

result<pipe_ends> make_pipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return error(errc::internal, "no pipe can be made: too many files are open");
  }
  return pipe_ends{file_descriptor(ends[0]), file_descriptor(ends[1])};
}

result<pipe_ends> make_socket_pipe() {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return error(errc::internal, "no pipe can be made: too many files are open");
  }
  return pipe_ends{file_descriptor(ends[0]), file_descriptor(ends[1])};
}

result<file_descriptor> make_memory_file(std::string_view content) {
  file_descriptor file(memfd_create("input", MFD_CLOEXEC));
  while (file.is_open() && !content.empty()) {
    const ssize_t put = write(file.number(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) file.close();
    if (put > 0) content.remove_prefix(static_cast<std::size_t>(put));
  }
  if (!file.is_open()) return error(errc::internal, "no memory for a file");
  return file;
}

}  // namespace freshet::process
