"""Batched matmuls over heads whose result meets a vector tile that spans all heads (PTO104)."""
from .layout import Source

_TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16"}


def generate(draw):
    s = Source()
    H = draw.pick([96, 128, 64, 100, 130, 33, 50])
    M = draw.pick([2, 4, 8, 16])
    N = draw.pick([128, 256, 512])
    while H * M * N > 600_000:
        H, N = (H, N // 2) if N > 128 else (H // 2, N)
    K = draw.pick([16, 32])
    dt = draw.pick(["DT_FP32", "DT_BF16", "DT_FP16"])
    out_dt = draw.pick([dt, "DT_FP32"])
    literal = draw.chance(0.5)
    sizes = {"H": H, "M": M, "K": K, "N": N}
    size = {key: str(value) if literal else key for key, value in sizes.items()}
    h, m, k, n = (size[key] for key in "HMKN")
    s.trap(f"heads {H}")
    flat = draw.chance(0.25)  # 2-D parameters that are reshaped
    module, pre, body, post = [], [], [], []
    parameters = []
    t = _TORCH
    if flat:
        parameters += [("q", f"[{h} * {m}, {k}]", dt), ("w", f"[{h} * {k}, {n}]", dt)]
        pre += [f"q3 = pypto.reshape(q, [{h}, {m}, {k}]{draw.pick(['', ', inplace=True'])})", f"w3 = pypto.reshape(w, [{h}, {k}, {n}])"]
        a, b = "q3", "w3"
    else:
        parameters += [("q", f"[{h}, {m}, {k}]", dt), ("w", f"[{h}, {k}, {n}]", dt)]
        a, b = "q", "w"
    trans = ""
    if not flat and draw.chance(0.2):
        parameters[1] = ("w", f"[{h}, {n}, {k}]", dt)
        trans = ", b_trans=True"
    shared = not flat and not trans and draw.chance(0.1)
    if shared:  # one weight for all heads
        parameters[1] = ("w", f"[1, {k}, {n}]", dt)
        s.trap("one weight for all heads")
    if draw.chance(0.15):
        body.append(f"{a} = {a} * 0.5" if False else f"qs = pypto.mul({a}, 0.5)")
        a = "qs"
        s.trap("operand is computed")
    y = "scores"
    body.append(f"{y} = pypto.matmul({a}, {b}, pypto.{out_dt}{trans})")
    outputs = [("out", f"[{h}, {m}, {n}]", out_dt)]
    final = y
    for step in range(draw.between(0, 4)):
        kind = draw.between(0, 11)
        name = draw.pick([final, f"v{step}"])
        if kind <= 2:
            text = draw.pick([f"{final} * 0.5", f"pypto.abs({final})", f"{final} + 1.0", f"pypto.add({final}, {final})", f"-{final}"])
        elif kind == 3:
            text = draw.pick([f"{final} - pypto.amax({final}, -1, True)", f"{final} * pypto.sum({final}, 2, True)", f"{final} - pypto.amax({final}, 1, True)"])
        elif kind == 4:
            s.trap("reduces over heads")
            text = f"{final} - pypto.sum({final}, 0, True) * 0.01"
        elif kind == 5:
            parameters.append((f"bias{step}", f"[{h}, {m}, {n}]", out_dt))
            text = f"{final} + bias{step}"
        elif kind == 6:
            parameters.append((f"bias{step}", draw.pick([f"[1, {m}, {n}]", f"[{h}, 1, {n}]", f"[{h}, {m}, 1]", f"[1, 1, {n}]"]), out_dt))
            text = draw.pick([f"{final} * bias{step}", f"pypto.add({final}, bias{step})", f"bias{step} + {final}"])
        elif kind == 7:
            s.trap("result goes out twice")
            outputs.append((f"also{step}", f"[{h}, {m}, {n}]", out_dt))
            body.append(f"pypto.assemble({final}, [0, 0, 0], also{step})")
            continue
        elif kind == 8:
            s.trap("part of the heads")
            outputs.append((f"part{step}", f"[4, {m}, {n}]", out_dt))
            body.append(f"part{step}[0:, 0:, 0:] = pypto.view({final}, [4, {m}, {n}], [{draw.pick([0, 3])}, 0, 0]) * 2.0")
            continue
        elif kind == 9:
            s.trap("heads moved")
            outputs.append((f"moved{step}", f"[{m}, {h}, {n}]", out_dt))
            body.append(f"pypto.assemble(pypto.transpose({final}, 0, 1), [0, 0, 0], moved{step})")
            continue
        elif kind == 10:
            text = f"pypto.cast(pypto.cast({final}, pypto.{'DT_FP16' if out_dt != 'DT_FP16' else 'DT_FP32'}), pypto.{out_dt})"
        else:
            text = f"pypto.maximum({final}, {y})"
        body.append(f"{name} = {text}")
        final = name
    store = draw.between(0, 6)
    if store == 0:
        body.append(f"pypto.assemble({final}, [0, 0, 0], out)")
    elif store == 1:
        body.append(f"out[0:, 0:, 0:] = {final}")
    elif store == 2:
        body.append(f"out[:] = {final}")
    elif store == 3:
        body.append(f"out.move({final})")
    elif store == 4:
        outputs[0] = ("out", f"[{h} * {m}, {n}]", out_dt)
        body.append(draw.pick([f"pypto.assemble(pypto.reshape({final}, [{h} * {m}, {n}]), [0, 0], out)", f"out[:] = pypto.reshape({final}, [{h} * {m}, {n}])"]))
    elif store == 5:
        outputs[0] = ("out", f"[{h} + 2, {m}, {n}]", out_dt)
        body.append(f"pypto.assemble({final}, [2, 0, 0], out)")
    else:
        body.append(f"pypto.assemble({final} * 1.0, [0, 0, 0], out)")
    # A second matmul on the result, or the result used after a second tile.
    extra = draw.between(0, 9)
    if extra == 0:
        s.trap("second matmul")
        parameters.append(("w2", f"[{h}, {n}, 16]", out_dt))
        outputs.append(("out2", f"[{h}, {m}, 16]", out_dt))
        body.append(f"pypto.assemble(pypto.matmul({final}, w2, pypto.{out_dt}), [0, 0, 0], out2)")
    elif extra == 1:
        s.trap("small tile later")
        outputs.append(("out2", f"[{h}, {m}, {n}]", out_dt))
        body += [f"pypto.set_vec_tile_shapes(4, {m}, {n})", f"pypto.assemble({final} * 2.0, [0, 0, 0], out2)"]
    elif extra == 2:
        s.trap("reads its output")
        body.append(f"again = pypto.view(out, [1, {m if store != 4 else 1}, {n}], [0, 0, 0]) * 2.0" if store != 4 else f"again = pypto.view(out, [1, {n}], [0, 0]) * 2.0")
    tile = draw.pick([f"pypto.set_vec_tile_shapes({h}, {m}, {n})"] * 3 + [f"pypto.set_vec_tile_shapes(*[{h}, {m}, {n}])", "pypto.set_vec_tile_shapes(*TILE)", f"pypto.set_vec_tile_shapes({h}, {m}, 128)"])
    names = "g group head scores out2".split()
    where = draw.between(0, 6)
    s.add(0, "import torch\nimport pypto\n")
    for key, value in sizes.items():
        s.add(0, f"{key} = {value}")
    s.add(0, "TILE = (H, M, N)\n\n")
    all_ = parameters + outputs
    plain = ", ".join(p for p, *_ in all_)
    lines = [tile] + pre + body
    if where == 0:
        s.trap("in a helper")
        s.add(0, f"def attend({plain}):")
        for line in lines:
            s.add(1, line)
        s.add(0, "\n")
        lines = [f"attend({plain})"]
    elif where == 1 and not flat:
        s.trap("in a device loop")
        lines = ['for b in pypto.loop(1, name="LOOP_B", idx_name="b_idx"):'] + ["    " + line for line in lines]
    elif where == 2 and not pre:
        s.trap("on one line")
        lines = ["; ".join(lines)]
    elif where == 3:
        s.trap("in a branch")
        lines = [f"if {draw.pick(['H > 1', 'q.shape[0] > 1', 'True'])}:"] + ["    " + line for line in lines]
    s.add(0, "@pypto.frontend.jit\ndef kernel(")
    for name, shape, dtype in all_:
        s.add(1, f"{name}: pypto.Tensor({shape}, pypto.{dtype}),")
    s.add(0, "):")
    s.add(1, "pypto.set_cube_tile_shapes([16, 16], [16, 16], [128, 128])")
    for line in lines:
        s.add(1, line)
    for name in draw.some(names, 1):
        if all(name != p for p, *_ in all_) and draw.chance(0.3):
            s.add(1, f"{name} = 0")
    s.add(0, "\n\ndef inputs():")
    s.add(1, "return [")
    for name, shape, dtype in all_:
        s.add(2, f"torch.ones({shape[1:-1]}, dtype=torch.{t[dtype]}),")
    s.add(1, "]")
    return s
