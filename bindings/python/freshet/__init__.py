"""Freshet: one API over public-data platforms, in process or against a server.

>>> from freshet import Freshet
>>> client = Freshet(config={"network.sandbox": True})  # recorded answers; leave it out for real ones
>>> for post in client.microblog.search('"tide gauge"', since="7d", limit=1):
...     print(post.object)
post
"""

from . import _freshet
from . import errors as errors
from . import items as items
from .client import AsyncFreshet, Freshet, Setting, markdown, to_document
from .errors import *
from .failure import FreshetError
from .items import *
from .page import AsyncPage, Page, PageCall
from .values import Item, Resumable, Value

__version__: str = _freshet.version
__all__ = [
    "AsyncFreshet",
    "AsyncPage",
    "Freshet",
    "FreshetError",
    "Item",
    "Page",
    "PageCall",
    "Resumable",
    "Setting",
    "Value",
    "__version__",
    "markdown",
    "to_document",
]
__all__ += errors.__all__
__all__ += items.__all__
