#!/usr/bin/env python3
"""Writes .build/torture/report.md: each fault of Tests/faults.txt, its tests, and their results.

    scripts/torture report LOG ...

LOG is the output of `make test`. The report also includes the last outputs of `scripts/torture` and `scripts/drill/run` in
.build.
"""

import datetime
import pathlib
import re
import sys

REPORT = pathlib.Path(".build/torture/report.md")
TYPE = re.compile(r"( *)(?:@\w+(?:\(.*\))? )*(?:\w+ )*?(?:struct|enum|class|actor|extension) (\w+)")
TEST = re.compile(r'@Test\b\s*(?:\(\s*"((?:[^"\\]|\\.)*)")?.*?\bfunc (\w+)', re.S)
ENDED = re.compile(
    r'[✔✘] Test (?:"(.*)"|(\w+)\([^ ]*\))(?: with (\d+) test cases?)? (passed|failed) after [\d.]+ seconds')
SKIPPED = re.compile(r'Test (?:"(.*)"|(\w+)\([^ ]*\)) skipped')
TOTAL = re.compile(r"[✔✘] (Test run with \d+ tests?.*? (?:passed|failed) after [\d.]+ seconds.*)")


def displayed_names():
    """Returns the names of each test in the log, by `Suite/test`, and the names that several tests share."""
    names, sharing = {}, {}
    for path in sorted(pathlib.Path("Tests").rglob("*.swift")):
        text = path.read_text()
        # The types that enclose each position, found by indentation.
        types = [(m.start(), len(m[1]), m[2]) for line in re.finditer(r"^.*$", text, re.M)
                 if (m := TYPE.match(text, line.start(), line.end()))]
        for match in TEST.finditer(text):
            indent = match.start() - text.rfind("\n", 0, match.start()) - 1
            suite = next((n for at, i, n in reversed(types) if at < match.start() and i < indent), None)
            name = re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[2] + "()"
            names.setdefault(f"{suite}/{match[2]}", set()).add(name)
            sharing.setdefault(name, set()).add((path, suite))
    return names, {name for name, places in sharing.items() if len(places) > 1}


class Log:
    """The results in the logs: by displayed name, the cases that ran, and the tests that failed. If a test ran several
    times, its last run counts."""

    def __init__(self, paths):
        self.cases, self.failed, self.skipped, self.totals = {}, set(), set(), []
        for path in sorted(paths, key=lambda path: path.stat().st_mtime):
            text = path.read_text(errors="replace")
            ended = [(display or function + "()", int(cases or 1), end)
                     for display, function, cases, end in ENDED.findall(text)]
            self.failed -= {name for name, _, _ in ended}
            self.failed |= {name for name, _, end in ended if end == "failed"}
            self.cases |= {name: cases for name, cases, _ in ended}
            self.skipped |= {display or function + "()" for display, function in SKIPPED.findall(text)}
            self.totals += [(date(path), total) for total in TOTAL.findall(text)[-1:]]


def date(path):
    return datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def faults():
    for line in pathlib.Path("Tests/faults.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            ident, fault, tests, gap = (cell.strip() for cell in line.split("|"))
            yield ident, fault, [] if tests == "none" else tests.split(), gap


def number(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def result(tests, names, shared, log):
    """Returns the number of tests and cases that ran, and their results."""
    cases, failed, missing = 0, [], []
    for test in tests:
        for name in names.get(test, {""}):
            if name in log.failed:
                # If two tests have the same name, the log does not say which of them failed.
                failed.append(f"`{test}`" + (" or one of the same name" if name in shared else ""))
            elif name in log.cases:
                cases += log.cases[name]
            else:
                missing.append(f"`{test}`" + (" (skipped)" if name in log.skipped else ""))
    ran = len(tests) - len(missing)
    words = ["FAILED: " + ", ".join(failed)] if failed else ["passed"] if ran else []
    if missing:
        words.append("not run: " + ", ".join(missing) if ran else "not run")
    return number(ran, "test") + (f", {number(cases, 'case')}" if cases > ran else ""), "; ".join(words)


def figures(title, folder, command):
    """Yields the inputs and measurements of the parts or of the drills."""
    yield f"## {title}\n"
    logs = sorted(pathlib.Path(folder).glob("*.log"))
    if not logs:
        yield f"None has been run; `{command}` runs them.\n"
    for path in logs:
        log = Log([path])
        ends = log.totals[0][1] if log.totals else "it did not finish"
        yield f"**{path.stem}** ({date(path)}): {ends}\n"
        lines = re.findall(r"^(?:torture|drill): (.*)$", path.read_text(errors="replace"), re.M)
        # The output of a program can contain anything, even the end of a code block.
        yield "```\n" + "\n".join(lines).replace("```", "'''") + "\n```\n" if lines else ""


def report(paths):
    names, shared = displayed_names()
    kept = [path for folder in (".build/torture", ".build/drills") for path in pathlib.Path(folder).glob("*.log")]
    log = Log(paths + kept)
    rows = list(faults())
    tested = [(ident, fault, tests, *result(tests, names, shared, log)) for ident, fault, tests, _ in rows if tests]
    untested = [(ident, fault, gap) for ident, fault, tests, gap in rows if not tests]
    passed = sum(outcome == "passed" for *_, outcome in tested)
    yield "# Torture report\n"
    yield "Written by `scripts/torture report`. The faults that syncctl can meet, the tests that show how it"
    yield "handles them, and the last results of these tests.\n"
    yield f"Of {len(rows)} faults, {len(tested)} have tests and {len(untested)} have none."
    yield f"When they were last run, all tests of {passed} faults passed.\n"
    for when, total in Log(paths).totals:
        yield f"* {when}: {total}"
    yield "\n## Faults\n\nU: upstream, D: database, P: process and time, C: configuration.\n"
    yield "| id | fault | tests | count | result |\n|---|---|---|---|---|"
    for ident, fault, tests, count, outcome in tested:
        yield f"| {ident} | {fault} | {', '.join(f'`{test}`' for test in tests)} | {count} | {outcome} |"
    yield "\n## Faults without a test\n"
    yield from (f"* **{ident}**, {fault}: {gap}" for ident, fault, gap in untested)
    yield "\n## Not covered by the tests of a fault\n"
    yield from (f"* **{ident}**, {fault}: {gap}" for ident, fault, tests, gap in rows if tests and gap)
    yield ""
    yield from figures("Tests at length", ".build/torture", "make torture")
    yield from figures("Drills", ".build/drills", "scripts/drill/run all")


def main():
    paths = [pathlib.Path(argument) for argument in sys.argv[1:]]
    if not paths:
        sys.exit("torture: a report needs the log of `make test`: scripts/torture report LOG ...")
    for path in paths:
        if not path.is_file():
            sys.exit(f"torture: there is no log {path}")
    text = "\n".join(report(paths))
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n")
    summary = re.search(r"^Of .*\n.*$", text, re.M)[0].replace("\n", " ")
    print(f"{REPORT}: {summary}")


main()
