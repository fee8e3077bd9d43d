-- All data of an anime or a manga. Lists and objects are JSON.
-- $1 kind, $2 mal_id
SELECT m.kind, m.mal_id, m.title, m.title_english, m.title_japanese,
       CASE WHEN jsonb_typeof(m.raw->'titles') = 'array' THEN m.raw->'titles' ELSE '[]' END AS titles,
       m.type, m.source, m.episodes, m.chapters, m.volumes, m.status, m.ongoing, m.started_at,
       coalesce(m.raw->'aired', m.raw->'published')->>'to' AS ended_at,
       coalesce(m.raw->'aired', m.raw->'published')->>'string' AS dates, m.raw->>'duration' AS duration, m.rating,
       m.season, m.year, m.raw->'broadcast'->>'string' AS broadcast,
       link.studios, link.producers, link.licensors, link.authors, link.serializations, link.genres, link.themes,
       link.demographics,
       nullif(c.score, 0) AS score, c.scored_by, nullif(c.rank, 0) AS rank, c.popularity, c.members, c.favorites,
       (
         SELECT json_build_object(
           'since', to_char(h.valid_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'position', h.position, 'score', h.score, 'rank', h.rank, 'members', h.members, 'favorites', h.favorites)
         FROM jikan.ranking_history h
         WHERE h.kind = $1 AND h.subtype = 'all' AND h.filter = 'none' AND h.mal_id = $2
         ORDER BY h.valid_from > clock_timestamp() - interval '30 days',
                  abs(extract(epoch FROM h.valid_from - clock_timestamp() + interval '30 days'))
         LIMIT 1
       ) AS before,
       (
         SELECT coalesce(json_agg(json_build_object(
             'list', l.list, 'position', l.position, 'unread', l.unread) ORDER BY l.list), '[]')
         FROM (
           SELECT CASE WHEN starts_with(r.filter, 'season:') THEN
                    'seasons:' || replace(substr(r.filter, length('season:') + 1), '-', ':')
                  WHEN r.filter = 'schedule' OR starts_with(r.filter, 'schedule:') THEN
                    'schedules' || substr(r.filter, length('schedule') + 1)
                  ELSE concat_ws(':', 'top-' || r.kind, nullif(r.subtype, 'all'), nullif(r.filter, 'none'))
                  END AS list, r.position, r.unread
           FROM jikan.ranking r WHERE r.kind = $1 AND r.mal_id = $2
         ) l
       ) AS lists,
       (
         SELECT coalesce(json_agg(f.collection ORDER BY f.collection), '[]')
         FROM app.favorite f WHERE f.source = 'jikan' AND f.kind = $1 AND f.id = $2
       ) AS collections,
       m.url, m.image_url, m.raw->'trailer'->>'url' AS trailer_url, m.synopsis, m.raw->>'background' AS background,
       m.first_seen_at, m.changed_at, m.vanished_at
FROM jikan.media m
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
CROSS JOIN LATERAL (
  SELECT coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'studios')), '[]') AS studios,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'producers')), '[]') AS producers,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'licensors')), '[]') AS licensors,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'authors')), '[]') AS authors,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'serializations')), '[]')
           AS serializations,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet IN ('genres', 'explicit_genres'))), '[]')
           AS genres,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'themes')), '[]') AS themes,
         coalesce(to_json(array_agg(name ORDER BY name) FILTER (WHERE facet = 'demographics')), '[]') AS demographics
  FROM jikan.media_link WHERE kind = $1 AND mal_id = $2
) link
WHERE m.kind = $1 AND m.mal_id = $2
