#!/usr/bin/env python3
"""What somebody writes in an hour instead of using syncctl: asyncio and httpx fetch the pages, orjson reads them, and
psycopg copies the rows into a temporary table and merges it. No limits, no retries, nothing to resume.

  script.py BASE_URL DATABASE_URL

The table is that of floor.sql. Needs httpx, orjson and psycopg 3.
"""

import asyncio
import sys

import httpx
import orjson
import psycopg

AT_ONCE = 16
COLUMNS = """kind mal_id title title_english title_japanese type source episodes status airing aired_from rating score
scored_by rank popularity members favorites season year url image_url synopsis raw""".split()
SAME_NAME = [name for name in COLUMNS if name not in ("kind", "aired_from", "image_url", "raw")]


def row(item):
    values = {name: item.get(name) for name in SAME_NAME}
    values["kind"] = "anime"
    values["aired_from"] = item["aired"]["from"]
    values["image_url"] = item["images"]["jpg"]["image_url"]
    values["raw"] = orjson.dumps(item).decode()
    return [values[name] for name in COLUMNS]


async def main(base, database):
    async with httpx.AsyncClient(timeout=30) as client, await psycopg.AsyncConnection.connect(database) as connection:

        async def fetch(page):
            answer = await client.get(f"{base}/top/anime", params={"page": page, "limit": 25})
            answer.raise_for_status()
            return orjson.loads(answer.content)

        last = (await fetch(1))["pagination"]["last_visible_page"]
        await connection.execute("CREATE TEMP TABLE incoming (LIKE jikan.anime) ON COMMIT DROP")
        async with connection.cursor().copy("COPY incoming FROM STDIN") as copy:
            for start in range(1, last + 1, AT_ONCE):
                pages = range(start, min(start + AT_ONCE, last + 1))
                for answer in await asyncio.gather(*map(fetch, pages)):
                    for item in answer["data"]:
                        await copy.write_row(row(item))
        changes = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS[2:])
        await connection.execute(
            f"""INSERT INTO jikan.anime AS a SELECT DISTINCT ON (kind, mal_id) * FROM incoming ORDER BY kind, mal_id
                ON CONFLICT (kind, mal_id) DO UPDATE SET {changes} WHERE a.raw IS DISTINCT FROM excluded.raw""")


asyncio.run(main(*sys.argv[1:]))
