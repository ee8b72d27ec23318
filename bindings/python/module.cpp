// The Python module freshet._freshet: the library's client, JSON in and out, with the GIL released
// while a call runs. Everything pythonic is in the package around it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <freshet/engine.hpp>
#include <freshet/version.hpp>

namespace py = pybind11;

namespace {

/// Carries an error to the package, which makes its exception from it.
struct failure {
  freshet::response problem;
};

py::bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

/// A client of either kind, and its calls.
class python_client {
 public:
  explicit python_client(std::unique_ptr<freshet::client> inside) : inside_(std::move(inside)) {}

  /// (status, body, data): the envelope or the problem document, and the bytes of `data`.
  py::tuple call(const std::string& endpoint, const std::string& body, const std::string& key) {
    freshet::request what;
    what.endpoint = endpoint;
    what.body = body;
    what.api_key = key;
    freshet::response answer;
    {
      const py::gil_scoped_release released;
      answer = inside_->call(std::move(what));
    }
    return py::make_tuple(answer.status, bytes_of(answer.body), bytes_of(answer.data()));
  }

 private:
  std::unique_ptr<freshet::client> inside_;
};

[[noreturn]] void raise(const freshet::error& why) {
  throw failure{freshet::problem_document(why, freshet::make_request_id())};
}

std::unique_ptr<python_client> open_engine(const std::map<std::string, std::string>& settings) {
  freshet::engine_options options;
  for (const auto& [key, value] : settings) {
    if (auto set = options.config.set(key, value); !set) raise(set.error());
  }
  options.with_accounts = options.config.has("storage.data_dir");
  auto opened = freshet::engine::open(std::move(options));
  if (!opened) raise(opened.error());
  return std::make_unique<python_client>(std::move(*opened));
}

std::unique_ptr<python_client> connect(const std::string& base_url) {
  auto connected = freshet::connect(base_url, "");
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
  py::class_<python_client>(module, "Client").def("call", &python_client::call);
  module.def("open", &open_engine);
  module.def("connect", &connect);
  module.def("markdown", &markdown);
}
