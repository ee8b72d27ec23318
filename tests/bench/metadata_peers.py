"""What trafilatura and newspaper4k say of pages: metadata_peers.py PAGES META OUT. Runs in the
environment that scrape_metadata.py makes for them."""

import json
import logging
import pathlib
import sys

import newspaper
import trafilatura

logging.disable(logging.CRITICAL)


def by_trafilatura(text, url):
    found = trafilatura.extract_metadata(text, default_url=url)
    if found is None:
        return {}
    return {"title": found.title, "created_at": found.date,
            "authors": (found.author or "").split("; ")}


def by_newspaper(text, url):
    quiet = newspaper.Config()
    quiet.fetch_images = False  # it would go to the network for each page
    article = newspaper.Article(url or "http://localhost/", config=quiet)
    article.download(input_html=text)
    article.parse()
    date = article.publish_date
    return {"title": article.title, "authors": article.authors,
            "created_at": date.isoformat() if hasattr(date, "isoformat") else date}


def main():
    pages, meta, out = map(pathlib.Path, sys.argv[1:])
    facts = json.loads(meta.read_text())
    said = {"trafilatura": {}, "newspaper4k": {}}
    for page, truth in facts.items():
        text = (pages / f"{page}.html").read_bytes().decode("utf-8", "replace")
        for name, read in (("trafilatura", by_trafilatura), ("newspaper4k", by_newspaper)):
            try:
                said[name][page] = read(text, truth.get("url"))
            except Exception:  # a page on which a peer fails is a page it says nothing of
                said[name][page] = {}
    out.write_text(json.dumps(said))


main()
