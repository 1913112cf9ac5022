"""Embeds molecules with Ray: python3 examples/ray_embed.py molecules.smi

Each actor has a process of the program of its own. Needs the packages greed-graph and ray.
"""

import sys

if __name__ == "__main__" and len(sys.argv) != 2:
    sys.exit(__doc__)

import numpy as np
import ray

import greed


@ray.remote
class Embedder:
    def __init__(self):
        self.model = greed.Model.bundled("ged")

    def embed(self, smiles):
        return self.model.embed(smiles, workers=1)


def embed(smiles, actors=2, size=1000):
    """Returns the vectors of molecules in their order."""
    pool = ray.util.ActorPool([Embedder.remote() for _ in range(actors)])
    pieces = [smiles[i : i + size] for i in range(0, len(smiles), size)]
    return np.concatenate(list(pool.map(lambda actor, piece: actor.embed.remote(piece), pieces)))


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)
    print(embed([line.split()[0] for line in open(sys.argv[1])]).shape)
