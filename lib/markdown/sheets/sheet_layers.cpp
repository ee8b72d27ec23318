// Layers are few; what is asked once for a page is sorted by its path.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/sheets/sheet_layers.hpp>
#include <markdown/sheets/value_text.hpp>

namespace freshet::markdown {

std::uint16_t sheet_layers::one_at(std::string_view name, std::uint16_t outer) {
  constexpr std::size_t most = most_ranks - 2;
  if (!name.empty()) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (layers_[i].outer == outer && layers_[i].name == name) {
        return static_cast<std::uint16_t>(i + 1);
      }
    }
  }
  if (layers_.size() < most) layers_.push_back({name, outer});
  return static_cast<std::uint16_t>(layers_.size());
}

std::uint16_t sheet_layers::at(std::string_view name, std::uint16_t outer) {
  name = base::trim(name);
  if (name.empty()) return one_at(name, outer);
  for (const auto part : parts_of(name, ".")) outer = one_at(part, outer);
  return outer;
}

std::vector<std::uint16_t> sheet_layers::ranks() const {
  // What a layer says itself is stronger than the layers inside of it.
  constexpr std::uint16_t itself = 0xFFFF;
  std::vector<std::vector<std::uint16_t>> paths(layers_.size() + 1);
  paths[no_layer] = {itself};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    auto path = paths[layers_[i].outer];
    path.back() = static_cast<std::uint16_t>(i);
    path.push_back(itself);
    paths[i + 1] = std::move(path);
  }
  std::vector<std::uint16_t> order(paths.size()), ranks(paths.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint16_t>(i);
  std::ranges::sort(order, [&](std::uint16_t a, std::uint16_t b) { return paths[a] < paths[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<std::uint16_t>(i);
  return ranks;
}

}  // namespace freshet::markdown
