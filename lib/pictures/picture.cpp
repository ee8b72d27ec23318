// Magic numbers, and the sandbox's landscapes: a sky, a sun or a moon, and waves, as PNG of few
// colours.
#include "pictures/picture.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <cmath>
#include <cstdint>

namespace freshet::pictures {
namespace {

constexpr int width = 320, height = 180;
constexpr int sky_colours = 24, wave_count = 4;
constexpr int sun_colour = sky_colours, first_wave = sun_colour + 1;
constexpr int colours = first_wave + wave_count;

struct mixed_colour {
  double red = 0, green = 0, blue = 0;
};

/// Of a hue in turns, a saturation and a lightness from 0 to 1.
mixed_colour colour_of(double hue, double saturation, double lightness) {
  const auto part = [&](double offset) {
    const double k = std::fmod(offset + hue * 12, 12);
    const double most = saturation * std::min(lightness, 1 - lightness);
    return lightness - most * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
  };
  return {part(0), part(8), part(4)};
}

void append_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
}

void append_chunk(std::string& out, std::string_view kind, std::string_view data) {
  append_number(out, static_cast<std::uint32_t>(data.size()));
  const std::string checked = std::string(kind).append(data);
  out += checked;
  append_number(out, base::crc32(checked));
}

std::string packed(const std::string& rows) {
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string out(size, '\0');
  const auto done =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), static_cast<uLong>(rows.size()), 9);
  out.resize(done == Z_OK ? size : 0);
  return out;
}

/// What differs from one landscape to another, from 0 to 1.
class chance {
 public:
  explicit chance(std::string_view name) : digest_(base::sha256(name)) {}
  double next() noexcept { return digest_[at_++ % digest_.size()] / 255.0; }

 private:
  base::sha256_digest digest_;
  std::size_t at_ = 0;
};

std::string palette_of(chance& by) {
  const double hue = by.next();
  const double low = std::fmod(hue + 0.08 + by.next() * 0.1, 1);
  std::string out;
  const auto add = [&out](const mixed_colour& of) {
    for (const double part : {of.red, of.green, of.blue})
      out += static_cast<char>(static_cast<unsigned char>(std::lround(part * 255)));
  };
  for (int i = 0; i < sky_colours; ++i) {
    const double down = static_cast<double>(i) / (sky_colours - 1);
    add(colour_of(hue + (low - hue) * down, 0.45, 0.5 + 0.36 * down));
  }
  add(colour_of(low, 0.6, 0.95));
  for (int i = 0; i < wave_count; ++i) {
    const double near = static_cast<double>(i) / (wave_count - 1);
    add(colour_of(hue, 0.4, 0.46 - 0.28 * near));
  }
  return out;
}

struct wave {
  double level = 0, rise = 0, length = 0, shift = 0;
  [[nodiscard]] double top(int x) const {
    return level + rise * std::sin(x / length + shift) + rise / 2 * std::sin(x / length * 2.3);
  }
};

}  // namespace

std::string_view media_type_of(std::string_view bytes) noexcept {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return "image/gif";
  constexpr std::size_t kind_at = 8;
  if (bytes.size() < kind_at + 4) return {};
  const auto kind = bytes.substr(kind_at, 4);
  if (bytes.starts_with("RIFF"sv) && kind == "WEBP") return "image/webp";
  if (bytes.substr(4, 4) == "ftyp" && (kind == "avif" || kind == "avis")) return "image/avif";
  return {};
}

std::string draw_picture(std::string_view name) {
  chance by(name);
  const std::string palette = palette_of(by);
  const double sun_x = width * (0.15 + 0.7 * by.next());
  const double sun_y = height * (0.16 + 0.26 * by.next());
  const double sun = 11 + 12 * by.next();
  std::array<wave, wave_count> waves;
  for (int i = 0; i < wave_count; ++i) {
    waves[i] = {height * (0.5 + 0.14 * i), 4 + 9 * by.next(), 24 + 46 * by.next(), 6 * by.next()};
  }
  std::string rows;
  rows.reserve(static_cast<std::size_t>(height) * (width + 1));
  for (int y = 0; y < height; ++y) {
    rows += '\0';  // not filtered
    for (int x = 0; x < width; ++x) {
      int colour = y * sky_colours / height;
      if (std::hypot(x - sun_x, y - sun_y) < sun) colour = sun_colour;
      for (int i = 0; i < wave_count; ++i) {
        if (y >= waves[i].top(x)) colour = first_wave + i;
      }
      rows += static_cast<char>(colour);
    }
  }
  static_assert(colours <= 256);
  std::string head;
  append_number(head, width);
  append_number(head, height);
  head += {8, 3, 0, 0, 0};  // a byte a pixel, which is the number of a colour
  std::string out("\x89PNG\r\n\x1a\n");
  append_chunk(out, "IHDR", head);
  append_chunk(out, "PLTE", palette);
  append_chunk(out, "IDAT", packed(rows));
  append_chunk(out, "IEND", "");
  return out;
}

}  // namespace freshet::pictures
