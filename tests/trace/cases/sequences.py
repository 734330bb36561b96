# ==== slices
x = [0, 1, 2, 3, 4, 5]
must_know(x[1:3], x[:2], x[3:], x[:], x[-2:], x[:-2], x[::2], x[1::2], x[::-1], (1, 2, 3)[1:])
see(x[4:1:-1], x[-1:0:-2], x[10:], x[:-10], x[5:2], x[::-2], x[-3::-1], x[2:-1:2], x[None:2], x[True:3])
n = None
see(x[n:2], x[1:n], x[::n], x[slice(1, 3)], x[slice(None, None, -1)], len(x[1:100]), x[-100:2], x[100:-100:-1])
i = outside.number()
see(x[:i], x[i:], len(x[i:]), x[-1:i:-1])
# ==== assignment to slices and elements
x = [0, 1, 2, 3]
x[1:3] = [9]
see(x, len(x))
x[0:0] = [7, 8]
see(x)
y = x
y[::2] = ["a"] * len(y[::2])
see(x)
x[-1] = 5
see(x, x[-1])
x[:] = []
see(x, y is x)
x[len(x):] = [1, 2]
see(x)
# ==== del
x = [0, 1, 2, 3, 4]
del x[0]
see(x)
del x[-1], x[0]
see(x)
del x[0:1]
see(x)
d = {"a": 1, "b": 2}
del d["a"]
see(d, "a" in d, len(d))
del (d["b"])
see(d)
class Thing: pass
t = Thing()
t.x = 1
t.y = 2
del t.x
see(hasattr(t, "x"), hasattr(t, "y"), t.y)
# ==== unpacking
a, b = 1, 2
a, b = b, a
must_know(a, b)
first, *rest = [1, 2, 3]
*init, last = (4, 5, 6)
x, *mid, z = range(5)
must_know(first, rest, init, last, x, mid, z)
(p, (q, r)), s = ((1, (2, 3)), 4)
[t, u] = "ab"
see(p, q, r, s, t, u)
v = w = []
v.append(1)
must_know(w)
i, x = 0, [5, 6]
i, x[i] = 1, 9
see(i, x)
one, = [1]
see(one, [*range(3), *"ab"], (*[1], 2), {**{"a": 1}, "b": 2, **{"a": 3}})
*all_, = (1, 2)
see(all_)
# ==== augmented assignment
x = [1]
y = x
x += [2]
must_know(y, x is y)
x = x + [3]
must_know(y, x)
x *= 2
z = x
z *= 2
see(x, z is x)
t = (1,)
u = t
t += (2,)
must_know(t, u)
s = {1}
r = s
s |= {2}
see(r, s is r)
s &= {2, 3}
see(r)
s -= {2}
s ^= {8}
see(r)
d = {"a": 1}
e = d
d |= {"b": 2}
see(e)
n = 5
n //= 2
n **= 3
n <<= 2
n %= 7
n |= 8
n ^= 1
must_know(n)
x = [[1], 2]
x[0] += [5]
see(x)
calls = []
def at():
    calls.append(1)
    return 0
x = [1, 2]
x[at()] += 10
see(x, calls)
s = "a"
s += "b"
see(s)
x = [1]
x += "ab"
x += (5,)
x += range(2)
see(x)
# ==== list methods
x = [3, 1, 2]
x.append(5); x.extend([7, 8]); x.insert(0, 9); x.insert(-1, 6); x.insert(100, 4)
see(x, x.pop(), x.pop(0), x.pop(-2), x.index(1), x.count(5))
x.remove(1)
see(x)
x.sort()
see(x)
x.sort(reverse=True)
see(x)
x.sort(key=lambda v: -v if v % 2 else v)
see(x)
x.reverse()
y = x.copy()
y.append(0)
see(x, y)
x.clear()
see(x, len(x), not x)
x.extend(x)
y.extend(y)
see(x, y)
see([1, 2, 3].index(2), (1, 2, 2).count(2), (5, 6).index(6), [1, 2] == [1, 2], [1] + [2], [0] * 3, 2 * [1, 2], [1] * -1)
# ==== nested lists share their elements
x = [[0] * 2] * 3
x[0][1] = 5
see(x)
y = [[0] * 2 for _ in range(3)]
y[0][1] = 5
see(y)
z = x[:]
z[1] = [7]
see(x, z)
z[0][0] = 8
see(x, z)
a = [1]
a.append(a)
see(len(a), a[1] is a, len(a[1][1]))
# ==== in, len, bool
x = [1, None, "a", (1, 2)]
must_know(1 in x, True in x, None in x, (1, 2) in x, 5 in x, 5 not in x, len(x), bool(x), bool([]))
see([1] in [[1]], 1.0 in x, float("nan") in [float("nan")], x.index((1, 2)))
nan = float("nan")
see(nan in [nan], [nan] == [nan], nan == nan)
# ==== sorted, reversed, zip, enumerate, map, filter
see(sorted([3, 1, 2]), sorted([3, 1, 2], reverse=True), sorted("bca"), sorted([1, True, 0], reverse=True), sorted([(2, "b"), (1, "c")]))
see(sorted([3, -1, 2], key=abs), sorted({"b": 1, "a": 2}), list(reversed([1, 2, 3])), list(zip([1, 2], "ab")), list(zip([1], [2, 3])))
see(list(enumerate("ab")), list(enumerate("ab", 5)), list(enumerate("ab", start=2)), list(map(lambda v: v * 2, [1, 2])), list(filter(None, [0, 1, "", 2])))
see(list(map(lambda a, b: a + b, [1, 2], [10, 20])), list(filter(lambda v: v > 1, [1, 2, 3])), dict(zip("ab", [1, 2])), list(range(5, 0, -2)), list(map(str, [1, 2])))
see(any([0, 1]), all([1, 0]), any([]), all([]), sum(v for v in [1, 2]), max(v for v in (3, 4)), [*map(int, "12")], list(zip()), tuple(zip([1], [2], [3])))
# ==== open lists keep what is known of their beginning only
x = [1, 2, 3]
if outside.flag():
    x.append(4)
see(x, len(x), x[0], x[-1], x[1:], 4 in x, x.index(2) if 2 in x else None)
x.append(5)
see(x, x[0], x[-1])
x[-1] = 6
see(x, x[-1], x[2])
x.insert(0, 0)
see(x[0], x[1])
x.sort()
see(x[0])
x.reverse()
see(x[0])
x.pop()
see(x, len(x))
y = x + [1]
see(y)
z = [*x, 5]
see(z, z[0])
z.extend(x)
see(z)
del x[0]
see(x, len(x))
x.clear()
see(x)
# ==== ranges
r = range(2, 10, 3)
see(len(r), r[1], r[-1], 5 in r, 6 in r, list(r), r[::-1], len(range(5, 3)), len(range(10, 0, -3)), True in range(2), bool(range(0)), r.start, r.stop, r.step)
see(list(range(3)), range(3) == range(0, 3), sum(range(101)), len(range(10 ** 12)), max(range(5)), list(range(True)), 1.0 in range(3))
for i in range(0, 9223372036854775807, 4611686018427387904):
    see(i)
# ==== tuples hold what changes
t = ([1], 2)
t[0].append(3)
see(t)
u = t + (4,)
u[0].append(5)
see(t, u)
