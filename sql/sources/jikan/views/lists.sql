CREATE OR REPLACE VIEW jikan.ranking_entry AS
SELECT r.kind, r.subtype, r.filter, r.position, r.mal_id, m.title, m.title_english, m.title_japanese, m.type,
       m.status, m.ongoing, m.episodes, m.chapters, m.volumes, m.started_at, nullif(c.score, 0) AS score, c.scored_by,
       c.rank, c.popularity, c.members, c.favorites, m.url, m.image_url, m.vanished_at, r.unread
FROM jikan.ranking r
LEFT JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id);
COMMENT ON VIEW   jikan.ranking_entry IS 'The published lists with titles and today''s counters.';

CREATE OR REPLACE VIEW jikan.season_entry AS
SELECT substr(r.filter, length('season:') + 1) AS list, r.position, r.mal_id, m.title, m.title_english, m.title_japanese,
       m.type, m.status, m.ongoing AS airing, m.episodes, m.started_at AS aired_from, m.season, m.year,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites, m.url, m.image_url,
       m.vanished_at, r.unread
FROM jikan.ranking r
LEFT JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE r.kind = 'anime' AND r.subtype = 'all' AND starts_with(r.filter, 'season:');
COMMENT ON VIEW   jikan.season_entry IS 'The lists of seasons as last published, with titles and today''s counters.';

CREATE OR REPLACE VIEW jikan.schedule_entry AS
SELECT coalesce(nullif(substr(r.filter, length('schedule:') + 1), ''), 'all') AS list, r.position, r.mal_id, m.title,
       m.title_english, m.title_japanese, m.type, m.status, m.ongoing AS airing, m.episodes, m.started_at AS aired_from,
       m.raw->'broadcast'->>'day' AS broadcast_day, m.raw->'broadcast'->>'time' AS broadcast_time,
       m.raw->'broadcast'->>'timezone' AS broadcast_timezone,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites, m.url, m.image_url,
       m.vanished_at, r.unread
FROM jikan.ranking r
LEFT JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE r.kind = 'anime' AND r.subtype = 'all' AND (r.filter = 'schedule' OR starts_with(r.filter, 'schedule:'));
COMMENT ON VIEW   jikan.schedule_entry IS 'The schedule of anime on air as last published, with titles and today''s counters.';

DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT a.attrelid::regclass AS view, a.attname,
           coalesce(col_description(r.attrelid, r.attnum), col_description(m.attrelid, m.attnum),
                    col_description(c.attrelid, c.attnum)) AS text
    FROM pg_attribute a
    LEFT JOIN pg_attribute r ON r.attrelid = 'jikan.ranking'::regclass AND r.attname = a.attname
    LEFT JOIN pg_attribute m ON m.attrelid = 'jikan.media'::regclass AND m.attname = CASE a.attname
      WHEN 'airing' THEN 'ongoing' WHEN 'aired_from' THEN 'started_at' ELSE a.attname END
    LEFT JOIN pg_attribute c ON c.attrelid = 'jikan.media_counters'::regclass AND c.attname = a.attname
    WHERE a.attnum > 0 AND a.attrelid IN (
      'jikan.ranking_entry'::regclass, 'jikan.season_entry'::regclass, 'jikan.schedule_entry'::regclass)
  LOOP
    EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', v.view, v.attname, v.text);
  END LOOP;
END $$;

COMMENT ON COLUMN jikan.ranking_entry.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.ranking_entry.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';
COMMENT ON COLUMN jikan.season_entry.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.schedule_entry.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.season_entry.list IS 'now, upcoming, or a season such as 2024-spring.';
COMMENT ON COLUMN jikan.season_entry.season IS 'The season in which the anime itself began: winter, spring, summer or fall.';
COMMENT ON COLUMN jikan.season_entry.year IS 'Year of that season.';
COMMENT ON COLUMN jikan.schedule_entry.list IS 'all, a weekday, other or unknown.';
COMMENT ON COLUMN jikan.schedule_entry.broadcast_day IS 'Day of the broadcast, e.g. Mondays; null if unknown.';
COMMENT ON COLUMN jikan.schedule_entry.broadcast_time IS 'Time of the broadcast in broadcast_timezone, e.g. 18:00; null if unknown.';
COMMENT ON COLUMN jikan.schedule_entry.broadcast_timezone IS 'Time zone of the broadcast, e.g. Asia/Tokyo; null if unknown.';
