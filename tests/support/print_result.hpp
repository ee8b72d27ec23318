// Lets Catch print a result<T>: the code and the detail of a failure.
#pragma once

#include <catch2/catch.hpp>
#include <freshet/result.hpp>
#include <string>

namespace Catch {

template <class T>
struct StringMaker<freshet::result<T>> {
  static std::string convert(const freshet::result<T>& of) {
    if (of.has_value()) return "a value";
    return std::string(freshet::describe(of.error().code()).name) + ": " + of.error().detail();
  }
};

}  // namespace Catch
