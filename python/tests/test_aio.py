"""The forms for asyncio."""

import asyncio

import pytest

import greed
from greed import aio


def test_many_at_once(hard):
    async def main():
        tasks = [aio.ged("C" * (i % 7 + 1), "CCN") for i in range(100)]
        slow = asyncio.create_task(aio.ged(*hard))  # which takes longer than any test waits
        values = [float(d) for d in await asyncio.gather(*tasks)]
        assert not slow.done()  # none has waited for it
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        return values

    assert asyncio.run(main()) == [float(greed.ged("C" * (i % 7 + 1), "CCN")) for i in range(100)]


def test_cancelling_ends_the_work(hard):
    from greed._child import connection

    async def main():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(aio.matrix([*hard] * 10), 0.3)
        task = asyncio.create_task(aio.ged(*hard))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not connection._child._waiting  # nothing is computed for nobody
        return await aio.ged("C", "N")

    assert float(asyncio.run(main())) == 1


def test_cancelled_before_it_begins(hard):
    async def main():
        tasks = [asyncio.create_task(aio.ged(*hard)) for _ in range(20)]
        await asyncio.sleep(0)
        for t in tasks:
            t.cancel()
        assert all(isinstance(r, asyncio.CancelledError) for r in await asyncio.gather(*tasks, return_exceptions=True))

    asyncio.run(main())


def test_collections_and_errors():
    async def main():
        c = greed.Collection(["CCO", "CCN", "CCC"])
        found = await asyncio.gather(*(aio.search(c, q, 1) for q in ("CCO", "CCN", "CCC")))
        assert [r[0].id for r in found] == ["0", "1", "2"]
        assert await aio.put(c, ["OO"], ids=["3"]) == 0 and len(c) == 4
        with pytest.raises(greed.RequestError, match="mode"):
            await aio.search(c, "C", mode="x")
        assert await aio.asynchronous(len)(c) == 4

    asyncio.run(main())
    assert aio.search.__name__ == "search" and "time_limit" in greed.ged.__doc__ and aio.ged.__wrapped__ is greed.ged
