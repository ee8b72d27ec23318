"""A corpus in short: what the default tests look at of it."""

# Corpora have up to 1,300 pages, which take half a minute of processor time to convert.
MOST = 200


def sample(pages, config):
    """At most so many of `pages`, spread evenly over them; all with --all."""
    pages = list(pages)
    step = 1 if config.getoption("--all") else -(-len(pages) // MOST)
    return pages[::step]
