"""What PyPTO keeps beside the graph: tile shapes and options, scoped as the frontend scopes them, and the log of what
the reference noticed. The reference computes without tiles; it only judges what would have been refused."""
import functools

from ._symbolic import concrete_of

_VECTOR_RANK_MAX = 4  # set_vec_tile_shapes takes one to four sizes
_L0_ALIGNMENT = 16  # kL0 and nL0 count whole fractals of 16


class Problem:
    """Something PyPTO would refuse. Collected, not raised: a test wants to run the code before a fix, too."""

    def __init__(self, kind, text):
        self.kind, self.text = kind, text

    def __repr__(self):
        return f"{self.kind}: {self.text}"


class Unknown(NotImplementedError, AttributeError):
    """A name of the API that the reference does not have."""


class State:
    def __init__(self):
        self.vector_tile = None
        self.cube_tile = None  # ([mL0, mL1], [kL0, kAL1, kBL1], [nL0, nL1], split_k)
        self.conv_tile = None
        self.matrix_size = None
        self.options = {}

    def copy(self):
        twin = State()
        twin.__dict__.update(self.__dict__)
        twin.options = {group: dict(values) for group, values in self.options.items()}
        return twin

    def assign(self, other):
        self.__dict__.update(other.copy().__dict__)


current = State()
problems = []
_seen = set()


def reset():
    """Forget everything: called between two runs."""
    current.assign(State())
    problems.clear()
    _seen.clear()


def note(kind, text):
    if (kind, text) not in _seen:
        _seen.add((kind, text))
        problems.append(Problem(kind, text))


class scoped:
    """Settings made inside do not leave."""

    def __enter__(self):
        self._saved = current.copy()
        return self

    def __exit__(self, *_):
        current.assign(self._saved)


# -- tiles -------------------------------------------------------------------------------------------------------------
def set_vec_tile_shapes(*shapes):
    sizes = [concrete_of(size, "a vector tile size") for size in shapes]
    if not 1 <= len(sizes) <= _VECTOR_RANK_MAX:
        note("vec-tile", f"set_vec_tile_shapes takes 1 to {_VECTOR_RANK_MAX} sizes, got {len(sizes)}")
    if any(size <= 0 for size in sizes):
        note("vec-tile", f"vector tile sizes must be positive: {sizes}")
    current.vector_tile = sizes


def get_vec_tile_shapes():
    return [] if current.vector_tile is None else list(current.vector_tile)


def set_cube_tile_shapes(m, k, n, enable_split_k=False):
    if len(m) != 2:
        raise ValueError(f"m must have exactly 2 elements, got {len(m)}")
    if len(n) != 2:
        raise ValueError(f"n must have exactly 2 elements, got {len(n)}")
    if len(k) not in (2, 3):
        raise ValueError(f"k must have 2 or 3 elements, got {len(k)}")
    m, k, n = ([concrete_of(size, "a cube tile size") for size in sizes] for sizes in (m, k, n))
    current.cube_tile = (m, k + k[1:] if len(k) == 2 else k, n, bool(enable_split_k))


def get_cube_tile_shapes():
    if current.cube_tile is None:
        return ([0, 0], [0, 0, 0], [0, 0], False)
    m, k, n, split = current.cube_tile
    return (list(m), list(k), list(n), split)


def set_conv_tile_shapes(*info, **named):
    current.conv_tile = (info, named)


def get_conv_tile_shapes():
    return current.conv_tile


def set_matrix_size(size):
    current.matrix_size = list(size)


def judge_vector(rank, operation):
    """A vector operation on a tensor of this rank needs a tile of at least that rank."""
    if current.vector_tile is None:
        note("vec-tile-missing", f"{operation} before any set_vec_tile_shapes")
    elif len(current.vector_tile) < rank:
        note("vec-tile-rank", f"{operation} of rank {rank} under the vector tile {current.vector_tile}")


def judge_tile_axes(rank, operation):
    """An operation that swaps numbers of the tile takes no surplus ones."""
    if current.vector_tile is not None and len(current.vector_tile) > rank:
        note("vec-tile-rank", f"{operation} of rank {rank} under the vector tile {current.vector_tile}, not exactly as many")


def judge_tile_number(axis, multiple, operation):
    """One number of the tile that the operation checks."""
    tile = current.vector_tile
    if tile is not None and -len(tile) <= axis < len(tile) and tile[axis] % multiple:
        note("vec-tile-tail", f"{operation} under {tile[axis]} along axis {axis}, not a multiple of {multiple}")


def judge_cube(a_size, b_size, a_trans):
    """The relations that matmul checks when it is called; sizes are the bytes of an element of each operand."""
    if current.cube_tile is None:
        note("cube-tile", "matmul before any set_cube_tile_shapes")
        return
    (m0, m1), (k0, ka1, kb1), (n0, n1), _ = current.cube_tile
    if min(m0, m1, k0, ka1, kb1, n0, n1) <= 0:
        note("cube-tile", f"cube tile sizes must be positive: m={m0, m1} k={k0, ka1, kb1} n={n0, n1}")
        return
    for name, inner, outer in (("k", k0, ka1), ("k", k0, kb1), ("n", n0, n1), ("m", m0, m1)):
        if inner > outer or outer % inner:
            note("cube-tile", f"{name}L0={inner} must divide {name}L1={outer}")
    if k0 % _L0_ALIGNMENT or n0 % _L0_ALIGNMENT:
        note("cube-tile", f"kL0({k0}) and nL0({n0}) must be multiples of {_L0_ALIGNMENT}")
    for name, size, bytes_ in (("kL0", k0, a_size), ("nL0", n0, b_size), ("mL0", m0 if a_trans else 0, a_size)):
        if size * bytes_ % 32:
            note("cube-tile", f"{name}={size} is not a multiple of 32 bytes")


# -- options -----------------------------------------------------------------------------------------------------------
def _merge(group, values):
    current.options.setdefault(group, {}).update({key: value for key, value in values.items() if value is not None})


def set_options(**groups):
    for group, values in groups.items():
        if values is None:
            continue
        if group == "vec_tile_shapes":
            set_vec_tile_shapes(*values)
        elif group == "cube_tile_shapes":
            set_cube_tile_shapes(*values)
        elif group == "conv_tile_shapes":
            set_conv_tile_shapes(values)
        elif group == "matrix_size":
            set_matrix_size(values)
        elif isinstance(values, dict):
            _merge(group, values)
        else:
            raise TypeError(f"{group} must be a dict, not {type(values).__name__}")


def get_options(group):
    return dict(current.options.get(group, {}))


def reset_options():
    current.options = {}


class options:
    """`with pypto.options(name, ...)` and the decorator of the same name."""

    def __init__(self, name="", **groups):
        self._groups = groups
        self._scopes = []

    def __enter__(self):
        scope = scoped()
        scope.__enter__()
        self._scopes.append(scope)
        set_options(**self._groups)
        return self

    def __exit__(self, *error):
        self._scopes.pop().__exit__(*error)

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapper
