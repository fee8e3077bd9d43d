CREATE OR REPLACE VIEW itunes.track AS
SELECT country, id, kind, title, artist_id, artist_name, collection_id, collection_name, price, currency,
       is_sold_singly, collection_price, track_rental_price, track_hd_price, release_date, track_time_ms, disc_number, disc_count,
       track_number, track_count, explicitness, content_advisory_rating, primary_genre, preview_url, artwork_url,
       artist_view_url, collection_view_url, track_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'track';
COMMENT ON VIEW itunes.track IS 'Songs, music videos, films and TV episodes.';

CREATE OR REPLACE VIEW itunes.album AS
SELECT country, id, title, artist_id, artist_name, price, currency, release_date, track_count, explicitness,
       content_advisory_rating, primary_genre, artwork_url, artist_view_url, collection_view_url, raw, first_seen_at,
       changed_at, vanished_at
FROM itunes.item WHERE class = 'collection' AND collection_type IS DISTINCT FROM 'TV Season';
COMMENT ON VIEW itunes.album IS 'Albums.';

CREATE OR REPLACE VIEW itunes.artist AS
SELECT country, id, artist_type, title, primary_genre, artist_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'artist';
COMMENT ON VIEW itunes.artist IS 'Artists and authors.';

CREATE OR REPLACE VIEW itunes.podcast AS
SELECT country, id, title, artist_id, artist_name, release_date, released_at, track_time_ms, track_count, explicitness,
       content_advisory_rating, primary_genre, genres, feed_url, artwork_url, artist_view_url, collection_view_url, raw,
       first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'podcast';
COMMENT ON VIEW itunes.podcast IS 'Podcasts.';

CREATE OR REPLACE VIEW itunes.podcast_episode AS
SELECT country, id, title, collection_id, collection_name, release_date, released_at, track_time_ms,
       content_advisory_rating, genres, preview_url, artwork_url, collection_view_url, track_view_url, raw,
       first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'podcast-episode';
COMMENT ON VIEW itunes.podcast_episode IS 'Episodes of podcasts.';

CREATE OR REPLACE VIEW itunes.audiobook AS
SELECT country, id, title, artist_id, artist_name, price, currency, release_date, explicitness, primary_genre,
       preview_url, artwork_url, artist_view_url, collection_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'audiobook';
COMMENT ON VIEW itunes.audiobook IS 'Audiobooks.';

CREATE OR REPLACE VIEW itunes.ebook AS
SELECT country, id, title, artist_id, artist_name, price, formatted_price, currency, release_date, genres,
       file_size_bytes, average_user_rating, user_rating_count, artwork_url, artist_view_url, track_view_url, raw,
       first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'ebook';
COMMENT ON VIEW itunes.ebook IS 'Ebooks.';

CREATE OR REPLACE VIEW itunes.app AS
SELECT country, id, kind, bundle_id, title, artist_id, artist_name, price, formatted_price, currency, release_date,
       version, file_size_bytes, content_advisory_rating, primary_genre, genres, average_user_rating, user_rating_count,
       artwork_url, artist_view_url, track_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'app';
COMMENT ON VIEW itunes.app IS 'Apps of iPhone, iPad and Mac.';

CREATE OR REPLACE VIEW itunes.search_item AS
SELECT r.search, r.position, r.country, r.class, r.id, i.kind, i.title, i.artist_id, i.artist_name, i.collection_id,
       i.collection_name, i.price, i.currency, i.is_sold_singly, i.release_date, i.track_time_ms, i.disc_number,
       i.track_number, i.explicitness, i.primary_genre, i.preview_url, i.artwork_url, i.artist_view_url,
       i.collection_view_url, i.track_view_url, i.changed_at, i.vanished_at, r.unread
FROM itunes.search_result r LEFT JOIN itunes.item i USING (country, class, id);
COMMENT ON VIEW itunes.search_item IS 'The latest results of the searches, with the items'' columns.';

CREATE OR REPLACE VIEW itunes.chart_ranking AS
SELECT e.country, e.media, e.feed, e.type, e.position, e.id, i.name, i.artist_id, i.artist_name, i.kind, i.release_date,
       i.content_advisory_rating, i.genres, i.url, i.artist_url, i.artwork_url, e.unread
FROM itunes.chart_entry e LEFT JOIN itunes.chart_item i USING (country, type, id);
COMMENT ON VIEW itunes.chart_ranking IS 'The charts as last published, with names.';

DO $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT c.oid::regclass AS relation, a.attname,
           coalesce(col_description(source.oid, s.attnum), col_description('itunes.item'::regclass, i.attnum)) AS text
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    LEFT JOIN pg_class source ON source.oid = CASE c.relname
      WHEN 'search_item' THEN 'itunes.search_result'::regclass
      WHEN 'chart_ranking' THEN CASE WHEN a.attname IN ('media', 'feed', 'position', 'unread') THEN 'itunes.chart_entry'::regclass
                                     ELSE 'itunes.chart_item'::regclass END END
    LEFT JOIN pg_attribute s ON s.attrelid = source.oid AND s.attname = a.attname
    LEFT JOIN pg_attribute i ON i.attrelid = 'itunes.item'::regclass AND i.attname = a.attname
    WHERE c.relnamespace = 'itunes'::regnamespace AND c.relname IN (
      'track', 'album', 'artist', 'podcast', 'podcast_episode', 'audiobook', 'ebook', 'app', 'search_item',
      'chart_ranking')
  LOOP
    EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', v.relation, v.attname, v.text);
  END LOOP;
END $$;
