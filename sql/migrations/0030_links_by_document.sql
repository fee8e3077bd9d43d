-- What a document links to becomes one row: as one row for each link, a first load spent most of its writing here.

CREATE TABLE jikan.media_links (
  kind       text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id     bigint NOT NULL,
  facets     text[] COLLATE "C" NOT NULL,
  linked_ids bigint[] NOT NULL,
  names      text[] COLLATE "C" NOT NULL,
  CHECK (cardinality(linked_ids) = cardinality(facets) AND cardinality(names) = cardinality(facets)),
  PRIMARY KEY (kind, mal_id)
);
COMMENT ON TABLE  jikan.media_links IS 'All that a document of jikan.media links to: genres, companies, people, magazines. Read jikan.media_genre, jikan.anime_studio and the other views over it, which have a row for each link.';
COMMENT ON COLUMN jikan.media_links.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_links.mal_id IS 'MyAnimeList''s id of the anime or manga.';
COMMENT ON COLUMN jikan.media_links.facets IS 'The member of the document that has the link, for each: genres, explicit_genres, themes, demographics, studios, producers, licensors, authors or serializations. Links are in the order of their facets and ids.';
COMMENT ON COLUMN jikan.media_links.linked_ids IS 'MyAnimeList''s ids of the genres, companies, people and magazines, in the same order.';
COMMENT ON COLUMN jikan.media_links.names IS 'Their names, as the document has them, in the same order.';

INSERT INTO jikan.media_links (kind, mal_id, facets, linked_ids, names)
SELECT kind, mal_id, coalesce(l.facets, '{}'), coalesce(l.linked_ids, '{}'), coalesce(l.names, '{}')
FROM jikan.media LEFT JOIN (
  SELECT kind, mal_id, array_agg(facet) AS facets, array_agg(linked_id) AS linked_ids, array_agg(name) AS names
  FROM (SELECT * FROM jikan.media_link ORDER BY kind, mal_id, facet COLLATE "C", linked_id) l
  GROUP BY kind, mal_id
) l USING (kind, mal_id)
ORDER BY kind, mal_id;
-- After the rows: made at once, it is smaller.
CREATE INDEX media_links_names ON jikan.media_links USING gin (names);

-- The rows of links are a view from now on. Views that read the table, those of users too, read it instead.
ALTER TABLE jikan.media_link RENAME TO media_link_before_0030;
CREATE VIEW jikan.media_link AS
SELECT l.kind, l.mal_id, u.facet COLLATE "default" AS facet, u.linked_id, u.name COLLATE "default" AS name
FROM jikan.media_links l CROSS JOIN LATERAL unnest(l.facets, l.linked_ids, l.names) AS u (facet, linked_id, name);
DO $$
DECLARE reading record;
BEGIN
  FOR reading IN
    SELECT DISTINCT c.oid, c.oid::regclass AS name, c.reloptions
    FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = r.ev_class
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = 'jikan.media_link_before_0030'::regclass
      AND c.relkind = 'v'
  LOOP
    EXECUTE format('CREATE OR REPLACE VIEW %s %s AS %s', reading.name,
      'WITH (' || array_to_string(reading.reloptions, ', ') || ')',
      replace(pg_get_viewdef(reading.oid), 'media_link_before_0030', 'media_link'));
  END LOOP;
END $$;
-- Its result is a row of the table.
DROP FUNCTION IF EXISTS jikan.made_media_link(text, bigint[]);
DROP TABLE jikan.media_link_before_0030;
