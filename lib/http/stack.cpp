// Puts the layers together, and takes them apart in an order in which every handler is still
// called.
#include <base/digest.hpp>
#include <cstring>
#include <exception>
#include <fstream>
#include <http/admission.hpp>
#include <http/cache.hpp>
#include <http/curl_engine.hpp>
#include <http/front.hpp>
#include <http/kept_answers.hpp>
#include <http/name_layer.hpp>
#include <http/politeness.hpp>
#include <http/pooled_answers.hpp>
#include <http/recorder.hpp>
#include <http/redirects.hpp>
#include <http/replay.hpp>
#include <http/robots_layer.hpp>
#include <http/single_flight.hpp>
#include <http/stack.hpp>
#include <iterator>
#include <random>

namespace freshet::http {
namespace {

/// Numbers in [0, 1), for jitter: seeded by the CSPRNG, so that many processes do not beat as one.
std::function<double()> make_random() {
  std::uint64_t seed = 0;
  const std::string bytes = base::random_bytes(sizeof seed);
  std::memcpy(&seed, bytes.data(), sizeof seed);
  return [engine = std::mt19937_64(seed)]() mutable {
    return std::uniform_real_distribution<double>(0.0, 1.0)(engine);
  };
}

class stack final : public stack_transport {
 public:
  stack(const stack_options& options, const base::clock& clock, address_guards guards,
        std::unique_ptr<har_file> record, std::unique_ptr<transport> recorded)
      : engine_({options.user_agent, std::move(guards), &clock, options.ca_file,
                 options.used_processor, options.unreached}),
        recorded_(std::move(recorded)) {
    transport* top = &engine_;
    const auto add = [&](auto layer) {
      top = layer.get();
      layers_.push_back(std::move(layer));
    };
    if (recorded_ != nullptr) {
      top = recorded_.get();
    } else {
      add(std::make_unique<name_layer>(*top, engine_, system_names()));
      auto made = std::make_unique<admission>(*top, engine_);
      admission_ = made.get();
      add(std::move(made));
    }
    if (recorded_ == nullptr && options.polite) {
      politeness_options polite;
      polite.paces = options.paces;
      polite.quota_path = options.quota_path;
      polite.pool = options.pool;
      polite.has_shares = options.has_shares;
      polite.clock = &clock;
      polite.random = make_random();
      polite.log = options.log;
      polite.opened = options.opened;
      auto made = std::make_unique<politeness>(*top, engine_, std::move(polite));
      politeness_ = made.get();
      add(std::move(made));
    }
    if (record != nullptr) {
      add(std::make_unique<recorder>(*top, std::move(record), clock, options.log));
    }
    add(std::make_unique<robots_layer>(*top, engine_, options.user_agent));
    add(std::make_unique<redirects>(*top));
    // As the cache: where there is a replay, or no cache, nothing is kept by others either.
    const bool has_cache =
        recorded_ == nullptr && options.shelf != nullptr && options.shelf->capacity() > 0;
    if (has_cache && options.answers != nullptr) {
      auto made = std::make_unique<pooled_answers>(*top, engine_, clock, *options.answers,
                                                   options.answers_secret);
      pooled_ = made.get();
      add(std::move(made));
    }
    add(std::make_unique<single_flight>(*top, engine_));
    add(std::make_unique<kept_answers>(*top, engine_));
    front_ = std::make_unique<front>(*top, engine_);
    top_ = front_.get();
    // A replay has its answers in memory already, and a cache would hide later ones of the same
    // URL.
    if (has_cache) {
      cache_ = std::make_unique<cache>(*front_, options.shelf, clock);
      top_ = cache_.get();
    }
    engine_.start([this] {
      for (const auto& layer : layers_) layer->forget();
      front_->answer_all(errc::overloaded);
    });
  }
  stack(const stack&) = delete;
  stack& operator=(const stack&) = delete;

  ~stack() override {
    front_->close();
    engine_.stop();  // from here on no thread but this one is inside
    front_->answer_all(errc::cancelled);
  }

  std::uint64_t submit(request&& request, deadline deadline, handler done) override {
    return top_->submit(std::move(request), deadline, std::move(done));
  }
  void cancel(std::uint64_t ticket) override { top_->cancel(ticket); }
  [[nodiscard]] stack_figures figures() const override {
    const auto kept = cache_ != nullptr ? cache_->count() : cache::figures();
    const auto pooled = pooled_ != nullptr ? pooled_->count() : pooled_answers::figures();
    return {kept.hits,         kept.misses,
            front_->pending(), admission_ != nullptr ? admission_->running() : 0,
            pooled.hits,       pooled.misses,
            pooled.waits,      politeness_ != nullptr ? politeness_->judged_alone() : 0};
  }
  void wake_at(std::chrono::steady_clock::time_point when,
               std::function<void()> function) override {
    engine_.post([this, when, function = std::move(function)]() mutable {
      engine_.at(when, std::move(function));
    });
  }

 private:
  curl_engine engine_;
  std::unique_ptr<transport> recorded_;
  std::vector<std::unique_ptr<transport>> layers_;
  const admission* admission_ = nullptr;    ///< null with a replay
  const pooled_answers* pooled_ = nullptr;  ///< null: no other server's are used
  const politeness* politeness_ = nullptr;  ///< likewise
  std::unique_ptr<front> front_;
  std::unique_ptr<cache> cache_;
  transport* top_ = nullptr;
};

result<std::unique_ptr<transport>> open_replay(const std::string& path, const base::clock& clock) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) {
    return error(errc::invalid_configuration, "network.replay: " + path + " cannot be read");
  }
  result<std::unique_ptr<transport>> out = make_replay({text}, replay_match::exact, &clock);
  if (!out) {
    return error(errc::invalid_configuration,
                 "network.replay: " + path + ": " + out.error().detail());
  }
  return out;
}

result<address_guards> make_guards(const stack_options& options) {
  auto all = address_guard::make(options.allow_private, options.any_port, "scrape.allow_private");
  if (!all) return all.error();
  std::vector<std::string> both = options.allow_chosen;
  both.insert(both.end(), options.allow_private.begin(), options.allow_private.end());
  auto chosen = address_guard::make(both, options.any_port);
  if (!chosen) return chosen.error();
  return address_guards{std::move(*all), std::move(*chosen), options.own_ports};
}

}  // namespace

result<std::unique_ptr<stack_transport>> make_stack(stack_options options) {
  const base::clock& clock = options.clock == nullptr ? base::system_clock() : *options.clock;
  result<address_guards> guards = make_guards(options);
  if (!guards) return guards.error();
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file)) {
    return error(errc::invalid_configuration,
                 "'" + options.ca_file + "' cannot be read; name a file of certificates in PEM");
  }
  std::unique_ptr<har_file> record;
  if (!options.record_path.empty()) {
    result<std::unique_ptr<har_file>> opened = har_file::open(options.record_path);
    if (!opened) return opened.error();
    record = std::move(*opened);
  }
  std::unique_ptr<transport> recorded;
  if (!options.replay_path.empty()) {
    result<std::unique_ptr<transport>> opened = open_replay(options.replay_path, clock);
    if (!opened) return opened.error();
    recorded = std::move(*opened);
  }
  try {
    return std::unique_ptr<stack_transport>(std::make_unique<stack>(
        options, clock, std::move(*guards), std::move(record), std::move(recorded)));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // no thread, no entropy, no curl
    return error(errc::internal, std::string("the HTTP stack does not start: ") + e.what());
  }
}

}  // namespace freshet::http
