"""Random programs for differential.py: what Python does to names, lists, dicts, objects and control flow, mixed with what
only run time knows. A program is made from its seed alone, ends soon, and mostly without an error."""
import random

CLASSES = '''
class P:
    kind = 0
    shared = []
    def __init__(self, n, items=None):
        self.n = n
        self.items = items if items is not None else []
    def add(self, v):
        self.items.append(v)
        self.n += 1
        return self
    def total(self):
        return self.n + len(self.items)
    @property
    def twice(self): return self.n * 2
    @classmethod
    def make(cls, n):
        cls.kind += 1
        return cls(n, [n])
class Q(P):
    kind = 5
    def __init__(self, n):
        super().__init__(n, [0])
        self.extra = n - 1
    def total(self):
        return super().total() + self.extra
@dataclasses.dataclass
class R:
    n: int = 1
    items: list = dataclasses.field(default_factory=list)
    extra: int = 2
    def __post_init__(self): self.both = self.n + self.extra
'''


class Scope:
    """The variables of one function or of the module, by what they hold."""

    def __init__(self, outer=None):
        self.outer = outer
        self.ints, self.lists, self.dicts, self.texts, self.objects, self.functions = [], [], [], [], [], []

    def copy(self):
        other = Scope(self.outer)
        for kind in ("ints", "lists", "dicts", "texts", "objects", "functions"):
            setattr(other, kind, list(getattr(self, kind)))
        return other


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.names = 0
        self.budget = 60  # statements
        self.known_only = seed % 4 == 0  # nothing that only run time knows
        self.loops = 0
        self.in_function = False

    # ---- small things

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, p):
        return self.random.random() < p

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    # ---- expressions

    def int_(self, s, deep=2):
        r = self.random.random()
        if deep == 0 or r < 0.3:
            if s.ints and self.chance(0.65):
                return self.random.choice(s.ints)
            return str(self.pick(0, 1, 2, 3, 5, 7, 16, 64, -1, -3, 1000))
        if r < 0.5:
            op = self.pick("+", "-", "*", "//", "%", "&", "|", "^")
            right = self.int_(s, deep - 1)
            if op in ("//", "%"):
                right = str(self.pick(1, 2, 3, 7, -2, 16))
            return f"({self.int_(s, deep - 1)} {op} {right})"
        if r < 0.56:
            return f"({self.int_(s, deep - 1)} if {self.condition(s)} else {self.int_(s, deep - 1)})"
        if r < 0.62 and s.lists:
            return f"len({self.list_(s)})"
        if r < 0.72 and s.lists:
            x = self.random.choice(s.lists)
            return self.pick(f"({x}[{self.int_(s, 0)} % len({x})] if {x} else 9)", f"({x}[-1] if {x} else 8)",
                             f"sum({x})", f"max({x}, default=0)", f"{x}.count(1)")
        if r < 0.8 and s.dicts:
            d = self.random.choice(s.dicts)
            return self.pick(f"{d}.get({self.key(s)}, 0)", f"len({d})", f"sum({d}.values())", f"{d}.setdefault({self.key(s)}, 4)")
        if r < 0.87 and s.objects:
            o = self.random.choice(s.objects)
            return self.pick(f"{o}.n", f"{o}.total()", f"{o}.twice", f"len({o}.items)", f"{o}.kind")
        if r < 0.92 and s.functions:
            return self.call(s, deep)
        if r < 0.94:
            return f"({self.name('w')} := {self.int_(s, deep - 1)})"
        if r < 0.96:
            return self.pick("int(", "abs(", "-(") + self.int_(s, deep - 1) + ")"
        if not self.known_only:
            return "outside.number()"
        return f"min({self.int_(s, deep - 1)}, {self.int_(s, deep - 1)})"

    def call(self, s, deep=1):
        name, parameters = self.random.choice(s.functions)
        by_name = self.random.randrange(len(parameters) + 3)  # from here on by keyword
        given = []
        for i, p in enumerate(parameters):
            value = self.list_(s, 0) if p.startswith("l") else self.int_(s, max(0, deep - 1))
            given.append(f"{p}={value}" if i >= by_name else value)
        return f"{name}({', '.join(given)})"

    def key(self, s):
        return self.pick('"a"', '"b"', '"c"', "1", self.int_(s, 0))

    def condition(self, s):
        r = self.random.random()
        if r < 0.4 and not self.known_only:
            return self.pick("outside.flag()", "outside.flag()", "outside.number() > 2")
        if r < 0.7:
            return f"{self.int_(s, 1)} {self.pick('<', '>', '==', '!=', '<=')} {self.int_(s, 1)}"
        if r < 0.8 and s.lists:
            return self.pick(f"{self.int_(s, 0)} in {self.random.choice(s.lists)}", self.random.choice(s.lists))
        if r < 0.9 and s.dicts:
            return f"{self.key(s)} in {self.random.choice(s.dicts)}"
        return f"{self.pick('not ', '')}({self.int_(s, 0)} {self.pick('and', 'or')} {self.int_(s, 0)})"

    def list_(self, s, deep=1):
        r = self.random.random()
        if s.lists and (deep == 0 or r < 0.5):
            return self.random.choice(s.lists)
        if r < 0.6 or deep == 0:
            return "[" + ", ".join(self.int_(s, 0) for _ in range(self.random.randrange(4))) + "]"
        if r < 0.7:
            return f"[v + {self.int_(s, 0)} for v in {self.list_(s, deep - 1)}{self.pick('', ' if v % 2', ' if v > 1')}]"
        if r < 0.76 and s.lists:
            x = self.random.choice(s.lists)
            return f"{x}[{self.pick('', '1', '-2', self.int_(s, 0))}:{self.pick('', '2', '-1', '5')}{self.pick('', '', ':2', ':-1')}]"
        if r < 0.82:
            return self.pick(f"sorted({self.list_(s, 0)})", f"list(reversed({self.list_(s, 0)}))", f"list(map(lambda v: v * 2, {self.list_(s, 0)}))",
                             f"[*{self.list_(s, 0)}, {self.int_(s, 0)}]", f"{self.list_(s, 0)} + {self.list_(s, 0)}", f"list(range({self.pick(0, 2, 4)}))",
                             f"[a * b for a, b in zip({self.list_(s, 0)}, {self.list_(s, 0)})]", f"[i for i, _ in enumerate({self.list_(s, 0)})]")
        if r < 0.88 and s.objects:
            return f"{self.random.choice(s.objects)}.items"
        if r < 0.94 and len(s.lists) > 1:
            return f"({self.random.choice(s.lists)} if {self.condition(s)} else {self.random.choice(s.lists)})"
        if not self.known_only and s.lists:
            return f"outside.same({self.random.choice(s.lists)})"
        return f"list({self.list_(s, 0)})"

    # ---- statements

    def see(self, depth, s):
        shown = []
        for kind in (s.ints, s.lists, s.dicts, s.texts):
            if kind:
                shown += self.random.sample(kind, min(len(kind), 2))
        if s.objects:
            o = self.random.choice(s.objects)
            shown += [f"{o}.n", f"{o}.items", f"{o}.total()"]
        if s.lists:
            shown.append(f"len({self.random.choice(s.lists)})")
        # Numbers as they are now: lists are looked at when the program has ended.
        shown += [f"tuple({x})" for x in s.lists[:2]]
        if shown:
            self.emit(depth, f"see({', '.join(shown)})")

    def block(self, depth, s, size):
        inner = s.copy()
        begin = len(self.lines)
        for _ in range(size):
            self.statement(depth, inner)
        if len(self.lines) == begin:
            self.emit(depth, "pass")
        return inner

    def statement(self, depth, s):
        if self.budget <= 0 or depth > 5:
            return
        self.budget -= 1
        kinds = [self.assign] * 7 + [self.change_list] * 4 + [self.change_dict] * 3 + [self.change_object] * 2 + [self.alias] * 2
        kinds += [self.if_] * 4 + [self.for_] * 3 + [self.while_, self.try_, self.match_, self.delete, self.unpack, self.text, self.with_]
        if depth < 3:
            kinds += [self.function] * 2
        if not self.known_only:
            kinds += [self.to_outside]
        if self.in_function:
            kinds += [self.return_]
        if self.loops:
            kinds += [self.break_]
        self.random.choice(kinds)(depth, s)
        if self.chance(0.3):
            self.see(depth, s)

    def assign(self, depth, s):
        r = self.random.random()
        if r < 0.35 and s.ints:
            x = self.random.choice(s.ints)
            self.emit(depth, f"{x} {self.pick('=', '+=', '-=', '*=')} {self.int_(s)}" if self.chance(0.7) else f"{x} = {x} % 1000")
        elif r < 0.55:
            x = self.name("i")
            self.emit(depth, f"{x} = {self.int_(s)}")
            s.ints.append(x)
        elif r < 0.8:
            x = self.random.choice(s.lists) if s.lists and self.chance(0.4) else self.name("l")
            self.emit(depth, f"{x} = {self.list_(s)}")
            if x not in s.lists:
                s.lists.append(x)
        elif r < 0.92:
            x = self.random.choice(s.dicts) if s.dicts and self.chance(0.4) else self.name("d")
            items = ", ".join(f"{self.key(s)}: {self.int_(s, 0)}" for _ in range(self.random.randrange(3)))
            other = f"**{self.random.choice(s.dicts)}, " if s.dicts and self.chance(0.3) else ""
            self.emit(depth, f"{x} = {{{other}{items}}}" if self.chance(0.8) else f"{x} = {{v: v * 2 for v in {self.list_(s)}}}")
            if x not in s.dicts:
                s.dicts.append(x)
        else:
            x = self.name("o")
            self.emit(depth, f"{x} = {self.pick('P', 'Q', 'P.make')}({self.int_(s, 1)})")
            s.objects.append(x)

    def change_list(self, depth, s):
        if not s.lists:
            return
        x = self.random.choice(s.lists)
        self.emit(depth, self.pick(
            f"{x}.append({self.int_(s)})", f"{x}.append({self.int_(s)})", f"{x}.extend({self.list_(s)})", f"{x} += {self.list_(s)}",
            f"{x}.insert({self.int_(s, 0)}, {self.int_(s, 0)})", f"if {x}: {x}.pop({self.pick('', '0', '-1')})",
            f"if {x}: {x}[{self.int_(s, 0)} % len({x})] = {self.int_(s)}", f"{x}.sort()", f"{x}.reverse()", f"{x}[1:2] = {self.list_(s, 0)}",
            f"if {self.int_(s, 0)} in {x}: {x}.remove({x}[0])", f"if len({x}) > 2: del {x}[{self.pick('0', '-1', '1:', ':1')}]", f"{x} *= 2 if len({x}) < 4 else 1",
            f"del {x}[6:]", f"{x}.clear()" if self.chance(0.3) else f"{x}[:] = {x}[:6]"))

    def change_dict(self, depth, s):
        if not s.dicts:
            return
        d = self.random.choice(s.dicts)
        self.emit(depth, self.pick(
            f"{d}[{self.key(s)}] = {self.int_(s)}", f"{d}[{self.key(s)}] = {self.int_(s)}", f"{d}.update({{{self.key(s)}: {self.int_(s, 0)}}})",
            f"{d}.pop({self.key(s)}, None)", f"{d} |= {{{self.key(s)}: 3}}", f"if {self.key(s)} in {d}: {d}[{self.key(s)}] = 7",
            f"for k in list({d}): {d}[k] += 1", f"{d}.update(a={self.int_(s, 0)})", f"if len({d}) > 1: {d}.popitem()"))

    def change_object(self, depth, s):
        if not s.objects:
            return
        o = self.random.choice(s.objects)
        self.emit(depth, self.pick(f"{o}.n = {self.int_(s)}", f"{o}.n += {self.int_(s, 0)}", f"{o}.add({self.int_(s)})", f"{o}.items.append({self.int_(s, 0)})",
                                   f"{o}.items = {self.list_(s)}", f"P.kind = {self.int_(s, 0)}", f"{o}.kind = {self.int_(s, 0)}", f"{o}.shared.append({self.int_(s, 0)})",
                                   f"setattr({o}, 'n', {self.int_(s, 0)})", f"{o}.extra = {self.int_(s, 0)}"))

    def alias(self, depth, s):
        if s.lists and self.chance(0.6):
            x = self.random.choice(s.lists + [self.name("l")])
            self.emit(depth, f"{x} = {self.random.choice(s.lists)}")
            if x not in s.lists:
                s.lists.append(x)
        elif s.objects:
            x = self.random.choice(s.objects + [self.name("o")])
            y, z = self.random.choice(s.objects), self.random.choice(s.objects)
            self.emit(depth, self.pick(f"{x} = {y}", f"{x} = {y} if {self.condition(s)} else {z}"))
            if x not in s.objects:
                s.objects.append(x)

    def if_(self, depth, s):
        self.emit(depth, f"if {self.condition(s)}:")
        self.block(depth + 1, s, self.random.randrange(1, 4))
        while self.chance(0.2):
            self.emit(depth, f"elif {self.condition(s)}:")
            self.block(depth + 1, s, self.random.randrange(1, 3))
        if self.chance(0.5):
            self.emit(depth, "else:")
            self.block(depth + 1, s, self.random.randrange(1, 4))

    def for_(self, depth, s):
        if self.loops >= 2:
            return
        v = self.name("v")
        over = self.pick(f"range({self.pick(0, 1, 2, 3, 5)})", f"range({self.pick(0, 1)}, {self.pick(3, 6)}, {self.pick(1, 2)})", f"{self.list_(s)}[:4]",
                         "range(70)" if self.loops == 0 and self.chance(0.4) else "range(3)", '"ab"' if self.chance(0.1) else "(1, 2)")
        if not self.known_only and self.chance(0.3):
            over = self.pick("range(outside.number() % 4)", "outside.same([1, 2])", "range(abs(outside.number()) % 3 + 1)")
        self.emit(depth, f"for {v} in {over}:")
        inner = s.copy()
        if '"' not in over:
            inner.ints.append(v)
        self.loops += 1
        self.block(depth + 1, inner, self.random.randrange(1, 5))
        self.loops -= 1
        if self.chance(0.2):
            self.emit(depth, "else:")
            self.block(depth + 1, s, 1)

    def while_(self, depth, s):
        if self.loops >= 2:
            return
        c = self.name("c")
        self.emit(depth, f"{c} = 0")
        self.emit(depth, f"while {c} < {self.pick(1, 3, 80 if self.loops == 0 else 4)}{self.pick('', ' and ' + self.condition(s), ' or outside.flag()' if not self.known_only else '')}:")
        self.emit(depth + 1, f"{c} += 1")
        if not self.known_only:
            self.emit(depth + 1, f"if {c} > 90: break")
        inner = s.copy()
        inner.ints.append(c)
        # The counter is only read: nothing else may set it back.
        self.loops += 1
        begin = len(self.lines)
        self.block(depth + 1, inner, self.random.randrange(1, 4))
        self.lines[begin:] = [line.replace(f"{c} ", "i0 ", 1) if line.strip().startswith(f"{c} ") else line for line in self.lines[begin:]]
        self.loops -= 1
        s.ints.append(c)

    def try_(self, depth, s):
        self.emit(depth, "try:")
        inner = self.block(depth + 1, s, self.random.randrange(1, 3))
        if self.chance(0.5) and not self.known_only:
            self.emit(depth + 1, "outside.fail()")
        elif self.chance(0.4):
            self.emit(depth + 1, self.pick("raise ValueError", f"if {self.condition(s)}: raise KeyError(1)", "{}['k']", "[][0]"))
        self.block(depth + 1, inner, self.random.randrange(0, 2))
        if self.chance(0.85):
            self.emit(depth, f"except {self.pick('Exception', 'ValueError', 'LookupError', '(KeyError, IndexError, ValueError)')}{self.pick('', ' as e')}:")
            self.block(depth + 1, s, self.random.randrange(1, 3))
            if self.chance(0.3):
                self.emit(depth, "else:")
                self.block(depth + 1, s, 1)
            if self.chance(0.3):
                self.emit(depth, "finally:")
                self.plain_block(depth + 1, s)
        else:
            self.emit(depth, "finally:")
            self.plain_block(depth + 1, s)

    def plain_block(self, depth, s):
        # Nothing that leaves a finally.
        loops, in_function = self.loops, self.in_function
        self.loops, self.in_function = 0, False
        self.block(depth, s, 1)
        self.loops, self.in_function = loops, in_function

    def match_(self, depth, s):
        self.emit(depth, f"match {self.pick(self.int_(s, 1), self.list_(s))}:")
        for _ in range(self.random.randrange(1, 3)):
            m = self.name("i")
            pattern = self.pick("0", "1 | 2", "-1", f"[{m}]", f"[_, *_]", f"int() as {m}", "[]", f"{m} if {self.condition(s)}")
            if pattern.startswith("int() as") or " if " in pattern:
                pattern = pattern
            self.emit(depth + 1, f"case {pattern}:")
            self.block(depth + 2, s, 1)
        if self.chance(0.5):
            self.emit(depth + 1, "case _:")
            self.block(depth + 2, s, 1)

    def delete(self, depth, s):
        if s.dicts:
            d = self.random.choice(s.dicts)
            k = self.key(s)
            self.emit(depth, f"if {k} in {d}: del {d}[{k}]")

    def unpack(self, depth, s):
        a, b = self.name("i"), self.name("l")
        self.emit(depth, self.pick(f"{a}, *{b} = [{self.int_(s, 1)}, *{self.list_(s, 0)}]", f"{a}, {b} = {self.int_(s, 1)}, {self.list_(s)}"))
        s.ints.append(a)
        s.lists.append(b)
        if len(s.ints) > 2:
            x, y = self.random.sample([i for i in s.ints if not i.startswith("c")] or [a, a], 2) if len([i for i in s.ints if not i.startswith("c")]) > 1 else (a, a)
            self.emit(depth, f"{x}, {y} = {y}, {x}")

    def text(self, depth, s):
        x = self.name("s")
        self.emit(depth, self.pick(f'{x} = f"{{{self.int_(s, 0)}}}-{{{self.int_(s, 0)}}}"', f'{x} = "a" * ({self.int_(s, 0)} % 5)', f'{x} = str({self.int_(s, 1)})',
                                   f'{x} = "-".join(str(v) for v in {self.list_(s)})'))
        s.texts.append(x)

    def with_(self, depth, s):
        if self.known_only:
            self.emit(depth, "with contextlib.suppress(ValueError):")
        else:
            self.emit(depth, self.pick("with outside.forgiving():", "with contextlib.suppress(ValueError):", "with contextlib.nullcontext():"))
        self.block(depth + 1, s, 2)
        if self.chance(0.4):
            self.emit(depth + 1, "raise ValueError" if self.known_only else "outside.fail()")

    def to_outside(self, depth, s):
        things = s.lists + s.dicts + s.objects
        if not things:
            return
        x = self.random.choice(things)
        self.emit(depth, self.pick(f"outside.touch({x})", f"outside.keep({x})", "outside.stir()", f"outside.call(lambda: {x}.__len__() if hasattr({x}, '__len__') else 0)")
                  if self.chance(0.7) or not s.functions else f"outside.call(lambda: {self.call(s, 0)})")
        if x in s.lists:
            self.emit(depth, f"{x} = [v for v in {x} if isinstance(v, int)][:8]")

    def function(self, depth, s):
        f = self.name("f")
        parameters = [self.name(self.pick("i", "i", "l")) for _ in range(self.random.randrange(3))]
        defaults = [p + (("=[]" if p.startswith("l") else f"={self.int_(Scope(), 0)}") if self.chance(0.3) or i and self.chance(0) else "") for i, p in enumerate(parameters)]
        seen_default = False
        for i, d in enumerate(defaults):
            seen_default = seen_default or "=" in d
            if seen_default and "=" not in d:
                defaults[i] = d + ("=[]" if d.startswith("l") else "=1")
        self.emit(depth, f"def {f}({', '.join(defaults)}):")
        inner = Scope(s)
        inner.ints += [p for p in parameters if p.startswith("i")]
        inner.lists += [p for p in parameters if p.startswith("l")]
        outer_kind = "global" if depth == 0 else "nonlocal"
        changed = []
        if s.ints and self.chance(0.4):
            changed = [self.random.choice(s.ints)]
            if depth > 0 and changed[0] not in self.owned:
                changed = []
            if changed:
                self.emit(depth + 1, f"{outer_kind} {changed[0]}")
                inner.ints.append(changed[0])
        # Lists and dicts of around are changed, not bound.
        borrowed = [x for x in (self.random.sample(s.lists, min(1, len(s.lists))) + self.random.sample(s.dicts, min(1, len(s.dicts))))]
        for x in borrowed:
            self.emit(depth + 1, self.pick(f"{x}.__len__()", f"see({x})", f"if {x}: {x}.copy()", f"{x}.clear()" if self.chance(0.2) else "pass",
                                           f"{x}.append({self.int_(inner, 0)})" if x.startswith("l") else f"{x}['f'] = {self.int_(inner, 0)}"))
        loops, in_function, owned = self.loops, self.in_function, self.owned
        self.loops, self.in_function = 0, True
        self.owned = set(inner.ints) - set(changed)
        body = inner.copy()
        for _ in range(self.random.randrange(1, 5)):
            self.statement(depth + 1, body)
        self.emit(depth + 1, f"return {self.int_(body, 1)}")
        self.loops, self.in_function, self.owned = loops, in_function, owned
        s.functions.append((f, parameters))

    owned = set()

    def return_(self, depth, s):
        self.emit(depth, f"if {self.condition(s)}: return {self.int_(s, 1)}")

    def break_(self, depth, s):
        self.emit(depth, f"if {self.condition(s)}: {self.pick('break', 'continue')}")

    # ---- the program

    def program(self):
        s = Scope()
        for line in CLASSES.strip().split("\n"):
            self.emit(0, line)
        self.emit(0, "i0 = 0")
        s.ints.append("i0")
        place = self.random.random()
        if place < 0.6:
            for _ in range(14):
                self.statement(0, s)
            self.see(0, s)
        else:
            # The same in a function of the host, or in a kernel.
            if place > 0.8:
                self.emit(0, "@pypto.frontend.jit")
            self.emit(0, "def main(x):")
            self.in_function = True
            self.emit(1, "i0 = 0")
            self.owned = {"i0"}
            for _ in range(14):
                self.statement(1, s)
            self.see(1, s)
            self.emit(0, "main(pypto.Tensor([64, 64]))" if self.chance(0.7) else 'if __name__ == "__main__": main(pypto.Tensor())')
        return "\n".join(self.lines) + "\n"


def program(seed):
    """The files of the program: for now one."""
    head = "import pypto; import outside; import contextlib, dataclasses\n"
    while True:
        text = head + Generator(seed).program()
        try:  # Python forbids some few combinations: a := where a comprehension gets its items
            compile(text, "program", "exec")
            return {"main.py": text}
        except SyntaxError:
            seed += 1_000_000
