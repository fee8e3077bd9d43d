-- Values of the placeholders in sql/templates. `d` is a stored document; `key` is a requested key.

/* table: */ jikan.media
/* in scope: */ d.kind = (/* scope */)[1]
/* space: */ array_to_string((/* scope */)[1:1], '/')
/* key: */ d.mal_id
/* has key: */ d.mal_id = key
/* among keys: */ d.mal_id = ANY ($1::bigint[])
/* title: */ d.title
/* document: */ jikan.with_counters(d.raw, jsonb_build_object(
  'score', c.score, 'scored', c.score, 'scored_by', c.scored_by, 'rank', c.rank, 'popularity', c.popularity,
  'members', c.members, 'favorites', c.favorites))
/* counters: */ LEFT JOIN jikan.media_counters c USING (kind, mal_id)
/* vanished: */ d.vanished_at IS NOT NULL
/* changed at: */ greatest(d.changed_at, c.changed_at)
/* requested at: */ greatest(d.requested_at, c.requested_at)
/* noted: */
substr(d.content_hash, 1, 32) = decode(repeat('00', 32), 'hex') OR c.counter_hash IS NULL OR c.counter_hash = -1
/* counters differ: */ c.counter_hash IS DISTINCT FROM i.counter_hash
/* differing: */ CASE WHEN d.content_hash IS DISTINCT FROM i.content_hash OR d.vanished_at IS NOT NULL
            THEN 'jikan.media' ELSE 'jikan.media_counters' END
/* look-up: */
-- OFFSET 0 forces one look-up for each item. Without statistics, as in a first load, the planner expects few rows of a
-- kind and would read the whole kind for each page.
LEFT JOIN LATERAL (SELECT d.* FROM jikan.media d WHERE d.kind = (/* scope */)[1] AND d.mal_id = key OFFSET 0) d ON true
LEFT JOIN LATERAL (
  SELECT counter_hash, requested_at, changed_at FROM jikan.media_counters WHERE kind = (/* scope */)[1] AND mal_id = key OFFSET 0
) c ON true
/* list: */ array_to_string((/* scope */)[1:3], '/')
/* entries: */ coalesce(array_send(array_agg(mal_id)) || array_send(array_agg(/* signed position */))
    || array_send(array_agg(score)), '')
    || coalesce(array_send((array_agg(rank))[:($3::text[])[1]::integer]), '')
/* has digest: */ true
/* identity: */ kind, mal_id
/* document key: */ jsonb_build_object('kind', (/* scope */)[1], 'mal_id', key)
/* counter-hash: */ c.counter_hash
/* counter-values: */ to_jsonb(c)
/* counters table: */ jikan.media_counters
/* derived tables: */ jikan.derived_tables((/* scope */)[1])
/* list table: */ jikan.ranking
/* entry: */ jsonb_build_object('kind', (/* scope */)[1], 'subtype', (/* scope */)[2], 'filter', (/* scope */)[3], 'mal_id', key)
/* walked list: */ SELECT mal_id AS key, position, unread FROM listed WHERE (/* scope */)[2] IS NOT NULL
/* published list: */
SELECT mal_id AS key, position, unread FROM jikan.ranking
WHERE kind = (/* scope */)[1] AND subtype = (/* scope */)[2] AND filter = (/* scope */)[3]
/* history: */ jikan.ranking_history
/* of history: */ h.kind = (/* scope */)[1] AND h.subtype = (/* scope */)[2] AND h.filter = (/* scope */)[3]
/* history entry: */ h.mal_id
/* publications: */
SELECT published_at, positions FROM jikan.ranking_publication
WHERE kind = (/* scope */)[1] AND subtype = (/* scope */)[2] AND filter = (/* scope */)[3]
