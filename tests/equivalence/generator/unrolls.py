"""Device loops with unroll lists that jump (PTO202), written in many places, and stitch options beside them (PTO205)."""
from .layout import Source

_LISTS = ["[128, 1]", "[128]", "[64, 1]", "[32]", "[64, 2]", "[256, 8]", "(128, 1)", "{64, 1}", "[1, 128]", "[128, 128, 1]", "[64, 32, 1]", "[512, 16, 1]", "[16, 1]", "[128, 64, 16, 1]",
          "[2 ** 7, 1]", "[8 * 16, 1]", "[100, 3]", "[ 128 , 1 ]", "[128, 1,]"]


def generate(draw):
    s = Source()
    rows, columns = draw.pick([64, 130, 256, 300]), 32
    value = draw.pick(_LISTS)
    kind = draw.between(0, 13)
    module, before, use, extra = [], [], "LEVELS", None
    names = {0: "literal", 1: "constant", 2: "shared constant", 3: "dataclass", 4: "constant used for sizes", 5: "local", 6: "options", 7: "joined", 8: "argument", 9: "two kernels",
             10: "mutated", 11: "chosen", 12: "copied", 13: "constructor"}
    s.trap(f"{names[kind]} {value}")
    second = ""
    if kind == 0:
        use = value
    elif kind == 1:
        module = [f"LEVELS = {value}"]
    elif kind == 2:
        module = [f"LEVELS = {value}"]
        second = "loop_unroll" if draw.chance(0.5) else "loop"
    elif kind == 3:
        module = ["from dataclasses import dataclass, field\n\n\n@dataclass\nclass Config:\n    rows: int = 1\n    levels: tuple = " + value.replace("[", "(").replace("]", ",)").replace(",,", ",").replace(", ,", ",").replace("{", "(").replace("}", ")") + "\n\n\nCFG = Config()"]
        use = "CFG.levels"
    elif kind == 4:
        module = [f"LEVELS = {value.replace('{', '[').replace('}', ']')}"]
        extra = draw.pick(["float(len(LEVELS))", "float(LEVELS[0])", "float(sum(LEVELS))", "float(max(LEVELS))", "float(LEVELS[-1])", "1.0 if 64 in LEVELS else 2.0", "float(LEVELS[0] // LEVELS[-1])",
                           "float(len(LEVELS[1:]))", "float(len([*LEVELS]))", "1.0 if LEVELS == [128, 1] else 3.0"])
    elif kind == 5:
        before = [f"LEVELS = {value}"]
    elif kind == 6:
        before = [f"options = dict(unroll_list={value})" if draw.chance(0.5) else f"options = {{'unroll_list': {value}}}"]
        use = None
    elif kind == 7:
        module = ["BIG = [128]"]
        use = draw.pick(["BIG + [1]", "[*BIG, 1]", "list(BIG)", "BIG[:]", "sorted(BIG)", "[k for k in BIG]", "BIG * 1", "[BIG[0], 1]", "tuple(BIG)"])
        extra = draw.pick([None, "float(BIG[0])"])
    elif kind == 8:
        module = ["\n\ndef rows_loop(x, out, levels):", f'    for b in pypto.loop({rows}, name="LOOP_B", idx_name="b_idx", unroll_list=levels):', f"        pypto.assemble(pypto.view(x, [1, {columns}], [b, 0]) * 2.0, [b, 0], out)"]
        use = value
    elif kind == 9:
        module = [f"LEVELS = {value}"]
    elif kind == 10:
        before = [f"LEVELS = {value.replace('{', '[').replace('}', ']').replace('(', '[').replace(')', ']')}", draw.pick(["LEVELS.append(2)", "LEVELS[0] = 64", "LEVELS = LEVELS + [4]", "LEVELS.sort()", "LEVELS.clear()"])]
    elif kind == 11:
        use = draw.pick([f"{value} if x.shape[0] > 1 else [1]", f"[1] if x.shape[0] > 1 else {value}", f"({value}, [4])[0]", f"{value} or None"])
    elif kind == 12:
        module = [f"BASE = {value}", "LEVELS = BASE"]
        extra = draw.pick([None, "float(len(BASE))", "float(len(LEVELS))"])
    else:
        module = ["\n\nclass Config:\n    def __init__(self, levels, scale):\n        self.levels = levels\n        self.scale = scale", f"\n\nCFG = Config({value}, 2.0)"]
        use = "CFG.levels"
    options = ""
    if draw.chance(0.35):
        number = draw.pick(["128", "256", "STITCH", "8", "1024"])
        if number == "STITCH":
            module.append("STITCH = 128")
            if draw.chance(0.5) and extra is None:
                extra = "float(STITCH)"
        form = draw.between(0, 2)
        if form == 0:
            options = f"(runtime_options={{'stitch_function_max_num': {number}}})"
        elif form == 1:
            module.append(f"OPTIONS = {{'stitch_function_max_num': {number}, 'device_sched_mode': 1}}")
            options = "(runtime_options=OPTIONS)"
            if draw.chance(0.4):
                extra = "float(OPTIONS['stitch_function_max_num'])"
        else:
            module.append(f"OPTIONS = dict(runtime_options=dict(stitch_function_max_num={number}))")
            options = "(**OPTIONS)"
    s.add(0, "import torch\nimport pypto")
    for line in module:
        s.add(0, line)
    work = [f"y = {draw.pick(['y * 1.5', 'y + 0.5', 'pypto.abs(y)', 'pypto.add(y, y)', 'y - 0.25'])}" for _ in range(draw.between(0, 6))]
    matmul = draw.chance(0.4)
    factor = extra or "1.5"

    def kernel(name, levels, factor):
        s.add(0, f"\n\n@pypto.frontend.jit{options}")
        s.add(0, f"def {name}(x: pypto.Tensor([{rows}, {columns}], pypto.DT_FP32), w: pypto.Tensor([{columns}, {columns}], pypto.DT_FP32), out: pypto.Tensor([{rows}, {columns}], pypto.DT_FP32)):")
        s.add(1, "pypto.set_vec_tile_shapes(1, 32)\npypto.set_cube_tile_shapes([16, 16], [32, 32], [32, 32])")
        for line in before:
            s.add(1, line)
        if kind == 8:
            s.add(1, f"rows_loop(x, out, {levels})")
            return
        given = "**options" if levels is None else f"unroll_list={levels}"
        s.add(1, draw.pick([f'for b in pypto.loop({rows}, name="LOOP_B", idx_name="b_idx", {given}):', f'for b in pypto.loop(0, {rows}, 1, {given}):']))
        s.add(2, f"y = pypto.view(x, [1, {columns}], [b, 0])")
        if matmul:
            s.add(2, "y = pypto.matmul(y, w, pypto.DT_FP32)")
        for line in work:
            s.add(2, line)
        s.add(2, f"y = y * {factor}")
        s.add(2, "pypto.assemble(y, [b, 0], out)")
        if second:
            target = "b" if second == "loop" else "b, t"
            s.add(1, f'for {target} in pypto.{second}(0, {rows}, 1, name="LOOP_C", idx_name="c_idx", {given}):')
            if second == "loop":
                s.add(2, f"x[b:b + 1, 0:] = pypto.view(x, [1, {columns}], [b, 0]) + 1.0")
            else:
                s.add(2, f"x[b:b + 1, 0:] = pypto.full([1, {columns}], 1.0, pypto.DT_FP32)")

    kernel("kernel", use, factor)
    if kind == 9:
        kernel("kernel_again", use, "2.0")
        s.add(0, "\n\ndef check(seed):")
        s.add(1, "g = torch.Generator().manual_seed(seed)")
        s.add(1, f"x, w, out = torch.randn({rows}, {columns}, generator=g), torch.randn({columns}, {columns}, generator=g), torch.zeros({rows}, {columns})")
        s.add(1, "kernel(x, w, out)\nagain = torch.zeros_like(out)\nkernel_again(out, w, again)\nreturn [out, again]")
    else:
        s.add(0, "\n\ndef inputs():")
        s.add(1, f"return [torch.ones({rows}, {columns}), torch.ones({columns}, {columns}), torch.ones({rows}, {columns})]")
    return s
