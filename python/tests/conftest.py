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


#: A pair whose distance takes far longer than any test waits.
HARD = ("C1CC(C)CC(O)C1CC" * 4, "C1CC(N)CCC1CO" * 5)


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
