-- One page of a ranking.
-- $1 kind, $2 type of the upstream or NULL, $3 filter of the list
-- $4 filters jsonb, such as {"genres": ["Action"], "years": [2024], "min_score": 8.5}: min_score, and the members that
-- jikan.slice knows
-- Only for later pages, in microseconds bigint: $5 time of the first page's publication, $6 time of the first query
-- $7 key and $8 mal_id to continue after or NULL, $9 limit
-- $10 order: top, rank, score, popularity, members, favorites, airing or upcoming, $11 whether to read the list of
-- publication $5, $12 the only mal_id, or NULL, $13 entries to skip
WITH list AS MATERIALIZED (
  SELECT CASE WHEN EXISTS (SELECT FROM jikan.ranking WHERE kind = $1 AND subtype = $2 AND filter = $3)
              THEN $2::text ELSE 'all' END AS subtype
), moment AS MATERIALIZED (
  SELECT coalesce(
           timestamptz 'epoch' + $5::bigint * interval '1 microsecond',
           (SELECT max(taken_at) FROM jikan.published_order JOIN list USING (subtype) WHERE kind = $1 AND filter = $3)
         ) AS taken_at,
         coalesce(timestamptz 'epoch' + $6::bigint * interval '1 microsecond', transaction_timestamp()) AS began_at
), chosen AS (
  SELECT mal_id, position::bigint, unread FROM jikan.ranking r JOIN list USING (subtype)
  WHERE $10 = 'top' AND NOT $11::boolean AND kind = $1 AND filter = $3
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
  UNION ALL
  SELECT mal_id, coalesce(abs(signed), ordinality), coalesce(signed < 0, false)
  FROM jikan.published_order o CROSS JOIN unnest(o.mal_ids, o.positions) WITH ORDINALITY AS u (mal_id, signed)
  WHERE $10 = 'top' AND $11 AND kind = $1 AND subtype IN ($2, 'all') AND filter = $3
    AND taken_at = (SELECT taken_at FROM moment)
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
  UNION ALL
  SELECT mal_id, NULL::bigint, false FROM jikan.media m
  WHERE ($10 IN ('airing', 'upcoming') OR $10 <> 'top' AND $2::text IS NOT NULL)
    AND kind = $1 AND vanished_at IS NULL AND ($2::text IS NULL OR m.type = jikan.type_label($2)) AND $3 = 'none'
    AND CASE $10 WHEN 'airing' THEN ongoing WHEN 'upcoming' THEN status IN ('Not yet aired', 'Not yet published')
        ELSE true END
  UNION ALL
  -- All entries: their ids and those of vanished entries are in indexes, so that the documents are not read.
  SELECT mal_id, NULL::bigint, false FROM jikan.media
  WHERE $10 NOT IN ('top', 'airing', 'upcoming') AND $2::text IS NULL AND kind = $1 AND $3 = 'none'
    AND (kind, mal_id) NOT IN (SELECT kind, mal_id FROM jikan.media WHERE vanished_at IS NOT NULL)
), ranked AS (
  -- If a rank has changed since the first page was read, the rank in publication $5 is used instead.
  SELECT u.mal_id, u.rank_then
  FROM jikan.published_order o CROSS JOIN unnest(o.mal_ids, o.ranks) AS u (mal_id, rank_then)
  WHERE $6::bigint IS NOT NULL
    AND o.kind = $1 AND o.subtype IN ($2, 'all') AND o.filter = $3
    AND o.taken_at = (SELECT taken_at FROM moment)
), ordered AS (
  SELECT mal_id, unread, coalesce(CASE $10
           WHEN 'top' THEN position
           WHEN 'rank' THEN nullif(CASE WHEN c.changed_at > (SELECT began_at FROM moment)
                                   THEN coalesce(rank_then, c.rank) ELSE c.rank END, 0)
           WHEN 'score' THEN -(nullif(c.score, 0) * 1000000)::bigint
           WHEN 'favorites' THEN -c.favorites
           ELSE -c.members END, 9223372036854775807)::bigint AS key
  FROM chosen
  LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
  LEFT JOIN ranked USING (mal_id)
  WHERE ($12::bigint IS NULL OR mal_id = $12)
    AND (NOT $4::jsonb ? 'min_score' OR score > 0 AND score >= ($4->>'min_score')::numeric)
    AND ($4::jsonb - 'min_score' = '{}'
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4::jsonb - 'min_score') s))
), counted AS MATERIALIZED (
  SELECT count(*) AS total, count(*) FILTER (WHERE (key, mal_id) <= ($7::bigint, $8::bigint)) + $13::bigint AS before
  FROM ordered
), part AS (
  -- Only the rows of the page are sorted and have a place, and titles are looked up only for them.
  SELECT *, row_number() OVER (ORDER BY key, mal_id) AS place
  FROM (SELECT * FROM ordered WHERE $7::bigint IS NULL OR (key, mal_id) > ($7, $8::bigint)
        ORDER BY key, mal_id LIMIT $9 OFFSET $13) page
)
SELECT (extract(epoch FROM moment.taken_at) * 1000000)::bigint AS cursor_taken_at,
       (extract(epoch FROM moment.began_at) * 1000000)::bigint AS cursor_began_at,
       p.key AS cursor_key, p.mal_id AS cursor_mal_id,
       -- In a filtered list, entries are numbered among themselves.
       CASE WHEN $10 = 'top' AND $4::jsonb = '{}' AND coalesce($2::text, 'all') = (SELECT subtype FROM list)
            THEN p.key ELSE n.before + p.place END AS position,
       p.mal_id, m.title, m.title_english, m.title_japanese, m.type,
       nullif(c.score, 0) AS score, c.rank, c.members, c.favorites, m.url, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, p.mal_id) END AS not_mirrored, p.unread,
       n.total AS page_total
FROM part p CROSS JOIN moment CROSS JOIN counted n
LEFT JOIN (SELECT * FROM jikan.media WHERE kind = $1) m USING (mal_id)
LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
ORDER BY p.place
