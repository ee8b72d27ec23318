"""Marks of the corpora by the folds of sites: each page with the table that was fitted without its
fold, beside the table that was fitted on all. Reads ../shared/corpora and its scorer."""

import functools
import importlib.util
import json

FOLDS = range(5)
OVERFITTED = 0.01  # between the two marks, from which it is said
MAIN_MARK = {"aeb": "shingle", "moz": "shingle", "fundus": "shingle", "wcxb": "word",
             "traf": "snippet"}


def scorer_of(corpora):
    """The corpora's own score.py as a module; a page is rendered once, however often it counts."""
    spec = importlib.util.spec_from_file_location("corpora_score", corpora / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("render", "text_of", "word_f1", "shingle_counts", "structure"):
        setattr(module, name, functools.cache(getattr(module, name)))
    return module


def marks_of(scorer, corpora, corpus, answers):
    """All marks of a corpus, and the main one by fold, by country, and of pages that came later."""
    folder, main = str(corpora / corpus), MAIN_MARK[corpus]
    score = lambda keep: scorer.score(folder, str(answers), keep)
    made = score(lambda facts: True)
    made["main"] = made[main]["f1"]
    made["folds"] = [score(lambda facts, fold=fold: facts.get("fold") == fold)[main]["f1"]
                     for fold in FOLDS]
    facts = json.loads((corpora / corpus / "meta.json").read_text())
    if any(one.get("seen") is False for one in facts.values()):
        made["later"] = score(lambda one: not one.get("seen"))
    countries = sorted({one["country"] for one in facts.values() if one.get("country")})
    made["countries"] = {name: score(lambda one, name=name: one.get("country") == name)[main]["f1"]
                         for name in countries}
    made["facts"] = facts
    return made


def show_folds(held_out, fitted):
    """The lines that stand below the marks of every corpus."""
    for name, marks in (("held out", held_out), ("fitted", fitted)):
        folds = "  ".join(f"{value:.3f}" for value in marks["folds"])
        print(f"  {name + ', by fold':24}{marks['main']:13.3f}    {folds}")
    apart = fitted["main"] - held_out["main"]
    if apart > OVERFITTED:
        print(f"  OVERFITTED: {apart:.3f} less on the folds that were not fitted on")
    if "later" in held_out and "word" in held_out["later"]:
        kinds = {key: round(value, 3) for key, value in held_out["later"]["word"].items()}
        print(f"  held out, later pages   {kinds}")
    if held_out["countries"]:
        shown = "  ".join(f"{name} {value:.2f}" for name, value in held_out["countries"].items())
        print(f"  by country              {shown}")
    if held_out.get("lost", {}).get("pages"):
        print(f"  lost (word F1 < .5)     {held_out['lost']['pages']} pages, "
              f"{held_out['lost']['share']:.1%}")


def worst(marks, count):
    """The pages with the lowest word F1, by type: [(type, [(F1, page), ...])]."""
    kinds = {}
    for page, value in marks["page"].items():
        kinds.setdefault(marks["facts"][page].get("type", "article"), []).append((value, page))
    return [(kind, sorted(pages)[:count]) for kind, pages in sorted(kinds.items())]


