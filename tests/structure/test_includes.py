"""Each file includes what has the functions that it calls: joined with others it compiles by luck."""

import functools
import pathlib
import posixpath
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ["include", "lib", "server", "capi", "tests"]
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
INCLUDED = re.compile(r'#include [<"]([^>"]+)[>"]')
# A function of a namespace, as clang-format writes it: at the beginning of a line.
DECLARED = re.compile(
    r"^(?:\[\[nodiscard\]\] )?(?:(?:inline|constexpr|const) )*"
    r"(?!return|explicit|class|struct|using|namespace|enum|template|else)"
    r"[\w:]+(?:<[^\n]*>)?[&*]*(?: const)?[ &*]+(\w+)\(", re.M)
# A name behind a type: of a function, a member, a parameter, a local.
NAMED = re.compile(r"(\w+|[>&*\]])[ &*]+(\w+)(?= = |\(|;|\{|,|\))")
CALLED = re.compile(r"(?:[(,={!;?+}\n]|return|&&|\|\||(?<!:):) *(?:(?!std::)\w+::)?(\w+_\w+)\(")
NO_TYPES = {"return", "else", "co_return", "case", "throw", "not", "and", "or", "new"}


def uncalled_for(texts):
    """Calls of functions that one header declares, by files that do not include it. `texts`: by path."""
    code = {path: COMMENT_OR_TEXT.sub(lambda found: '""' if found[0][0] == '"' else "", text)
            for path, text in texts.items()}

    def path_of(name, beside):
        return next((path for base in ("include/", "lib/", "", "capi/", "tests/", beside)
                     if (path := posixpath.normpath(base + name)) in texts), None)

    @functools.cache
    def seen_by(path):
        seen, todo = set(), [path]
        while todo:
            if (one := todo.pop()) and one not in seen:
                seen.add(one)
                todo += (path_of(name, one[:one.rindex("/") + 1]) for name in INCLUDED.findall(texts[one]))
        return seen

    headers = {}
    for path in texts:
        if path.endswith(".hpp"):
            for name in DECLARED.findall(code[path]):
                headers.setdefault(name, set()).add(path)
    named = {path: {name for kind, name in NAMED.findall(text) if kind not in NO_TYPES}
             for path, text in code.items()}
    missing = []
    for path, text in code.items():
        known = set().union(*(named[one] for one in seen_by(path)))
        for name in set(CALLED.findall(text)) - known:
            if len(headers.get(name, ())) == 1:
                missing.append(f"{path}: {name} is of {min(headers[name])}")
    return sorted(missing)


def test_what_is_called_is_included():
    listed = subprocess.run(["git", "ls-files", *PARTS], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for path in listed.stdout.split() if path.endswith((".cpp", ".hpp", ".h"))]
    assert len(paths) > 100
    assert uncalled_for({path: (ROOT / path).read_text() for path in paths}) == []


def test_what_is_not_included_is_found():
    texts = {"lib/a/lock.hpp": "[[nodiscard]] result<void> lock_alone(int);\n",
             "lib/a/uses.cpp": "#include <a/lock.hpp>\nvoid f() {\n  lock_alone(1);\n}\n",
             "lib/a/forgets.cpp": "void g() {\n  if (auto taken = lock_alone(1)) return;\n}\n"}
    assert uncalled_for(texts) == ["lib/a/forgets.cpp: lock_alone is of lib/a/lock.hpp"]
