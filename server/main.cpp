// The program `freshet`. What it does is in commands.cpp; here is only what must come first: no
// core dumps (keys are in memory), files for their owner alone, no death by a closed pipe or a file
// that may not grow, and memory of which no thread waits for another's.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <server/commands/commands.hpp>
#include <server/commands/settings.hpp>
#include <string_view>
#include <thread>
#include <vector>

/// GnuTLS, which comes with what libcurl is linked to and which nothing here calls, asks this when
/// it is loaded, if it can see it. It would else make itself ready, for which there is time when
/// one of those libraries needs it, which then says so to it.
extern "C" [[gnu::visibility("default")]] int _gnutls_global_init_skip();
int _gnutls_global_init_skip() { return 1; }

namespace {

/// Each thread allocates from a heap of its own: of two that share one, who answers would wait for
/// who yields, and is put off the processor with the heap's lock. The C library has eight for each
/// processor, which a small machine has too few of; who starts the program may say how many.
void give_threads_heaps() noexcept {
  constexpr unsigned threads = 128, of_processor = 8;
  if (std::getenv("MALLOC_ARENA_MAX") != nullptr) return;
  if (std::thread::hardware_concurrency() * of_processor >= threads) return;
  ::mallopt(M_ARENA_MAX, threads);
}

}  // namespace

int main(int argc, char** argv) {
  give_threads_heaps();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::umask(S_IRWXG | S_IRWXO);
  std::signal(SIGPIPE, SIG_IGN);
  // Beyond a limit of file sizes a write fails, as on a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    return freshet::server::run_program(arguments, freshet::server::own_environment());
  } catch (const std::exception& failure) {
    return freshet::server::failed_with({},
                                        freshet::error(freshet::errc::internal, failure.what()));
  }
}
