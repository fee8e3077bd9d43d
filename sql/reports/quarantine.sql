-- title: Quarantine
-- description: Items that could not be stored, by stream and reason.
-- parameter: since time = 3650d | Items last received at or after this time
-- parameter: source text = null | One source only, e.g. jikan
-- narrow: first_run, last_run, source, first_at, times
-- column: source | Source, e.g. jikan.
-- column: stream | Stream within the source.
-- column: reason | Kind of the fault, e.g. wrong_type.
-- column: items | Items with this fault.
-- column: times | Number of times that these items were received.
-- column: first_at | First time that one of these items was received.
-- column: last_at | Last time that one of these items was received.
-- column: first_run | Run that first received one of these items.
-- column: last_run | Run that last received one of these items.
-- column: detail | Detail of the item that was received last.
SELECT source, stream, reason, count(*) AS items, sum(count) AS times, min(first_at) AS first_at,
       max(last_at) AS last_at,
       (array_agg(first_run_id ORDER BY first_at, item))[1]::text AS first_run,
       (array_agg(last_run_id ORDER BY last_at DESC, item))[1]::text AS last_run,
       (array_agg(detail ORDER BY last_at DESC, item))[1] AS detail
FROM sync.quarantine
WHERE last_at >= :since AND (:source IS NULL OR source = :source)
GROUP BY source, stream, reason
ORDER BY items DESC, source, stream, reason
