"""A page that callers may have rendered, on an operator's loopback that they may name all of, asks for
the doors of the server itself: however it spells them, by whatever asks, it comes to none."""

import json

import pytest
from loopback_site import answer
from support.freshet import Freshet
from support.ports import free_port
from support.reach import need_tool, needs

# What a page has to ask with beside scripts; "{}" is the address.
ELEMENTS = ("<img src='{}'>", "<iframe src='{}'></iframe>", "<script src='{}'></script>", "<object data='{}'></object>",
            "<link rel=stylesheet href='{}'>", "<video src='{}'></video>")
PAGE = """<title>Tides</title><main><p>High water at noon, and again at midnight, when nobody looks at it.</p>
<p id=told>Nothing is known yet.</p></main>{elements}<script>
const asked = {urls}.flatMap((url) => ["GET", "POST"].map((method) => fetch(url, {{method, mode: "no-cors"}})));
Promise.allSettled(asked).then((all) => {{
  const open = all.filter((one) => one.status === "fulfilled").length;
  document.getElementById("told").textContent = `Of all doors ${{open}} were open to the page.`;
}});
</script>"""


@needs(need_tool, "Chromium", "chromium", "chromium-browser", "google-chrome")
@pytest.mark.parametrize("own_are_known", [True, False])
def test_a_rendered_page_comes_to_no_door_of_the_server(program, site, tmp_path, own_are_known):
    """And to all of them where the configuration names each, or this would show nothing."""
    at, public, operators = site(), free_port(), free_port()
    hosts = ("127.0.0.1", "localhost", "0.0.0.0", "0x7f.1", "2130706433", "127.9.9.9", "[::ffff:127.0.0.1]")
    urls = [f"http://{host}:{port}/own-{n}" for n, host in enumerate(hosts) for port in (public, operators)]
    elements = "".join(one.format(url) for one in ELEMENTS for url in urls[:2])
    page = PAGE.format(elements=elements, urls=json.dumps(urls))
    at.pages["/page"] = lambda to: to.sendall(answer(page.encode()))
    named = ["127.0.0.0/8"] + [f"127.0.0.1:{port}" for port in (public, operators) if not own_are_known]
    server = Freshet(tmp_path / "data", "scrape.allow_private=" + ",".join(named), "scrape.respect_robots=false",
                     f"operations.listen=127.0.0.1:{operators}", "render.requests_per_page=100",
                     listen=f"127.0.0.1:{public}")
    try:
        key = server.key(server.account())
        got = server.request("POST", "/v1/scrape/markdown", {"url": at.url + "/page", "render": "always",
                                                             "timeout_ms": 60000}, key)
        assert got.status == 200, got.body
        told = got.json["data"]["markdown"]
        came = '"path":"/own-' in server.log_path.read_text()
        if own_are_known:
            assert "Of all doors 0 were open" in told and not came, told
        else:
            assert "doors 0 were" not in told and "were open" in told and came, told
    finally:
        server.kill()
