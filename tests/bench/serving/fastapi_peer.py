"""A peer of tests/bench/server: FastAPI, which answers with the bytes of the file BODY_FILE at /."""

import os
import pathlib

from fastapi import FastAPI
from fastapi.responses import Response

BODY = pathlib.Path(os.environ["BODY_FILE"]).read_bytes()
app = FastAPI(openapi_url=None)


@app.get("/")
async def answer() -> Response:
    return Response(BODY, media_type="application/json")
