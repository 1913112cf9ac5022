"""Uses the service by a client that is generated from its description.

Run with the address of a service that has a writable collection "molecules" of
the graphs 1 (CCO) and 2 (CCN), and its token.
"""

import sys

from greed_api import AuthenticatedClient
from greed_api.api.collections import create_collection, drop_collection
from greed_api.api.distance import distance, distances_to
from greed_api.api.graphs import change, get_graph, put_graph
from greed_api.api.search import search
from greed_api.models import (
    BatchRequest, Collection, CreateRequest, Distance, DistanceRequest, Distances, DistancesToRequest, Dropped, EditKind,
    Found, Graph, GraphEdgesItem, GraphNodesItem, GraphQuery, Outcome, Problem, Record, SearchRequest, SmilesPut, SmilesQuery, SmilesRecord, Status, Task,
)

url, token = sys.argv[1:]
client = AuthenticatedClient(url, token)


def test_search() -> None:
    found = search.sync("molecules", client=client, body=SearchRequest(query=SmilesQuery(smiles="CCO"), k=2, explain=True))
    assert isinstance(found, Found), found
    assert found.status is Status.PROVEN
    assert [(a.id, a.ged) for a in found.answers] == [("1", 0), ("2", 1)]
    assert [e.op for e in found.answers[1].edits] == [EditKind.SUBSTITUTE_NODE]


def test_distance_of_directed_graphs() -> None:
    def step(label: str) -> GraphQuery:
        return GraphQuery(graph=Graph(
            directed=True, nodes=[GraphNodesItem(id="a", label="read"), GraphNodesItem(id="b", label=label)],
            edges=[GraphEdgesItem(source="a", target="b")],
        ))

    d = distance.sync(client=client, body=DistanceRequest(query=step("write"), target=step("close"), task=Task.GED))
    assert isinstance(d, Distance), d
    assert d.exact and d.upper == 1


def test_many_distances() -> None:
    many = distances_to.sync("molecules", client=client, body=DistancesToRequest(query=SmilesQuery(smiles="CCO"), ids=["1", "none", "2"]))
    assert isinstance(many, Distances), many
    assert [r.distance.upper if r.distance else r.problem.status for r in many.results] == [0, 404, 1]


def test_parts() -> None:
    body = SearchRequest(query=SmilesQuery(smiles="CCO"), radius=5, limit=1)
    first = search.sync("molecules", client=client, body=body)
    assert isinstance(first, Found) and first.total == 2, first
    body.cursor = first.next_
    second = search.sync("molecules", client=client, body=body)
    assert isinstance(second, Found) and not second.next_, second
    assert [a.id for a in first.answers + second.answers] == ["1", "2"]


def test_collection() -> None:
    made = create_collection.sync("made", client=client, body=CreateRequest())
    assert isinstance(made, Collection) and (made.graphs, made.writable) == (0, True), made
    gone = drop_collection.sync("made", client=client)
    assert isinstance(gone, Dropped) and gone.deleted, gone


def test_put() -> None:
    odd = "a/b c?d#é"  # needs quoting
    stored = put_graph.sync("molecules", odd, client=client, body=SmilesPut(smiles="CCS", name="ethanethiol"))
    assert isinstance(stored, Outcome) and stored.put == 1, stored
    record = get_graph.sync("molecules", odd, client=client)
    assert isinstance(record, Record) and record.name == "ethanethiol", record


def test_batch() -> None:
    wanted = BatchRequest(put=[SmilesRecord(id="x", smiles="CCCl"), SmilesRecord(id="y", smiles="CCBr")], delete=["a/b c?d#é"])
    result = change.sync("molecules", client=client, body=wanted)
    assert isinstance(result, Outcome) and (result.put, result.deleted) == (2, 1), result
    result = change.sync("molecules", client=client, body=BatchRequest(delete=["x", "y"]))
    assert isinstance(result, Outcome) and result.deleted == 2, result


def test_mistake() -> None:
    answer = search.sync_detailed("molecules", client=client, body=SearchRequest(query=SmilesQuery(smiles="C1")))
    assert isinstance(answer.parsed, Problem) and answer.status_code == 422
    assert answer.parsed.request == answer.headers["X-Request-Id"]


for test in (test_search, test_distance_of_directed_graphs, test_many_distances, test_parts, test_collection, test_put, test_batch, test_mistake):
    test()
print("the Python client works")
