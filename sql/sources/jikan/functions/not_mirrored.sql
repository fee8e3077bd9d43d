CREATE OR REPLACE FUNCTION jikan.not_mirrored(of_kind text, id bigint) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(
    (SELECT 'in quarantine since ' || to_char(min(q.first_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ': '
            || (array_agg(concat_ws(', ', q.reason, q.detail) ORDER BY q.last_at DESC))[1]
     FROM sync.quarantine q
     WHERE q.source = 'jikan' AND q.item = id::text AND NOT starts_with(q.stream, 'genres:')
       AND (of_kind = 'manga') = (starts_with(q.stream, 'top-manga') OR q.stream = 'manga-catalog')),
    (SELECT 'a list names it, and its document is not there' FROM jikan.ranking r
     WHERE r.kind = of_kind AND r.mal_id = id LIMIT 1))
$$;
COMMENT ON FUNCTION jikan.not_mirrored IS 'The reason why the mirror has no document of an anime or a manga; null if the reason is unknown.';
