// Small PDFs, written here: text in three fonts, links, metadata.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace freshet::test {

/// One line of text; y counts from below. Fonts: "F1" serif, "F2" bold, "F3" typewriter.
struct pdf_text {
  double x = 72, y = 700, size = 11;
  std::string font = "F1", text;
};
struct pdf_link {
  double x = 72, y = 700, width = 100;
  std::string to;
};
struct pdf_page {
  std::vector<pdf_text> texts;
  std::vector<pdf_link> links;
};

inline std::string make_pdf(const std::vector<pdf_page>& pages, std::string_view information = "",
                            std::string_view trailer = "") {
  std::vector<std::string> objects(6);  // 1 catalog, 2 pages, 3 to 5 fonts, 6 information
  const auto add = [&](std::string object) {
    objects.push_back(std::move(object));
    return std::to_string(objects.size()) + " 0 R";
  };
  std::string kids;
  for (const auto& page : pages) {
    std::string drawn = "BT\n", notes;
    for (const auto& each : page.texts) {
      std::string escaped;
      for (const char c : each.text) {
        if (c == '(' || c == ')' || c == '\\') escaped += '\\';
        escaped += c;
      }
      drawn += "/" + each.font + " " + std::to_string(each.size) + " Tf 1 0 0 1 " +
               std::to_string(each.x) + " " + std::to_string(each.y) + " Tm (" + escaped + ") Tj\n";
    }
    drawn += "ET\n";
    for (const auto& each : page.links) {
      notes += add("<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[" + std::to_string(each.x) + " " +
                   std::to_string(each.y - 2) + " " + std::to_string(each.x + each.width) + " " +
                   std::to_string(each.y + 10) + "]/A<</S/URI/URI(" + each.to + ")>>>>") +
               " ";
    }
    const auto content =
        add("<</Length " + std::to_string(drawn.size()) + ">>stream\n" + drawn + "endstream");
    kids += add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents " + content + "/Annots[" +
                notes + "]/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>>>") +
            " ";
  }
  objects[0] = "<</Type/Catalog/Pages 2 0 R>>";
  objects[1] = "<</Type/Pages/Kids[" + kids + "]/Count " + std::to_string(pages.size()) + ">>";
  objects[2] = "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>";
  objects[3] = "<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>";
  objects[4] = "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>";
  objects[5] = "<<" + std::string(information) + ">>";
  std::string out = "%PDF-1.4\n", table;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::string offset = std::to_string(out.size());
    table += std::string(10 - offset.size(), '0') + offset + " 00000 n \n";
    out += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const auto start = std::to_string(out.size());
  const auto count = std::to_string(objects.size() + 1);
  return out + "xref\n0 " + count + "\n0000000000 65535 f \n" + table + "trailer\n<</Size " +
         count + "/Root 1 0 R/Info 6 0 R" + std::string(trailer) + ">>\nstartxref\n" + start +
         "\n%%EOF\n";
}

}  // namespace freshet::test
