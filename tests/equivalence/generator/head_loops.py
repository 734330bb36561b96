"""Kernels with a Python loop over heads that is heavy enough for PTO201, with traps."""
from . import loop_headers, loop_traps
from .layout import Source

TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT8": "int8", "DT_INT32": "int32"}
_UNARY = ["pypto.abs({a})", "pypto.relu({a})", "pypto.neg({a})", "{a} * 0.5", "{a} + 1.0", "{a} - 0.25", "pypto.mul({a}, 0.75)",
          "pypto.add({a}, 0.5)", "{a}.abs()", "-{a}", "{a} / 4.0", "1.0 - {a}", "pypto.minimum({a}, {a} * 0.5)"]
_BINARY = ["{a} + {b}", "{a} - {b}", "{a} * {b}", "pypto.add({a}, {b})", "pypto.sub({a}, {b})", "pypto.mul({a}, {b})",
           "pypto.maximum({a}, {b})", "{a}.add({b})"]


class Context:
    """What the parts of one kernel share while it is put together."""

    def __init__(self, draw):
        self.draw = draw
        self.source = Source()
        self.H = draw.pick([25, 32, 40, 40, 64, 64, 100])
        self.M = draw.pick([8, 16])
        self.D = draw.pick([16, 32])
        self.N = draw.pick([16, 32])
        self.dtype = draw.pick(["DT_FP32"] * 3 + ["DT_BF16", "DT_FP16"])
        self.three = draw.chance(0.3)  # [H, M, D] instead of [H * M, D]
        self.matmuls = draw.pick([0, 1, 1, 1, 2])
        self.outer = draw.pick([None] * 8 + ["device", "range"])  # a loop around the heads
        self.B = 2 if self.outer else 1
        self.rows_pad = 0  # extra rows in out, in front
        self.pre, self.head, self.tail, self.post = [], [], [], []  # lines: before, first and last in the body, after
        self.module = []  # lines before the kernel
        self.extra = []  # parameters: (name, annotation, input expression)
        self.imports = []
        self.jit = ""
        self.count = 0
        self.stores = None
        self.after_store = []
        self.final_tile = False
        names = ["h"] * 6 + ["head", "i", "h_idx", "head_idx", "_h", "n", "头", "idx", "LOOP_H", "hIdx", "j"]
        self.var = draw.pick(names)
        self.header = loop_headers.choose(self)
        self.e = self.header.index  # an expression for the head's number, in terms of the loop's names
        self.literal_sizes = draw.chance(0.3)

    def fresh(self, stem="t"):
        self.count += 1
        return f"{stem}{self.count}"

    def size(self, name):
        return str(getattr(self, name)) if self.literal_sizes else name

    def head_number(self):
        """The number of the block of rows: with a loop around the heads, that of all blocks."""
        e = self.e if self.e.isidentifier() else f"({self.e})"
        return f"(b * {self.size('H')} + {self.e})" if self.outer else e

    def row(self, shift=0):
        """Where this trip's rows begin."""
        draw, M, e = self.draw, self.size("M"), self.head_number()
        plain = [f"{e} * {M}"] * 6
        if not shift:
            plain += [f"{M} * {e}", f"({e} + 1) * {M} - {M}", f"{e} * ({M} // 2) * 2", f"{e} * {M} + 0", f"0 + {e} * {M}"]
            if self.header.plain and not self.outer and draw.chance(0.1):
                H = self.size("H")
                odd = [f"({e} % {H}) * {M}", f"({e} // 1) * {M}", f"(({e} * 2 + 1) // 2) * {M}", f"(({e} - {H}) % {H}) * {M}",
                       f"(({e} - {H}) // 1 + {H}) * {M}", f"min({e}, {H} - 1) * {M}", f"max({e}, 0) * {M}", f"int({e}) * {M}",
                       f"abs({e}) * {M}", f"round({e} * {M})", f"-(-{e}) * {M}", f"int({e} * {float(self.M)})",
                       f"(({e} - 7) // 2 * 2 + ({e} - 7) % 2 + 7) * {M}", f"divmod({e}, 1)[0] * {M}", f"({e} or 0) * {M}",
                       f"{e} * {M} if {e} else 0", f"sum([{e}] * {M})", f"[k * {M} for k in range({H})][{e}]"]
                self.source.trap("odd offset")
                return draw.pick(odd)
            return draw.pick(plain)
        return f"{e} * {M} + {shift}" if not isinstance(shift, str) else f"{e} * {M} + ({shift})"


def generate(draw):
    c = Context(draw)
    body = _body(c)
    _choose_traps(c, body)
    return _assemble(c, body)


def _choose_traps(c, body):
    if c.draw.chance(0.3):
        return
    for trap in c.draw.random.sample(loop_traps.TRAPS, c.draw.pick([1, 1, 1, 2])):
        trap(c, body)


class Body:
    """The middle of the loop: loads, products, vector work, the store. `y` names the [M, N] result."""

    def __init__(self):
        self.lines = []
        self.y = None
        self.offset = None


def _load(c, name, tensor, columns):
    """Lines that take this trip's [M, columns] out of a parameter."""
    draw, M, cols = c.draw, c.size("M"), c.size(columns)
    e = c.head_number()
    if c.three:
        shape = f"[{M}, {cols}]"
        styles = [f"{name} = pypto.reshape(pypto.view({tensor}, [1, {M}, {cols}], [{e}, 0, 0]), {shape})",
                  f"{name} = pypto.reshape({tensor}[{e}:{e} + 1, :, :], {shape})",
                  f"{name} = {tensor}[{e}]", f"{name} = {tensor}[{e}, :, :]",
                  f"{name} = pypto.view({tensor}, [1, {M}, {cols}], [{e}, 0, 0]).reshape({shape})"]
        return [draw.pick(styles)]
    row = c.row()
    styles = [f"{name} = pypto.view({tensor}, [{M}, {cols}], [{row}, 0])",
              f"{name} = {tensor}[{row}:{row} + {M}, :]", f"{name} = {tensor}[{row}:{row} + {M}, 0:{cols}]",
              f"{name} = pypto.view({tensor}, shape=[{M}, {cols}], offsets=[{row}, 0])",
              f"{name} = {tensor}.view([{M}, {cols}], [{row}, 0])"]
    if c.header.plain and not c.outer:
        styles.append(f"{name} = {tensor}[{c.e} * {M}:({c.e} + 1) * {M}]")
    return [draw.pick(styles)]


def _body(c):
    draw, body = c.draw, Body()
    dt = f"pypto.{c.dtype}"
    lines = body.lines
    if draw.chance(0.5):
        body.offset = draw.pick(["off", "row", "start", "h_off"])
        lines.append(f"{body.offset} = {c.row()}")
    if c.matmuls:
        a = draw.pick(["xh", "q", "block", "a"])
        lines += _load(c, a, "x", "D")
        y = draw.pick(["s", "y", "prod"])
        if draw.chance(0.3):  # a weight of its own for each head
            weight = draw.pick(["wh", "kh"])
            D, N, e = c.size("D"), c.size("N"), c.head_number()
            lines.append(draw.pick([f"{weight} = pypto.view(w, [{D}, {N}], [{e} * {D}, 0])", f"{weight} = w[{e} * {D}:({e} + 1) * {D}, :]"]))
            c.weight_rows = "per head"
        else:
            weight, c.weight_rows = "w", "shared"
        lines.append(f"{y} = pypto.matmul({a}, {weight}, {dt})")
        if c.matmuls == 2:
            c.extra.append(("w2", f"[N, N], {dt}", f"torch.ones(N, N, dtype=torch.{TORCH[c.dtype]})"))
            lines.append(f"{y} = pypto.matmul({y}, w2, {dt})")
    else:
        y = draw.pick(["y", "v", "tile"])
        c.weight_rows = None
        lines += _load(c, y, "x", "N")
    # Vector work until the loop is heavy.
    trips = c.H * (2 if c.outer == "range" else 1)
    target = draw.pick([1050, 1100, 1300, 1800]) if draw.chance(0.93) else 400
    nodes = trips and -(-target // trips) - 10 * c.matmuls - len(lines)
    live = [y]
    for _ in range(max(1, min(nodes, 60))):
        made = draw.pick([y, y, c.fresh()])
        kind = draw.random.random()
        if kind < 0.45:
            text = draw.pick(_UNARY).format(a=draw.pick(live[-2:]))
        elif kind < 0.85:
            text = draw.pick(_BINARY).format(a=draw.pick(live[-3:]), b=draw.pick(live))
        elif kind < 0.93:
            a = draw.pick(live[-2:])
            text = draw.pick(["{a} - pypto.amax({a}, -1, True)", "{a} * pypto.sum({a}, -1, keepdim=True)", "pypto.add({a}, pypto.amin({a}, -1, True))",
                              "pypto.sub({a}, pypto.amax({a}, 0, True))"]).format(a=a)
        else:
            a = draw.pick(live[-2:])
            other = "DT_FP16" if c.dtype == "DT_FP32" else "DT_FP32"
            text = f"pypto.cast(pypto.cast({a}, pypto.{other}), {dt})"
        lines.append(f"{made} = {text}")
        if made not in live:
            live.append(made)
    result = live[-1] if draw.chance(0.5) else y
    lines.append(f"y_out = pypto.maximum(pypto.minimum({result}, 1000.0), -1000.0)" if c.dtype == "DT_FP32" else f"y_out = {result} * 1.0")
    body.y = "y_out"
    return body


def _store(c, body):
    draw, M, N, e = c.draw, c.size("M"), c.size("N"), c.head_number()
    if c.stores is not None:
        return c.stores
    y = body.y
    if c.three:
        return [draw.pick([f"pypto.assemble(pypto.reshape({y}, [1, {M}, {N}]), [{e}, 0, 0], out)", f"out[{e}] = {y}", f"out[{e}, :, :] = {y}",
                           f"out[{e}:{e} + 1, :, :] = pypto.reshape({y}, [1, {M}, {N}])", f"out[{e}, 0:, 0:] = {y}"])]
    pad = f" + {c.rows_pad}" if c.rows_pad else ""
    row = (body.offset if body.offset and draw.chance(0.7) else c.row()) + pad
    return [draw.pick([f"pypto.assemble({y}, [{row}, 0], out)", f"out[{row}:{row} + {M}, :] = {y}", f"out[{row}:, 0:] = {y}",
                       f"out.assemble({y}, [{row}, 0])", f"out[{row}:{row} + {M}] = {y}", f"pypto.assemble([({y}, [{row}, 0])], out)"])]


def _assemble(c, body):
    draw, s = c.draw, c.source
    dt = f"pypto.{c.dtype}"
    store = _store(c, body)
    helper = draw.chance(0.15) and not c.outer and c.header.form == "for"
    factory = not helper and draw.chance(0.1)
    s.add(0, "import torch\nimport pypto")
    for line in c.imports:
        s.add(0, line)
    s.add(0, "")
    constants = {"H": c.H, "M": c.M, "D": c.D, "N": c.N}
    for name, value in constants.items():
        if not (factory and name == "H"):
            s.add(0, f"{name} = {value}")
    if c.header.module:
        s.add(0, c.header.module)
    for line in c.module:
        s.add(0, line)
    s.add(0, "\n")
    rows = f"B * H * M + {c.rows_pad}" if c.outer else (f"H * M + {c.rows_pad}" if c.rows_pad else "H * M")
    blocks = "B * H" if c.outer else "H"
    if c.outer:
        s.add(0, f"B = {c.B}\n")
    x_cols = "D" if c.matmuls else "N"
    dynamic = draw.chance(0.1) and not c.three
    parameters = []
    shape = f"[{blocks}, M, {x_cols}]" if c.three else f"[{rows}, {x_cols}]"
    declared = shape if not dynamic else f"[pypto.DYNAMIC, {x_cols}]"
    parameters.append(("x", f"{declared}, {dt}", f"torch.ones({shape[1:-1]}, dtype=torch.{TORCH[c.dtype]})"))
    if c.matmuls:
        wrows = f"{blocks} * D" if c.weight_rows == "per head" else "D"
        parameters.append(("w", f"[{wrows}, N], {dt}", f"torch.ones({wrows}, N, dtype=torch.{TORCH[c.dtype]})"))
    parameters += c.extra
    out_shape = f"[{blocks}, M, N]" if c.three else f"[{rows}, N]"
    parameters.append(("out", f"{out_shape}, {dt}", f"torch.ones({out_shape[1:-1]}, dtype=torch.{TORCH[c.dtype]})"))
    names = [name for name, *_ in parameters]
    loop = _loop_lines(c, body, store)
    tiles = ["pypto.set_cube_tile_shapes([16, 16], [16, 32], [16, 32])"] if c.matmuls else []
    tiles.append(draw.pick(["pypto.set_vec_tile_shapes(16, 32)", "pypto.set_vec_tile_shapes(8, N)", "pypto.set_vec_tile_shapes(1, 16, 32)"]))
    if helper:
        s.trap("loop in a helper")
        if draw.chance(0.3):
            s.add(0, "@pypto.frontend.function")
        s.add(0, f"def run_heads({', '.join(names)}):")
        for line in c.pre + loop + c.post:
            s.add(1, line)
        c.pre, c.post = [], []
        s.add(0, "\n")
        loop = [f"run_heads({', '.join(names)})"]
        if draw.chance(0.3):
            loop *= 2
            s.trap("helper called twice")
    depth = 0
    if factory:
        s.trap("factory")
        s.add(0, "def make(H):")
        depth = 1
    s.add(depth, f"@pypto.frontend.jit{c.jit if c.jit else draw.pick(['', '', '()'])}")
    style = draw.pick(["call", "call", "index"])
    s.add(depth, "def kernel(")
    for name, annotation, _ in parameters:
        text = f"pypto.Tensor({annotation})" if style == "call" else f"pypto.Tensor[{annotation}]"
        s.add(depth + 1, f"{name}: {text}," if annotation else f"{name},")
    s.add(depth, "):")
    for line in tiles + c.pre:
        s.add(depth + 1, line)
    extra = 0
    if c.outer == "device":
        s.add(depth + 1, draw.pick(['for b in pypto.loop(B, name="LOOP_B", idx_name="b_idx"):', 'for b in pypto.loop(0, B, 1, name="LOOP_H", idx_name="h_idx"):',
                                    'for b in pypto.loop(B):']))
        extra = 1
    elif c.outer == "range":
        s.add(depth + 1, "for b in range(B):")
        extra = 1
    for line in loop:
        s.add(depth + 1 + extra, line)
    for line in c.post:
        s.add(depth + 1, line)
    if factory:
        s.add(depth + 1, "")
        s.add(1, "return kernel")
        s.add(0, f"\n\nkernel = make({c.H})")
        s.add(0, f"H = {c.H}")
    s.add(0, "\n")
    s.add(0, "def inputs():")
    s.add(1, "return [" + ", ".join(expression for *_, expression in parameters) + "]")
    return s


def _loop_lines(c, body, store):
    lines = c.header.before + [c.header.text]
    inside = c.header.first + c.head + body.lines + c.tail + store + c.after_store + c.header.last
    draw = c.draw
    simple = all(not line.startswith((" ", "if ", "for ", "while ", "else", "with ", "try", "def ", "elif ", "@")) and not line.endswith(":") for line in inside)
    if simple and draw.chance(0.04) and c.header.form != "nested":
        return c.header.before + [c.header.text + " " + "; ".join(inside)] + c.header.behind
    if simple and draw.chance(0.08) and c.header.form == "for" and not any(w in " ".join(inside).split() for w in ("break", "continue", "return", "global")):
        c.source.trap("with or try in the body")
        inside = [draw.pick(["with pypto.options('heads'):", "try:", "if True:"])] + ["    " + line for line in inside]
        if inside[0] == "try:":
            inside += ["finally:", "    pass"]
    indent = "        " if c.header.form == "nested" else "    "
    return lines + [indent + line for line in inside] + c.header.behind
