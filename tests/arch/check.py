"""Checks the architecture: include directions between layers, forbidden calls and words, file lengths.

Usage: check.py PROJECT_FOLDER. Prints one line a violation and exits 1 when there is any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])

# Folder -> folders it may include from, besides itself. Longest prefix wins.
ALLOWED = {
    "core/base": [],
    "core/job": ["core/base"],
    "core/store": ["core/job", "core/base"],
    "core/store/redis": ["core/store", "core/job", "core/base"],
    "core/store/embedded": ["core/store", "core/job", "core/base"],
    "core/protocol": ["core/store", "core/job", "core/base"],
    "core/protocol/hero": ["core/protocol", "core/store", "core/job", "core/base"],
    "core/worker": ["core/protocol", "core/store", "core/job", "core/base"],
    "core/engine": ["core/protocol", "core/worker", "core/store", "core/job", "core/base"],
    "models": ["core/base", "core/job", "core/engine"],
    "ui": ["models", "core/base", "core/job", "core/engine", "core/pch.h"],
    "app": ["ui", "models", "core"],
}

# Where -> (pattern, why). Comments are stripped before the search.
FORBIDDEN = [
    ("core models ui app", r"\bSIGNAL\(|\bSLOT\(", "string-based connects"),
    ("core models ui app", r"processEvents|waitForFinished|waitForReadyRead|waitForConnected|waitForBytesWritten", "blocking waits"),
    ("core models ui app", r"setHtml\(|Qt::AutoText|Qt::RichText|Qt::MarkdownText", "rich text from data"),
    ("core models ui app", r"\bTODO\b|\bFIXME\b|\bXXX\b|\bHACK\b", "left for later"),
    ("core app", r"\bco_return (?:m_\w+|\w+->\w+);", "QCoro moves a member that is returned by name; return a copy of it"),
    ("core", r'"KEYS"|"MONITOR"|redisCommand\(', "commands that freeze a server"),
    ("core", r"#include <(QWidget|QtWidgets|QGui|QtGui|QPainter|QApplication)", "Gui in the core"),
    ("models ui app core/engine core/worker", r'"hero:', "key literals outside keys.h"),
    ("models ui", r"#include <qcoro|QCoro::", "coroutines in the GUI thread"),
    ("core models ui app", r"(?:\.|->)\s*(?:then|onFailed|onCanceled)\(\s*(?!QtFuture::)[^\[,;]+,",
     "a future's continuation with a context crashes when that dies first; whenReady() of core/base/when_ready.h"),
]
KEY_FILES = re.compile(r"core/protocol/\w+/keys\.h$")
# What may stand there all the same: file -> the forbidden words.
EXCUSED = {
    "core/base/when_ready.h": {"waitForFinished"},  # of a future that is over, for the exception that it ended with
}
CODE = {".cpp", ".h"}


def files(folder):
    return (p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in CODE)


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return re.sub(r"(?<![:\"])//[^\n]*", "", text)


def layer_of(path):
    parts = path.split("/")
    for n in range(len(parts), 0, -1):
        name = "/".join(parts[:n])
        if name in ALLOWED:
            return name
    return None


def include_problems(name, text, layer):
    for line_number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#include "((?:app|ui|models|core|tests)/[^"]+)"', line)
        if not found:
            continue
        target = found.group(1)
        target_layer = layer_of(target) or target
        ok = target_layer == layer or any(target_layer == a or target_layer.startswith(a + "/") and a == "core"
                                          for a in ALLOWED[layer]) or target in ALLOWED[layer]
        if layer == "core/engine" and target_layer.startswith(("core/store/", "core/protocol/")):
            ok = True  # the engine composes stores and protocols
        if not ok:
            yield f"{name}:{line_number}: {layer} must not include {target}"


def connect_problems(name, text):
    """Every connect has a context object: the three-argument form with a lambda has none."""
    for found in re.finditer(r"\bconnect\(([^;]*?)\);", text, flags=re.S):
        arguments = found.group(1)
        if re.search(r"^[^,]+,\s*&[\w:]+,\s*\[", arguments.strip()):
            yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: connect without a context object"


def condition_problems(name, text):
    """g++ 12 destroys a Task too early when it is awaited inside a condition: `if (co_await f())` crashes.

    Safe: `const bool ok = co_await f(); if (ok)`, or `if (const bool ok = co_await f(); ok)`.
    """
    for found in re.finditer(r"\b(if|while|switch)\s*\(", text):
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        condition = text[found.end():end].rsplit(";", 1)[-1]
        if "co_await" in condition:
            yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: co_await inside a condition crashes with g++ 12"


def member_return_problems(name, text):
    """QCoro 0.8 moves out of whatever lvalue is given to co_return: `co_return m_value;` empties the member."""
    for found in re.finditer(r"\bco_return\s+(?:(?:this|d)->\w+|m_\w+)\s*;", text):
        yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: co_return moves a member away; return a copy: T(member)"


def main():
    problems = []
    for path in files("tests"):
        name = path.relative_to(ROOT).as_posix()
        text = without_comments(path.read_text(encoding="utf-8"))
        problems += condition_problems(name, text)
        problems += member_return_problems(name, text)
    for top in ("core", "models", "ui", "app"):
        for path in files(top):
            name = path.relative_to(ROOT).as_posix()
            raw = path.read_text(encoding="utf-8")
            text = without_comments(raw)
            layer = layer_of(name)
            if layer:
                problems += include_problems(name, raw, layer)
            problems += connect_problems(name, text)
            problems += condition_problems(name, text)
            problems += member_return_problems(name, text)
            for folders, pattern, why in FORBIDDEN:
                if not name.startswith(tuple(f + "/" for f in folders.split())) or KEY_FILES.search(name):
                    continue
                for found in re.finditer(pattern, text):
                    if found.group() in EXCUSED.get(name, ()):
                        continue
                    problems.append(f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {why}: {found.group()}")
            lines = raw.count("\n")
            if lines > 600:
                problems.append(f"{name}: {lines} lines; a file has one reason to change")
            if path.suffix == ".h" and "#pragma once" not in raw:
                problems.append(f"{name}: no #pragma once")
    print("\n".join(problems) or "architecture: all rules hold")
    return 1 if problems else 0


sys.exit(main())
