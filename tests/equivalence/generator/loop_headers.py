"""The ways a loop over heads is written, and the head's number in terms of what the loop binds."""


class Header:
    def __init__(self, text, index, plain=False, form="for"):
        self.text, self.index, self.plain, self.form = text, index, plain, form
        self.before, self.first, self.last, self.behind = [], [], [], []
        self.module = ""


def choose(c):
    draw, v = c.draw, c.var
    if draw.chance(0.6):
        H = draw.pick(["H", "H", str(c.H), "x.shape[0]" if c.three and not c.outer else "H", "len(HEADS)", "CFG.heads", "int(H)", "H // 1"])
        text = draw.pick([f"for {v} in range({H}):"] * 3 + [f"for {v} in range(0, {H}):", f"for {v} in range(0, {H}, 1):"])
        header = Header(text, v, plain=True)
        if "HEADS" in H:
            header.module = f"HEADS = [0] * {c.H}"
        if "CFG" in H:
            header.module = f"from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n    heads: int = {c.H}\n\n\nCFG = Config()"
        return header
    return draw.pick(_OTHERS)(c, v)


def _backwards(c, v):
    return Header(f"for {v} in range(H - 1, -1, -1):", v)


def _doubled(c, v):
    return Header(f"for {v} in range(0, 2 * H, 2):", f"{v} // 2")


def _odd(c, v):
    return Header(f"for {v} in range(1, 2 * H, 2):", c.draw.pick([f"{v} // 2", f"({v} - 1) // 2"]))


def _ragged(c, v):
    return Header(f"for {v} in range(0, 2 * H - 1, 2):", f"{v} // 2")


def _shifted(c, v):
    shift = c.draw.pick([1, 3])
    return Header(f"for {v} in range({shift}, H + {shift}):", f"{v} - {shift}")


def _negative(c, v):
    return Header(f"for {v} in range(-5, H - 5):", f"{v} + 5")


def _negative_up(c, v):
    return Header(f"for {v} in range(-H, 0):", c.draw.pick([f"{v} + H", f"{v} % H"]))


def _mirrored(c, v):
    return Header(f"for {v} in range(H):", f"H - 1 - {v}")


def _paired(c, v):
    return Header(f"for {v} in range(H):", c.draw.pick([f"{v} // 2 + {v} % 2 * (H // 2)" if c.H % 2 == 0 else v, f"({v} + 3) % H", f"({v} - 3) % H",
                                                         f"({v} * 3) % H" if c.H % 3 else v]))


def _reversed(c, v):
    return Header(f"for {v} in reversed(range(H)):", v)


def _enumerated(c, v):
    return Header(f"for {v}, item in enumerate(range(H)):", c.draw.pick([v, "item"]))


def _zipped(c, v):
    return Header(f"for {v}, other in zip(range(H), range(H)):", c.draw.pick([v, "other"]))


def _listed(c, v):
    header = Header(f"for {v} in {c.draw.pick(['HEADS', 'list(range(H))', '[*range(H)]', 'tuple(range(H))', 'sorted(range(H))'])}:", v)
    header.module = f"HEADS = list(range({c.H}))"
    return header


def _named_range(c, v):
    header = Header(f"for {v} in heads:", v)
    header.before = ["heads = range(H)"]
    return header


def _counting_while(c, v):
    header = Header(f"while {v} < H:", v, form="while")
    header.before = [f"{v} = 0"]
    header.last = [c.draw.pick([f"{v} += 1", f"{v} = {v} + 1"])]
    return header


def _two_levels(c, v):
    """Two Python loops: the outer one over groups."""
    groups = c.draw.pick([2, 4, 5, 8]) if c.H % 40 == 0 else (4 if c.H % 4 == 0 else 5)
    per = c.H // groups
    header = Header(f"for g in range({groups}):", f"g * {per} + {v}", form="nested")
    header.text = f"for g in range({groups}):\n    for {v} in range({per}):"
    return header


def _splat(c, v):
    header = Header(f"for {v} in range(*bounds):", v)
    header.before = ["bounds = (0, H)"]
    return header


def _with_else(c, v):
    header = Header(f"for {v} in range(H):", v, plain=True)
    header.behind = ["else:", "    done = 1"]
    return header


def _starred(c, v):
    return Header(f"for [{v}] in zip(range(H)):", v)


def _attribute_target(c, v):
    header = Header("for box[0] in range(H):", "box[0]")
    header.before = ["box = [0]"]
    return header


_OTHERS = [_backwards, _backwards, _doubled, _odd, _ragged, _shifted, _shifted, _negative, _negative_up, _mirrored, _paired, _paired, _reversed,
           _enumerated, _zipped, _listed, _named_range, _counting_while, _two_levels, _two_levels, _splat, _with_else, _starred, _attribute_target]
