"""The process that computes: one for each Python process, started when it is needed."""

from __future__ import annotations

import atexit
import logging
import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from . import _binary, _frames
from ._errors import ProcessError, from_answer

log = logging.getLogger("greed")

#: How long a cancelled request may take to end before its process is killed.
PATIENCE = 10.0

#: What is read at once where the length is not known.
_CHUNK = 1 << 16

Progress = Callable[[dict], None]


class Child:
    """One process and the two pipes to it. Requests take turns."""

    def __init__(self, waiter: Callable[[int], Callable[[int], bytes]] | None = None) -> None:
        waiter = waiter or (_poll if hasattr(select, "poll") else _thread)
        self.pid = os.getpid()  # of the process that it belongs to
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [_binary.path(), "pipe"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                # Ctrl-C in a terminal is for Python, which then cancels.
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as e:
            self._errors.close()
            raise ProcessError(f"greed cannot be started: {e}") from e
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        self._rest = b""
        self._number = 0
        self.dead = False
        self._wait = waiter(self._out)

    def ask(
        self, op: str, args: dict, arrays: Iterable[_frames.Array], progress: Progress | None, best: bool = False
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """Sends a request and returns its answer. An interrupt cancels it, and is raised unless
        best is true and what is answered then is a result."""
        self._number += 1
        number = self._number
        sent = False
        try:
            self._send(_frames.encode(number, op, args, arrays))
            sent = True
            return self._answer(number, progress)
        except _Broken as e:
            raise self._ended() from e
        except _Answered as e:
            raise e.error from None
        except BaseException as e:
            # An interrupt, or an exception of progress: the request is not
            # wanted any more. Half a request can only be taken back whole.
            if not sent:
                self.kill()
                raise
            answer = self._cancel(number)
            if best and isinstance(e, KeyboardInterrupt) and answer is not None:
                return answer
            raise

    def _send(self, pieces: list) -> None:
        for piece in pieces:
            view = memoryview(piece)
            while view:
                try:
                    view = view[os.write(self._in, view) :]
                except OSError as e:
                    raise _Broken from e

    def _answer(self, number: int, progress: Progress | None) -> tuple[Any, dict[str, np.ndarray]]:
        while True:
            got, kind, text, data = self._receive()
            if kind == _frames.LOG:
                _forward(text)
            elif got != number:
                continue  # of a request that was cancelled
            elif kind == _frames.PROGRESS:
                if progress is not None:
                    progress(_frames.decode(text, data)[0])
            else:
                message, arrays = _frames.decode(text, data)
                if "error" in message:
                    raise _Answered(from_answer(message["error"]))
                return message.get("result"), arrays

    def _receive(self) -> tuple[int, int, memoryview, memoryview]:
        rest = self._rest
        while len(rest) < _frames.HEAD.size:
            rest += self._read(_CHUNK)
        number, kind, text, data = _frames.HEAD.unpack_from(rest)
        start = _frames.HEAD.size
        end = start + text + data
        if end <= len(rest):
            self._rest = rest[end:]
            frame = memoryview(bytearray(rest[:end]))  # arrays can be written to
        else:
            frame = memoryview(bytearray(end))
            frame[: len(rest)] = rest
            have = len(rest)
            while have < end:
                part = self._read(min(end - have, 1 << 20))
                frame[have : have + len(part)] = part
                have += len(part)
            self._rest = b""
        return number, kind, frame[start : start + text], frame[start + text : end]

    def _read(self, most: int) -> bytes:
        part = self._wait(most)
        if not part:
            raise _Broken
        return part

    def _cancel(self, number: int) -> tuple[Any, dict[str, np.ndarray]] | None:
        """Ends a request and waits for its answer, so that the process can go on with others. It
        returns the answer if that is a result all the same."""
        timer = threading.Timer(PATIENCE, self.kill)
        timer.start()
        try:
            self._send([_frames.cancel(number)])
            return self._answer(number, None)
        except _Answered:
            return None
        except _Broken:
            self.kill()
            return None
        except BaseException:  # a second interrupt
            self.kill()
            raise
        finally:
            timer.cancel()

    def kill(self) -> None:
        """Ends the process at once."""
        self.dead = True
        self._process.kill()

    def _ended(self) -> ProcessError:
        """Says how the process ended that was not asked to."""
        self.kill()
        code = self._process.wait()
        how = f"exit code {code}"
        if code < 0:
            try:
                how = signal.Signals(-code).name
            except ValueError:
                how = f"signal {-code}"
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        said = self._errors.read().decode(errors="replace").strip()
        self.close()
        return ProcessError(
            f"the process that computes has ended ({how}); what it was asked is lost, the next call starts another"
            + (f":\n{said}" if said else "")
        )

    def close(self) -> None:
        """Lets the process end, as it does when nobody can send requests any more."""
        self.dead = True
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def forget(self) -> None:
        """Closes what a fork has copied; the process stays its owner's."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()
        self._process.returncode = 0  # not ours to wait for


#: How often a wait looks for signals. A signal may interrupt another thread than
#: the one that waits, and then Python's handlers run when this one wakes up.
_WAKE = 0.2


def _poll(fd: int) -> Callable[[int], bytes]:
    """Returns a function that reads from a pipe and lets signals be handled while it waits."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)

    def wait(most: int) -> bytes:
        while not poll.poll(_WAKE * 1000):
            pass
        try:
            return os.read(fd, most)
        except OSError as e:
            raise _Broken from e

    return wait


def _thread(fd: int) -> Callable[[int], bytes]:
    """Does the same on Windows, where nothing can wait for a pipe but a thread that reads it."""
    parts: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    rest = b""

    def read() -> None:
        part = b"x"
        while part:
            try:
                part = os.read(fd, _CHUNK)
            except OSError:
                part = b""
            parts.put(part)

    threading.Thread(target=read, name="greed", daemon=True).start()

    def wait(most: int) -> bytes:
        nonlocal rest
        while not rest:
            try:
                rest = parts.get(timeout=_WAKE)
                break
            except queue.Empty:
                pass
        part, rest = rest[:most], rest[most:]
        return part

    return wait


class _Broken(Exception):
    """The process is not there any more."""


class _Answered(Exception):
    """Carries the error of an answer past the handling of interrupts."""

    def __init__(self, error: Exception):
        self.error = error


def _forward(text: memoryview) -> None:
    """Logs what the process has to say."""
    record = _frames.decode(text, memoryview(b""))[0]
    level = logging.getLevelName(record["level"])
    fields = "".join(f" {k}={v}" for k, v in (record.get("fields") or {}).items())
    log.log(level if isinstance(level, int) else logging.INFO, "%s%s", record["message"], fields)


class Connection:
    """Keeps a child: starts it, and another after a fork or when it has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._unwanted: list[str] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        atexit.register(self.close)

    def _forked(self) -> None:
        self._lock = threading.Lock()  # another thread may have held it
        child, self._child = self._child, None
        if child is not None:
            child.forget()

    def _ready(self) -> Child:
        child = self._child
        if child is not None and child.pid != os.getpid():  # forked behind Python's back
            self._forked()
            child = None
        if child is not None and child.dead:
            child.close()
            child = None
        if child is None:
            child = Child()
            try:
                hello, _ = child.ask("hello", {}, (), None)
                if hello["protocol"] != _frames.PROTOCOL:
                    raise ProcessError(
                        f"{_binary.path()} speaks version {hello['protocol']} of the protocol, "
                        f"this package {_frames.PROTOCOL}: they are of different releases"
                    )
            except BaseException:
                child.kill()
                child.close()
                raise
            self._child = child
            log.debug("started %s, process %d", _binary.path(), child._process.pid)
        return child

    def ask(
        self,
        op: str,
        args: dict,
        arrays: Iterable[_frames.Array] = (),
        progress: Progress | None = None,
        best: bool = False,
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """Asks the child."""
        with self._lock:
            child = self._ready()
            if self._unwanted:
                keys = [self._unwanted.pop() for _ in range(len(self._unwanted))]
                child.ask("free", {"keys": keys}, (), None)
            return child.ask(op, args, arrays, progress, best)

    def free(self, key: str) -> None:
        """Lets the child forget what it keeps under a key, before the next request. This may be
        called by the garbage collector, at any time: it takes no lock."""
        self._unwanted.append(key)

    def process(self) -> int:
        """Returns the id of the child."""
        with self._lock:
            return self._ready()._process.pid

    def close(self) -> None:
        """Ends the child. The next call starts another."""
        with self._lock:
            child, self._child = self._child, None
            if child is not None and child.pid == os.getpid():
                child.close()


connection = Connection()
ask = connection.ask
