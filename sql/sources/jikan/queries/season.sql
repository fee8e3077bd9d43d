-- The anime of a season in the order of the season's list. Without a list, the query returns the anime that began in
-- the season, most popular first.
-- $1 list, e.g. 2024-spring, $2 year or NULL, $3 season or NULL, $4 limit, $5 entries to skip
WITH listed AS (
  SELECT mal_id, position, unread FROM jikan.ranking
  WHERE kind = 'anime' AND subtype = 'all' AND filter = 'season:' || $1
), entry AS (
  SELECT mal_id, position, unread FROM listed
  UNION ALL
  SELECT mal_id, row_number() OVER (ORDER BY c.members DESC NULLS LAST, mal_id), false
  FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE kind = 'anime' AND m.year = $2::integer AND m.season = $3::text AND m.vanished_at IS NULL
    AND NOT EXISTS (SELECT FROM listed)
)
SELECT e.position, 'anime' AS kind, e.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.episodes, m.status,
       m.started_at AS aired_from, studio.names AS studios, nullif(c.score, 0) AS score, c.rank, c.members, c.favorites,
       m.url, m.image_url, CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored('anime', e.mal_id) END AS not_mirrored,
       (SELECT count(*) > 0 FROM listed) AS is_listed, e.unread, (SELECT count(*) FROM entry) AS page_total
FROM entry e
LEFT JOIN (SELECT * FROM jikan.media WHERE kind = 'anime') m USING (mal_id)
LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = 'anime') c USING (mal_id)
LEFT JOIN LATERAL (
  SELECT to_json(array_agg(l.name ORDER BY l.name)) AS names
  FROM jikan.media_link l WHERE l.kind = 'anime' AND l.mal_id = e.mal_id AND l.facet = 'studios'
) studio ON true
ORDER BY e.position, e.unread, e.mal_id LIMIT $4 OFFSET $5
