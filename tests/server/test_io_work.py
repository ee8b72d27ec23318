"""What holds a thread of connections: measured while the server does what is largest of each kind. The
figure is reported (build/io_work.txt), never judged; attacks are measured in tests/bench/attacks."""

import json
import pathlib
import re
import threading

from support.freshet import Freshet
from support.reach import needs_program, out_of_reach

pytestmark = needs_program
BUILD = pathlib.Path(__file__).resolve().parent.parent.parent / "build"


def test_the_work_of_threads_of_connections_is_measured(tmp_path):
    server = Freshet(tmp_path / "data")
    key = server.key(server.account(), "--test")
    strange = json.dumps({f"p{i}": 1 for i in range(6_500)}).encode()
    calls = [("POST", "/v1/microblog/search", {"q": "climate", "limit": 100}),
             ("POST", "/v1/microblog/search", strange), ("POST", "/v1/account/show", {}),
             ("GET", "/openapi.json", None), ("GET", "/openapi.yaml", None), ("GET", "/", None),
             ("GET", "/dashboard", None), ("GET", "/docs", None), ("GET", "/healthz", None),
             ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})]

    def ask():
        for method, path, body in calls * 10:
            answer = server.request(method, path, body, key, {"Accept-Encoding": "gzip"})
            assert answer.status < 500

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.stop() == 0
    told = re.search(r"threads of connections: (\d+) pieces of work, the longest (\d+) us, (\d+) above 1 ms",
                     server.log_path.read_text())
    if told is None:
        out_of_reach("the program is not built to measure (FRESHET_MEASURE_IO)")
    assert int(told[1]) > 4 * 10 * len(calls)
    (BUILD / "io_work.txt").write_text(told[0] + "\n")
