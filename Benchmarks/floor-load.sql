BEGIN;
CREATE TEMP TABLE incoming (LIKE jikan.anime) ON COMMIT DROP;
\copy incoming FROM pstdin
INSERT INTO jikan.anime AS a SELECT * FROM incoming
ON CONFLICT (kind, mal_id) DO UPDATE SET
  title = excluded.title, title_english = excluded.title_english, title_japanese = excluded.title_japanese,
  type = excluded.type, source = excluded.source, episodes = excluded.episodes, status = excluded.status,
  airing = excluded.airing, aired_from = excluded.aired_from, rating = excluded.rating, score = excluded.score,
  scored_by = excluded.scored_by, rank = excluded.rank, popularity = excluded.popularity, members = excluded.members,
  favorites = excluded.favorites, season = excluded.season, year = excluded.year, url = excluded.url,
  image_url = excluded.image_url, synopsis = excluded.synopsis, raw = excluded.raw
WHERE a.raw IS DISTINCT FROM excluded.raw;
COMMIT;
