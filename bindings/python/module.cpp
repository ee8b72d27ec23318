// The Python module freshet._freshet: the library's client, JSON in and out. No thread of the
// engine ever takes the GIL: an answer is left in a mailbox, or in an inbox that an event loop
// watches. Everything pythonic is in the package around it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <freshet/engine.hpp>
#include <freshet/version.hpp>
#include <mutex>
#include <optional>
#include <utility>

#include "json_reader.hpp"

namespace py = pybind11;

namespace {

/// How often a waiting call looks for signals: what Ctrl-C may take, at most.
constexpr std::chrono::milliseconds signal_slice{50};

/// Carries an error to the package, which makes its exception from it.
struct failure {
  freshet::response problem;
};

py::bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

[[noreturn]] void raise(const freshet::error& why) {
  throw failure{freshet::problem_document(why, freshet::make_request_id())};
}

/// (status, body, where `data` begins in it, its size): the envelope or the problem document.
py::tuple as_tuple(const freshet::response& answer) {
  return py::make_tuple(answer.status, bytes_of(answer.body), answer.data_offset, answer.data_size);
}

/// traceparent and tracestate, of whose trace a call is; both may be empty.
using trace_context = std::pair<std::string, std::string>;

freshet::request request_of(const std::string& endpoint, const std::string& body,
                            const std::string& key, const std::string& idempotency_key,
                            const trace_context& trace) {
  freshet::request what;
  what.endpoint = endpoint;
  what.body = body;
  what.api_key = key;
  what.idempotency_key = idempotency_key;
  what.traceparent = trace.first;
  what.tracestate = trace.second;
  return what;
}

/// Where the answer of one waiting call is put.
struct mailbox {
  std::mutex mutex;
  std::condition_variable arrived;
  std::optional<freshet::response> answer;
};

/// Where answers for an event loop are put, and the descriptor that becomes readable then.
class inbox {
 public:
  inbox() : shared_(std::make_shared<state>()) {}

  [[nodiscard]] int fileno() const { return shared_->descriptor; }

  /// What a call is submitted with; it may outlive the inbox.
  std::pair<std::uint64_t, std::function<void(freshet::response)>> expect() {
    const auto id = ++last_id_;
    return {id, [into = shared_, id](freshet::response made) { into->put(id, std::move(made)); }};
  }

  /// The same for what the call's sources give: an answer without a status.
  std::function<void(freshet::source_event)> expect_sources(std::uint64_t id) {
    return [into = shared_, id](freshet::source_event told) {
      freshet::response made;
      made.status = 0;
      made.body = std::move(told.body);
      into->put(id, std::move(made));
    };
  }

  /// [(id, answer), …] of everything that has arrived.
  py::list take() {
    std::uint64_t count = 0;
    static_cast<void>(!::read(shared_->descriptor, &count, sizeof count));  // empty: nothing to do
    std::vector<std::pair<std::uint64_t, freshet::response>> arrived;
    {
      const std::lock_guard lock(shared_->mutex);
      arrived.swap(shared_->arrived);
    }
    py::list out;
    for (const auto& [id, answer] : arrived) out.append(py::make_tuple(id, as_tuple(answer)));
    return out;
  }

 private:
  struct state {
    state() : descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
      if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() { ::close(descriptor); }

    void put(std::uint64_t id, freshet::response made) {
      {
        const std::lock_guard lock(mutex);
        arrived.emplace_back(id, std::move(made));
      }
      const std::uint64_t one = 1;
      // Fails only when the counter is full: the loop is then woken already.
      static_cast<void>(!::write(descriptor, &one, sizeof one));
    }

    int descriptor;
    std::mutex mutex;
    std::vector<std::pair<std::uint64_t, freshet::response>> arrived;
  };
  std::shared_ptr<state> shared_;
  std::uint64_t last_id_ = 0;
};

/// A client of either kind, and its calls. Used from any thread of the process that opened it.
class python_client {
 public:
  explicit python_client(std::unique_ptr<freshet::client> inside) : inside_(std::move(inside)) {}
  python_client(const python_client&) = delete;
  python_client& operator=(const python_client&) = delete;
  ~python_client() { close(); }

  py::tuple call(const std::string& endpoint, const std::string& body, const std::string& key,
                 const std::string& repeat_key, const trace_context& trace) {
    const auto box = std::make_shared<mailbox>();
    const auto ticket =
        start(request_of(endpoint, body, key, repeat_key, trace), [box](freshet::response made) {
          const std::lock_guard lock(box->mutex);
          box->answer = std::move(made);
          box->arrived.notify_one();
        });
    for (;;) {
      {
        const py::gil_scoped_release released;
        std::unique_lock lock(box->mutex);
        box->arrived.wait_for(lock, signal_slice, [&box] { return box->answer.has_value(); });
      }
      // Nobody else writes it once it is there, and the lock has shown it to this thread.
      if (const std::lock_guard lock(box->mutex); box->answer) break;
      if (PyErr_CheckSignals() == 0) continue;
      cancel(ticket);
      throw py::error_already_set();
    }
    return as_tuple(*box->answer);
  }

  /// (id of the answer in the inbox, ticket for cancel).
  py::tuple submit(inbox& inbox, const std::string& endpoint, const std::string& body,
                   const std::string& key, const std::string& repeat_key,
                   const trace_context& trace, bool streams) {
    auto [id, done] = inbox.expect();
    auto what = request_of(endpoint, body, key, repeat_key, trace);
    if (streams) what.on_source = inbox.expect_sources(id);
    const auto ticket = start(std::move(what), std::move(done));
    return py::make_tuple(id, ticket);
  }

  void cancel(std::uint64_t ticket) {
    const py::gil_scoped_release released;
    if (const auto client = held()) client->cancel(ticket);
  }

  /// What json.loads makes of an answer. Raises ValueError for what is no JSON.
  py::object read(const py::bytes& body) {
    return reader_.read(static_cast<std::string_view>(body));
  }

  /// Ends the calls that still run; each answers `cancelled`.
  void close() {
    const py::gil_scoped_release released;
    if (forked()) {
      // Its threads are not here to be joined, and the lock may be held by one of them for ever.
      static_cast<void>(new std::shared_ptr<freshet::client>(inside_));
      return;
    }
    std::unique_lock lock(mutex_);
    const auto ended = std::exchange(inside_, nullptr);
    lock.unlock();
  }

 private:
  [[nodiscard]] bool forked() const { return ::getpid() != opened_by_; }

  [[nodiscard]] std::shared_ptr<freshet::client> held() {
    const std::lock_guard lock(mutex_);
    return inside_;
  }

  /// The client is held for the start alone: close() does not wait for answers.
  std::uint64_t start(freshet::request request, std::function<void(freshet::response)> done) {
    if (forked()) {
      throw std::runtime_error(
          "this client was opened in process " + std::to_string(opened_by_) +
          ", before fork(): the threads that serve it are not in this one. Open another client "
          "here, or start processes by multiprocessing's 'spawn'");
    }
    const py::gil_scoped_release released;
    const auto client = held();
    if (!client) throw std::runtime_error("this client is closed; open another one");
    return client->submit(std::move(request), std::move(done));
  }

  const pid_t opened_by_ = ::getpid();
  freshet_python::json_reader reader_;  ///< guarded by the GIL
  std::mutex mutex_;
  std::shared_ptr<freshet::client> inside_;  ///< null when closed
};

std::unique_ptr<python_client> open_engine(const std::map<std::string, std::string>& settings) {
  const py::gil_scoped_release released;
  freshet::engine_options options;
  for (const auto& [key, value] : settings) {
    if (auto set = options.config.set(key, value); !set) raise(set.error());
  }
  options.with_accounts = options.config.has("storage.data_dir");
  auto opened = freshet::engine::open(std::move(options));
  if (!opened) raise(opened.error());
  return std::make_unique<python_client>(std::move(*opened));
}

std::unique_ptr<python_client> connect(const std::string& base_url, const std::string& ca_file) {
  const py::gil_scoped_release released;
  auto connected = freshet::connect(base_url, "", {}, ca_file);
  if (!connected) raise(connected.error());
  return std::make_unique<python_client>(std::move(*connected));
}

/// A document item as JSON.
py::bytes markdown(const std::string& html, const std::string& url, const std::string& mode,
                   const std::vector<std::string>& include,
                   const std::vector<std::string>& exclude) {
  freshet::markdown_options options;
  options.url = url;
  options.mode = mode;
  options.include = include;
  options.exclude = exclude;
  std::string json;
  {
    const py::gil_scoped_release released;
    const auto page = freshet::to_markdown(html, options);
    if (!page) raise(page.error());
    json = freshet::item_json(*page);
  }
  return bytes_of(json);
}

/// The rows of errc.def: (code, HTTP status, retryable, title, help).
py::list errors() {
  py::list out;
#define FRESHET_ERRC(number, name, status, retryable, title, help) \
  out.append(py::make_tuple(#name, status, retryable, title, help));
#include <freshet/errc.def>
#undef FRESHET_ERRC
  return out;
}

}  // namespace

PYBIND11_MODULE(_freshet, module) {
  module.doc() = "Freshet's library; use the package freshet around it.";
  module.attr("version") = freshet::version;
  static py::exception<failure> problem(module, "Problem");
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const failure& why) {
      PyErr_SetObject(problem.ptr(), bytes_of(why.problem.body).ptr());
    }
  });
  py::class_<inbox>(module, "Inbox")
      .def(py::init<>())
      .def("fileno", &inbox::fileno)
      .def("take", &inbox::take);
  py::class_<python_client>(module, "Client")
      .def("call", &python_client::call)
      .def("submit", &python_client::submit)
      .def("cancel", &python_client::cancel)
      .def("read", &python_client::read)
      .def("close", &python_client::close);
  module.def("open", &open_engine);
  module.def("connect", &connect);
  module.def("markdown", &markdown);
  module.def("errors", &errors);
  module.def("openapi", [] { return bytes_of(freshet::openapi_document("")); });
  module.def("help", [](const std::string& path) { return freshet::endpoint_help(path); });
}
