"""That the files of a module can be compiled as one, in whatever parts (FRESHET_JOINED_BYTES): no two of them
have a constant or a type of one name at the level of the file."""

import collections
import re

import pytest
from test_names import NO_CODE
from test_structure import ROOT, tracked

# At the beginning of a line: what stands inside of functions and types is indented.
CONSTANTS = re.compile(r"^(?:static |const )?constexpr (?!struct )([^;{(=]*=[^;{]*|[^;{(=]*(?=\{))", re.M)
TYPES = re.compile(r"^(?:template <[^\n]*>\n)?(?:struct|class|enum class) (\w+)(?!\w|::)[^;{]*\{", re.M)
NAMESPACES = re.compile(r"^namespace ([\w:]+) \{", re.M)


def names_of(text):
    """(namespaces, name) of the constants and types at the level of a file."""
    text = NO_CODE.sub('""', text)
    where = tuple(sorted(set(NAMESPACES.findall(text))))
    for statement in CONSTANTS.findall(text):
        for part in statement.split(", "):
            name = re.search(r"(\w+)(?:\[[^\]]*\])?\s*$", part.split("=")[0])
            if name and ("=" in part or part is statement):
                yield where, name[1]
    for name in TYPES.findall(text):
        yield where, name


@pytest.mark.parametrize("text, names", [
    ("constexpr std::size_t shortest = 6, longest = 24;", ["shortest", "longest"]),
    ("constexpr std::string_view words[] = {\n    \"a\"};", ["words"]),
    ("constexpr row rows[]{1};", ["rows"]),
    ("constexpr int twice(int a = 1) { return 2 * a; }", []),
    ("void f() {\n  constexpr int inner = 1;\n}", []),
    ("struct part {\n  int a;\n};\nstruct known;", ["part"])])
def test_names_are_found(text, names):
    assert [name for _, name in names_of(text)] == names


def test_no_name_stands_in_two_files_of_a_module():
    places = collections.defaultdict(list)
    for path in tracked(".cpp"):
        if not path.startswith(("lib/", "server/")):
            continue
        module = "/".join(path.split("/")[:2]) if path.startswith("lib/") else "server"
        for where, name in set(names_of((ROOT / path).read_text())):
            places[module, where, name].append(path)
    assert places
    assert {key: files for key, files in places.items() if len(files) > 1} == {}
