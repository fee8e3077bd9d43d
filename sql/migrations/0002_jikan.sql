-- The Jikan (MyAnimeList) mirror: documents apart from the counters that move every day.

CREATE SCHEMA jikan;
COMMENT ON SCHEMA jikan IS 'Mirror of MyAnimeList as Jikan v4 and its successors serve it. Read jikan.anime, jikan.manga and jikan.ranking_entry.';

CREATE TABLE jikan.media (
  kind           text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id         bigint NOT NULL,
  title          text NOT NULL,
  title_english  text,
  title_japanese text,
  type           text,
  source         text,
  episodes       integer,
  chapters       integer,
  volumes        integer,
  status         text,
  ongoing        boolean,
  started_at     timestamptz,
  rating         text,
  season         text,
  year           integer,
  url            text,
  image_url      text,
  synopsis       text,
  raw            jsonb COMPRESSION lz4 NOT NULL,
  content_hash   bytea NOT NULL,
  first_seen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  vanished_at    timestamptz,
  PRIMARY KEY (kind, mal_id)
);
COMMENT ON TABLE  jikan.media IS 'Anime and manga without the counters that move every day. Read the views jikan.anime and jikan.manga instead.';
COMMENT ON COLUMN jikan.media.kind IS 'anime or manga: two separate spaces of ids.';
COMMENT ON COLUMN jikan.media.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media.title IS 'Main title, usually romanized.';
COMMENT ON COLUMN jikan.media.title_english IS 'English title, if there is one.';
COMMENT ON COLUMN jikan.media.title_japanese IS 'Japanese title, if there is one.';
COMMENT ON COLUMN jikan.media.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';
COMMENT ON COLUMN jikan.media.source IS 'What an anime was made from: Manga, Original, …; null for manga.';
COMMENT ON COLUMN jikan.media.episodes IS 'Episodes of an anime; null if unknown, and for manga.';
COMMENT ON COLUMN jikan.media.chapters IS 'Chapters of a manga; null if unknown, and for anime.';
COMMENT ON COLUMN jikan.media.volumes IS 'Volumes of a manga; null if unknown, and for anime.';
COMMENT ON COLUMN jikan.media.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';
COMMENT ON COLUMN jikan.media.ongoing IS 'Being aired or published now.';
COMMENT ON COLUMN jikan.media.started_at IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';
COMMENT ON COLUMN jikan.media.rating IS 'Age rating of an anime, e.g. PG-13 - Teens 13 or older; null for manga.';
COMMENT ON COLUMN jikan.media.season IS 'winter, spring, summer or fall; null for manga.';
COMMENT ON COLUMN jikan.media.year IS 'Year of the season; null for manga.';
COMMENT ON COLUMN jikan.media.url IS 'Page at MyAnimeList.';
COMMENT ON COLUMN jikan.media.image_url IS 'Poster, JPEG.';
COMMENT ON COLUMN jikan.media.synopsis IS 'Summary of the plot.';
COMMENT ON COLUMN jikan.media.raw IS 'The whole item as it was when anything but a counter last changed; the views hold today''s counters.';
COMMENT ON COLUMN jikan.media.content_hash IS 'SHA-256 of the item''s canonical form without the counters, and of the version of the mapping.';
COMMENT ON COLUMN jikan.media.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN jikan.media.changed_at IS 'When anything but a counter last changed.';
COMMENT ON COLUMN jikan.media.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

CREATE TABLE jikan.media_counters (
  kind         text NOT NULL,
  mal_id       bigint NOT NULL,
  score        numeric,
  scored_by    integer,
  rank         integer,
  popularity   integer,
  members      integer,
  favorites    integer,
  counter_hash bigint NOT NULL,
  PRIMARY KEY (kind, mal_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE  jikan.media_counters IS 'The counters that move every day, apart from the documents, so that a day on which only they moved costs little.';
COMMENT ON COLUMN jikan.media_counters.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_counters.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media_counters.score IS 'Mean score 1–10 as the upstream gives it; 0 and null both mean undetermined.';
COMMENT ON COLUMN jikan.media_counters.scored_by IS 'People who gave a score.';
COMMENT ON COLUMN jikan.media_counters.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';
COMMENT ON COLUMN jikan.media_counters.popularity IS 'Rank by members.';
COMMENT ON COLUMN jikan.media_counters.members IS 'People who have it on their list.';
COMMENT ON COLUMN jikan.media_counters.favorites IS 'People who have it among their favorites.';
COMMENT ON COLUMN jikan.media_counters.counter_hash IS 'Hash of the counters'' canonical form.';

CREATE FUNCTION jikan.whole(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN trim_scale((value #>> '{}')::numeric)::text::integer;
COMMENT ON FUNCTION jikan.whole IS 'A whole number however it is spelled: 12, 12.0 and 1.2e1 are equal; 1.5 is an error.';

CREATE FUNCTION jikan.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN raw || coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each(counters) WHERE raw ? key), '{}');
COMMENT ON FUNCTION jikan.with_counters IS 'The document with today''s counters in place of those of the day it was stored.';

CREATE VIEW jikan.anime AS
SELECT m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.source, m.episodes, m.status,
       m.ongoing AS airing, m.started_at AS aired_from, m.rating,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites,
       m.season, m.year, m.url, m.image_url, m.synopsis,
       jikan.with_counters(m.raw, jsonb_build_object('score', c.score, 'scored_by', c.scored_by, 'rank', c.rank,
         'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
       m.content_hash, m.first_seen_at, m.changed_at, m.vanished_at
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = 'anime';
COMMENT ON VIEW   jikan.anime IS 'Anime of the mirror, one row per mal_id.';

CREATE VIEW jikan.manga AS
SELECT m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.chapters, m.volumes, m.status,
       m.ongoing AS publishing, m.started_at AS published_from,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites,
       m.url, m.image_url, m.synopsis,
       jikan.with_counters(m.raw, jsonb_build_object('score', c.score, 'scored', c.score, 'scored_by', c.scored_by,
         'rank', c.rank, 'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
       m.content_hash, m.first_seen_at, m.changed_at, m.vanished_at
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = 'manga';
COMMENT ON VIEW   jikan.manga IS 'Manga of the mirror, one row per mal_id.';

-- The columns of the views say what those of the tables say.
DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.table_name, c.column_name,
           col_description(t.oid, (SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = t.oid
             AND a.attname = CASE c.column_name
               WHEN 'airing' THEN 'ongoing' WHEN 'publishing' THEN 'ongoing'
               WHEN 'aired_from' THEN 'started_at' WHEN 'published_from' THEN 'started_at' ELSE c.column_name END)) AS text
    FROM information_schema.columns c
    JOIN pg_class t ON t.oid IN ('jikan.media'::regclass, 'jikan.media_counters'::regclass)
    WHERE c.table_schema = 'jikan' AND c.table_name IN ('anime', 'manga')
  LOOP
    CONTINUE WHEN v.text IS NULL;
    EXECUTE format('COMMENT ON COLUMN jikan.%I.%I IS %L', v.table_name, v.column_name, v.text);
  END LOOP;
END $$;
COMMENT ON COLUMN jikan.anime.raw IS 'The whole item as the upstream gave it.';
COMMENT ON COLUMN jikan.manga.raw IS 'The whole item as the upstream gave it.';
COMMENT ON COLUMN jikan.anime.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.manga.score IS 'Mean score 1–10; null while undetermined.';

CREATE TABLE jikan.ranking (
  kind     text NOT NULL,
  subtype  text NOT NULL,
  filter   text NOT NULL,
  mal_id   bigint NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (kind, subtype, filter, mal_id)
);
COMMENT ON TABLE  jikan.ranking IS 'The top lists as last published, each replaced as a whole. sync.publication tells from which run.';
COMMENT ON COLUMN jikan.ranking.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.ranking.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';
COMMENT ON COLUMN jikan.ranking.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';
COMMENT ON COLUMN jikan.ranking.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.ranking.position IS 'Ordinal in the list, from 1, repeats not counted.';

CREATE FUNCTION jikan.type_label(subtype text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE subtype
  WHEN 'tv' THEN 'TV' WHEN 'movie' THEN 'Movie' WHEN 'ova' THEN 'OVA' WHEN 'special' THEN 'Special'
  WHEN 'ona' THEN 'ONA' WHEN 'music' THEN 'Music' WHEN 'cm' THEN 'CM' WHEN 'pv' THEN 'PV'
  WHEN 'tv_special' THEN 'TV Special'
  WHEN 'manga' THEN 'Manga' WHEN 'novel' THEN 'Novel' WHEN 'lightnovel' THEN 'Light Novel'
  WHEN 'oneshot' THEN 'One-shot' WHEN 'doujin' THEN 'Doujinshi' WHEN 'manhwa' THEN 'Manhwa' WHEN 'manhua' THEN 'Manhua'
END;
COMMENT ON FUNCTION jikan.type_label IS 'What the column type says for a type= parameter of the upstream: TV Special for tv_special.';

CREATE VIEW jikan.ranking_entry AS
SELECT r.kind, r.subtype, r.filter, r.position, r.mal_id, m.title, m.title_english, m.title_japanese, m.type,
       m.status, m.ongoing, m.episodes, m.chapters, m.volumes, m.started_at, nullif(c.score, 0) AS score, c.scored_by,
       c.rank, c.popularity, c.members, c.favorites, m.url, m.image_url, m.vanished_at
FROM jikan.ranking r
LEFT JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id);
COMMENT ON VIEW   jikan.ranking_entry IS 'The published lists with titles and today''s counters.';
DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.column_name, d.description
    FROM information_schema.columns c
    JOIN pg_attribute a ON a.attname = c.column_name
      AND a.attrelid IN ('jikan.ranking'::regclass, 'jikan.media'::regclass, 'jikan.media_counters'::regclass)
    JOIN pg_description d ON d.objoid = a.attrelid AND d.objsubid = a.attnum AND d.classoid = 'pg_class'::regclass
    WHERE c.table_schema = 'jikan' AND c.table_name = 'ranking_entry'
    ORDER BY a.attrelid = 'jikan.ranking'::regclass
  LOOP
    EXECUTE format('COMMENT ON COLUMN jikan.ranking_entry.%I IS %L', v.column_name, v.description);
  END LOOP;
END $$;
COMMENT ON COLUMN jikan.ranking_entry.score IS 'Mean score 1–10; null while undetermined.';
