-- Estimates the number of requests of each stream's next run. The estimate is the number that the last complete walk
-- sent, or else the number of the list's pages. If the run resumes a walk, the requests already sent are subtracted.
-- $1 source, $2 streams, $3 seconds for which a walk can be resumed after its last page
SELECT s.stream, greatest(1, coalesce(whole.requests, begun.pages) - CASE WHEN begun.is_resumed THEN sent.requests ELSE 0 END)
FROM sync.stream_state s
LEFT JOIN sync.run last ON last.id = s.last_complete_run_id
CROSS JOIN LATERAL (SELECT sum(r.requests) AS requests FROM sync.run r WHERE r.id = last.id OR r.walk_id = last.walk_id) whole
CROSS JOIN LATERAL (
  SELECT max(p.last_page) AS pages, coalesce(max(p.fetched_at) > now() - make_interval(secs => $3), false) AS is_resumed
  FROM sync.walk_page p WHERE p.walk_id = s.walk_id) begun
CROSS JOIN LATERAL (SELECT coalesce(sum(r.requests), 0) AS requests FROM sync.run r WHERE r.walk_id = s.walk_id) sent
WHERE s.source = $1 AND s.stream = ANY ($2::text[]) AND coalesce(whole.requests, begun.pages) IS NOT NULL
