// What every source reads out of every recording: each answer of ../shared/recordings/<source>, by
// each capability of that source, as the lines that a comparison of two builds holds together.
//   bench_recordings ../shared/recordings
// A recording is read for endpoints that it is not of, too: what comes of that must not change
// either. The processor time of all of it goes to standard error.
#include <base/json.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <model/json.hpp>
#include <set>
#include <sources/sandbox.hpp>
#include <sources/source.hpp>

namespace {

namespace fs = std::filesystem;
using namespace freshet;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A recorded answer, from its body and the .meta.json beside it.
http::response recorded(const fs::path& body) {
  http::response answer;
  answer.body = read_file(body);
  answer.status = 200;
  auto sidecar = body;
  const auto read = base::parse_json(read_file(sidecar.replace_extension(".meta.json")));
  if (read) {
    answer.status = static_cast<int>(base::integer_of(base::member(*read, "status")).value_or(200));
    answer.final_url = base::text_of(base::member(*read, "url"));
    for (const auto& [name, value] : base::object_of(base::member(*read, "headers"))) {
      answer.headers.push_back({std::string(name), base::text_of(value)});
    }
  }
  if (http::find_header(answer.headers, "content-type").empty()) {
    const bool page = body.extension() == ".html";
    answer.headers.push_back({"Content-Type", page ? "text/html" : "application/json"});
  }
  return answer;
}

/// A call that says something of everything.
sources::call question(catalog::operation op) {
  sources::call call;
  call.op = op;
  if (auto query = query::parse_text_query("climate")) call.q = std::move(*query);
  call.now = sources::sandbox_now;
  call.username = "someone";
  call.community = "all";
  call.hashtag = "tides";
  return call;
}

std::string told(const result<sources::step>& read) {
  if (!read) {
    return std::string(describe(read.error().code()).name) + ": " + read.error().detail() + " | " +
           read.error().source_text;
  }
  if (const auto* further = std::get_if<sources::follow>(&*read)) {
    return "follow " + further->request.url + " " + further->state;
  }
  const auto& page = std::get<sources::listing>(*read);
  return model::items_json(page.items) + " next " + page.next;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: bench_recordings ../shared/recordings\n";
    return 2;
  }
  std::clock_t spent = 0;
  for (const auto* source : sources::all_sources()) {
    const fs::path folder = fs::path(arguments[1]) / std::string(source->name);
    if (!fs::exists(folder)) continue;
    std::set<fs::path> bodies;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto name = entry.path().filename().string();
      if (entry.is_regular_file() && !name.ends_with(".meta.json")) bodies.insert(entry.path());
    }
    const sources::settings settings{std::string(source->default_base_url), {}};
    for (const auto& body : bodies) {
      const auto answer = recorded(body);
      for (const auto& capability : source->capabilities) {
        const auto call = question(capability.op);
        const auto began = std::clock();
        const auto read = capability.read({call, settings, answer, "", ""});
        spent += std::clock() - began;
        std::cout << source->name << ' ' << body.filename().string() << ' '
                  << catalog::find_endpoint(capability.op).path << ' ' << told(read) << '\n';
      }
    }
  }
  std::cerr << "read in " << static_cast<double>(spent) / CLOCKS_PER_SEC << " s\n";
}
