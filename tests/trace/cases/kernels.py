# ==== tiles in a kernel
@pypto.frontend.jit
def kernel(x: pypto.Tensor([64, 64], pypto.DT_FP32), n=4):
    t = 16
    for i in range(3):
        see(t, n)
        t *= 2
    see(t)
    xs = []
    for i in range(4):
        xs.append(i * t)
    see(xs)
kernel(pypto.Tensor([64, 64]))
# ==== state of the host, seen by the kernel
TILE = 8
CONFIG = {"tile": 1}
def setup(n):
    global TILE
    TILE = n
    CONFIG["tile"] = n * 2
@pypto.frontend.jit
def kernel(x):
    see(TILE, CONFIG["tile"])
setup(32)
kernel(pypto.Tensor())
# ==== state that a later call sets
TILE = 8
LIST = [1]
TABLE = {"a": 1}
class Conf: tile = 1
def setup():
    global TILE
    TILE = 32
    LIST.append(2)
    TABLE["a"] = 2
    Conf.tile = 2
@pypto.frontend.jit
def kernel(x):
    see(TILE, LIST, TABLE["a"], Conf.tile)
def main():
    setup()
    kernel(pypto.Tensor())
if outside.same(True):
    main()
# ==== factories
def make(tile, options={"a": 1}):
    @pypto.frontend.jit(runtime_options=options)
    def kernel(x):
        see(tile, options["a"])
    return kernel
make(16)(pypto.Tensor())
k = make(64, {"a": 5})
k(pypto.Tensor())
# ==== loops over device and host ranges
@pypto.frontend.jit
def kernel(x):
    last = 0
    for i in pypto.loop(0, 4):
        see(i, i * 2 + 1)
        for j in range(2):
            see(i + j, j)
            last = j
    see(last)
    total = 0
    for i in range(100):
        total += 1
        see(i // 2, i % 3, -i, i - 5, min(i, 10), max(i, 3))
    see(total)
    for k in range(10, 0, -3):
        see(k)
    for m in range(5, 5):
        see(m)
kernel(pypto.Tensor())
# ==== helpers, closures and conditions
def helper(x, tile, depth):
    see(tile, depth)
    if depth > 0:
        helper(x, tile // 2, depth - 1)
@pypto.frontend.jit
def kernel(x, flag):
    helper(x, 64, 2)
    mode = 1
    if flag:
        mode = 2
    see(mode)
    if x.shape[0] > 10:
        mode = 3
    see(mode)
kernel(pypto.Tensor([64]), True)
# ==== an early return
@pypto.frontend.jit
def kernel(x, n):
    xs = [1]
    if outside.flag():
        xs.append(2)
        see(xs)
        return
    xs.append(3)
    see(xs, len(xs))
kernel(pypto.Tensor([64]), 5)
