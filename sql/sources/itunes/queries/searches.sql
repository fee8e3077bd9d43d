-- The searches, with when they last returned something else.
SELECT s.name, s.country, s.term, s.media, s.entity, s.attribute, s.lang, s.result_limit, p.entries,
       p.published_at
FROM itunes.search s LEFT JOIN LATERAL (
  SELECT entries, published_at FROM itunes.search_publication WHERE search = s.name
  ORDER BY published_at DESC LIMIT 1
) p ON true
ORDER BY s.name
