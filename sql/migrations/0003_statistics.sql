-- Documents, long texts, addresses and hashes get no statistics, because no query filters, joins or sorts by them. To
-- analyze a table, PostgreSQL would read, decompress and sort 30,000 of each. A target that the owner has set stays:
-- without one, it is NULL since PostgreSQL 17, and -1 before.
DO $$
DECLARE
  bare record;
BEGIN
  FOR bare IN
    SELECT a.attrelid::regclass AS of_table, a.attname
    FROM pg_attribute a JOIN (
      SELECT to_regclass(of_table), unnest(columns) FROM (VALUES
        ('jikan.media', '{synopsis,url,image_url,raw,content_hash}'::name[]),
        ('jikan.media_links', '{facets,linked_ids}'),
        ('jikan.genre', '{url,raw,content_hash}'),
        ('pokeapi.resource', '{raw,content_hash}'),
        ('itunes.item', '{raw,content_hash}'),
        ('itunes.chart_item', '{url,artist_url,artwork_url,raw,content_hash}')
      ) AS listed (of_table, columns)
      UNION ALL
      SELECT to_regclass(format('%I.%I', source, resource)), unnest('{raw,content_hash}'::name[])
      FROM sync.declared_resource
    ) AS c (of_table, attname) ON a.attrelid = c.of_table AND a.attname = c.attname
    WHERE coalesce(a.attstattarget, -1) = -1
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', bare.of_table, bare.attname);
  END LOOP;
END $$;
