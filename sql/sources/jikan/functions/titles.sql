CREATE OR REPLACE FUNCTION jikan.fold(title text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- Most titles need only lower case.
RETURN CASE WHEN title ~ '^[0-9A-Za-z]+( [0-9A-Za-z]+)*$' THEN lower(title COLLATE "C") ELSE coalesce(
  nullif(btrim(regexp_replace(
    -- Removes accents, and replaces wide characters and ligatures by plain letters. Japanese sound marks stay.
    CASE WHEN octet_length(title) = length(title) THEN lower(title COLLATE "C")
         ELSE sync.lower(regexp_replace(normalize(title, NFKD), '[\u0300-\u036f]', '', 'g')) END,
    -- These are ranges of punctuation. A character class would depend on the database's locale.
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u2000-\u206f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u30fb]+',
    ' ', 'g')), ''),
  sync.lower(btrim(translate(title, E'\n', ' ')))) END;
COMMENT ON FUNCTION jikan.fold IS 'A title made comparable: lower case, without accents and punctuation, full-width letters as plain ones.';
