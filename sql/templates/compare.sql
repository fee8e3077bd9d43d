-- The items of a page that differ from the mirror, unless the mirror's row is newer. `differing` is the table whose row
-- differs.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 scope text[], $5 request times bigint[]
-- or null
SELECT key, d.content_hash IS NULL AS is_new, d.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       /* vanished */ AS is_vanished, /* differing */ AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $5::bigint[]) AS i (key, content_hash, counter_hash, requested)
/* look-up */
WHERE (d.content_hash IS DISTINCT FROM i.content_hash OR /* counters differ */ OR /* vanished */)
  AND NOT sync.is_newer(/* requested at */, sync.request_time(requested))
