"""Random complete PyPTO kernels: each seed gives one file. See README.md of the folder above."""
import random

from . import head_loops, unrolls, weights, whole_heads
from .layout import Layout

FAMILIES = {"heads": (head_loops.generate, 10), "weights": (weights.generate, 4), "unrolls": (unrolls.generate, 2),
            "whole_heads": (whole_heads.generate, 3)}


def generate(seed, family=None):
    """The file of a seed: its text as bytes, its family, its traps, and whether a safe fix of its loop is wrong."""
    draw = Draw(f"kernel {seed}")
    if family is None:
        names = list(FAMILIES)
        family = draw.random.choices(names, [FAMILIES[name][1] for name in names])[0]
    source = FAMILIES[family][0](draw)
    source.family = family
    source.data = Layout(draw).render(source, f"seed {seed}: {family}" + "".join(f", {t}" for t in source.traps))
    return source


class Draw:
    """A random generator with the few questions that generators ask."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, values):
        return self.random.choice(values)

    def between(self, low, high):
        return self.random.randint(low, high)

    def some(self, values, most):
        return self.random.sample(values, min(len(values), self.between(0, most)))
