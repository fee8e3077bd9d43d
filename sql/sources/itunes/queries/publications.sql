-- Each time that a search returned something new, the latest first: how many items came in, left and moved.
-- $1 search
SELECT p.published_at, p.run_id, p.entries,
       count(*) FILTER (WHERE c.ends = 0) AS entered, count(*) FILTER (WHERE c.begins = 0) AS gone,
       count(*) FILTER (WHERE c.begins > 0 AND c.ends > 0) AS moved, p.consistent
FROM itunes.search_publication p LEFT JOIN LATERAL (
  SELECT count(*) FILTER (WHERE h.valid_from = p.published_at) AS begins,
         count(*) FILTER (WHERE h.valid_to = p.published_at) AS ends
  FROM itunes.search_history h
  WHERE h.search = p.search AND (h.valid_from = p.published_at OR h.valid_to = p.published_at)
  GROUP BY h.country, h.class, h.id
) c ON true
WHERE p.search = $1
GROUP BY p.published_at, p.run_id, p.entries, p.consistent
ORDER BY p.published_at DESC
