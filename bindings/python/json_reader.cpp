// The handler behind json_reader: Boost.JSON's parser calls it for every value, and it puts the
// values of a container together when the container ends. It looks at no key and knows no answer.
#include "json_reader.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <vector>

namespace freshet_python {
namespace {

namespace json = boost::json;
namespace py = pybind11;

/// A server of one's own is trusted with no more memory for keys than this.
constexpr std::size_t max_kept_keys = 1024;
constexpr std::size_t max_kept_key_length = 64;

py::object owned(PyObject* made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

py::object text_of(std::string_view text) {
  return owned(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
}

class handler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit handler(json_reader& of) : of_(&of) {}

  [[nodiscard]] py::object take() { return std::move(values_.at(0)); }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return true; }

  bool on_object_end(std::size_t size, json::error_code&) {
    auto made = owned(PyDict_New());
    const auto first = values_.size() - 2 * size;
    for (auto at = first; at < values_.size(); at += 2) {
      if (PyDict_SetItem(made.ptr(), values_[at].ptr(), values_[at + 1].ptr()) != 0) {
        throw py::error_already_set();
      }
    }
    return replace(first, std::move(made));
  }
  bool on_array_end(std::size_t size, json::error_code&) {
    auto made = owned(PyList_New(static_cast<Py_ssize_t>(size)));
    const auto first = values_.size() - size;
    for (std::size_t at = 0; at < size; ++at) {
      PyList_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(at), values_[first + at].release().ptr());
    }
    return replace(first, std::move(made));
  }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) { return more(part); }
  bool on_key(json::string_view last, std::size_t, json::error_code&) {
    return put(of_->key(whole(last)));
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) { return more(part); }
  bool on_string(json::string_view last, std::size_t, json::error_code&) {
    return put(text_of(whole(last)));
  }

  bool on_number_part(json::string_view part, json::error_code&) { return more(part); }
  bool on_int64(std::int64_t value, json::string_view, json::error_code&) {
    part_.clear();
    return put(owned(PyLong_FromLongLong(value)));
  }
  bool on_uint64(std::uint64_t value, json::string_view, json::error_code&) {
    part_.clear();
    return put(owned(PyLong_FromUnsignedLongLong(value)));
  }
  bool on_double(double, json::string_view last, json::error_code&) {
    // Boost.JSON 1.81 rounds some numbers otherwise than everybody else, and an integer that is
    // too long for 64 bits comes here, too.
    const std::string_view text = whole(last);
    const auto number = text_of(text);
    const bool is_integer = text.find_first_of(".eE") == std::string_view::npos;
    return put(owned(is_integer ? PyLong_FromUnicodeObject(number.ptr(), 10)
                                : PyFloat_FromString(number.ptr())));
  }
  bool on_bool(bool value, json::error_code&) { return put(py::bool_(value)); }
  bool on_null(json::error_code&) { return put(py::none()); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  bool more(json::string_view part) {
    part_.append(part.data(), part.size());
    return true;
  }
  /// The parts before `last`, and it. Valid until the next part.
  std::string_view whole(json::string_view last) {
    if (part_.empty()) return {last.data(), last.size()};
    whole_ = std::exchange(part_, {});
    whole_.append(last.data(), last.size());
    return whole_;
  }
  bool put(py::object value) {
    values_.push_back(std::move(value));
    return true;
  }
  bool replace(std::size_t first, py::object made) {
    values_.resize(first);
    return put(std::move(made));
  }

  json_reader* of_;
  std::vector<py::object> values_;
  std::string part_, whole_;
};

}  // namespace

py::object json_reader::read(std::string_view text) {
  json::basic_parser<handler> parser(json::parse_options(), *this);
  json::error_code failed;
  const auto used = parser.write_some(false, text.data(), text.size(), failed);
  if (!failed && used < text.size()) failed = json::error::extra_data;
  if (failed) throw py::value_error("no JSON: " + failed.message());
  return parser.handler().take();
}

py::object json_reader::key(std::string_view name) {
  if (const auto found = keys_.find(name); found != keys_.end()) return found->second;
  auto made = text_of(name);
  if (keys_.size() < max_kept_keys && name.size() <= max_kept_key_length) {
    keys_.emplace(name, made);
  }
  return made;
}

}  // namespace freshet_python
