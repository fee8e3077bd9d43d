CREATE OR REPLACE FUNCTION itunes.found(term text, of_country text DEFAULT NULL)
RETURNS SETOF itunes.item
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT i.* FROM itunes.item i
  WHERE i.vanished_at IS NULL AND (of_country IS NULL OR i.country = of_country)
    AND i.search_text LIKE ALL (ARRAY(
      SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      FROM regexp_split_to_table(itunes.folded(term), '[ \t-\r\u0085\u2028\u2029]+') AS word WHERE word <> ''));
END;
COMMENT ON FUNCTION itunes.found IS 'Items of the mirror in whose title, artist and collection all words of a term occur, in any case and with or without accents.';
