#!/usr/bin/env python3
"""What the tracer knows against what CPython sees.

    differential.py TRACE_DUMP cases [FILE...]             the programs of cases/
    differential.py TRACE_DUMP random [--seed N] [--count N] [--seconds S]

Each program runs in CPython, with stand-ins for the framework and for a library that the tracer cannot see (several
times: each world makes the library answer in another way), and is traced. `see(x, ...)` compares: for each value that
CPython saw there the tracer must have one that it knows to be equal, or does not claim to know. A value that is known and
wrong fails; `must_know(x, ...)` also fails when the tracer does not know it.
"""
import argparse
import contextlib
import enum
import io
import itertools
import json
import math
import os
import re
import reprlib
import signal
import subprocess
import sys
import tempfile
import time
import types
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
WORLDS = 5
PROGRAMS_AT_ONCE = 50
SECONDS_A_PROGRAM = 0.5  # of CPU


class Program:
    """Files by name; main.py is traced and run."""

    def __init__(self, name, files):
        self.name = name
        self.files = {path: label_sights(text) for path, text in files.items()}

    def write(self, folder):
        for path, text in self.files.items():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return os.path.join(folder, "main.py")


PRELUDE = "import pypto; import outside"


def label_sights(text):
    """see(x) becomes a call that both sides remember, labelled with its line and with whether it must be known."""
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        count = 0

        def label(match):
            nonlocal count
            count += 1
            must = "!" if match.group(1) == "must_know" else ""
            return f'pypto.set_vec_tile_shapes("{number}.{count}{must}", '

        out.append(re.sub(r"\b(see|must_know)\(", label, line))
    return "\n".join(out)


# ---- CPython


class _TooLong(BaseException):
    pass


def _ring(*_):
    raise _TooLong


def run_in_cpython(folder, world):
    """The shown values, in order, as the program leaves them; and how it ended."""
    for name in list(sys.modules):  # modules of the program before, which may have the same names
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(os.path.dirname(folder) + os.sep):
            del sys.modules[name]
    import outside
    import pypto

    pypto.shown.clear()
    outside.begin(world)
    main = os.path.join(folder, "main.py")
    with open(main, encoding="utf-8", newline="") as file:
        text = file.read()
    end = "ok"
    module = types.ModuleType("__main__")
    module.__file__ = main
    real_main = sys.modules["__main__"]
    sys.path.insert(0, folder)
    sys.modules["__main__"] = module
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_A_PROGRAM)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, main, "exec"), module.__dict__)
    except _TooLong:
        end = "too long"
    except SyntaxError as error:
        if error.filename and error.filename.startswith(folder):
            raise
        end = repr(error)
    except Exception as error:  # what the program does is its own affair: what it showed until then counts
        end = repr(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.path.remove(folder)
        sys.modules["__main__"] = real_main
    return list(pypto.shown), end


# ---- comparison

brief = reprlib.repr  # a long list is not written out to say that it is another


def differs(known, real, depth=0):
    """Why what the tracer claims is not what CPython has; None when it is, or when nothing is claimed."""
    if depth > 12:
        return None
    if isinstance(known, dict):
        if "unknown" in known:
            return None
        if "symbol" in known:
            if not isinstance(real, int):
                return f"an integer, not {brief(real)}"
            low, high = (None if b is None else int(b) for b in known["symbol"])
            return f"{real} is not in [{low}, {high}]" if (low is not None and real < low) or (high is not None and real > high) else None
        if "i" in known:
            # A member of an IntEnum is the number that it stands for, where a tile is wanted.
            return None if (type(real) is int or isinstance(real, enum.IntEnum)) and real == int(known["i"]) else f"{known['i']}, not {brief(real)}"
        if "f" in known:
            value = float.fromhex(known["f"])
            equal = type(real) is float and (math.isnan(value) and math.isnan(real) or (value == real and math.copysign(1, value) == math.copysign(1, real)))
            return None if equal else f"{value!r}, not {brief(real)}"
        for kind, of in (("list", list), ("tuple", tuple)):
            if kind in known:
                if type(real) is not of:
                    return f"a {kind}, not {brief(real)}"
                return differs_in_order(known, kind, real, depth)
        if "set" in known:
            if not isinstance(real, (set, frozenset)):
                return f"a set, not {brief(real)}"
            if not known["open"] and len(known["set"]) != len(real):
                return f"a set of {len(known['set'])}, not {brief(real)}"
            for item in known["set"]:
                if all(differs(item, other, depth + 1) for other in real):
                    return f"the member {item}, not {brief(real)}"
            return None
        if "dict" in known:
            if not isinstance(real, dict):
                return f"a dict, not {brief(real)}"
            if not known["open"] and len(known["dict"]) != len(real):
                return f"a dict of {len(known['dict'])}, not {brief(real)}"
            if not known["open"]:
                for (key, _), other in zip(known["dict"], real):
                    why = differs(key, other, depth + 1)
                    if why:
                        return f"key: {why}"
            for key, item in known["dict"]:
                found = [v for k, v in real.items() if not differs(key, k, depth + 1)]
                if not found:
                    return f"the key {key}, not {brief(real)}"
                if all(differs(item, v, depth + 1) for v in found):
                    return f"[{key}]: {differs(item, found[0], depth + 1)}"
            return None
        if "instance" in known:
            if isinstance(real, (int, str, float, list, dict, set, type(None), type)) and not isinstance(real, enum.Enum):
                return f"an object of {known['instance']}, not {brief(real)}"
            if known["instance"] and type(real).__name__ != known["instance"]:
                return f"an object of {known['instance']}, not {brief(real)}"
            for name, item in known["attributes"].items():
                if not hasattr(real, name):
                    return f"an attribute {name} of {brief(real)}"
                why = differs(item, getattr(real, name), depth + 1)
                if why:
                    return f".{name}: {why}"
            return None
        if "range" in known:
            if type(real) is not range:
                return f"a range, not {brief(real)}"
            parts = (real.start, real.stop, real.step)
            return next((w for k, r in zip(known["range"], parts) if (w := differs(k, r, depth + 1))), None)
        if "function" in known:
            return None if getattr(real, "__name__", None) == known["function"] else f"{known}, not {brief(real)}"
        if "class" in known:
            return None if isinstance(real, type) and real.__name__ == known["class"] else f"{known}, not {brief(real)}"
        if "module" in known:
            return None if isinstance(real, types.ModuleType) else f"{known}, not {brief(real)}"
        if "opaque" in known:
            plain = (type(None), bool, int, float, str, list, tuple, dict, set)
            return f"{known}, not {brief(real)}" if type(real) in plain and not str(real).startswith(("dtype", "dynamic")) else None
        return f"a value of no kind: {known}"
    if isinstance(known, str):
        return None if type(real) is str and real == known else f"{known!r}, not {brief(real)}"
    return None if type(known) is type(real) and known == real else f"{known!r}, not {brief(real)}"


def differs_in_order(known, kind, real, depth):
    items = known[kind]
    if len(items) > len(real) or (not known["open"] and len(items) != len(real)):
        return f"{len(items)} items{' or more' if known['open'] else ''}, not {brief(real)}"
    for i, item in enumerate(items):
        why = differs(item, real[i], depth + 1)
        if why:
            return f"[{i}]: {why}"
    return None


def changes(value):
    if isinstance(value, tuple):
        return any(changes(v) for v in value)
    return not isinstance(value, (int, float, str, type(None), range, frozenset, type))


def is_known(value):
    if not isinstance(value, dict):
        return True
    if "unknown" in value or "symbol" in value or value.get("open"):
        return False
    parts = value.get("list") or value.get("tuple") or value.get("set") or []
    if "dict" in value:
        parts = [p for pair in value["dict"] for p in pair]
    if "attributes" in value:
        parts = value["attributes"].values()
    return all(is_known(p) for p in parts)


def compare(traced, real, must_reach, end):
    """Complaints about one run. A program that an exception ended left its lists as they were then, while the tracer holds
    them as they are where the program goes on."""
    by_label, claims = {}, {}
    for label, *values in real:
        by_label.setdefault(label, []).append(values)
    for label, *values in traced:
        claims.setdefault(label, []).append(values)
    complaints = []
    for label, runs in by_label.items():
        known = claims.get(label)
        if not known and not must_reach:
            continue
        if not known:
            complaints.append(f"line {label}: runs in CPython, was not reached by the tracer")
            continue
        for values in runs:
            whys = []
            for claim in known:
                settled = [(k, r) for k, r in zip(claim, values) if end == "ok" or not changes(r)]
                why = "; ".join(w for k, r in settled if (w := differs(k, r))) or None
                if len(claim) != len(values):
                    why = f"{len(claim)} values, not {len(values)}"
                if why is None:
                    break
                whys.append(why)
            else:
                complaints.append(f"line {label}: the tracer knows {'; or '.join(whys[:3])}")
                break
        if label.endswith("!") and not all(is_known(v) for claim in known for v in claim):
            complaints.append(f"line {label}: not known to the tracer, which has {known}")
    return complaints


# ---- the programs


def programs_of_cases(paths):
    """A file holds programs, each begun by `# ==== name`; `# ==== file: path` begins another file of the same program."""
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        pieces = re.split(r"^# ==== (.*)\n", text, flags=re.M)
        name, files = None, {}
        for title, body in zip(pieces[1::2], pieces[2::2]):
            if title.startswith("file: "):
                files[title[6:].strip()] = body
                continue
            if name:
                yield Program(name, files)
            name, files = f"{os.path.basename(path)}: {title.strip()}", {"main.py": PRELUDE + "\n" + body}
        if name:
            yield Program(name, files)


def trace_all(dump, mains):
    done = subprocess.run([dump], input="".join(m + "\n" for m in mains), capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{dump} ended with {done.returncode}: {done.stderr[-2000:]}")
    return {row["path"]: row for row in map(json.loads, done.stdout.splitlines())}


def check(dump, programs, by_hand):
    """Number of programs, of values shown, of programs that failed and of those not traced to their end; prints the complaints."""
    sys.path.insert(0, os.path.join(HERE, "stand_ins"))
    totals = [0, 0, 0, 0]
    programs = iter(programs)
    while some := list(itertools.islice(programs, PROGRAMS_AT_ONCE)):
        with tempfile.TemporaryDirectory() as folder:
            totals = [a + b for a, b in zip(totals, check_some(dump, some, by_hand, os.path.realpath(folder)))]
    return totals


def check_some(dump, programs, by_hand, folder):
    failed = sights = cut = 0
    todo = []
    for number, program in enumerate(programs):
        where = os.path.join(folder, f"p{number}")
        todo.append((program, where, program.write(where)))
        # No project's root above: the tracer looks for modules in the program's own folder only.
        open(os.path.join(where, "pyproject.toml"), "w").close()
    traces = trace_all(dump, [main for _, _, main in todo])
    for program, where, main in todo:
        complaints, ends = [], []
        trace = traces.pop(main)
        if trace["cut_short"] and not by_hand:
            cut += 1
            continue
        alike = not any("outside" in text.replace(PRELUDE, "") for text in program.files.values())
        for world in range(1 if alike else WORLDS):
            real, end = run_in_cpython(where, world)
            ends.append(end)
            sights += len(real)
            complaints += [c for c in compare(trace["shown"], real, by_hand or alike, end) if c not in complaints]
        if complaints:
            failed += 1
            print(f"---- {program.name}  (CPython: {', '.join(sorted(set(ends)))})", flush=True)
            for complaint in complaints[:8]:
                print(f"     {complaint}")
            if len(program.files) == 1 and os.environ.get("SHOW"):
                for number, line in enumerate(program.files["main.py"].split("\n"), 1):
                    print(f"{number:5} {line}")
    return len(todo), sights, failed, cut


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("what", choices=["cases", "random"])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    begin = time.monotonic()
    sys.set_int_max_str_digits(0)
    warnings.simplefilter("ignore")
    if options.what == "cases":
        folder = os.path.join(HERE, "cases")
        files = options.files or sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".py"))
        programs = list(programs_of_cases(files))
    else:
        import generator

        programs = (Program(f"seed {s}", generator.program(s)) for s in range(options.seed, options.seed + options.count))
    count, sights, failed, cut = check(os.path.abspath(options.dump), programs, options.what == "cases")
    print(f"{count} programs, {sights} values shown, {failed} failed, {cut} cut short, {time.monotonic() - begin:.1f} s")
    if count == 0 or sights == 0:
        sys.exit("nothing was compared")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
