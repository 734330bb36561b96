# ==== displays and lookups
d = {"a": 1, 2: "b", None: 3, (1, 2): 4, True: 5}
must_know(d["a"], d[2], d[None], d[(1, 2)], d[1], len(d), "a" in d, "z" in d)
see({1: "a", True: "b", 1.0: "c"}, {"x": 1, "x": 2}, {i % 2: i for i in range(5)}, len({i % 3: i for i in range(7)}))
see({**d, "a": 9}["a"], {"a": 9, **d}["a"], list(d), list(d.values()), list(d.items())[0])
# ==== methods
d = {"a": 1, "b": 2}
see(d.get("a"), d.get("z"), d.get("z", 5), d.pop("a"), d, d.pop("z", 7), d.setdefault("c", 3), d.setdefault("b", 9), d)
d.update({"b": 5, "x": 1}); d.update(y=2); d.update([("z", 3)])
see(d, list(d.keys()), list(d), len(d))
see(d.popitem(), d, dict.fromkeys("ab", 0), dict(d, q=1), dict([("a", 1)]), dict(a=1, b=2), d | {"b": 0}, {"b": 0} | d)
e = d.copy()
e["new"] = 1
see("new" in d, "new" in e)
d.clear()
see(d, d == {}, not d)
# ==== views see what changes
d = {"a": 1}
keys, values, items = d.keys(), d.values(), d.items()
d["b"] = 2
see(list(keys), list(values), list(items), len(keys), "b" in keys, ("b", 2) in items, 2 in values)
# ==== order is that of insertion
d = {}
for k in ("c", "a", "b"):
    d[k] = len(d)
d["c"] = 9
see(d, list(d), [k for k in d], list(reversed(d)))
del d["c"]
d["c"] = 1
see(list(d), next(iter(d)))
# ==== changed in one way only
d = {"a": 1, "b": 2}
if outside.flag():
    d["c"] = 3
see(d, len(d), "a" in d, "c" in d, d["a"], d.get("c"), list(d))
d["a"] = 5
see(d["a"], d)
if outside.flag():
    d = {"b": 2, "a": 5}
see(list(d), d["a"], d["b"])
d.pop("a", None)
see("a" in d, "b" in d, d)
# ==== keys that are not known
k = outside.number()
d = {1: "a", 2: "b"}
d[k] = "z"
see(d, d[1], d[2], len(d), 1 in d, d.get(3))
e = {1: "x", k: "y"}
see(e[1], len(e), e)
e = {k: "y", 1: "x"}
see(e[1], len(e), e)
f = {**{1: "x"}, **outside.same({1: "y"})}
see(f[1])
g = {1: "x", 2: "y"}
g.pop(k, None)
see(g, len(g), 1 in g)
h = {1: 1}
h.update(outside.same({1: 2}))
see(h[1], h)
m = {i: 0 for i in (1, k)}
see(m, m[1], len(m))
p = {1: 5, 2: 6}
if k in p:
    del p[k]
see(p, len(p))
q = {1: 5}
q.setdefault(k, 7)
see(q[1], q, len(q))
# ==== sets
s = {3, 1, 2, 1}
must_know(len(s), 1 in s, 5 in s, sorted(s), sum(s), min(s), max(s))
see(s, list(s), tuple({5}), [v for v in s], s | {9}, s & {1, 9}, s - {1}, s ^ {1, 9}, {1} < s, s >= {1, 2})
s.add(7); s.discard(1); s.discard(100); s.remove(2)
see(s, s.union([4]), s.intersection({3}), s.difference({3}), s.issubset({3, 7, 9}), s.copy(), s == {7, 3}, s.isdisjoint({1}))
t = s
t.update([1, 2], {5})
see(s, len(s))
s.clear()
see(s, t, set(), frozenset([1]), {*"ab"}, len({1, True, 1.0}), set("aab"))
for v in {5}:
    see(v)
total = 0
for v in {1, 2, 3}:
    total = total * 10 + v
see(total)
see(list({"a", "b", "c"}), next(iter({8, 1})), {"b", "a"}.pop() in "ab", [*{2, 1}], dict.fromkeys({2, 1}))
u = {1, 2}
u.intersection_update({2})
u.symmetric_difference_update({5})
see(u)
v = {1, outside.number()}
see(len(v), 1 in v, 2 in v, v)
# ==== a dict in itself
d = {"k": 1}
d["self"] = d
see(len(d), d["self"]["self"]["k"], d["self"] is d)
# ==== defaultdict, OrderedDict, Counter
import collections
d = collections.defaultdict(list)
d["a"].append(1)
see(d["a"], len(d), "b" in d, dict(d))
o = collections.OrderedDict(a=1)
o["b"] = 2
o.move_to_end("a")
see(list(o), o["a"])
c = collections.Counter("aab")
see(c["a"], c["z"])
q = collections.deque([1, 2], maxlen=2)
q.append(3)
see(list(q), len(q))
