-- Lists besides the top lists: genres, seasons, the schedule.

CREATE TABLE jikan.genre (
  kind          text NOT NULL CHECK (kind IN ('anime', 'manga')),
  facet         text NOT NULL CHECK (facet IN ('genres', 'explicit_genres', 'themes', 'demographics')),
  mal_id        bigint NOT NULL,
  name          text NOT NULL,
  url           text,
  count         integer,
  raw           jsonb COMPRESSION lz4 NOT NULL,
  content_hash  bytea NOT NULL,
  counter_hash  bigint NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, facet, mal_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE  jikan.genre IS 'Genres, themes and demographics of anime and manga, each list as last published.';
COMMENT ON COLUMN jikan.genre.kind IS 'anime or manga: two separate spaces of ids.';
COMMENT ON COLUMN jikan.genre.facet IS 'Which list of the kind: genres, explicit_genres, themes or demographics. An id may stand in two of them.';
COMMENT ON COLUMN jikan.genre.mal_id IS 'MyAnimeList''s id, by which the items of jikan.media name it in raw.';
COMMENT ON COLUMN jikan.genre.name IS 'Name, e.g. Action.';
COMMENT ON COLUMN jikan.genre.url IS 'Page at MyAnimeList.';
COMMENT ON COLUMN jikan.genre.count IS 'How many anime or manga have it, as the upstream counts them; moves every day.';
COMMENT ON COLUMN jikan.genre.raw IS 'The whole item as the upstream gave it.';
COMMENT ON COLUMN jikan.genre.content_hash IS 'SHA-256 of the item''s canonical form without the count, and of the version of the mapping.';
COMMENT ON COLUMN jikan.genre.counter_hash IS 'Hash of the count''s canonical form.';
COMMENT ON COLUMN jikan.genre.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN jikan.genre.changed_at IS 'When anything but the count last changed.';

COMMENT ON TABLE  jikan.ranking IS 'The lists as last published, each replaced as a whole: top lists, seasons, the schedule. sync.publication tells from which run.';
COMMENT ON COLUMN jikan.ranking.filter IS 'The upstream''s filter= parameter of a top list, e.g. airing, and none without one; or season:now, season:2024-spring, schedule, schedule:monday.';

CREATE VIEW jikan.season_entry AS
SELECT substr(r.filter, length('season:') + 1) AS list, r.position, r.mal_id, m.title, m.title_english, m.title_japanese,
       m.type, m.status, m.ongoing AS airing, m.episodes, m.started_at AS aired_from, m.season, m.year,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites, m.url, m.image_url,
       m.vanished_at
FROM jikan.ranking r
LEFT JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE r.kind = 'anime' AND r.subtype = 'all' AND starts_with(r.filter, 'season:');
COMMENT ON VIEW   jikan.season_entry IS 'The lists of seasons as last published, with titles and today''s counters.';

CREATE VIEW jikan.schedule_entry AS
SELECT coalesce(nullif(substr(r.filter, length('schedule:') + 1), ''), 'all') AS list, r.position, r.mal_id, m.title,
       m.title_english, m.title_japanese, m.type, m.status, m.ongoing AS airing, m.episodes, m.started_at AS aired_from,
       m.raw->'broadcast'->>'day' AS broadcast_day, m.raw->'broadcast'->>'time' AS broadcast_time,
       m.raw->'broadcast'->>'timezone' AS broadcast_timezone,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites, m.url, m.image_url,
       m.vanished_at
FROM jikan.ranking r
LEFT JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE r.kind = 'anime' AND r.subtype = 'all' AND (r.filter = 'schedule' OR starts_with(r.filter, 'schedule:'));
COMMENT ON VIEW   jikan.schedule_entry IS 'The schedule of anime on air as last published, with titles and today''s counters.';

-- The columns of the views say what those of the tables say.
DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.table_name, c.column_name, col_description(a.attrelid, a.attnum) AS text
    FROM information_schema.columns c
    JOIN pg_attribute a ON a.attrelid IN ('jikan.ranking'::regclass, 'jikan.anime'::regclass) AND a.attname = c.column_name
    WHERE c.table_schema = 'jikan' AND c.table_name IN ('season_entry', 'schedule_entry')
    ORDER BY a.attrelid = 'jikan.anime'::regclass
  LOOP
    EXECUTE format('COMMENT ON COLUMN jikan.%I.%I IS %L', v.table_name, v.column_name, v.text);
  END LOOP;
END $$;
COMMENT ON COLUMN jikan.season_entry.list IS 'now, upcoming, or a season such as 2024-spring.';
COMMENT ON COLUMN jikan.season_entry.season IS 'The season in which the anime itself began: winter, spring, summer or fall.';
COMMENT ON COLUMN jikan.season_entry.year IS 'Year of that season.';
COMMENT ON COLUMN jikan.schedule_entry.list IS 'all, a weekday, other or unknown.';
COMMENT ON COLUMN jikan.schedule_entry.broadcast_day IS 'Day of the broadcast, e.g. Mondays; null if unknown.';
COMMENT ON COLUMN jikan.schedule_entry.broadcast_time IS 'Time of the broadcast in broadcast_timezone, e.g. 18:00; null if unknown.';
COMMENT ON COLUMN jikan.schedule_entry.broadcast_timezone IS 'Time zone of the broadcast, e.g. Asia/Tokyo; null if unknown.';
