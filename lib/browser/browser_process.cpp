// How the browser is started: without a network of its own, without extensions, updates, reports or
// anything else that is not the page.
#include <unistd.h>

#include <algorithm>
#include <browser/browser_process.hpp>
#include <process/tree.hpp>

namespace freshet::browser {
namespace {

constexpr int commands_descriptor = 3, replies_descriptor = 4;  // as --remote-debugging-pipe has it

/// Nothing that the browser might ask of the network by itself, or that our interception could miss
/// (sockets of scripts, WebRTC, QUIC, a name's look-up), leads anywhere: all requests of pages are
/// answered by us.
constexpr std::string_view no_network[] = {
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--dns-prefetch-disable",
};

constexpr std::string_view nothing_but_the_page[] = {
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-dev-shm-usage",  // 64 MB in many containers
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-notifications",
    "--disable-client-side-phishing-detection",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,"
    "BackForwardCache,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "SpareRendererForSitePerProcess",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--hide-scrollbars",
    "--window-size=1280,1024",
    "--lang=en-US",
    "--log-level=3",
};

/// The heap of a page's scripts, as a part of what a browser may take: it fails by itself first.
constexpr std::size_t script_heap_share = 2;

process::command_line make_command(const options& options, const process::walls& walls,
                                   const std::string& folder) {
  process::command_line out;
  out.program = options.program;
  out.behind = &walls;
  out.nests = true;
  out.folder = folder;
  for (const auto each : no_network) out.arguments.emplace_back(each);
  for (const auto each : nothing_but_the_page) out.arguments.emplace_back(each);
  out.arguments.push_back("--user-data-dir=" + folder + "/profile");
  const std::size_t heap = options.memory_bytes / script_heap_share >> 20;
  out.arguments.push_back("--js-flags=--max-old-space-size=" + std::to_string(heap));
  // Its own sandbox is made of user namespaces, and will not work for the superuser.
  if (!walls.nests || (geteuid() == 0 && !walls.user)) out.arguments.emplace_back("--no-sandbox");
  out.environment = {"HOME=" + folder, "TMPDIR=" + folder, "PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
  return out;
}

std::string without_headless(std::string agent) {
  const std::string_view word = "HeadlessChrome";
  const auto at = agent.find(word);
  if (at != std::string::npos) agent.replace(at, word.size(), "Chrome");
  return agent;
}

}  // namespace

result<std::unique_ptr<browser_process>> browser_process::start(const options& options, time now) {
  const process::walls& walls = options.walls->get();
  if (auto fine = walls.check(); !fine) return fine.error();
  result<process::private_folder> folder = process::private_folder::make("browser", walls.user);
  if (!folder) return folder.error();
  result<process::pipe_ends> commands = process::make_socket_pipe();
  if (!commands) return commands.error();
  result<process::pipe_ends> replies = process::make_socket_pipe();
  if (!replies) return replies.error();
  for (process::file_descriptor* ours : {&commands->writing, &replies->reading}) {
    if (auto done = ours->set_nonblocking(); !done) return done.error();
  }
  const process::inherited_file files[] = {
      {commands->reading.number(), commands_descriptor},
      {replies->writing.number(), replies_descriptor},
  };
  result<process::child> program =
      process::child::start(make_command(options, walls, folder->path()), files);
  if (!program) return program.error();
  message_pipe pipe(std::move(replies->reading), std::move(commands->writing));
  std::unique_ptr<browser_process> made(
      new browser_process(options, std::move(*program), std::move(pipe), now));
  // Behind walls it has a /tmp of its own in memory, and leaves nothing whatever befalls us.
  if (!made->program_.is_walled()) made->folder_.emplace(std::move(*folder));
  made->greet();
  return made;
}

browser_process::browser_process(const options& options, process::child program, message_pipe pipe,
                                 time now)
    : options_(options),
      program_(std::move(program)),
      pipe_(std::move(pipe)),
      tools_([this](std::string message) { pipe_.send(std::move(message)); },
             [this](std::string_view session, std::string_view method,
                    const base::json::value& parameters) {
               if (page_) {
                 page_->on_event(session, method, parameters, std::chrono::steady_clock::now());
               }
             }),
      ready_by_(now + start_time),
      free_since_(now) {}

browser_process::~browser_process() {
  if (page_) page_->abandon(error(errc::cancelled, "the browser is being ended"));
  program_.kill();
}

void browser_process::greet() {
  tools_.call("", "Browser.getVersion", "{}", [this](const base::json::value* version) {
    ready_ = version != nullptr;
    if (version == nullptr) return break_down(errc::internal, "the browser answers nothing");
    const auto agent = base::text_of(base::member(*version, "userAgent"));
    const std::string ours = options_.user_agent;
    options_.user_agent = without_headless(agent) + (ours.empty() ? "" : " " + ours);
    free_since_ = std::chrono::steady_clock::now();
  });
}

bool browser_process::is_spent() const noexcept {
  return broken_ || (page_ == nullptr && pages_ >= options_.pages_per_browser);
}

void browser_process::open(page_order order, page_load::fetcher fetch, time now,
                           page_load::done_handler done) {
  ++pages_;
  tools_.forget();
  next_look_ = now + memory_interval;
  page_ = std::make_shared<page_load>(tools_, options_, std::move(fetch), std::move(order), now,
                                      std::move(done));
  page_->start();
}

void browser_process::leave(error why) {
  if (page_) page_->abandon(std::move(why));
}

void browser_process::break_down(errc code, const std::string& why) {
  broken_ = true;
  if (!page_) return;
  const auto ending = std::move(page_);
  page_ = nullptr;
  ending->abandon(error(code, why));
}

void browser_process::receive(time now) {
  std::vector<std::string> messages;
  const bool alive = pipe_.receive(messages);
  // What is no message of the protocol is passed over; who waits for one has a deadline.
  for (const std::string& each : messages) tools_.take(each);
  if (!alive || !pipe_.flush()) {
    return break_down(errc::source_error, "the browser ended while it had the page");
  }
  tick(now);
}

void browser_process::tick(time now) {
  if (!ready_ && now >= ready_by_) {
    return break_down(errc::internal, "the browser did not start in time");
  }
  if (!page_) return;
  page_->tick(now);
  if (page_->has_hung()) broken_ = true;
  if (page_->is_over()) {
    page_ = nullptr;
    free_since_ = now;
    return;
  }
  if (now < next_look_) return;
  next_look_ = now + memory_interval;
  if (process::resident_bytes(program_.id()) <= options_.memory_bytes) return;
  break_down(errc::source_error, "the page takes more than " +
                                     std::to_string(options_.memory_bytes >> 20) +
                                     " MiB in the browser");
}

browser_process::time browser_process::next_tick() const noexcept {
  if (!ready_) return ready_by_;
  if (!page_) return free_since_ + idle_time;
  return std::min(next_look_, page_->next_tick());
}

}  // namespace freshet::browser
