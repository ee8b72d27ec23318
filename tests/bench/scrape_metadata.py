"""Marks of what pages say of themselves (title, authors, day and moment of publication) by corpus,
by fold of sites and of the pages that came later, beside peers on the same pages in the same run.
Peers come from PyPI and npm into folders below build/bench; what does not install is left out."""

import datetime
import gzip
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ["title", "authors", "words", "day", "moment"]
CORPORA = ["fundus", "wcxb"]
PYTHON_PEERS = ["trafilatura==2.3.1", "newspaper4k==0.9.6", "lxml_html_clean"]
SCRAPER = "metascraper"
PARTS = [f"{SCRAPER}{part}@5" for part in ("", "-author", "-date", "-title")]
# ../shared/scrape.md
REACH = {"fundus": [.92, .93, None, .99, None], "wcxb": [.85, .85, None, .85, None]}
MOMENT_S = 60


def moment_of(text):
    """Seconds since 1970, or None where a text has no time of day or no zone."""
    if not text or len(text) <= len("2026-01-01"):
        return None
    try:
        read = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return read.timestamp() if read.tzinfo else None


def words_of(scorer, names):
    """The words of all names, however they are divided or joined."""
    joining = {"and", "by"}
    return sorted(one for name in names for one in scorer.plain(name).split() if one not in joining)


def judge(scorer, truth, said):
    """One page: for each field that its truth has, whether it was met."""
    out = {}
    if truth.get("title"):
        out["title"] = scorer.plain(said.get("title")) == scorer.plain(truth["title"])
    if truth.get("authors"):
        names = scorer.names_of(said.get("authors"))
        out["authors"] = names == sorted(map(scorer.plain, truth["authors"]))
        out["words"] = words_of(scorer, names) == words_of(scorer, truth["authors"])
    if truth.get("published"):
        out["day"] = scorer.same_day(said.get("created_at"), truth["published"])
        moment = moment_of(truth["published"])
        if moment is not None:
            ours = moment_of(said.get("created_at"))
            out["moment"] = ours is not None and abs(ours - moment) <= MOMENT_S
    return out


def mean_of(judged, field, keep):
    met = [one[field] for page, one in judged.items() if field in one and keep(page)]
    return sum(met) / len(met) if met else None


def shown(value):
    return "      " if value is None else f"{value:6.3f}"


def show(name, judged, facts):
    for field in FIELDS:
        whole = mean_of(judged, field, lambda page: True)
        if whole is None:
            continue
        folds = [mean_of(judged, field, lambda page, fold=fold: facts[page].get("fold") == fold)
                 for fold in range(5)]
        seen = [mean_of(judged, field, lambda page, seen=seen: facts[page].get("seen") is seen)
                for seen in (True, False)]
        print(f"  {name:18}{field:9}{shown(whole)}   folds {' '.join(map(shown, folds))}"
              + (f"   seen {shown(seen[0])}  later {shown(seen[1])}" if seen[1] else ""))


def judged_all(scorer, facts, said):
    return {page: judge(scorer, truth, said.get(page, {})) for page, truth in facts.items()}


def ours(answers):
    return {file.stem: json.loads(file.read_text()) for file in answers.glob("*.json")}


def attempt(command, **more):
    """Whether a program was there and went well."""
    try:
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, **more)
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"  {command[0]}: out of reach: {why}")
        return False
    return True


def unpacked(corpus, folder):
    """The pages as plain files, for peers that read no other."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in (corpus / "html").iterdir():
        into = folder / file.name.removesuffix(".gz")
        if not into.exists():
            into.write_bytes(gzip.decompress(file.read_bytes()) if file.suffix == ".gz"
                             else file.read_bytes())
    return folder


def python_peers(corpus, out):
    """What the peers in Python say: {peer: {page: said}}."""
    home = out / "metadata_peers"
    python = home / "bin/python"
    if not (home / "ready").exists():
        if not (attempt([sys.executable, "-m", "venv", home])
                # Debian's pip does not resolve two extras of one package.
                and attempt([python, "-m", "pip", "install", "--upgrade", "pip"])
                and attempt([python, "-m", "pip", "install", *PYTHON_PEERS])):
            return {}
        (home / "ready").touch()
    made = out / f"metadata_peers_{corpus.name}.json"
    pages = unpacked(corpus, out / "pages" / corpus.name)
    if not attempt([python, HERE / "metadata_peers.py", pages, corpus / "meta.json", made]):
        return {}
    return json.loads(made.read_text())


def metascraper(corpus, out):
    home = out / SCRAPER
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "node_modules" / SCRAPER).exists():
        (home / "package.json").write_text('{"private": true}\n')
        if not attempt(["npm", "install", "--no-audit", "--no-fund",
                        "--ignore-scripts", *PARTS], cwd=home):
            return {}
    made = out / f"{SCRAPER}_{corpus.name}.json"
    pages = unpacked(corpus, out / "pages" / corpus.name)
    if not attempt(["node", HERE / "metascraper.mjs", home, pages, corpus / "meta.json", made]):
        return {}
    return {SCRAPER: json.loads(made.read_text())}


def report(scorer, corpus, answers, out, with_peers):
    """One corpus, ours first. `answers` holds <page>.json of bench_scrape."""
    facts = json.loads((corpus / "meta.json").read_text())
    print(f"\n{corpus.name}: {len(facts)} pages; `words`: the names however they are divided; "
          f"`moment`: within {MOMENT_S} s, where the truth has a time and a zone")
    reach = [shown(value).strip() or "-" for value in REACH[corpus.name]]
    print("  reach             " + "  ".join(f"{name} {value}"
                                             for name, value in zip(FIELDS, reach)))
    show("Freshet", judged_all(scorer, facts, ours(answers)), facts)
    if not with_peers:
        return
    for name, said in {**python_peers(corpus, out), **metascraper(corpus, out)}.items():
        show(name, judged_all(scorer, facts, said), facts)


def failures(scorer, corpus, answers, field, fold):
    """Pages that missed a field, for reading: truth and answer in one line each."""
    facts = json.loads((corpus / "meta.json").read_text())
    said = ours(answers)
    for page, truth in facts.items():
        if truth.get("fold") == fold:
            continue
        if judge(scorer, truth, said.get(page, {})).get(field, True):
            continue
        key = {"day": "published", "moment": "published", "words": "authors"}.get(field, field)
        got = said.get(page, {}).get({"published": "created_at"}.get(key, key))
        if key == "authors":
            got = [one["display_name"] for one in got or []]
        print(f"{page}\t{truth[key]}\t{got}\t{truth.get('url')}"[:400])
