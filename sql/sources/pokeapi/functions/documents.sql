-- These functions return null, or an empty value, for a value of the wrong type. They never fail.

CREATE OR REPLACE FUNCTION pokeapi.document(raw jsonb, without text[] DEFAULT '{}') RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(raw) = 'object' THEN raw - without ELSE '{}' END;
COMMENT ON FUNCTION pokeapi.document IS 'An object without some of its members, uncompressed, so that PostgreSQL does not decompress it for each member; {} for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.list(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[]' END;
COMMENT ON FUNCTION pokeapi.list IS 'An array as it is; [] for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.string(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN value #>> '{}' END;
COMMENT ON FUNCTION pokeapi.string IS 'A text; null for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.flag(value jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'boolean' THEN value::boolean END;
COMMENT ON FUNCTION pokeapi.flag IS 'true or false; null for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.whole(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'number' THEN
  CASE WHEN value::numeric BETWEEN -2147483648 AND 2147483647 AND value::numeric = trunc(value::numeric)
       THEN value::numeric::integer END
END;
COMMENT ON FUNCTION pokeapi.whole IS 'A whole number in any spelling; null for 1.5, for one that is too large, and for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.link_id(link jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- Extracting the id with the regular expression would take twice as long, and there are hundreds of thousands of links.
RETURN CASE WHEN jsonb_typeof(link->'url') = 'string' AND link->>'url' ~ '/-?[0-9]{1,18}/?$' THEN
  split_part(rtrim(link->>'url', '/'), '/', -1)::bigint
END;
COMMENT ON FUNCTION pokeapi.link_id IS 'Id in a link: the last segment of its address, absolute or relative. Null for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.link_name(link jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(link->'name') = 'string' THEN left(link->>'name', 200) END;
COMMENT ON FUNCTION pokeapi.link_name IS 'Name in a link, cut off to fit into an index. Null for any other value.';

CREATE OR REPLACE FUNCTION pokeapi.bag(value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN CASE jsonb_typeof(value)
    WHEN 'array' THEN (
      SELECT coalesce(jsonb_agg(element ORDER BY element), '[]')
      FROM (SELECT pokeapi.bag(e) FROM jsonb_array_elements(value) AS e) AS sorted (element))
    WHEN 'object' THEN (
      SELECT coalesce(jsonb_object_agg(member.key, pokeapi.bag(member.value)), '{}') FROM jsonb_each(value) AS member)
    ELSE value
  END;
END $$;
COMMENT ON FUNCTION pokeapi.bag IS 'A value with the elements of all its arrays sorted: values that differ only in the order of arrays become equal.';

CREATE OR REPLACE FUNCTION pokeapi.words(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN initcap(replace(name, '-', ' ') COLLATE "C");
COMMENT ON FUNCTION pokeapi.words IS 'A name of links in words: Thunder Stone for thunder-stone.';

CREATE OR REPLACE FUNCTION pokeapi.clean(value text, language text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  -- Japanese texts separate phrases with the ideographic space, so a line end becomes one too.
  space CONSTANT text := CASE WHEN language LIKE 'ja%' THEN U&'\3000' ELSE ' ' END;
  -- \w would depend on the database's locale.
  letter CONSTANT text :=
    '[0-9A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u3005-\u3007\u3041-\u30fa\u30fc-\ud7a3]';
BEGIN
  value := translate(value, E'\f\r\u000b\u0085\u2028\u2029', E'\n\n\n\n\n\n');
  -- strpos is faster than the regular expressions, so each expression is used only if it can match.
  -- A soft hyphen is only a possible word break.
  IF strpos(value, U&'\00ad') > 0 THEN
    value := regexp_replace(value, '\u00ad\n*', '', 'g');
  END IF;
  -- A hyphen at a line end belongs to a compound word, except before a conjunction, as in fire- and water-type.
  IF strpos(value, E'-\n') > 0 OR strpos(value, E'—\n') > 0 THEN
    value := regexp_replace(
      value, '(' || letter || '-|—)\n+(?!(and|or|und|oder)(?!' || letter || '))', '\1', 'g');
  END IF;
  -- Chinese texts have no spaces, so line ends are removed.
  IF language LIKE 'zh%' AND strpos(value, E'\n') > 0 THEN
    value := regexp_replace(value, '([^\u0001-\u007f])\n+|\n+([^\u0001-\u007f])', '\1\2', 'g');
  END IF;
  value := translate(value, E'\n\t', space || space);
  IF strpos(translate(value, U&'\3000', ' '), '  ') > 0 THEN
    value := regexp_replace(value, '([ \u3000])[ \u3000]+', '\1', 'g');
  END IF;
  RETURN btrim(value, U&' \3000');
END $$;
COMMENT ON FUNCTION pokeapi.clean IS 'A text of the games without line and page breaks. Words with a soft hyphen are joined. Lines are joined by a space, in Chinese without a space, and in Japanese by the ideographic space.';

CREATE OR REPLACE FUNCTION pokeapi.documents(of_endpoint text, ids bigint[], without text[] DEFAULT '{}')
RETURNS TABLE (id bigint, raw jsonb)
LANGUAGE sql STABLE
AS $$
  -- OFFSET 0 makes PostgreSQL decompress each document once, not again for each member.
  SELECT r.id, pokeapi.document(r.raw, without)
  FROM pokeapi.resource r WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) OFFSET 0
$$;
COMMENT ON FUNCTION pokeapi.documents IS 'Stored documents without some of their members.';

CREATE OR REPLACE FUNCTION pokeapi.parts(of_endpoint text, ids bigint[], member text)
RETURNS TABLE (id bigint, value jsonb, n bigint)
LANGUAGE sql STABLE
AS $$
  SELECT r.id, e.value, e.n
  FROM pokeapi.resource r, LATERAL (SELECT r.raw->member OFFSET 0) AS m (value),
       jsonb_array_elements(pokeapi.list(m.value)) WITH ORDINALITY AS e (value, n)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids)
$$;
COMMENT ON FUNCTION pokeapi.parts IS 'The elements of an array in stored documents, with their ordinals.';
