-- `raw || '{}'` decompresses the document once; jikan.with_counters reads it several times.
CREATE OR REPLACE VIEW jikan.anime AS
SELECT m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.source, m.episodes, m.status,
       m.ongoing AS airing, m.started_at AS aired_from, m.rating,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites,
       m.season, m.year, m.url, m.image_url, m.synopsis,
       jikan.with_counters(m.raw || '{}', jsonb_build_object('score', c.score, 'scored_by', c.scored_by, 'rank', c.rank,
         'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
       m.content_hash, m.first_seen_at, m.changed_at, m.vanished_at, m.approved,
       d.ended_at AS aired_to, d.broadcast_day, d.broadcast_time, d.minutes AS duration_minutes,
       ARRAY(SELECT name FROM unnest(l.facets, l.names) AS u (facet, name) WHERE facet = 'genres') COLLATE "default"
         AS genres,
       ARRAY(SELECT name FROM unnest(l.facets, l.names) AS u (facet, name) WHERE facet = 'studios') COLLATE "default"
         AS studios
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
LEFT JOIN LATERAL (
  -- PostgreSQL omits this join if a query uses none of its columns, because an aggregate without GROUP BY returns one
  -- row. `|| '{}'` and OFFSET 0 make it decompress the document once, not once per member.
  SELECT min(jikan.moment(raw->'aired'->'to')) AS ended_at, min(jikan.string(raw->'broadcast'->'day')) AS broadcast_day,
         min(jikan.clock(raw->'broadcast'->'time')) AS broadcast_time, min(jikan.minutes(raw->'duration')) AS minutes
  FROM (SELECT m.raw || '{}' AS raw OFFSET 0) d
) d ON true
LEFT JOIN jikan.media_links l USING (kind, mal_id)
WHERE m.kind = 'anime';
COMMENT ON VIEW   jikan.anime IS 'Anime of the mirror, one row per mal_id.';

CREATE OR REPLACE VIEW jikan.manga AS
SELECT m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.chapters, m.volumes, m.status,
       m.ongoing AS publishing, m.started_at AS published_from,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites,
       m.url, m.image_url, m.synopsis,
       jikan.with_counters(m.raw || '{}', jsonb_build_object('score', c.score, 'scored', c.score, 'scored_by', c.scored_by,
         'rank', c.rank, 'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
       m.content_hash, m.first_seen_at, m.changed_at, m.vanished_at, m.approved,
       d.ended_at AS published_to,
       ARRAY(SELECT name FROM unnest(l.facets, l.names) AS u (facet, name) WHERE facet = 'genres') COLLATE "default"
         AS genres,
       ARRAY(SELECT name FROM unnest(l.facets, l.names) AS u (facet, name) WHERE facet = 'authors') COLLATE "default"
         AS authors
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
LEFT JOIN LATERAL (
  -- PostgreSQL omits this join if a query uses none of its columns, because an aggregate without GROUP BY returns one
  -- row. `|| '{}'` and OFFSET 0 make it decompress the document once, not once per member.
  SELECT min(jikan.moment(raw->'published'->'to')) AS ended_at
  FROM (SELECT m.raw || '{}' AS raw OFFSET 0) d
) d ON true
LEFT JOIN jikan.media_links l USING (kind, mal_id)
WHERE m.kind = 'manga';
COMMENT ON VIEW   jikan.manga IS 'Manga of the mirror, one row per mal_id.';

DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT a.attrelid::regclass AS view, a.attname,
           coalesce(col_description(m.attrelid, m.attnum), col_description(c.attrelid, c.attnum)) AS text
    FROM pg_attribute a
    LEFT JOIN pg_attribute m ON m.attrelid = 'jikan.media'::regclass AND m.attname = CASE a.attname
      WHEN 'airing' THEN 'ongoing' WHEN 'publishing' THEN 'ongoing' WHEN 'aired_from' THEN 'started_at'
      WHEN 'published_from' THEN 'started_at' ELSE a.attname END
    LEFT JOIN pg_attribute c ON c.attrelid = 'jikan.media_counters'::regclass AND c.attname = a.attname
    WHERE a.attrelid IN ('jikan.anime'::regclass, 'jikan.manga'::regclass) AND a.attnum > 0
  LOOP
    EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', v.view, v.attname, v.text);
  END LOOP;
END $$;

COMMENT ON COLUMN jikan.anime.raw IS 'The whole item as the upstream gave it.';
COMMENT ON COLUMN jikan.anime.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.manga.raw IS 'The whole item as the upstream gave it.';
COMMENT ON COLUMN jikan.manga.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.anime.aired_to IS 'Day of the last episode, 00:00 UTC; null while the anime airs, or if unknown.';
COMMENT ON COLUMN jikan.anime.broadcast_day IS 'Day of the week in Japan, as the upstream spells it, e.g. Fridays.';
COMMENT ON COLUMN jikan.anime.broadcast_time IS 'Time of day in Japan (UTC+9).';
COMMENT ON COLUMN jikan.anime.duration_minutes IS 'Length of an episode or of the whole film, in minutes.';
COMMENT ON COLUMN jikan.anime.genres IS 'Names of the genres, without themes and demographics (jikan.media_genre).';
COMMENT ON COLUMN jikan.anime.studios IS 'Names of the studios.';
COMMENT ON COLUMN jikan.manga.published_to IS 'Last day of publication, 00:00 UTC; null while the manga is published, or if unknown.';
COMMENT ON COLUMN jikan.manga.genres IS 'Names of the genres, without themes and demographics (jikan.media_genre).';
COMMENT ON COLUMN jikan.manga.authors IS 'Names of the authors: family name, given name.';
