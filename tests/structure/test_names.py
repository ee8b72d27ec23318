"""That names are as CONTRIBUTING has them: parameters are nouns where a function has several."""

import re

import pytest
from test_structure import ROOT, tracked

PREPOSITIONS = {"as", "at", "by", "from", "in", "into", "of", "on", "over", "to", "under", "upon", "with", "what"}
# What is no code: comments, and texts in one line or raw.
NO_CODE = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
NO_FUNCTION = {"if", "for", "while", "switch", "return", "sizeof", "catch", "decltype", "alignof", "noexcept"}
# A type, of which no expression has the look, and a name.
PARAMETER = re.compile(r"(?!sizeof |return )(?:const )?[A-Za-z_][\w:]*(?:<.*>)?(?: const)?(?:[&*]+ ?| )(\w+)$", re.S)


def parameter_lists(text):
    """(name, [parameter…]) of all that looks like a function's head with several parameters."""
    for head in re.finditer(r"(~?\b\w+)\(", text):
        if head[1] in NO_FUNCTION:
            continue
        depth, parts, start = 1, [], head.end()
        for at in range(head.end(), len(text)):
            one = text[at]
            depth += (one in "({[<") - (one in ")}]>" and text[at - 1] != "-")
            if depth == 1 and one == "," or depth == 0:
                parts.append(" ".join(text[start:at].split("=")[0].split()))
                start = at + 1
            if depth == 0 or one == ";":
                break
        if depth == 0 and len(parts) > 1:
            yield head[1], parts


def named_by_prepositions(text):
    text = NO_CODE.sub('""', text)
    return [f"{function}: {part}" for function, parts in parameter_lists(text) for part in parts
            if (found := PARAMETER.match(part)) and found[1] in PREPOSITIONS]


@pytest.mark.parametrize("text, wrong", [
    ("void move(const std::string& from, int count);", ["move: const std::string& from"]),
    ("bool is(std::map<int, char> in, int n = f(1)) {", ["is: std::map<int, char> in"]),
    ("explicit place(int at) : at_(at), n_(2) {}", []),
    ("size(count, first); memcpy(&in, from, sizeof in); // f(int a, int at)", []),
    ("void put(std::string text, out& to,\n         int more = 1);", ["put: out& to"]),
])
def test_a_head_is_told_from_what_looks_like_one(text, wrong):
    assert named_by_prepositions(text) == wrong


def test_parameters_are_nouns_where_a_function_has_several():
    wrong = [f"{name}: {found}" for name in tracked(".cpp", ".hpp")
             for found in named_by_prepositions((ROOT / name).read_text())]
    assert wrong == []


def test_no_function_of_a_test_is_called_as_a_public_type():
    """Joined with other files it would be hidden by the type, or hide it, by which they are joined."""
    declared = re.compile(r"^(?:using|struct|class|enum class) (\w+)", re.M)
    types = {name for path in (ROOT / "include").rglob("*.hpp") for name in declared.findall(path.read_text())}
    assert {"count", "response"} <= types
    defined = re.compile(r"^(?!using|struct|class|enum|namespace|return)[\w:][\w:<>,&* ]* [&*]*(\w+)\(.*\{", re.M)
    wrong = [f"{name}: {found}" for name in tracked(".cpp", ".hpp") if name.startswith("tests/")
             for found in defined.findall((ROOT / name).read_text()) if found in types]
    assert wrong == []


ENUM_USED = re.compile(r"^using enum (?:\w+::)*(\w+);", re.M)
# What a file has at its head's own level: values, functions and types.
DEFINED = re.compile(r"^(?! |using|namespace|return|template|#)(?:[\w:<>,&*\[\] ]+ )?[&*]*(\w+)"
                     r"(?:\(.*| = .*| ?\{.*|\[.*|;)$", re.M)


def enumerators_of(name):
    """What an enumeration of ours names, also where a table of another file does."""
    for path in tracked(".hpp", ".cpp"):
        text = (ROOT / path).read_text()
        body = re.search(rf"^enum class {name}\b[^{{;]*\{{(.*?)\}};", text, re.M | re.S)
        if not body:
            continue
        names = re.findall(r"^\s*(\w+)(?: = [^,]*)?,?\s*(?:///.*)?$", re.sub(r"\{.*", "", body[1]), re.M)
        names += [word for line in re.findall(r"^\s*(\w+(?:, \w+)+),?", body[1], re.M) for word in line.split(", ")]
        for table in re.findall(r"#include <(.*\.def)>", body[1]):
            here = ROOT / "lib" / table
            names += re.findall(r"^\s*\w+\((\w+)", here.read_text(), re.M)
        return set(names)
    raise AssertionError(f"no enumeration {name}")


def hidden_names(sources):
    """(file, name): defined in one file of a module, where another has an enumerator of that name for its own."""
    used = {name for text in sources.values() for name in ENUM_USED.findall(text)}
    taken = set().union(*(enumerators_of(name) for name in used)) if used else set()
    return [(path, name) for path, text in sources.items() for name in DEFINED.findall(text) if name in taken]


def test_names_are_told_from_the_enumerators_beside_which_they_are_joined():
    assert {"table", "td", "template_", "count"} <= enumerators_of("tag_id")
    other = {"b.cpp": "constexpr auto table = [] {\n"}
    assert hidden_names({"a.cpp": "using enum tag_id;\n"} | other) == [("b.cpp", "table")]
    assert hidden_names({"a.cpp": "  using enum tag_id;\n"} | other) == []
    modules = {}
    for path in tracked(".cpp"):
        if path.startswith("lib/"):
            modules.setdefault(path.split("/")[1], {})[path] = (ROOT / path).read_text()
    assert [found for sources in modules.values() for found in hidden_names(sources)] == []


OWN_VALUE = re.compile(r"^(?:static )?constexpr (?!struct)(?:[\w:<>,&* ]+ )?[&*]*(\w+)(?:\[[^\]]*\])*(?: = | ?\{)", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)


def values_of_two_files(sources):
    """(namespace, name): a value that two files of a module have, each for itself, in one namespace."""
    seen, twice = {}, []
    for path, text in sources.items():
        space = NAMESPACE.search(text)
        for name in OWN_VALUE.findall(text):
            one = (space[1] if space else "", name)
            if seen.setdefault(one, path) != path:
                twice.append(one)
    return twice


def test_values_of_files_that_may_be_joined_have_names_of_their_own():
    """Which files are joined depends on their sizes and the preset: two of one name would compile by luck."""
    value = "namespace freshet::x {\nconstexpr int most = 4;\n"
    assert values_of_two_files({"a.cpp": value, "b.cpp": value}) == [("freshet::x", "most")]
    assert values_of_two_files({"a.cpp": value, "b.cpp": value.replace("::x", "::y")}) == []
    assert values_of_two_files({"a.cpp": value, "b.cpp": value.replace("constexpr", "  constexpr")}) == []
    modules = {}
    for path in tracked(".cpp"):
        if path.startswith(("lib/", "server/")):
            module = "/".join(path.split("/")[:2 if path.startswith("lib/") else 1])
            modules.setdefault(module, {})[path] = (ROOT / path).read_text()
    assert {module: found for module, sources in modules.items() if (found := values_of_two_files(sources))} == {}
