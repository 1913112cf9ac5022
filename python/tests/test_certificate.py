"""Certificates, all node maps of least cost, and the map of a collection."""

import numpy as np
import pytest

import greed


def test_certificate_of_a_distance():
    d = greed.ged("c1ccccc1CCO", "c1ccccc1CCN")
    proven = greed.verify(d.certificate())
    (pair,) = proven["pairs"]
    assert pair["lower"] == pair["upper"] == d.upper == 1
    damaged = d.certificate().replace('"lower":1', '"lower":2')
    assert damaged != d.certificate()
    with pytest.raises(greed.RequestError, match="refused"):
        greed.verify(damaged)


def test_certificate_with_pairs_given():
    d = greed.ged("CCO", "CCN", fix={0: 2, 1: None})
    proven = greed.verify(d.certificate())["pairs"][0]
    assert (proven["lower"], proven["upper"], proven["fixed"]) == (8, 8, [[0, 2], [1, -1]])
    assert len(d.edits) > 0


def test_certificate_of_a_search():
    c = greed.Collection(["CCO", "CCN", "CC(=O)O", "c1ccccc1O"])
    proven = greed.verify(c.certificate("CCO", k=2))
    assert proven["set"]["graphs"] == 4 and proven["set"]["nearest"] == 2
    assert sorted(p["upper"] for p in proven["pairs"] if p.get("answer")) == [0, 1]


def test_optimal_maps():
    maps = greed.ged("CC", "CC").optimal_maps()
    assert sorted(tuple(m.items()) for m in maps) == [((0, 0), (1, 1)), ((0, 1), (1, 0))]
    assert len(greed.ged("C1CCCCC1", "C1CCCCC1").optimal_maps()) == 12  # turned and mirrored
    assert len(greed.ged("C1CCCCC1", "C1CCCCC1").optimal_maps(5)) == 5


def test_map_of_a_collection():
    ids, points = greed.Collection.bundled().map()
    assert points.shape == (len(ids), 2) and np.isfinite(points).all() and points.std() > 0
