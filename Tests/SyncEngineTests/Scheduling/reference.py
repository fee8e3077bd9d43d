#!/usr/bin/env python3
"""When croniter and zoneinfo say that 50 expressions fire in 12 time zones in ten years.

    python3 -m venv venv && venv/bin/pip install croniter tzdata
    venv/bin/python reference.py                          # prints the fixture: > reference.csv
    venv/bin/python reference.py ZONE EXPRESSION          # prints the instants of one pair
    venv/bin/python reference.py --differences            # prints where croniter itself differs around clock changes

croniter finds the *local* times, without a zone. This script converts them to UTC by the rules of cronie, using only
what zoneinfo says about a local time (PEP 495). So the calendar is croniter's, the zones are Python's, and the rules
for clock changes are implemented a second time: the Swift code searches for a zone's changes; this script does that
only to find when a skipped time is made up for.

A digest is the 64-bit FNV-1a of the decimal instants, separated by newlines. It need not resist attackers, and both
languages compute it in three lines without a library.
"""

import argparse
import csv
import multiprocessing
import sys
from bisect import bisect_left
from collections import Counter
from datetime import datetime, timedelta, timezone
from importlib.metadata import version
from zoneinfo import ZoneInfo, reset_tzpath

from croniter import croniter

# The package's zone data, not the machine's: the fixture must not depend on where it was made.
reset_tzpath([])

# Ten years whose zone data are settled. The span is half open.
START = int(datetime(2011, 1, 1, tzinfo=timezone.utc).timestamp())
END = int(datetime(2021, 1, 1, tzinfo=timezone.utc).timestamp())
EPOCH = datetime(1970, 1, 1)
LONGEST_BRIDGED = timedelta(hours=3)

ZONES = [
    "Africa/Cairo",  # changes at midnight, none for years, four in 2014
    "Africa/Casablanca",  # four changes a year, for Ramadan
    "America/New_York",
    "America/Sao_Paulo",  # midnight is skipped
    "America/St_Johns",  # half an hour; changed at one minute past midnight until 2011
    "Antarctica/Casey",  # changes of three hours
    "Antarctica/Troll",  # changes of two hours
    "Asia/Gaza",  # at midnight, at one, and on Fridays or Saturdays
    "Asia/Tehran",  # at midnight, half an hour
    "Australia/Lord_Howe",  # changes of half an hour
    "Europe/Dublin",  # winter time is the one with the negative change
    "Pacific/Apia",  # 2011-12-30 never was
]

EXPRESSIONS = [
    # Minute or hour begins with a star: these follow the clock.
    "0 * * * *",
    "*/5 2 * 3-4,9-11 *",
    "* 2 * 3,4,10,11 0",
    "*/20 0-3 * * sun",
    "30 */6 * * *",
    "*/15 1 * * 6,7",
    "0 */12 * * *",
    "59 * 1 * *",
    "*/30 * 29 2 *",
    "15 * * 3,10 0",
    "* 0 1 1 *",
    "*/10 23 * oct-nov *",
    "* 3 * mar sun",
    "5 * 31 12 *",
    "*/7 1-2 * 3,4 0",
    "0 */3 30 12 *",
    # Every day at a time of its own: these are made up for, and do not fire twice.
    "0 0 * * *",
    "1 0 * * *",
    "30 0 * * *",
    "0 1 * * *",
    "30 1 * * *",
    "45 1 * * *",
    "0 2 * * *",
    "30 2 * * *",
    "15 3 * * *",
    "59 23 * * *",
    "@midnight",
    # Several times a day, so that one moment makes up for more than one.
    "0-59 2 * 3,4,10,11 0",
    "0,30 0-5 * * 0",
    "5-55/10 1-3 * 3,4,10,11 sun",
    "7,22,52 0,1,23 * * fri-sat",
    # Days of the month, of the week, either, both.
    "@monthly",
    "@yearly",
    "@weekly",
    "0 0 29 2 *",
    "0 12 31 * *",
    "0 0 30 dec *",
    "0 0 31 1,3,5,7,8,10,12 *",
    "0 9 * * mon-fri",
    "0 3 * 1,7 MON-FRI",
    "0 0 * * 7",
    "0 0 1,15 * mon",
    "30 2 13 * 5",
    "30 2 */13 * 5",
    "0 0 */2 * */3",
    "0 5 1-7 * */7",
    "20 4 29 2 1",
    "0 0 25-31 10 sun",
    "0 0 1-31/10 * 2-4/2",
    "45 23 28-31 * 0-6/6",
]


def is_wild(expression):
    if expression.startswith("@"):
        return expression == "@hourly"
    minute, hour = expression.split()[:2]
    return minute.startswith("*") or hour.startswith("*")


def local_times(expression):
    """As croniter finds them without a zone, from two days before the span to two days behind it."""
    end = datetime(2021, 1, 3)
    times = croniter(expression, datetime(2010, 12, 29, 23, 59), implement_cron_bug=True)
    found = []
    while (time := times.get_next(datetime)) < end:
        found.append(time)
    return found


def change_between(zone, early, late):
    """The first second that has another offset than `early`; Unix seconds."""
    offset = zone.utcoffset(datetime.fromtimestamp(early, zone))
    while late - early > 1:
        middle = (early + late) // 2
        if zone.utcoffset(datetime.fromtimestamp(middle, zone)) == offset:
            early = middle
        else:
            late = middle
    return late


def instants(times, zone, wild):
    """The firings in the span: local times brought to UTC by the rules of cronie."""
    found = set()
    for time in times:
        seconds = (time - EPOCH) // timedelta(seconds=1)
        first = zone.utcoffset(time)
        second = zone.utcoffset(time.replace(fold=1))
        early = seconds - int(first.total_seconds())
        late = seconds - int(second.total_seconds())
        if first == second:
            found.add(early)
        elif first > second:
            # Shown twice: `early` is the first of the two.
            found.add(early)
            if wild or first - second > LONGEST_BRIDGED:
                found.add(late)
        elif not wild and second - first <= LONGEST_BRIDGED:
            # Never shown: `late` lies before the change here, and `early` behind it.
            found.add(change_between(zone, late, early))
    return sorted(instant for instant in found if START <= instant < END)


def digest(found):
    state = 0xCBF29CE484222325
    for byte in "\n".join(map(str, found)).encode():
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{state:016x}"


def fixture_rows(expression):
    times = local_times(expression)
    rows = []
    for name in ZONES:
        found = instants(times, ZoneInfo(name), is_wild(expression))
        rows.append((name, expression, len(found), digest(found)))
    return rows


def print_fixture(pool):
    print(f"# reference.py: croniter {version('croniter')}, tzdata {version('tzdata')}")
    writer = csv.writer(sys.stdout, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    for rows in pool.imap(fixture_rows, EXPRESSIONS):
        writer.writerows(rows)


def changes(zone):
    """All clock changes of the span and a day around it: (instant, seconds that the clock was put ahead by)."""
    found = []
    for early in range(START - 86400, END + 86400, 86400):
        before, after = (zone.utcoffset(datetime.fromtimestamp(moment, zone)) for moment in (early, early + 86400))
        if before != after:
            found.append((change_between(zone, early, early + 86400), int((after - before).total_seconds())))
    return found


def aware_instants(expression, zone):
    """The firings as croniter finds them when it is told the zone."""
    times = croniter(expression, datetime.fromtimestamp(START - 1, zone), implement_cron_bug=True)
    found = []
    last = START - 1
    while True:
        instant = int(times.get_next(datetime).timestamp())
        if instant <= last:
            return found, True
        if instant >= END:
            return found, False
        found.append(instant)
        last = instant


def differences(pair):
    """Counts of what croniter lacks (-) or has too much (+), by the clock change that is less than a day away."""
    name, expression = pair
    zone = ZoneInfo(name)
    wild = is_wild(expression)
    ours = set(instants(local_times(expression), zone, wild))
    theirs, stuck = aware_instants(expression, zone)
    theirs = set(theirs)
    moments = changes(zone)
    counts = Counter({"pairs": 1, "instants": len(ours), "stuck": int(stuck)})
    examples = {}
    for instant in sorted(ours ^ theirs):
        place = bisect_left(moments, (instant - 86400, 0))
        near = moments[place] if place < len(moments) and moments[place][0] <= instant + 86400 else None
        kind = "elsewhere" if near is None else "gap" if near[1] > 0 else "fold"
        bridged = near is None or abs(near[1]) <= LONGEST_BRIDGED.total_seconds()
        key = (kind, bridged, "wild" if wild else "fixed", "-" if instant in ours else "+")
        counts[key] += 1
        examples.setdefault(key, (name, expression, instant))
    counts["differing pairs"] = int(ours != theirs)
    return counts, examples


def print_differences(pool):
    total = Counter()
    examples = {}
    for counts, found in pool.imap(differences, [(name, text) for name in ZONES for text in EXPRESSIONS]):
        total.update(counts)
        for key, example in found.items():
            examples.setdefault(key, example)
    for key in ("pairs", "differing pairs", "instants", "stuck"):
        print(f"{key}: {total[key]}")
    print("| clock change | expression | croniter | firings | e.g. |")
    print("| --- | --- | --- | ---: | --- |")
    for key in sorted(examples):
        kind, bridged, wild, sign = key
        name, expression, instant = examples[key]
        change = kind if bridged else f"{kind} of more than 3 h"
        moment = datetime.fromtimestamp(instant, ZoneInfo(name)).isoformat()
        verb = "lacks" if sign == "-" else "adds"
        print(f"| {change} | {wild} | {verb} | {total[key]} | `{expression}` in {name}, {moment} |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("pair", nargs="*", metavar="ZONE EXPRESSION")
    arguments.add_argument("--differences", action="store_true", help="run croniter with the zone, and compare")
    arguments.add_argument("--aware", action="store_true", help="with a pair: as croniter finds them with the zone")
    options = arguments.parse_args()
    if len(options.pair) not in (0, 2):
        arguments.error("name a zone and an expression, or nothing")
    if options.pair:
        name, expression = options.pair
        zone = ZoneInfo(name)
        if options.aware:
            found = aware_instants(expression, zone)[0]
        else:
            found = instants(local_times(expression), zone, is_wild(expression))
        for instant in found:
            print(instant, datetime.fromtimestamp(instant, zone).isoformat())
        return
    with multiprocessing.Pool() as pool:
        print_differences(pool) if options.differences else print_fixture(pool)


if __name__ == "__main__":
    main()
