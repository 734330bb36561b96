# ==== literals and escapes
must_know("a\nb", 'it\'s', "tab\t", r"raw\n", "a" "b", "line \
on", """three
lines""")
see("\x41\u0042\U00000043\103", "\q", "\N{BULLET}", b"bytes", rb"\x", "nul\0", "\a\b\f\v\r")
see(len("中文"), len("é"), "中文"[0], "中文"[-1], len("\U0001F600"), len("a\tb"), len(r"\n"))
# ==== f-strings
n, s, x, none = 5, "text", 1.5, None
must_know(f"{n}", f"a{n}b{s}", f"{n + 1}", f"{none}", f"{True}", "plain" f"{n}" "tail")
see(f"{{{n}}}", f"{{n}}", f"{s!r}", f"{n!r}", f"{n=}", f"{s=}", f"{n:04d}", f"{x}", f"{x:.2f}", f"{s:>8}", f"{n!s:>4}")
see(f"{[1, 'a']}", f"{(1,)}", f"{ {1: 2} }", f"{n if n > 3 else s}", f"{'nested'} {f'{n}'}", f"\n{n}", rf"\n{n}", f"{-n}")
see(f"{n:{n}}", f"{'%'}", f"{n,}", f"{ n }", f"{n:x}", f"{lambda_ if False else 1}", f"{s[0]}", f"{'a' 'b'}")
# ==== methods
s = "Hello World"
must_know(s.lower(), s.upper(), s.startswith("Hello"), s.endswith("d"), "a,b,c".split(","), " x ".strip())
see(s.startswith("World", 6), s.startswith(("A", "H")), s.endswith("o", 0, 5), s.find("o"), s.find("z"), s.index("W"), s.count("o"), s.rfind("o"))
see("xxaxx".strip("x"), "\x0b a \x0c".strip(), "\u00a0a".strip(), "  a".lstrip(), "a  ".rstrip(), "a b  c".split(), "a,b,c".split(",", 1))
see("a-b-c".rsplit("-", 1), "-".join(["a", "b"]), "".join([]), "aXbX".replace("X", "-"), "aaa".replace("a", "b", 2), "7".zfill(3))
see("abc".title(), "aBC".capitalize(), "ab".center(6), "12".isdigit(), "x".isalpha(), "{} {}".format(1, 2), "{a}".format(a=3), "%d-%s" % (1, "a"))
see("É".lower(), "ß".upper(), "İ".lower(), "STRASSE".casefold(), "aé".upper(), "a.b".partition("."), "a.b.c".rpartition("."))
see("abc".removeprefix("a"), "abc".removesuffix("c"), "abc".swapcase(), "a\nb".splitlines(), "abc".encode(), "abc".isidentifier(), "%s" % "x")
# ==== subscripts, slices, repetition
s = "abcdef"
see(s[0], s[-1], s[1:3], s[::-1], s[-3:], s[:-1], s[::2], s * 2, 3 * "ab", "ab" + "cd", s[10:], "a" * 0, "a" * -1)
see([c for c in "abc"], list("ab"), "b" in "abc", "" in "abc", "z" not in "abc", tuple("xy"), max("hello"), sorted("cab"), "a" < "B")
for c in "xyz":
    see(c)
a, b = "pq"
see(a, b)
# ==== comparisons
see("é" < "z", "a" < "é", "中" > "z", "\ud800" == "\ud800", "a" == "a ", "" < "a")
# ==== conversions
see(str(5), str(True), str(None), str("x"), str(1.5), str([1]), repr("x"), repr(5), int("12") + 1, chr(65), ord("A"), str(-0.0))
see(hex(255), bin(5), oct(8), format(5, "03d"), ascii("é"), hash("a") == hash("a"), "5" * 3, str(2 ** 40))
