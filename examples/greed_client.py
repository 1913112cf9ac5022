#!/usr/bin/env python3
"""A client of greed serve, with nothing but the standard library.

    python3 greed_client.py http://127.0.0.1:8080 demo "CC(=O)Oc1ccccc1C(=O)O"

Set GREED_READ_TOKEN where the service wants a token.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Problem(Exception):
    """What the service says when it cannot do what it was asked."""

    def __init__(self, status, detail):
        super().__init__(f"{status}: {detail}")
        self.status = status


def segment(text):
    """Returns a text as one segment of a path, where . and .. would lead elsewhere."""
    return urllib.parse.quote(text, safe="").replace(".", "%2E")


class Client:
    """Asks one service. Requests that it has no room for are sent again."""

    def __init__(self, url, token=None, tries=5):
        self.url = url.rstrip("/")
        self.token = token
        self.tries = tries

    def search(self, collection, query, **wanted):
        """Returns the answers to a query such as {"smiles": "CCO"}.

        wanted: task, k, radius, filter, mode, explain, time_limit. mode is
        proven (the default), checked or predicted; the answer's status says what it is.
        """
        return self._json("POST", f"{self._path(collection)}/search", {"query": query, **wanted})

    def stream(self, collection, query, **wanted):
        """Yields the lines of a search while it goes on; the last has "found" or "error"."""
        body = {"query": query, **wanted}
        with self._send("POST", f"{self._path(collection)}/search", body, "application/x-ndjson") as answer:
            for line in answer:
                yield json.loads(line)

    def distance(self, collection, query, id, **measured):
        """Returns bounds and node map of a query and a graph of the collection, with explain=True the edits."""
        body = {"collection": collection, "query": query, "target": {"id": id}, **measured}
        return self._json("POST", "/v1/distance", body)

    def put(self, collection, graphs):
        """Keeps graphs, dicts with an id and smiles, graph, ...; all of them or none."""
        lines = "".join(json.dumps(g) + "\n" for g in graphs).encode()
        return self._json("POST", f"{self._path(collection)}/graphs", lines, kind="application/x-ndjson")

    def get(self, collection, id):
        """Returns a graph."""
        return self._json("GET", f"{self._path(collection)}/graphs/{segment(id)}")

    def delete(self, collection, id):
        """Deletes a graph."""
        return self._json("DELETE", f"{self._path(collection)}/graphs/{segment(id)}")

    def _path(self, collection):
        return f"/v1/collections/{segment(collection)}"

    def _json(self, method, path, body=None, kind="application/json"):
        with self._send(method, path, body, kind=kind) as answer:
            return json.load(answer)

    def _send(self, method, path, body=None, accept="application/json", kind="application/json"):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Accept": accept, "Content-Type": kind}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for left in reversed(range(self.tries)):
            request = urllib.request.Request(self.url + path, data, headers, method=method)
            try:
                return urllib.request.urlopen(request)
            except urllib.error.HTTPError as e:
                if e.code in (429, 503) and left:
                    time.sleep(float(e.headers.get("Retry-After", 1)))
                    continue
                detail = json.load(e).get("detail", e.reason)
                raise Problem(e.code, detail) from None


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    url, collection, smiles = sys.argv[1:]
    client = Client(url, os.environ.get("GREED_READ_TOKEN"))
    try:
        found = client.search(collection, {"smiles": smiles}, k=5)
    except Problem as problem:
        sys.exit(str(problem))
    for answer in found["answers"]:
        low, high = answer["lower"], answer["upper"]
        distance = f"{high:g}" if answer["exact"] else f"{low:g} to {high:g}"
        print(f"{distance:>8}  {answer['id']:>8}  {answer.get('smiles', '')}")


if __name__ == "__main__":
    main()
