// Servers over one book with callers of their own, and what befalls them: the accounts as they are,
// over a database, a network, threads and clocks that are made up.
#pragma once

#include <account/accounts.hpp>
#include <simulation/database.hpp>
#include <thread>

namespace freshet::simulation {

/// What somebody asked for, and what they were told.
struct wish {
  enum class outcome : std::uint8_t { unknown, done, refused };
  std::size_t account = 0;
  std::int64_t credits = 0;
  bool is_grant = false;
  outcome told = outcome::unknown;
};

/// What a seed came to, and how much of everything there was.
struct findings {
  std::string fault;  ///< "": none
  std::uint64_t charged = 0, refused = 0, unknown = 0, kills = 0, restarts = 0, pauses = 0,
                cuts = 0, crashes = 0, hangs = 0, clocks = 0, fences = 0, taken_back = 0,
                servers = 0, turns = 0, woken_too_soon = 0;

  findings& operator+=(const findings& other) {
    for (const auto field :
         {&findings::charged, &findings::refused, &findings::unknown, &findings::kills,
          &findings::restarts, &findings::pauses, &findings::cuts, &findings::crashes,
          &findings::hangs, &findings::clocks, &findings::fences, &findings::taken_back,
          &findings::servers, &findings::turns, &findings::woken_too_soon})
      this->*field += other.*field;
    return *this;
  }
};

/// What may befall them.
struct hazards {
  bool kills = true, pauses = true, cuts = true, crashes = true, clocks = true, hangs = true;
};

/// Below `folder` each server finds its data folder, "0" to "8". What the database is asked goes to
/// `record`.
[[nodiscard]] findings simulate(std::uint64_t seed, flaw planted, const hazards& dangers,
                                const std::string& folder, std::ostream* record = nullptr);

}  // namespace freshet::simulation
