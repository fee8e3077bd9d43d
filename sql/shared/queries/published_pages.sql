-- The pages that a stream was last published from: their numbers, their addresses where these are known, and the keys of
-- their items. A page that was read again is as its last reading showed it.
-- $1 source text, $2 stream text
SELECT list_page, address, keys FROM (
  SELECT DISTINCT ON (coalesce(w.address, p.list_page::text))
         p.page, p.list_page, w.address, array_to_string(p.keys, ' ') AS keys
  FROM sync.publication l
  JOIN sync.run r ON r.id = l.run_id
  JOIN sync.published_page p ON p.walk_id = r.walk_id
  JOIN sync.walk_page w ON (w.walk_id, w.page) = (p.walk_id, p.page)
  WHERE l.source = $1::text AND l.list = $2::text AND p.keys IS NOT NULL
  ORDER BY coalesce(w.address, p.list_page::text), p.page DESC
) pages
ORDER BY page
