"""Kernels that cast a weight in every trip of a device loop (PTO207), and the host code that calls them."""
from .layout import Source

TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT8": "int8", "DT_INT32": "int32", "DT_INT16": "int16", "DT_UINT8": "uint8"}
# Of each chain: the weight's own type, then what it is cast to.
_CHAINS = [["DT_INT8", "DT_FP16", "DT_FP32"], ["DT_INT8", "DT_FP16"], ["DT_INT8", "DT_FP16", "DT_FP32", "DT_BF16"], ["DT_FP32", "DT_BF16"], ["DT_FP32", "DT_FP16"],
           ["DT_FP16", "DT_FP32"], ["DT_BF16", "DT_FP32"], ["DT_FP16", "DT_FP32", "DT_BF16"], ["DT_INT32", "DT_FP32"], ["DT_INT16", "DT_FP32"],
           ["DT_UINT8", "DT_FP16"], ["DT_FP32", "DT_BF16", "DT_FP32"], ["DT_INT32", "DT_FP16"]]
_K, _N, _M = 1024, 1040, 16


def _value(dtype, rows, columns, small=False):
    if dtype in ("DT_INT8", "DT_UINT8"):
        return f"torch.ones({rows}, {columns}).to(torch.{TORCH[dtype]})"
    if dtype in ("DT_INT32", "DT_INT16"):
        high = 2000 if small else 30000 if dtype == "DT_INT16" else 20_000_000
        return f"(torch.arange({rows} * {columns}) % {high}).reshape({rows}, {columns}).to(torch.{TORCH[dtype]})"
    return f"torch.ones({rows}, {columns}, dtype=torch.{TORCH[dtype]})"


class Kernel:
    def __init__(self, draw):
        self.draw, self.source = draw, Source()
        self.chain = draw.pick(_CHAINS)
        self.weight = draw.pick(["w", "weight", "w_dq", "gate_w", "权重", "w_int8", "x_w"])
        self.target = self.chain[-1]
        self.trips = draw.pick([2, 3])
        self.body, self.pre, self.outputs, self.parameters = [], [], [], []
        self.module = []
        self.result = f"pypto.{self.target}" if self.target != "DT_FP32" else "pypto.DT_FP32"


def generate(draw):
    k = Kernel(draw)
    _parameters(k)
    final = _casts(k)
    _use(k, final)
    _write(k)
    return k.source


def _parameters(k):
    draw, dt = k.draw, k.chain[0]
    shape = f"[{_K}, {_N}]"
    unknown = draw.chance(0.2)
    if unknown:
        shape = draw.pick([f"[pypto.DYNAMIC, {_N}]", f"[{_K}, pypto.DYNAMIC]"])
    style = draw.pick(["call"] * 4 + ["index", "bare", "none", "alias", "keyword"])
    annotation = {"call": f": pypto.Tensor({shape}, pypto.{dt})", "index": f": pypto.Tensor[{shape}, pypto.{dt}]", "bare": f": pypto.Tensor({shape})",
                  "none": "", "alias": ": Weight", "keyword": f": pypto.Tensor({shape}, dtype=pypto.{dt})"}[style]
    if style == "alias":
        k.module.append(f"Weight = pypto.Tensor({shape}, pypto.{dt})")
    k.unknown = unknown
    k.parameters = [(k.weight, annotation, _value(dt, _K, _N, "DT_FP16" in k.chain)),
                    ("x", f": pypto.Tensor([{_M * k.trips}, {_K}], pypto.{k.target})", f"torch.ones({_M * k.trips}, {_K}, dtype=torch.{TORCH[k.target]})"),
                    ("out", f": pypto.Tensor([{_M * k.trips}, {_N}], pypto.{k.target})", f"torch.ones({_M * k.trips}, {_N}, dtype=torch.{TORCH[k.target]})")]
    if draw.chance(0.3):
        draw.random.shuffle(k.parameters)


def _cast(k, value, to):
    draw = k.draw
    mode = ""
    if draw.chance(0.12):
        choice = draw.pick(["CAST_RINT", "CAST_NONE", "CAST_ROUND", "CAST_TRUNC", "CAST_FLOOR"])
        mode = draw.pick([f", mode=pypto.CastMode.{choice}", f", pypto.CastMode.{choice}"])
        k.source.trap("mode " + choice)
    elif draw.chance(0.05):
        mode = f", satmode=pypto.SaturationMode.{draw.pick(['ON', 'OFF'])}"
        k.source.trap("satmode")
    return draw.pick([f"pypto.cast({value}, pypto.{to}{mode})"] * 3 + [f"pypto.cast(input={value}, dtype=pypto.{to}{mode})" if "=" in mode or not mode else f"pypto.cast({value}, pypto.{to}{mode})"])


def _casts(k):
    """Lines that cast the weight; gives the name or expression of the casted weight."""
    draw, steps = k.draw, k.chain[1:]
    value = k.weight
    if draw.chance(0.12):
        k.source.trap("another name for the weight")
        k.body.append(f"alias = {value}") if draw.chance(0.5) else k.pre.append(f"alias = {value}")
        value = "alias"
    where = k.body
    if draw.chance(0.1):
        k.source.trap("slice of the weight")
        value_slice = draw.pick([f"pypto.view({value}, [{_K}, {_N}], [0, 0])"] + ([] if k.unknown else [f"{value}[0:{_K}, :]", f"{value}[:, 0:{_N}]"]))
        k.body.append(f"part = {value_slice}")
        value = "part"
    elif draw.chance(0.06):
        k.source.trap("slice moved by the loop")
        k.body.append(f"part = pypto.view({value}, [{_K}, {_N}], [b * 0, 0])")
        value = "part"
    style = draw.between(0, 7)
    if style <= 2:
        for number, to in enumerate(steps):
            name = draw.pick([f"w{number}_", "w_cast", k.weight if draw.chance(0.2) else f"w_{to[3:].lower()}"])
            where.append(f"{name} = {_cast(k, value, to)}")
            if draw.chance(0.1):
                where[-1] += "; unused = 0"
            value = name
    elif style <= 4:
        for to in steps:
            value = _cast(k, value, to)
        if style == 3:
            where.append(f"w_full = {value}")
            value = "w_full"
    elif style == 5:
        k.source.trap("cast in a helper")
        k.module.append(f"\n\ndef widen(t):\n    return " + _nested(k, "t", steps))
        if draw.chance(0.4):
            k.source.trap("helper used elsewhere")
            k.module.append("\n\ndef other_use(t):\n    return widen(t)")
            k.pre.append(f"first_corner = other_use(pypto.view({k.weight}, [16, 16], [0, 0]))")
        where.append(f"w_full = widen({value})")
        value = "w_full"
    elif style == 6:
        k.source.trap("cast in a branch")
        where += [draw.pick(["if pypto.is_loop_begin(b):", "if b == 0:", "if b >= 0:", "if True:", "if x.shape[0] > 1:"]), f"    w_full = {_nested(k, value, steps)}", "else:",
                  f"    w_full = {_nested(k, value, steps)}"]
        value = "w_full"
    else:
        k.source.trap("tuple of casts")
        where.append(f"w_full, scale = {_nested(k, value, steps)}, 2.0")
        value = "w_full"
    if draw.chance(0.12):
        _other_uses(k, value)
    return value


def _nested(k, value, steps):
    for to in steps:
        value = _cast(k, value, to)
    return value


def _other_uses(k, value):
    draw, dt = k.draw, k.chain[0]
    kind = draw.between(0, 6)
    k.source.trap(f"other use {kind}")
    if kind == 0:  # the weight itself goes out
        k.parameters.append(("raw", f": pypto.Tensor([16, 16], pypto.{dt})", _value(dt, 16, 16)))
        k.pre.append(f"pypto.assemble(pypto.view({k.weight}, [16, 16], [0, 0]), [0, 0], raw)")
    elif kind == 1:
        k.parameters.append(("raw", f": pypto.Tensor([16, 16], pypto.{k.target})", _value(k.target, 16, 16)))
        k.body.append(f"raw[0:, 0:] = pypto.view({value}, [16, 16], [0, 0])")
    elif kind == 2:
        k.pre.append(draw.pick([f"own_type = {k.weight}.dtype", f"assert {k.weight}.dtype == pypto.{dt}", f"elements = {k.weight}.shape[0]", f"rank = {k.weight}.dim"]))
    elif kind == 3:
        k.parameters.append(("raw", f": pypto.Tensor([16, 16], pypto.{dt})", _value(dt, 16, 16)))
        k.pre.append(f"pypto.assemble(pypto.full([16, 16], 1, {k.weight}.dtype), [0, 0], raw)")
    elif kind == 4:  # another type, too
        other = "DT_FP32" if k.chain[1] != "DT_FP32" else "DT_FP16"
        k.parameters.append(("raw", f": pypto.Tensor([16, 16], pypto.{k.chain[1]})", _value(k.chain[1], 16, 16)))
        k.pre.append(f"raw[0:, 0:] = pypto.cast(pypto.view({k.weight}, [16, 16], [0, 0]), pypto.{k.chain[1]})")
    elif kind == 5 and dt.startswith("DT_FP"):  # the weight is written
        k.pre.append(f"pypto.assemble(pypto.full([16, 16], 3.0, pypto.{dt}), [0, 0], {k.weight})")
    elif kind == 6:
        k.pre.append(f"tail_ = pypto.cast({k.weight}, pypto.{k.chain[1]})")


def _use(k, value):
    draw = k.draw
    k.body.insert(0, f"tile = pypto.view(x, [{_M}, {_K}], [b * {_M}, 0])")
    k.body.append(f"y = pypto.matmul(tile, {value}, {k.result})")
    if draw.chance(0.3):
        k.body.append(draw.pick(["y = y * 0.5", "y = pypto.add(y, y)"]))
    k.body.append(draw.pick([f"pypto.assemble(y, [b * {_M}, 0], out)", f"out[b * {_M}:b * {_M} + {_M}, :] = y"]))


def _write(k):
    draw, s = k.draw, k.source
    host = draw.pick(["inputs"] * 3 + ["check"] * 4)
    s.add(0, draw.pick(["import torch\nimport pypto", "import pypto\nimport torch", "import torch\n\nimport pypto", "import torch as th\nimport torch\nimport pypto"]))
    for line in k.module:
        s.add(0, line)
    s.add(0, "\n")
    depth = 0
    factory = draw.chance(0.12)
    if factory:
        s.trap("kernel in a factory")
        s.add(0, "def make(rows):")
        depth = 1
    name = draw.pick(["kernel", "kernel", "project", "mlp_kernel"]) if host == "check" else "kernel"
    s.add(depth, draw.pick(["@pypto.frontend.jit", "@pypto.frontend.jit()", "@pypto.frontend.jit(runtime_options={'stitch_function_max_num': 128})"]))
    default = draw.chance(0.06) and host == "check"
    if draw.chance(0.6):
        s.add(depth, f"def {name}(")
        for parameter, annotation, _ in k.parameters:
            s.add(depth + 1, f"{parameter}{annotation},")
        if default:
            s.add(depth + 1, "scale=1.0,")
        s.add(depth, "):")
    else:
        s.add(depth, f"def {name}({', '.join(p + a for p, a, _ in k.parameters)}{', scale=1.0' if default else ''}):")
    if draw.chance(0.15):
        s.add(depth + 1, f'"""Casts {k.weight} and multiplies."""')
    s.add(depth + 1, "pypto.set_vec_tile_shapes(32, 256)\npypto.set_cube_tile_shapes([16, 16], [256, 256], [128, 128])")
    for line in k.pre:
        s.add(depth + 1, line)
    loop = draw.between(0, 4)
    if loop == 0:
        s.add(depth + 1, f'for b, factor in pypto.loop_unroll(0, {k.trips}, 1, name="LOOP_B", idx_name="b_idx", unroll_list=[2, 1]):')
    elif loop == 1:
        s.add(depth + 1, f'for b in pypto.loop({k.trips}, name="LOOP_B", idx_name="b_idx", unroll_list=[2, 1]):')
    elif loop == 2:
        s.add(depth + 1, f'for g in pypto.loop(1, name="LOOP_G", idx_name="g_idx"):')
        depth += 1
        s.add(depth + 1, f'for b in pypto.loop({k.trips}, name="LOOP_B", idx_name="b_idx"):')
    else:
        s.add(depth + 1, f'for b in pypto.loop({k.trips}, name="LOOP_B", idx_name="b_idx"):')
    for line in k.body:
        s.add(depth + 2, line)
    depth -= loop == 2
    if factory:
        s.add(1, "\n")
        s.add(1, f"return {name}")
        s.add(0, f"\n\n{name} = make({_M})")
    s.add(0, "\n")
    if host == "inputs":
        s.add(0, "def inputs():")
        s.add(1, "return [" + ", ".join(value for *_, value in k.parameters) + "]")
    else:
        _callers(k, name)


def _tensors(k):
    """Lines of check(): random tensors for the parameters."""
    lines = ["g = torch.Generator().manual_seed(seed)"]
    for parameter, annotation, value in k.parameters:
        own = value
        dtype = next(t for t in sorted(TORCH.values(), key=len, reverse=True) if f"torch.{t}" in value)
        shape = ("16, 16" if "(16, 16" in value or "16 * 16" in value else f"{_K}, {_N}" if parameter == k.weight else f"{_M * k.trips}, {_K if parameter == 'x' else _N}")
        if "int" in dtype:
            low, high = ("-2000", "2000") if "DT_FP16" in k.chain and dtype in ("int16", "int32") else ("-128", "128") if dtype == "int8" else ("0", "256") if dtype == "uint8" else ("-30000", "30000") if dtype == "int16" else ("-20000000", "20000000")
            own = f"torch.randint({low}, {high}, ({shape}), generator=g).to(torch.{dtype})"
        else:
            own = f"(torch.randn({shape}, generator=g) * 0.25).to(torch.{dtype})"
        lines.append(f"{parameter} = {own}")
    return lines


def _callers(k, name):
    """One or more host functions that call the kernel, and check(seed) over them."""
    draw, s, w = k.draw, k.source, k.weight
    names = [p for p, *_ in k.parameters]
    plain = ", ".join(names)
    kind = draw.pick(["direct", "wrapper", "wrapper", "star", "star", "keywords", "mixed", "two", "two wrappers", "asserts", "asserts", "partial", "table", "attribute",
                      "reread", "reused", "star twice", "splat dict", "method", "indented", "loop", "conditional", "early", "rebound name", "second module name",
                      "default", "walrus", "inner def"])
    s.trap("called: " + kind)
    body, outside = [], []
    call = f"run({plain})"
    if kind == "direct":
        call = f"{name}({plain})"
    elif kind == "wrapper":
        body = [f"{name}({plain})"]
    elif kind == "star":
        body = [draw.pick([f"inputs = [{plain}]", f"inputs = [\n    {(',' + chr(10) + '    ').join(names)},\n]", f"inputs = ({plain})", f"inputs = [{names[0]}] + [{', '.join(names[1:])}]"]), f"{name}(*inputs)"]
    elif kind == "star twice":
        body = [f"inputs = [{plain}]", "copy = inputs", f"{name}(*copy)", "assert inputs[0] is " + names[0]]
    elif kind == "keywords":
        shuffled = list(names)
        draw.random.shuffle(shuffled)
        body = [f"{name}({', '.join(f'{n}={n}' for n in shuffled)})"]
    elif kind == "mixed":
        cut = draw.between(1, len(names) - 1)
        body = [f"{name}({', '.join(names[:cut] + [f'{n}={n}' for n in names[cut:]])})"]
    elif kind == "two":
        body = [f"{name}({plain})", f"{name}({plain})"]
    elif kind == "two wrappers":
        body = [f"{name}({plain})"]
        outside = [f"\n\ndef run_again({plain}):\n    {name}({plain})"]
    elif kind == "asserts":
        check = draw.pick([f"assert {w}.dtype == torch.{TORCH[k.chain[0]]}", f"assert {w}.shape == ({_K}, {_N})", f"assert {w}.dtype == torch.{TORCH[k.chain[0]]}, 'dtype'", f"assert {w}.is_contiguous()"])
        body = draw.pick([[check, f"{name}({plain})"], [f"{name}({plain})", check], [f"if {w}.dtype != torch.{TORCH[k.chain[0]]}:", "    raise TypeError('weight')", f"{name}({plain})"]])
    elif kind == "partial":
        s.lines.insert(0, (0, "import functools"))
        body = [draw.pick([f"functools.partial({name}, {names[0]})({', '.join(names[1:])})", f"(lambda *a: {name}(*a))({plain})"])]
    elif kind == "table":
        outside = [f"\n\nKERNELS = {{'a': {name}}}"]
        body = [f"KERNELS['a']({plain})"]
    elif kind == "attribute":
        body = [f"{name}({plain})", draw.pick([f"assert {name}.__name__ == '{name}'", f"assert callable({name})"])]
    elif kind == "reread":  # the caller goes on with its weight
        body = [f"{name}({plain})", f"return {w}.to(torch.float32)[0:4, 0:4]"]
    elif kind == "reused":
        body = [f"before = {w}", f"{name}({plain})", f"assert before is {w}", f"return {w}.float().sum()"]
    elif kind == "splat dict":
        body = [f"named = dict({', '.join(f'{n}={n}' for n in names)})", f"{name}(**named)"]
    elif kind == "method":
        outside = [f"\n\nclass Layer:\n    def __init__(self, {w}):\n        self.{w} = {w}\n\n    def forward(self, {', '.join(n for n in names if n != w)}):\n        {name}({', '.join('self.' + n if n == w else n for n in names)})"]
        call = f"Layer({w}).forward({', '.join(n for n in names if n != w)})"
    elif kind == "indented":
        body = [f"if {w} is not None:", f"    {name}({plain})"]
    elif kind == "loop":
        body = ["for _ in range(2):", f"    {name}({plain})"]
    elif kind == "conditional":
        body = [f"{name}({plain}) if {w} is not None else None"]
    elif kind == "early":
        body = [f"{w} = {w}.contiguous()", f"{name}({plain})"]
    elif kind == "rebound name":
        outside = [f"\n\nlaunch = {name}"]
        body = [f"launch({plain})"]
    elif kind == "second module name":
        outside = [f"\n\ndef {name}_twice({plain}):\n    {name}({plain})\n    {name}({plain})"]
        body = [f"{name}_twice({plain})"]
    elif kind == "default":
        outside = [f"\n\ndef launch_({plain}, target={name}):\n    target({plain})"]
        body = [f"launch_({plain})"]
    elif kind == "walrus":
        body = [f"{name}({', '.join(f'(t := {n})' if n == w else n for n in names)})", "return t.float()[0:2, 0:2]"]
    elif kind == "inner def":
        body = ["def go():", f"    {name}({plain})", "", "go()"]
    for line in outside:
        s.add(0, line)
    if body:
        s.add(0, f"\n\ndef run({plain}):")
        for line in body:
            s.add(1, line)
    s.add(0, "\n\ndef check(seed):")
    for line in _tensors(k):
        s.add(1, line)
    s.add(1, f"got = {call}")
    if kind == "two wrappers":
        s.add(1, f"run_again({plain})")
    s.add(1, f"return [t for t in [{plain}, got] if t is not None]")
