# ==== forms
must_know([x * 2 for x in range(3)], [x for x in range(5) if x % 2], {x: x * x for x in (1, 2)}, sorted({x % 2 for x in range(5)}))
must_know([(a, b) for a in (1, 2) for b in "xy"], [a for a in range(4) if a if a > 1], [[j for j in range(i)] for i in range(3)])
see([x for xs in [[1], [2, 3]] for x in xs], {k: v for k, v in {"a": 1}.items()}, sum(x for x in (1, 2)), tuple(x for x in "ab"))
see([a + b for a, b in zip([1, 2], [3, 4])], [x for x in [1, 2, 3] if x != 2], {x for x in ()}, [x for x, *_ in [(1, 2), (3,)]])
see([lambda: x for x in range(2)][0](), [x for x in range(3) for x in range(x)], dict((k, 1) for k in "ab"), [i for i in reversed(range(3))])
# ==== a condition that is not known
xs = [x for x in range(4) if outside.flag()]
see(xs, len(xs))
d = {x: 1 for x in range(4) if outside.flag()}
see(d, len(d), 1 in d)
s = {x for x in range(4) if outside.flag()}
see(s, len(s))
see([x for x in (1, 2) if x > outside.number()], any(outside.flag() for _ in range(3)), [outside.number() for _ in range(3)])
# ==== over what is not known
n = outside.number()
xs = [1 for _ in range(n)]
see(xs, len(xs), [x for x in outside.same([1, 2])], {i: 0 for i in range(n)}, sum(1 for _ in range(n)))
# ==== effects
seen = []
[seen.append(x) for x in range(3)]
see(seen)
[seen.append(x) for x in range(3) if outside.flag()]
see(seen, len(seen))
c = {"n": 0}
def count():
    c["n"] += 1
    return c["n"]
see([count() for _ in range(3)], c["n"])
[count() for _ in range(outside.number())]
see(c["n"])
# ==== big ones
see(len([0 for _ in range(1000)]), sum([1 for _ in range(5000)]), len([x for x in range(600)]), [x for x in range(300)][299])
last = 0
ys = [last := x for x in range(700)]
see(last, len(ys))
# ==== keys that meet
see({i // 2: i for i in range(6)}, {str(i % 2): i for i in range(3)}, len({(i % 2, 0): i for i in range(4)}))
# ==== the first iterable is seen from outside
class A:
    xs = [1, 2]
    ys = [x for x in xs]
    def f(self): return [self.xs for _ in self.ys]
see(A.ys, A().f())
x = [1, 2]
see([x for x in x], x)
