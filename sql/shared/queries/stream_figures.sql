-- For each stream: when it was last complete, the seconds since then, its entries, the end of the service's pause, and
-- its latest run that counts. A run counts if it failed, lacks pages or documents, read the list to its end, or ended
-- at an ignored answer.
-- Interrupted runs and runs that --max-pages stopped do not count, because they would hide an earlier failure. A held
-- run is shown until another run is held or reads the list to its end.
SELECT s.source, s.stream, extract(epoch FROM f.whole_at)::double precision,
       extract(epoch FROM clock_timestamp() - f.whole_at)::double precision, p.entries,
       extract(epoch FROM clock_timestamp())::double precision
         + nullif(sync.pause_left(sync.lower(substring(s.origin FROM '^[^/]+//[^/?#]+'))), 0)::double precision / 1e6,
       r.id, r.status, sync.run_held(r.status, r.guarded, r.error), r.guarded, r.reason
FROM sync.stream_state s
LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
LEFT JOIN LATERAL (
  SELECT CASE WHEN sync.run_held(d.status, d.guarded, d.error) THEN d.id END AS id
  FROM sync.run d WHERE d.source = s.source AND d.stream = s.stream
    AND (d.status IN ('complete', 'unproven', 'inconsistent') OR sync.run_held(d.status, d.guarded, d.error)
      OR d.status = 'partial'
        AND d.certificate->>'ended_by' IN ('404', 'empty_page', 'has_next_page', 'parts_met', 'lists', 'echo'))
  ORDER BY d.started_at DESC LIMIT 1
) held ON true
LEFT JOIN LATERAL (
  SELECT r.*, coalesce(r.error, 'unavailable pages or documents: ' || nullif(
      jsonb_array_length(jsonb_path_query_array(r.certificate, '$.holes[*]'))
        + jsonb_array_length(jsonb_path_query_array(r.certificate, '$.unavailable[*]')), 0),
    CASE r.certificate->>'ended_by' WHEN 'loop' THEN 'the list does not end' END,
    'partial lists: ' || nullif((r.certificate#>>'{lists,partial}')::integer, 0)) AS reason
  FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream AND r.id = coalesce(held.id, r.id)
    AND r.status NOT IN ('running', 'interrupted')
    AND (r.status <> 'partial' OR r.error IS NOT NULL OR r.certificate @? '$.holes[*]'
         OR r.certificate @? '$.unavailable[*]' OR r.certificate->>'ended_by' IN ('loop', 'page_cap', 'ignored')
         OR (r.certificate#>>'{lists,partial}')::integer > 0)
  ORDER BY r.started_at DESC LIMIT 1
) r ON true
ORDER BY s.source, s.stream
