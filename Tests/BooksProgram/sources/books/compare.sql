-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 scope text[], $5 seconds since the request
SELECT i.key, b.id IS NULL AS is_new, b.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       false AS is_vanished, 'books.book' AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
LEFT JOIN books.book b ON b.id = i.key
WHERE $4::text[] IS NOT NULL AND b.content_hash IS DISTINCT FROM i.content_hash
  AND (b.changed_at > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
