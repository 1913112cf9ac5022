"""The process that computes: one for each Python process, started when it is needed."""

from __future__ import annotations

import atexit
import io
import itertools
import logging
import os
import queue
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

#: Frames up to this size fit into a pipe that is empty.
_SMALL = 1 << 15

#: How often the main thread looks for signals. One may interrupt another thread than the one
#: that waits, and then Python's handlers run when the main thread wakes up.
_WAKE = 0.2

Progress = Callable[[dict], None]

#: What is answered to a request, and what a :class:`Call` puts in its place to end it.
Frame = tuple[int, memoryview, memoryview]
_CANCELLED = (-1, memoryview(b""), memoryview(b""))
_ENDED = (-2, memoryview(b""), memoryview(b""))


def next_of(q: queue.SimpleQueue[Any], patience: float | None = None) -> Any:
    """Returns the next item. The main thread handles signals while it waits; queue.Empty is raised
    when patience ends."""
    if patience is not None or threading.current_thread() is not threading.main_thread():
        return q.get(timeout=patience)
    while True:
        try:
            return q.get(timeout=_WAKE)
        except queue.Empty:
            pass


class Call:
    """A call that another thread may cancel, such as that of an event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[Frame] | None = None
        self._cancelled = False

    def run(self, f: Callable, args: tuple, kwargs: dict) -> Any:
        """Calls a function, whose requests are then those of this call."""
        _current.call = self
        try:
            return f(*args, **kwargs)
        finally:
            _current.call = None

    def cancel(self) -> None:
        """Ends the running request and those that would follow: the function raises :class:`Cancelled`."""
        with self._lock:
            self._cancelled = True
            if self._waiting is not None:
                self._waiting.put(_CANCELLED)

    def wait(self, answers: queue.SimpleQueue[Frame] | None) -> None:
        """Says what the call waits for."""
        with self._lock:
            self._waiting = answers
            if self._cancelled and answers is not None:
                answers.put(_CANCELLED)


class Cancelled(BaseException):
    """A call was cancelled."""


_current = threading.local()


class Child:
    """One process and the two pipes to it. Any number of threads may send requests at the same time."""

    def __init__(self) -> None:
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
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[Frame]] = {}
        self._writing = threading.Lock()
        self.dead = False
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), name="greed", daemon=True)
        self._reader.start()

    def _read(self, stdout: Any) -> None:
        """Delivers the answers of the process, until it ends. A thread of its own does this, which no
        signal interrupts in the middle of a frame."""
        out = io.BufferedReader(stdout, 1 << 16)
        try:
            while len(head := out.read(_frames.HEAD.size)) == _frames.HEAD.size:
                number, kind, text, data = _frames.HEAD.unpack(head)
                both = bytearray(text + data)  # arrays can be written to
                if out.readinto(both) < len(both):
                    break
                view = memoryview(both)
                if kind == _frames.LOG:
                    _forward(view[:text])
                elif (answers := self._waiting.get(number)) is not None:
                    answers.put((kind, view[:text], view[text:]))
        except (OSError, ValueError):
            pass  # closed
        out.close()
        self.dead = True
        for answers in list(self._waiting.values()):
            answers.put(_ENDED)

    def ask(
        self, op: str, args: dict, arrays: Iterable[_frames.Array] = (), progress: Progress | None = None, best: bool = False
    ) -> tuple[Any, dict[str, np.ndarray]]:
        """Sends a request and returns its answer. An interrupt cancels it, and is raised unless
        best is true and the answer is a result."""
        number = next(self._numbers)
        pieces = _frames.encode(number, op, args, arrays)
        answers: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        call: Call | None = getattr(_current, "call", None)
        try:
            self._waiting[number] = answers
            if self.dead:
                raise _Broken
            if call is not None:
                call.wait(answers)
            self._send(pieces)
            return self._answer(answers, progress)
        except _Broken as e:
            raise self._ended() from e
        except _Answered as e:
            raise e.error from None
        except BaseException as e:
            # An interrupt, or an exception of progress: the request is not wanted any more.
            answer = self._cancel(number, answers)
            if best and isinstance(e, (KeyboardInterrupt, Cancelled)) and answer is not None:
                return answer
            raise
        finally:
            if call is not None:
                call.wait(None)
            self._waiting.pop(number, None)

    def _send(self, pieces: list) -> None:
        if sum(map(len, pieces)) <= _SMALL:
            self._write(b"".join(pieces))
            return
        # What takes time is written by a thread of its own: an interrupt must not leave half a frame.
        writer = threading.Thread(target=self._write_all, args=(pieces,), daemon=True)
        writer.start()
        while writer.is_alive():
            writer.join(_WAKE)

    def _write_all(self, pieces: list) -> None:
        try:
            self._write(*pieces)
        except _Broken:
            pass  # then the reader sees the end, too

    def _write(self, *pieces: Any) -> None:
        with self._writing:
            for piece in pieces:
                view = memoryview(piece)
                while view:
                    try:
                        view = view[os.write(self._in, view) :]
                    except OSError as e:
                        raise _Broken from e

    def _answer(
        self, answers: queue.SimpleQueue[Frame], progress: Progress | None, patience: float | None = None
    ) -> tuple[Any, dict[str, np.ndarray]]:
        while True:
            kind, text, data = next_of(answers, patience)
            if kind == _ENDED[0]:
                raise _Broken
            if kind == _CANCELLED[0]:
                if patience is None:
                    raise Cancelled
            elif kind == _frames.PROGRESS:
                if progress is not None:
                    progress(_frames.decode(text, data)[0])
            else:
                message, arrays = _frames.decode(text, data)
                if "error" in message:
                    raise _Answered(from_answer(message["error"]))
                return message.get("result"), arrays

    def _cancel(self, number: int, answers: queue.SimpleQueue[Frame]) -> tuple[Any, dict[str, np.ndarray]] | None:
        """Ends a request and waits for its answer. It returns the answer if that is a result all the same."""
        try:
            self._write(_frames.cancel(number))
            return self._answer(answers, None, PATIENCE)
        except _Answered:
            return None
        except (_Broken, queue.Empty):
            self.kill()
            return None
        except BaseException:  # a second interrupt
            self.kill()
            raise

    def kill(self) -> None:
        """Ends the process at once."""
        self.dead = True
        self._process.kill()

    def _ended(self) -> ProcessError:
        """Says how the process ended unexpectedly."""
        self.kill()
        code = self._process.wait()
        how = f"exit code {code}"
        if code < 0:
            try:
                how = signal.Signals(-code).name
            except ValueError:
                how = f"signal {-code}"
        said = ""
        try:
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, self._errors.tell() - 2000))
            said = self._errors.read().decode(errors="replace").strip()
        except ValueError:
            pass  # another thread has said it and closed the file
        self.close()
        return ProcessError(
            f"the process that computes has ended ({how}); its requests are lost, and the next call starts another"
            + (f":\n{said}" if said else "")
        )

    def close(self) -> None:
        """Lets the process end, as it does when nobody can send requests any more."""
        self.dead = True
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._writing:  # nobody writes to a number that another file may have by then
            self._in = -1
            self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        self._errors.close()

    def forget(self) -> None:
        """Closes what a fork has copied; the process stays its owner's."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()
        self._process.returncode = 0  # not ours to wait for


class _Broken(Exception):
    """The process has ended."""


class _Answered(Exception):
    """Carries the error of an answer past the handling of interrupts."""

    def __init__(self, error: Exception):
        self.error = error


def _forward(text: memoryview) -> None:
    """Logs messages of the process."""
    record = _frames.decode(text, memoryview(b""))[0]
    level = logging.getLevelName(record["level"])
    log.log(level if isinstance(level, int) else logging.INFO, "%s", record["message"])


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
            log.warning("the process that computes has ended; another one is started")
            child.close()
            child = None
        if child is None:
            child = Child()
            try:
                hello, _ = child.ask("hello", {})
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
        """Sends a request to the child."""
        with self._lock:
            child = self._ready()
        if self._unwanted:
            keys = [self._unwanted.pop() for _ in range(len(self._unwanted))]
            child.ask("free", {"keys": keys})
        return child.ask(op, args, arrays, progress, best)

    def free(self, key: str) -> None:
        """Lets the child drop what it holds under a key, before the next request. This may be
        called by the garbage collector, at any time: it takes no lock."""
        self._unwanted.append(key)

    def process(self) -> int:
        """Returns the id of the child."""
        with self._lock:
            return self._ready()._process.pid

    def close(self) -> None:
        """Ends the child."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None and child.pid == os.getpid():
            child.close()


connection = Connection()
ask = connection.ask


def close() -> None:
    """Ends the process that computes, which gives its memory back. The next call starts another, and
    collections and models are made again when they are used."""
    connection.close()
