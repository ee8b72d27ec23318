// Where several servers keep answers for each other, as the layers see it. It knows no network:
// whoever builds the stack has one.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace freshet::http {

/// What is looked for.
struct answer_question {
  std::string key;
  std::string token;  ///< of the lease that is taken where nothing is kept
  std::optional<std::chrono::seconds> max_age;  ///< see request
};

/// What was found.
struct pooled_answer {
  enum class state {
    kept,   ///< an answer that may be given
    ours,   ///< none: whoever asked has the lease now, and is to fetch it
    taken,  ///< none yet: another one has the lease
    unfit,  ///< none: it was fetched of late, and may not be kept
  };
  state is = state::unfit;
  std::chrono::milliseconds age{0};   ///< since its server made it
  std::chrono::milliseconds held{0};  ///< of that, in the pool
  std::string bytes;
};

/// What is to be kept.
struct answer_to_keep {
  std::string key;
  std::string bytes;
  std::chrono::milliseconds age{0};  ///< now
  std::chrono::milliseconds lifetime{
      0};                  ///< so old it is not given any more, unless a question says so
  bool is_strict = false;  ///< not even then
  std::chrono::milliseconds kept_for{0};  ///< at most
};

/// Thread-safe.
class answer_pool {
 public:
  /// Null: nobody knows. On another thread.
  using handler = std::function<void(std::optional<pooled_answer>)>;

  virtual ~answer_pool() = default;
  /// Longer ones are not kept.
  [[nodiscard]] virtual std::size_t max_bytes() const = 0;
  /// False where nobody can be asked: `done` is then not told.
  [[nodiscard]] virtual bool find(const answer_question& question, handler done) = 0;
  /// Keeps an answer, in the place of any lease.
  virtual void keep(answer_to_keep what) = 0;
  /// Ends a lease of this token, if it is there still. `is_unfit`: the answer may not be kept, so
  /// nobody is to wait for the next ones either, for a moment.
  virtual void leave(const std::string& key, const std::string& token, bool is_unfit) = 0;
};

}  // namespace freshet::http
