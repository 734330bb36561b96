"""What makes turning a Python loop into a device loop wrong, or makes it look wrong. Each trap changes the context of one
kernel; it says whether a safe fix would be wrong whatever the values are."""


def _dt(c):
    return f"pypto.{c.dtype}"


def _torch(c):
    return {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16"}[c.dtype]


def _aux(c, name, shape):
    """One more output."""
    if all(name != known for known, *_ in c.extra):
        c.extra.append((name, f"{shape}, {_dt(c)}", f"torch.ones({shape[1:-1]}, dtype=torch.{_torch(c)})"))
    return name


# -- writes ------------------------------------------------------------------------------------------------------------
def overlapping_writes(c, body):
    if c.three or c.outer:
        return
    c.source.trap("overlapping writes", True)
    c.stores = [f"pypto.assemble({body.y}, [({c.e}) * {c.M // 2}, 0], out)"]


def shared_blocks(c, body):
    if c.three or c.outer:
        return
    c.source.trap("two trips write one block", True)
    e = f"({c.e})"
    place = c.draw.pick([f"{e} // 2 * M", f"{e} % (H // 2) * M", f"min({e}, H - 2) * M", f"{e} * 0", "0", f"({e} * {e}) % H * M", f"abs({e} - 3) * M",
                         f"{e} % 5 * M"])
    c.stores = [f"pypto.assemble({body.y}, [{place}, 0], out)"]


def one_row_too_many(c, body):
    if c.three or c.outer:
        return
    c.source.trap("a row into the next block", True)
    c.rows_pad = c.M
    row = f"({c.e}) * M"
    c.stores = [f"pypto.assemble({body.y}, [{row}, 0], out)", f"pypto.assemble({body.y}, [{row} + {c.draw.pick([1, c.M - 1])}, 0], out)"]


def two_stores_apart(c, body):
    """Two stores a trip, into blocks of its own: legal."""
    if c.three or c.outer:
        return
    c.source.trap("two stores a trip")
    other = _aux(c, "both", "[2 * H * M, N]")
    e = f"({c.e})"
    first, second = c.draw.pick([(f"{e} * 2 * M", f"({e} * 2 + 1) * M"), (f"{e} * M", f"(H + {e}) * M"), (f"{e} * M", f"{e} * M + H * M")])
    c.after_store += [f"pypto.assemble({body.y}, [{first}, 0], {other})", f"pypto.assemble({body.y} * 2.0, [{second}, 0], {other})"]


def columns_apart(c, body):
    if c.three or c.outer:
        return
    c.source.trap("side by side")
    _aux(c, "wide", "[M, H * N]")
    place = c.draw.pick([f"({c.e}) * N", f"({c.e}) * {c.N}"])
    c.after_store.append(c.draw.pick([f"pypto.assemble({body.y}, [0, {place}], wide)", f"wide[:, {place}:{place} + N] = {body.y}"]))


def diagonal(c, body):
    """The place moves on both axes."""
    if c.three or c.outer or c.H * c.N > 4000:
        return
    c.source.trap("diagonal")
    _aux(c, "square", "[M * H, N * H]")
    c.after_store.append(f"pypto.assemble({body.y}, [{c.draw.pick(['({e}) * M', '0', '({e}) % 2 * M']).format(e=c.e)}, ({c.e}) * N], square)")


def strided_rows(c, body):
    """One row of a trip into every H-th row."""
    if c.three or c.outer:
        return
    c.source.trap("interleaved rows")
    _aux(c, "rows", "[4 * H, N]")
    lines = [f"    pypto.assemble(pypto.view({body.y}, [1, N], [k, 0]), [k * H + {c.e}, 0], rows)"]
    c.after_store += ["for k in range(4):"] + lines


def inner_offsets(c, body):
    """An inner loop's places within, or beyond, the stretch of a trip."""
    if c.three or c.outer:
        return
    beyond = c.draw.chance(0.5)
    c.source.trap("inner loop" + (" that reaches over" if beyond else ""), beyond)
    c.rows_pad = c.M
    half = c.M // 2
    c.stores = [f"for k in range({3 if beyond else 2}):",
                f"    pypto.assemble(pypto.view({body.y}, [{half}, N], [0, 0]) * {c.draw.pick(['2.0', 'float(k + 1)'])}, [({c.e}) * M + k * {half}, 0], out)"]


def writes_input(c, body):
    if c.three or c.outer or c.matmuls:
        return
    c.source.trap("writes what the next trip reads", True)
    c.after_store.append(f"x[0:M, 0:] = {body.y}")


def in_place_block(c, body):
    """Reads and writes its own block only."""
    if c.three or c.outer or c.matmuls:
        return
    c.source.trap("own block in place")
    c.after_store.append(f"x[({c.e}) * M:({c.e}) * M + M, 0:] = {body.y}")


def reads_neighbour(c, body):
    if c.three or c.outer:
        return
    c.source.trap("reads what the trip before wrote", True)
    c.rows_pad = c.M
    c.tail.append(f"{body.y} = {body.y} + {c.draw.pick(['pypto.view(out, [M, N], [({e}) * M, 0])', 'out[({e}) * M:({e}) * M + M, :]']).format(e=c.e)} * 0.5")
    c.stores = [f"pypto.assemble({body.y}, [({c.e}) * M + M, 0], out)"]


def reads_through_alias(c, body):
    if c.three or c.outer:
        return
    c.source.trap("reads the output by another name", True)
    c.rows_pad = c.M
    c.pre.append(c.draw.pick(["seen = out", "seen = pypto.reshape(out, [H * M + M, N], inplace=True)", "(seen,) = (out,)", "seen = [out][0]",
                              "seen = {'o': out}['o']", "seen = (lambda t: t)(out)", "seen = out[:]"]))
    c.tail.append(f"{body.y} = {body.y} + pypto.view(seen, [M, N], [({c.e}) * M, 0]) * 0.5")
    c.stores = [f"pypto.assemble({body.y}, [({c.e}) * M + M, 0], out)"]


def writes_through_alias(c, body):
    if c.three or c.outer:
        return
    bad = c.draw.chance(0.5)
    c.source.trap("writes the output by another name" + (" over itself" if bad else ""), bad)
    flat = c.draw.chance(0.5)
    c.pre.append("target = pypto.reshape(out, [H, M, N], inplace=True)" if flat else c.draw.pick(["target = out", "target = [out][0]"]))
    place = "0" if bad else f"{c.e}"
    c.stores = ([f"pypto.assemble(pypto.reshape({body.y}, [1, M, N]), [{place}, 0, 0], target)"] if flat else
                [f"pypto.assemble({body.y}, [({place}) * M, 0], target)"])


# -- carried values ----------------------------------------------------------------------------------------------------
def carried_tensor(c, body):
    if c.three:
        return
    c.source.trap("carried tensor", True)
    c.pre.append(f"acc = pypto.full([M, N], 0.0, {_dt(c)})")
    style = c.draw.pick([f"acc = acc + {body.y}", f"acc += {body.y}", f"acc = pypto.add({body.y}, acc)", f"acc, last = acc + {body.y}, acc",
                         f"acc = (lambda p, q: p + q)(acc, {body.y})", f"acc = {body.y} + acc * 0.5", f"acc = acc.add({body.y})"])
    c.tail.append(style)
    if c.draw.chance(0.5):
        c.tail.append(f"{body.y} = {body.y} + acc * 0.01")
    _aux(c, "total", "[M, N]")
    c.post.append("pypto.assemble(acc, [0, 0], total)")


def carried_in_trip_only(c, body):
    """Reads the trip before, is never read after the loop."""
    if c.three:
        return
    c.source.trap("value of the trip before", True)
    c.pre.append(f"prev = pypto.full([M, N], 1.0, {_dt(c)})")
    c.tail += [f"mixed = {body.y} + prev * 0.5", f"prev = {body.y}", f"{body.y} = mixed"]


def accumulator(c, body):
    """A buffer that every trip adds to."""
    c.source.trap("accumulates into a buffer", True)
    where = c.draw.pick(["buffer", "parameter"])
    _aux(c, "total", "[M, N]")
    acc = "total"
    if where == "buffer":
        acc = "acc"
        c.pre.append(f"acc = pypto.full([M, N], 0.0, {_dt(c)})")
        c.post.append(c.draw.pick(["pypto.assemble(acc, [0, 0], total)", "total[0:, 0:] = acc"]))
    style = [f"{acc}[0:, 0:] = {acc} + {body.y}", f"{acc}[0:M, 0:N] = {acc}[0:M, 0:N] + {body.y}", f"pypto.assemble({acc} + {body.y}, [0, 0], {acc})"]
    if where == "buffer":
        style += [f"{acc}[:] = {acc} + {body.y}", f"{acc}.move({acc} + {body.y})", f"pypto.axpy_({acc}, {body.y})"]
    c.tail.append(c.draw.pick(style))


def carried_int(c, body):
    if c.three or c.outer:
        return
    c.source.trap("carried number", True)
    kind = c.draw.between(0, 6)
    if kind == 0:
        c.pre.append("pos = 0")
        c.after_store.append(c.draw.pick(["pos += M", "pos = pos + M"]))
        c.stores = [f"pypto.assemble({body.y}, [pos, 0], out)"]
    elif kind == 1:
        c.pre.append("begin, end = 0, 0")
        c.head += ["begin = end", "end = end + M"]
        c.stores = [f"pypto.assemble({body.y}, [begin, 0], out)"]
    elif kind == 2:
        c.pre.append("scale = 1.0")
        c.tail += [f"{body.y} = {body.y} * scale", "scale = scale * 0.9"]
    elif kind == 3:
        c.pre.append("flip = False")
        c.tail += [f"{body.y} = {body.y} * (2.0 if flip else 1.0)", "flip = not flip"]
    elif kind == 4:
        c.pre.append("pos = 0")
        c.stores = [f"pypto.assemble({body.y}, [(pos := pos + M) - M, 0], out)"]
    elif kind == 5:
        c.pre.append("a_, b_ = 1.0, 2.0")
        c.tail += [f"{body.y} = {body.y} * a_", "a_, b_ = b_, a_"]
    else:
        c.pre += ["first = True"]
        c.tail += ["if first:", f"    {body.y} = {body.y} * 3.0", "    first = False"]


def carried_in_container(c, body):
    """A count that lives in an object."""
    if c.three or c.outer:
        return
    c.source.trap("carried in an object", True)
    kind = c.draw.between(0, 9)
    if kind == 0:
        c.pre.append("state = {'pos': 0}")
        place, step = "state['pos']", "state['pos'] += M"
    elif kind == 1:
        c.imports.append("from types import SimpleNamespace")
        c.pre.append("state = SimpleNamespace(pos=0)")
        place, step = "state.pos", c.draw.pick(["state.pos += M", "state.pos = state.pos + M", "setattr(state, 'pos', state.pos + M)"])
    elif kind == 2:
        c.pre.append("state = [0]")
        place, step = "state[0]", c.draw.pick(["state[0] += M", "state[:] = [state[0] + M]", "state.insert(0, state[0] + M)", "state[0:1] = [state[0] + M]"])
    elif kind == 3:
        c.pre.append("places = iter(range(0, H * M, M))")
        place, step = "next(places)", "pass"
    elif kind == 4:
        c.imports.append("import itertools")
        c.pre.append("places = itertools.count(0, M)")
        place, step = "next(places)", "pass"
    elif kind == 5:
        c.pre.append("places = list(range(0, H * M, M))")
        place, step = "places.pop(0)", "pass"
    elif kind == 6:
        c.pre += ["state = [0]", "alias = state"]
        place, step = "state[0]", "alias[0] += M"
    elif kind == 7:
        c.module.append("\n\ndef advance(box):\n    box[0] += M\n    return box[0] - M\n")
        c.pre.append("state = [0]")
        place, step = "advance(state)", "pass"
    elif kind == 8:
        c.module.append("POS = 0\n\n\ndef advance():\n    global POS\n    POS += M\n    return POS - M\n")
        c.module.append("\n\ndef rewind():\n    global POS\n    POS = 0\n")
        c.pre.append("rewind()")
        place, step = "advance()", "pass"
    else:
        c.module.append("\n\nclass Cursor:\n    def __init__(self):\n        self.pos = 0\n\n    def take(self):\n        self.pos += M\n        return self.pos - M\n")
        c.pre.append("cursor = Cursor()")
        place, step = "cursor.take()", "pass"
    c.head.append(f"place = {place}")
    c.stores = [f"pypto.assemble({body.y}, [place, 0], out)"]
    if step != "pass":
        c.after_store.append(step)


def closure_count(c, body):
    if c.three or c.outer:
        return
    c.source.trap("carried in a default or a closure", True)
    c.module.append(c.draw.pick(["\n\ndef place_of(box=[]):\n    box.append(0)\n    return (len(box) - 1) % H * M\n",
                                 "\n\ndef counter():\n    n = -M\n\n    def step():\n        nonlocal n\n        n += M\n        return n % (H * M)\n\n    return step\n\n\nplace_of = counter()\n",
                                 "\n\ndef places():\n    while True:\n        yield from range(0, H * M, M)\n\n\nwalk = places()\n\n\ndef place_of():\n    return next(walk)\n"]))
    c.stores = [f"pypto.assemble({body.y}, [place_of(), 0], out)"]


# -- Python lists ------------------------------------------------------------------------------------------------------
def list_append(c, body):
    if c.three:
        return
    c.source.trap("list of results", True)
    c.pre.append("parts = []")
    c.tail.append(c.draw.pick([f"parts.append({body.y})", f"parts += [{body.y}]", f"parts = parts + [{body.y}]", f"parts.extend([{body.y}])",
                               f"parts[len(parts):] = [{body.y}]", f"parts.insert(0, {body.y})"]))
    _aux(c, "total", "[M, N]")
    c.post += ["whole = parts[0]", "for part in parts[1:]:", "    whole = whole + part", "pypto.assemble(whole, [0, 0], total)"]


def list_index(c, body):
    c.source.trap("list index", True)
    e = f"({c.e})"
    kind = c.draw.between(0, 6)
    if kind == 0:
        c.pre.append("scales = [0.5 + 0.25 * (k % 3) for k in range(H)]")
        use = f"scales[{e}]"
    elif kind == 1:
        c.module.append(f"SCALES = tuple(0.5 + k for k in range({c.H}))")
        use = f"SCALES[{e}]"
    elif kind == 2:
        c.pre.append("scales = {k: 1.0 + k for k in range(H)}")
        use = c.draw.pick([f"scales[{e}]", f"scales.get({e}, 1.0)"])
    elif kind == 3:
        c.pre.append("scales = [1.5] * H")  # all the same, but a list all the same
        use = f"scales[{e}]"
    elif kind == 4:
        use = f"[0.5, 2.0][{e} % 2]"
    elif kind == 5:
        use = f"float({e})"
    else:
        use = c.draw.pick([f"({e} + 1.0)", f"{e} * 0.5", f"{e} / 2", f"2.0 ** -{e}", f"0.5 * {e}", f"{e}"])
    c.tail.append(f"{body.y} = {body.y} * {use}")


def index_in_condition(c, body):
    c.source.trap("condition on the index", True)
    e, y = f"({c.e})", body.y
    styles = [[f"if {e} % 2 == 0:", f"    {y} = {y} * 2.0"], [f"if {e} < 3:", f"    {y} = {y} + 1.0", "else:", f"    {y} = {y} - 1.0"],
              [f"{y} = {y} * (2.0 if {e} == 1 else 1.0)"], [f"{y} = {y} if {e} else {y} * 2.0"], [f"if not {e}:", f"    {y} = {y} * 3.0"],
              [f"factor = {e} > 2 and 2.0 or 1.0", f"{y} = {y} * factor"], [f"if {e} in (1, 2):", f"    {y} = {y} * 3.0"],
              [f"{y} = {y} * (1.0 + ({e} == 4))"], [f"match {e}:", "    case 3:", f"        {y} = {y} * 2.0", "    case _:", "        pass"],
              [f"if bool({e} % 3):", f"    {y} = {y} * 2.0"], [f"while {e} % 2 == 1:", f"    {y} = {y} * 2.0", "    break"],
              [f"last = {e} == H - 1", "if last:", f"    {y} = {y} * 2.0"], [f"{y} = ({y}, {y} * 2.0)[{e} % 2]"],
              [f"kind = 'even' if {e} & 1 == 0 else 'odd'", "if kind == 'odd':", f"    {y} = {y} * 2.0"]]
    c.tail += c.draw.pick(styles)


def index_in_assert(c, body):
    c.source.trap("assertion on the index")
    c.head.append(c.draw.pick([f"assert ({c.e}) >= 0", f"assert ({c.e}) < H, 'too many heads'", f"assert isinstance({c.var}, int)" if c.header.plain else "assert H"]))


def index_in_shape(c, body):
    if c.three or c.outer:
        return
    c.source.trap("index in a shape", True)
    e = f"({c.e})"
    style = c.draw.pick([f"pypto.view(x, [{e} + 1, {{cols}}], [0, 0])", f"x[0:{e} + 1, :]", f"pypto.view(x, [M * H - {e}, {{cols}}], [0, 0])", f"x[{e}:, :]"])
    cols = "D" if c.matmuls else "N"
    line = f"grown = pypto.sum({style.format(cols=cols)}, 0, True)"
    c.head.append(line)
    c.head.append(f"grown = pypto.sum(grown, 1, True) * 0.001")
    c.tail.append(f"{body.y} = {body.y} + grown")


def triangle(c, body):
    """An inner loop as long as the index."""
    c.source.trap("inner range of the index", True)
    c.tail += [f"for k in range(({c.e}) % 4):", f"    {body.y} = {body.y} + 1.0"]


def index_in_tile(c, body):
    c.source.trap("index in a tile", True)
    c.head.append(c.draw.pick([f"pypto.set_vec_tile_shapes(8 + 8 * (({c.e}) % 2), 32)", f"pypto.set_vec_tile_shapes(1, ({c.e}) * 8 + 8, 32)"]))


def index_in_text(c, body):
    c.source.trap("index in a name", True)
    kind = c.draw.between(0, 4)
    if kind == 0:
        c.tail += [f'buf = pypto.tensor([M, N], {_dt(c)}, f"buf_{{{c.var}}}")' if c.header.form != "while" else f'buf = pypto.tensor([M, N], {_dt(c)}, "buf_" + str({c.var}))',
                   f"buf[0:, 0:] = {body.y}", f"{body.y} = buf + 0.0"]
    elif kind == 1:
        c.tail += [f'buf = pypto.tensor([M, N], {_dt(c)}, "buf_%d" % ({c.e}))', f"pypto.assemble({body.y}, [0, 0], buf)", f"{body.y} = buf * 1.0"]
    elif kind == 2:
        c.head.append(f"print('head', {c.var})")
    elif kind == 3:
        c.tail += [f'buf = pypto.tensor([M, N], {_dt(c)}, "buf_{{}}".format({c.var}))', f"pypto.assemble({body.y}, [0, 0], buf)", f"{body.y} = buf * 1.0"]
    else:
        c.pre.append("seen = {}")
        c.tail.append(c.draw.pick([f"seen[({c.e})] = {body.y}", f"seen[f'head{{{c.var}}}'] = {body.y}", f"seen.setdefault({c.e}, {body.y})"]))
        if not c.three:
            _aux(c, "kept", "[M, N]")
            c.post.append("pypto.assemble(list(seen.values())[-1], [0, 0], kept)")


# -- control flow ------------------------------------------------------------------------------------------------------
def leaves_early(c, body):
    c.source.trap("break or continue", True)
    if c.header.form == "while":
        return
    e = f"({c.e})"
    kind = c.draw.between(0, 3)
    if kind == 0:
        c.tail += [f"if {e} == H - 3:", "    break"]
    elif kind == 1:
        c.tail += [f"if {e} % 7 == 6:", "    continue"]
    elif kind == 2:
        c.after_store.append("continue")
    else:
        c.tail += [f"if {e} == H - 2:", "    return"]


def inner_break(c, body):
    c.source.trap("break of an inner loop")
    c.tail += ["for k in range(5):", "    if k == 2:", "        break", f"    {body.y} = {body.y} + 1.0"]


def used_after(c, body):
    if c.three or c.outer:
        return
    c.source.trap("read after the loop", True)
    _aux(c, "kept", "[M, N]")
    kind = c.draw.between(0, 6)
    if kind == 0:
        c.post.append(f"pypto.assemble({body.y}, [0, 0], kept)")
    elif kind == 1:
        c.post.append(f"pypto.assemble(pypto.view(out, [M, N], [({c.e}) % H * M, 0]), [0, 0], kept)")
    elif kind == 2:
        c.post += [f"rest = H - ({c.e}) % H", f"kept[0:, 0:] = pypto.full([M, N], float(rest), {_dt(c)})"]
    elif kind == 3:
        c.tail.append("marker = 3.0")
        c.post.append(f"kept[0:, 0:] = pypto.full([M, N], marker, {_dt(c)})")
    elif kind == 4:
        c.pre.append("marker = 1.0")
        c.tail.append("marker = 3.0")
        c.post += ["for k in range(2):", "    marker = marker + 1.0", f"kept[0:, 0:] = pypto.full([M, N], marker, {_dt(c)})"]
    elif kind == 5:
        c.post.append(f"pick = lambda: {body.y}")
        c.post.append("pypto.assemble(pick(), [0, 0], kept)")
    else:
        c.post += [f"del {body.y}", f"kept[0:, 0:] = pypto.full([M, N], 2.0, {_dt(c)})"]


def late_closure(c, body):
    if c.three or c.outer:
        return
    c.source.trap("closure over the index", True)
    _aux(c, "kept", "[M, N]")
    c.pre.append("later = []")
    c.tail.append(c.draw.pick([f"later.append(lambda: {c.var})", f"later.append(lambda k={c.var}: k)", f"later = [lambda: {c.var}]"]))
    c.post.append(f"kept[0:, 0:] = pypto.full([M, N], float(later[-1]()), {_dt(c)})")


def rebound_after(c, body):
    """Names of the loop get another value before they are read: legal."""
    if c.three or c.outer:
        return
    c.source.trap("bound again after the loop")
    _aux(c, "kept", "[M, N]")
    c.post += [f"{body.y} = pypto.view(out, [M, N], [0, 0]) if False else pypto.full([M, N], 2.0, {_dt(c)})",
               f"pypto.assemble({body.y}, [0, 0], kept)"]


# -- tiles -------------------------------------------------------------------------------------------------------------
def tile_inside(c, body):
    """A tile set in the body; the code after the loop runs under it."""
    if c.three or c.outer:
        return
    needed = c.draw.chance(0.6)
    c.source.trap("tile of the body used after" if needed else "tile of the body", needed)
    where = c.draw.pick([c.head, c.tail])
    where.append(c.draw.pick(["pypto.set_vec_tile_shapes(8, 16)", "pypto.set_vec_tile_shapes(16, 16)", "pypto.set_vec_tile_shapes(*(8, 16))"]))
    if needed:
        _aux(c, "kept", "[M, N]")
        c.post.append(f"kept[0:, 0:] = pypto.full([M, N], 2.0, {_dt(c)})")
    elif c.draw.chance(0.5):
        _aux(c, "kept", "[M, N]")
        c.post += ["pypto.set_vec_tile_shapes(16, 16)", f"kept[0:, 0:] = pypto.full([M, N], 2.0, {_dt(c)})"]


def cube_tile_inside(c, body):
    if c.three or c.outer or not c.matmuls:
        return
    c.source.trap("cube tile of the body used after", True)
    c.head.append("pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])")
    _aux(c, "kept", "[M, N]")
    width = "D" if c.weight_rows == "shared" else "D"
    c.post.append(f"pypto.assemble(pypto.matmul(pypto.view(x, [M, D], [0, 0]), pypto.view(w, [{width}, N], [0, 0]), {_dt(c)}), [0, 0], kept)")


def option_inside(c, body):
    c.source.trap("option of the body")
    c.head.append(c.draw.pick(["pypto.set_pass_options(sg_set_scope=1)", "pypto.set_options(pass_options={'sg_set_scope': 2})", "pypto.set_semantic_label('head')"]))
    if c.draw.chance(0.5):
        c.after_store.append("pypto.set_pass_options(sg_set_scope=-1)")


# -- names -------------------------------------------------------------------------------------------------------------
def taken_names(c, body):
    c.source.trap("names that are taken")
    if c.three:
        return
    _aux(c, "more", "[4 * M, N]")
    name = c.draw.pick(["LOOP_H", "LOOP_HEAD", "LOOP_I", "LOOP", "h", "L", "LOOP_" + c.var.upper()])
    idx = c.draw.pick(["h_idx", "head_idx", "i_idx", "h", "idx", c.var + "_idx"])
    loop_var = c.draw.pick(["k", "m", "u"])
    lines = [c.draw.pick([f'for {loop_var} in pypto.loop(4, name="{name}", idx_name="{idx}"):', f"for {loop_var} in pypto.loop(0, 4, 1, name='{name}', idx_name='{idx}'):"]),
             f"    pypto.assemble(pypto.full([M, N], 1.0, {_dt(c)}), [{loop_var} * M, 0], more)"]
    if c.draw.chance(0.5):
        c.pre += lines
    else:
        c.post += lines
    if c.draw.chance(0.3):
        c.module.append("LOOP_H = 'LOOP_H'")
    if c.draw.chance(0.3) and c.var != "h_idx":
        c.pre.append("h_idx = 3")
        c.post.append(f"pypto.assemble(pypto.full([M, N], float(h_idx), {_dt(c)}), [0, 0], more)")


def shadowed_names(c, body):
    kind = c.draw.between(0, 3)
    if kind == 0:
        c.source.trap("range is something else", True)
        c.imports.append("import builtins")
        c.module.append("\n\ndef range(*a):\n    return [k for k in builtins.range(*a)][::-1][::-1]\n")
    elif kind == 1:
        c.source.trap("pypto under another name")
        c.imports.append("import pypto as pp")
    elif kind == 2:
        c.source.trap("loop is a variable")
        c.imports.append("from pypto import loop")
    else:
        c.source.trap("legacy frontend")
        c.jit = "(new_ir=False)"


def two_loops(c, body):
    """A second loop that writes, or reads, what the first one wrote."""
    if c.three or c.outer:
        return
    reads = c.draw.chance(0.6)
    c.source.trap("second loop reads the first one's output" if reads else "second loop writes the same")
    c.source.second = True
    dt = _dt(c)
    v = c.draw.pick([c.var if c.var.isidentifier() else "k", "k"])
    source = "out" if reads else "x" if not c.matmuls else None
    load = f"pypto.view({source}, [M, N], [{v} * M, 0])" if source else f"pypto.full([M, N], 1.5, {dt})"
    c.post += [f"for {v} in range(H):", f"    again = {load}"]
    c.post += [f"    again = again {c.draw.pick(['* 0.5', '+ 1.0', '- again * 0.5'])}" for _ in range(c.draw.between(0, 30))]
    place = c.draw.pick(["second", "out"])
    if place == "second":
        _aux(c, "second", "[H * M, N]")
    c.post.append(f"    pypto.assemble(again, [{v} * M, 0], {place})")


def scratch(c, body):
    """A buffer of the kernel, filled block by block and read by each trip or after."""
    if c.three or c.outer:
        return
    later = c.draw.chance(0.5)
    kind = c.draw.pick(["[H * M, N]", "[M, N]"])
    c.source.trap("scratch buffer" + (" read later" if later else "") + (" of one block" if kind == "[M, N]" else ""), kind == "[M, N]")
    c.pre.append(f"scratch = pypto.{c.draw.pick(['tensor', 'Tensor'])}({kind}, {_dt(c)})")
    place = f"({c.e}) * M" if kind != "[M, N]" else "0"
    c.tail += [f"pypto.assemble({body.y}, [{place}, 0], scratch)", f"{body.y} = pypto.view(scratch, [M, N], [{place}, 0]) * 1.0"]
    if later:
        _aux(c, "kept", "[M, N]")
        c.post.append("pypto.assemble(pypto.view(scratch, [M, N], [0, 0]) * 2.0, [0, 0], kept)")


def local_buffer(c, body):
    """A buffer made anew by each trip."""
    c.source.trap("buffer of the trip")
    kind = c.draw.pick(["inside", "helper"])
    if kind == "helper":
        c.module.append(f"\n\ndef make_buffer(rows):\n    return pypto.tensor([rows, N], {_dt(c)}, 'own')\n")
        c.tail.append("own = make_buffer(M)")
    else:
        c.tail.append(f"own = pypto.tensor([M, N], {_dt(c)})")
    c.tail += [c.draw.pick([f"own[0:, 0:] = {body.y}", f"pypto.assemble({body.y}, [0, 0], own)", f"own[:] = {body.y} * 1.0"]), f"{body.y} = own + 1.0"]


def helper_body(c, body):
    """A part of the trip in a function."""
    c.source.trap("helper in the body")
    kind = c.draw.between(0, 4)
    if kind == 0:
        c.module.append("\n\ndef finish(t, scale=2.0):\n    return t * scale\n")
        c.tail.append(f"{body.y} = finish({body.y})")
    elif kind == 1:
        c.module.append("\n\ndef finish(t):\n    if t.shape[0] > 4:\n        return t * 2.0\n    return t\n")
        c.tail.append(f"{body.y} = finish({body.y})")
    elif kind == 2:
        c.pre.append("finish = lambda t, s: t * s")
        c.tail.append(f"{body.y} = finish({body.y}, 0.5)")
    elif kind == 3:
        c.source.trap("helper that keeps", True)
        c.module.append("LOG = []\n\n\ndef finish(t):\n    LOG.append(1)\n    return t * float(1 + len(LOG) % 2)\n")
        c.pre.append("LOG.clear()")
        c.tail.append(f"{body.y} = finish({body.y})")
    else:
        c.source.trap("helper that takes the index", True)
        c.module.append("\n\ndef finish(t, k):\n    return t * (2.0 if k % 2 else 1.0)\n")
        c.tail.append(f"{body.y} = finish({body.y}, {c.e})")


def element_read(c, body):
    """A place or a number that is read from a tensor at run time."""
    if c.three or c.outer:
        return
    kind = c.draw.between(0, 1)
    c.extra.append(("table", "[H], pypto.DT_INT32", "torch.arange(H, dtype=torch.int32)"))
    if kind == 0:
        c.source.trap("block table")
        cols = "D" if c.matmuls else "N"
        c.head.append(f"page = table[{c.e}]")
        c.head.append(f"paged = pypto.view(x, [M, {cols}], [page * M, 0])")
        c.tail.append(f"{body.y} = {body.y} + pypto.sum(paged, 1, True)")
    else:
        c.source.trap("place from a table", True)
        c.stores = [f"pypto.assemble({body.y}, [table[{c.e}] * M, 0], out)"]


def dropped_input(c, body):
    c.source.trap("deletes names")
    c.after_store.append(f"del {body.y}")


def annotated(c, body):
    c.source.trap("annotated names")
    c.head.append("count: int = 2")
    c.tail.append(f"{body.y} = {body.y} * float(count)")


def comprehension_inside(c, body):
    c.source.trap("comprehension in the body")
    c.tail += [f"pieces = [pypto.view({body.y}, [M // 2, N], [k * (M // 2), 0]) for k in range(2)]", f"{body.y} = pypto.concat(pieces, 0)"]


def index_bits(c, body):
    """Arithmetic that a device index rounds another way, or does not have."""
    if c.three or c.outer:
        return
    e = f"({c.e})"
    c.source.trap("index arithmetic")
    c.rows_pad = c.M * 2
    place = c.draw.pick([f"({e} - 1) // 2 * 2 + {e} * 0 + 2", f"({e} - 4) % 8", f"{e} << 2", f"{e} >> 1", f"{e} & 7", f"{e} | 1", f"{e} ^ 3", f"~{e} + 5 + {e}", f"-({e} // -2)",
                         f"{e} // -3 + {e}", f"-{e} % 8", f"int({e} / 2)", f"int({e} * 0.5)", f"({e} - 3) // 2 + 2", f"pow({e}, 1)", f"{e} ** 1", f"divmod({e} - 3, 4)[1]",
                         f"max({e} - 5, 0)", f"min({e}, 5)", f"abs({e} - 5)", f"(0, 8)[{e} > 4]", f"len(range({e}))",
                         f"5 - {e} % 5", f"({e} - H) // 4 % 4", f"{e}.__index__()", f"int(str({e}))", f"hash({e}) % 4", f"sum(range({e} % 3))"])
    cols = "D" if c.matmuls else "N"
    c.head.append(f"shifted = pypto.view(x, [1, {cols}], [{place}, 0])")
    c.tail.append(f"{body.y} = {body.y} + pypto.sum(shifted, 1, True)")


def scalar_element(c, body):
    """A single element, read or written at a place of its own."""
    if c.three or c.outer:
        return
    c.source.trap("element store")
    c.extra.append(("marks", "[H, 8], pypto.DT_INT32", "torch.zeros(H, 8, dtype=torch.int32)"))
    c.after_store.append(c.draw.pick([f"marks[{c.e}, 0] = 7", f"marks[({c.e}) % 4, 1] = {c.e}", f"marks[{c.e}, 2] = {c.e}", f"marks[-1, 0] = {c.e}", f"marks[{c.e} - H, 3] = 1"]))


TRAPS = [value for name, value in list(globals().items())
         if callable(value) and not name.startswith("_") and getattr(value, "__module__", None) == __name__]
