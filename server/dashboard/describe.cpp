// Prints the OpenAPI document, from which the dashboard's types are made while it is built. It asks
// for nothing and is not installed; users have `freshet openapi`.
#include <cstdio>
#include <freshet/engine.hpp>

int main() {
  const std::string document = freshet::openapi_document("http://localhost");
  const bool written = std::fputs(document.c_str(), stdout) >= 0 && std::fputs("\n", stdout) >= 0;
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}
