-- What anime and manga are found by besides their ids, and the order of the top lists as pages of a listing read them.

CREATE TABLE jikan.media_link (
  kind      text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id    bigint NOT NULL,
  facet     text NOT NULL CHECK (facet IN (
    'genres', 'explicit_genres', 'themes', 'demographics', 'studios', 'producers', 'licensors', 'authors',
    'serializations')),
  linked_id bigint NOT NULL,
  name      text NOT NULL,
  PRIMARY KEY (kind, mal_id, facet, linked_id)
);
COMMENT ON TABLE  jikan.media_link IS 'What the documents of jikan.media link to: genres, companies, people, magazines. Read jikan.media_genre, jikan.anime_studio and the other views over it.';
COMMENT ON COLUMN jikan.media_link.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_link.mal_id IS 'MyAnimeList''s id of the anime or manga.';
COMMENT ON COLUMN jikan.media_link.facet IS 'The member of the document that has the link: genres, explicit_genres, themes, demographics, studios, producers, licensors, authors or serializations.';
COMMENT ON COLUMN jikan.media_link.linked_id IS 'MyAnimeList''s id of the genre, company, person or magazine.';
COMMENT ON COLUMN jikan.media_link.name IS 'Its name, as the document has it.';
-- Equal names follow each other, so the index is small, and its distinct names are found without reading all of it.
CREATE INDEX media_link_name ON jikan.media_link (kind, facet, name);

CREATE TABLE jikan.media_title (
  kind   text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id bigint NOT NULL,
  titles text NOT NULL,
  PRIMARY KEY (kind, mal_id)
);
COMMENT ON TABLE  jikan.media_title IS 'All titles of an anime or a manga, made comparable by jikan.fold. Apart from the documents, so that a search reads little.';
COMMENT ON COLUMN jikan.media_title.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_title.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media_title.titles IS 'The titles, each in a line of its own, the main one first; a line feed before the first and after the last.';

CREATE TABLE jikan.published_order (
  kind     text NOT NULL CHECK (kind IN ('anime', 'manga')),
  subtype  text NOT NULL,
  filter   text NOT NULL,
  taken_at timestamptz NOT NULL,
  mal_ids  bigint[] COMPRESSION lz4 NOT NULL,
  ranks    integer[] COMPRESSION lz4 NOT NULL,
  PRIMARY KEY (kind, subtype, filter, taken_at)
);
COMMENT ON TABLE  jikan.published_order IS 'The top lists in the order of their latest publications, for the pages of a listing that was begun before the last one. Kept for a day after the next publication.';
COMMENT ON COLUMN jikan.published_order.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.published_order.subtype IS 'As in jikan.ranking.';
COMMENT ON COLUMN jikan.published_order.filter IS 'As in jikan.ranking.';
COMMENT ON COLUMN jikan.published_order.taken_at IS 'When it was published.';
COMMENT ON COLUMN jikan.published_order.mal_ids IS 'The entries in order.';
COMMENT ON COLUMN jikan.published_order.ranks IS 'MyAnimeList''s rank of each entry then; null if unranked.';
-- Of the lists as they are: the next publication may be one without changes.
INSERT INTO jikan.published_order (kind, subtype, filter, taken_at, mal_ids, ranks)
SELECT kind, subtype, filter, now(), array_agg(mal_id ORDER BY r.position),
       array_agg(nullif(c.rank, 0) ORDER BY r.position)
FROM jikan.ranking r LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE EXISTS (
  SELECT FROM jikan.ranking_publication p
  WHERE p.kind = r.kind AND p.subtype = r.subtype AND p.filter = r.filter)
GROUP BY kind, subtype, filter;
