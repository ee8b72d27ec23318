// One loop of poll() over the three pipes, with a tick for the end of the program and its memory.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <process/run.hpp>
#include <process/tree.hpp>

namespace freshet::process {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr milliseconds tick{25};
constexpr milliseconds memory_interval{200};
constexpr std::size_t chunk = 64u << 10;

struct pipes {
  pipe_ends in, out, err;
};

result<pipes> make_pipes() {
  pipes made;
  for (pipe_ends* each : {&made.in, &made.out, &made.err}) {
    result<pipe_ends> one = each == &made.in ? make_socket_pipe() : make_pipe();
    if (!one) return one.error();
    *each = std::move(*one);
  }
  for (file_descriptor* ours : {&made.in.writing, &made.out.reading, &made.err.reading}) {
    if (auto done = ours->set_nonblocking(); !done) return done.error();
  }
  return made;
}

/// Writes what fits. The program may end without having read all; that is its own business.
void feed(file_descriptor& descriptor, std::string_view& input) {
  while (!input.empty()) {
    const ssize_t put =
        send(descriptor.number(), input.data(), std::min(input.size(), chunk), MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) return;
    if (put <= 0) break;
    input.remove_prefix(static_cast<std::size_t>(put));
  }
  descriptor.close();
}

/// Reads what there is and keeps up to `most` bytes of it. False if there was more.
bool drain(file_descriptor& file, std::string& out, std::size_t most) {
  std::array<char, chunk> buffer;
  bool all = true;
  while (file.is_open()) {
    const ssize_t got = read(file.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return all;
    if (got <= 0) {
      file.close();
      return all;
    }
    const auto length = static_cast<std::size_t>(got);
    const std::size_t room = most - std::min(most, out.size());
    out.append(buffer.data(), std::min(length, room));
    if (length > room) {
      all = false;
      return all;  // not to be kept busy by one who never stops
    }
  }
  return all;
}

void wait_for_pipes(const pipes& all, clock::time_point deadline) {
  std::array<pollfd, 3> watched{{{all.in.writing.number(), POLLOUT, 0},
                                 {all.out.reading.number(), POLLIN, 0},
                                 {all.err.reading.number(), POLLIN, 0}}};
  const auto left = std::chrono::duration_cast<milliseconds>(deadline - clock::now());
  const auto longest = std::clamp(left, milliseconds(0), tick);
  poll(watched.data(), watched.size(), static_cast<int>(longest.count()));
}

/// Until the program ends or passes a bound.
outcome follow(child& program, pipes& through, std::string_view input, const bounds& within,
               run_result& out) {
  auto next_look = clock::now() + memory_interval;
  while (true) {
    const bool ended = program.poll().has_value();
    feed(through.in.writing, input);
    if (!drain(through.out.reading, out.output, within.output_bytes)) {
      return outcome::too_much_output;
    }
    drain(through.err.reading, out.errors, max_error_text);
    // A descendant that still holds a pipe does not keep us waiting.
    if (ended) return outcome::ended;
    const auto now = clock::now();
    if (now >= within.by) return outcome::out_of_time;
    if (within.stop != nullptr && *within.stop) return outcome::stopped;
    if (now >= next_look) {
      if (resident_bytes(program.id()) > within.memory_bytes) return outcome::too_much_memory;
      next_look = now + memory_interval;
    }
    wait_for_pipes(through, within.by);
  }
}

}  // namespace

result<run_result> run(const command_line& command, std::string_view input, const bounds& within,
                       std::span<const inherited_file> more) {
  result<pipes> through = make_pipes();
  if (!through) return through.error();
  std::vector<inherited_file> files{{through->in.reading.number(), 0},
                                    {through->out.writing.number(), 1},
                                    {through->err.writing.number(), 2}};
  files.insert(files.end(), more.begin(), more.end());
  result<child> program = child::start(command, files);
  if (!program) return program.error();
  through->in.reading.close();
  through->out.writing.close();
  through->err.writing.close();
  run_result out;
  const auto began = clock::now();
  out.how = follow(*program, *through, input, within, out);
  out.processor = clock::now() - began;
  if (const auto end = program->poll()) {
    out.end = *end;
    out.processor = end->processor;
  }
  program->kill();
  return out;
}

}  // namespace freshet::process
