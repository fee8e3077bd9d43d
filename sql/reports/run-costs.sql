-- title: Costs of runs
-- description: Costs of each stream's runs since a time: requests, bytes, write-ahead log, duration.
-- parameter: since time = 30d | Beginning of the period
-- parameter: source text = null | One source only, e.g. jikan
-- narrow: retries, waited_seconds, rows_seen, written, pages, wal_bytes, source
-- column: source | Source, e.g. jikan.
-- column: stream | Stream within the source.
-- column: runs | Runs that began since that time.
-- column: complete | Runs that read the whole list: complete or unproven.
-- column: pages | Pages that these runs read.
-- column: requests | Requests that these runs sent, including retries.
-- column: retries | Requests that were retried.
-- column: bytes | Bytes of the answers, decompressed.
-- column: wal_bytes | Bytes of write-ahead log during these runs, including what other sessions wrote.
-- column: seconds | Total duration in seconds, without unfinished runs.
-- column: waited_seconds | Seconds that requests waited for the rate limits.
-- column: rows_seen | Items on the pages, including repeated items.
-- column: written | Items that were new or had changed.
SELECT source, stream, count(*) AS runs, count(*) FILTER (WHERE status IN ('complete', 'unproven')) AS complete,
       sum(pages) AS pages,
       sum(requests) AS requests, sum(retries) AS retries, sum(bytes) AS bytes,
       coalesce(sum(wal_bytes), 0) AS wal_bytes,
       round(coalesce(extract(epoch FROM sum(finished_at - started_at)), 0), 1) AS seconds,
       round(sum(waited_ms) / 1000.0, 1) AS waited_seconds, sum(rows_seen) AS rows_seen,
       sum(inserted + updated) AS written
FROM sync.run
WHERE started_at >= :since AND (:source IS NULL OR source = :source)
GROUP BY source, stream
ORDER BY requests DESC, source, stream
