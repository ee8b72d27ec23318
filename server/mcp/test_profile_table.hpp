// The fixtures as rows: what the suites look for by name, in the words of their descriptions.
#pragma once

#include <array>
#include <string_view>

namespace freshet::server::mcp {

inline constexpr std::string_view no_arguments =
    R"({"type":"object","properties":{},"additionalProperties":false})";

/// A tool whose result never changes. `messages`: how many log messages or steps of progress come
/// before it; `interrupts`: whether its connection ends first.
struct constant_tool {
  std::string_view name, result;
  std::string_view schema = no_arguments;
  int logs = 0, steps = 0;
  bool interrupts = false;
};

inline constexpr std::array<constant_tool, 12> constant_tools{{
    {"test_simple_text",
     R"({"content":[{"type":"text","text":"This is a simple text response for testing."}]})"},
    {"test_image_content", R"({"content":[{"type":"image","data":"PNG","mimeType":"image/png"}]})"},
    {"test_audio_content", R"({"content":[{"type":"audio","data":"WAV","mimeType":"audio/wav"}]})"},
    {"test_embedded_resource",
     R"({"content":[{"type":"resource","resource":{"uri":"test://embedded-resource",
        "mimeType":"text/plain","text":"This is an embedded resource content."}}]})"},
    {"test_multiple_content_types",
     R"({"content":[{"type":"text","text":"Multiple content types test:"},
        {"type":"image","data":"PNG","mimeType":"image/png"},
        {"type":"resource","resource":{"uri":"test://mixed-content-resource",
        "mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}]})"},
    {"test_error_handling",
     R"({"isError":true,"content":[{"type":"text",
        "text":"This tool intentionally returns an error for testing"}]})"},
    {"test_tool_with_logging", R"({"content":[{"type":"text","text":"logged"}]})", no_arguments, 3},
    {"test_logging_tool", R"({"content":[{"type":"text","text":"logged"}]})", no_arguments, 1},
    {"test_tool_with_progress", R"({"content":[{"type":"text","text":"done"}]})", no_arguments, 0,
     3},
    {"test_reconnection", R"({"content":[{"type":"text","text":"Reconnection test completed"}]})",
     no_arguments, 0, 0, true},
    {"json_schema_2020_12_tool", R"({"content":[{"type":"text","text":"ok"}]})",
     R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
        "$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{
        "street":{"type":"string"},"city":{"type":"string"}}}},"properties":{
        "name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
        "contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},
        "email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},
        {"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},
        "required":["contactMethod"]},"then":{"required":["phone"]},
        "else":{"required":["email"]},"additionalProperties":false})"},
    {"test_custom_headers", R"({"content":[{"type":"text","text":"ok"}]})",
     R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},
        "additionalProperties":false})"},
}};

inline constexpr std::array<std::string_view, 3> log_lines{
    "Tool execution started", "Tool processing data", "Tool execution completed"};

/// What asks the client before it answers: by a request where there is a handshake, with the result
/// `input_required` where there is none. `first` and `second`: the requests of each round by key.
struct asking_fixture {
  std::string_view name, first;
  bool keeps_state = false;
  std::string_view second = {};
  std::string_view schema = no_arguments;
};

inline constexpr std::string_view ask_name =
    R"({"user_name":{"method":"elicitation/create","params":{"mode":"form",
       "message":"What is your name?","requestedSchema":{"type":"object",
       "properties":{"name":{"type":"string"}},"required":["name"]}}}})";
inline constexpr std::string_view ask_to_confirm =
    R"({"confirm":{"method":"elicitation/create","params":{"mode":"form",
       "message":"Please confirm","requestedSchema":{"type":"object",
       "properties":{"ok":{"type":"boolean"}},"required":["ok"]}}}})";

/// {name} in a text stands for an argument.
inline constexpr std::array<asking_fixture, 14> asking_tools{{
    {"test_sampling",
     R"({"answer":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
        "content":{"type":"text","text":"{prompt}"}}],"maxTokens":100}}})",
     false, "",
     R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})"},
    {"test_elicitation",
     R"({"answer":{"method":"elicitation/create","params":{"mode":"form","message":"{message}",
        "requestedSchema":{"type":"object","properties":{
        "username":{"type":"string","description":"User's response"},
        "email":{"type":"string","description":"User's email address"}},
        "required":["username","email"]}}}})",
     false, "",
     R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})"},
    {"test_elicitation_sep1034_defaults",
     R"({"answer":{"method":"elicitation/create","params":{"mode":"form","message":"defaults",
        "requestedSchema":{"type":"object","properties":{
        "name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
        "score":{"type":"number","default":95.5},"status":{"type":"string",
        "enum":["active","inactive","pending"],"default":"active"},
        "verified":{"type":"boolean","default":true}}}}}})"},
    {"test_elicitation_sep1330_enums",
     R"({"answer":{"method":"elicitation/create","params":{"mode":"form","message":"enums",
        "requestedSchema":{"type":"object","properties":{
        "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
        "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
        {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
        "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
        "enumNames":["Option One","Option Two","Option Three"]},
        "untitledMulti":{"type":"array","items":{"type":"string",
        "enum":["option1","option2","option3"]}},
        "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
        {"const":"value2","title":"Second Choice"},
        {"const":"value3","title":"Third Choice"}]}}}}}}})"},
    {"test_streaming_elicitation", ask_name},
    {"test_missing_capability",
     R"({"answer":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
        "content":{"type":"text","text":"Say something"}}],"maxTokens":100}}})"},
    {"test_input_required_result_elicitation", ask_name},
    {"test_input_required_result_sampling",
     R"({"capital_question":{"method":"sampling/createMessage","params":{"messages":[
        {"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],
        "maxTokens":100}}})"},
    {"test_input_required_result_list_roots",
     R"({"client_roots":{"method":"roots/list","params":{}}})"},
    {"test_input_required_result_request_state", ask_to_confirm, true},
    {"test_input_required_result_tampered_state", ask_to_confirm, true},
    {"test_input_required_result_multiple_inputs",
     R"({"user_name":{"method":"elicitation/create","params":{"mode":"form",
        "message":"What is your name?","requestedSchema":{"type":"object",
        "properties":{"name":{"type":"string"}},"required":["name"]}}},
        "greeting":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
        "content":{"type":"text","text":"Generate a greeting"}}],"maxTokens":50}},
        "client_roots":{"method":"roots/list","params":{}}})",
     true},
    {"test_input_required_result_multi_round",
     R"({"step1":{"method":"elicitation/create","params":{"mode":"form",
        "message":"Step 1: What is your name?","requestedSchema":{"type":"object",
        "properties":{"name":{"type":"string"}},"required":["name"]}}}})",
     true,
     R"({"step2":{"method":"elicitation/create","params":{"mode":"form",
        "message":"Step 2: What is your favorite color?","requestedSchema":{"type":"object",
        "properties":{"color":{"type":"string"}},"required":["color"]}}}})"},
    {"test_input_required_result_capabilities",
     R"({"user_name":{"method":"elicitation/create","params":{"mode":"form",
        "message":"What is your name?","requestedSchema":{"type":"object",
        "properties":{"name":{"type":"string"}},"required":["name"]}}},
        "greeting":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
        "content":{"type":"text","text":"Generate a greeting"}}],"maxTokens":50}}})"},
}};

inline constexpr asking_fixture asking_prompt{
    "test_input_required_result_prompt",
    R"({"user_context":{"method":"elicitation/create","params":{"mode":"form",
       "message":"What context should the prompt use?","requestedSchema":{"type":"object",
       "properties":{"context":{"type":"string"}},"required":["context"]}}}})"};

/// A resource, or with {id} in its address a template for some.
struct fixture_resource {
  std::string_view uri, name, contents;
};
inline constexpr std::array<fixture_resource, 4> fixture_resources{{
    {"test://static-text", "static-text",
     R"({"mimeType":"text/plain","text":"This is the content of the static text resource."})"},
    {"test://static-binary", "static-binary", R"({"mimeType":"image/png","blob":"PNG"})"},
    {"test://watched-resource", "watched", R"({"mimeType":"text/plain","text":"watched"})"},
    {"test://template/{id}/data", "template",
     R"({"mimeType":"application/json",
        "text":"{\"id\":\"{id}\",\"templateTest\":true,\"data\":\"Data for ID: {id}\"}"})"},
}};

struct fixture_prompt {
  std::string_view name, arguments, messages;
};
inline constexpr std::array<fixture_prompt, 4> fixture_prompts{{
    {"test_simple_prompt", "[]",
     R"([{"role":"user","content":{"type":"text",
        "text":"This is a simple prompt for testing."}}])"},
    {"test_prompt_with_arguments",
     R"([{"name":"arg1","required":true},{"name":"arg2","required":true}])",
     R"([{"role":"user","content":{"type":"text",
        "text":"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"}}])"},
    {"test_prompt_with_embedded_resource", R"([{"name":"resourceUri","required":true}])",
     R"([{"role":"user","content":{"type":"resource","resource":{"uri":"{resourceUri}",
        "mimeType":"text/plain","text":"Embedded resource content for testing."}}},
        {"role":"user","content":{"type":"text",
        "text":"Please process the embedded resource above."}}])"},
    {"test_prompt_with_image", "[]",
     R"([{"role":"user","content":{"type":"image","data":"PNG","mimeType":"image/png"}},
        {"role":"user","content":{"type":"text","text":"Please analyze the image above."}}])"},
}};

/// One red pixel, and no sound at all; PNG and WAV in the rows stand for them.
inline constexpr std::string_view png_base64 =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";
inline constexpr std::string_view wav_base64 =
    "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

}  // namespace freshet::server::mcp
