"""The structure is the documentation: who may include whom, and the limits of style."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# A module and the modules it may include, beside itself and include/.
MAY_INCLUDE = {
    "base": set(),
    "query": {"base"},
    "catalog": {"base", "query"},
    "model": {"base"},
    "http": {"base"},
    "telemetry": {"base", "http"},
    "process": {"base"},
    "browser": {"base", "process", "http"},
    "pdf": {"base", "process", "http"},
    "html": {"base"},
    "mail": {"base"},
    "sqlite": {"base"},
    "postgres": {"base"},
    "redis": {"base"},
    "account": {"base", "sqlite", "postgres", "redis"},
    "requests": {"base", "sqlite", "postgres"},
    "pictures": {"base", "sqlite"},
    "markdown": {"base", "html"},
    "extract": {"base", "html", "markdown"},
    "sources": {"base", "query", "catalog", "model", "html", "markdown", "extract", "http"},
    "archive": {"base", "query", "catalog", "model", "http", "sqlite", "postgres", "sources"},
    "engine": {"base", "query", "catalog", "model", "http", "html", "postgres", "redis", "account", "markdown", "extract", "sources",
               "archive", "browser", "pdf", "mail", "requests", "pictures", "telemetry"},
}
# The rooms of lib/markdown, and those that each may see.
ROOMS_OF_MARKDOWN = {
    "tree": set(), "sheets": set(), "safety": set(), "visibility": {"sheets", "tree", "safety"}, "about": {"tree"},
    "blocks": {"tree", "about"}, "choice": {"tree", "about", "blocks"}, "writing": {"tree", "safety"},
}
# What sources see of HTTP: values, and the one reader of robots.txt, which fetches nothing.
HTTP_OF_SOURCES = {"<http/message.hpp>", "<http/robots.hpp>"}
# A library's headers and the only folders that may include them.
ONLY_IN = {
    r"<curl/": ["lib/http", "lib/mail"],
    r"<sqlite3\.h>": ["lib/sqlite/sqlite.cpp"],
    r"<libpq": ["lib/postgres/postgres.cpp"],
    r"<hiredis/": ["lib/redis/redis_link.cpp"],
    r"<argon2\.h>": ["lib/account"],
    r"<fido": ["lib/account/rules/passkey.cpp"],
    r"<wslay/": ["lib/http"],
    r"<seccomp\.h>": ["lib/process/call_filter.cpp"],
    r"<boost/(beast|asio)": ["server"],
    r"<toml\+\+": ["lib/engine/settings/config.cpp"],
    r"<unicode/": ["lib/base", "lib/html"],
    r"<expat\.h>": ["lib/sources/syndication"],
    r"<brotli/": ["lib/http/content_decoder.cpp"],
    r"<md4c\.h>": ["lib/sources/marked_text.cpp"],
    r"<pybind11/": ["bindings"],
    r"<openssl/": ["lib/base", "lib/account", "lib/http/tls_options.cpp", "server"],
}
# What comments say of one place: a text, and the only files that may have it.
SAID_OF_ONE_PLACE = {
    r"\bsystem_clock::now\(": ["lib/base/clock.cpp", "lib/mail/mail.cpp", "lib/telemetry/call_trace.cpp", "server/"],
    r"\bcurl_easy_setopt\(": ["lib/http/transfer.cpp", "lib/http/websocket_", "lib/mail/mail.cpp"],
    r"\bifstream\b": ["server/commands/settings.cpp", "lib/engine/runtime/memory_watch.cpp", "lib/base/whole_file.cpp", "lib/http/stack.cpp", "server/traffic.cpp", "server/dashboard/guides.cpp", "lib/examples/"],
    r"\benviron\b": ["server/commands/settings.cpp"],
    r"<boost/beast/": ["server/http/message_parser.cpp", "server/http/reply.cpp"],
    # What is answered when there is no memory for a problem document.
    r"/errors/overloaded": ["lib/engine/pipeline.cpp", "capi/result.cpp"],
    r'"(ttlMs|cacheScope)"': ["server/mcp/request_context.cpp"],
}
# What a skip is made of, and this file, which looks for others.
UNCOUNTED = {"tests/support/reach.py", "tests/structure/test_structure.py"}
# Folders below lib/sources that are no source, but what several sources share.
SHARED_BY_SOURCES = {"syndication"}
TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "README.md", "CONTRIBUTING.md", "CHANGELOG.md",
    "LICENSE", "include", "lib", "capi", "bindings", "server", "tests",
}
LINE_LIMIT = 100
FILE_LIMIT = 500
FUNCTION_LIMIT = 70
NO_FUNCTION = re.compile(r"(namespace|struct|class|enum|union|using|extern \"C\"|constexpr|const|template|public|private)\b")
FORBIDDEN_NAMES = re.compile(r"(utils?|helpers?|common|manager)\.(cpp|hpp)$")
FORBIDDEN_TEXT = {
    r"\bco_(await|return|yield)\b": "coroutines",
    r"std::regex": "std::regex",
    r"\b(views::|ranges::(subrange|equal_range|search|find_end|(stable_)?partition|remove|remove_if|unique|rotate)\()":
        "views and subranges, which clang compiles only from 16 on",
    r"\b(TODO|FIXME|XXX)\b": "work left in the source",
}
FORBIDDEN_IN_LIB = {
    r"\bstd::(cout|cerr|printf)\b|(?<![a-z_.>:])printf\(": "printing",
    r"\b(abort|exit|_exit)\(\)": "ending the process",
    r"\bgetenv\(": "reading the environment",
}
# A type that a namespace defines, the nameless one too: formatted code has it at the margin, and what
# is inside a class never. Forward declarations and members that are defined apart are none.
TYPE = re.compile(r"(?:class|struct|union|enum(?: class)?) (?:\[\[\w+\]\] )?(\w+)(?= final| :| ?\{|$)")


def tracked(*suffixes):
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    return [name for name in listed if name and name.endswith(suffixes) and (ROOT / name).exists()]


def code():
    return [name for name in tracked(".cpp", ".hpp", ".h", ".c") if not name.startswith("tests/")]


def includes(name):
    for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+([<"][^>"]+[>"])', line)
        if found:
            yield number, found.group(1)


def module_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "lib" and len(parts) > 2 else None


def is_table(name):
    """Tables may be long: a file that is mostly rows says so in its name or its first lines."""
    return name.endswith(".def") or re.search(
        r"(endpoints|schemas|entities|encodings|signals|names|languages|words_table|config_keys)\.(cpp|hpp)$",
        name,
    )


def test_modules_include_only_what_is_below_them():
    wrong = []
    for name in code():
        module = module_of(name)
        if module is None:
            continue
        for number, target in includes(name):
            folder = target.strip('<>"').split("/")[0]
            if folder in MAY_INCLUDE and folder != module and folder not in MAY_INCLUDE[module]:
                wrong.append(f"{name}:{number} includes {target}")
            if module == "sources" and folder == "http" and target not in HTTP_OF_SOURCES:
                wrong.append(f"{name}:{number} includes {target}: sources see only messages and rules")
    assert wrong == []


def test_the_rooms_of_markdown_see_only_what_is_before_them():
    wrong = []
    for name in code():
        room = re.match(r"lib/markdown/(\w+)/", name)
        for number, header in includes(name) if room else ():
            seen = re.match(r"<markdown/(\w+)/", header)
            if seen and seen[1] not in ROOMS_OF_MARKDOWN[room[1]] | {room[1]}:
                wrong.append(f"{name}:{number}: {room[1]} must not see {seen[1]}")
    assert wrong == []


def test_no_source_includes_another():
    wrong = []
    for name in code():
        parts = name.split("/")
        if parts[:2] != ["lib", "sources"] or len(parts) < 4:
            continue
        for number, target in includes(name):
            other = re.match(r'[<"]sources/([a-z0-9_]+)/', target)
            if other and other.group(1) not in SHARED_BY_SOURCES | {parts[2]}:
                wrong.append(f"{name}:{number} includes {target}")
    assert wrong == []


@pytest.mark.parametrize("door", ["capi", "bindings", "server"])
def test_doors_see_only_include(door):
    wrong = []
    for name in code():
        if not name.startswith(door + "/"):
            continue
        for number, target in includes(name):
            if target.strip('<>"').split("/")[0] in MAY_INCLUDE:
                wrong.append(f"{name}:{number} includes {target}")
    assert wrong == []


def test_each_library_is_used_in_one_place():
    wrong = []
    for name in code():
        for number, target in includes(name):
            for pattern, places in ONLY_IN.items():
                if re.match(pattern, target) and not name.startswith(tuple(places)):
                    wrong.append(f"{name}:{number} includes {target}")
    assert wrong == []


@pytest.mark.parametrize("text", SAID_OF_ONE_PLACE)
def test_what_is_said_of_one_place_stands_there_alone(text):
    found = [name for name in code() if re.search(text, (ROOT / name).read_text())]
    assert found != [] and [name for name in found if not name.startswith(tuple(SAID_OF_ONE_PLACE[text]))] == []


def test_accounts_and_requests_speak_sql_in_the_folders_of_the_databases():
    """The seam of a second database: above it nobody knows what the store is made of."""
    sql = re.compile(r'"\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|BEGIN|COMMIT|ROLLBACK|CREATE|WITH)\b|<(sqlite|postgres)/|\bsqlite::|\bPQ')
    stores = ("lib/account/store/sql/", "lib/account/store/sqlite/", "lib/account/store/postgres/",
              "lib/requests/sqlite/", "lib/requests/postgres/", "lib/archive/sqlite/", "lib/archive/postgres/")
    wrong = []
    for name in code():
        if name.startswith(("lib/account/", "lib/requests/")) and not name.startswith(stores):
            for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
                if sql.search(line):
                    wrong.append(f"{name}:{number}: {line.strip()}")
    assert wrong == []


def test_the_rules_and_the_store_of_the_accounts_know_nobody_above_them():
    may_include = {"rules": ("account/rules/", "account/types.hpp"),
                   "store": ("account/rules/", "account/store/", "account/types.hpp")}
    wrong = []
    for name in code():
        room = re.match(r"lib/account/(rules|store)/", name)
        for number, target in includes(name) if room else ():
            if target.startswith("<account/") and not target[1:].startswith(may_include[room.group(1)]):
                wrong.append(f"{name}:{number} includes {target}")
    assert wrong == []


def test_the_owners_of_the_accounts_have_no_friends():
    wrong = [name for name in code() if name.startswith("lib/account/")
             and re.search(r"^\s*friend (class|struct)\b", (ROOT / name).read_text(), re.M)]
    assert wrong == []


def test_top_level_is_the_design_and_nothing_else():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    top = {name.split("/")[0] for name in listed}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_lines_are_short():
    wrong = []
    for name in code():
        if is_table(name):
            continue
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            if len(line) > LINE_LIMIT and "http" not in line:
                wrong.append(f"{name}:{number} has {len(line)} columns")
    assert wrong == []


def test_files_are_short_and_open_with_their_place():
    wrong = []
    for name in code():
        lines = (ROOT / name).read_text().splitlines()
        if len(lines) > FILE_LIMIT and not is_table(name):
            wrong.append(f"{name} has {len(lines)} lines")
        if not lines or not lines[0].startswith(("//", "/*")):
            wrong.append(f"{name} does not say what it is in its first line")
    assert wrong == []


def test_functions_are_short():
    wrong = []
    for name in code():
        if not name.endswith(".cpp") or is_table(name):
            continue
        head = start = None
        # Formatted code: a function begins at the margin, its head may take several lines, and its
        # body closes with a brace at the margin.
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            if re.match(r"[A-Za-z]", line) and not NO_FUNCTION.match(line):
                head, start = number, None
            if head is not None and start is None:
                if line.endswith("{"):
                    start = number
                elif line.endswith((";", "}")):
                    head = None
            if line.startswith("}"):
                if start is not None and number - start - 1 > FUNCTION_LIMIT:
                    wrong.append(f"{name}:{head} has {number - start - 1} lines")
                head = start = None
    assert wrong == []


def test_the_application_keeps_the_same_limits():
    wrong = []
    for name in tracked(".ts", ".tsx", ".mjs"):
        lines = (ROOT / name).read_text().splitlines()
        if len(lines) > FILE_LIMIT:
            wrong.append(f"{name} has {len(lines)} lines")
        if not lines[0].startswith("//"):
            wrong.append(f"{name} does not say what it is in its first line")
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_LIMIT:
                wrong.append(f"{name}:{number} has {len(line)} columns")
            if re.search(r"innerHTML|dangerouslySetInnerHTML|\bas any\b|@ts-ignore|: any\b", line):
                wrong.append(f"{name}:{number} leaves the types or inserts HTML")
    assert wrong == []


def test_skips_are_counted():
    """A skip is told at the end of its program: support/reach.py and support/skips.cpp see to it."""
    wrong = []
    for name in tracked(".py", ".cpp", ".hpp"):
        if not name.startswith("tests/") or name in UNCOUNTED:
            continue
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            if re.search(r"\bpytest\.(skip|importorskip|mark\.skip)|(WARN\(|<< )\"skipped", line):
                wrong.append(f"{name}:{number} skips without being counted")
    assert wrong == []


def test_no_test_passes_or_fails_by_its_speed():
    """What has not come within a minute hangs; less than that a busy machine may take."""
    found = []
    for path in [*(ROOT / "tests").rglob("*.cpp"), *(ROOT / "tests").rglob("*.py")]:
        if "bench" in path.parts:
            continue
        for line in path.read_text().splitlines():
            measured = re.search(r"(?:now|monotonic|perf_counter)\(\) - \w+ <=? (\d+)(ms)?", line)
            if measured and (measured[2] or int(measured[1]) < 60):
                found.append(f"{path.relative_to(ROOT)}: {line.strip()}")
    assert not found


def test_names_say_what_a_file_is():
    assert [name for name in code() if FORBIDDEN_NAMES.search(name)] == []


def test_a_type_has_its_name_alone():
    places = {}
    for name in code():
        if not name.startswith(("lib/", "server/", "capi/")):
            continue
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            found = TYPE.match(line)
            if found:
                places.setdefault(found.group(1), []).append(f"{name}:{number}")
    assert places["dashboard_command"] and places["admin_call"]  # they are found at all
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert twice == {}


def test_forbidden_things_are_absent():
    wrong = []
    for name in code():
        text = (ROOT / name).read_text()
        rules = dict(FORBIDDEN_TEXT)
        if name.startswith("lib/") and not name.startswith("lib/examples/"):
            rules.update(FORBIDDEN_IN_LIB)
        for pattern, what in rules.items():
            if re.search(pattern, text):
                wrong.append(f"{name}: {what}")
    assert wrong == []


def test_the_keys_of_items_stand_in_their_table_alone():
    """What is made of include/freshet/item_fields.def names no key itself, but where its comments say so."""
    table = (ROOT / "include/freshet/item_fields.def").read_text()
    keys = {
        arguments.split(",")[1].strip()
        for arguments in re.findall(r"(?m)^FRESHET_(?:FIELD|OBJECT|LIST)\((.*)\)$", table)
    }
    assert {"conversation_id", "reposted_by", "engines"} <= keys
    wrong = []
    for name in ["include/freshet/item.hpp", *(one for one in code() if one.startswith("lib/model/item_"))]:
        for key in re.findall(r'"(\w+)"', (ROOT / name).read_text()):
            if key in keys - {"id"}:
                wrong.append(f"{name}: {key}")
    assert wrong == []


def test_the_c_abi_exports_what_symbols_txt_lists(tmp_path):
    header = (ROOT / "include/freshet.h").read_text()
    declared = set(re.findall(r"\b(freshet_[a-z_]+)\(", header))
    listed = set((ROOT / "capi/symbols.txt").read_text().split())
    assert declared == listed


def test_tables_of_texts_of_others_have_a_hash_that_they_do_not_know():
    modules = ("base", "extract", "html", "http", "markdown", "sources")
    table = re.compile(r"std::unordered_(map|set)<std::string(?:_view)?\b")
    wrong = []
    for name in code():
        if not name.startswith(tuple(f"lib/{one}/" for one in modules)):
            continue
        text = (ROOT / name).read_text()
        for found in table.finditer(text):
            depth, end = 1, text.index("<", found.start()) + 1
            while depth:
                depth += {"<": 1, ">": -1}.get(text[end], 0)
                end += 1
            if not text[:end].endswith("base::text_hash>"):
                wrong.append(f"{name}: {text[found.start():end]}")
    assert wrong == []


def test_no_secret_and_no_path_of_a_machine():
    wrong = []
    for name in tracked(""):
        path = ROOT / name
        text = path.read_bytes()
        if not name.startswith("tests/") and re.search(rb"frs_live_[0-9A-Za-z]{38}", text):
            wrong.append(f"{name} holds what looks like a live key")
        if re.search(rb"(?<![\w.])/(home|root|work|Users)/[a-z]", text):
            wrong.append(f"{name} names a path of a machine")
    assert wrong == []
