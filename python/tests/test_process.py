import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import greed

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks of POSIX")


def gone(pid, wait=10):
    """Reports whether a process ends in time."""
    deadline = time.monotonic() + wait
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/stat") as f:
                if f.read().rpartition(")")[2].split()[0] == "Z":
                    return True  # ended, and nobody has asked for it
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


LINUX = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at /proc")


def test_one_process_is_kept(process):
    from greed._child import connection

    greed.ged("C", "N")
    assert connection.process() == process


@POSIX
def test_interrupt_cancels_and_leaves_the_process_usable(hard, process):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        greed.ged(*hard)  # which takes longer than any test waits
    from greed._child import connection

    assert float(greed.ged("CCO", "CCN")) == 1
    assert connection.process() == process


@POSIX
def test_killed_in_a_batch(hard, process):
    threading.Timer(0.3, os.kill, (process, signal.SIGKILL)).start()
    with pytest.raises(greed.ProcessError, match="SIGKILL"):
        greed.matrix([*hard] * 20)
    assert float(greed.ged("CCO", "CCN")) == 1
    from greed._child import connection

    assert connection.process() != process


@POSIX
def test_killed_between_calls(process, kill):
    kill()
    assert float(greed.ged("C", "N")) == 1  # by another one


def work(i):
    from greed._child import connection

    return float(greed.ged("C" * (i + 1), "CC")), connection.process()


@POSIX
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(process, method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(work, range(8), chunksize=1)
    assert [d for d, _ in results] == [2, 0, 2, 4, 6, 8, 10, 12]
    pids = {pid for _, pid in results}
    assert process not in pids and 1 <= len(pids) <= 2
    assert float(greed.ged("CCO", "CCN")) == 1


def test_joblib(process):
    joblib = pytest.importorskip("joblib")
    results = joblib.Parallel(n_jobs=2)(joblib.delayed(work)(i) for i in range(6))
    assert [d for d, _ in results] == [2, 0, 2, 4, 6, 8]


@POSIX
def test_fork_while_the_process_computes(hard, process):
    """A fork closes its copies of the pipes, or neither side would see the end of the other."""
    thread = threading.Thread(target=lambda: greed.ged(*hard, time_limit=1))
    thread.start()
    time.sleep(0.2)
    pid = os.fork()
    if pid == 0:
        ok = False
        try:
            ok = float(greed.ged("CCO", "CCN")) == 1
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(pid, 0)[1] == 0
    thread.join()
    assert float(greed.ged("C", "N")) == 1


@LINUX
@pytest.mark.parametrize("how", ["exit", "SIGKILL", "SIGKILL in a batch", "SIGKILL with a forked child"])
def test_the_process_ends_with_its_parent(how, hard):
    code = f"""
import greed, os, sys, threading, time
from greed._child import connection
print(connection.process(), flush=True)
if {how!r} == "SIGKILL in a batch":
    threading.Thread(target=greed.ged, args={hard!r}).start()
if {how!r} == "SIGKILL with a forked child" and os.fork() == 0:
    time.sleep(30)
    os._exit(0)
sys.stdin.read(1)
if {how!r} == "exit":
    sys.exit()
time.sleep(60)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    child = int(parent.stdout.readline())
    try:
        time.sleep(0.3)
        if how == "exit":
            parent.stdin.write(b"x")
            parent.stdin.flush()
        else:
            parent.kill()
        parent.wait(20)
        assert gone(child)
    finally:
        try:
            os.killpg(parent.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def test_threads_ask_at_the_same_time(hard):
    long = threading.Thread(target=lambda: greed.ged(*hard, time_limit=3))
    long.start()
    time.sleep(0.2)
    results = []
    threads = [threading.Thread(target=lambda i=i: results.append((i, work(i)[0]))) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [(i, d) for i, d in enumerate([2, 0, 2, 4, 6, 8, 10, 12])]
    assert long.is_alive()  # none has waited for it
    long.join()


@POSIX
def test_an_interrupt_leaves_other_threads_alone(hard, process):
    from greed._child import connection

    found = []
    other = threading.Thread(target=lambda: found.append(greed.ged(*hard, time_limit=1.5)))
    other.start()
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        greed.ged(*hard)
    other.join()
    # A fast machine may have solved it by then.
    assert len(found) == 1 and found[0].upper > 0 and connection.process() == process


@POSIX
def test_an_interrupt_while_much_is_sent(process):
    """Half a frame would leave the process without use."""
    from greed._child import connection

    many = ["C" * 200] * 300_000
    for wait in (0.05, 0.2, 0.4):
        with pytest.raises(KeyboardInterrupt):
            while True:  # Python drops an interrupt that comes in a finalizer
                threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT)).start()
                greed.pairs(many, many, within=0)
                time.sleep(wait)
    assert float(greed.ged("C", "N")) == 1 and connection.process() == process


def test_close():
    from greed._child import connection

    with greed.Collection(["CCO", "CCN"]) as c:
        before = connection.process()
        greed.close()
        assert connection.process() != before and len(c) == 2  # made again
    assert repr(c) == "<greed.Collection, closed>"
    with pytest.raises(greed.RequestError, match="was closed"):
        len(c)
    with greed.Model.bundled() as m:
        assert m.dim
    with pytest.raises(greed.RequestError, match="was closed"):
        m.predict(["C"])


def test_program_missing(monkeypatch, tmp_path):
    from greed._child import Connection

    monkeypatch.setenv("GREED_BINARY", str(tmp_path / "none"))
    with pytest.raises(greed.ProcessError, match="cannot be started"):
        Connection().ask("hello", {})


@POSIX
def test_program_of_another_release(monkeypatch, tmp_path):
    from greed import _frames
    from greed._child import Connection

    other = tmp_path / "greed"
    text = b'{"result":{"protocol":9}}'
    other.write_text(
        f"#!{sys.executable}\nimport sys, time\nsys.stdin.buffer.read(24)\n"
        f"sys.stdout.buffer.write({_frames.HEAD.pack(1, _frames.ANSWER, len(text), 0) + text!r})\n"
        "sys.stdout.flush()\ntime.sleep(5)\n"
    )
    other.chmod(0o755)
    monkeypatch.setenv("GREED_BINARY", str(other))
    with pytest.raises(greed.ProcessError, match="version 9 of the protocol"):
        Connection().ask("hello", {})


def test_log(caplog, tmp_path):
    file = tmp_path / "m.smi"
    file.write_text("CCO a\nC1CC b\n")
    with caplog.at_level(logging.INFO, logger="greed"):
        greed.read(file, skip_bad=True)
    assert any("not closed" in r.message and r.levelname == "WARNING" for r in caplog.records)


def test_command_line():
    out = subprocess.run([sys.executable, "-m", "greed", "ged", "CCO", "CCN"], capture_output=True, text=True)
    assert out.returncode == 0 and "1" in out.stdout
