import os
import random
import signal
import time

import pytest

import greed

# A shell starts what it runs in the background with SIGINT ignored, others leave it
# blocked; tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "pthread_sigmask"):
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@pytest.fixture
def rng(request):
    """A source of random numbers; a failing test prints its seed."""
    seed = 1
    request.node.add_report_section("setup", "seed", f"seed {seed}")
    return random.Random(seed)


def cage(seed, first, size=64):
    """The SMILES of a path of three atoms and carbons, each bonded to another one, far or near."""
    rng = random.Random(seed)
    ends = [0, 1]
    while any(abs(a - b) == 1 for a, b in zip(ends[::2], ends[1::2])):
        ends = rng.sample(range(size), size)
    number = {end: 10 + i // 2 for i, end in enumerate(ends)}
    return "".join(f"{'C' if v > 2 else first}%{number[v]}" for v in range(size))


#: A pair whose distance takes far longer than any test waits.
HARD = (cage(1, "C"), cage(2, "N"))


@pytest.fixture
def hard():
    return HARD


@pytest.fixture
def process():
    """The id of the process that computes, which is there after this."""
    from greed._child import connection

    return connection.process()


@pytest.fixture
def kill():
    """Kills the process that computes; it is known to be dead after that."""
    from greed._child import connection

    def kill():
        os.kill(connection.process(), signal.SIGKILL)
        while not connection._child.dead:
            time.sleep(0.01)

    return kill


@pytest.fixture
def molecules():
    return [greed.smiles(s, id=f"m{i}") for i, s in enumerate(["CCO", "CCN", "C1CC1", "c1ccccc1O", "CC(=O)O", "C"])]
