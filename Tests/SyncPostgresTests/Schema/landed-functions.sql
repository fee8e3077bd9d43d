-- number 14, migrations 1
-- folder reports
CREATE OR REPLACE VIEW report.freshness AS
SELECT NULL::text AS source, NULL::text AS stream, NULL::text AS provider, NULL::timestamp with time zone AS last_complete_at, NULL::numeric AS age_hours, NULL::bigint AS entries, NULL::boolean AS consistent, NULL::text AS last_status, NULL::bigint AS rows_seen, NULL::bigint AS inserted, NULL::bigint AS updated, NULL::bigint AS quarantined, NULL::text AS last_error;
CREATE OR REPLACE VIEW report.quarantine AS
SELECT NULL::text AS source, NULL::text AS stream, NULL::text AS reason, NULL::bigint AS items, NULL::numeric AS times, NULL::timestamp with time zone AS first_at, NULL::timestamp with time zone AS last_at, NULL::text AS first_run, NULL::text AS last_run, NULL::text AS detail;
CREATE OR REPLACE VIEW report.run_costs AS
SELECT NULL::text AS source, NULL::text AS stream, NULL::bigint AS runs, NULL::bigint AS complete, NULL::bigint AS pages, NULL::bigint AS requests, NULL::bigint AS retries, NULL::numeric AS bytes, NULL::numeric AS wal_bytes, NULL::numeric AS seconds, NULL::numeric AS waited_seconds, NULL::numeric AS rows_seen, NULL::numeric AS written;
-- folder shared
CREATE OR REPLACE VIEW sync.published_page AS
SELECT NULL::bigint AS walk_id, NULL::integer AS page, NULL::integer AS list_page, NULL::bigint[] AS keys, NULL::boolean AS is_superseded, NULL::integer[] AS unreadable_after;
CREATE OR REPLACE VIEW sync.stream_freshness AS
SELECT NULL::text AS source, NULL::text AS stream, NULL::timestamp with time zone AS whole_at, NULL::timestamp with time zone AS consistent_at;
CREATE OR REPLACE VIEW app.favorite_item AS
SELECT NULL::text AS source, NULL::text AS kind, NULL::bigint AS id, NULL::text AS title, NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score, NULL::text AS url, NULL::text AS state, NULL::integer AS rank;
CREATE OR REPLACE VIEW app.favorite_history AS
SELECT NULL::text AS source, NULL::text AS kind, NULL::bigint AS id, NULL::text AS list, NULL::timestamp with time zone AS list_began_at, NULL::text AS what, NULL::numeric AS value, NULL::timestamp with time zone AS valid_from, NULL::timestamp with time zone AS valid_to;
CREATE OR REPLACE FUNCTION sync.members(value jsonb, names text[]) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.lower(value text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_text(value jsonb) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_boolean(value jsonb) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_numeric(value jsonb) RETURNS numeric
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_bigint(value jsonb) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_integer(value jsonb) RETURNS integer
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_double_precision(value jsonb) RETURNS double precision
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_date(value jsonb) RETURNS date
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_timestamptz(value jsonb) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_boolean_of_number(value jsonb) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_timestamptz_of_epoch(value jsonb) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_timestamptz_of_epoch_ms(value jsonb) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_date_of_epoch(value jsonb) RETURNS date
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_date_of_epoch_ms(value jsonb) RETURNS date
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_uuid(value jsonb) RETURNS uuid
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_jsonb(value jsonb) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_text_array(value jsonb) RETURNS text[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_boolean_array(value jsonb) RETURNS boolean[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_numeric_array(value jsonb) RETURNS numeric[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_bigint_array(value jsonb) RETURNS bigint[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_integer_array(value jsonb) RETURNS integer[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_double_precision_array(value jsonb) RETURNS double precision[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_date_array(value jsonb) RETURNS date[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_timestamptz_array(value jsonb) RETURNS timestamp with time zone[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_uuid_array(value jsonb) RETURNS uuid[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.as_jsonb_array(value jsonb) RETURNS jsonb[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.key_text(value jsonb, type text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.key_json(value jsonb, type text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.key_hash(members text[]) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.expect_same_key(stored jsonb, sent jsonb, types text[]) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.forget_published() RETURNS trigger
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.clock_microseconds() RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.take_permit_at(clock bigint, of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint, OUT wait bigint, OUT reading bigint) RETURNS record
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.take_permit(of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint, OUT wait bigint, OUT reading bigint) RETURNS record
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.pause_origin(of_origin text, duration bigint) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.pause_left(of_origin text) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.request_time(microseconds bigint) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.is_newer(stored timestamp with time zone, requested timestamp with time zone) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.write_time(key bigint) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.send_settings(VARIADIC names text[]) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.forget_stream(of_source text, of_stream text) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.drop_runs(cutoff timestamp with time zone, slice integer) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.drop_quarantine(cutoff timestamp with time zone, slice integer) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.drop_walks(slice integer) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.drop_old(slice integer) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.run_held(status text, guarded boolean, error text) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.run_status(status text, source text, stream text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.cursor_span(value jsonb) RETURNS tstzrange
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION sync.later_cursor(one jsonb, other jsonb) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION app.item_of(of_source text, of_kind text, of_id bigint) RETURNS SETOF app.favorite_item
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION app.history_of(of_source text, of_kind text, of_id bigint) RETURNS SETOF app.favorite_history
LANGUAGE plpgsql AS 'BEGIN END';
-- folder sources/itunes
CREATE OR REPLACE VIEW itunes.favorite_history AS
SELECT NULL::text AS kind, NULL::bigint AS id, NULL::text AS list, NULL::timestamp with time zone AS list_began_at, NULL::text AS what, NULL::numeric AS value, NULL::timestamp with time zone AS valid_from, NULL::timestamp with time zone AS valid_to;
CREATE OR REPLACE VIEW itunes.favorite_item AS
SELECT NULL::text AS kind, NULL::bigint AS id, NULL::text AS title, NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score, NULL::text AS url, NULL::text AS state, NULL::integer AS rank;
CREATE OR REPLACE VIEW itunes.track AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS kind, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::bigint AS collection_id, NULL::text AS collection_name, NULL::numeric(12,2) AS price, NULL::text AS currency, NULL::boolean AS is_sold_singly, NULL::numeric(12,2) AS collection_price, NULL::numeric(12,2) AS track_rental_price, NULL::numeric(12,2) AS track_hd_price, NULL::date AS release_date, NULL::bigint AS track_time_ms, NULL::integer AS disc_number, NULL::integer AS disc_count, NULL::integer AS track_number, NULL::integer AS track_count, NULL::text AS explicitness, NULL::text AS content_advisory_rating, NULL::text AS primary_genre, NULL::text AS preview_url, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS collection_view_url, NULL::text AS track_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.album AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::numeric(12,2) AS price, NULL::text AS currency, NULL::date AS release_date, NULL::integer AS track_count, NULL::text AS explicitness, NULL::text AS content_advisory_rating, NULL::text AS primary_genre, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS collection_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.artist AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS artist_type, NULL::text AS title, NULL::text AS primary_genre, NULL::text AS artist_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.podcast AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::date AS release_date, NULL::timestamp with time zone AS released_at, NULL::bigint AS track_time_ms, NULL::integer AS track_count, NULL::text AS explicitness, NULL::text AS content_advisory_rating, NULL::text AS primary_genre, NULL::text[] AS genres, NULL::text AS feed_url, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS collection_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.podcast_episode AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS title, NULL::bigint AS collection_id, NULL::text AS collection_name, NULL::date AS release_date, NULL::timestamp with time zone AS released_at, NULL::bigint AS track_time_ms, NULL::text AS content_advisory_rating, NULL::text[] AS genres, NULL::text AS preview_url, NULL::text AS artwork_url, NULL::text AS collection_view_url, NULL::text AS track_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.audiobook AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::numeric(12,2) AS price, NULL::text AS currency, NULL::date AS release_date, NULL::text AS explicitness, NULL::text AS primary_genre, NULL::text AS preview_url, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS collection_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.ebook AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::numeric(12,2) AS price, NULL::text AS formatted_price, NULL::text AS currency, NULL::date AS release_date, NULL::text[] AS genres, NULL::bigint AS file_size_bytes, NULL::numeric(4,2) AS average_user_rating, NULL::bigint AS user_rating_count, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS track_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.app AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS kind, NULL::text AS bundle_id, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::numeric(12,2) AS price, NULL::text AS formatted_price, NULL::text AS currency, NULL::date AS release_date, NULL::text AS version, NULL::bigint AS file_size_bytes, NULL::text AS content_advisory_rating, NULL::text AS primary_genre, NULL::text[] AS genres, NULL::numeric(4,2) AS average_user_rating, NULL::bigint AS user_rating_count, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS track_view_url, NULL::jsonb AS raw, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at;
CREATE OR REPLACE VIEW itunes.search_item AS
SELECT NULL::text AS search, NULL::integer AS "position", NULL::text AS country, NULL::text AS class, NULL::bigint AS id, NULL::text AS kind, NULL::text AS title, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::bigint AS collection_id, NULL::text AS collection_name, NULL::numeric(12,2) AS price, NULL::text AS currency, NULL::boolean AS is_sold_singly, NULL::date AS release_date, NULL::bigint AS track_time_ms, NULL::integer AS disc_number, NULL::integer AS track_number, NULL::text AS explicitness, NULL::text AS primary_genre, NULL::text AS preview_url, NULL::text AS artwork_url, NULL::text AS artist_view_url, NULL::text AS collection_view_url, NULL::text AS track_view_url, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at, NULL::boolean AS unread;
CREATE OR REPLACE VIEW itunes.chart_ranking AS
SELECT NULL::text AS country, NULL::text AS media, NULL::text AS feed, NULL::text AS type, NULL::integer AS "position", NULL::bigint AS id, NULL::text AS name, NULL::bigint AS artist_id, NULL::text AS artist_name, NULL::text AS kind, NULL::date AS release_date, NULL::text AS content_advisory_rating, NULL::text[] AS genres, NULL::text AS url, NULL::text AS artist_url, NULL::text AS artwork_url, NULL::boolean AS unread;
CREATE OR REPLACE VIEW report.chart_artists AS
SELECT NULL::text AS country, NULL::text AS type, NULL::bigint AS "position", NULL::text AS artist, NULL::bigint AS places, NULL::integer AS best_place, NULL::text AS best_title;
CREATE OR REPLACE VIEW report.chart_climbers AS
SELECT NULL::text AS country, NULL::text AS media, NULL::text AS feed, NULL::text AS type, NULL::text AS name, NULL::text AS artist, NULL::text AS movement, NULL::integer AS "position", NULL::integer AS previous_position, NULL::integer AS change, NULL::timestamp with time zone AS since, NULL::boolean AS consistent;
CREATE OR REPLACE VIEW report.chart_turnover AS
SELECT NULL::text AS country, NULL::text AS media, NULL::text AS feed, NULL::text AS type, NULL::timestamp with time zone AS published_at, NULL::integer AS entries, NULL::bigint AS entered, NULL::bigint AS departed, NULL::bigint AS moved, NULL::numeric AS turnover_percent;
CREATE OR REPLACE VIEW report.price_changes AS
SELECT NULL::text AS country, NULL::bigint AS id, NULL::text AS kind, NULL::text AS title, NULL::text AS artist, NULL::numeric(12,2) AS previous_price, NULL::numeric(12,2) AS price, NULL::text AS currency, NULL::numeric AS change, NULL::numeric AS change_percent, NULL::timestamp with time zone AS at;
CREATE OR REPLACE FUNCTION itunes.string(value jsonb) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.number(value jsonb) RETURNS numeric
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.whole(value jsonb) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.ordinal(value jsonb) RETURNS integer
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.milliseconds(value jsonb) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.money(value jsonb) RETURNS numeric
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.day(value jsonb) RETURNS date
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.instant(value jsonb) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.genre_names(value jsonb) RETURNS text[]
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.folded(value text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.search_as_of(of_search text, moment timestamp with time zone DEFAULT now()) RETURNS TABLE("position" integer, country text, class text, id bigint, title text, artist_name text, collection_name text, valid_from timestamp with time zone)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.chart_as_of(of_country text, of_media text, of_feed text, of_type text, moment timestamp with time zone DEFAULT now()) RETURNS TABLE("position" integer, id bigint, name text, artist_name text, valid_from timestamp with time zone)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.chart_movers(of_country text, of_media text, of_feed text, of_type text, since timestamp with time zone) RETURNS TABLE(id bigint, name text, artist_name text, "position" integer, previous_position integer, change integer, movement text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.key(class text, id bigint) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.key_class(key bigint) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.key_id(key bigint) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.lock_absences(of_country text, ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.lock_marked(of_country text, gone bigint[], met bigint[], walk_started timestamp with time zone) RETURNS TABLE(class text, id bigint)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.note_price() RETURNS trigger
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.drop_old(of_name text, cutoff timestamp with time zone, slice integer) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.grant_rights() RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION itunes.found(term text, of_country text DEFAULT NULL::text) RETURNS SETOF itunes.item
LANGUAGE plpgsql AS 'BEGIN END';
-- folder sources/jikan
CREATE OR REPLACE VIEW jikan.anime AS
SELECT NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS title_english, NULL::text AS title_japanese, NULL::text AS type, NULL::text AS source, NULL::integer AS episodes, NULL::text AS status, NULL::boolean AS airing, NULL::timestamp with time zone AS aired_from, NULL::text AS rating, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS rank, NULL::integer AS popularity, NULL::integer AS members, NULL::integer AS favorites, NULL::text AS season, NULL::integer AS year, NULL::text AS url, NULL::text AS image_url, NULL::text AS synopsis, NULL::jsonb AS raw, NULL::bytea AS content_hash, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at, NULL::boolean AS approved, NULL::timestamp with time zone AS aired_to, NULL::text AS broadcast_day, NULL::time without time zone AS broadcast_time, NULL::numeric AS duration_minutes, NULL::text[] AS genres, NULL::text[] AS studios;
CREATE OR REPLACE VIEW jikan.manga AS
SELECT NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS title_english, NULL::text AS title_japanese, NULL::text AS type, NULL::integer AS chapters, NULL::integer AS volumes, NULL::text AS status, NULL::boolean AS publishing, NULL::timestamp with time zone AS published_from, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS rank, NULL::integer AS popularity, NULL::integer AS members, NULL::integer AS favorites, NULL::text AS url, NULL::text AS image_url, NULL::text AS synopsis, NULL::jsonb AS raw, NULL::bytea AS content_hash, NULL::timestamp with time zone AS first_seen_at, NULL::timestamp with time zone AS changed_at, NULL::timestamp with time zone AS vanished_at, NULL::boolean AS approved, NULL::timestamp with time zone AS published_to, NULL::text[] AS genres, NULL::text[] AS authors;
CREATE OR REPLACE VIEW jikan.favorite_history AS
SELECT NULL::text AS kind, NULL::bigint AS id, NULL::text AS list, NULL::timestamp with time zone AS list_began_at, NULL::text AS what, NULL::numeric AS value, NULL::timestamp with time zone AS valid_from, NULL::timestamp with time zone AS valid_to;
CREATE OR REPLACE VIEW jikan.favorite_item AS
SELECT NULL::text AS kind, NULL::bigint AS id, NULL::text AS title, NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score, NULL::text AS url, NULL::text AS state, NULL::integer AS rank;
CREATE OR REPLACE VIEW jikan.media_link AS
SELECT NULL::text AS kind, NULL::bigint AS mal_id, NULL::text AS facet, NULL::bigint AS linked_id, NULL::text AS name;
CREATE OR REPLACE VIEW jikan.media_genre AS
SELECT NULL::text AS kind, NULL::bigint AS mal_id, NULL::text AS facet, NULL::bigint AS genre_id, NULL::text AS genre;
CREATE OR REPLACE VIEW jikan.anime_studio AS
SELECT NULL::bigint AS mal_id, NULL::bigint AS studio_id, NULL::text AS studio;
CREATE OR REPLACE VIEW jikan.anime_producer AS
SELECT NULL::bigint AS mal_id, NULL::bigint AS producer_id, NULL::text AS producer;
CREATE OR REPLACE VIEW jikan.anime_licensor AS
SELECT NULL::bigint AS mal_id, NULL::bigint AS licensor_id, NULL::text AS licensor;
CREATE OR REPLACE VIEW jikan.manga_author AS
SELECT NULL::bigint AS mal_id, NULL::bigint AS author_id, NULL::text AS author;
CREATE OR REPLACE VIEW jikan.manga_serialization AS
SELECT NULL::bigint AS mal_id, NULL::bigint AS magazine_id, NULL::text AS magazine;
CREATE OR REPLACE VIEW jikan.ranking_entry AS
SELECT NULL::text AS kind, NULL::text AS subtype, NULL::text AS filter, NULL::integer AS "position", NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS title_english, NULL::text AS title_japanese, NULL::text AS type, NULL::text AS status, NULL::boolean AS ongoing, NULL::integer AS episodes, NULL::integer AS chapters, NULL::integer AS volumes, NULL::timestamp with time zone AS started_at, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS rank, NULL::integer AS popularity, NULL::integer AS members, NULL::integer AS favorites, NULL::text AS url, NULL::text AS image_url, NULL::timestamp with time zone AS vanished_at, NULL::boolean AS unread;
CREATE OR REPLACE VIEW jikan.season_entry AS
SELECT NULL::text AS list, NULL::integer AS "position", NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS title_english, NULL::text AS title_japanese, NULL::text AS type, NULL::text AS status, NULL::boolean AS airing, NULL::integer AS episodes, NULL::timestamp with time zone AS aired_from, NULL::text AS season, NULL::integer AS year, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS rank, NULL::integer AS popularity, NULL::integer AS members, NULL::integer AS favorites, NULL::text AS url, NULL::text AS image_url, NULL::timestamp with time zone AS vanished_at, NULL::boolean AS unread;
CREATE OR REPLACE VIEW jikan.schedule_entry AS
SELECT NULL::text AS list, NULL::integer AS "position", NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS title_english, NULL::text AS title_japanese, NULL::text AS type, NULL::text AS status, NULL::boolean AS airing, NULL::integer AS episodes, NULL::timestamp with time zone AS aired_from, NULL::text AS broadcast_day, NULL::text AS broadcast_time, NULL::text AS broadcast_timezone, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS rank, NULL::integer AS popularity, NULL::integer AS members, NULL::integer AS favorites, NULL::text AS url, NULL::text AS image_url, NULL::timestamp with time zone AS vanished_at, NULL::boolean AS unread;
CREATE OR REPLACE VIEW report.episodes_and_score AS
SELECT NULL::text AS type, NULL::text AS episodes, NULL::bigint AS titles, NULL::numeric AS mean_score, NULL::numeric AS median_score, NULL::numeric AS mean_members, NULL::text AS best_title;
CREATE OR REPLACE VIEW report.hidden_gems AS
SELECT NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS type, NULL::integer AS year, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS members, NULL::integer AS rank;
CREATE OR REPLACE VIEW report.movers AS
SELECT NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS type, NULL::text AS movement, NULL::integer AS "position", NULL::integer AS previous_position, NULL::integer AS places, NULL::numeric AS score, NULL::numeric AS previous_score, NULL::integer AS members, NULL::timestamp with time zone AS since, NULL::boolean AS consistent;
CREATE OR REPLACE VIEW report.seasons AS
SELECT NULL::integer AS year, NULL::text AS season, NULL::bigint AS anime, NULL::bigint AS scored, NULL::numeric AS mean_score, NULL::bigint AS members, NULL::text AS top_title, NULL::numeric AS top_score, NULL::text AS most_popular;
CREATE OR REPLACE VIEW report.studios AS
SELECT NULL::bigint AS "position", NULL::text AS studio, NULL::bigint AS titles, NULL::numeric AS score, NULL::numeric AS mean_score, NULL::bigint AS scored_by, NULL::bigint AS members, NULL::text AS best_title, NULL::numeric AS best_score;
CREATE OR REPLACE VIEW report.top_by_genre AS
SELECT NULL::bigint AS "position", NULL::bigint AS mal_id, NULL::text AS title, NULL::text AS type, NULL::integer AS year, NULL::numeric AS score, NULL::integer AS scored_by, NULL::integer AS members, NULL::integer AS rank;
CREATE OR REPLACE FUNCTION jikan.string(value jsonb) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.flag(value jsonb) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.number(value jsonb) RETURNS numeric
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.whole(value jsonb) RETURNS integer
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.moment(value jsonb) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.clock(value jsonb) RETURNS time without time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.minutes(value jsonb) RETURNS numeric
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.type_label(subtype text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.ranking_history_partition(moment timestamp with time zone) RETURNS name
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.attach_ranking_history_partition(moment timestamp with time zone) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.make_ranking_history_partition(moment timestamp with time zone) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.drop_ranking_history() RETURNS integer
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.tidy_ranking_history() RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.note_ranking(of_kind text, of_subtype text, of_filter text, listed bigint[], their_positions integer[], are_unread boolean[], ranks integer[], scores numeric[], members integer[], favorites integer[], top integer, run uuid, is_consistent boolean) RETURNS timestamp with time zone
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.links_of(keys bigint[], documents jsonb[]) RETURNS TABLE(mal_id bigint, facets text[], linked_ids bigint[], names text[])
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.titles_of(keys bigint[], documents jsonb[]) RETURNS TABLE(mal_id bigint, titles text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.derive(of_kind text, keys bigint[], documents jsonb[]) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.not_mirrored(of_kind text, id bigint) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.keep_order(of_kind text, of_subtype text, of_filter text, listed bigint[], their_positions integer[], are_unread boolean[], their_ranks integer[]) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.grant_rights() RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.slice(of_kind text, filters jsonb) RETURNS TABLE(mal_id bigint)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.fold(title text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.derived_tables(of_kind text) RETURNS TABLE(relation text, id_column text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.made_media_counters(of_kind text, ids bigint[]) RETURNS TABLE(kind text, mal_id bigint)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.made_media_links(of_kind text, ids bigint[]) RETURNS SETOF jikan.media_links
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION jikan.made_media_title(of_kind text, ids bigint[]) RETURNS SETOF jikan.media_title
LANGUAGE plpgsql AS 'BEGIN END';
-- folder sources/pokeapi
CREATE OR REPLACE VIEW pokeapi.favorite_history AS
SELECT NULL::text AS kind, NULL::bigint AS id, NULL::text AS list, NULL::timestamp with time zone AS list_began_at, NULL::text AS what, NULL::numeric AS value, NULL::timestamp with time zone AS valid_from, NULL::timestamp with time zone AS valid_to;
CREATE OR REPLACE VIEW pokeapi.favorite_item AS
SELECT NULL::text AS kind, NULL::bigint AS id, NULL::text AS title, NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score, NULL::text AS url, NULL::text AS state, NULL::integer AS rank;
CREATE OR REPLACE VIEW pokeapi.pokedex AS
SELECT NULL::bigint AS id, NULL::bigint AS species_id, NULL::text AS name, NULL::text AS species, NULL::boolean AS is_form, NULL::bigint AS generation_id, NULL::text[] AS types, NULL::integer AS hp, NULL::integer AS attack, NULL::integer AS defense, NULL::integer AS special_attack, NULL::integer AS special_defense, NULL::integer AS speed, NULL::integer AS total, NULL::boolean AS is_legendary, NULL::boolean AS is_mythical, NULL::boolean AS is_baby, NULL::boolean AS owned;
CREATE OR REPLACE VIEW pokeapi.type_efficacy AS
SELECT NULL::bigint AS attacking_type_id, NULL::text AS attacking_type, NULL::bigint AS defending_type_id, NULL::text AS defending_type, NULL::bigint AS generation_id, NULL::numeric AS multiplier;
CREATE OR REPLACE VIEW report.my_pokedex AS
SELECT NULL::bigint AS generation, NULL::bigint AS species, NULL::bigint AS owned, NULL::bigint AS missing, NULL::numeric AS owned_percent, NULL::text AS next_missing;
CREATE OR REPLACE VIEW report.strongest_pokemon_by_type AS
SELECT NULL::text AS type, NULL::bigint AS "position", NULL::bigint AS number, NULL::text AS name, NULL::integer AS total, NULL::text AS types, NULL::boolean AS owned, NULL::bigint AS generation;
CREATE OR REPLACE VIEW report.type_chart AS
SELECT NULL::text AS attacking_type, NULL::numeric AS normal, NULL::numeric AS fighting, NULL::numeric AS flying, NULL::numeric AS poison, NULL::numeric AS ground, NULL::numeric AS rock, NULL::numeric AS bug, NULL::numeric AS ghost, NULL::numeric AS steel, NULL::numeric AS fire, NULL::numeric AS water, NULL::numeric AS grass, NULL::numeric AS electric, NULL::numeric AS psychic, NULL::numeric AS ice, NULL::numeric AS dragon, NULL::numeric AS dark, NULL::numeric AS fairy;
CREATE OR REPLACE VIEW report.unused_type_pairs AS
SELECT NULL::text AS type1, NULL::text AS type2, NULL::bigint AS forms, NULL::text AS form;
CREATE OR REPLACE FUNCTION pokeapi.made_name(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.name
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_effect(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.effect
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_language(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.language
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_version(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.version
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_version_group(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.version_group
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_type(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_type
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_past_type(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_past_type
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_stat(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_stat
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_past_stat(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_past_stat
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_ability(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_ability
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_form_type(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_form_type
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_form(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokemon_form
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_species_egg_group(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.species_egg_group
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_species_text(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.species_text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_species_genus(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.species_genus
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_pokedex_number(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.pokedex_number
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_species(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.species
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_evolution_chain(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.evolution_chain
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_evolution(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.evolution
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_type(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.type
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_type_relation(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.type_relation
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_move(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.move
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_move_stat_change(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.move_stat_change
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_move_past_value(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.move_past_value
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_ability(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.ability
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_item(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.item
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_item_price(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.item_price
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_nature(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.nature
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.made_encounter(of_endpoint text, ids bigint[]) RETURNS SETOF pokeapi.encounter
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.derived_tables(of_endpoint text) RETURNS TABLE(relation text, id_column text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.derive(endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.document(raw jsonb, without text[] DEFAULT '{}'::text[]) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.list(value jsonb) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.string(value jsonb) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.flag(value jsonb) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.whole(value jsonb) RETURNS integer
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.link_id(link jsonb) RETURNS bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.link_name(link jsonb) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.bag(value jsonb) RETURNS jsonb
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.words(name text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.clean(value text, language text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.documents(of_endpoint text, ids bigint[], without text[] DEFAULT '{}'::text[]) RETURNS TABLE(id bigint, raw jsonb)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.parts(of_endpoint text, ids bigint[], member text) RETURNS TABLE(id bigint, value jsonb, n bigint)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.times(count integer) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.evolution_sentence(way jsonb, from_species text) RETURNS text
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.evolution_stage(of_chain bigint) RETURNS TABLE(species_id bigint, stage integer)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.grant_rights() RETURNS void
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.owned() RETURNS SETOF bigint
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.best_name(languages text[]) RETURNS TABLE(endpoint text, id bigint, name text, language text, choice integer)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.main_form() RETURNS TABLE(pokemon_id bigint, id bigint)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.labelled_form() RETURNS TABLE(pokemon_id bigint, language text, name text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.entry(languages text[]) RETURNS TABLE(id bigint, species_id bigint, species text, slug text, is_form boolean, generation_id bigint, types text[], name text, language text, type_names text[], hp integer, attack integer, defense integer, special_attack integer, special_defense integer, speed integer, total integer, is_baby boolean, is_legendary boolean, is_mythical boolean, owned boolean)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.texts(of_endpoint text, of_id bigint, document jsonb, languages text[]) RETURNS TABLE(short_effect text, effect text, effect_language text, description text, description_language text, description_version_group text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.texts(document pokeapi.resource, languages text[]) RETURNS TABLE(short_effect text, effect text, effect_language text, description text, description_language text, description_version_group text)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE AGGREGATE pokeapi.product(numeric) (SFUNC = numeric_mul, STYPE = numeric);
CREATE OR REPLACE FUNCTION pokeapi.efficacy(generation integer DEFAULT NULL::integer) RETURNS TABLE(attacking_type text, defending_type text, multiplier numeric)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.matchup(defending text[], generation integer DEFAULT NULL::integer) RETURNS TABLE(attacking_type text, multiplier numeric)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.matchup(type1 text, type2 text DEFAULT NULL::text, generation integer DEFAULT NULL::integer) RETURNS TABLE(attacking_type text, multiplier numeric)
LANGUAGE plpgsql AS 'BEGIN END';
CREATE OR REPLACE FUNCTION pokeapi.attack(attacking text, generation integer DEFAULT NULL::integer) RETURNS TABLE(defending_type text, multiplier numeric)
LANGUAGE plpgsql AS 'BEGIN END';
