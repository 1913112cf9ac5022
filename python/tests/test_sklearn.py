"""Examples of scikit-learn with edit distances, which run as tests."""

import numpy as np
import pytest

import greed

pytest.importorskip("sklearn")

ALCOHOLS = ["CO", "CCO", "CCCO", "CCCCO", "CC(C)O"]
RINGS = ["c1ccccc1", "Cc1ccccc1", "Oc1ccccc1", "Nc1ccccc1", "Clc1ccccc1"]


def test_clusters_of_a_matrix():
    from sklearn.cluster import DBSCAN, AgglomerativeClustering

    distances = greed.matrix(ALCOHOLS + RINGS).values
    clusters = AgglomerativeClustering(2, metric="precomputed", linkage="average").fit_predict(distances)
    assert len(set(clusters[:5])) == len(set(clusters[5:])) == 1 and clusters[0] != clusters[5]
    assert len(set(DBSCAN(eps=4, min_samples=2, metric="precomputed").fit_predict(distances))) == 2


def test_neighbours_graph_in_a_pipeline():
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    knn = make_pipeline(
        greed.NeighborsTransformer(n_neighbors=3), KNeighborsClassifier(n_neighbors=3, metric="precomputed")
    )
    knn.fit(ALCOHOLS + RINGS, ["alcohol"] * 5 + ["ring"] * 5)
    assert list(knn.predict(["CCCCCO", "Brc1ccccc1"])) == ["alcohol", "ring"]


def test_neighbours_are_those_of_the_matrix():
    t = greed.NeighborsTransformer(n_neighbors=2)
    graph = t.fit_transform(ALCOHOLS + RINGS)
    full = greed.matrix(ALCOHOLS + RINGS).values
    assert graph.shape == (10, 10) and (np.diff(graph.indptr) == 3).all()
    for i in range(10):
        assert sorted(graph[[i]].data) == sorted(np.sort(full[i])[:3])
    from sklearn.base import clone

    assert clone(t).n_neighbors == 2 and t.set_params(task="sed").task == "sed"
    with pytest.raises(ValueError, match="no parameter"):
        t.set_params(neighbours=2)


def test_neighbours_that_are_not_there():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        greed.NeighborsTransformer().transform(RINGS)
    with pytest.raises(greed.RequestError, match="n_neighbors is 6, but there are 5 graphs"):
        greed.NeighborsTransformer(n_neighbors=6).fit_transform(RINGS)
    assert (np.diff(greed.NeighborsTransformer(n_neighbors=5).fit_transform(RINGS).indptr) == 5).all()
