// Appending to a JSON document in place: each entry overwrites the tail and writes it anew.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/whole_file.hpp>
#include <http/har.hpp>
#include <http/recorder.hpp>
#include <string_view>
#include <utility>

namespace freshet::http {

result<std::unique_ptr<har_file>> har_file::open(const std::string& path) {
  const auto fail = [&](const char* why) {
    return error(errc::invalid_configuration, "network.record: " + path + ' ' + why);
  };
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return fail("cannot be opened for writing");
  std::FILE* file = fdopen(descriptor, "r+");
  if (file == nullptr) {
    close(descriptor);
    return fail("cannot be opened for writing");
  }
  std::unique_ptr<har_file> out(new har_file(file, 0, true));
  if (std::fseek(file, 0, SEEK_END) != 0) return fail("is no regular file");
  const long size = std::ftell(file);
  if (size == 0) {
    const bool written =
        std::fwrite(har_head.data(), 1, har_head.size(), file) == har_head.size() &&
        std::fwrite(har_tail.data(), 1, har_tail.size(), file) == har_tail.size() &&
        std::fflush(file) == 0;
    if (!written) return fail("cannot be written");
    out->end_ = static_cast<long>(har_head.size());
    return out;
  }
  std::string tail(har_tail.size(), '\0');
  const long tail_at = size - static_cast<long>(tail.size());
  const bool is_ours =
      tail_at >= static_cast<long>(har_head.size()) && std::fseek(file, tail_at, SEEK_SET) == 0 &&
      std::fread(tail.data(), 1, tail.size(), file) == tail.size() && tail == har_tail;
  if (!is_ours) return fail("is there already and is no recording of ours");
  out->end_ = tail_at;
  out->empty_ = tail_at == static_cast<long>(har_head.size());
  return out;
}

har_file::~har_file() { std::fclose(file_); }

bool har_file::append(std::string_view entry) {
  if (end_ > max_recording_bytes) return false;
  std::string text(empty_ ? "" : ",\n");
  text.append(entry).append(har_tail);
  const int file = fileno(file_);
  if (!base::write_at(file, text, end_)) {
    // What it had before takes no room that it has not, and whoever opens it finds all of it.
    if (base::write_at(file, har_tail, end_))
      (void)!::ftruncate(file, end_ + static_cast<off_t>(har_tail.size()));
    return false;
  }
  end_ += static_cast<long>(text.size() - har_tail.size());
  empty_ = false;
  return true;
}

std::uint64_t recorder::submit(request&& wanted, deadline deadline, handler done) {
  request asked = wanted;
  return next_.submit(std::move(wanted), deadline,
                      [this, asked = std::move(asked), done = std::move(done),
                       started = clock_.now()](result<response> got) {
                        write(asked, got, started);
                        done(std::move(got));
                      });
}

void recorder::write(const request& asked, const result<response>& got, time_point started) {
  // What the caller has called off says nothing about the source.
  if (failed_ || (!got && got.error().code() == errc::cancelled)) return;
  if (file_->append(har_entry(asked, got, started))) return;
  failed_ = true;
  if (log_) log_("warning", "the recording cannot be continued: the file is full or unwritable");
}

}  // namespace freshet::http
