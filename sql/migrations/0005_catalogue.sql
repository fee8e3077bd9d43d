-- What a walk needs that reads pages again, looks single items up, and may find that some are gone.

ALTER TABLE sync.walk_page ADD COLUMN list_page integer, ADD COLUMN ended_by text;
UPDATE sync.walk_page SET list_page = page;
COMMENT ON TABLE  sync.walk_page IS 'What a walk saw, one row per reading of a page, committed together with the rows of the page. Resuming, certificates, publishing and vanishing read it.';
COMMENT ON COLUMN sync.walk_page.page IS 'Number of the reading within the walk, from 1; a page that is read again has several.';
COMMENT ON COLUMN sync.walk_page.list_page IS 'Number of the page in the list, from 1; null for a batch of items that were looked up one by one.';
COMMENT ON COLUMN sync.walk_page.keys IS 'Keys of the items in the order of the upstream, repeats included; null for a page that was not there. Of a batch of lookups, the items that were found.';
COMMENT ON COLUMN sync.walk_page.ended_by IS 'How the list ended at this reading, in the words of the certificate; null if it went on.';
COMMENT ON COLUMN sync.stream_state.cursor IS 'Last reading of that walk that is committed.';

ALTER TABLE sync.run ADD COLUMN guarded boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN sync.run.guarded IS 'More would have left a list or been marked as gone than the guard allows, so nothing was; --confirm-vanish with this run''s id lets it happen.';
COMMENT ON COLUMN sync.publication.list IS 'The stream whose list or catalogue it is.';
COMMENT ON COLUMN sync.publication.entries IS 'Entries of the list or catalogue.';

-- The counters' time is unknown until they move.
ALTER TABLE jikan.media_counters ADD COLUMN changed_at timestamptz;
COMMENT ON COLUMN jikan.media_counters.changed_at IS 'When a counter last changed; null if that was before this column was added.';
COMMENT ON COLUMN jikan.media.changed_at IS 'When anything but a counter last changed, or when it vanished or came back.';

ALTER TABLE jikan.media ADD COLUMN approved boolean NOT NULL DEFAULT true;
UPDATE jikan.media SET approved = false WHERE raw->'approved' = 'false';
COMMENT ON COLUMN jikan.media.approved IS 'Whether MyAnimeList has approved the entry; most services leave the others out of their catalogues.';

CREATE OR REPLACE VIEW jikan.anime AS
SELECT m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.source, m.episodes, m.status,
       m.ongoing AS airing, m.started_at AS aired_from, m.rating,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites,
       m.season, m.year, m.url, m.image_url, m.synopsis,
       jikan.with_counters(m.raw, jsonb_build_object('score', c.score, 'scored_by', c.scored_by, 'rank', c.rank,
         'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
       m.content_hash, m.first_seen_at, m.changed_at, m.vanished_at, m.approved
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = 'anime';

CREATE OR REPLACE VIEW jikan.manga AS
SELECT m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.chapters, m.volumes, m.status,
       m.ongoing AS publishing, m.started_at AS published_from,
       nullif(c.score, 0) AS score, c.scored_by, c.rank, c.popularity, c.members, c.favorites,
       m.url, m.image_url, m.synopsis,
       jikan.with_counters(m.raw, jsonb_build_object('score', c.score, 'scored', c.score, 'scored_by', c.scored_by,
         'rank', c.rank, 'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
       m.content_hash, m.first_seen_at, m.changed_at, m.vanished_at, m.approved
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = 'manga';

-- The columns of the views say what those of the table say.
DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT view, a.attname, col_description(a.attrelid, a.attnum) AS text
    FROM unnest(ARRAY['anime', 'manga']) AS view, pg_attribute a
    WHERE a.attrelid = 'jikan.media'::regclass AND a.attname IN ('changed_at', 'approved')
  LOOP
    EXECUTE format('COMMENT ON COLUMN jikan.%I.%I IS %L', v.view, v.attname, v.text);
  END LOOP;
END $$;
