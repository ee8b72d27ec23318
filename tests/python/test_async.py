"""AsyncFreshet: the same calls awaited, many at once, cancelled, over several loops."""

import asyncio
import inspect
import threading

import pytest
from described import ENDPOINTS, FETCHING, LOOPBACK, SANDBOX, example_of, method_of

import freshet


def test_every_endpoint_answers_as_its_twin(client):
    async def run():
        async with freshet.AsyncFreshet(config=SANDBOX) as twin:
            for endpoint, operation in FETCHING.items():
                parameters = example_of(operation)
                answer = await method_of(twin, endpoint)(**parameters)
                expected = method_of(client, endpoint)(**parameters)
                if isinstance(answer, freshet.AsyncPage):
                    assert [one.id for one in answer] == [one.id for one in expected], endpoint
                else:
                    assert answer.id == expected.id

    asyncio.run(run())


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_the_signatures_are_those_of_the_twin(client, endpoint):
    twin = freshet.AsyncFreshet(config=SANDBOX)
    blocking = inspect.signature(method_of(client, endpoint))
    awaited = inspect.signature(method_of(twin, endpoint))
    assert awaited.parameters == blocking.parameters
    asyncio.run(twin.close())


def test_walks_and_pages(client):
    async def run():
        async with freshet.AsyncFreshet(config=SANDBOX) as twin:
            page = await twin.microblog.search("climate", limit=2)
            follower = await page.next()
            walked = [one.id async for one in twin.microblog.search("climate", limit=2).walk()]
            sizes = [len(one) async for one in twin.microblog.search("climate", limit=2).pages()]
            from_page = [one.id async for one in page.walk()]
            dicts = [one["id"] async for one in twin.items("microblog/search", q="climate", limit=2)]
            assert len(page) == 2 and follower is not None and follower[0].id == walked[2]
            return walked, sizes, from_page, dicts

    walked, sizes, from_page, dicts = asyncio.run(run())
    expected = [post.id for post in client.microblog.search("climate", limit=2).walk()]
    assert walked == from_page == dicts == expected and sum(sizes) == len(expected)


def test_exceptions_and_quotes():
    async def run():
        async with freshet.AsyncFreshet(config=SANDBOX) as twin:
            with pytest.raises(freshet.InvalidRequest):
                await twin.microblog.search("")
            status, body, data = await twin.call_bytes("web-serp/search", q="climate")
            assert status == 200 and data in body
            return await twin.quote("web-serp/search", q="climate")

    assert asyncio.run(run()) == 0  # the sandbox is free


def test_many_calls_share_one_thread(server, test_key):
    async def run():
        async with freshet.AsyncFreshet(server.url, test_key) as twin:
            before = threading.active_count()
            calls = [twin.web_serp.search("climate", limit=1 + n % 5) for n in range(60)]
            pages = await asyncio.gather(*calls)
            assert threading.active_count() == before
            return [len(page) for page in pages]

    assert asyncio.run(run()) == [1 + n % 5 for n in range(60)]


def test_a_cancelled_task_cancels_its_call(silent_upstream):
    async def run():
        async with freshet.AsyncFreshet(config=LOOPBACK) as twin:
            call = asyncio.create_task(
                twin.scrape.markdown(silent_upstream.url, respect_robots=False)
            )
            assert await asyncio.to_thread(silent_upstream.came.wait, 60)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert await asyncio.to_thread(silent_upstream.gone.wait, 60), "it was not cancelled"
            # The client and the loop go on.
            with pytest.raises(freshet.InvalidRequest):
                await twin.microblog.search("")

    asyncio.run(run())


def test_a_timeout_cancels_and_a_closing_client_ends_its_calls(silent_upstream):
    url = silent_upstream.url

    async def run():
        twin = freshet.AsyncFreshet(config=LOOPBACK)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(twin.scrape.markdown(url, respect_robots=False), 0.3)
        call = asyncio.create_task(twin.scrape.markdown(url + "/2", respect_robots=False))
        await asyncio.sleep(0.1)
        await twin.close()
        with pytest.raises(freshet.Cancelled):
            await call
        with pytest.raises(RuntimeError, match="closed; open another"):
            await twin.microblog.search("climate")

    asyncio.run(run())


def test_one_client_serves_several_loops():
    twin = freshet.AsyncFreshet(config=SANDBOX)
    sizes = []

    async def run():
        return len(await twin.microblog.search("climate", limit=3))

    threads = [
        threading.Thread(target=lambda: sizes.append(asyncio.run(run()))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [asyncio.run(run()), asyncio.run(run()), *sizes] == [3] * 8
    asyncio.run(twin.close())


def test_a_stream_tells_each_source_and_then_the_answer(client):
    async def run():
        async with freshet.AsyncFreshet(config=SANDBOX) as twin:
            told = [one async for one in twin.stream("all/search", q="climate", limit=9)]
            with pytest.raises(freshet.InvalidRequest):
                async for _ in twin.stream("all/search", q=""):
                    pass
            async for one in twin.stream("all/search", q="tides"):
                left = one["event"]
                break
            return told, left

    told, left = asyncio.run(run())
    answer = told.pop()
    assert answer["event"] == "result" and left in ("source", "result")
    assert answer["data"]["data"] == client.call("all/search", q="climate", limit=9)["data"]
    assert {one["data"]["name"] for one in told} == {one["name"] for one in answer["data"]["meta"]["sources"]}
    ids = {item["id"] for one in told for item in one["data"]["data"]}
    assert ids and all(one["event"] == "source" for one in told)
