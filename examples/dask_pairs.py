"""Computes distances of pairs with Dask: python3 examples/dask_pairs.py pairs.csv

The table has columns query and target with SMILES. Needs greed-graph and dask[dataframe].
"""

import sys

if __name__ == "__main__" and len(sys.argv) != 2:
    sys.exit(__doc__)

import dask.dataframe as dd

import greed


def distances(part):
    """Adds lower and upper bounds to a part of the table; without a limit they are equal."""
    d = greed.pairs(list(part["query"]), list(part["target"]), workers=1)
    return part.assign(lower=d.lower, upper=d.upper)


def solve(table):
    """Returns the table with the distance of every row."""
    return table.map_partitions(distances, meta={**table.dtypes, "lower": float, "upper": float})


if __name__ == "__main__":
    print(solve(dd.read_csv(sys.argv[1])).compute(scheduler="processes"))
