# ==== integers
must_know(-7 // 2, -7 % 2, 7 // -2, 7 % -2, -7 // -2, -7 % -2, 7 // 2, 0 // -5)
must_know(2 ** 10, (-3) ** 3, 2 ** 0, 1 << 20, 255 >> 3, -255 >> 3, -1 >> 5, 6 & 3, 6 | 9, 6 ^ 3, ~5, -(-5), +7)
see(2 ** 62, 2 ** 63, 2 ** 64, 2 ** 100, 1 << 62, 1 << 63, -1 << 62, 9223372036854775807 + 1)
see(-9223372036854775808, -9223372036854775808 - 1, 9223372036854775807 * 2, -(-9223372036854775807 - 1))
see((2 ** 70) >> 60, (2 ** 70) % 1000, abs(-9223372036854775807 - 1), 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF)
must_know(0x10, 0o17, 0b101, 1_000_000, 0XfF)
see(10 ** 18, 10 ** 19, 3 ** 39, 3 ** 40, (-2) ** 63, (-2) ** 64)
# ==== floats
must_know(1.5 + 1, 2 * 0.5, 1 / 4, 2 ** -1, 7.5 // 2, -7.5 // 2)
see(1.0 // 0.1, 7.5 % 2, -7.5 % 2, 7.5 % -2, 1e308 * 10, (-8) ** 0.5, 2 ** 0.5, 0.1 + 0.2)
see(9007199254740993 / 3, (2 ** 60 + 1) / 7, 9007199254740993 == 9007199254740992.0, 9007199254740993 > 9007199254740992.0)
see(1e400, -1e400, 1e-400, float("nan"), 1.0 == 1, 0.1 + 0.2 == 0.3, -0.0, 0.0 * -1)
see(int(2.9), int(-2.9), round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234, -2), int(1e30))
# ==== booleans are integers
must_know(True + True, True * 5, -True, True == 1, False == 0, True < 2)
see(True & False, True | False, True ^ True, True & 3, ~True, True / 2, +True, True ** 2, True // 1, True % 2)
must_know(not 0, not "", not [], not "a", not not 3)
see(f"{True & True}", f"{True + 0}", str(True), [1, 2][True], isinstance(True, int), isinstance(1, bool))
# ==== comparison chains
a, b, c = 1, 2, 3
must_know(a < b < c, a < c < b, a == 1 < b, a < b > 1, 1 in [1] == True, a != b != a)
calls = []
def f(x):
    calls.append(x)
    return x
see(f(3) < f(2) < f(1), calls)
must_know("a" < "b", "abc" < "abd", "a" == "a", "Z" < "a")
see([1, 2] < [1, 3], (1, 2) < (1,), [] < [0], (1, "a") == (1, "a"), {1, 2} == {2, 1}, {1: 2} == {1: 2})
# ==== and and or give their operand
must_know(0 or 5, 3 and 4, None or "x", "" or 0, [] or 7, 1 and 0, 0 and 1 / 0)
see(outside.number() or 64, 0 or outside.number(), outside.flag() and 3, (outside.number() and 0) or 9)
x = outside.number() and outside.number()
see(x)
see(outside.number() or False, outside.flag() or True, outside.flag() and False, outside.number() and None)
# ==== identity
a = [1]
b = a
must_know(a is b, a is not b, None is None, a is None, a is not None)
see([1] is [1], 1 is True, (1,) is None, 1 == True, "a" is not None)
n = None
must_know(n is None, n == None, 0 is None)
# ==== divisions by zero raise
for divide in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0, lambda: 0 ** -1):
    try:
        got = divide()
    except ZeroDivisionError:
        got = "raised"
    see(got)
# ==== min, max, sum, abs
must_know(min(3, 1, 2), max([3, 1, 2]), min("b", "a") if False else 1, sum([1, 2, 3]), sum([1, 2], 10), abs(-3))
see(max(64, 32.0), max(1.5, 1), min(1, 1.0), min(1.0, 1), max(True, 1), max(1, True), max(2, 2.0), sum([1, 2], start=5))
see(max([], default=3), max([1, -5], key=abs), min({3, 1, 2}), max((1, 2), (1, 3)), max("a", "b"), sum([[1], [2]], []))
see(min(float("nan"), 1), max(1, float("nan")), abs(-2.5), abs(True), sum([True, True]), sum([0.5, 1]), divmod(-7, 2))
see(pow(2, 3), pow(2, -1), pow(7, 2, 5), divmod(7, -2), round(7), round(True))
# ==== numbers from text
must_know(int("12"), int("-5"), int(3.7), float(3))
see(int("10", 2), int("ff", 16), int(" 7 "), int("1_000"), int("٣"), float("1.5"), str(1.0), str(1e20), str(10), bool("0"), bool(0.0))
see(int(), float(), str(), bool(), list(), tuple(), dict(), set())
# ==== math
import math
must_know(math.ceil(2.1), math.floor(-2.1), math.sqrt(16), math.gcd(12, 18), math.prod([2, 3]))
see(math.ceil(True), math.floor(5), math.log2(8), math.log2(10), math.pi, math.inf, math.gcd(0, 0), math.gcd(12, 18, 27), math.ceil(-0.5))
see(math.prod([2, 3], start=4), math.isqrt(17), math.lcm(4, 6), math.trunc(-2.5), math.pow(2, 3), math.log(8, 2))
