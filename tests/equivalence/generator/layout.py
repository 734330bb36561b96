"""A generated file as lines, and how it is spelled: indentation, line breaks, comments, continuation lines."""
import re


class Source:
    """Lines are (depth, text). `blocked` says that a safe fix of the file's Python loop would be wrong."""

    def __init__(self):
        self.lines = []
        self.traps = []
        self.blocked = False
        self.second = False  # another loop, which may be changed
        self.family = ""
        self.data = b""

    def add(self, depth, text=""):
        for line in text.split("\n"):
            # A template's own four spaces are levels, too.
            stripped = line.lstrip(" ")
            self.lines.append((depth + (len(line) - len(stripped)) // 4, stripped))
        return self

    def trap(self, name, blocked=False):
        self.traps.append(name)
        self.blocked = self.blocked or blocked


COMMENTS = ["# one head after the other", "# 每个头单独计算", "# note: h is the head", "# for h in range(64): not code", "# 🙂 fast path",
            "# pypto.loop(64) was slower", "# type: ignore", "# noqa: E501", "#", "#no space", "# name=\"LOOP_H\""]


class Layout:
    def __init__(self, draw):
        self.draw = draw
        self.unit = draw.pick(["    "] * 8 + ["  ", "   ", "\t", "        "])
        self.newline = draw.pick(["\n"] * 9 + ["\r\n"])
        self.comments = draw.pick([0, 0, 0.05, 0.3])
        self.blanks = draw.pick([0, 0, 0.1])
        self.trailing = draw.pick([0, 0, 0, 0.1])
        self.bom = draw.chance(0.03)
        self.last_newline = not draw.chance(0.05)
        self.wrapped = draw.chance(0.15)

    def render(self, source, title):
        out = [f"# {title}"]
        for depth, text in source.lines:
            draw, indent = self.draw, self.unit * depth
            if not text:
                out.append("")
                continue
            if draw.chance(self.blanks) and depth:
                out.append(draw.pick(["", indent]))
            if draw.chance(self.comments) and not text.startswith("@"):
                out.append(draw.pick([indent, indent, ""]) + draw.pick(COMMENTS))
            if self.wrapped:
                text = self._wrap(text, indent)
            if draw.chance(self.comments) and "\n" not in text and not text.endswith("\\"):
                text += draw.pick(["  ", " ", "\t"]) + draw.pick(COMMENTS)
            if draw.chance(self.trailing):
                text += " "
            out.extend((indent + text).split("\n"))
        data = self.newline.join(out) + (self.newline if self.last_newline else "")
        return (b"\xef\xbb\xbf" if self.bom else b"") + data.encode()

    def _wrap(self, text, indent):
        """Spreads a call over lines, now and then."""
        found = re.match(r"^(for .* in range)\((.*)\):$", text)
        if found and self.draw.chance(0.5):
            inner = found.group(2)
            style = self.draw.between(0, 4)
            if style == 0:
                return f"{found.group(1)}(\n{indent}{self.unit}{inner}\n{indent}):"
            if style == 1:
                return f"{found.group(1)}(\n{indent}{self.unit}{inner},  # heads\n{indent}):"
            if style == 2:
                return f"{found.group(1)}({inner},):"
            if style == 3:
                return text.replace(" in range", " in \\\n" + indent + self.unit + "range")
            return f"{found.group(1)} ( {inner} ) :"
        if "#" in text or "'" in text or '"' in text:
            return text
        if text.count(", ") and "(" in text and text.endswith(")") and self.draw.chance(0.2):
            first = text.index("(") + 1
            cut = text.find(", ", first)
            if cut > 0:
                comment = self.draw.pick(["", "  # operand"])
                return text[:cut + 1] + comment + "\n" + indent + self.unit * 2 + text[cut + 2:]
        return text
