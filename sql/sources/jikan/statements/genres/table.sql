-- Values of the placeholders in sql/templates. `d` is a stored document; `key` is a requested key.

/* table: */ jikan.genre
/* in scope: */ d.kind = (/* scope */)[1] AND d.facet = (/* scope */)[2]
/* space: */ array_to_string(/* scope */, '/')
/* key: */ d.mal_id
/* has key: */ d.mal_id = key
/* title: */ d.name
/* document: */ d.raw
/* counters: */
/* vanished: */ false
/* changed at: */ greatest(d.changed_at, d.count_changed_at)
/* requested at: */ d.requested_at
/* counters differ: */ d.counter_hash IS DISTINCT FROM i.counter_hash
/* differing: */ 'jikan.genre'
/* of-keys: */ d.mal_id = ANY ($1::bigint[])
/* identity: */ kind, facet, mal_id
/* document key: */ jsonb_build_object('kind', (/* scope */)[1], 'facet', (/* scope */)[2], 'mal_id', key)
/* counter-hash: */ d.counter_hash
/* counter-values: */ jsonb_build_object('count', d.count)
/* counters table: */ jikan.genre
/* list table: */ jikan.genre
/* entry: */ /* document key */
/* misplaced: */
-- Positions are not stored, so only a missing or a surplus genre counts as misplaced.
w.position IS NULL OR s.position IS NULL
/* walked list: */ SELECT key, position, false AS unread FROM listed
/* published list: */
SELECT mal_id AS key, row_number() OVER (ORDER BY mal_id)::integer AS position, false AS unread FROM jikan.genre
WHERE kind = (/* scope */)[1] AND facet = (/* scope */)[2]
