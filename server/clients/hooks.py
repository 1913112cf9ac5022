"""What schemathesis needs beside the description of the API."""

import json
import zlib

import schemathesis

# Of undirected graphs, of directed ones, and one that requests create and delete.
COLLECTIONS = ["molecules", "steps", "made"]
IDS = ["1", "2"]


@schemathesis.serializer("application/x-ndjson")
def lines(ctx: schemathesis.SerializationContext, value: object) -> bytes:
    """One line of JSON."""
    return json.dumps(value).encode()


@schemathesis.hook
def map_path_parameters(ctx: schemathesis.HookContext, path_parameters: dict[str, object] | None) -> dict[str, object] | None:
    """Makes most requests ask for what there is, by a choice that is the same each time."""
    for parameter, known in (("name", COLLECTIONS), ("id", IDS)):
        if path_parameters and isinstance(text := path_parameters.get(parameter), str):
            choice = zlib.crc32(text.encode(errors="replace")) % (2 * len(known) + 1)
            path_parameters[parameter] = [*known, *known, text][choice]
    return path_parameters
