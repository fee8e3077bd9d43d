-- sync.drop_old calls this function for each name in sync.retention. Items are never deleted.

CREATE OR REPLACE FUNCTION itunes.drop_old(of_name text, cutoff timestamptz, slice integer) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  single  record;
  month   timestamptz := date_trunc('month', cutoff);
  dropped bigint;
  total   bigint := 0;
BEGIN
  CASE of_name
  WHEN 'searches' THEN
    -- Searches and look-ups from the command line have names that begin with @. No run repeats them.
    FOR single IN
      SELECT s.stream, substr(s.stream, length('search:') + 1) AS name FROM sync.stream_state s
      WHERE s.source = 'itunes' AND s.stream ~ '^(search|lookup):@'
        AND cutoff > (SELECT max(r.started_at) FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream)
        AND NOT EXISTS (
          SELECT FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream AND r.status = 'running')
      ORDER BY s.stream LIMIT slice
      FOR UPDATE OF s SKIP LOCKED
    LOOP
      PERFORM sync.forget_stream('itunes', single.stream);
      DELETE FROM itunes.search_result WHERE search = single.name;
      DELETE FROM itunes.search_history WHERE search = single.name;
      DELETE FROM itunes.search_publication WHERE search = single.name;
      DELETE FROM itunes.search WHERE name = single.name;
      total := total + 1;
    END LOOP;
  WHEN 'lookups' THEN
    WITH old AS (
      SELECT number FROM itunes.lookup_history WHERE at < cutoff ORDER BY number LIMIT slice FOR UPDATE SKIP LOCKED
    )
    DELETE FROM itunes.lookup_history h USING old WHERE h.number = old.number;
    GET DIAGNOSTICS total = ROW_COUNT;
  WHEN 'results' THEN
    -- Only whole months are deleted, so that the beginning of the history moves once a month.
    WITH old AS (
      SELECT h.search, h.country, h.class, h.id, h.valid_from
      FROM itunes.search s JOIN itunes.search_history h ON h.search = s.name AND h.valid_to <= month
      LIMIT slice FOR UPDATE OF h SKIP LOCKED
    )
    DELETE FROM itunes.search_history h USING old
    WHERE (h.search, h.country, h.class, h.id, h.valid_from)
      = (old.search, old.country, old.class, old.id, old.valid_from);
    GET DIAGNOSTICS total = ROW_COUNT;
    WITH old AS (
      SELECT h.country, h.media, h.feed, h.type, h.id, h.valid_from
      FROM (SELECT DISTINCT country, media, feed, type FROM itunes.chart_publication) c
      JOIN itunes.chart_history h USING (country, media, feed, type)
      WHERE h.valid_to <= month
      LIMIT slice FOR UPDATE OF h SKIP LOCKED
    )
    DELETE FROM itunes.chart_history h USING old
    WHERE (h.country, h.media, h.feed, h.type, h.id, h.valid_from)
      = (old.country, old.media, old.feed, old.type, old.id, old.valid_from);
    GET DIAGNOSTICS dropped = ROW_COUNT;
    total := total + dropped;
    -- The last publication before the month was valid when the month began, so its time becomes the month's start.
    DELETE FROM itunes.search_publication p
    WHERE p.published_at < month AND EXISTS (
      SELECT FROM itunes.search_publication n
      WHERE n.search = p.search AND n.published_at > p.published_at AND n.published_at <= month);
    UPDATE itunes.search_publication SET published_at = month WHERE published_at < month;
    DELETE FROM itunes.chart_publication p
    WHERE p.published_at < month AND EXISTS (
      SELECT FROM itunes.chart_publication n
      WHERE (n.country, n.media, n.feed, n.type) = (p.country, p.media, p.feed, p.type)
        AND n.published_at > p.published_at AND n.published_at <= month);
    UPDATE itunes.chart_publication SET published_at = month WHERE published_at < month;
  ELSE NULL;
  END CASE;
  RETURN total;
END $$;
COMMENT ON FUNCTION itunes.drop_old IS 'Deletes at most slice rows of one kind of sync.retention that are older than the cutoff. Returns the number of deleted rows.';
