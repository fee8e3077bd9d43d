-- The primary keys of items as JSON, and what a person knows them by.
-- $1 keys bigint[], $2 scope text[], $3 titles text[], empty where there is none
SELECT (/* document key */)::text, jsonb_strip_nulls(jsonb_build_object('title', nullif(title, '')))::text
FROM unnest($1::bigint[], $3::text[]) WITH ORDINALITY AS i (key, title, place)
ORDER BY place
