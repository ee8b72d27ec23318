// Addresses of pictures that carry data to whoever serves them: a client that shows the markdown
// fetches them, and sends what a model was made to fill in.
#pragma once

#include <string_view>

namespace freshet::markdown {

/// The rule that an address matches, with its version; "" for an ordinary one.
///   placeholder.1  its query has a place for data: "{{history}}", "[DATA]", "YOUR_API_KEY"
///   instruction.1  its words read like an instruction
///   encoded_text.1 a value of its query is text in base64
[[nodiscard]] std::string_view rule_of_image(std::string_view address);

}  // namespace freshet::markdown
