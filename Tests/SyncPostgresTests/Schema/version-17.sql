-- A database that syncctl made with schema version 17, a few rows in it: pg_dump --no-owner without its headings.

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA app;

COMMENT ON SCHEMA app IS 'What belongs to the user: favorites and other collections. No sync ever touches it.';

CREATE SCHEMA itunes;

COMMENT ON SCHEMA itunes IS 'Mirror of what the iTunes Search API and Apple''s charts answered. Begin with the views itunes.track, itunes.album and itunes.chart_ranking; itunes.item holds every record.';

CREATE SCHEMA jikan;

COMMENT ON SCHEMA jikan IS 'Mirror of MyAnimeList as Jikan v4 and its successors serve it. Read jikan.anime, jikan.manga and jikan.ranking_entry.';

CREATE SCHEMA pokeapi;

COMMENT ON SCHEMA pokeapi IS 'Mirror of PokeAPI v2. Begin with the view pokeapi.pokedex and the function pokeapi.matchup; pokeapi.resource holds every document.';

CREATE SCHEMA sync;

COMMENT ON SCHEMA sync IS 'How the mirror is kept: walks, the ledger of runs, leases, quarantine, publications. Written by syncctl only.';

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE itunes.chart_history (
    country text NOT NULL,
    media text NOT NULL,
    feed text NOT NULL,
    type text NOT NULL,
    id bigint NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    valid_to timestamp with time zone,
    "position" integer NOT NULL
);

COMMENT ON TABLE itunes.chart_history IS 'Who stood where: a row begins when an entry comes in or moves, and ends when it moves again or leaves.';

COMMENT ON COLUMN itunes.chart_history.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.chart_history.media IS 'music, apps, books, audio-books or podcasts.';

COMMENT ON COLUMN itunes.chart_history.feed IS 'most-played, top-free, top-paid, top, …';

COMMENT ON COLUMN itunes.chart_history.type IS 'songs, albums, apps, …';

COMMENT ON COLUMN itunes.chart_history.id IS 'Id of the item.';

COMMENT ON COLUMN itunes.chart_history.valid_from IS 'When it was published at this place.';

COMMENT ON COLUMN itunes.chart_history.valid_to IS 'When it was published at another place, or no more; null while it is so.';

COMMENT ON COLUMN itunes.chart_history."position" IS 'Place in the chart, from 1.';

CREATE TABLE itunes.chart_item (
    country text NOT NULL,
    type text NOT NULL,
    id bigint NOT NULL,
    name text,
    artist_id bigint,
    artist_name text,
    kind text,
    url text,
    artist_url text,
    artwork_url text,
    release_date date,
    content_advisory_rating text,
    genres text[] DEFAULT '{}'::text[] NOT NULL,
    raw jsonb NOT NULL,
    content_hash bytea NOT NULL,
    first_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY itunes.chart_item ALTER COLUMN raw SET COMPRESSION lz4;

COMMENT ON TABLE itunes.chart_item IS 'What stands or stood in a chart, as the charts describe it. Nothing ever goes.';

COMMENT ON COLUMN itunes.chart_item.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.chart_item.type IS 'songs, albums, apps, books, audio-books, podcasts, podcast-episodes, …';

COMMENT ON COLUMN itunes.chart_item.id IS 'Apple''s id within storefront and type; itunes.item has the same one if a search or a look-up met it.';

COMMENT ON COLUMN itunes.chart_item.name IS 'Name.';

COMMENT ON COLUMN itunes.chart_item.artist_id IS 'Apple''s id of the artist, if the chart names it.';

COMMENT ON COLUMN itunes.chart_item.artist_name IS 'Artist, author or seller.';

COMMENT ON COLUMN itunes.chart_item.kind IS 'Kind as the chart writes it, e.g. songs.';

COMMENT ON COLUMN itunes.chart_item.url IS 'Page in the store.';

COMMENT ON COLUMN itunes.chart_item.artist_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.chart_item.artwork_url IS 'Artwork.';

COMMENT ON COLUMN itunes.chart_item.release_date IS 'Day of the release.';

COMMENT ON COLUMN itunes.chart_item.content_advisory_rating IS 'Explicit (which the upstream misspells), Clean, …';

COMMENT ON COLUMN itunes.chart_item.genres IS 'Names of the genres.';

COMMENT ON COLUMN itunes.chart_item.raw IS 'The whole entry as it came.';

COMMENT ON COLUMN itunes.chart_item.content_hash IS 'SHA-256 of the entry''s canonical form, and of the version of the mapping (last byte).';

COMMENT ON COLUMN itunes.chart_item.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.chart_item.changed_at IS 'When it last changed.';

CREATE FUNCTION itunes.chart_as_of(of_country text, of_media text, of_feed text, of_type text, moment timestamp with time zone DEFAULT now()) RETURNS TABLE("position" integer, id bigint, name text, artist_name text, valid_from timestamp with time zone)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT h."position",
     h.id,
     i.name,
     i.artist_name,
     h.valid_from
    FROM (itunes.chart_history h
      LEFT JOIN itunes.chart_item i USING (country, type, id))
   WHERE ((h.country = chart_as_of.of_country) AND (h.media = chart_as_of.of_media) AND (h.feed = chart_as_of.of_feed) AND (h.type = chart_as_of.of_type) AND (h.valid_from <= chart_as_of.moment) AND ((h.valid_to > chart_as_of.moment) OR (h.valid_to IS NULL)))
   ORDER BY h."position";
END;

COMMENT ON FUNCTION itunes.chart_as_of(of_country text, of_media text, of_feed text, of_type text, moment timestamp with time zone) IS 'A chart as it was last published by a time.';

CREATE TABLE itunes.chart_entry (
    country text NOT NULL,
    media text NOT NULL,
    feed text NOT NULL,
    type text NOT NULL,
    id bigint NOT NULL,
    "position" integer NOT NULL
);

COMMENT ON TABLE itunes.chart_entry IS 'The charts as last published, each replaced as a whole. sync.publication tells from which run.';

COMMENT ON COLUMN itunes.chart_entry.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.chart_entry.media IS 'music, apps, books, audio-books or podcasts.';

COMMENT ON COLUMN itunes.chart_entry.feed IS 'most-played, top-free, top-paid, top, …';

COMMENT ON COLUMN itunes.chart_entry.type IS 'songs, albums, apps, …';

COMMENT ON COLUMN itunes.chart_entry.id IS 'Id of the item.';

COMMENT ON COLUMN itunes.chart_entry."position" IS 'Place in the chart, from 1, repeats not counted: the upstream gives no other rank.';

CREATE FUNCTION itunes.chart_movers(of_country text, of_media text, of_feed text, of_type text, since timestamp with time zone) RETURNS TABLE(id bigint, name text, artist_name text, "position" integer, previous_position integer, change integer, movement text)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 WITH past AS (
          SELECT p_1.id,
             p_1."position"
            FROM itunes.chart_as_of(chart_movers.of_country, chart_movers.of_media, chart_movers.of_feed, chart_movers.of_type, chart_movers.since) p_1("position", id, name, artist_name, valid_from)
         ), present AS (
          SELECT e.id,
             e."position"
            FROM itunes.chart_entry e
           WHERE ((e.country = chart_movers.of_country) AND (e.media = chart_movers.of_media) AND (e.feed = chart_movers.of_feed) AND (e.type = chart_movers.of_type))
         ), absent AS (
          SELECT (1 + GREATEST(( SELECT max(p_1."position") AS max
                    FROM past p_1), ( SELECT max(n_1."position") AS max
                    FROM present n_1))) AS "position"
         )
  SELECT m.id,
     i.name,
     i.artist_name,
     n."position",
     p."position",
     (p."position" - n."position"),
         CASE
             WHEN (p."position" IS NULL) THEN 'entered'::text
             WHEN (n."position" IS NULL) THEN 'left'::text
             WHEN (n."position" < p."position") THEN 'up'::text
             ELSE 'down'::text
         END AS "case"
    FROM ((((( SELECT present.id
            FROM present
         UNION
          SELECT past.id
            FROM past) m
      LEFT JOIN present n ON ((n.id = m.id)))
      LEFT JOIN past p ON ((p.id = m.id)))
      CROSS JOIN absent a)
      LEFT JOIN itunes.chart_item i ON (((i.country = chart_movers.of_country) AND (i.type = chart_movers.of_type) AND (i.id = m.id))))
   WHERE (n."position" IS DISTINCT FROM p."position")
   ORDER BY (abs((COALESCE(p."position", a."position") - COALESCE(n."position", a."position")))) DESC, COALESCE(n."position", p."position"), m.id;
END;

COMMENT ON FUNCTION itunes.chart_movers(of_country text, of_media text, of_feed text, of_type text, since timestamp with time zone) IS 'Who moved in a chart since a time, the longest way first: the chart as last published against what it was then. Who came in or left has come from or gone to the end.';

CREATE FUNCTION itunes.string(value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) = 'string'::text) THEN NULLIF((value #>> '{}'::text[]), ''::text) ELSE NULL::text END;

COMMENT ON FUNCTION itunes.string(value jsonb) IS 'A text; null for an empty one, and for anything else.';

CREATE FUNCTION itunes.day(value jsonb) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (itunes.string(value) ~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?![0-9])'::text) THEN CASE WHEN (EXTRACT(month FROM ((make_date(("left"(itunes.string(value), 4))::integer, (substr(itunes.string(value), 6, 2))::integer, 1) + (substr(itunes.string(value), 9, 2))::integer) - 1)) = ((substr(itunes.string(value), 6, 2))::integer)::numeric) THEN make_date(("left"(itunes.string(value), 4))::integer, (substr(itunes.string(value), 6, 2))::integer, (substr(itunes.string(value), 9, 2))::integer) ELSE NULL::date END ELSE NULL::date END;

COMMENT ON FUNCTION itunes.day(value jsonb) IS 'The day with which a time in ISO 8601 or like 2005-01-20 08:00:00 Etc/GMT begins; null for anything else. The store writes days as Pacific midnight or noon, so the written day is meant.';

CREATE FUNCTION itunes.folded(value text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN lower(CASE WHEN (getdatabaseencoding() = 'UTF8'::name) THEN NORMALIZE(regexp_replace(NORMALIZE(value, NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), NFKC) ELSE value END);

COMMENT ON FUNCTION itunes.folded(value text) IS 'A text as it is compared in searches: in lower case, without accents, letters of double width as the others.';

CREATE TABLE itunes.item (
    country text NOT NULL,
    class text NOT NULL,
    id bigint NOT NULL,
    wrapper_type text,
    kind text,
    collection_type text,
    artist_type text,
    title text,
    artist_id bigint,
    artist_name text,
    collection_id bigint,
    collection_name text,
    track_id bigint,
    track_name text,
    bundle_id text,
    price numeric(12,2),
    formatted_price text,
    currency text,
    is_sold_singly boolean,
    track_price numeric(12,2),
    collection_price numeric(12,2),
    track_rental_price numeric(12,2),
    track_hd_price numeric(12,2),
    track_hd_rental_price numeric(12,2),
    collection_hd_price numeric(12,2),
    release_date date,
    released_at timestamp with time zone,
    track_time_ms bigint,
    disc_number integer,
    disc_count integer,
    track_number integer,
    track_count integer,
    explicitness text,
    content_advisory_rating text,
    primary_genre text,
    genres text[] DEFAULT '{}'::text[] NOT NULL,
    file_size_bytes bigint,
    average_user_rating numeric(4,2),
    user_rating_count bigint,
    version text,
    preview_url text,
    artwork_url text,
    artist_view_url text,
    collection_view_url text,
    track_view_url text,
    feed_url text,
    search_text text DEFAULT ''::text NOT NULL,
    raw jsonb NOT NULL,
    content_hash bytea NOT NULL,
    first_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    vanished_at timestamp with time zone
);
ALTER TABLE ONLY itunes.item ALTER COLUMN raw SET COMPRESSION lz4;

COMMENT ON TABLE itunes.item IS 'Every record that a search or a look-up answered: songs, films, albums, artists, podcasts, audiobooks, ebooks, apps. Prices and names are those of one storefront.';

COMMENT ON COLUMN itunes.item.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.item.class IS 'track (songs, music videos, films, TV episodes), collection (albums, TV seasons), artist, podcast, podcast-episode, audiobook, ebook, app, or other.';

COMMENT ON COLUMN itunes.item.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.item.wrapper_type IS 'wrapperType as the upstream writes it; ebooks have none.';

COMMENT ON COLUMN itunes.item.kind IS 'song, music-video, feature-movie, tv-episode, podcast, ebook, software, …: an open set. Albums, artists and audiobooks have none.';

COMMENT ON COLUMN itunes.item.collection_type IS 'Of a collection: Album, TV Season, …';

COMMENT ON COLUMN itunes.item.artist_type IS 'Of an artist: Artist, Author, …';

COMMENT ON COLUMN itunes.item.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.item.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.item.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.item.collection_id IS 'Apple''s id of the album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.item.collection_name IS 'Album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.item.track_id IS 'Apple''s id of the track; albums, artists and audiobooks have none.';

COMMENT ON COLUMN itunes.item.track_name IS 'Name of the track.';

COMMENT ON COLUMN itunes.item.bundle_id IS 'Of an app, e.g. com.example.app.';

COMMENT ON COLUMN itunes.item.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.item.formatted_price IS 'Price as the storefront writes it; apps and ebooks alone have it.';

COMMENT ON COLUMN itunes.item.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.item.is_sold_singly IS 'False for a track that is sold with its collection alone (the upstream says a price of -1); null if there is no price of a track.';

COMMENT ON COLUMN itunes.item.track_price IS 'Price of the track; null if it is not sold singly.';

COMMENT ON COLUMN itunes.item.collection_price IS 'Price of the collection it is part of; null if that is not sold as a whole.';

COMMENT ON COLUMN itunes.item.track_rental_price IS 'Of a film, for renting it.';

COMMENT ON COLUMN itunes.item.track_hd_price IS 'Of a film or an episode, in HD.';

COMMENT ON COLUMN itunes.item.track_hd_rental_price IS 'Of a film, for renting it in HD.';

COMMENT ON COLUMN itunes.item.collection_hd_price IS 'Of the collection, in HD.';

COMMENT ON COLUMN itunes.item.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.item.released_at IS 'The same with its time of day, which tells something of podcasts and apps alone; null where only a day is given.';

COMMENT ON COLUMN itunes.item.track_time_ms IS 'How long it plays, in milliseconds; that of podcasts comes in seconds.';

COMMENT ON COLUMN itunes.item.disc_number IS 'Disc of the album, from 1.';

COMMENT ON COLUMN itunes.item.disc_count IS 'Discs of the album.';

COMMENT ON COLUMN itunes.item.track_number IS 'Place on the disc, from 1.';

COMMENT ON COLUMN itunes.item.track_count IS 'Tracks of the disc, or of the collection.';

COMMENT ON COLUMN itunes.item.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';

COMMENT ON COLUMN itunes.item.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';

COMMENT ON COLUMN itunes.item.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.item.genres IS 'All genres, the main one among them.';

COMMENT ON COLUMN itunes.item.file_size_bytes IS 'Of an app or an ebook.';

COMMENT ON COLUMN itunes.item.average_user_rating IS 'Of an app or an ebook, 0 to 5.';

COMMENT ON COLUMN itunes.item.user_rating_count IS 'How many people rated it.';

COMMENT ON COLUMN itunes.item.version IS 'Of an app.';

COMMENT ON COLUMN itunes.item.preview_url IS 'Where its preview can be streamed.';

COMMENT ON COLUMN itunes.item.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.item.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.item.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.item.track_view_url IS 'Page of the track in the store.';

COMMENT ON COLUMN itunes.item.feed_url IS 'RSS feed of a podcast.';

COMMENT ON COLUMN itunes.item.search_text IS 'Title, artist and collection as itunes.folded writes them, for searching in the mirror.';

COMMENT ON COLUMN itunes.item.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.item.content_hash IS 'SHA-256 of the record''s canonical form without what changes by itself, and of the version of the mapping (last byte).';

COMMENT ON COLUMN itunes.item.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.item.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.item.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE FUNCTION itunes.found(term text, of_country text DEFAULT NULL::text) RETURNS SETOF itunes.item
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT i.country,
     i.class,
     i.id,
     i.wrapper_type,
     i.kind,
     i.collection_type,
     i.artist_type,
     i.title,
     i.artist_id,
     i.artist_name,
     i.collection_id,
     i.collection_name,
     i.track_id,
     i.track_name,
     i.bundle_id,
     i.price,
     i.formatted_price,
     i.currency,
     i.is_sold_singly,
     i.track_price,
     i.collection_price,
     i.track_rental_price,
     i.track_hd_price,
     i.track_hd_rental_price,
     i.collection_hd_price,
     i.release_date,
     i.released_at,
     i.track_time_ms,
     i.disc_number,
     i.disc_count,
     i.track_number,
     i.track_count,
     i.explicitness,
     i.content_advisory_rating,
     i.primary_genre,
     i.genres,
     i.file_size_bytes,
     i.average_user_rating,
     i.user_rating_count,
     i.version,
     i.preview_url,
     i.artwork_url,
     i.artist_view_url,
     i.collection_view_url,
     i.track_view_url,
     i.feed_url,
     i.search_text,
     i.raw,
     i.content_hash,
     i.first_seen_at,
     i.changed_at,
     i.vanished_at
    FROM itunes.item i
   WHERE ((i.vanished_at IS NULL) AND ((found.of_country IS NULL) OR (i.country = found.of_country)) AND (i.search_text ~~ ALL (ARRAY( SELECT (('%'::text || regexp_replace(word.word, '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text)
            FROM regexp_split_to_table(itunes.folded(found.term), '\s+'::text) word(word)
           WHERE (word.word <> ''::text)))));
END;

COMMENT ON FUNCTION itunes.found(term text, of_country text) IS 'Items of the mirror in whose title, artist and collection all words of a term occur, in any case and with or without accents.';

CREATE FUNCTION itunes.genre_names(value jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT named.name FROM (SELECT COALESCE(itunes.string(e.genre), itunes.string((e.genre -> 'name'::text))) AS name, e.n FROM jsonb_array_elements(CASE WHEN (jsonb_typeof(genre_names.value) = 'array'::text) THEN genre_names.value ELSE '[]'::jsonb END) WITH ORDINALITY e(genre, n)) named WHERE (named.name IS NOT NULL) ORDER BY named.n);

COMMENT ON FUNCTION itunes.genre_names(value jsonb) IS 'Names of an array of texts, or of objects with names.';

CREATE FUNCTION itunes.instant(value jsonb) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (itunes.string(value) ~ ('^.{10}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?'::text || '( ?(Z|(Etc/)?(GMT|UTC)|[+-](0[0-9]|1[0-4]):?[0-5][0-9]))?$'::text)) THEN (((itunes.day(value) + (substr(itunes.string(value), 12, 8))::time without time zone) AT TIME ZONE 'UTC'::text) - (COALESCE((("substring"(itunes.string(value), '([+-][0-9]{2}):?[0-9]{2}$'::text) || ':'::text) || "substring"(itunes.string(value), '[+-][0-9]{2}:?([0-9]{2})$'::text)), '0'::text))::interval hour to minute) ELSE NULL::timestamp with time zone END;

COMMENT ON FUNCTION itunes.instant(value jsonb) IS 'A time in ISO 8601, or like 2005-01-20 08:00:00 Etc/GMT, to the second; UTC where no zone is named. Null for anything else, a mere day included.';

CREATE FUNCTION itunes.key(class text, id bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((id << 4) | (COALESCE(array_position(ARRAY['track'::text, 'collection'::text, 'artist'::text, 'podcast'::text, 'podcast-episode'::text, 'audiobook'::text, 'ebook'::text, 'app'::text], class), 0))::bigint);

COMMENT ON FUNCTION itunes.key(class text, id bigint) IS 'Key of an item of a storefront: the id, and the number of the class in the last four bits.';

CREATE FUNCTION itunes.key_class(key bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((ARRAY['track'::text, 'collection'::text, 'artist'::text, 'podcast'::text, 'podcast-episode'::text, 'audiobook'::text, 'ebook'::text, 'app'::text])[((key & (15)::bigint))::integer], 'other'::text);

COMMENT ON FUNCTION itunes.key_class(key bigint) IS 'Class of the item that a key stands for.';

CREATE FUNCTION itunes.key_id(key bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (key >> 4);

COMMENT ON FUNCTION itunes.key_id(key bigint) IS 'Id of the item that a key stands for.';

CREATE FUNCTION itunes.number(value jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE jsonb_typeof(value) WHEN 'number'::text THEN (value)::numeric WHEN 'string'::text THEN CASE WHEN ((value #>> '{}'::text[]) ~ '^\s*-?[0-9]{1,30}(\.[0-9]{1,60})?\s*$'::text) THEN ((value #>> '{}'::text[]))::numeric ELSE NULL::numeric END ELSE NULL::numeric END;

COMMENT ON FUNCTION itunes.number(value jsonb) IS 'A number, or a text that reads as one; null for anything else.';

CREATE FUNCTION itunes.milliseconds(value jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((itunes.number(value) >= (0)::numeric) AND (itunes.number(value) <= '9000000000000000'::numeric)) THEN (round(itunes.number(value)))::bigint ELSE NULL::bigint END;

COMMENT ON FUNCTION itunes.milliseconds(value jsonb) IS 'A length of time, to the millisecond; null for anything else.';

CREATE FUNCTION itunes.money(value jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((itunes.number(value) >= (0)::numeric) AND (itunes.number(value) < '1000000000'::numeric)) THEN round(itunes.number(value), 2) ELSE NULL::numeric END;

COMMENT ON FUNCTION itunes.money(value jsonb) IS 'A price; null for -1, by which the upstream says that something is not sold singly, and for anything else.';

CREATE FUNCTION itunes.whole(value jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (abs(itunes.number(value)) < '9000000000000000000'::numeric) THEN CASE WHEN (itunes.number(value) = trunc(itunes.number(value))) THEN (itunes.number(value))::bigint ELSE NULL::bigint END ELSE NULL::bigint END;

COMMENT ON FUNCTION itunes.whole(value jsonb) IS 'A whole number however it is spelled: 12, 12.0 and "12" are equal; null for anything else.';

CREATE FUNCTION itunes.ordinal(value jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((itunes.whole(value) >= 0) AND (itunes.whole(value) <= 2147483647)) THEN (itunes.whole(value))::integer ELSE NULL::integer END;

COMMENT ON FUNCTION itunes.ordinal(value jsonb) IS 'A number or count of discs, tracks, …; null for anything else.';

CREATE TABLE itunes.search_history (
    search text NOT NULL,
    country text NOT NULL,
    class text NOT NULL,
    id bigint NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    valid_to timestamp with time zone,
    "position" integer NOT NULL
);

COMMENT ON TABLE itunes.search_history IS 'What the searches returned: a row begins when an item comes in or moves, and ends when it moves again or is not among the results.';

COMMENT ON COLUMN itunes.search_history.search IS 'Name of the search.';

COMMENT ON COLUMN itunes.search_history.country IS 'Storefront.';

COMMENT ON COLUMN itunes.search_history.class IS 'Class of the item.';

COMMENT ON COLUMN itunes.search_history.id IS 'Id of the item.';

COMMENT ON COLUMN itunes.search_history.valid_from IS 'When the search was published with it at this place.';

COMMENT ON COLUMN itunes.search_history.valid_to IS 'When it was published otherwise, or without it; null while it is so.';

COMMENT ON COLUMN itunes.search_history."position" IS 'Place among the results, from 1.';

CREATE FUNCTION itunes.search_as_of(of_search text, moment timestamp with time zone DEFAULT now()) RETURNS TABLE("position" integer, country text, class text, id bigint, title text, artist_name text, collection_name text, valid_from timestamp with time zone)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT h."position",
     h.country,
     h.class,
     h.id,
     i.title,
     i.artist_name,
     i.collection_name,
     h.valid_from
    FROM (itunes.search_history h
      LEFT JOIN itunes.item i USING (country, class, id))
   WHERE ((h.search = search_as_of.of_search) AND (h.valid_from <= search_as_of.moment) AND ((h.valid_to > search_as_of.moment) OR (h.valid_to IS NULL)))
   ORDER BY h."position";
END;

COMMENT ON FUNCTION itunes.search_as_of(of_search text, moment timestamp with time zone) IS 'What a search returned when it was last published by a time.';

CREATE FUNCTION jikan.attach_ranking_history_partition(moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
  partition name := jikan.ranking_history_partition(moment);
  month     timestamptz := date_trunc('month', moment);
BEGIN
  IF to_regclass(format('jikan.%I', partition)) IS NOT NULL THEN
    RETURN;
  END IF;
  -- The lock that attaching takes; who waits for it sees then what others have made.
  LOCK TABLE ONLY jikan.ranking_history IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(format('jikan.%I', partition)) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Attached and not created as a partition, which would lock all readers out.
  EXECUTE format('CREATE TABLE jikan.%I (LIKE jikan.ranking_history INCLUDING COMMENTS)', partition);
  EXECUTE format('COMMENT ON TABLE jikan.%I IS %L', partition, 'Rows of jikan.ranking_history that begin in this month.');
  EXECUTE format('ALTER TABLE jikan.ranking_history ATTACH PARTITION jikan.%I FOR VALUES FROM (%L) TO (%L)',
    partition, month, month + interval '1 month');
END $$;

COMMENT ON FUNCTION jikan.attach_ranking_history_partition(moment timestamp with time zone) IS 'Makes the partition of jikan.ranking_history for any time, if it is not there; with the rights of its caller.';

CREATE FUNCTION jikan.drop_ranking_history() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '2s'
    AS $$
DECLARE
  -- Whole months, and at least a day, which the table sees to: a mistake must not take everything.
  cutoff  timestamptz := (SELECT date_trunc('month', clock_timestamp() - make_interval(days => r.kept_days))
                          FROM jikan.ranking_retention r);
  old     name;
  dropped integer := 0;
BEGIN
  -- Nothing is before a cutoff that there is not.
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'jikan.ranking_history'::regclass AND c.relname < jikan.ranking_history_partition(cutoff)
  ) THEN
    RETURN 0;
  END IF;
  -- Before the rows are read, because a publication under way could end one after it was carried forward.
  LOCK TABLE jikan.ranking_history IN ACCESS EXCLUSIVE MODE;
  PERFORM jikan.attach_ranking_history_partition(cutoff);
  INSERT INTO jikan.ranking_history
    (kind, subtype, filter, mal_id, valid_from, valid_to, position, rank, score, members, favorites)
  SELECT kind, subtype, filter, mal_id, cutoff, valid_to, position, rank, score, members, favorites
  FROM jikan.ranking_history WHERE valid_from < cutoff AND (valid_to IS NULL OR valid_to > cutoff);
  FOR old IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'jikan.ranking_history'::regclass AND c.relname < jikan.ranking_history_partition(cutoff)
  LOOP
    EXECUTE format('DROP TABLE jikan.%I', old);
    dropped := dropped + 1;
  END LOOP;
  -- The list that was published last before the cutoff stood there at the cutoff.
  DELETE FROM jikan.ranking_publication p
  WHERE p.published_at < cutoff AND EXISTS (
    SELECT FROM jikan.ranking_publication n
    WHERE (n.kind, n.subtype, n.filter) = (p.kind, p.subtype, p.filter)
      AND n.published_at > p.published_at AND n.published_at <= cutoff);
  UPDATE jikan.ranking_publication SET published_at = cutoff WHERE published_at < cutoff;
  RETURN dropped;
END $$;

COMMENT ON FUNCTION jikan.drop_ranking_history() IS 'Drops the months that ended before the time that jikan.ranking_retention keeps; what is still valid then is carried forward. Gives the number of months dropped.';

CREATE FUNCTION jikan.make_ranking_history_partition(moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
  month   timestamptz := date_trunc('month', moment);
  current timestamptz := date_trunc('month', clock_timestamp());
BEGIN
  IF to_regclass(format('jikan.%I', jikan.ranking_history_partition(moment))) IS NOT NULL THEN
    RETURN;
  END IF;
  IF NOT coalesce(month BETWEEN current - interval '1 month' AND current + interval '2 months', false) THEN
    RAISE EXCEPTION 'no month of the history is made for %: it is not one of the last, this and the next two', moment
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM jikan.attach_ranking_history_partition(moment);
END $$;

COMMENT ON FUNCTION jikan.make_ranking_history_partition(moment timestamp with time zone) IS 'Makes the partition of jikan.ranking_history for a time of the last month, this one or the next two, if it is not there.';

CREATE FUNCTION jikan.note_ranking(of_kind text, of_subtype text, of_filter text, listed bigint[], top integer, run uuid, is_consistent boolean) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
  moment timestamptz;
  last jikan.ranking_publication;
  differences bigint;
BEGIN
  -- While this transaction has no lock on the history that another one could wait for.
  BEGIN
    PERFORM jikan.drop_ranking_history();
  EXCEPTION WHEN lock_not_available THEN
    NULL; -- Somebody is at work on it; the next publication tries again.
  END;
  -- Later than before, even if the clock was set back.
  SELECT p.* INTO last FROM jikan.ranking_publication p
  WHERE p.kind = of_kind AND p.subtype = of_subtype AND p.filter = of_filter
  ORDER BY p.published_at DESC LIMIT 1;
  moment := greatest(clock_timestamp(), last.published_at + interval '1 microsecond');
  PERFORM jikan.make_ranking_history_partition(moment);

  WITH today AS (
    SELECT l.mal_id, l.position::integer, nullif(c.rank, 0) AS rank, nullif(c.score, 0) AS score, c.members, c.favorites
    FROM unnest(listed) WITH ORDINALITY AS l (mal_id, position)
    LEFT JOIN jikan.media_counters c ON c.kind = of_kind AND c.mal_id = l.mal_id
  ), noted AS (
    SELECT h.mal_id, h.valid_from, h.position, h.rank, h.score FROM jikan.ranking_history h
    WHERE h.kind = of_kind AND h.subtype = of_subtype AND h.filter = of_filter AND h.valid_to IS NULL
  ), difference AS (
    -- What is noted within the top is exact, so comparing with it is comparing with the last publication.
    SELECT mal_id, t.position, t.rank, t.score, t.members, t.favorites, n.valid_from AS noted_from
    FROM today t FULL JOIN noted n USING (mal_id)
    WHERE t.position IS NULL OR n.position IS NULL
       OR t.rank IS DISTINCT FROM n.rank OR t.score IS DISTINCT FROM n.score
       OR (t.position <> n.position AND least(t.position, n.position) <= top)
  ), ended AS (
    UPDATE jikan.ranking_history h SET valid_to = moment FROM difference d
    WHERE h.kind = of_kind AND h.subtype = of_subtype AND h.filter = of_filter AND h.valid_to IS NULL
      AND h.mal_id = d.mal_id AND h.valid_from = d.noted_from
  ), added AS (
    INSERT INTO jikan.ranking_history
      (kind, subtype, filter, mal_id, valid_from, position, rank, score, members, favorites)
    SELECT of_kind, of_subtype, of_filter, d.mal_id, moment, d.position, d.rank, d.score, d.members, d.favorites
    FROM difference d WHERE d.position IS NOT NULL ORDER BY d.mal_id
  )
  SELECT count(*) INTO differences FROM difference;
  -- What was published last holds for today too, and the ledger knows of the run.
  IF differences = 0 AND (last.entries, last.positions, last.consistent) = (cardinality(listed), top, is_consistent) THEN
    RETURN last.published_at;
  END IF;

  INSERT INTO jikan.ranking_publication
    (kind, subtype, filter, published_at, run_id, entries, positions, consistent)
  VALUES (of_kind, of_subtype, of_filter, moment, run, cardinality(listed), top, is_consistent);
  RETURN moment;
END $$;

COMMENT ON FUNCTION jikan.note_ranking(of_kind text, of_subtype text, of_filter text, listed bigint[], top integer, run uuid, is_consistent boolean) IS 'Notes in the history that a list was published: listed holds its mal_ids in order, top is the number of positions whose changes are noted. Gives the time of the publication that holds: this one, or an earlier one that was the same.';

CREATE FUNCTION jikan.ranking_history_partition(moment timestamp with time zone) RETURNS name
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  SELECT ('ranking_history_' || to_char(moment AT TIME ZONE 'UTC', 'YYYY_MM'))::name
$$;

COMMENT ON FUNCTION jikan.ranking_history_partition(moment timestamp with time zone) IS 'Name of the partition for a time; names are in the order of the months.';

CREATE FUNCTION jikan.type_label(subtype text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE subtype WHEN 'tv'::text THEN 'TV'::text WHEN 'movie'::text THEN 'Movie'::text WHEN 'ova'::text THEN 'OVA'::text WHEN 'special'::text THEN 'Special'::text WHEN 'ona'::text THEN 'ONA'::text WHEN 'music'::text THEN 'Music'::text WHEN 'cm'::text THEN 'CM'::text WHEN 'pv'::text THEN 'PV'::text WHEN 'tv_special'::text THEN 'TV Special'::text WHEN 'manga'::text THEN 'Manga'::text WHEN 'novel'::text THEN 'Novel'::text WHEN 'lightnovel'::text THEN 'Light Novel'::text WHEN 'oneshot'::text THEN 'One-shot'::text WHEN 'doujin'::text THEN 'Doujinshi'::text WHEN 'manhwa'::text THEN 'Manhwa'::text WHEN 'manhua'::text THEN 'Manhua'::text ELSE NULL::text END;

COMMENT ON FUNCTION jikan.type_label(subtype text) IS 'What the column type says for a type= parameter of the upstream: TV Special for tv_special.';

CREATE FUNCTION jikan.whole(value jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((trim_scale(((value #>> '{}'::text[]))::numeric))::text)::integer;

COMMENT ON FUNCTION jikan.whole(value jsonb) IS 'A whole number however it is spelled: 12, 12.0 and 1.2e1 are equal; 1.5 is an error.';

CREATE FUNCTION jikan.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (raw || COALESCE((SELECT jsonb_object_agg(jsonb_each.key, jsonb_each.value) AS jsonb_object_agg FROM jsonb_each(with_counters.counters) jsonb_each(key, value) WHERE (with_counters.raw ? jsonb_each.key)), '{}'::jsonb));

COMMENT ON FUNCTION jikan.with_counters(raw jsonb, counters jsonb) IS 'The document with today''s counters in place of those of the day it was stored.';

CREATE TABLE pokeapi.type (
    id bigint NOT NULL,
    name text,
    generation_id bigint,
    generation text,
    move_damage_class_id bigint,
    move_damage_class text,
    is_battle boolean
);

COMMENT ON TABLE pokeapi.type IS 'Types of Pokémon and moves.';

COMMENT ON COLUMN pokeapi.type.id IS 'Id of the type.';

COMMENT ON COLUMN pokeapi.type.name IS 'E.g. fire.';

COMMENT ON COLUMN pokeapi.type.generation_id IS 'Generation in which it came, from 1.';

COMMENT ON COLUMN pokeapi.type.generation IS 'Its name in links, e.g. generation-i.';

COMMENT ON COLUMN pokeapi.type.move_damage_class_id IS 'Id of the class of its moves, up to the third generation.';

COMMENT ON COLUMN pokeapi.type.move_damage_class IS 'Name of the class of its moves, up to the third generation in links and addresses.';

COMMENT ON COLUMN pokeapi.type.is_battle IS 'Whether it is strong or weak against others: not stellar, unknown and shadow.';

CREATE TABLE pokeapi.type_relation (
    attacking_type_id bigint NOT NULL,
    defending_type_id bigint NOT NULL,
    generation_id bigint NOT NULL,
    attacking_type text,
    defending_type text,
    multiplier numeric NOT NULL
);

COMMENT ON TABLE pokeapi.type_relation IS 'What the types do to one another as their documents say it: pairs without a relation are missing. Read pokeapi.type_efficacy instead.';

COMMENT ON COLUMN pokeapi.type_relation.attacking_type_id IS 'Id of the attacking type, from whose document it is.';

COMMENT ON COLUMN pokeapi.type_relation.defending_type_id IS 'Id of the defending type.';

COMMENT ON COLUMN pokeapi.type_relation.generation_id IS 'Last generation in which it held; 0 for what holds today.';

COMMENT ON COLUMN pokeapi.type_relation.attacking_type IS 'Name of the attacking type.';

COMMENT ON COLUMN pokeapi.type_relation.defending_type IS 'Name of the defending type.';

COMMENT ON COLUMN pokeapi.type_relation.multiplier IS '2, 1, 0.5 or 0.';

CREATE VIEW pokeapi.type_efficacy AS
 SELECT a.id AS attacking_type_id,
    a.name AS attacking_type,
    d.id AS defending_type_id,
    d.name AS defending_type,
    COALESCE(r.generation_id, (0)::bigint) AS generation_id,
    COALESCE(r.multiplier, (1)::numeric) AS multiplier
   FROM ((pokeapi.type a
     CROSS JOIN pokeapi.type d)
     LEFT JOIN pokeapi.type_relation r ON (((r.attacking_type_id = a.id) AND (r.defending_type_id = d.id))))
  WHERE (a.is_battle AND d.is_battle);

COMMENT ON VIEW pokeapi.type_efficacy IS 'What an attack of one type does to another, for every two types: today''s row, and one for each past time in which the attacking type did otherwise. pokeapi.matchup and pokeapi.attack read it.';

COMMENT ON COLUMN pokeapi.type_efficacy.attacking_type_id IS 'Id of the attacking type.';

COMMENT ON COLUMN pokeapi.type_efficacy.attacking_type IS 'Name of the attacking type.';

COMMENT ON COLUMN pokeapi.type_efficacy.defending_type_id IS 'Id of the defending type.';

COMMENT ON COLUMN pokeapi.type_efficacy.defending_type IS 'Name of the defending type.';

COMMENT ON COLUMN pokeapi.type_efficacy.generation_id IS 'Last generation in which it held; 0 for what holds today.';

COMMENT ON COLUMN pokeapi.type_efficacy.multiplier IS '2, 1, 0.5 or 0.';

CREATE FUNCTION pokeapi.efficacy(generation integer DEFAULT NULL::integer) RETURNS TABLE(attacking_type text, defending_type text, multiplier numeric)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT DISTINCT ON (e.attacking_type_id, e.defending_type_id) e.attacking_type,
     e.defending_type,
     e.multiplier
    FROM ((pokeapi.type_efficacy e
      JOIN pokeapi.type a ON ((a.id = e.attacking_type_id)))
      JOIN pokeapi.type d ON ((d.id = e.defending_type_id)))
   WHERE (((e.generation_id = 0) OR (e.generation_id >= efficacy.generation)) AND ((efficacy.generation IS NULL) OR (GREATEST(a.generation_id, d.generation_id, (1)::bigint) <= efficacy.generation)))
   ORDER BY e.attacking_type_id, e.defending_type_id, (e.generation_id = 0), e.generation_id;
END;

COMMENT ON FUNCTION pokeapi.efficacy(generation integer) IS 'What attacks of each type do to each type, today or in a generation, among the types that it had.';

CREATE FUNCTION pokeapi.attack(attacking text, generation integer DEFAULT NULL::integer) RETURNS TABLE(defending_type text, multiplier numeric)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT e.defending_type,
     e.multiplier
    FROM pokeapi.efficacy(attack.generation) e(attacking_type, defending_type, multiplier)
   WHERE (e.attacking_type = attack.attacking)
   ORDER BY e.multiplier DESC, e.defending_type;
END;

COMMENT ON FUNCTION pokeapi.attack(attacking text, generation integer) IS 'What attacks of a type do to Pokémon of each single type, today or in a generation. No rows if there is, or was, no such type.';

CREATE FUNCTION pokeapi.bag(value jsonb) RETURNS jsonb
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

COMMENT ON FUNCTION pokeapi.bag(value jsonb) IS 'A value with the elements of all its arrays in one order, whatever order they came in: equal where only the order differs.';

CREATE FUNCTION pokeapi.clean(value text, language text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  -- In Japanese, where lines end there is the ideographic space that parts phrases within the lines, too.
  space CONSTANT text := CASE WHEN language LIKE 'ja%' THEN U&'\3000' ELSE ' ' END;
BEGIN
  value := translate(value, E'\f\r\u000b\u0085\u2028\u2029', E'\n\n\n\n\n\n');
  -- A soft hyphen is where a word was broken, or could have been.
  value := regexp_replace(value, '\u00ad\n*', '', 'g');
  -- A hyphen at the end of a line belongs to the word, unless the word ends elsewhere: fire- and water-type.
  value := regexp_replace(value, '(\w-|—)\n+(?!(and|or|und|oder)\M)', '\1', 'g');
  -- Chinese has no spaces.
  IF language LIKE 'zh%' THEN
    value := regexp_replace(value, '([^\u0001-\u007f])\n+|\n+([^\u0001-\u007f])', '\1\2', 'g');
  END IF;
  value := translate(value, E'\n\t', space || space);
  RETURN btrim(regexp_replace(value, '([ \u3000])[ \u3000]+', '\1', 'g'), U&' \3000');
END $$;

COMMENT ON FUNCTION pokeapi.clean(value text, language text) IS 'A text of the games without the breaks of its lines and pages: words broken by a soft hyphen are whole again, lines are joined by a space, in Chinese by nothing, in Japanese by the ideographic space that parts its phrases.';

CREATE FUNCTION pokeapi.derive(endpoint text, ids bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pokeapi.derive_names(endpoint, ids);
    CASE endpoint
      WHEN 'ability' THEN PERFORM pokeapi.derive_ability(ids);
      WHEN 'evolution-chain' THEN PERFORM pokeapi.derive_evolution(ids);
      WHEN 'item' THEN PERFORM pokeapi.derive_item(ids);
      WHEN 'language' THEN PERFORM pokeapi.derive_language(ids);
      WHEN 'move' THEN PERFORM pokeapi.derive_move(ids);
      WHEN 'nature' THEN PERFORM pokeapi.derive_nature(ids);
      WHEN 'pokemon' THEN PERFORM pokeapi.derive_pokemon(ids);
      WHEN 'pokemon-encounters' THEN PERFORM pokeapi.derive_encounter(ids);
      WHEN 'pokemon-form' THEN PERFORM pokeapi.derive_pokemon_form(ids);
      WHEN 'pokemon-species' THEN PERFORM pokeapi.derive_species(ids);
      WHEN 'type' THEN PERFORM pokeapi.derive_type(ids);
      WHEN 'version' THEN PERFORM pokeapi.derive_version(ids);
      WHEN 'version-group' THEN PERFORM pokeapi.derive_version_group(ids);
      ELSE NULL;
    END CASE;
  END IF;
END $$;

COMMENT ON FUNCTION pokeapi.derive(endpoint text, ids bigint[]) IS 'Replaces everything that was derived from these documents, by what they are now; of an endpoint without tables of its own, the names. Never fails for what a document says.';

CREATE FUNCTION pokeapi.derive_ability(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.ability WHERE id = ANY (ids);
  INSERT INTO pokeapi.ability (id, name, generation_id, generation, is_main_series)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.flag(raw->'is_main_series')
  FROM pokeapi.resource WHERE endpoint = 'ability' AND id = ANY (ids)
  ORDER BY id;
  PERFORM pokeapi.derive_effects('ability', ids);
END $$;

COMMENT ON FUNCTION pokeapi.derive_ability(ids bigint[]) IS 'Replaces abilities.';

CREATE FUNCTION pokeapi.derive_effects(of_endpoint text, ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.effect WHERE endpoint = of_endpoint AND id = ANY (ids);
  INSERT INTO pokeapi.effect (endpoint, id, language, language_id, short_effect, effect)
  SELECT DISTINCT ON (r.id, l.language) of_endpoint, r.id, l.language, pokeapi.link_id(e.value->'language'),
         pokeapi.clean(pokeapi.string(e.value->'short_effect'), l.language), pokeapi.string(e.value->'effect')
  FROM pokeapi.resource r, jsonb_array_elements(pokeapi.list(r.raw->'effect_entries')) WITH ORDINALITY AS e (value, n),
       LATERAL (SELECT pokeapi.link_name(e.value->'language')) AS l (language)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) AND l.language IS NOT NULL
  ORDER BY r.id, l.language, e.n;
END $$;

COMMENT ON FUNCTION pokeapi.derive_effects(of_endpoint text, ids bigint[]) IS 'Replaces the effects of moves, abilities or items.';

CREATE FUNCTION pokeapi.derive_encounter(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.encounter WHERE pokemon_id = ANY (ids);
  INSERT INTO pokeapi.encounter
    (pokemon_id, location_area_id, version_id, ordinal, location_area, version, method_id, method, min_level, max_level,
     chance, max_chance, conditions, is_alpha, always_shiny, never_shiny, min_perfect_ivs)
  SELECT pokemon_id, location_area_id, version_id,
         row_number() OVER (
           PARTITION BY pokemon_id, location_area_id, version_id ORDER BY area_n, version_n, n)::integer AS ordinal,
         location_area, version, method_id, method, min_level, max_level, chance, max_chance, conditions, is_alpha,
         always_shiny, never_shiny, min_perfect_ivs
  FROM (
    SELECT r.id AS pokemon_id, area.id AS location_area_id, area.name AS location_area, a.n AS area_n,
           game.id AS version_id, game.name AS version, game.max_chance, v.n AS version_n, e.n,
           pokeapi.link_id(e.value->'method') AS method_id, pokeapi.link_name(e.value->'method') AS method,
           pokeapi.whole(e.value->'min_level') AS min_level, pokeapi.whole(e.value->'max_level') AS max_level,
           pokeapi.whole(e.value->'chance') AS chance,
           ARRAY(
             SELECT pokeapi.link_name(c.value)
             FROM jsonb_array_elements(pokeapi.list(e.value->'condition_values')) AS c (value)
             WHERE pokeapi.link_name(c.value) IS NOT NULL ORDER BY 1) AS conditions,
           pokeapi.flag(e.value->'pokemon_details'->'is_alpha') AS is_alpha,
           pokeapi.flag(e.value->'pokemon_details'->'always_shiny') AS always_shiny,
           pokeapi.flag(e.value->'pokemon_details'->'never_shiny') AS never_shiny,
           pokeapi.whole(e.value->'pokemon_details'->'min_perfect_ivs') AS min_perfect_ivs
    FROM pokeapi.resource r,
         jsonb_array_elements(pokeapi.list(r.raw)) WITH ORDINALITY AS a (value, n),
         -- OFFSET 0: read once for each of them, and not for every row.
         LATERAL (
           SELECT pokeapi.link_id(a.value->'location_area'), pokeapi.link_name(a.value->'location_area') OFFSET 0
         ) AS area (id, name),
         jsonb_array_elements(pokeapi.list(a.value->'version_details')) WITH ORDINALITY AS v (value, n),
         LATERAL (
           SELECT pokeapi.link_id(v.value->'version'), pokeapi.link_name(v.value->'version'),
                  pokeapi.whole(v.value->'max_chance') OFFSET 0
         ) AS game (id, name, max_chance),
         jsonb_array_elements(pokeapi.list(v.value->'encounter_details')) WITH ORDINALITY AS e (value, n)
    WHERE r.endpoint = 'pokemon-encounters' AND r.id = ANY (ids)
      AND area.id IS NOT NULL AND game.id IS NOT NULL AND jsonb_typeof(e.value) = 'object'
  ) AS way
  ORDER BY pokemon_id, location_area_id, version_id, ordinal;
END $$;

COMMENT ON FUNCTION pokeapi.derive_encounter(ids bigint[]) IS 'Replaces where Pokémon are met.';

CREATE FUNCTION pokeapi.derive_evolution(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.evolution_chain WHERE id = ANY (ids);
  DELETE FROM pokeapi.evolution WHERE chain_id = ANY (ids);
  INSERT INTO pokeapi.evolution_chain (id, species_id, species, baby_trigger_item_id, baby_trigger_item)
  SELECT id, pokeapi.link_id(raw->'chain'->'species'), pokeapi.link_name(raw->'chain'->'species'),
         pokeapi.link_id(raw->'baby_trigger_item'), pokeapi.link_name(raw->'baby_trigger_item')
  FROM pokeapi.resource WHERE endpoint = 'evolution-chain' AND id = ANY (ids)
  ORDER BY id;
  WITH RECURSIVE node AS (
    SELECT id AS chain_id, raw->'chain' AS value, NULL::jsonb AS parent, '{}'::bigint[] AS path
    FROM pokeapi.resource WHERE endpoint = 'evolution-chain' AND id = ANY (ids)
    UNION ALL
    SELECT node.chain_id, e.value, node.value, node.path || e.n
    FROM node, jsonb_array_elements(pokeapi.list(node.value->'evolves_to')) WITH ORDINALITY AS e (value, n)
    -- Families have three generations.
    WHERE cardinality(node.path) < 20
  ), way AS (
    -- One is known to evolve even where nothing is said of how.
    SELECT node.chain_id, pokeapi.link_id(node.value->'species') AS species_id, node.value AS node, node.parent,
           coalesce(w.value, '{}') AS value, node.path, w.n
    FROM node
    LEFT JOIN LATERAL (
      SELECT * FROM jsonb_array_elements(pokeapi.list(node.value->'evolution_details')) WITH ORDINALITY AS d (value, n)
      WHERE jsonb_typeof(d.value) = 'object'
    ) w ON true
    WHERE node.parent IS NOT NULL AND pokeapi.link_id(node.value->'species') IS NOT NULL
  )
  INSERT INTO pokeapi.evolution
    (chain_id, species_id, ordinal, species, from_species_id, from_species, is_baby, sentence, is_default,
     version_group_id, version_group, trigger_id, trigger, item_id, item, held_item_id, held_item, known_move_id,
     known_move, known_move_type_id, known_move_type, used_move_id, used_move, location_id, location, region_id, region,
     party_species_id, party_species, party_type_id, party_type, trade_species_id, trade_species, base_form_id,
     base_form, evolved_form_id, evolved_form, gender, min_level, min_happiness, min_affection, min_beauty,
     min_damage_taken, min_move_count, min_steps, relative_physical_stats, time_of_day, near_special_rock,
     needs_multiplayer, needs_overworld_rain, turn_upside_down)
  SELECT chain_id, species_id,
         row_number() OVER (
           PARTITION BY chain_id, species_id ORDER BY pokeapi.link_id(value->'version_group'), path, n
         )::integer AS ordinal,
         pokeapi.link_name(node->'species'), pokeapi.link_id(parent->'species'), pokeapi.link_name(parent->'species'),
         pokeapi.flag(node->'is_baby'),
         pokeapi.evolution_sentence(value, pokeapi.link_name(parent->'species')), pokeapi.flag(value->'is_default'),
         pokeapi.link_id(value->'version_group'), pokeapi.link_name(value->'version_group'),
         pokeapi.link_id(value->'trigger'), pokeapi.link_name(value->'trigger'),
         pokeapi.link_id(value->'item'), pokeapi.link_name(value->'item'),
         pokeapi.link_id(value->'held_item'), pokeapi.link_name(value->'held_item'),
         pokeapi.link_id(value->'known_move'), pokeapi.link_name(value->'known_move'),
         pokeapi.link_id(value->'known_move_type'), pokeapi.link_name(value->'known_move_type'),
         pokeapi.link_id(value->'used_move'), pokeapi.link_name(value->'used_move'),
         pokeapi.link_id(value->'location'), pokeapi.link_name(value->'location'),
         pokeapi.link_id(value->'region'), pokeapi.link_name(value->'region'),
         pokeapi.link_id(value->'party_species'), pokeapi.link_name(value->'party_species'),
         pokeapi.link_id(value->'party_type'), pokeapi.link_name(value->'party_type'),
         pokeapi.link_id(value->'trade_species'), pokeapi.link_name(value->'trade_species'),
         pokeapi.link_id(value->'base_form'), pokeapi.link_name(value->'base_form'),
         pokeapi.link_id(value->'evolved_form'), pokeapi.link_name(value->'evolved_form'),
         pokeapi.whole(value->'gender'), pokeapi.whole(value->'min_level'), pokeapi.whole(value->'min_happiness'),
         pokeapi.whole(value->'min_affection'), pokeapi.whole(value->'min_beauty'),
         pokeapi.whole(value->'min_damage_taken'), pokeapi.whole(value->'min_move_count'),
         pokeapi.whole(value->'min_steps'), pokeapi.whole(value->'relative_physical_stats'),
         nullif(pokeapi.string(value->'time_of_day'), ''),
         -- Of these only the truth is a condition.
         nullif(pokeapi.flag(value->'near_special_rock'), false),
         nullif(pokeapi.flag(value->'needs_multiplayer'), false),
         nullif(pokeapi.flag(value->'needs_overworld_rain'), false),
         nullif(pokeapi.flag(value->'turn_upside_down'), false)
  FROM way
  ORDER BY chain_id, species_id, ordinal;
END $$;

COMMENT ON FUNCTION pokeapi.derive_evolution(ids bigint[]) IS 'Replaces families and the ways of their evolution.';

CREATE FUNCTION pokeapi.derive_item(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.item WHERE id = ANY (ids);
  DELETE FROM pokeapi.item_price WHERE item_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{flavor_text_entries,held_by_pokemon,machines}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'item' AND id = ANY (ids)
  ), prices AS (
    INSERT INTO pokeapi.item_price
      (item_id, version_group_id, currency_id, version_group, currency, purchase_price, sell_price)
    SELECT DISTINCT ON (d.id, k.version_group_id, k.currency_id) d.id, k.version_group_id, k.currency_id,
           pokeapi.link_name(e.value->'version_group'), pokeapi.link_name(e.value->'currency'),
           pokeapi.whole(e.value->'purchase_price'), pokeapi.whole(e.value->'sell_price')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'prices')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(e.value->'version_group'), pokeapi.link_id(e.value->'currency')
         ) AS k (version_group_id, currency_id)
    WHERE k.version_group_id IS NOT NULL AND k.currency_id IS NOT NULL
    ORDER BY d.id, k.version_group_id, k.currency_id, e.n
  )
  INSERT INTO pokeapi.item
    (id, name, category_id, category, fling_power, fling_effect_id, fling_effect, baby_trigger_for_id, sprite_url)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'category'), pokeapi.link_name(raw->'category'),
         pokeapi.whole(raw->'fling_power'), pokeapi.link_id(raw->'fling_effect'),
         pokeapi.link_name(raw->'fling_effect'), pokeapi.link_id(raw->'baby_trigger_for'),
         pokeapi.string(raw->'sprites'->'default')
  FROM doc
  ORDER BY id;
  PERFORM pokeapi.derive_effects('item', ids);
END $$;

COMMENT ON FUNCTION pokeapi.derive_item(ids bigint[]) IS 'Replaces items with their prices.';

CREATE FUNCTION pokeapi.derive_language(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.language WHERE id = ANY (ids);
  INSERT INTO pokeapi.language (id, name, iso639, iso3166, official)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'iso639'), pokeapi.string(raw->'iso3166'),
         pokeapi.flag(raw->'official')
  FROM pokeapi.resource WHERE endpoint = 'language' AND id = ANY (ids)
  ORDER BY id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_language(ids bigint[]) IS 'Replaces languages.';

CREATE FUNCTION pokeapi.derive_move(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.move WHERE id = ANY (ids);
  DELETE FROM pokeapi.move_stat_change WHERE move_id = ANY (ids);
  DELETE FROM pokeapi.move_past_value WHERE move_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{learned_by_pokemon,flavor_text_entries,machines}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'move' AND id = ANY (ids)
  ), stat_changes AS (
    INSERT INTO pokeapi.move_stat_change (move_id, stat_id, stat, change)
    SELECT DISTINCT ON (d.id, s.stat_id) d.id, s.stat_id, pokeapi.link_name(e.value->'stat'),
           pokeapi.whole(e.value->'change')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'stat_changes')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'stat')) AS s (stat_id)
    WHERE s.stat_id IS NOT NULL
    ORDER BY d.id, s.stat_id, e.n
  ), past_values AS (
    INSERT INTO pokeapi.move_past_value
      (move_id, version_group_id, version_group, type_id, type, power, accuracy, pp, effect_chance)
    SELECT DISTINCT ON (d.id, g.id) d.id, g.id, pokeapi.link_name(e.value->'version_group'),
           pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type'), pokeapi.whole(e.value->'power'),
           pokeapi.whole(e.value->'accuracy'), pokeapi.whole(e.value->'pp'), pokeapi.whole(e.value->'effect_chance')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_values')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'version_group')) AS g (id)
    WHERE g.id IS NOT NULL
    ORDER BY d.id, g.id, e.n
  )
  INSERT INTO pokeapi.move
    (id, name, generation_id, generation, type_id, type, damage_class_id, damage_class, power, accuracy, pp, priority,
     effect_chance, target_id, target, category_id, category, ailment_id, ailment, ailment_chance, flinch_chance,
     stat_chance, crit_rate, drain, healing, min_hits, max_hits, min_turns, max_turns)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.link_id(raw->'type'), pokeapi.link_name(raw->'type'), pokeapi.link_id(raw->'damage_class'),
         pokeapi.link_name(raw->'damage_class'), pokeapi.whole(raw->'power'), pokeapi.whole(raw->'accuracy'),
         pokeapi.whole(raw->'pp'), pokeapi.whole(raw->'priority'), pokeapi.whole(raw->'effect_chance'),
         pokeapi.link_id(raw->'target'), pokeapi.link_name(raw->'target'),
         pokeapi.link_id(raw->'meta'->'category'), pokeapi.link_name(raw->'meta'->'category'),
         pokeapi.link_id(raw->'meta'->'ailment'), pokeapi.link_name(raw->'meta'->'ailment'),
         pokeapi.whole(raw->'meta'->'ailment_chance'), pokeapi.whole(raw->'meta'->'flinch_chance'),
         pokeapi.whole(raw->'meta'->'stat_chance'), pokeapi.whole(raw->'meta'->'crit_rate'),
         pokeapi.whole(raw->'meta'->'drain'), pokeapi.whole(raw->'meta'->'healing'),
         pokeapi.whole(raw->'meta'->'min_hits'), pokeapi.whole(raw->'meta'->'max_hits'),
         pokeapi.whole(raw->'meta'->'min_turns'), pokeapi.whole(raw->'meta'->'max_turns')
  FROM doc
  ORDER BY id;
  PERFORM pokeapi.derive_effects('move', ids);
END $$;

COMMENT ON FUNCTION pokeapi.derive_move(ids bigint[]) IS 'Replaces moves with what they change and their past values.';

CREATE FUNCTION pokeapi.derive_names(of_endpoint text, ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.name WHERE endpoint = of_endpoint AND id = ANY (ids);
  INSERT INTO pokeapi.name (endpoint, id, language, language_id, name)
  SELECT DISTINCT ON (r.id, l.language) of_endpoint, r.id, l.language, pokeapi.link_id(e.value->'language'), l.name
  FROM pokeapi.resource r, jsonb_array_elements(pokeapi.list(r.raw->'names')) WITH ORDINALITY AS e (value, n),
       LATERAL (SELECT pokeapi.link_name(e.value->'language'), pokeapi.string(e.value->'name')) AS l (language, name)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) AND l.language IS NOT NULL AND l.name IS NOT NULL
  ORDER BY r.id, l.language, e.n;
END $$;

COMMENT ON FUNCTION pokeapi.derive_names(of_endpoint text, ids bigint[]) IS 'Replaces the names of documents of any endpoint.';

CREATE FUNCTION pokeapi.derive_nature(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.nature WHERE id = ANY (ids);
  INSERT INTO pokeapi.nature
    (id, name, increased_stat_id, increased_stat, decreased_stat_id, decreased_stat, likes_flavor_id, likes_flavor,
     hates_flavor_id, hates_flavor)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'increased_stat'),
         pokeapi.link_name(raw->'increased_stat'), pokeapi.link_id(raw->'decreased_stat'),
         pokeapi.link_name(raw->'decreased_stat'), pokeapi.link_id(raw->'likes_flavor'),
         pokeapi.link_name(raw->'likes_flavor'), pokeapi.link_id(raw->'hates_flavor'),
         pokeapi.link_name(raw->'hates_flavor')
  FROM pokeapi.resource WHERE endpoint = 'nature' AND id = ANY (ids)
  ORDER BY id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_nature(ids bigint[]) IS 'Replaces natures.';

CREATE FUNCTION pokeapi.derive_pokemon(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.pokemon WHERE id = ANY (ids);
  DELETE FROM pokeapi.pokemon_type WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_past_type WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_stat WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_past_stat WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_ability WHERE pokemon_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{moves,game_indices,held_items}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'pokemon' AND id = ANY (ids)
  ), types AS (
    INSERT INTO pokeapi.pokemon_type (pokemon_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  ), past_types AS (
    INSERT INTO pokeapi.pokemon_past_type (pokemon_id, generation_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.generation_id, s.slot) d.id, s.generation_id, s.slot, pokeapi.link_id(e.value->'type'),
           pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_types')) WITH ORDINALITY AS p (value, n),
         jsonb_array_elements(pokeapi.list(p.value->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(p.value->'generation'), pokeapi.whole(e.value->'slot')
         ) AS s (generation_id, slot)
    WHERE s.generation_id IS NOT NULL AND s.slot IS NOT NULL
    ORDER BY d.id, s.generation_id, s.slot, p.n, e.n
  ), stats AS (
    INSERT INTO pokeapi.pokemon_stat (pokemon_id, stat_id, stat, base_stat, effort)
    SELECT DISTINCT ON (d.id, s.stat_id) d.id, s.stat_id, pokeapi.link_name(e.value->'stat'),
           pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'stats')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'stat')) AS s (stat_id)
    WHERE s.stat_id IS NOT NULL
    ORDER BY d.id, s.stat_id, e.n
    RETURNING pokemon_id, base_stat
  ), past_stats AS (
    INSERT INTO pokeapi.pokemon_past_stat (pokemon_id, generation_id, stat_id, stat, base_stat, effort)
    SELECT DISTINCT ON (d.id, s.generation_id, s.stat_id) d.id, s.generation_id, s.stat_id,
           pokeapi.link_name(e.value->'stat'), pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_stats')) WITH ORDINALITY AS p (value, n),
         jsonb_array_elements(pokeapi.list(p.value->'stats')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(p.value->'generation'), pokeapi.link_id(e.value->'stat')
         ) AS s (generation_id, stat_id)
    WHERE s.generation_id IS NOT NULL AND s.stat_id IS NOT NULL
    ORDER BY d.id, s.generation_id, s.stat_id, p.n, e.n
  ), abilities AS (
    INSERT INTO pokeapi.pokemon_ability (pokemon_id, slot, ability_id, ability, is_hidden)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'ability'),
           pokeapi.link_name(e.value->'ability'), pokeapi.flag(e.value->'is_hidden')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'abilities')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  )
  INSERT INTO pokeapi.pokemon
    (id, name, species_id, species, is_default, height, weight, base_experience, "order", total, sprite_url,
     sprite_female_url, artwork_url, artwork_female_url, cry_url)
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'species'), pokeapi.link_name(d.raw->'species'),
         pokeapi.flag(d.raw->'is_default'), pokeapi.whole(d.raw->'height'), pokeapi.whole(d.raw->'weight'),
         pokeapi.whole(d.raw->'base_experience'), pokeapi.whole(d.raw->'order'), pokeapi.whole(to_jsonb(t.total)),
         pokeapi.string(d.raw->'sprites'->'front_default'), pokeapi.string(d.raw->'sprites'->'front_female'),
         pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_default'),
         -- The artwork knows no females yet; the pictures of the app Home do, and are as large.
         coalesce(pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_female'),
                  pokeapi.string(d.raw->'sprites'->'other'->'home'->'front_female')),
         pokeapi.string(d.raw->'cries'->'latest')
  FROM doc d LEFT JOIN (SELECT pokemon_id, sum(base_stat) AS total FROM stats GROUP BY 1) t ON t.pokemon_id = d.id
  ORDER BY d.id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_pokemon(ids bigint[]) IS 'Replaces Pokémon with their types, stats and abilities.';

CREATE FUNCTION pokeapi.derive_pokemon_form(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.pokemon_form WHERE id = ANY (ids);
  DELETE FROM pokeapi.pokemon_form_type WHERE form_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw) AS raw FROM pokeapi.resource WHERE endpoint = 'pokemon-form' AND id = ANY (ids)
  ), types AS (
    INSERT INTO pokeapi.pokemon_form_type (form_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  )
  INSERT INTO pokeapi.pokemon_form
    (id, name, form_name, pokemon_id, pokemon, version_group_id, version_group, "order", form_order, is_default,
     is_battle_only, is_mega, sprite_url)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'form_name'), pokeapi.link_id(raw->'pokemon'),
         pokeapi.link_name(raw->'pokemon'), pokeapi.link_id(raw->'version_group'),
         pokeapi.link_name(raw->'version_group'), pokeapi.whole(raw->'order'), pokeapi.whole(raw->'form_order'),
         pokeapi.flag(raw->'is_default'), pokeapi.flag(raw->'is_battle_only'), pokeapi.flag(raw->'is_mega'),
         pokeapi.string(raw->'sprites'->'front_default')
  FROM doc
  ORDER BY id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_pokemon_form(ids bigint[]) IS 'Replaces forms with their types.';

CREATE FUNCTION pokeapi.derive_species(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.species WHERE id = ANY (ids);
  DELETE FROM pokeapi.species_egg_group WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.species_text WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.species_genus WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.pokedex_number WHERE species_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw) AS raw FROM pokeapi.resource WHERE endpoint = 'pokemon-species' AND id = ANY (ids)
  ), egg_groups AS (
    INSERT INTO pokeapi.species_egg_group (species_id, egg_group_id, egg_group)
    SELECT DISTINCT ON (d.id, g.id) d.id, g.id, pokeapi.link_name(e.value)
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'egg_groups')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value)) AS g (id)
    WHERE g.id IS NOT NULL
    ORDER BY d.id, g.id, e.n
  ), texts AS (
    INSERT INTO pokeapi.species_text (species_id, language, language_id, version_id, version, text)
    SELECT DISTINCT ON (d.id, t.language, t.version_id) d.id, t.language, pokeapi.link_id(e.value->'language'),
           t.version_id, pokeapi.link_name(e.value->'version'), pokeapi.clean(t.text, t.language)
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'flavor_text_entries')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_name(e.value->'language'), pokeapi.link_id(e.value->'version'),
                  pokeapi.string(e.value->'flavor_text')
         ) AS t (language, version_id, text)
    WHERE t.language IS NOT NULL AND t.version_id IS NOT NULL AND t.text IS NOT NULL
    ORDER BY d.id, t.language, t.version_id, e.n
  ), genera AS (
    INSERT INTO pokeapi.species_genus (species_id, language, language_id, genus)
    SELECT DISTINCT ON (d.id, t.language) d.id, t.language, pokeapi.link_id(e.value->'language'), t.genus
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'genera')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_name(e.value->'language'), pokeapi.string(e.value->'genus')
         ) AS t (language, genus)
    WHERE t.language IS NOT NULL AND t.genus IS NOT NULL
    ORDER BY d.id, t.language, e.n
  ), numbers AS (
    INSERT INTO pokeapi.pokedex_number (species_id, pokedex_id, pokedex, entry_number)
    SELECT DISTINCT ON (d.id, p.id) d.id, p.id, pokeapi.link_name(e.value->'pokedex'),
           pokeapi.whole(e.value->'entry_number')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'pokedex_numbers')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'pokedex')) AS p (id)
    WHERE p.id IS NOT NULL
    ORDER BY d.id, p.id, e.n
  )
  INSERT INTO pokeapi.species
    (id, name, "order", generation_id, generation, is_baby, is_legendary, is_mythical, has_gender_differences,
     forms_switchable, color_id, color, shape_id, shape, habitat_id, habitat, growth_rate_id, growth_rate, capture_rate,
     base_happiness, gender_rate, hatch_counter, evolves_from_species_id, evolves_from_species, evolution_chain_id)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation'), pokeapi.flag(raw->'is_baby'), pokeapi.flag(raw->'is_legendary'),
         pokeapi.flag(raw->'is_mythical'), pokeapi.flag(raw->'has_gender_differences'),
         pokeapi.flag(raw->'forms_switchable'), pokeapi.link_id(raw->'color'), pokeapi.link_name(raw->'color'),
         pokeapi.link_id(raw->'shape'), pokeapi.link_name(raw->'shape'), pokeapi.link_id(raw->'habitat'),
         pokeapi.link_name(raw->'habitat'), pokeapi.link_id(raw->'growth_rate'), pokeapi.link_name(raw->'growth_rate'),
         pokeapi.whole(raw->'capture_rate'), pokeapi.whole(raw->'base_happiness'), pokeapi.whole(raw->'gender_rate'),
         pokeapi.whole(raw->'hatch_counter'), pokeapi.link_id(raw->'evolves_from_species'),
         pokeapi.link_name(raw->'evolves_from_species'), pokeapi.link_id(raw->'evolution_chain')
  FROM doc
  ORDER BY id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_species(ids bigint[]) IS 'Replaces species with their egg groups, texts, genera and numbers.';

CREATE FUNCTION pokeapi.derive_type(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $_$
BEGIN
  DELETE FROM pokeapi.type WHERE id = ANY (ids);
  DELETE FROM pokeapi.type_relation WHERE attacking_type_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{moves,pokemon,sprites}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'type' AND id = ANY (ids)
  ), said AS (
    SELECT d.id, s.generation_id, s.relations
    FROM doc d, LATERAL (
      SELECT 0, d.raw->'damage_relations'
      UNION ALL
      SELECT pokeapi.link_id(e.value->'generation'), e.value->'damage_relations'
      FROM jsonb_array_elements(pokeapi.list(d.raw->'past_damage_relations')) AS e (value)
    ) AS s (generation_id, relations)
    WHERE s.generation_id >= 0 AND jsonb_typeof(s.relations) = 'object'
  ), pair AS (
    SELECT s.id, s.generation_id, pokeapi.link_id(e.value) AS defending_type_id,
           pokeapi.link_name(e.value) AS defending_type, r.multiplier
    FROM said s, (VALUES ('double_damage_to', 2), ('half_damage_to', 0.5), ('no_damage_to', 0)) AS r (name, multiplier),
         jsonb_array_elements(pokeapi.list(s.relations->r.name)) AS e (value)
  ), relation AS (
    -- What is a relation at one time, and none at another, is there for both.
    INSERT INTO pokeapi.type_relation
      (attacking_type_id, defending_type_id, generation_id, attacking_type, defending_type, multiplier)
    SELECT DISTINCT ON (s.id, t.defending_type_id, s.generation_id) s.id, t.defending_type_id, s.generation_id,
           pokeapi.string(d.raw->'name'), t.defending_type, coalesce(p.multiplier, 1)
    FROM doc d
    JOIN said s USING (id)
    JOIN (SELECT DISTINCT id, defending_type_id, defending_type FROM pair) t USING (id)
    LEFT JOIN pair p ON p.id = s.id AND p.generation_id = s.generation_id AND p.defending_type_id = t.defending_type_id
    WHERE t.defending_type_id IS NOT NULL
    ORDER BY s.id, t.defending_type_id, s.generation_id, p.multiplier, t.defending_type
  )
  INSERT INTO pokeapi.type
    (id, name, generation_id, generation, move_damage_class_id, move_damage_class, is_battle)
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'generation'),
         pokeapi.link_name(d.raw->'generation'), pokeapi.link_id(d.raw->'move_damage_class'),
         pokeapi.link_name(d.raw->'move_damage_class'),
         jsonb_path_exists(d.raw, '$.damage_relations.*[*] ? (@.type() == "object")')
  FROM doc d
  ORDER BY d.id;
END $_$;

COMMENT ON FUNCTION pokeapi.derive_type(ids bigint[]) IS 'Replaces types and what they do to others.';

CREATE FUNCTION pokeapi.derive_version(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.version WHERE id = ANY (ids);
  INSERT INTO pokeapi.version (id, name, version_group_id, version_group)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'version_group'), pokeapi.link_name(raw->'version_group')
  FROM pokeapi.resource WHERE endpoint = 'version' AND id = ANY (ids)
  ORDER BY id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_version(ids bigint[]) IS 'Replaces games.';

CREATE FUNCTION pokeapi.derive_version_group(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM pokeapi.version_group WHERE id = ANY (ids);
  INSERT INTO pokeapi.version_group (id, name, "order", generation_id, generation)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation')
  FROM pokeapi.resource WHERE endpoint = 'version-group' AND id = ANY (ids)
  ORDER BY id;
END $$;

COMMENT ON FUNCTION pokeapi.derive_version_group(ids bigint[]) IS 'Replaces games that were published together.';

CREATE FUNCTION pokeapi.document(raw jsonb, without text[] DEFAULT '{}'::text[]) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(raw) = 'object'::text) THEN (raw - without) ELSE '{}'::jsonb END;

COMMENT ON FUNCTION pokeapi.document(raw jsonb, without text[]) IS 'An object without some of its members, uncompressed, so that reading many members of it costs no more than one; {} for any other value.';

CREATE FUNCTION pokeapi.evolution_sentence(way jsonb, from_species text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  trigger  CONSTANT text := pokeapi.link_name(way->'trigger');
  item     CONSTANT text := pokeapi.words(pokeapi.link_name(way->'item'));
  move     CONSTANT text := pokeapi.words(pokeapi.link_name(way->'used_move'));
  often    CONSTANT text := pokeapi.times(pokeapi.whole(way->'min_move_count'));
  damage   CONSTANT integer := pokeapi.whole(way->'min_damage_taken');
  gender   CONSTANT integer := pokeapi.whole(way->'gender');
  physical CONSTANT integer := pokeapi.whole(way->'relative_physical_stats');
  daytime  CONSTANT text := nullif(pokeapi.string(way->'time_of_day'), '');
  form     CONSTANT text := pokeapi.link_name(way->'base_form');
  -- Conditions that the words of the trigger say already.
  is_use   CONSTANT boolean := coalesce(trigger IN ('use-move', 'agile-style-move', 'strong-style-move'), false);
  is_hurt  CONSTANT boolean := coalesce(trigger IN ('take-damage', 'recoil-damage'), false);
  what     text := CASE trigger
    WHEN 'level-up' THEN 'level up'
    WHEN 'use-item' THEN 'use ' || coalesce(item, 'an item')
    WHEN 'use-move' THEN 'use ' || coalesce(move, 'a move') || often
    WHEN 'agile-style-move' THEN 'use ' || coalesce(move, 'a move') || ' in the agile style' || often
    WHEN 'strong-style-move' THEN 'use ' || coalesce(move, 'a move') || ' in the strong style' || often
    WHEN 'shed' THEN 'be shed as another evolves, with room in the party and a Poké Ball in the bag'
    WHEN 'spin' THEN 'spin around'
    WHEN 'tower-of-darkness' THEN 'train in the Tower of Darkness'
    WHEN 'tower-of-waters' THEN 'train in the Tower of Waters'
    WHEN 'three-critical-hits' THEN 'land three critical hits in one battle'
    WHEN 'take-damage' THEN 'take ' || coalesce('at least ' || damage || ' ', '') || 'damage'
    WHEN 'recoil-damage' THEN 'lose ' || coalesce('at least ' || damage || ' ', '') || 'HP to recoil'
    WHEN 'three-defeated-bisharp' THEN 'defeat three Bisharp that hold a Leader''s Crest'
    WHEN 'gimmighoul-coins' THEN 'collect 999 Gimmighoul Coins'
    WHEN 'other' THEN 'evolve in a way of its own'
    ELSE replace(trigger, '-', ' ')
  END;
  conditions text[];
BEGIN
  conditions := array_remove(ARRAY[
    CASE WHEN trigger = 'level-up' THEN 'at level ' ELSE 'from level ' END || pokeapi.whole(way->'min_level'),
    'with high friendship (' || pokeapi.whole(way->'min_happiness') || ')',
    'with high affection (' || pokeapi.whole(way->'min_affection') || ')',
    'with high beauty (' || pokeapi.whole(way->'min_beauty') || ')',
    CASE WHEN physical > 0 THEN 'with Attack higher than Defense'
         WHEN physical < 0 THEN 'with Attack lower than Defense'
         WHEN physical = 0 THEN 'with Attack equal to Defense' END,
    CASE gender WHEN 1 THEN 'if female' WHEN 2 THEN 'if male' WHEN 3 THEN 'if without gender' END,
    CASE WHEN trigger IS DISTINCT FROM 'use-item' THEN 'with ' || item END,
    'while holding ' || pokeapi.words(pokeapi.link_name(way->'held_item')),
    'knowing ' || pokeapi.words(pokeapi.link_name(way->'known_move')),
    'knowing a ' || pokeapi.words(pokeapi.link_name(way->'known_move_type')) || '-type move',
    CASE WHEN NOT is_use AND (move IS NOT NULL OR often <> '')
         THEN 'after using ' || coalesce(move, 'a move') || often END,
    CASE WHEN NOT is_hurt THEN 'after taking at least ' || damage || ' damage' END,
    'after ' || pokeapi.whole(way->'min_steps') || ' steps',
    'at ' || pokeapi.words(pokeapi.link_name(way->'location')),
    'in ' || pokeapi.words(pokeapi.link_name(way->'region')),
    CASE WHEN pokeapi.flag(way->'near_special_rock') THEN 'near a special rock' END,
    'with ' || pokeapi.words(pokeapi.link_name(way->'party_species')) || ' in the party',
    'with another ' || pokeapi.words(pokeapi.link_name(way->'party_type')) || '-type Pokémon in the party',
    'in exchange for ' || pokeapi.words(pokeapi.link_name(way->'trade_species')),
    CASE WHEN pokeapi.flag(way->'needs_multiplayer') THEN 'in a multiplayer session' END,
    CASE WHEN pokeapi.flag(way->'needs_overworld_rain') THEN 'while it rains' END,
    CASE WHEN pokeapi.flag(way->'turn_upside_down') THEN 'with the console held upside down' END,
    CASE daytime WHEN 'day' THEN 'during the day' WHEN 'night' THEN 'at night' WHEN 'dusk' THEN 'at dusk'
      WHEN 'full-moon' THEN 'under a full moon' ELSE 'at the time ' || replace(daytime, '-', ' ') END,
    -- Of a species with one form its name says nothing new.
    CASE WHEN form IS DISTINCT FROM from_species THEN 'from ' || pokeapi.words(form) END,
    'into ' || pokeapi.words(pokeapi.link_name(way->'evolved_form'))
  ], NULL);
  IF what IS NULL THEN
    what := CASE WHEN conditions = '{}' THEN 'evolve in an unknown way' ELSE 'evolve' END;
  END IF;
  RETURN concat_ws(' ', what, nullif(array_to_string(conditions, ', '), ''));
END $$;

COMMENT ON FUNCTION pokeapi.evolution_sentence(way jsonb, from_species text) IS 'A way of evolution in English, with every condition but the games: level up with high friendship (160), during the day.';

CREATE FUNCTION pokeapi.flag(value jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) = 'boolean'::text) THEN (value)::boolean ELSE NULL::boolean END;

COMMENT ON FUNCTION pokeapi.flag(value jsonb) IS 'true or false; null for any other value.';

CREATE FUNCTION pokeapi.link_id(link jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof((link -> 'url'::text)) = 'string'::text) THEN ("substring"((link ->> 'url'::text), '/(-?[0-9]{1,18})/?$'::text))::bigint ELSE NULL::bigint END;

COMMENT ON FUNCTION pokeapi.link_id(link jsonb) IS 'Id that a link leads to: the last segment of its address, absolute or relative. Null for any other value.';

CREATE FUNCTION pokeapi.link_name(link jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof((link -> 'name'::text)) = 'string'::text) THEN "left"((link ->> 'name'::text), 200) ELSE NULL::text END;

COMMENT ON FUNCTION pokeapi.link_name(link jsonb) IS 'Name that a link gives, short enough for an index. Null for any other value.';

CREATE FUNCTION pokeapi.list(value jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) = 'array'::text) THEN value ELSE '[]'::jsonb END;

COMMENT ON FUNCTION pokeapi.list(value jsonb) IS 'An array as it is; [] for any other value.';

CREATE AGGREGATE pokeapi.product(numeric) (
    SFUNC = numeric_mul,
    STYPE = numeric,
    INITCOND = '1'
);

COMMENT ON AGGREGATE pokeapi.product(numeric) IS 'Product of all values; 1 of none.';

CREATE FUNCTION pokeapi.matchup(defending text[], generation integer DEFAULT NULL::integer) RETURNS TABLE(attacking_type text, multiplier numeric)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT e.attacking_type,
     trim_scale(pokeapi.product(e.multiplier)) AS multiplier
    FROM pokeapi.efficacy(matchup.generation) e(attacking_type, defending_type, multiplier)
   WHERE (e.defending_type = ANY (matchup.defending))
   GROUP BY e.attacking_type
  HAVING (count(*) = ( SELECT count(DISTINCT name.name) AS count
            FROM unnest(matchup.defending) name(name)))
   ORDER BY (trim_scale(pokeapi.product(e.multiplier))) DESC, e.attacking_type;
END;

COMMENT ON FUNCTION pokeapi.matchup(defending text[], generation integer) IS 'What attacks of each type do to a Pokémon of these types, today or in a generation. No rows if there is, or was, no such type.';

CREATE FUNCTION pokeapi.matchup(type1 text, type2 text DEFAULT NULL::text, generation integer DEFAULT NULL::integer) RETURNS TABLE(attacking_type text, multiplier numeric)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT m.attacking_type,
     m.multiplier
    FROM pokeapi.matchup(array_remove(ARRAY[matchup.type1, matchup.type2], NULL::text), matchup.generation) m(attacking_type, multiplier);
END;

COMMENT ON FUNCTION pokeapi.matchup(type1 text, type2 text, generation integer) IS 'What attacks of each type do to a Pokémon of one type or two, today or in a generation. No rows if there is, or was, no such type.';

CREATE FUNCTION pokeapi.string(value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) = 'string'::text) THEN (value #>> '{}'::text[]) ELSE NULL::text END;

COMMENT ON FUNCTION pokeapi.string(value jsonb) IS 'A text; null for any other value.';

CREATE FUNCTION pokeapi.times(count integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (count IS NULL) THEN ''::text WHEN (count = 1) THEN ' once'::text ELSE ((' '::text || count) || ' times'::text) END;

COMMENT ON FUNCTION pokeapi.times(count integer) IS 'How often, in English, after a space; empty if it is not said.';

CREATE FUNCTION pokeapi.whole(value jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(value) = 'number'::text) THEN CASE WHEN ((((value)::numeric >= ('-2147483648'::integer)::numeric) AND ((value)::numeric <= (2147483647)::numeric)) AND ((value)::numeric = trunc((value)::numeric))) THEN ((value)::numeric)::integer ELSE NULL::integer END ELSE NULL::integer END;

COMMENT ON FUNCTION pokeapi.whole(value jsonb) IS 'A whole number however it is spelled; null for 1.5, for one that is too large, and for any other value.';

CREATE FUNCTION pokeapi.words(name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN initcap(replace(name, '-'::text, ' '::text));

COMMENT ON FUNCTION pokeapi.words(name text) IS 'A name of links in words: Thunder Stone for thunder-stone.';

CREATE FUNCTION sync.clock_microseconds() RETURNS bigint
    LANGUAGE sql
    RETURN ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint;

COMMENT ON FUNCTION sync.clock_microseconds() IS 'The database''s clock, not the start of the transaction, in microseconds since 1970.';

CREATE FUNCTION sync.pause_left(of_origin text) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$
  SELECT coalesce(max(greatest(
    0, b.paused_until - greatest(sync.clock_microseconds() + b.clock_offset, b.read_at))), 0)
  FROM sync.rate_budget b WHERE b.origin = of_origin
$$;

COMMENT ON FUNCTION sync.pause_left(of_origin text) IS 'Microseconds until an origin''s pause ends; 0 without one.';

CREATE FUNCTION sync.pause_origin(of_origin text, duration bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '5s'
    AS $$
  INSERT INTO sync.rate_budget AS b (origin, paused_until) VALUES (of_origin, sync.clock_microseconds() + duration)
  ON CONFLICT (origin) DO UPDATE SET paused_until =
    greatest(b.paused_until, greatest(sync.clock_microseconds() + b.clock_offset, b.read_at) + duration)
$$;

COMMENT ON FUNCTION sync.pause_origin(of_origin text, duration bigint) IS 'No permits of an origin for so many microseconds from now; a shorter pause does not end a longer one.';

CREATE FUNCTION sync.take_permit(of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint, OUT wait bigint, OUT reading bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '5s'
    AS $$
BEGIN
  PERFORM FROM sync.rate_budget b WHERE b.origin = of_origin FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO sync.rate_budget (origin) VALUES (of_origin) ON CONFLICT DO NOTHING;
    PERFORM FROM sync.rate_budget b WHERE b.origin = of_origin FOR NO KEY UPDATE;
  END IF;
  SELECT * INTO wait, reading FROM sync.take_permit_at(
    sync.clock_microseconds(), of_origin, requests, lengths, longest_wait, known, elapsed);
END $$;

COMMENT ON FUNCTION sync.take_permit(of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint, OUT wait bigint, OUT reading bigint) IS 'Reserves the next permit of an origin for a caller with these windows (requests and lengths in microseconds, in step), unless it is further away than longest_wait. Gives the wait from reading, the time of the origin''s clock. A caller that took one before tells that reading (known) and what has passed, by a clock of its own, since it was answered (elapsed).';

CREATE FUNCTION sync.take_permit_at(clock bigint, of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint, OUT wait bigint, OUT reading bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
DECLARE
  budget  sync.rate_budget;
  counted sync.rate_window;
  permit  bigint;
  padded  bigint;
  held    bigint;
  steps   bigint;
BEGIN
  SELECT * INTO STRICT budget FROM sync.rate_budget b WHERE b.origin = of_origin FOR NO KEY UPDATE;
  reading := clock + budget.clock_offset;
  -- A clock that was set has made no permit older or younger: the caller knows how much time has passed at least. That
  -- more has passed may be the way of its answer and of this call, so only a leap of more than 5 s is taken for one. A
  -- thousandth is for clocks that do not run alike.
  IF reading - known - elapsed NOT BETWEEN -1000 - elapsed / 1000 AND 5000000 + elapsed / 1000 THEN
    reading := known + elapsed;
  END IF;
  -- And where no caller knows, it must not stop everything until the clock is where it was.
  reading := greatest(reading, budget.read_at);

  permit := greatest(reading, budget.paused_until, budget.permits[cardinality(budget.permits)]);
  FOR i IN 1 .. cardinality(requests) LOOP
    padded := lengths[i] + greatest(lengths[i] / 50, 20000);
    IF requests[i] <= 64 THEN
      -- Fewer permits than that give no element, and a null does not count.
      permit := greatest(permit, budget.permits[cardinality(budget.permits) - requests[i] + 1] + padded);
      CONTINUE;
    END IF;
    SELECT * INTO counted FROM sync.rate_window w WHERE w.origin = of_origin AND w.length = lengths[i];
    IF NOT FOUND THEN
      -- Nobody has counted for this window yet. The permits that are known count as the latest.
      held := (SELECT count(*) FROM unnest(budget.permits) given WHERE given > reading - padded);
      INSERT INTO sync.rate_window (origin, length, bucket_width, bucket_start, counts)
      VALUES (of_origin, lengths[i], (padded + 63) / 64, permit, array_fill(0, ARRAY[64]) || held::integer)
      RETURNING * INTO counted;
    END IF;
    held := (SELECT sum(count) FROM unnest(counted.counts) count);
    steps := 0;
    WHILE held >= requests[i] LOOP
      steps := steps + 1;
      held := held - counted.counts[steps];
    END LOOP;
    IF steps > 0 THEN
      permit := greatest(permit, counted.bucket_start + steps * counted.bucket_width);
    END IF;
  END LOOP;

  wait := permit - reading;
  IF wait <= longest_wait THEN
    budget.permits := (budget.permits || permit)[greatest(1, cardinality(budget.permits) - 62):];
    FOR counted IN SELECT * FROM sync.rate_window w WHERE w.origin = of_origin LOOP
      -- None, if the window was declared for a permit that was too far away to be given.
      steps := greatest(0, (permit - counted.bucket_start) / counted.bucket_width);
      counted.counts := counted.counts[least(steps, 65) + 1:] || array_fill(0, ARRAY[least(steps, 65)::integer]);
      counted.counts[65] := counted.counts[65] + 1;
      UPDATE sync.rate_window w
      SET counts = counted.counts, bucket_start = counted.bucket_start + steps * counted.bucket_width
      WHERE w.origin = of_origin AND w.length = counted.length;
    END LOOP;
  END IF;
  UPDATE sync.rate_budget b SET permits = budget.permits, read_at = reading, clock_offset = reading - clock
  WHERE b.origin = of_origin;
END $$;

COMMENT ON FUNCTION sync.take_permit_at(clock bigint, of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint, OUT wait bigint, OUT reading bigint) IS 'sync.take_permit at a given time of the clock; the row of the origin exists. Times and durations are microseconds.';

CREATE TABLE app.favorite (
    collection text NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    note text,
    added_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE app.favorite IS 'Items that the user has put into a collection. They stay when the item vanishes upstream.';

COMMENT ON COLUMN app.favorite.collection IS 'favorites, owned, or a name of the user''s own.';

COMMENT ON COLUMN app.favorite.source IS 'Source of the item, e.g. jikan.';

COMMENT ON COLUMN app.favorite.kind IS 'Kind within the source, e.g. anime.';

COMMENT ON COLUMN app.favorite.id IS 'Id within the kind, e.g. the mal_id.';

COMMENT ON COLUMN app.favorite.note IS 'The user''s own words.';

COMMENT ON COLUMN app.favorite.added_at IS 'When it was added.';

CREATE VIEW itunes.album AS
 SELECT item.country,
    item.id,
    item.title,
    item.artist_id,
    item.artist_name,
    item.price,
    item.currency,
    item.release_date,
    item.track_count,
    item.explicitness,
    item.content_advisory_rating,
    item.primary_genre,
    item.artwork_url,
    item.artist_view_url,
    item.collection_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE ((item.class = 'collection'::text) AND (item.collection_type IS DISTINCT FROM 'TV Season'::text));

COMMENT ON VIEW itunes.album IS 'Albums.';

COMMENT ON COLUMN itunes.album.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.album.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.album.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.album.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.album.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.album.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.album.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.album.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.album.track_count IS 'Tracks of the disc, or of the collection.';

COMMENT ON COLUMN itunes.album.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';

COMMENT ON COLUMN itunes.album.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';

COMMENT ON COLUMN itunes.album.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.album.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.album.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.album.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.album.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.album.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.album.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.album.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE VIEW itunes.app AS
 SELECT item.country,
    item.id,
    item.kind,
    item.bundle_id,
    item.title,
    item.artist_id,
    item.artist_name,
    item.price,
    item.formatted_price,
    item.currency,
    item.release_date,
    item.version,
    item.file_size_bytes,
    item.content_advisory_rating,
    item.primary_genre,
    item.genres,
    item.average_user_rating,
    item.user_rating_count,
    item.artwork_url,
    item.artist_view_url,
    item.track_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'app'::text);

COMMENT ON VIEW itunes.app IS 'Apps of iPhone, iPad and Mac.';

COMMENT ON COLUMN itunes.app.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.app.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.app.kind IS 'song, music-video, feature-movie, tv-episode, podcast, ebook, software, …: an open set. Albums, artists and audiobooks have none.';

COMMENT ON COLUMN itunes.app.bundle_id IS 'Of an app, e.g. com.example.app.';

COMMENT ON COLUMN itunes.app.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.app.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.app.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.app.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.app.formatted_price IS 'Price as the storefront writes it; apps and ebooks alone have it.';

COMMENT ON COLUMN itunes.app.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.app.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.app.version IS 'Of an app.';

COMMENT ON COLUMN itunes.app.file_size_bytes IS 'Of an app or an ebook.';

COMMENT ON COLUMN itunes.app.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';

COMMENT ON COLUMN itunes.app.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.app.genres IS 'All genres, the main one among them.';

COMMENT ON COLUMN itunes.app.average_user_rating IS 'Of an app or an ebook, 0 to 5.';

COMMENT ON COLUMN itunes.app.user_rating_count IS 'How many people rated it.';

COMMENT ON COLUMN itunes.app.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.app.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.app.track_view_url IS 'Page of the track in the store.';

COMMENT ON COLUMN itunes.app.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.app.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.app.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.app.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE VIEW itunes.artist AS
 SELECT item.country,
    item.id,
    item.artist_type,
    item.title,
    item.primary_genre,
    item.artist_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'artist'::text);

COMMENT ON VIEW itunes.artist IS 'Artists and authors.';

COMMENT ON COLUMN itunes.artist.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.artist.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.artist.artist_type IS 'Of an artist: Artist, Author, …';

COMMENT ON COLUMN itunes.artist.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.artist.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.artist.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.artist.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.artist.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.artist.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.artist.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE VIEW itunes.audiobook AS
 SELECT item.country,
    item.id,
    item.title,
    item.artist_id,
    item.artist_name,
    item.price,
    item.currency,
    item.release_date,
    item.explicitness,
    item.primary_genre,
    item.preview_url,
    item.artwork_url,
    item.artist_view_url,
    item.collection_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'audiobook'::text);

COMMENT ON VIEW itunes.audiobook IS 'Audiobooks.';

COMMENT ON COLUMN itunes.audiobook.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.audiobook.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.audiobook.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.audiobook.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.audiobook.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.audiobook.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.audiobook.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.audiobook.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.audiobook.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';

COMMENT ON COLUMN itunes.audiobook.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.audiobook.preview_url IS 'Where its preview can be streamed.';

COMMENT ON COLUMN itunes.audiobook.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.audiobook.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.audiobook.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.audiobook.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.audiobook.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.audiobook.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.audiobook.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE TABLE itunes.chart_publication (
    country text NOT NULL,
    media text NOT NULL,
    feed text NOT NULL,
    type text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    run_id uuid NOT NULL,
    entries integer NOT NULL,
    consistent boolean NOT NULL
);

COMMENT ON TABLE itunes.chart_publication IS 'Each time that a chart was published and differed from what was published before. Between two of them it stood still.';

COMMENT ON COLUMN itunes.chart_publication.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.chart_publication.media IS 'music, apps, books, audio-books or podcasts.';

COMMENT ON COLUMN itunes.chart_publication.feed IS 'most-played, top-free, top-paid, top, …';

COMMENT ON COLUMN itunes.chart_publication.type IS 'songs, albums, apps, …';

COMMENT ON COLUMN itunes.chart_publication.published_at IS 'When; later than every earlier one of the chart.';

COMMENT ON COLUMN itunes.chart_publication.run_id IS 'Run that published it.';

COMMENT ON COLUMN itunes.chart_publication.entries IS 'Entries of the chart.';

COMMENT ON COLUMN itunes.chart_publication.consistent IS 'False if the chart moved while it was read.';

CREATE VIEW itunes.chart_ranking AS
 SELECT e.country,
    e.media,
    e.feed,
    e.type,
    e."position",
    e.id,
    i.name,
    i.artist_id,
    i.artist_name,
    i.kind,
    i.release_date,
    i.content_advisory_rating,
    i.genres,
    i.url,
    i.artist_url,
    i.artwork_url
   FROM (itunes.chart_entry e
     LEFT JOIN itunes.chart_item i USING (country, type, id));

COMMENT ON VIEW itunes.chart_ranking IS 'The charts as last published, with names.';

COMMENT ON COLUMN itunes.chart_ranking.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.chart_ranking.media IS 'music, apps, books, audio-books or podcasts.';

COMMENT ON COLUMN itunes.chart_ranking.feed IS 'most-played, top-free, top-paid, top, …';

COMMENT ON COLUMN itunes.chart_ranking.type IS 'songs, albums, apps, books, audio-books, podcasts, podcast-episodes, …';

COMMENT ON COLUMN itunes.chart_ranking."position" IS 'Place in the chart, from 1, repeats not counted: the upstream gives no other rank.';

COMMENT ON COLUMN itunes.chart_ranking.id IS 'Apple''s id within storefront and type; itunes.item has the same one if a search or a look-up met it.';

COMMENT ON COLUMN itunes.chart_ranking.name IS 'Name.';

COMMENT ON COLUMN itunes.chart_ranking.artist_id IS 'Apple''s id of the artist, if the chart names it.';

COMMENT ON COLUMN itunes.chart_ranking.artist_name IS 'Artist, author or seller.';

COMMENT ON COLUMN itunes.chart_ranking.kind IS 'Kind as the chart writes it, e.g. songs.';

COMMENT ON COLUMN itunes.chart_ranking.release_date IS 'Day of the release.';

COMMENT ON COLUMN itunes.chart_ranking.content_advisory_rating IS 'Explicit (which the upstream misspells), Clean, …';

COMMENT ON COLUMN itunes.chart_ranking.genres IS 'Names of the genres.';

COMMENT ON COLUMN itunes.chart_ranking.url IS 'Page in the store.';

COMMENT ON COLUMN itunes.chart_ranking.artist_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.chart_ranking.artwork_url IS 'Artwork.';

CREATE VIEW itunes.ebook AS
 SELECT item.country,
    item.id,
    item.title,
    item.artist_id,
    item.artist_name,
    item.price,
    item.formatted_price,
    item.currency,
    item.release_date,
    item.genres,
    item.file_size_bytes,
    item.average_user_rating,
    item.user_rating_count,
    item.artwork_url,
    item.artist_view_url,
    item.track_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'ebook'::text);

COMMENT ON VIEW itunes.ebook IS 'Ebooks.';

COMMENT ON COLUMN itunes.ebook.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.ebook.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.ebook.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.ebook.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.ebook.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.ebook.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.ebook.formatted_price IS 'Price as the storefront writes it; apps and ebooks alone have it.';

COMMENT ON COLUMN itunes.ebook.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.ebook.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.ebook.genres IS 'All genres, the main one among them.';

COMMENT ON COLUMN itunes.ebook.file_size_bytes IS 'Of an app or an ebook.';

COMMENT ON COLUMN itunes.ebook.average_user_rating IS 'Of an app or an ebook, 0 to 5.';

COMMENT ON COLUMN itunes.ebook.user_rating_count IS 'How many people rated it.';

COMMENT ON COLUMN itunes.ebook.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.ebook.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.ebook.track_view_url IS 'Page of the track in the store.';

COMMENT ON COLUMN itunes.ebook.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.ebook.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.ebook.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.ebook.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE TABLE itunes.lookup_absence (
    country text NOT NULL,
    id bigint NOT NULL,
    missed smallint NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE itunes.lookup_absence IS 'Ids that the last look-up asked for and did not get. Missed twice in a row, their items are marked as vanished; met again, the row goes.';

COMMENT ON COLUMN itunes.lookup_absence.country IS 'Storefront that was asked.';

COMMENT ON COLUMN itunes.lookup_absence.id IS 'Id that was asked for, of whatever class.';

COMMENT ON COLUMN itunes.lookup_absence.missed IS 'In how many look-ups in a row it was missing: 1, or 2 for two and more.';

COMMENT ON COLUMN itunes.lookup_absence.since IS 'When it was missed first.';

CREATE TABLE itunes.lookup_history (
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    action text NOT NULL,
    country text NOT NULL,
    term text,
    id bigint,
    class text,
    results integer NOT NULL,
    CONSTRAINT lookup_history_action_check CHECK ((action = ANY (ARRAY['search'::text, 'lookup'::text, 'show'::text])))
);

COMMENT ON TABLE itunes.lookup_history IS 'What a person searched for, looked up or was shown by commands.';

COMMENT ON COLUMN itunes.lookup_history.number IS 'Number of the entry, in the order of writing.';

COMMENT ON COLUMN itunes.lookup_history.at IS 'When.';

COMMENT ON COLUMN itunes.lookup_history.action IS 'search, lookup (asked of the upstream) or show (from the mirror).';

COMMENT ON COLUMN itunes.lookup_history.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.lookup_history.term IS 'What was searched for; null for an id.';

COMMENT ON COLUMN itunes.lookup_history.id IS 'Id that was looked up or shown; null for a search.';

COMMENT ON COLUMN itunes.lookup_history.class IS 'Class of the item, if it was found; null for a search.';

COMMENT ON COLUMN itunes.lookup_history.results IS 'How many items were found; 0 for none.';

ALTER TABLE itunes.lookup_history ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME itunes.lookup_history_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW itunes.podcast AS
 SELECT item.country,
    item.id,
    item.title,
    item.artist_id,
    item.artist_name,
    item.release_date,
    item.released_at,
    item.track_time_ms,
    item.track_count,
    item.explicitness,
    item.content_advisory_rating,
    item.primary_genre,
    item.genres,
    item.feed_url,
    item.artwork_url,
    item.artist_view_url,
    item.collection_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'podcast'::text);

COMMENT ON VIEW itunes.podcast IS 'Podcasts.';

COMMENT ON COLUMN itunes.podcast.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.podcast.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.podcast.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.podcast.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.podcast.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.podcast.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.podcast.released_at IS 'The same with its time of day, which tells something of podcasts and apps alone; null where only a day is given.';

COMMENT ON COLUMN itunes.podcast.track_time_ms IS 'How long it plays, in milliseconds; that of podcasts comes in seconds.';

COMMENT ON COLUMN itunes.podcast.track_count IS 'Tracks of the disc, or of the collection.';

COMMENT ON COLUMN itunes.podcast.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';

COMMENT ON COLUMN itunes.podcast.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';

COMMENT ON COLUMN itunes.podcast.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.podcast.genres IS 'All genres, the main one among them.';

COMMENT ON COLUMN itunes.podcast.feed_url IS 'RSS feed of a podcast.';

COMMENT ON COLUMN itunes.podcast.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.podcast.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.podcast.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.podcast.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.podcast.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.podcast.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.podcast.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE VIEW itunes.podcast_episode AS
 SELECT item.country,
    item.id,
    item.title,
    item.collection_id,
    item.collection_name,
    item.release_date,
    item.released_at,
    item.track_time_ms,
    item.content_advisory_rating,
    item.genres,
    item.preview_url,
    item.artwork_url,
    item.collection_view_url,
    item.track_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'podcast-episode'::text);

COMMENT ON VIEW itunes.podcast_episode IS 'Episodes of podcasts.';

COMMENT ON COLUMN itunes.podcast_episode.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.podcast_episode.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.podcast_episode.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.podcast_episode.collection_id IS 'Apple''s id of the album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.podcast_episode.collection_name IS 'Album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.podcast_episode.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.podcast_episode.released_at IS 'The same with its time of day, which tells something of podcasts and apps alone; null where only a day is given.';

COMMENT ON COLUMN itunes.podcast_episode.track_time_ms IS 'How long it plays, in milliseconds; that of podcasts comes in seconds.';

COMMENT ON COLUMN itunes.podcast_episode.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';

COMMENT ON COLUMN itunes.podcast_episode.genres IS 'All genres, the main one among them.';

COMMENT ON COLUMN itunes.podcast_episode.preview_url IS 'Where its preview can be streamed.';

COMMENT ON COLUMN itunes.podcast_episode.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.podcast_episode.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.podcast_episode.track_view_url IS 'Page of the track in the store.';

COMMENT ON COLUMN itunes.podcast_episode.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.podcast_episode.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.podcast_episode.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.podcast_episode.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE TABLE itunes.search (
    name text NOT NULL,
    country text NOT NULL,
    term text NOT NULL,
    media text,
    entity text,
    attribute text,
    lang text,
    result_limit integer
);

COMMENT ON TABLE itunes.search IS 'Searches that have been published, with what was asked for last.';

COMMENT ON COLUMN itunes.search.name IS 'Name in the configuration; @ and what was asked for, of a search made by a command.';

COMMENT ON COLUMN itunes.search.country IS 'Storefront, two letters, lower case.';

COMMENT ON COLUMN itunes.search.term IS 'What was searched for.';

COMMENT ON COLUMN itunes.search.media IS 'The upstream''s media= parameter, e.g. music; null without one, as of the following.';

COMMENT ON COLUMN itunes.search.entity IS 'The upstream''s entity= parameter, e.g. song.';

COMMENT ON COLUMN itunes.search.attribute IS 'The upstream''s attribute= parameter, e.g. artistTerm.';

COMMENT ON COLUMN itunes.search.lang IS 'The upstream''s lang= parameter, e.g. ja_jp.';

COMMENT ON COLUMN itunes.search.result_limit IS 'How many results were asked for at most.';

CREATE TABLE itunes.search_result (
    search text NOT NULL,
    country text NOT NULL,
    class text NOT NULL,
    id bigint NOT NULL,
    "position" integer NOT NULL
);

COMMENT ON TABLE itunes.search_result IS 'What each search returned last, in the upstream''s order. itunes.search_item joins it with the items.';

COMMENT ON COLUMN itunes.search_result.search IS 'Name of the search.';

COMMENT ON COLUMN itunes.search_result.country IS 'Storefront.';

COMMENT ON COLUMN itunes.search_result.class IS 'Class of the item.';

COMMENT ON COLUMN itunes.search_result.id IS 'Id of the item.';

COMMENT ON COLUMN itunes.search_result."position" IS 'Place among the results, from 1, repeats not counted.';

CREATE VIEW itunes.search_item AS
 SELECT r.search,
    r."position",
    r.country,
    r.class,
    r.id,
    i.kind,
    i.title,
    i.artist_id,
    i.artist_name,
    i.collection_id,
    i.collection_name,
    i.price,
    i.currency,
    i.is_sold_singly,
    i.release_date,
    i.track_time_ms,
    i.disc_number,
    i.track_number,
    i.explicitness,
    i.primary_genre,
    i.preview_url,
    i.artwork_url,
    i.artist_view_url,
    i.collection_view_url,
    i.track_view_url,
    i.changed_at,
    i.vanished_at
   FROM (itunes.search_result r
     LEFT JOIN itunes.item i USING (country, class, id));

COMMENT ON VIEW itunes.search_item IS 'What the searches returned last, with the items.';

COMMENT ON COLUMN itunes.search_item.search IS 'Name of the search.';

COMMENT ON COLUMN itunes.search_item."position" IS 'Place among the results, from 1, repeats not counted.';

COMMENT ON COLUMN itunes.search_item.country IS 'Storefront.';

COMMENT ON COLUMN itunes.search_item.class IS 'Class of the item.';

COMMENT ON COLUMN itunes.search_item.id IS 'Id of the item.';

COMMENT ON COLUMN itunes.search_item.kind IS 'song, music-video, feature-movie, tv-episode, podcast, ebook, software, …: an open set. Albums, artists and audiobooks have none.';

COMMENT ON COLUMN itunes.search_item.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.search_item.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.search_item.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.search_item.collection_id IS 'Apple''s id of the album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.search_item.collection_name IS 'Album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.search_item.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.search_item.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.search_item.is_sold_singly IS 'False for a track that is sold with its collection alone (the upstream says a price of -1); null if there is no price of a track.';

COMMENT ON COLUMN itunes.search_item.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.search_item.track_time_ms IS 'How long it plays, in milliseconds; that of podcasts comes in seconds.';

COMMENT ON COLUMN itunes.search_item.disc_number IS 'Disc of the album, from 1.';

COMMENT ON COLUMN itunes.search_item.track_number IS 'Place on the disc, from 1.';

COMMENT ON COLUMN itunes.search_item.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';

COMMENT ON COLUMN itunes.search_item.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.search_item.preview_url IS 'Where its preview can be streamed.';

COMMENT ON COLUMN itunes.search_item.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.search_item.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.search_item.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.search_item.track_view_url IS 'Page of the track in the store.';

COMMENT ON COLUMN itunes.search_item.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.search_item.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE TABLE itunes.search_publication (
    search text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    run_id uuid NOT NULL,
    entries integer NOT NULL,
    consistent boolean NOT NULL
);

COMMENT ON TABLE itunes.search_publication IS 'Each time that a search was published and differed from what was published before. Between two of them it stood still.';

COMMENT ON COLUMN itunes.search_publication.search IS 'Name of the search.';

COMMENT ON COLUMN itunes.search_publication.published_at IS 'When; later than every earlier one of the search.';

COMMENT ON COLUMN itunes.search_publication.run_id IS 'Run that published it.';

COMMENT ON COLUMN itunes.search_publication.entries IS 'Items that it returned.';

COMMENT ON COLUMN itunes.search_publication.consistent IS 'False if the results moved while they were read.';

CREATE VIEW itunes.track AS
 SELECT item.country,
    item.id,
    item.kind,
    item.title,
    item.artist_id,
    item.artist_name,
    item.collection_id,
    item.collection_name,
    item.price,
    item.currency,
    item.is_sold_singly,
    item.collection_price,
    item.track_rental_price,
    item.track_hd_price,
    item.release_date,
    item.track_time_ms,
    item.disc_number,
    item.disc_count,
    item.track_number,
    item.track_count,
    item.explicitness,
    item.content_advisory_rating,
    item.primary_genre,
    item.preview_url,
    item.artwork_url,
    item.artist_view_url,
    item.collection_view_url,
    item.track_view_url,
    item.raw,
    item.first_seen_at,
    item.changed_at,
    item.vanished_at
   FROM itunes.item
  WHERE (item.class = 'track'::text);

COMMENT ON VIEW itunes.track IS 'Songs, music videos, films and TV episodes.';

COMMENT ON COLUMN itunes.track.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';

COMMENT ON COLUMN itunes.track.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';

COMMENT ON COLUMN itunes.track.kind IS 'song, music-video, feature-movie, tv-episode, podcast, ebook, software, …: an open set. Albums, artists and audiobooks have none.';

COMMENT ON COLUMN itunes.track.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';

COMMENT ON COLUMN itunes.track.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';

COMMENT ON COLUMN itunes.track.artist_name IS 'Artist, author, director or seller.';

COMMENT ON COLUMN itunes.track.collection_id IS 'Apple''s id of the album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.track.collection_name IS 'Album, season or podcast it is part of.';

COMMENT ON COLUMN itunes.track.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';

COMMENT ON COLUMN itunes.track.currency IS 'Of the prices, ISO 4217.';

COMMENT ON COLUMN itunes.track.is_sold_singly IS 'False for a track that is sold with its collection alone (the upstream says a price of -1); null if there is no price of a track.';

COMMENT ON COLUMN itunes.track.collection_price IS 'Price of the collection it is part of; null if that is not sold as a whole.';

COMMENT ON COLUMN itunes.track.track_rental_price IS 'Of a film, for renting it.';

COMMENT ON COLUMN itunes.track.track_hd_price IS 'Of a film or an episode, in HD.';

COMMENT ON COLUMN itunes.track.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';

COMMENT ON COLUMN itunes.track.track_time_ms IS 'How long it plays, in milliseconds; that of podcasts comes in seconds.';

COMMENT ON COLUMN itunes.track.disc_number IS 'Disc of the album, from 1.';

COMMENT ON COLUMN itunes.track.disc_count IS 'Discs of the album.';

COMMENT ON COLUMN itunes.track.track_number IS 'Place on the disc, from 1.';

COMMENT ON COLUMN itunes.track.track_count IS 'Tracks of the disc, or of the collection.';

COMMENT ON COLUMN itunes.track.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';

COMMENT ON COLUMN itunes.track.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';

COMMENT ON COLUMN itunes.track.primary_genre IS 'Main genre, in the language of the storefront.';

COMMENT ON COLUMN itunes.track.preview_url IS 'Where its preview can be streamed.';

COMMENT ON COLUMN itunes.track.artwork_url IS 'The largest artwork that the upstream names.';

COMMENT ON COLUMN itunes.track.artist_view_url IS 'Page of the artist in the store.';

COMMENT ON COLUMN itunes.track.collection_view_url IS 'Page of the collection in the store.';

COMMENT ON COLUMN itunes.track.track_view_url IS 'Page of the track in the store.';

COMMENT ON COLUMN itunes.track.raw IS 'The whole record as it came.';

COMMENT ON COLUMN itunes.track.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN itunes.track.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN itunes.track.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';

CREATE TABLE jikan.media (
    kind text NOT NULL,
    mal_id bigint NOT NULL,
    title text NOT NULL,
    title_english text,
    title_japanese text,
    type text,
    source text,
    episodes integer,
    chapters integer,
    volumes integer,
    status text,
    ongoing boolean,
    started_at timestamp with time zone,
    rating text,
    season text,
    year integer,
    url text,
    image_url text,
    synopsis text,
    raw jsonb NOT NULL,
    content_hash bytea NOT NULL,
    first_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    vanished_at timestamp with time zone,
    approved boolean DEFAULT true NOT NULL,
    CONSTRAINT media_kind_check CHECK ((kind = ANY (ARRAY['anime'::text, 'manga'::text])))
);
ALTER TABLE ONLY jikan.media ALTER COLUMN raw SET COMPRESSION lz4;

COMMENT ON TABLE jikan.media IS 'Anime and manga without the counters that move every day. Read the views jikan.anime and jikan.manga instead.';

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

COMMENT ON COLUMN jikan.media.raw IS 'The whole item as it was when it was last written whole; the views hold today''s counters.';

COMMENT ON COLUMN jikan.media.content_hash IS 'SHA-256 of the item''s canonical form without the counters, and of the version of the mapping.';

COMMENT ON COLUMN jikan.media.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN jikan.media.changed_at IS 'When anything but a counter last changed, or when it vanished or came back.';

COMMENT ON COLUMN jikan.media.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

COMMENT ON COLUMN jikan.media.approved IS 'Whether MyAnimeList has approved the entry; most services leave the others out of their catalogues.';

CREATE TABLE jikan.media_counters (
    kind text NOT NULL,
    mal_id bigint NOT NULL,
    score numeric,
    scored_by integer,
    rank integer,
    popularity integer,
    members integer,
    favorites integer,
    counter_hash bigint NOT NULL,
    changed_at timestamp with time zone
)
WITH (fillfactor='80');

COMMENT ON TABLE jikan.media_counters IS 'The counters that move every day, apart from the documents, so that a day on which only they moved costs little.';

COMMENT ON COLUMN jikan.media_counters.kind IS 'anime or manga.';

COMMENT ON COLUMN jikan.media_counters.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.media_counters.score IS 'Mean score 1–10 as the upstream gives it; 0 and null both mean undetermined.';

COMMENT ON COLUMN jikan.media_counters.scored_by IS 'People who gave a score.';

COMMENT ON COLUMN jikan.media_counters.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';

COMMENT ON COLUMN jikan.media_counters.popularity IS 'Rank by members.';

COMMENT ON COLUMN jikan.media_counters.members IS 'People who have it on their list.';

COMMENT ON COLUMN jikan.media_counters.favorites IS 'People who have it among their favorites.';

COMMENT ON COLUMN jikan.media_counters.counter_hash IS 'Hash of the counters'' canonical form.';

COMMENT ON COLUMN jikan.media_counters.changed_at IS 'When a counter last changed; null if that was before this column was added.';

CREATE VIEW jikan.anime AS
 SELECT m.mal_id,
    m.title,
    m.title_english,
    m.title_japanese,
    m.type,
    m.source,
    m.episodes,
    m.status,
    m.ongoing AS airing,
    m.started_at AS aired_from,
    m.rating,
    NULLIF(c.score, (0)::numeric) AS score,
    c.scored_by,
    c.rank,
    c.popularity,
    c.members,
    c.favorites,
    m.season,
    m.year,
    m.url,
    m.image_url,
    m.synopsis,
    jikan.with_counters(m.raw, jsonb_build_object('score', c.score, 'scored_by', c.scored_by, 'rank', c.rank, 'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
    m.content_hash,
    m.first_seen_at,
    m.changed_at,
    m.vanished_at,
    m.approved
   FROM (jikan.media m
     LEFT JOIN jikan.media_counters c USING (kind, mal_id))
  WHERE (m.kind = 'anime'::text);

COMMENT ON VIEW jikan.anime IS 'Anime of the mirror, one row per mal_id.';

COMMENT ON COLUMN jikan.anime.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.anime.title IS 'Main title, usually romanized.';

COMMENT ON COLUMN jikan.anime.title_english IS 'English title, if there is one.';

COMMENT ON COLUMN jikan.anime.title_japanese IS 'Japanese title, if there is one.';

COMMENT ON COLUMN jikan.anime.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';

COMMENT ON COLUMN jikan.anime.source IS 'What an anime was made from: Manga, Original, …; null for manga.';

COMMENT ON COLUMN jikan.anime.episodes IS 'Episodes of an anime; null if unknown, and for manga.';

COMMENT ON COLUMN jikan.anime.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';

COMMENT ON COLUMN jikan.anime.airing IS 'Being aired or published now.';

COMMENT ON COLUMN jikan.anime.aired_from IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';

COMMENT ON COLUMN jikan.anime.rating IS 'Age rating of an anime, e.g. PG-13 - Teens 13 or older; null for manga.';

COMMENT ON COLUMN jikan.anime.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.anime.scored_by IS 'People who gave a score.';

COMMENT ON COLUMN jikan.anime.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';

COMMENT ON COLUMN jikan.anime.popularity IS 'Rank by members.';

COMMENT ON COLUMN jikan.anime.members IS 'People who have it on their list.';

COMMENT ON COLUMN jikan.anime.favorites IS 'People who have it among their favorites.';

COMMENT ON COLUMN jikan.anime.season IS 'winter, spring, summer or fall; null for manga.';

COMMENT ON COLUMN jikan.anime.year IS 'Year of the season; null for manga.';

COMMENT ON COLUMN jikan.anime.url IS 'Page at MyAnimeList.';

COMMENT ON COLUMN jikan.anime.image_url IS 'Poster, JPEG.';

COMMENT ON COLUMN jikan.anime.synopsis IS 'Summary of the plot.';

COMMENT ON COLUMN jikan.anime.raw IS 'The whole item as the upstream gave it.';

COMMENT ON COLUMN jikan.anime.content_hash IS 'SHA-256 of the item''s canonical form without the counters, and of the version of the mapping.';

COMMENT ON COLUMN jikan.anime.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN jikan.anime.changed_at IS 'When anything but a counter last changed, or when it vanished or came back.';

COMMENT ON COLUMN jikan.anime.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

COMMENT ON COLUMN jikan.anime.approved IS 'Whether MyAnimeList has approved the entry; most services leave the others out of their catalogues.';

CREATE TABLE jikan.genre (
    kind text NOT NULL,
    facet text NOT NULL,
    mal_id bigint NOT NULL,
    name text NOT NULL,
    url text,
    count integer,
    raw jsonb NOT NULL,
    content_hash bytea NOT NULL,
    counter_hash bigint NOT NULL,
    first_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    count_changed_at timestamp with time zone,
    CONSTRAINT genre_facet_check CHECK ((facet = ANY (ARRAY['genres'::text, 'explicit_genres'::text, 'themes'::text, 'demographics'::text]))),
    CONSTRAINT genre_kind_check CHECK ((kind = ANY (ARRAY['anime'::text, 'manga'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY jikan.genre ALTER COLUMN raw SET COMPRESSION lz4;

COMMENT ON TABLE jikan.genre IS 'Genres, themes and demographics of anime and manga, each list as last published.';

COMMENT ON COLUMN jikan.genre.kind IS 'anime or manga: two separate spaces of ids.';

COMMENT ON COLUMN jikan.genre.facet IS 'Which list of the kind: genres, explicit_genres, themes or demographics. An id may stand in two of them.';

COMMENT ON COLUMN jikan.genre.mal_id IS 'MyAnimeList''s id, by which the items of jikan.media name it in raw.';

COMMENT ON COLUMN jikan.genre.name IS 'Name, e.g. Action.';

COMMENT ON COLUMN jikan.genre.url IS 'Page at MyAnimeList.';

COMMENT ON COLUMN jikan.genre.count IS 'How many anime or manga have it, as the upstream counts them; moves every day.';

COMMENT ON COLUMN jikan.genre.raw IS 'The whole item as the upstream gave it.';

COMMENT ON COLUMN jikan.genre.content_hash IS 'SHA-256 of the item''s canonical form without the count, and of the version of the mapping.';

COMMENT ON COLUMN jikan.genre.counter_hash IS 'Hash of the count''s canonical form.';

COMMENT ON COLUMN jikan.genre.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN jikan.genre.changed_at IS 'When anything but the count last changed.';

COMMENT ON COLUMN jikan.genre.count_changed_at IS 'When the count last changed; null if that was before this column was added.';

CREATE VIEW jikan.manga AS
 SELECT m.mal_id,
    m.title,
    m.title_english,
    m.title_japanese,
    m.type,
    m.chapters,
    m.volumes,
    m.status,
    m.ongoing AS publishing,
    m.started_at AS published_from,
    NULLIF(c.score, (0)::numeric) AS score,
    c.scored_by,
    c.rank,
    c.popularity,
    c.members,
    c.favorites,
    m.url,
    m.image_url,
    m.synopsis,
    jikan.with_counters(m.raw, jsonb_build_object('score', c.score, 'scored', c.score, 'scored_by', c.scored_by, 'rank', c.rank, 'popularity', c.popularity, 'members', c.members, 'favorites', c.favorites)) AS raw,
    m.content_hash,
    m.first_seen_at,
    m.changed_at,
    m.vanished_at,
    m.approved
   FROM (jikan.media m
     LEFT JOIN jikan.media_counters c USING (kind, mal_id))
  WHERE (m.kind = 'manga'::text);

COMMENT ON VIEW jikan.manga IS 'Manga of the mirror, one row per mal_id.';

COMMENT ON COLUMN jikan.manga.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.manga.title IS 'Main title, usually romanized.';

COMMENT ON COLUMN jikan.manga.title_english IS 'English title, if there is one.';

COMMENT ON COLUMN jikan.manga.title_japanese IS 'Japanese title, if there is one.';

COMMENT ON COLUMN jikan.manga.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';

COMMENT ON COLUMN jikan.manga.chapters IS 'Chapters of a manga; null if unknown, and for anime.';

COMMENT ON COLUMN jikan.manga.volumes IS 'Volumes of a manga; null if unknown, and for anime.';

COMMENT ON COLUMN jikan.manga.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';

COMMENT ON COLUMN jikan.manga.publishing IS 'Being aired or published now.';

COMMENT ON COLUMN jikan.manga.published_from IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';

COMMENT ON COLUMN jikan.manga.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.manga.scored_by IS 'People who gave a score.';

COMMENT ON COLUMN jikan.manga.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';

COMMENT ON COLUMN jikan.manga.popularity IS 'Rank by members.';

COMMENT ON COLUMN jikan.manga.members IS 'People who have it on their list.';

COMMENT ON COLUMN jikan.manga.favorites IS 'People who have it among their favorites.';

COMMENT ON COLUMN jikan.manga.url IS 'Page at MyAnimeList.';

COMMENT ON COLUMN jikan.manga.image_url IS 'Poster, JPEG.';

COMMENT ON COLUMN jikan.manga.synopsis IS 'Summary of the plot.';

COMMENT ON COLUMN jikan.manga.raw IS 'The whole item as the upstream gave it.';

COMMENT ON COLUMN jikan.manga.content_hash IS 'SHA-256 of the item''s canonical form without the counters, and of the version of the mapping.';

COMMENT ON COLUMN jikan.manga.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN jikan.manga.changed_at IS 'When anything but a counter last changed, or when it vanished or came back.';

COMMENT ON COLUMN jikan.manga.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

COMMENT ON COLUMN jikan.manga.approved IS 'Whether MyAnimeList has approved the entry; most services leave the others out of their catalogues.';

CREATE TABLE jikan.ranking (
    kind text NOT NULL,
    subtype text NOT NULL,
    filter text NOT NULL,
    mal_id bigint NOT NULL,
    "position" integer NOT NULL
);

COMMENT ON TABLE jikan.ranking IS 'The lists as last published, each replaced as a whole: top lists, seasons, the schedule. sync.publication tells from which run.';

COMMENT ON COLUMN jikan.ranking.kind IS 'anime or manga.';

COMMENT ON COLUMN jikan.ranking.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';

COMMENT ON COLUMN jikan.ranking.filter IS 'The upstream''s filter= parameter of a top list, e.g. airing, and none without one; or season:now, season:2024-spring, schedule, schedule:monday.';

COMMENT ON COLUMN jikan.ranking.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.ranking."position" IS 'Ordinal in the list, from 1, repeats not counted.';

CREATE VIEW jikan.ranking_entry AS
 SELECT r.kind,
    r.subtype,
    r.filter,
    r."position",
    r.mal_id,
    m.title,
    m.title_english,
    m.title_japanese,
    m.type,
    m.status,
    m.ongoing,
    m.episodes,
    m.chapters,
    m.volumes,
    m.started_at,
    NULLIF(c.score, (0)::numeric) AS score,
    c.scored_by,
    c.rank,
    c.popularity,
    c.members,
    c.favorites,
    m.url,
    m.image_url,
    m.vanished_at
   FROM ((jikan.ranking r
     LEFT JOIN jikan.media m USING (kind, mal_id))
     LEFT JOIN jikan.media_counters c USING (kind, mal_id));

COMMENT ON VIEW jikan.ranking_entry IS 'The published lists with titles and today''s counters.';

COMMENT ON COLUMN jikan.ranking_entry.kind IS 'anime or manga.';

COMMENT ON COLUMN jikan.ranking_entry.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';

COMMENT ON COLUMN jikan.ranking_entry.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';

COMMENT ON COLUMN jikan.ranking_entry."position" IS 'Ordinal in the list, from 1, repeats not counted.';

COMMENT ON COLUMN jikan.ranking_entry.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.ranking_entry.title IS 'Main title, usually romanized.';

COMMENT ON COLUMN jikan.ranking_entry.title_english IS 'English title, if there is one.';

COMMENT ON COLUMN jikan.ranking_entry.title_japanese IS 'Japanese title, if there is one.';

COMMENT ON COLUMN jikan.ranking_entry.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';

COMMENT ON COLUMN jikan.ranking_entry.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';

COMMENT ON COLUMN jikan.ranking_entry.ongoing IS 'Being aired or published now.';

COMMENT ON COLUMN jikan.ranking_entry.episodes IS 'Episodes of an anime; null if unknown, and for manga.';

COMMENT ON COLUMN jikan.ranking_entry.chapters IS 'Chapters of a manga; null if unknown, and for anime.';

COMMENT ON COLUMN jikan.ranking_entry.volumes IS 'Volumes of a manga; null if unknown, and for anime.';

COMMENT ON COLUMN jikan.ranking_entry.started_at IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';

COMMENT ON COLUMN jikan.ranking_entry.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.ranking_entry.scored_by IS 'People who gave a score.';

COMMENT ON COLUMN jikan.ranking_entry.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';

COMMENT ON COLUMN jikan.ranking_entry.popularity IS 'Rank by members.';

COMMENT ON COLUMN jikan.ranking_entry.members IS 'People who have it on their list.';

COMMENT ON COLUMN jikan.ranking_entry.favorites IS 'People who have it among their favorites.';

COMMENT ON COLUMN jikan.ranking_entry.url IS 'Page at MyAnimeList.';

COMMENT ON COLUMN jikan.ranking_entry.image_url IS 'Poster, JPEG.';

COMMENT ON COLUMN jikan.ranking_entry.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

CREATE TABLE jikan.ranking_history (
    kind text NOT NULL,
    subtype text NOT NULL,
    filter text NOT NULL,
    mal_id bigint NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    valid_to timestamp with time zone,
    "position" integer NOT NULL,
    rank integer,
    score numeric,
    members integer,
    favorites integer
)
PARTITION BY RANGE (valid_from);

COMMENT ON TABLE jikan.ranking_history IS 'Entries of the published lists as they were. A row begins when an entry comes in, its rank or score changes, or its position changes within the top positions (see ranking_publication); it ends when the next one begins or the entry leaves. One partition a month.';

COMMENT ON COLUMN jikan.ranking_history.kind IS 'anime or manga.';

COMMENT ON COLUMN jikan.ranking_history.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';

COMMENT ON COLUMN jikan.ranking_history.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';

COMMENT ON COLUMN jikan.ranking_history.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.ranking_history.valid_from IS 'When it was published so. At the beginning of what is kept: that time, if it was so before.';

COMMENT ON COLUMN jikan.ranking_history.valid_to IS 'When it was published otherwise, or no more; null while it is so.';

COMMENT ON COLUMN jikan.ranking_history."position" IS 'Ordinal in the list at valid_from. Beyond the top positions it may have changed since without a row.';

COMMENT ON COLUMN jikan.ranking_history.rank IS 'MyAnimeList''s own rank; null if unranked.';

COMMENT ON COLUMN jikan.ranking_history.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.ranking_history.members IS 'People who had it on their list at valid_from; a change of it alone makes no row.';

COMMENT ON COLUMN jikan.ranking_history.favorites IS 'People who had it among their favorites at valid_from; a change of it alone makes no row.';

CREATE TABLE jikan.ranking_history_2026_11 (
    kind text NOT NULL,
    subtype text NOT NULL,
    filter text NOT NULL,
    mal_id bigint NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    valid_to timestamp with time zone,
    "position" integer NOT NULL,
    rank integer,
    score numeric,
    members integer,
    favorites integer
);

COMMENT ON TABLE jikan.ranking_history_2026_11 IS 'Rows of jikan.ranking_history that begin in this month.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.kind IS 'anime or manga.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.valid_from IS 'When it was published so. At the beginning of what is kept: that time, if it was so before.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.valid_to IS 'When it was published otherwise, or no more; null while it is so.';

COMMENT ON COLUMN jikan.ranking_history_2026_11."position" IS 'Ordinal in the list at valid_from. Beyond the top positions it may have changed since without a row.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.rank IS 'MyAnimeList''s own rank; null if unranked.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.members IS 'People who had it on their list at valid_from; a change of it alone makes no row.';

COMMENT ON COLUMN jikan.ranking_history_2026_11.favorites IS 'People who had it among their favorites at valid_from; a change of it alone makes no row.';

CREATE TABLE jikan.ranking_publication (
    kind text NOT NULL,
    subtype text NOT NULL,
    filter text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    run_id uuid NOT NULL,
    entries integer NOT NULL,
    positions integer NOT NULL,
    consistent boolean NOT NULL
);

COMMENT ON TABLE jikan.ranking_publication IS 'Each time that a list with a history was published and differed from what was published before. Between two of them the list stood still.';

COMMENT ON COLUMN jikan.ranking_publication.kind IS 'anime or manga.';

COMMENT ON COLUMN jikan.ranking_publication.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';

COMMENT ON COLUMN jikan.ranking_publication.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';

COMMENT ON COLUMN jikan.ranking_publication.published_at IS 'When; later than every earlier one of the list. Of the oldest that is kept: the beginning of what is kept, if it was published before.';

COMMENT ON COLUMN jikan.ranking_publication.run_id IS 'Run that published it.';

COMMENT ON COLUMN jikan.ranking_publication.entries IS 'Entries of the list.';

COMMENT ON COLUMN jikan.ranking_publication.positions IS 'So many positions from the top are exact in the history at this time.';

COMMENT ON COLUMN jikan.ranking_publication.consistent IS 'False if the list moved during the walk and did not settle.';

CREATE TABLE jikan.ranking_retention (
    is_only boolean DEFAULT true NOT NULL,
    kept_days integer,
    set_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ranking_retention_is_only_check CHECK (is_only),
    CONSTRAINT ranking_retention_kept_days_check CHECK ((kept_days > 0))
);

COMMENT ON TABLE jikan.ranking_retention IS 'How long the history of the rankings is kept: one row, which the owner alone writes.';

COMMENT ON COLUMN jikan.ranking_retention.is_only IS 'Always true: there is one row.';

COMMENT ON COLUMN jikan.ranking_retention.kept_days IS 'Months that ended before so many days are dropped; null keeps all.';

COMMENT ON COLUMN jikan.ranking_retention.set_at IS 'When it was set.';

CREATE VIEW jikan.schedule_entry AS
 SELECT COALESCE(NULLIF(substr(r.filter, (length('schedule:'::text) + 1)), ''::text), 'all'::text) AS list,
    r."position",
    r.mal_id,
    m.title,
    m.title_english,
    m.title_japanese,
    m.type,
    m.status,
    m.ongoing AS airing,
    m.episodes,
    m.started_at AS aired_from,
    ((m.raw -> 'broadcast'::text) ->> 'day'::text) AS broadcast_day,
    ((m.raw -> 'broadcast'::text) ->> 'time'::text) AS broadcast_time,
    ((m.raw -> 'broadcast'::text) ->> 'timezone'::text) AS broadcast_timezone,
    NULLIF(c.score, (0)::numeric) AS score,
    c.scored_by,
    c.rank,
    c.popularity,
    c.members,
    c.favorites,
    m.url,
    m.image_url,
    m.vanished_at
   FROM ((jikan.ranking r
     LEFT JOIN jikan.media m USING (kind, mal_id))
     LEFT JOIN jikan.media_counters c USING (kind, mal_id))
  WHERE ((r.kind = 'anime'::text) AND (r.subtype = 'all'::text) AND ((r.filter = 'schedule'::text) OR starts_with(r.filter, 'schedule:'::text)));

COMMENT ON VIEW jikan.schedule_entry IS 'The schedule of anime on air as last published, with titles and today''s counters.';

COMMENT ON COLUMN jikan.schedule_entry.list IS 'all, a weekday, other or unknown.';

COMMENT ON COLUMN jikan.schedule_entry."position" IS 'Ordinal in the list, from 1, repeats not counted.';

COMMENT ON COLUMN jikan.schedule_entry.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.schedule_entry.title IS 'Main title, usually romanized.';

COMMENT ON COLUMN jikan.schedule_entry.title_english IS 'English title, if there is one.';

COMMENT ON COLUMN jikan.schedule_entry.title_japanese IS 'Japanese title, if there is one.';

COMMENT ON COLUMN jikan.schedule_entry.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';

COMMENT ON COLUMN jikan.schedule_entry.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';

COMMENT ON COLUMN jikan.schedule_entry.airing IS 'Being aired or published now.';

COMMENT ON COLUMN jikan.schedule_entry.episodes IS 'Episodes of an anime; null if unknown, and for manga.';

COMMENT ON COLUMN jikan.schedule_entry.aired_from IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';

COMMENT ON COLUMN jikan.schedule_entry.broadcast_day IS 'Day of the broadcast, e.g. Mondays; null if unknown.';

COMMENT ON COLUMN jikan.schedule_entry.broadcast_time IS 'Time of the broadcast in broadcast_timezone, e.g. 18:00; null if unknown.';

COMMENT ON COLUMN jikan.schedule_entry.broadcast_timezone IS 'Time zone of the broadcast, e.g. Asia/Tokyo; null if unknown.';

COMMENT ON COLUMN jikan.schedule_entry.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.schedule_entry.scored_by IS 'People who gave a score.';

COMMENT ON COLUMN jikan.schedule_entry.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';

COMMENT ON COLUMN jikan.schedule_entry.popularity IS 'Rank by members.';

COMMENT ON COLUMN jikan.schedule_entry.members IS 'People who have it on their list.';

COMMENT ON COLUMN jikan.schedule_entry.favorites IS 'People who have it among their favorites.';

COMMENT ON COLUMN jikan.schedule_entry.url IS 'Page at MyAnimeList.';

COMMENT ON COLUMN jikan.schedule_entry.image_url IS 'Poster, JPEG.';

COMMENT ON COLUMN jikan.schedule_entry.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

CREATE VIEW jikan.season_entry AS
 SELECT substr(r.filter, (length('season:'::text) + 1)) AS list,
    r."position",
    r.mal_id,
    m.title,
    m.title_english,
    m.title_japanese,
    m.type,
    m.status,
    m.ongoing AS airing,
    m.episodes,
    m.started_at AS aired_from,
    m.season,
    m.year,
    NULLIF(c.score, (0)::numeric) AS score,
    c.scored_by,
    c.rank,
    c.popularity,
    c.members,
    c.favorites,
    m.url,
    m.image_url,
    m.vanished_at
   FROM ((jikan.ranking r
     LEFT JOIN jikan.media m USING (kind, mal_id))
     LEFT JOIN jikan.media_counters c USING (kind, mal_id))
  WHERE ((r.kind = 'anime'::text) AND (r.subtype = 'all'::text) AND starts_with(r.filter, 'season:'::text));

COMMENT ON VIEW jikan.season_entry IS 'The lists of seasons as last published, with titles and today''s counters.';

COMMENT ON COLUMN jikan.season_entry.list IS 'now, upcoming, or a season such as 2024-spring.';

COMMENT ON COLUMN jikan.season_entry."position" IS 'Ordinal in the list, from 1, repeats not counted.';

COMMENT ON COLUMN jikan.season_entry.mal_id IS 'MyAnimeList''s id within the kind.';

COMMENT ON COLUMN jikan.season_entry.title IS 'Main title, usually romanized.';

COMMENT ON COLUMN jikan.season_entry.title_english IS 'English title, if there is one.';

COMMENT ON COLUMN jikan.season_entry.title_japanese IS 'Japanese title, if there is one.';

COMMENT ON COLUMN jikan.season_entry.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';

COMMENT ON COLUMN jikan.season_entry.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';

COMMENT ON COLUMN jikan.season_entry.airing IS 'Being aired or published now.';

COMMENT ON COLUMN jikan.season_entry.episodes IS 'Episodes of an anime; null if unknown, and for manga.';

COMMENT ON COLUMN jikan.season_entry.aired_from IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';

COMMENT ON COLUMN jikan.season_entry.season IS 'The season in which the anime itself began: winter, spring, summer or fall.';

COMMENT ON COLUMN jikan.season_entry.year IS 'Year of that season.';

COMMENT ON COLUMN jikan.season_entry.score IS 'Mean score 1–10; null while undetermined.';

COMMENT ON COLUMN jikan.season_entry.scored_by IS 'People who gave a score.';

COMMENT ON COLUMN jikan.season_entry.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';

COMMENT ON COLUMN jikan.season_entry.popularity IS 'Rank by members.';

COMMENT ON COLUMN jikan.season_entry.members IS 'People who have it on their list.';

COMMENT ON COLUMN jikan.season_entry.favorites IS 'People who have it among their favorites.';

COMMENT ON COLUMN jikan.season_entry.url IS 'Page at MyAnimeList.';

COMMENT ON COLUMN jikan.season_entry.image_url IS 'Poster, JPEG.';

COMMENT ON COLUMN jikan.season_entry.vanished_at IS 'When it was found to be gone upstream; null while it is there.';

CREATE TABLE pokeapi.ability (
    id bigint NOT NULL,
    name text,
    generation_id bigint,
    generation text,
    is_main_series boolean
);

COMMENT ON TABLE pokeapi.ability IS 'Abilities.';

COMMENT ON COLUMN pokeapi.ability.id IS 'Id of the ability.';

COMMENT ON COLUMN pokeapi.ability.name IS 'E.g. static.';

COMMENT ON COLUMN pokeapi.ability.generation_id IS 'Generation in which it came, from 1.';

COMMENT ON COLUMN pokeapi.ability.generation IS 'Its name in links, e.g. generation-i.';

COMMENT ON COLUMN pokeapi.ability.is_main_series IS 'Whether it is of the main series of games.';

CREATE TABLE pokeapi.effect (
    endpoint text NOT NULL,
    id bigint NOT NULL,
    language text NOT NULL,
    language_id bigint,
    short_effect text,
    effect text
);

COMMENT ON TABLE pokeapi.effect IS 'What moves, abilities and items do, in the languages that the upstream has.';

COMMENT ON COLUMN pokeapi.effect.endpoint IS 'move, ability or item.';

COMMENT ON COLUMN pokeapi.effect.id IS 'Id of the document.';

COMMENT ON COLUMN pokeapi.effect.language IS 'Language, mostly en.';

COMMENT ON COLUMN pokeapi.effect.language_id IS 'Id of the language.';

COMMENT ON COLUMN pokeapi.effect.short_effect IS 'In a sentence. $effect_chance stands for the column of that name.';

COMMENT ON COLUMN pokeapi.effect.effect IS 'At length, with line breaks.';

CREATE TABLE pokeapi.encounter (
    pokemon_id bigint NOT NULL,
    location_area_id bigint NOT NULL,
    version_id bigint NOT NULL,
    ordinal integer NOT NULL,
    location_area text,
    version text,
    method_id bigint,
    method text,
    min_level integer,
    max_level integer,
    chance integer,
    max_chance integer,
    conditions text[] NOT NULL,
    is_alpha boolean,
    always_shiny boolean,
    never_shiny boolean,
    min_perfect_ivs integer
);

COMMENT ON TABLE pokeapi.encounter IS 'Where and how Pokémon are met.';

COMMENT ON COLUMN pokeapi.encounter.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.encounter.location_area_id IS 'Id of the area.';

COMMENT ON COLUMN pokeapi.encounter.version_id IS 'Id of the game.';

COMMENT ON COLUMN pokeapi.encounter.ordinal IS 'Counts the ways in that area and game from 1.';

COMMENT ON COLUMN pokeapi.encounter.location_area IS 'Name of the area in links.';

COMMENT ON COLUMN pokeapi.encounter.version IS 'Name of the game.';

COMMENT ON COLUMN pokeapi.encounter.method_id IS 'Id of the way, e.g. walk, surf, old-rod.';

COMMENT ON COLUMN pokeapi.encounter.method IS 'Name of the way, e.g. walk, surf, old-rod in links and addresses.';

COMMENT ON COLUMN pokeapi.encounter.min_level IS 'Lowest level.';

COMMENT ON COLUMN pokeapi.encounter.max_level IS 'Highest level.';

COMMENT ON COLUMN pokeapi.encounter.chance IS 'Chance in percent.';

COMMENT ON COLUMN pokeapi.encounter.max_chance IS 'Chance of all ways in that area and game together, in percent.';

COMMENT ON COLUMN pokeapi.encounter.conditions IS 'What must hold, e.g. time-night; empty if nothing.';

COMMENT ON COLUMN pokeapi.encounter.is_alpha IS 'Whether it is an alpha Pokémon; null if it does not say.';

COMMENT ON COLUMN pokeapi.encounter.always_shiny IS 'Whether it is always shiny; null if it does not say.';

COMMENT ON COLUMN pokeapi.encounter.never_shiny IS 'Whether it is never shiny; null if it does not say.';

COMMENT ON COLUMN pokeapi.encounter.min_perfect_ivs IS 'How many perfect individual values it has at least.';

CREATE TABLE pokeapi.evolution (
    chain_id bigint NOT NULL,
    species_id bigint NOT NULL,
    ordinal integer NOT NULL,
    species text,
    from_species_id bigint,
    from_species text,
    is_baby boolean,
    sentence text NOT NULL,
    is_default boolean,
    version_group_id bigint,
    version_group text,
    trigger_id bigint,
    trigger text,
    item_id bigint,
    item text,
    held_item_id bigint,
    held_item text,
    known_move_id bigint,
    known_move text,
    known_move_type_id bigint,
    known_move_type text,
    used_move_id bigint,
    used_move text,
    location_id bigint,
    location text,
    region_id bigint,
    region text,
    party_species_id bigint,
    party_species text,
    party_type_id bigint,
    party_type text,
    trade_species_id bigint,
    trade_species text,
    base_form_id bigint,
    base_form text,
    evolved_form_id bigint,
    evolved_form text,
    gender integer,
    min_level integer,
    min_happiness integer,
    min_affection integer,
    min_beauty integer,
    min_damage_taken integer,
    min_move_count integer,
    min_steps integer,
    relative_physical_stats integer,
    time_of_day text,
    near_special_rock boolean,
    needs_multiplayer boolean,
    needs_overworld_rain boolean,
    turn_upside_down boolean
);

COMMENT ON TABLE pokeapi.evolution IS 'How species evolve: a row for each way from one to the next. Conditions of a row hold together; null where there is none.';

COMMENT ON COLUMN pokeapi.evolution.chain_id IS 'Id of the family.';

COMMENT ON COLUMN pokeapi.evolution.species_id IS 'Number of the species that comes of it.';

COMMENT ON COLUMN pokeapi.evolution.ordinal IS 'Counts the ways to that species from 1, in the order of version_group_id.';

COMMENT ON COLUMN pokeapi.evolution.species IS 'Name of the species that comes of it.';

COMMENT ON COLUMN pokeapi.evolution.from_species_id IS 'Id of the species that evolves.';

COMMENT ON COLUMN pokeapi.evolution.from_species IS 'Name of the species that evolves in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.is_baby IS 'Whether the species that comes of it is a baby Pokémon.';

COMMENT ON COLUMN pokeapi.evolution.sentence IS 'Trigger and conditions in English, e.g. level up with high friendship (160), during the day.';

COMMENT ON COLUMN pokeapi.evolution.is_default IS 'Whether the upstream holds it for the usual way; more than one may be.';

COMMENT ON COLUMN pokeapi.evolution.version_group_id IS 'Id of the games that brought this way.';

COMMENT ON COLUMN pokeapi.evolution.version_group IS 'Name of the games that brought this way in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.trigger_id IS 'Id of the trigger, e.g. level-up, trade, use-item.';

COMMENT ON COLUMN pokeapi.evolution.trigger IS 'Name of the trigger, e.g. level-up, trade, use-item in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.item_id IS 'Id of the item that is used.';

COMMENT ON COLUMN pokeapi.evolution.item IS 'Name of the item that is used in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.held_item_id IS 'Id of the item that it must hold.';

COMMENT ON COLUMN pokeapi.evolution.held_item IS 'Name of the item that it must hold in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.known_move_id IS 'Id of a move that it must know.';

COMMENT ON COLUMN pokeapi.evolution.known_move IS 'Name of a move that it must know in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.known_move_type_id IS 'Id of a type of which it must know a move.';

COMMENT ON COLUMN pokeapi.evolution.known_move_type IS 'Name of a type of which it must know a move in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.used_move_id IS 'Id of a move that it must have used.';

COMMENT ON COLUMN pokeapi.evolution.used_move IS 'Name of a move that it must have used in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.location_id IS 'Id of the place where it must be.';

COMMENT ON COLUMN pokeapi.evolution.location IS 'Name of the place where it must be in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.region_id IS 'Id of the region where it must be.';

COMMENT ON COLUMN pokeapi.evolution.region IS 'Name of the region where it must be in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.party_species_id IS 'Id of a species that must be in the party.';

COMMENT ON COLUMN pokeapi.evolution.party_species IS 'Name of a species that must be in the party in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.party_type_id IS 'Id of a type that another Pokémon in the party must have.';

COMMENT ON COLUMN pokeapi.evolution.party_type IS 'Name of a type that another Pokémon in the party must have in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.trade_species_id IS 'Id of the species that it must be traded for.';

COMMENT ON COLUMN pokeapi.evolution.trade_species IS 'Name of the species that it must be traded for in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.base_form_id IS 'Id of the form of the species that evolves, as a Pokémon.';

COMMENT ON COLUMN pokeapi.evolution.base_form IS 'Name of the form of the species that evolves, as a Pokémon in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.evolved_form_id IS 'Id of the form of the species that comes of it, as a Pokémon.';

COMMENT ON COLUMN pokeapi.evolution.evolved_form IS 'Name of the form of the species that comes of it, as a Pokémon in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution.gender IS '1 if it must be female, 2 if male.';

COMMENT ON COLUMN pokeapi.evolution.min_level IS 'Level that it must have reached.';

COMMENT ON COLUMN pokeapi.evolution.min_happiness IS 'Friendship that it must have reached.';

COMMENT ON COLUMN pokeapi.evolution.min_affection IS 'Affection that it must have reached.';

COMMENT ON COLUMN pokeapi.evolution.min_beauty IS 'Beauty that it must have reached.';

COMMENT ON COLUMN pokeapi.evolution.min_damage_taken IS 'Damage that it must have taken.';

COMMENT ON COLUMN pokeapi.evolution.min_move_count IS 'How often it must have used the move.';

COMMENT ON COLUMN pokeapi.evolution.min_steps IS 'Steps that it must have been led.';

COMMENT ON COLUMN pokeapi.evolution.relative_physical_stats IS '1 if its attack must be higher than its defense, -1 if lower, 0 if equal.';

COMMENT ON COLUMN pokeapi.evolution.time_of_day IS 'day, night, dusk, full-moon.';

COMMENT ON COLUMN pokeapi.evolution.near_special_rock IS 'Whether it must be near a special rock.';

COMMENT ON COLUMN pokeapi.evolution.needs_multiplayer IS 'Whether it takes several players.';

COMMENT ON COLUMN pokeapi.evolution.needs_overworld_rain IS 'Whether it must rain outside of battle.';

COMMENT ON COLUMN pokeapi.evolution.turn_upside_down IS 'Whether the console must be held upside down.';

CREATE TABLE pokeapi.evolution_chain (
    id bigint NOT NULL,
    species_id bigint,
    species text,
    baby_trigger_item_id bigint,
    baby_trigger_item text
);

COMMENT ON TABLE pokeapi.evolution_chain IS 'Families: the species that each begins with.';

COMMENT ON COLUMN pokeapi.evolution_chain.id IS 'Id of the family.';

COMMENT ON COLUMN pokeapi.evolution_chain.species_id IS 'Id of the first species.';

COMMENT ON COLUMN pokeapi.evolution_chain.species IS 'Name of the first species in links and addresses.';

COMMENT ON COLUMN pokeapi.evolution_chain.baby_trigger_item_id IS 'Id of the item that a parent must hold for the baby to be bred.';

COMMENT ON COLUMN pokeapi.evolution_chain.baby_trigger_item IS 'Name of the item that a parent must hold for the baby to be bred in links and addresses.';

CREATE TABLE pokeapi.item (
    id bigint NOT NULL,
    name text,
    category_id bigint,
    category text,
    fling_power integer,
    fling_effect_id bigint,
    fling_effect text,
    baby_trigger_for_id bigint,
    sprite_url text
);

COMMENT ON TABLE pokeapi.item IS 'Items.';

COMMENT ON COLUMN pokeapi.item.id IS 'Id of the item.';

COMMENT ON COLUMN pokeapi.item.name IS 'E.g. poke-ball; not unique.';

COMMENT ON COLUMN pokeapi.item.category_id IS 'Id of the category.';

COMMENT ON COLUMN pokeapi.item.category IS 'Name of the category in links and addresses.';

COMMENT ON COLUMN pokeapi.item.fling_power IS 'Power when it is flung.';

COMMENT ON COLUMN pokeapi.item.fling_effect_id IS 'Id of the effect of flinging it.';

COMMENT ON COLUMN pokeapi.item.fling_effect IS 'Name of the effect of flinging it in links and addresses.';

COMMENT ON COLUMN pokeapi.item.baby_trigger_for_id IS 'Family whose baby is bred when a parent holds it.';

COMMENT ON COLUMN pokeapi.item.sprite_url IS 'Small picture.';

CREATE TABLE pokeapi.item_price (
    item_id bigint NOT NULL,
    version_group_id bigint NOT NULL,
    currency_id bigint NOT NULL,
    version_group text,
    currency text,
    purchase_price integer,
    sell_price integer
);

COMMENT ON TABLE pokeapi.item_price IS 'Prices of items per game and currency.';

COMMENT ON COLUMN pokeapi.item_price.item_id IS 'Id of the item.';

COMMENT ON COLUMN pokeapi.item_price.version_group_id IS 'Id of the games.';

COMMENT ON COLUMN pokeapi.item_price.currency_id IS 'Id of the currency.';

COMMENT ON COLUMN pokeapi.item_price.version_group IS 'Name of the games.';

COMMENT ON COLUMN pokeapi.item_price.currency IS 'Name of the currency.';

COMMENT ON COLUMN pokeapi.item_price.purchase_price IS 'For which it is bought; null if it is not on sale.';

COMMENT ON COLUMN pokeapi.item_price.sell_price IS 'For which it is sold; null if it cannot be.';

CREATE TABLE pokeapi.language (
    id bigint NOT NULL,
    name text,
    iso639 text,
    iso3166 text,
    official boolean
);

COMMENT ON TABLE pokeapi.language IS 'Languages of the texts.';

COMMENT ON COLUMN pokeapi.language.id IS 'Id of the language.';

COMMENT ON COLUMN pokeapi.language.name IS 'As the other tables write it, e.g. zh-hant.';

COMMENT ON COLUMN pokeapi.language.iso639 IS 'Two letters of the language, e.g. zh.';

COMMENT ON COLUMN pokeapi.language.iso3166 IS 'Two letters of a country, e.g. tw.';

COMMENT ON COLUMN pokeapi.language.official IS 'Whether games are published in it.';

CREATE TABLE pokeapi.move (
    id bigint NOT NULL,
    name text,
    generation_id bigint,
    generation text,
    type_id bigint,
    type text,
    damage_class_id bigint,
    damage_class text,
    power integer,
    accuracy integer,
    pp integer,
    priority integer,
    effect_chance integer,
    target_id bigint,
    target text,
    category_id bigint,
    category text,
    ailment_id bigint,
    ailment text,
    ailment_chance integer,
    flinch_chance integer,
    stat_chance integer,
    crit_rate integer,
    drain integer,
    healing integer,
    min_hits integer,
    max_hits integer,
    min_turns integer,
    max_turns integer
);

COMMENT ON TABLE pokeapi.move IS 'Moves.';

COMMENT ON COLUMN pokeapi.move.id IS 'Id of the move.';

COMMENT ON COLUMN pokeapi.move.name IS 'E.g. thunder-shock.';

COMMENT ON COLUMN pokeapi.move.generation_id IS 'Generation in which it came, from 1.';

COMMENT ON COLUMN pokeapi.move.generation IS 'Its name in links, e.g. generation-i.';

COMMENT ON COLUMN pokeapi.move.type_id IS 'Id of the type.';

COMMENT ON COLUMN pokeapi.move.type IS 'Name of the type in links and addresses.';

COMMENT ON COLUMN pokeapi.move.damage_class_id IS 'Id of the class: physical, special or status.';

COMMENT ON COLUMN pokeapi.move.damage_class IS 'Name of the class: physical, special or status in links and addresses.';

COMMENT ON COLUMN pokeapi.move.power IS 'Power; null without one.';

COMMENT ON COLUMN pokeapi.move.accuracy IS 'Chance to hit in percent; null if it cannot miss.';

COMMENT ON COLUMN pokeapi.move.pp IS 'How often it can be used.';

COMMENT ON COLUMN pokeapi.move.priority IS 'Moves of higher priority go first.';

COMMENT ON COLUMN pokeapi.move.effect_chance IS 'Chance of the effect in percent.';

COMMENT ON COLUMN pokeapi.move.target_id IS 'Id of the targets that it can be aimed at.';

COMMENT ON COLUMN pokeapi.move.target IS 'Name of the targets that it can be aimed at in links and addresses.';

COMMENT ON COLUMN pokeapi.move.category_id IS 'Id of the category of the effect.';

COMMENT ON COLUMN pokeapi.move.category IS 'Name of the category of the effect in links and addresses.';

COMMENT ON COLUMN pokeapi.move.ailment_id IS 'Id of the ailment.';

COMMENT ON COLUMN pokeapi.move.ailment IS 'Name of the ailment in links and addresses.';

COMMENT ON COLUMN pokeapi.move.ailment_chance IS 'Chance of the ailment in percent.';

COMMENT ON COLUMN pokeapi.move.flinch_chance IS 'Chance that the target flinches, in percent.';

COMMENT ON COLUMN pokeapi.move.stat_chance IS 'Chance that stats change, in percent.';

COMMENT ON COLUMN pokeapi.move.crit_rate IS 'Bonus for critical hits.';

COMMENT ON COLUMN pokeapi.move.drain IS 'Part of the damage that is healed, in percent; negative for recoil.';

COMMENT ON COLUMN pokeapi.move.healing IS 'Part of the full HP that is healed, in percent.';

COMMENT ON COLUMN pokeapi.move.min_hits IS 'Fewest hits; null for one.';

COMMENT ON COLUMN pokeapi.move.max_hits IS 'Most hits; null for one.';

COMMENT ON COLUMN pokeapi.move.min_turns IS 'Fewest turns that the effect lasts.';

COMMENT ON COLUMN pokeapi.move.max_turns IS 'Most turns that the effect lasts.';

CREATE TABLE pokeapi.move_past_value (
    move_id bigint NOT NULL,
    version_group_id bigint NOT NULL,
    version_group text,
    type_id bigint,
    type text,
    power integer,
    accuracy integer,
    pp integer,
    effect_chance integer
);

COMMENT ON TABLE pokeapi.move_past_value IS 'Values that moves had in earlier games; null where they are as in the next later games.';

COMMENT ON COLUMN pokeapi.move_past_value.move_id IS 'Id of the move.';

COMMENT ON COLUMN pokeapi.move_past_value.version_group_id IS 'Id of the games that changed the values: they held before.';

COMMENT ON COLUMN pokeapi.move_past_value.version_group IS 'Name of these games.';

COMMENT ON COLUMN pokeapi.move_past_value.type_id IS 'Id of the type.';

COMMENT ON COLUMN pokeapi.move_past_value.type IS 'Name of the type in links and addresses.';

COMMENT ON COLUMN pokeapi.move_past_value.power IS 'Power.';

COMMENT ON COLUMN pokeapi.move_past_value.accuracy IS 'Chance to hit in percent.';

COMMENT ON COLUMN pokeapi.move_past_value.pp IS 'How often it could be used.';

COMMENT ON COLUMN pokeapi.move_past_value.effect_chance IS 'Chance of the effect in percent.';

CREATE TABLE pokeapi.move_stat_change (
    move_id bigint NOT NULL,
    stat_id bigint NOT NULL,
    stat text,
    change integer
);

COMMENT ON TABLE pokeapi.move_stat_change IS 'Stats that moves change.';

COMMENT ON COLUMN pokeapi.move_stat_change.move_id IS 'Id of the move.';

COMMENT ON COLUMN pokeapi.move_stat_change.stat_id IS 'Id of the stat.';

COMMENT ON COLUMN pokeapi.move_stat_change.stat IS 'Name of the stat.';

COMMENT ON COLUMN pokeapi.move_stat_change.change IS 'By how many stages.';

CREATE TABLE pokeapi.name (
    endpoint text NOT NULL,
    id bigint NOT NULL,
    language text NOT NULL,
    language_id bigint,
    name text NOT NULL
);

COMMENT ON TABLE pokeapi.name IS 'Names in the languages of the games, of every document that has names.';

COMMENT ON COLUMN pokeapi.name.endpoint IS 'Endpoint of the document; of a Pokémon pokemon-species, of one of its forms pokemon-form.';

COMMENT ON COLUMN pokeapi.name.id IS 'Id of the document.';

COMMENT ON COLUMN pokeapi.name.language IS 'Language as the upstream writes it, e.g. en, ja, ja-hrkt, zh-hant.';

COMMENT ON COLUMN pokeapi.name.language_id IS 'Id of the language.';

COMMENT ON COLUMN pokeapi.name.name IS 'Name in that language.';

CREATE TABLE pokeapi.nature (
    id bigint NOT NULL,
    name text,
    increased_stat_id bigint,
    increased_stat text,
    decreased_stat_id bigint,
    decreased_stat text,
    likes_flavor_id bigint,
    likes_flavor text,
    hates_flavor_id bigint,
    hates_flavor text
);

COMMENT ON TABLE pokeapi.nature IS 'Natures.';

COMMENT ON COLUMN pokeapi.nature.id IS 'Id of the nature.';

COMMENT ON COLUMN pokeapi.nature.name IS 'E.g. bold.';

COMMENT ON COLUMN pokeapi.nature.increased_stat_id IS 'Id of the stat that grows faster.';

COMMENT ON COLUMN pokeapi.nature.increased_stat IS 'Name of the stat that grows faster in links and addresses.';

COMMENT ON COLUMN pokeapi.nature.decreased_stat_id IS 'Id of the stat that grows slower.';

COMMENT ON COLUMN pokeapi.nature.decreased_stat IS 'Name of the stat that grows slower in links and addresses.';

COMMENT ON COLUMN pokeapi.nature.likes_flavor_id IS 'Id of the flavor that it likes.';

COMMENT ON COLUMN pokeapi.nature.likes_flavor IS 'Name of the flavor that it likes in links and addresses.';

COMMENT ON COLUMN pokeapi.nature.hates_flavor_id IS 'Id of the flavor that it hates.';

COMMENT ON COLUMN pokeapi.nature.hates_flavor IS 'Name of the flavor that it hates in links and addresses.';

CREATE TABLE pokeapi.pokemon (
    id bigint NOT NULL,
    name text,
    species_id bigint,
    species text,
    is_default boolean,
    height integer,
    weight integer,
    base_experience integer,
    "order" integer,
    total integer,
    sprite_url text,
    sprite_female_url text,
    artwork_url text,
    artwork_female_url text,
    cry_url text
);

COMMENT ON TABLE pokeapi.pokemon IS 'Pokémon and their forms of other stats, types or abilities: what a battle knows. Species are in pokeapi.species.';

COMMENT ON COLUMN pokeapi.pokemon.id IS '1 to 1025 are the National Pokédex; forms begin at 10001.';

COMMENT ON COLUMN pokeapi.pokemon.name IS 'Name in links, e.g. pikachu or meowth-alola.';

COMMENT ON COLUMN pokeapi.pokemon.species_id IS 'Id of the species.';

COMMENT ON COLUMN pokeapi.pokemon.species IS 'Name of the species in links and addresses.';

COMMENT ON COLUMN pokeapi.pokemon.is_default IS 'Whether it is the form by which the species is shown.';

COMMENT ON COLUMN pokeapi.pokemon.height IS 'In decimetres.';

COMMENT ON COLUMN pokeapi.pokemon.weight IS 'In hectograms.';

COMMENT ON COLUMN pokeapi.pokemon.base_experience IS 'Experience for defeating it; null if unknown.';

COMMENT ON COLUMN pokeapi.pokemon."order" IS 'Order in which families stand together; -1 if there is none.';

COMMENT ON COLUMN pokeapi.pokemon.total IS 'Sum of the six base stats.';

COMMENT ON COLUMN pokeapi.pokemon.sprite_url IS 'Small picture.';

COMMENT ON COLUMN pokeapi.pokemon.sprite_female_url IS 'Small picture of a female; null if she looks the same.';

COMMENT ON COLUMN pokeapi.pokemon.artwork_url IS 'Large picture.';

COMMENT ON COLUMN pokeapi.pokemon.artwork_female_url IS 'Large picture of a female, of another series than artwork_url; null if she looks the same.';

COMMENT ON COLUMN pokeapi.pokemon.cry_url IS 'Its cry, as sound.';

CREATE TABLE pokeapi.pokemon_stat (
    pokemon_id bigint NOT NULL,
    stat_id bigint NOT NULL,
    stat text,
    base_stat integer,
    effort integer
);

COMMENT ON TABLE pokeapi.pokemon_stat IS 'Base stats of Pokémon today.';

COMMENT ON COLUMN pokeapi.pokemon_stat.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_stat.stat_id IS 'Id of the stat: 1 to 6 in the usual order.';

COMMENT ON COLUMN pokeapi.pokemon_stat.stat IS 'hp, attack, defense, special-attack, special-defense or speed.';

COMMENT ON COLUMN pokeapi.pokemon_stat.base_stat IS 'The base stat.';

COMMENT ON COLUMN pokeapi.pokemon_stat.effort IS 'Effort points for defeating it.';

CREATE TABLE pokeapi.pokemon_type (
    pokemon_id bigint NOT NULL,
    slot integer NOT NULL,
    type_id bigint,
    type text
);

COMMENT ON TABLE pokeapi.pokemon_type IS 'Types of Pokémon today.';

COMMENT ON COLUMN pokeapi.pokemon_type.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_type.slot IS '1 or 2.';

COMMENT ON COLUMN pokeapi.pokemon_type.type_id IS 'Id of the type.';

COMMENT ON COLUMN pokeapi.pokemon_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.resource (
    endpoint text NOT NULL,
    id bigint NOT NULL,
    name text,
    raw jsonb NOT NULL,
    content_hash bytea NOT NULL,
    first_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    vanished_at timestamp with time zone
);
ALTER TABLE ONLY pokeapi.resource ALTER COLUMN raw SET COMPRESSION lz4;

COMMENT ON TABLE pokeapi.resource IS 'Every document of every endpoint as it came. The other tables of the schema are derived from it.';

COMMENT ON COLUMN pokeapi.resource.endpoint IS 'Endpoint of the upstream, e.g. pokemon; pokemon-encounters for the lists of where a Pokémon is met.';

COMMENT ON COLUMN pokeapi.resource.id IS 'The upstream''s id within the endpoint, which may be 0 or -1; of a list of encounters that of the Pokémon.';

COMMENT ON COLUMN pokeapi.resource.name IS 'Name in links and addresses; not unique (two items are called roseli-berry), and null in endpoints without names.';

COMMENT ON COLUMN pokeapi.resource.raw IS 'The whole document as it came; its links may be absolute or relative.';

COMMENT ON COLUMN pokeapi.resource.content_hash IS 'SHA-256 of the document''s canonical form, in which the order of arrays does not count, and of the version of the mapping (last byte).';

COMMENT ON COLUMN pokeapi.resource.first_seen_at IS 'When the mirror first stored it.';

COMMENT ON COLUMN pokeapi.resource.changed_at IS 'When it last changed, vanished or came back.';

COMMENT ON COLUMN pokeapi.resource.vanished_at IS 'When it was found to be gone upstream; null while it is there. What was derived from it stays.';

CREATE TABLE pokeapi.species (
    id bigint NOT NULL,
    name text,
    "order" integer,
    generation_id bigint,
    generation text,
    is_baby boolean,
    is_legendary boolean,
    is_mythical boolean,
    has_gender_differences boolean,
    forms_switchable boolean,
    color_id bigint,
    color text,
    shape_id bigint,
    shape text,
    habitat_id bigint,
    habitat text,
    growth_rate_id bigint,
    growth_rate text,
    capture_rate integer,
    base_happiness integer,
    gender_rate integer,
    hatch_counter integer,
    evolves_from_species_id bigint,
    evolves_from_species text,
    evolution_chain_id bigint
);

COMMENT ON TABLE pokeapi.species IS 'Species: what the Pokédex numbers.';

COMMENT ON COLUMN pokeapi.species.id IS 'Number in the National Pokédex.';

COMMENT ON COLUMN pokeapi.species.name IS 'Name in links, e.g. pikachu.';

COMMENT ON COLUMN pokeapi.species."order" IS 'Order in which families stand together.';

COMMENT ON COLUMN pokeapi.species.generation_id IS 'Generation in which it came, from 1.';

COMMENT ON COLUMN pokeapi.species.generation IS 'Its name in links, e.g. generation-i.';

COMMENT ON COLUMN pokeapi.species.is_baby IS 'Whether it is a baby Pokémon.';

COMMENT ON COLUMN pokeapi.species.is_legendary IS 'Whether it is legendary.';

COMMENT ON COLUMN pokeapi.species.is_mythical IS 'Whether it is mythical.';

COMMENT ON COLUMN pokeapi.species.has_gender_differences IS 'Whether females look different.';

COMMENT ON COLUMN pokeapi.species.forms_switchable IS 'Whether it can change its form.';

COMMENT ON COLUMN pokeapi.species.color_id IS 'Id of the color.';

COMMENT ON COLUMN pokeapi.species.color IS 'Name of the color in links and addresses.';

COMMENT ON COLUMN pokeapi.species.shape_id IS 'Id of the shape.';

COMMENT ON COLUMN pokeapi.species.shape IS 'Name of the shape in links and addresses.';

COMMENT ON COLUMN pokeapi.species.habitat_id IS 'Id of the habitat; null since the fourth generation.';

COMMENT ON COLUMN pokeapi.species.habitat IS 'Name of the habitat; null since the fourth generation in links and addresses.';

COMMENT ON COLUMN pokeapi.species.growth_rate_id IS 'Id of the growth rate.';

COMMENT ON COLUMN pokeapi.species.growth_rate IS 'Name of the growth rate in links and addresses.';

COMMENT ON COLUMN pokeapi.species.capture_rate IS 'How easily it is caught, to 255.';

COMMENT ON COLUMN pokeapi.species.base_happiness IS 'Friendship when it is caught, to 255.';

COMMENT ON COLUMN pokeapi.species.gender_rate IS 'Chance of a female in eighths; -1 without gender.';

COMMENT ON COLUMN pokeapi.species.hatch_counter IS 'Cycles until its egg hatches.';

COMMENT ON COLUMN pokeapi.species.evolves_from_species_id IS 'Id of the species it evolves from; null if it is the first of its family.';

COMMENT ON COLUMN pokeapi.species.evolves_from_species IS 'Name of the species it evolves from; null if it is the first of its family in links and addresses.';

COMMENT ON COLUMN pokeapi.species.evolution_chain_id IS 'Family, as in pokeapi.evolution.';

CREATE VIEW pokeapi.pokedex AS
 SELECT p.id,
    p.species_id,
    p.name,
    p.species,
    (p.id > 10000) AS is_form,
    s.generation_id,
    COALESCE(t.types, '{}'::text[]) AS types,
    b.hp,
    b.attack,
    b.defense,
    b.special_attack,
    b.special_defense,
    b.speed,
    p.total,
    s.is_legendary,
    s.is_mythical,
    s.is_baby,
    (o.id IS NOT NULL) AS owned
   FROM ((((pokeapi.pokemon p
     LEFT JOIN pokeapi.species s ON ((s.id = p.species_id)))
     LEFT JOIN ( SELECT pokemon_type.pokemon_id,
            array_agg(pokemon_type.type ORDER BY pokemon_type.slot) AS types
           FROM pokeapi.pokemon_type
          GROUP BY pokemon_type.pokemon_id) t ON ((t.pokemon_id = p.id)))
     LEFT JOIN ( SELECT pokemon_stat.pokemon_id,
            max(pokemon_stat.base_stat) FILTER (WHERE (pokemon_stat.stat = 'hp'::text)) AS hp,
            max(pokemon_stat.base_stat) FILTER (WHERE (pokemon_stat.stat = 'attack'::text)) AS attack,
            max(pokemon_stat.base_stat) FILTER (WHERE (pokemon_stat.stat = 'defense'::text)) AS defense,
            max(pokemon_stat.base_stat) FILTER (WHERE (pokemon_stat.stat = 'special-attack'::text)) AS special_attack,
            max(pokemon_stat.base_stat) FILTER (WHERE (pokemon_stat.stat = 'special-defense'::text)) AS special_defense,
            max(pokemon_stat.base_stat) FILTER (WHERE (pokemon_stat.stat = 'speed'::text)) AS speed
           FROM pokeapi.pokemon_stat
          GROUP BY pokemon_stat.pokemon_id) b ON ((b.pokemon_id = p.id)))
     LEFT JOIN app.favorite o ON (((o.collection = 'owned'::text) AND (o.source = 'pokeapi'::text) AND (o.kind = 'pokemon'::text) AND (o.id = p.id))))
  WHERE (NOT (EXISTS ( SELECT
           FROM pokeapi.resource r
          WHERE ((r.endpoint = 'pokemon'::text) AND (r.id = p.id) AND (r.vanished_at IS NOT NULL)))));

COMMENT ON VIEW pokeapi.pokedex IS 'Pokémon for listings, forms included, without those that have vanished upstream.';

COMMENT ON COLUMN pokeapi.pokedex.id IS 'Id of the Pokémon; up to 10000 the number in the National Pokédex.';

COMMENT ON COLUMN pokeapi.pokedex.species_id IS 'Number in the National Pokédex.';

COMMENT ON COLUMN pokeapi.pokedex.name IS 'Name in links, e.g. pikachu or meowth-alola.';

COMMENT ON COLUMN pokeapi.pokedex.species IS 'Name of the species in links.';

COMMENT ON COLUMN pokeapi.pokedex.is_form IS 'Whether it is a form besides the one that stands in the National Pokédex.';

COMMENT ON COLUMN pokeapi.pokedex.generation_id IS 'Generation in which the species came, which may be before that of the form.';

COMMENT ON COLUMN pokeapi.pokedex.types IS 'Names of its types, the first one first.';

COMMENT ON COLUMN pokeapi.pokedex.hp IS 'Base HP.';

COMMENT ON COLUMN pokeapi.pokedex.attack IS 'Base attack.';

COMMENT ON COLUMN pokeapi.pokedex.defense IS 'Base defense.';

COMMENT ON COLUMN pokeapi.pokedex.special_attack IS 'Base special attack.';

COMMENT ON COLUMN pokeapi.pokedex.special_defense IS 'Base special defense.';

COMMENT ON COLUMN pokeapi.pokedex.speed IS 'Base speed.';

COMMENT ON COLUMN pokeapi.pokedex.total IS 'Sum of the six base stats.';

COMMENT ON COLUMN pokeapi.pokedex.is_legendary IS 'Whether the species is legendary.';

COMMENT ON COLUMN pokeapi.pokedex.is_mythical IS 'Whether the species is mythical.';

COMMENT ON COLUMN pokeapi.pokedex.is_baby IS 'Whether the species is a baby Pokémon.';

COMMENT ON COLUMN pokeapi.pokedex.owned IS 'Whether it is in the collection owned: syncctl favorites add --collection owned.';

CREATE TABLE pokeapi.pokedex_number (
    species_id bigint NOT NULL,
    pokedex_id bigint NOT NULL,
    pokedex text,
    entry_number integer
);

COMMENT ON TABLE pokeapi.pokedex_number IS 'Numbers of species in the Pokédexes.';

COMMENT ON COLUMN pokeapi.pokedex_number.species_id IS 'Number of the species in the National Pokédex.';

COMMENT ON COLUMN pokeapi.pokedex_number.pokedex_id IS 'Id of the Pokédex; 1 is the national one.';

COMMENT ON COLUMN pokeapi.pokedex_number.pokedex IS 'Name of the Pokédex in links.';

COMMENT ON COLUMN pokeapi.pokedex_number.entry_number IS 'Number in that Pokédex.';

CREATE TABLE pokeapi.pokemon_ability (
    pokemon_id bigint NOT NULL,
    slot integer NOT NULL,
    ability_id bigint,
    ability text,
    is_hidden boolean
);

COMMENT ON TABLE pokeapi.pokemon_ability IS 'Abilities of Pokémon today.';

COMMENT ON COLUMN pokeapi.pokemon_ability.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_ability.slot IS '1, 2, or 3 for the hidden one.';

COMMENT ON COLUMN pokeapi.pokemon_ability.ability_id IS 'Id of the ability.';

COMMENT ON COLUMN pokeapi.pokemon_ability.ability IS 'Name of the ability in links and addresses.';

COMMENT ON COLUMN pokeapi.pokemon_ability.is_hidden IS 'Whether it is the hidden ability.';

CREATE TABLE pokeapi.pokemon_form (
    id bigint NOT NULL,
    name text,
    form_name text,
    pokemon_id bigint,
    pokemon text,
    version_group_id bigint,
    version_group text,
    "order" integer,
    form_order integer,
    is_default boolean,
    is_battle_only boolean,
    is_mega boolean,
    sprite_url text
);

COMMENT ON TABLE pokeapi.pokemon_form IS 'Every form of every Pokémon, those that differ in looks alone included.';

COMMENT ON COLUMN pokeapi.pokemon_form.id IS 'Id of the form.';

COMMENT ON COLUMN pokeapi.pokemon_form.name IS 'Name in links, e.g. unown-b.';

COMMENT ON COLUMN pokeapi.pokemon_form.form_name IS 'What tells it apart within the Pokémon, e.g. b; empty for the usual form.';

COMMENT ON COLUMN pokeapi.pokemon_form.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_form.pokemon IS 'Name of the Pokémon in links and addresses.';

COMMENT ON COLUMN pokeapi.pokemon_form.version_group_id IS 'Id of the games in which it came.';

COMMENT ON COLUMN pokeapi.pokemon_form.version_group IS 'Name of the games in which it came in links and addresses.';

COMMENT ON COLUMN pokeapi.pokemon_form."order" IS 'Order among all forms.';

COMMENT ON COLUMN pokeapi.pokemon_form.form_order IS 'Order among the forms of the species.';

COMMENT ON COLUMN pokeapi.pokemon_form.is_default IS 'Whether it is the usual form of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_form.is_battle_only IS 'Whether it lasts for a battle only.';

COMMENT ON COLUMN pokeapi.pokemon_form.is_mega IS 'Whether it is a mega evolution.';

COMMENT ON COLUMN pokeapi.pokemon_form.sprite_url IS 'Small picture.';

CREATE TABLE pokeapi.pokemon_form_type (
    form_id bigint NOT NULL,
    slot integer NOT NULL,
    type_id bigint,
    type text
);

COMMENT ON TABLE pokeapi.pokemon_form_type IS 'Types of forms.';

COMMENT ON COLUMN pokeapi.pokemon_form_type.form_id IS 'Id of the form.';

COMMENT ON COLUMN pokeapi.pokemon_form_type.slot IS '1 or 2.';

COMMENT ON COLUMN pokeapi.pokemon_form_type.type_id IS 'Id of the type.';

COMMENT ON COLUMN pokeapi.pokemon_form_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.pokemon_past_stat (
    pokemon_id bigint NOT NULL,
    generation_id bigint NOT NULL,
    stat_id bigint NOT NULL,
    stat text,
    base_stat integer,
    effort integer
);

COMMENT ON TABLE pokeapi.pokemon_past_stat IS 'Base stats that Pokémon had in earlier generations, where they were others.';

COMMENT ON COLUMN pokeapi.pokemon_past_stat.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_past_stat.generation_id IS 'Last generation in which it had it.';

COMMENT ON COLUMN pokeapi.pokemon_past_stat.stat_id IS 'Id of the stat; 9 is the special of the first generation.';

COMMENT ON COLUMN pokeapi.pokemon_past_stat.stat IS 'Name of the stat.';

COMMENT ON COLUMN pokeapi.pokemon_past_stat.base_stat IS 'The base stat.';

COMMENT ON COLUMN pokeapi.pokemon_past_stat.effort IS 'Effort points for defeating it.';

CREATE TABLE pokeapi.pokemon_past_type (
    pokemon_id bigint NOT NULL,
    generation_id bigint NOT NULL,
    slot integer NOT NULL,
    type_id bigint,
    type text
);

COMMENT ON TABLE pokeapi.pokemon_past_type IS 'Types that Pokémon had in earlier generations.';

COMMENT ON COLUMN pokeapi.pokemon_past_type.pokemon_id IS 'Id of the Pokémon.';

COMMENT ON COLUMN pokeapi.pokemon_past_type.generation_id IS 'Last generation in which it had them.';

COMMENT ON COLUMN pokeapi.pokemon_past_type.slot IS '1 or 2.';

COMMENT ON COLUMN pokeapi.pokemon_past_type.type_id IS 'Id of the type.';

COMMENT ON COLUMN pokeapi.pokemon_past_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.species_egg_group (
    species_id bigint NOT NULL,
    egg_group_id bigint NOT NULL,
    egg_group text
);

COMMENT ON TABLE pokeapi.species_egg_group IS 'Egg groups of species.';

COMMENT ON COLUMN pokeapi.species_egg_group.species_id IS 'Number of the species.';

COMMENT ON COLUMN pokeapi.species_egg_group.egg_group_id IS 'Id of the egg group.';

COMMENT ON COLUMN pokeapi.species_egg_group.egg_group IS 'Name of the egg group in links.';

CREATE TABLE pokeapi.species_genus (
    species_id bigint NOT NULL,
    language text NOT NULL,
    language_id bigint,
    genus text NOT NULL
);

COMMENT ON TABLE pokeapi.species_genus IS 'What kind of Pokémon a species is said to be, per language.';

COMMENT ON COLUMN pokeapi.species_genus.species_id IS 'Number of the species.';

COMMENT ON COLUMN pokeapi.species_genus.language IS 'Language as in pokeapi.name.';

COMMENT ON COLUMN pokeapi.species_genus.language_id IS 'Id of the language.';

COMMENT ON COLUMN pokeapi.species_genus.genus IS 'E.g. Mouse Pokémon.';

CREATE TABLE pokeapi.species_text (
    species_id bigint NOT NULL,
    language text NOT NULL,
    language_id bigint,
    version_id bigint NOT NULL,
    version text,
    text text NOT NULL
);

COMMENT ON TABLE pokeapi.species_text IS 'Texts of the Pokédex per game and language, without the line and page breaks of the games'' windows.';

COMMENT ON COLUMN pokeapi.species_text.species_id IS 'Number of the species.';

COMMENT ON COLUMN pokeapi.species_text.language IS 'Language as in pokeapi.name.';

COMMENT ON COLUMN pokeapi.species_text.language_id IS 'Id of the language.';

COMMENT ON COLUMN pokeapi.species_text.version_id IS 'Id of the game; see pokeapi.version.';

COMMENT ON COLUMN pokeapi.species_text.version IS 'Name of the game.';

COMMENT ON COLUMN pokeapi.species_text.text IS 'The text. In Chinese the lines are joined without a space, in Japanese with an ideographic one.';

CREATE TABLE pokeapi.version (
    id bigint NOT NULL,
    name text,
    version_group_id bigint,
    version_group text
);

COMMENT ON TABLE pokeapi.version IS 'Games.';

COMMENT ON COLUMN pokeapi.version.id IS 'Id of the game; not in the order of publication.';

COMMENT ON COLUMN pokeapi.version.name IS 'E.g. red.';

COMMENT ON COLUMN pokeapi.version.version_group_id IS 'Id of the games that were published together.';

COMMENT ON COLUMN pokeapi.version.version_group IS 'Name of the games that were published together in links and addresses.';

CREATE TABLE pokeapi.version_group (
    id bigint NOT NULL,
    name text,
    "order" integer,
    generation_id bigint,
    generation text
);

COMMENT ON TABLE pokeapi.version_group IS 'Games that were published together.';

COMMENT ON COLUMN pokeapi.version_group.id IS 'Id of the group; not in the order of publication.';

COMMENT ON COLUMN pokeapi.version_group.name IS 'E.g. red-blue.';

COMMENT ON COLUMN pokeapi.version_group."order" IS 'Order of publication.';

COMMENT ON COLUMN pokeapi.version_group.generation_id IS 'Generation in which it came, from 1.';

COMMENT ON COLUMN pokeapi.version_group.generation IS 'Its name in links, e.g. generation-i.';

CREATE TABLE sync.job (
    name text NOT NULL,
    source text NOT NULL,
    streams text[] NOT NULL,
    schedule text NOT NULL,
    time_zone text NOT NULL,
    scheduled_until timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    paused_at timestamp with time zone,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE sync.job IS 'Jobs of the configuration, as the worker knows them that read its configuration last.';

COMMENT ON COLUMN sync.job.name IS 'Name of the job.';

COMMENT ON COLUMN sync.job.source IS 'Source that it runs, or all.';

COMMENT ON COLUMN sync.job.streams IS 'Streams that it runs; empty for those that a run without names has.';

COMMENT ON COLUMN sync.job.schedule IS 'When it runs, as it was written. A worker that has it otherwise leaves its times to the others.';

COMMENT ON COLUMN sync.job.time_zone IS 'Time zone of the schedule, e.g. Europe/Berlin.';

COMMENT ON COLUMN sync.job.scheduled_until IS 'All times up to this one have been seen to: what was due is in sync.job_run. Set to now when the job is new, its schedule changes, or it is resumed.';

COMMENT ON COLUMN sync.job.paused_at IS 'Since when it is not run; null if it is.';

COMMENT ON COLUMN sync.job.registered_at IS 'When a worker last found it new or changed in its configuration.';

CREATE TABLE sync.job_run (
    job text NOT NULL,
    nominal_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    triggered_by text NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    deaths integer DEFAULT 0 NOT NULL,
    owner jsonb,
    generation bigint DEFAULT 0 NOT NULL,
    lease_expires_at timestamp with time zone,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    outcome text,
    exit_status integer,
    certified boolean,
    error text,
    CONSTRAINT job_run_check CHECK (((state = 'ended'::text) = ((outcome IS NOT NULL) AND (ended_at IS NOT NULL)))),
    CONSTRAINT job_run_check1 CHECK (((state <> 'running'::text) OR ((owner IS NOT NULL) AND (lease_expires_at IS NOT NULL) AND (started_at IS NOT NULL)))),
    CONSTRAINT job_run_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'failed'::text, 'timeout'::text, 'abandoned'::text, 'superseded'::text]))),
    CONSTRAINT job_run_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'ended'::text]))),
    CONSTRAINT job_run_triggered_by_check CHECK ((triggered_by = ANY (ARRAY['schedule'::text, 'person'::text])))
)
WITH (fillfactor='70');

COMMENT ON TABLE sync.job_run IS 'One row per job and nominal time: no time of a job is run twice, whoever triggers it.';

COMMENT ON COLUMN sync.job_run.job IS 'Name of the job.';

COMMENT ON COLUMN sync.job_run.nominal_at IS 'Time of the schedule that it is run for; of a run that a person has triggered, that moment.';

COMMENT ON COLUMN sync.job_run.due_at IS 'From when on it may be taken: the nominal time and the jitter, or the pause after a try that failed.';

COMMENT ON COLUMN sync.job_run.triggered_by IS 'schedule, or person (syncctl jobs trigger).';

COMMENT ON COLUMN sync.job_run.state IS 'waiting, running or ended.';

COMMENT ON COLUMN sync.job_run.skipped IS 'Earlier times that nobody was there to run and that this run stands for.';

COMMENT ON COLUMN sync.job_run.attempts IS 'How often a worker has taken it.';

COMMENT ON COLUMN sync.job_run.failures IS 'Tries that an upstream that was away or a budget that was spent has ended, and that are followed by another.';

COMMENT ON COLUMN sync.job_run.deaths IS 'Workers that died while they had it.';

COMMENT ON COLUMN sync.job_run.owner IS 'Worker that is at work on it: host, boot, pid namespace, pid, start time.';

COMMENT ON COLUMN sync.job_run.generation IS 'Fence: grows with every worker that takes it; of an older one nothing is written here.';

COMMENT ON COLUMN sync.job_run.lease_expires_at IS 'When another worker may take it over, by the clock of the database.';

COMMENT ON COLUMN sync.job_run.started_at IS 'When it was taken for the first time.';

COMMENT ON COLUMN sync.job_run.ended_at IS 'When it ended.';

COMMENT ON COLUMN sync.job_run.outcome IS 'done; failed; timeout: it was stopped at the end of its time; abandoned: its workers died too often; superseded: it had not begun when the next time came.';

COMMENT ON COLUMN sync.job_run.exit_status IS 'What syncctl run would have exited with.';

COMMENT ON COLUMN sync.job_run.certified IS 'Every stream of it was walked completely.';

COMMENT ON COLUMN sync.job_run.error IS 'Why it did not end well.';

CREATE TABLE sync.migration (
    version integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE sync.migration IS 'Steps of the schema that were applied.';

COMMENT ON COLUMN sync.migration.version IS 'Number of the step.';

COMMENT ON COLUMN sync.migration.name IS 'Name of the step.';

COMMENT ON COLUMN sync.migration.checksum IS 'SHA-256 of its text, so that an edited step is noticed.';

COMMENT ON COLUMN sync.migration.applied_at IS 'When it was applied.';

CREATE TABLE sync.publication (
    source text NOT NULL,
    list text NOT NULL,
    run_id uuid NOT NULL,
    published_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    consistent boolean NOT NULL,
    entries bigint NOT NULL
);

COMMENT ON TABLE sync.publication IS 'Which run each published list is from.';

COMMENT ON COLUMN sync.publication.source IS 'Source, e.g. jikan.';

COMMENT ON COLUMN sync.publication.list IS 'The stream whose list or catalogue it is.';

COMMENT ON COLUMN sync.publication.run_id IS 'Run that published it.';

COMMENT ON COLUMN sync.publication.published_at IS 'When.';

COMMENT ON COLUMN sync.publication.consistent IS 'False if the list moved during the walk and did not settle.';

COMMENT ON COLUMN sync.publication.entries IS 'Entries of the list or catalogue.';

CREATE TABLE sync.walk (
    id bigint NOT NULL,
    source text NOT NULL,
    stream text NOT NULL,
    provider text NOT NULL,
    origin text NOT NULL,
    page_size integer NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    mapping_version integer,
    is_full boolean DEFAULT false NOT NULL,
    parameters text DEFAULT ''::text NOT NULL,
    published_from integer,
    published_before integer
);

COMMENT ON TABLE sync.walk IS 'One pass through the pages of a list; several runs may work on it, one after the other.';

COMMENT ON COLUMN sync.walk.id IS 'Number of the walk.';

COMMENT ON COLUMN sync.walk.source IS 'Source, e.g. jikan.';

COMMENT ON COLUMN sync.walk.stream IS 'Stream within the source, e.g. top-anime.';

COMMENT ON COLUMN sync.walk.provider IS 'Service that answered, e.g. tenrai.';

COMMENT ON COLUMN sync.walk.origin IS 'Base URL of the service; pages of another origin never continue this walk.';

COMMENT ON COLUMN sync.walk.page_size IS 'Items asked for per page; pages of another size never continue this walk.';

COMMENT ON COLUMN sync.walk.started_at IS 'When the walk was begun.';

COMMENT ON COLUMN sync.walk.finished_at IS 'When the walk came to an end that no run will go on from; null while it can be resumed.';

COMMENT ON COLUMN sync.walk.mapping_version IS 'Version of the mapping by which its documents became columns; pages of another version never continue this walk. Null for walks from before this column was added.';

COMMENT ON COLUMN sync.walk.is_full IS 'Begun with --full: every document is asked for, however young it is.';

COMMENT ON COLUMN sync.walk.parameters IS 'What was asked for besides; pages with other parameters never continue this walk.';

COMMENT ON COLUMN sync.walk.published_from IS 'The first reading that the list is published from; null for all readings of the walk.';

COMMENT ON COLUMN sync.walk.published_before IS 'The reading after the last one that the list is published from.';

CREATE TABLE sync.walk_page (
    walk_id bigint NOT NULL,
    page integer NOT NULL,
    keys bigint[],
    unreadable integer DEFAULT 0 NOT NULL,
    claimed_total bigint,
    last_page bigint,
    has_next boolean,
    etag text,
    fetched_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    list_page integer,
    ended_by text,
    address text,
    last_modified text,
    mirrored_at timestamp with time zone,
    build text
);

COMMENT ON TABLE sync.walk_page IS 'What a walk saw, one row per reading of a page, committed together with the rows of the page. Resuming, certificates, publishing and vanishing read it.';

COMMENT ON COLUMN sync.walk_page.walk_id IS 'The walk.';

COMMENT ON COLUMN sync.walk_page.page IS 'Number of the reading within the walk, from 1; a page that is read again has several.';

COMMENT ON COLUMN sync.walk_page.keys IS 'Keys of the items in the order of the upstream, repeats included; null for a page that was not there. Of a batch, the items that were found.';

COMMENT ON COLUMN sync.walk_page.unreadable IS 'Items of the page whose key could not be read.';

COMMENT ON COLUMN sync.walk_page.claimed_total IS 'Items the list said it has.';

COMMENT ON COLUMN sync.walk_page.last_page IS 'Last page the list said it has.';

COMMENT ON COLUMN sync.walk_page.has_next IS 'Whether the page said that another one follows.';

COMMENT ON COLUMN sync.walk_page.etag IS 'Validator of the answer; null where none was kept.';

COMMENT ON COLUMN sync.walk_page.fetched_at IS 'When the page was committed. A walk whose last page is older than six hours is not resumed.';

COMMENT ON COLUMN sync.walk_page.list_page IS 'Number of the page in the list, from 1; null for a batch of items that were asked for one by one.';

COMMENT ON COLUMN sync.walk_page.ended_by IS 'How the list ended at this reading, in the words of the certificate; null if it went on.';

COMMENT ON COLUMN sync.walk_page.address IS 'What was asked for: number and size of the page, as in 12x25, and - behind them if counted from the other end. Null if the page cannot be asked for conditionally: it has no validator, or not every item of it is in the mirror.';

COMMENT ON COLUMN sync.walk_page.last_modified IS 'Another validator of the answer; null where none was kept.';

COMMENT ON COLUMN sync.walk_page.mirrored_at IS 'For a page that was still the same (304): when its items were stored, or found to be stored, as it has them. Null for all others, for which that is fetched_at.';

COMMENT ON COLUMN sync.walk_page.build IS 'Of a batch of documents, or a page of the list that names them: the one build of the service''s data that all of it is of; null if it is of several, or that is not known.';

CREATE VIEW sync.published_page AS
 SELECT p.walk_id,
    p.page,
    p.list_page,
    p.keys,
    (lead(p.page) OVER (PARTITION BY p.walk_id, p.list_page ORDER BY p.page) IS NOT NULL) AS is_superseded
   FROM (sync.walk_page p
     JOIN sync.walk w ON ((w.id = p.walk_id)))
  WHERE ((p.list_page IS NOT NULL) AND (p.page >= COALESCE(w.published_from, p.page)) AND (p.page < COALESCE(w.published_before, (p.page + 1))));

COMMENT ON VIEW sync.published_page IS 'The readings of a walk that its list is published from; a page that was read again is superseded by its next reading.';

COMMENT ON COLUMN sync.published_page.walk_id IS 'The walk.';

COMMENT ON COLUMN sync.published_page.page IS 'Number of the reading within the walk.';

COMMENT ON COLUMN sync.published_page.list_page IS 'The page of the list.';

COMMENT ON COLUMN sync.published_page.keys IS 'Ids in the order of the page; null for a page that was missing.';

COMMENT ON COLUMN sync.published_page.is_superseded IS 'A later reading among these shows the same page.';

CREATE TABLE sync.quarantine (
    source text NOT NULL,
    stream text NOT NULL,
    item text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    raw text NOT NULL,
    count bigint DEFAULT 1 NOT NULL,
    first_run_id uuid NOT NULL,
    last_run_id uuid NOT NULL,
    first_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE sync.quarantine IS 'Items that could not be stored, with the reason; the rest of their page was.';

COMMENT ON COLUMN sync.quarantine.source IS 'Source, e.g. jikan.';

COMMENT ON COLUMN sync.quarantine.stream IS 'Stream within the source.';

COMMENT ON COLUMN sync.quarantine.item IS 'Key of the item, or a digest of its fault and its beginning if the key could not be read.';

COMMENT ON COLUMN sync.quarantine.reason IS 'Kind of the fault, e.g. wrong_type.';

COMMENT ON COLUMN sync.quarantine.detail IS 'Where in the item, and what was found there.';

COMMENT ON COLUMN sync.quarantine.raw IS 'Beginning of the item, made harmless for a terminal.';

COMMENT ON COLUMN sync.quarantine.count IS 'How often it was met.';

COMMENT ON COLUMN sync.quarantine.first_run_id IS 'Run that met it first.';

COMMENT ON COLUMN sync.quarantine.last_run_id IS 'Run that met it last.';

COMMENT ON COLUMN sync.quarantine.first_at IS 'When it was met first.';

COMMENT ON COLUMN sync.quarantine.last_at IS 'When it was met last.';

CREATE TABLE sync.rate_budget (
    origin text NOT NULL,
    permits bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    read_at bigint DEFAULT 0 NOT NULL,
    clock_offset bigint DEFAULT 0 NOT NULL,
    paused_until bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

COMMENT ON TABLE sync.rate_budget IS 'The permits that were given for requests to an origin, by whatever process. Times are microseconds since 1970.';

COMMENT ON COLUMN sync.rate_budget.origin IS 'Scheme, host and port of the service.';

COMMENT ON COLUMN sync.rate_budget.permits IS 'When the latest 64 requests might be sent, oldest first; some of it may be to come. All windows of up to 64 requests look at these.';

COMMENT ON COLUMN sync.rate_budget.read_at IS 'The time when the latest permit was taken.';

COMMENT ON COLUMN sync.rate_budget.clock_offset IS 'What is added to the database''s clock: it makes up for the times that the clock was set.';

COMMENT ON COLUMN sync.rate_budget.paused_until IS 'No permit before this time: the upstream has asked for silence.';

CREATE TABLE sync.rate_window (
    origin text NOT NULL,
    length bigint NOT NULL,
    bucket_width bigint NOT NULL,
    bucket_start bigint NOT NULL,
    counts integer[] NOT NULL
)
WITH (fillfactor='50');

COMMENT ON TABLE sync.rate_window IS 'Windows of more than 64 requests count the permits in sub-buckets, 64 of which cover the window''s length.';

COMMENT ON COLUMN sync.rate_window.origin IS 'Scheme, host and port of the service.';

COMMENT ON COLUMN sync.rate_window.length IS 'Microseconds of the window, without padding.';

COMMENT ON COLUMN sync.rate_window.bucket_width IS 'Microseconds of a sub-bucket: a 64th of the padded length, rounded up.';

COMMENT ON COLUMN sync.rate_window.bucket_start IS 'When the newest sub-bucket begins.';

COMMENT ON COLUMN sync.rate_window.counts IS 'Permits in each of the latest 65 sub-buckets, oldest first.';

CREATE TABLE sync.run (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    source text NOT NULL,
    stream text NOT NULL,
    walk_id bigint,
    status text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    pages integer DEFAULT 0 NOT NULL,
    requests integer DEFAULT 0 NOT NULL,
    retries integer DEFAULT 0 NOT NULL,
    not_modified integer DEFAULT 0 NOT NULL,
    rows_seen bigint DEFAULT 0 NOT NULL,
    inserted bigint DEFAULT 0 NOT NULL,
    updated bigint DEFAULT 0 NOT NULL,
    documents_updated bigint DEFAULT 0 NOT NULL,
    unchanged bigint DEFAULT 0 NOT NULL,
    duplicates bigint DEFAULT 0 NOT NULL,
    quarantined bigint DEFAULT 0 NOT NULL,
    vanished bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    wal_start pg_lsn DEFAULT pg_current_wal_lsn() NOT NULL,
    wal_bytes bigint,
    certificate jsonb,
    error text,
    guarded boolean DEFAULT false NOT NULL,
    repaired bigint DEFAULT 0 NOT NULL,
    permits_waited integer DEFAULT 0 NOT NULL,
    waited_ms bigint DEFAULT 0 NOT NULL,
    fresh bigint DEFAULT 0 NOT NULL,
    job text,
    job_nominal_at timestamp with time zone,
    warning text,
    CONSTRAINT run_status_check CHECK ((status = ANY (ARRAY['running'::text, 'complete'::text, 'inconsistent'::text, 'partial'::text, 'failed'::text, 'interrupted'::text])))
)
WITH (fillfactor='80');

COMMENT ON TABLE sync.run IS 'The ledger: one row per run of a stream. rows_seen = inserted + updated + unchanged + duplicates + quarantined.';

COMMENT ON COLUMN sync.run.id IS 'Identity of the run; random, so that it stays unique in a database restored from a backup.';

COMMENT ON COLUMN sync.run.source IS 'Source, e.g. jikan.';

COMMENT ON COLUMN sync.run.stream IS 'Stream within the source, e.g. top-anime.';

COMMENT ON COLUMN sync.run.walk_id IS 'The walk that the run worked on; the walk itself may have been pruned.';

COMMENT ON COLUMN sync.run.status IS 'running; complete: every item was seen; inconsistent: the list moved or held fewer items than it claimed; partial: pages are missing or were not asked for; failed; interrupted.';

COMMENT ON COLUMN sync.run.started_at IS 'When the run took the lease.';

COMMENT ON COLUMN sync.run.finished_at IS 'When the run ended; null while it runs or if its process was killed.';

COMMENT ON COLUMN sync.run.pages IS 'Pages that this run read and committed.';

COMMENT ON COLUMN sync.run.requests IS 'Requests sent, retries and the last 404 included.';

COMMENT ON COLUMN sync.run.retries IS 'Requests that were tried again.';

COMMENT ON COLUMN sync.run.not_modified IS 'Pages answered by 304.';

COMMENT ON COLUMN sync.run.rows_seen IS 'Items on the pages, repeats included.';

COMMENT ON COLUMN sync.run.inserted IS 'Items that were new to the mirror.';

COMMENT ON COLUMN sync.run.updated IS 'Items that differed from the mirror.';

COMMENT ON COLUMN sync.run.documents_updated IS 'Those of updated in which more than the daily counters differed.';

COMMENT ON COLUMN sync.run.unchanged IS 'Items equal to the mirror; nothing was written for them.';

COMMENT ON COLUMN sync.run.duplicates IS 'Items whose key had been seen before in the walk.';

COMMENT ON COLUMN sync.run.quarantined IS 'Items that could not be stored; see sync.quarantine.';

COMMENT ON COLUMN sync.run.vanished IS 'Items marked as gone.';

COMMENT ON COLUMN sync.run.bytes IS 'Bytes of the answers, decompressed.';

COMMENT ON COLUMN sync.run.wal_start IS 'Position of the write-ahead log at the start.';

COMMENT ON COLUMN sync.run.wal_bytes IS 'Write-ahead log of the whole cluster during the run; on a shared server the writes of others are in it.';

COMMENT ON COLUMN sync.run.certificate IS 'What the walk can vouch for: how it ended, claimed and seen numbers, drift, holes.';

COMMENT ON COLUMN sync.run.error IS 'Why the run did not end well.';

COMMENT ON COLUMN sync.run.guarded IS 'More would have left a list or been marked as gone than the guard allows, so nothing was; --confirm-vanish with this run''s id lets it happen.';

COMMENT ON COLUMN sync.run.repaired IS 'Items in whose text something was replaced or dropped: NUL, lone surrogates, duplicate names. They have another outcome besides.';

COMMENT ON COLUMN sync.run.permits_waited IS 'Requests that had to wait for the rate budget.';

COMMENT ON COLUMN sync.run.waited_ms IS 'How long they waited in all, in milliseconds.';

COMMENT ON COLUMN sync.run.fresh IS 'Documents that the list names and that were not asked for, being younger than their time to live. They are not among rows_seen.';

COMMENT ON COLUMN sync.run.job IS 'Job that the run was part of; null for a run of syncctl run.';

COMMENT ON COLUMN sync.run.job_nominal_at IS 'Nominal time of that job''s run.';

COMMENT ON COLUMN sync.run.warning IS 'What a person should know of a run that ended well: entries of another season than the calendar''s, an empty list that was not published yet.';

CREATE TABLE sync.run_quarantine (
    run_id uuid NOT NULL,
    item text NOT NULL,
    reason text NOT NULL
);

COMMENT ON TABLE sync.run_quarantine IS 'The items in quarantine that a run met; they go with the run. Of runs from before this table was made, those that met an item first or last.';

COMMENT ON COLUMN sync.run_quarantine.run_id IS 'The run; its source and stream are those of the item.';

COMMENT ON COLUMN sync.run_quarantine.item IS 'As in sync.quarantine.';

COMMENT ON COLUMN sync.run_quarantine.reason IS 'As in sync.quarantine.';

CREATE TABLE sync.source_index (
    source text NOT NULL,
    origin text NOT NULL,
    build text,
    streams text[] DEFAULT '{}'::text[] NOT NULL,
    checked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE sync.source_index IS 'What sources that are found out at run time say of themselves.';

COMMENT ON COLUMN sync.source_index.source IS 'Source, e.g. pokeapi.';

COMMENT ON COLUMN sync.source_index.origin IS 'Base URL of the service.';

COMMENT ON COLUMN sync.source_index.build IS 'Build of its data that the service named when it was last asked; null if it does not say. A stream whose state has the same build is as fresh as this answer.';

COMMENT ON COLUMN sync.source_index.streams IS 'Streams that the index named when it was last read.';

COMMENT ON COLUMN sync.source_index.checked_at IS 'When the build was last asked for.';

CREATE TABLE sync.stream_state (
    source text NOT NULL,
    stream text NOT NULL,
    provider text NOT NULL,
    origin text NOT NULL,
    page_size integer NOT NULL,
    walk_id bigint,
    cursor integer,
    lease_generation bigint DEFAULT 0 NOT NULL,
    lease_expires_at timestamp with time zone,
    last_complete_run_id uuid,
    last_complete_at timestamp with time zone,
    lease_owner jsonb,
    build text,
    empty_since timestamp with time zone
)
WITH (fillfactor='50');

COMMENT ON TABLE sync.stream_state IS 'Where each stream stands, and who may write it.';

COMMENT ON COLUMN sync.stream_state.source IS 'Source, e.g. jikan.';

COMMENT ON COLUMN sync.stream_state.stream IS 'Stream within the source, e.g. top-anime.';

COMMENT ON COLUMN sync.stream_state.provider IS 'Service that answered last.';

COMMENT ON COLUMN sync.stream_state.origin IS 'Base URL of that service. Data of another origin is taken over only when asked for.';

COMMENT ON COLUMN sync.stream_state.page_size IS 'Items asked for per page.';

COMMENT ON COLUMN sync.stream_state.walk_id IS 'The walk that the next run may go on with; null if there is none.';

COMMENT ON COLUMN sync.stream_state.cursor IS 'Last reading of that walk that is committed.';

COMMENT ON COLUMN sync.stream_state.lease_generation IS 'Fence: grows with every lease; a write of an older generation is refused.';

COMMENT ON COLUMN sync.stream_state.lease_expires_at IS 'When the lease may be taken over, by the clock of the database.';

COMMENT ON COLUMN sync.stream_state.last_complete_run_id IS 'The latest run that saw every item.';

COMMENT ON COLUMN sync.stream_state.last_complete_at IS 'When that run ended.';

COMMENT ON COLUMN sync.stream_state.lease_owner IS 'Process that may write the stream: host, boot, pid namespace, pid, start time; null if nobody does.';

COMMENT ON COLUMN sync.stream_state.build IS 'Build of the service''s data that the last walk has mirrored whole, without a document of another build; null if there was no such walk, or one is under way.';

COMMENT ON COLUMN sync.stream_state.empty_since IS 'When a narrowed list was first found empty while entries of it were published. They stay until it is empty again 20 hours later. Null if it had items when it was last walked.';

CREATE VIEW sync.stream_freshness AS
 SELECT s.source,
    s.stream,
    GREATEST(s.last_complete_at,
        CASE
            WHEN ((i.build = s.build) AND (i.origin = s.origin)) THEN i.checked_at
            ELSE NULL::timestamp with time zone
        END) AS whole_at
   FROM (sync.stream_state s
     LEFT JOIN sync.source_index i ON ((i.source = s.source)))
  WHERE (s.last_complete_at IS NOT NULL);

COMMENT ON VIEW sync.stream_freshness IS 'As of when each stream is known to be whole.';

COMMENT ON COLUMN sync.stream_freshness.source IS 'Source, e.g. jikan.';

COMMENT ON COLUMN sync.stream_freshness.stream IS 'Stream within the source.';

COMMENT ON COLUMN sync.stream_freshness.whole_at IS 'The end of its last complete run; or later, when the service said that it still has the build that was mirrored.';

ALTER TABLE sync.walk ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sync.walk_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY jikan.ranking_history ATTACH PARTITION jikan.ranking_history_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');

COPY app.favorite (collection, source, kind, id, note, added_at) FROM stdin;
favorites	jikan	anime	1	mine	2026-01-01 00:00:00+00
owned	pokeapi	pokemon	25	\N	2026-01-02 00:00:00+00
favorites	itunes	track	7	\N	2026-01-03 00:00:00+00
favorites	itunes	track	70	chart	2026-01-04 00:00:00+00
favorites	jikan	anime	3	\N	2026-01-05 00:00:00+00
favorites	jikan	anime	4711	not mirrored	2026-01-06 00:00:00+00
\.

COPY itunes.chart_entry (country, media, feed, type, id, "position") FROM stdin;
us	music	most-played	songs	70	1
\.

COPY itunes.chart_history (country, media, feed, type, id, valid_from, valid_to, "position") FROM stdin;
us	music	most-played	songs	70	2026-11-22 14:59:05.94702+00	\N	1
\.

COPY itunes.chart_item (country, type, id, name, artist_id, artist_name, kind, url, artist_url, artwork_url, release_date, content_advisory_rating, genres, raw, content_hash, first_seen_at, changed_at) FROM stdin;
us	songs	70	Chart song	\N	\N	\N	\N	\N	\N	\N	\N	{}	{}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.986585+00	2026-11-22 14:59:05.986585+00
\.

COPY itunes.chart_publication (country, media, feed, type, published_at, run_id, entries, consistent) FROM stdin;
us	music	most-played	songs	2026-11-22 14:59:05.94702+00	00000000-0000-4000-8000-000000000001	1	t
\.

COPY itunes.item (country, class, id, wrapper_type, kind, collection_type, artist_type, title, artist_id, artist_name, collection_id, collection_name, track_id, track_name, bundle_id, price, formatted_price, currency, is_sold_singly, track_price, collection_price, track_rental_price, track_hd_price, track_hd_rental_price, collection_hd_price, release_date, released_at, track_time_ms, disc_number, disc_count, track_number, track_count, explicitness, content_advisory_rating, primary_genre, genres, file_size_bytes, average_user_rating, user_rating_count, version, preview_url, artwork_url, artist_view_url, collection_view_url, track_view_url, feed_url, search_text, raw, content_hash, first_seen_at, changed_at, vanished_at) FROM stdin;
us	track	7	\N	song	\N	\N	One	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	{}	\N	\N	\N	\N	\N	\N	\N	\N	https://music.example/7	\N	one	{}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.985006+00	2026-11-22 14:59:05.985006+00	\N
jp	track	7	\N	song	\N	\N	ワン	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	ワン	{}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.985176+00	2026-11-22 14:59:05.985176+00	\N
us	collection	8	\N	\N	\N	\N	Album	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	album	{}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.985183+00	2026-11-22 14:59:05.985183+00	\N
\.

COPY itunes.lookup_absence (country, id, missed, since) FROM stdin;
us	99	1	2026-11-22 14:59:05.986103+00
\.

COPY itunes.lookup_history (number, at, action, country, term, id, class, results) FROM stdin;
1	2026-11-22 14:59:05.986348+00	search	us	one	\N	\N	1
\.

COPY itunes.search (name, country, term, media, entity, attribute, lang, result_limit) FROM stdin;
one	us	one	music	\N	\N	\N	50
\.

COPY itunes.search_history (search, country, class, id, valid_from, valid_to, "position") FROM stdin;
one	us	track	7	2026-11-22 14:59:05.94702+00	\N	1
\.

COPY itunes.search_publication (search, published_at, run_id, entries, consistent) FROM stdin;
one	2026-11-22 14:59:05.94702+00	00000000-0000-4000-8000-000000000001	1	t
\.

COPY itunes.search_result (search, country, class, id, "position") FROM stdin;
one	us	track	7	1
\.

COPY jikan.genre (kind, facet, mal_id, name, url, count, raw, content_hash, counter_hash, first_seen_at, changed_at, count_changed_at) FROM stdin;
anime	genres	1	Action	\N	5	{}	\\x000000000000000000000000000000000000000000000000000000000000000000	0	2026-11-22 14:59:05.949898+00	2026-11-22 14:59:05.949898+00	\N
\.

COPY jikan.media (kind, mal_id, title, title_english, title_japanese, type, source, episodes, chapters, volumes, status, ongoing, started_at, rating, season, year, url, image_url, synopsis, raw, content_hash, first_seen_at, changed_at, vanished_at, approved) FROM stdin;
anime	1	Frieren	\N	葬送のフリーレン	TV	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	https://mal.example/anime/1	\N	\N	{"rank": 1, "score": 9.1, "title": "Frieren", "mal_id": 1}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.94807+00	2026-11-22 14:59:05.94807+00	\N	t
anime	2	Fullmetal Alchemist	\N	\N	TV	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	https://mal.example/anime/2	\N	\N	{"rank": 1, "score": 9.1, "title": "Fullmetal Alchemist", "mal_id": 2}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.948368+00	2026-11-22 14:59:05.948368+00	\N	t
anime	3	Gone	\N	\N	TV	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	https://mal.example/anime/3	\N	\N	{"rank": 1, "score": 9.1, "title": "Gone", "mal_id": 3}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.948382+00	2026-11-22 14:59:05.948382+00	2026-11-22 14:59:05.94702+00	t
manga	1	Berserk	\N	\N	Manga	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	{"mal_id": 1}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.949089+00	2026-11-22 14:59:05.949089+00	\N	t
\.

COPY jikan.media_counters (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, changed_at) FROM stdin;
anime	1	8.5	100	1	1	1000	10	0	\N
anime	2	7.5	100	2	2	1000	10	0	\N
anime	3	6.5	100	3	3	1000	10	0	\N
\.

COPY jikan.ranking (kind, subtype, filter, mal_id, "position") FROM stdin;
anime	all	none	1	1
anime	all	none	2	2
anime	all	none	3	3
anime	all	season:now	1	1
\.

COPY jikan.ranking_history_2026_11 (kind, subtype, filter, mal_id, valid_from, valid_to, "position", rank, score, members, favorites) FROM stdin;
anime	all	none	3	2026-11-22 14:59:05.953822+00	\N	3	3	6.5	1000	10
anime	all	none	1	2026-11-22 14:59:05.965347+00	\N	2	1	8.5	1000	10
anime	all	none	2	2026-11-22 14:59:05.965347+00	\N	1	2	7.5	1000	10
anime	all	none	1	2026-11-22 14:59:05.953822+00	2026-11-22 14:59:05.965347+00	1	1	8.5	1000	10
anime	all	none	2	2026-11-22 14:59:05.953822+00	2026-11-22 14:59:05.965347+00	2	2	7.5	1000	10
\.

COPY jikan.ranking_publication (kind, subtype, filter, published_at, run_id, entries, positions, consistent) FROM stdin;
anime	all	none	2026-11-22 14:59:05.953822+00	00000000-0000-4000-8000-000000000001	3	1000	t
anime	all	none	2026-11-22 14:59:05.965347+00	00000000-0000-4000-8000-000000000001	3	1000	t
\.

COPY jikan.ranking_retention (is_only, kept_days, set_at) FROM stdin;
t	400	2026-11-22 14:58:24.294705+00
\.

COPY pokeapi.ability (id, name, generation_id, generation, is_main_series) FROM stdin;
\.

COPY pokeapi.effect (endpoint, id, language, language_id, short_effect, effect) FROM stdin;
\.

COPY pokeapi.encounter (pokemon_id, location_area_id, version_id, ordinal, location_area, version, method_id, method, min_level, max_level, chance, max_chance, conditions, is_alpha, always_shiny, never_shiny, min_perfect_ivs) FROM stdin;
\.

COPY pokeapi.evolution (chain_id, species_id, ordinal, species, from_species_id, from_species, is_baby, sentence, is_default, version_group_id, version_group, trigger_id, trigger, item_id, item, held_item_id, held_item, known_move_id, known_move, known_move_type_id, known_move_type, used_move_id, used_move, location_id, location, region_id, region, party_species_id, party_species, party_type_id, party_type, trade_species_id, trade_species, base_form_id, base_form, evolved_form_id, evolved_form, gender, min_level, min_happiness, min_affection, min_beauty, min_damage_taken, min_move_count, min_steps, relative_physical_stats, time_of_day, near_special_rock, needs_multiplayer, needs_overworld_rain, turn_upside_down) FROM stdin;
\.

COPY pokeapi.evolution_chain (id, species_id, species, baby_trigger_item_id, baby_trigger_item) FROM stdin;
\.

COPY pokeapi.item (id, name, category_id, category, fling_power, fling_effect_id, fling_effect, baby_trigger_for_id, sprite_url) FROM stdin;
\.

COPY pokeapi.item_price (item_id, version_group_id, currency_id, version_group, currency, purchase_price, sell_price) FROM stdin;
\.

COPY pokeapi.language (id, name, iso639, iso3166, official) FROM stdin;
\.

COPY pokeapi.move (id, name, generation_id, generation, type_id, type, damage_class_id, damage_class, power, accuracy, pp, priority, effect_chance, target_id, target, category_id, category, ailment_id, ailment, ailment_chance, flinch_chance, stat_chance, crit_rate, drain, healing, min_hits, max_hits, min_turns, max_turns) FROM stdin;
\.

COPY pokeapi.move_past_value (move_id, version_group_id, version_group, type_id, type, power, accuracy, pp, effect_chance) FROM stdin;
\.

COPY pokeapi.move_stat_change (move_id, stat_id, stat, change) FROM stdin;
\.

COPY pokeapi.name (endpoint, id, language, language_id, name) FROM stdin;
pokemon-species	25	en	9	Pikachu
pokemon-species	25	ja	11	ピカチュウ
\.

COPY pokeapi.nature (id, name, increased_stat_id, increased_stat, decreased_stat_id, decreased_stat, likes_flavor_id, likes_flavor, hates_flavor_id, hates_flavor) FROM stdin;
\.

COPY pokeapi.pokedex_number (species_id, pokedex_id, pokedex, entry_number) FROM stdin;
\.

COPY pokeapi.pokemon (id, name, species_id, species, is_default, height, weight, base_experience, "order", total, sprite_url, sprite_female_url, artwork_url, artwork_female_url, cry_url) FROM stdin;
25	pikachu	25	pikachu	t	\N	\N	\N	\N	35	\N	\N	\N	\N	\N
\.

COPY pokeapi.pokemon_ability (pokemon_id, slot, ability_id, ability, is_hidden) FROM stdin;
\.

COPY pokeapi.pokemon_form (id, name, form_name, pokemon_id, pokemon, version_group_id, version_group, "order", form_order, is_default, is_battle_only, is_mega, sprite_url) FROM stdin;
\.

COPY pokeapi.pokemon_form_type (form_id, slot, type_id, type) FROM stdin;
\.

COPY pokeapi.pokemon_past_stat (pokemon_id, generation_id, stat_id, stat, base_stat, effort) FROM stdin;
\.

COPY pokeapi.pokemon_past_type (pokemon_id, generation_id, slot, type_id, type) FROM stdin;
\.

COPY pokeapi.pokemon_stat (pokemon_id, stat_id, stat, base_stat, effort) FROM stdin;
25	1	hp	35	0
\.

COPY pokeapi.pokemon_type (pokemon_id, slot, type_id, type) FROM stdin;
25	1	13	electric
\.

COPY pokeapi.resource (endpoint, id, name, raw, content_hash, first_seen_at, changed_at, vanished_at) FROM stdin;
pokemon	25	pikachu	{"name": "pikachu", "stats": [{"stat": {"url": "/api/v2/stat/1/", "name": "hp"}, "effort": 0, "base_stat": 35}], "types": [{"slot": 1, "type": {"url": "/api/v2/type/13/", "name": "electric"}}], "species": {"url": "/api/v2/pokemon-species/25/", "name": "pikachu"}, "is_default": true}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.96655+00	2026-11-22 14:59:05.96655+00	\N
pokemon-species	25	pikachu	{"name": "pikachu", "names": [{"name": "Pikachu", "language": {"url": "/api/v2/language/9/", "name": "en"}}, {"name": "ピカチュウ", "language": {"url": "/api/v2/language/11/", "name": "ja"}}], "generation": {"url": "/api/v2/generation/1/", "name": "generation-i"}}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.966696+00	2026-11-22 14:59:05.966696+00	\N
type	13	electric	{"name": "electric", "generation": {"url": "/api/v2/generation/1/", "name": "generation-i"}, "damage_relations": {"double_damage_to": [{"url": "/api/v2/type/11/", "name": "water"}]}}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.966703+00	2026-11-22 14:59:05.966703+00	\N
type	11	water	{"name": "water", "generation": {"url": "/api/v2/generation/1/", "name": "generation-i"}, "damage_relations": {"half_damage_to": [{"url": "/api/v2/type/11/", "name": "water"}]}}	\\x000000000000000000000000000000000000000000000000000000000000000000	2026-11-22 14:59:05.966707+00	2026-11-22 14:59:05.966707+00	\N
\.

COPY pokeapi.species (id, name, "order", generation_id, generation, is_baby, is_legendary, is_mythical, has_gender_differences, forms_switchable, color_id, color, shape_id, shape, habitat_id, habitat, growth_rate_id, growth_rate, capture_rate, base_happiness, gender_rate, hatch_counter, evolves_from_species_id, evolves_from_species, evolution_chain_id) FROM stdin;
25	pikachu	\N	1	generation-i	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
\.

COPY pokeapi.species_egg_group (species_id, egg_group_id, egg_group) FROM stdin;
\.

COPY pokeapi.species_genus (species_id, language, language_id, genus) FROM stdin;
\.

COPY pokeapi.species_text (species_id, language, language_id, version_id, version, text) FROM stdin;
\.

COPY pokeapi.type (id, name, generation_id, generation, move_damage_class_id, move_damage_class, is_battle) FROM stdin;
11	water	1	generation-i	\N	\N	t
13	electric	1	generation-i	\N	\N	t
\.

COPY pokeapi.type_relation (attacking_type_id, defending_type_id, generation_id, attacking_type, defending_type, multiplier) FROM stdin;
11	11	0	water	water	0.5
13	11	0	electric	water	2
\.

COPY pokeapi.version (id, name, version_group_id, version_group) FROM stdin;
\.

COPY pokeapi.version_group (id, name, "order", generation_id, generation) FROM stdin;
\.

COPY sync.job (name, source, streams, schedule, time_zone, scheduled_until, paused_at, registered_at) FROM stdin;
daily	jikan	{top-anime}	15 3 * * *	UTC	2026-11-22 14:58:24.370415+00	\N	2026-11-22 14:58:24.370415+00
\.

COPY sync.job_run (job, nominal_at, due_at, triggered_by, state, skipped, attempts, failures, deaths, owner, generation, lease_expires_at, started_at, ended_at, outcome, exit_status, certified, error) FROM stdin;
daily	2026-11-20 00:00:00+00	2026-11-20 00:00:00+00	schedule	ended	0	0	0	0	\N	0	\N	2026-11-20 00:00:00+00	2026-11-20 00:00:00+00	done	0	\N	\N
\.

COPY sync.migration (version, name, checksum, applied_at) FROM stdin;
1	sync	\\xc751822b9dfbbaae01aa35fae80217c5c10e7240dc83fb5283c3e20f9631d308	2026-11-22 14:58:22.790703+00
2	jikan	\\xcd909510b28806442906861dd82b2912e64bfe5a32dbdb72f5f00e8a0cc46d50	2026-11-22 14:58:22.922591+00
3	app	\\xe0c5623358c294459429110856feb323d5867b5aa84f129d828bbfabf4af6fdd	2026-11-22 14:58:23.002824+00
4	rate_budget	\\x1ae963dc949e2852ba86e7c5fa5c16e4e1971387521e4ba453184260c8819ec5	2026-11-22 14:58:23.110943+00
5	catalogue	\\x3dc8c9a6cff943029589b2aff1dfe56ac588e642d66d2d3c26c96b42ad78fdf6	2026-11-22 14:58:23.205765+00
6	history	\\x2d4ca68e2933dfecef60948a8cbbaad4b22b848ca8c9a90f644e8bf3df4c24fe	2026-11-22 14:58:23.30809+00
7	jikan_lists	\\x7d7b6b5c6870c90564b8ad969126cc32682ee8d78fa076958b9249994664dca4	2026-11-22 14:58:23.426533+00
8	conditional	\\x5a0735c3b96bf71f127362f51251d9515baa6dc96099ea5c03a51aeca15bc087	2026-11-22 14:58:23.501203+00
9	quarantine	\\x428f166ebf165ecfcc7f2b8718c65b4ff14157fa374bbb530ec648820bbc9a62	2026-11-22 14:58:23.564258+00
10	quiet_publication	\\x48e27bc9cd6fb8b42ea346026a40a307a88d9f7e8cea6dcf64b8fa748317fa0b	2026-11-22 14:58:23.646947+00
11	pokeapi	\\x02bf6808ed4f4671dabf0194e07a37812e429aa55ffd765d03ee9237a60dbc88	2026-11-22 14:58:23.796048+00
12	documents	\\xcd92510962a081f72e449a71384441a96bacb374276ab4bf50dba121de318cee	2026-11-22 14:58:23.871702+00
13	itunes	\\x65d8c76958e14c58b86bd2fa2f14623d2d7d35142fa096121648cf76c0b621e1	2026-11-22 14:58:23.998915+00
14	jobs	\\x6b260d5224f325c350c758b64b8518ae0c2ff9acb42238be6854b024ee20e3eb	2026-11-22 14:58:24.092506+00
15	published_readings	\\xa72806a0ff527df2f4b13aabefb5243add2f23631bafad0886141825da2982f2	2026-11-22 14:58:24.154471+00
16	windows	\\xcb1d52a15b066e6969a7ba49fa43920ab6512fe47f6d21ddbc52d2f073946089	2026-11-22 14:58:24.2272+00
17	roles	\\x6530b96512bd2ebc76bf66d5e9323ca1f467813ce5f9ab8967d9dc71a15c992a	2026-11-22 14:58:24.300318+00
\.

COPY sync.publication (source, list, run_id, published_at, consistent, entries) FROM stdin;
jikan	top-anime	00000000-0000-4000-8000-000000000001	2026-11-22 14:58:24.363294+00	t	3
\.

COPY sync.quarantine (source, stream, item, reason, detail, raw, count, first_run_id, last_run_id, first_at, last_at) FROM stdin;
jikan	top-anime	9	wrong_type	/title	{}	1	00000000-0000-4000-8000-000000000001	00000000-0000-4000-8000-000000000001	2026-11-22 14:58:24.362775+00	2026-11-22 14:58:24.362775+00
\.

COPY sync.rate_budget (origin, permits, read_at, clock_offset, paused_until) FROM stdin;
https://api.example	{0}	0	-1795359504365178	0
\.

COPY sync.rate_window (origin, length, bucket_width, bucket_start, counts) FROM stdin;
\.

COPY sync.run (id, source, stream, walk_id, status, started_at, finished_at, pages, requests, retries, not_modified, rows_seen, inserted, updated, documents_updated, unchanged, duplicates, quarantined, vanished, bytes, wal_start, wal_bytes, certificate, error, guarded, repaired, permits_waited, waited_ms, fresh, job, job_nominal_at, warning) FROM stdin;
00000000-0000-4000-8000-000000000001	jikan	top-anime	1	complete	2026-11-22 14:58:24.362103+00	2026-11-22 14:58:24.361788+00	1	2	0	0	3	3	0	0	0	0	0	0	0	0/5F9D080	\N	{"complete": true}	\N	f	0	0	0	0	\N	\N	\N
\.

COPY sync.run_quarantine (run_id, item, reason) FROM stdin;
00000000-0000-4000-8000-000000000001	9	wrong_type
\.

COPY sync.source_index (source, origin, build, streams, checked_at) FROM stdin;
pokeapi	https://poke.example	build-1	{pokemon}	2026-11-22 14:58:24.363465+00
\.

COPY sync.stream_state (source, stream, provider, origin, page_size, walk_id, cursor, lease_generation, lease_expires_at, last_complete_run_id, last_complete_at, lease_owner, build, empty_since) FROM stdin;
jikan	top-anime	tenrai	https://api.example/v1	50	\N	\N	0	\N	00000000-0000-4000-8000-000000000001	2026-11-22 14:58:24.362483+00	\N	\N	\N
\.

COPY sync.walk (id, source, stream, provider, origin, page_size, started_at, finished_at, mapping_version, is_full, parameters, published_from, published_before) FROM stdin;
1	jikan	top-anime	tenrai	https://api.example/v1	50	2026-11-22 14:58:24.360696+00	2026-11-22 14:58:24.35981+00	\N	f		\N	\N
\.

COPY sync.walk_page (walk_id, page, keys, unreadable, claimed_total, last_page, has_next, etag, fetched_at, list_page, ended_by, address, last_modified, mirrored_at, build) FROM stdin;
1	1	{1,2,3}	0	\N	\N	\N	"e"	2026-11-22 14:58:24.361117+00	1	404	\N	\N	\N	\N
\.

SELECT pg_catalog.setval('itunes.lookup_history_number_seq', 1, true);

SELECT pg_catalog.setval('sync.walk_id_seq', 1, true);

ALTER TABLE ONLY app.favorite
    ADD CONSTRAINT favorite_pkey PRIMARY KEY (collection, source, kind, id);

ALTER TABLE ONLY itunes.chart_entry
    ADD CONSTRAINT chart_entry_pkey PRIMARY KEY (country, media, feed, type, id);

ALTER TABLE ONLY itunes.chart_history
    ADD CONSTRAINT chart_history_pkey PRIMARY KEY (country, media, feed, type, id, valid_from);

ALTER TABLE ONLY itunes.chart_item
    ADD CONSTRAINT chart_item_pkey PRIMARY KEY (country, type, id);

ALTER TABLE ONLY itunes.chart_publication
    ADD CONSTRAINT chart_publication_pkey PRIMARY KEY (country, media, feed, type, published_at);

ALTER TABLE ONLY itunes.item
    ADD CONSTRAINT item_pkey PRIMARY KEY (country, class, id);

ALTER TABLE ONLY itunes.lookup_absence
    ADD CONSTRAINT lookup_absence_pkey PRIMARY KEY (country, id);

ALTER TABLE ONLY itunes.lookup_history
    ADD CONSTRAINT lookup_history_pkey PRIMARY KEY (number);

ALTER TABLE ONLY itunes.search_history
    ADD CONSTRAINT search_history_pkey PRIMARY KEY (search, country, class, id, valid_from);

ALTER TABLE ONLY itunes.search
    ADD CONSTRAINT search_pkey PRIMARY KEY (name);

ALTER TABLE ONLY itunes.search_publication
    ADD CONSTRAINT search_publication_pkey PRIMARY KEY (search, published_at);

ALTER TABLE ONLY itunes.search_result
    ADD CONSTRAINT search_result_pkey PRIMARY KEY (search, country, class, id);

ALTER TABLE ONLY jikan.genre
    ADD CONSTRAINT genre_pkey PRIMARY KEY (kind, facet, mal_id);

ALTER TABLE ONLY jikan.media_counters
    ADD CONSTRAINT media_counters_pkey PRIMARY KEY (kind, mal_id);

ALTER TABLE ONLY jikan.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (kind, mal_id);

ALTER TABLE ONLY jikan.ranking_history
    ADD CONSTRAINT ranking_history_pkey PRIMARY KEY (kind, subtype, filter, mal_id, valid_from);

ALTER TABLE ONLY jikan.ranking_history_2026_11
    ADD CONSTRAINT ranking_history_2026_11_pkey PRIMARY KEY (kind, subtype, filter, mal_id, valid_from);

ALTER TABLE ONLY jikan.ranking
    ADD CONSTRAINT ranking_pkey PRIMARY KEY (kind, subtype, filter, mal_id);

ALTER TABLE ONLY jikan.ranking_publication
    ADD CONSTRAINT ranking_publication_pkey PRIMARY KEY (kind, subtype, filter, published_at);

ALTER TABLE ONLY jikan.ranking_retention
    ADD CONSTRAINT ranking_retention_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY pokeapi.ability
    ADD CONSTRAINT ability_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.effect
    ADD CONSTRAINT effect_pkey PRIMARY KEY (endpoint, id, language);

ALTER TABLE ONLY pokeapi.encounter
    ADD CONSTRAINT encounter_pkey PRIMARY KEY (pokemon_id, location_area_id, version_id, ordinal);

ALTER TABLE ONLY pokeapi.evolution_chain
    ADD CONSTRAINT evolution_chain_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.evolution
    ADD CONSTRAINT evolution_pkey PRIMARY KEY (chain_id, species_id, ordinal);

ALTER TABLE ONLY pokeapi.item
    ADD CONSTRAINT item_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.item_price
    ADD CONSTRAINT item_price_pkey PRIMARY KEY (item_id, version_group_id, currency_id);

ALTER TABLE ONLY pokeapi.language
    ADD CONSTRAINT language_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.move_past_value
    ADD CONSTRAINT move_past_value_pkey PRIMARY KEY (move_id, version_group_id);

ALTER TABLE ONLY pokeapi.move
    ADD CONSTRAINT move_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.move_stat_change
    ADD CONSTRAINT move_stat_change_pkey PRIMARY KEY (move_id, stat_id);

ALTER TABLE ONLY pokeapi.name
    ADD CONSTRAINT name_pkey PRIMARY KEY (endpoint, id, language);

ALTER TABLE ONLY pokeapi.nature
    ADD CONSTRAINT nature_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.pokedex_number
    ADD CONSTRAINT pokedex_number_pkey PRIMARY KEY (species_id, pokedex_id);

ALTER TABLE ONLY pokeapi.pokemon_ability
    ADD CONSTRAINT pokemon_ability_pkey PRIMARY KEY (pokemon_id, slot);

ALTER TABLE ONLY pokeapi.pokemon_form
    ADD CONSTRAINT pokemon_form_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.pokemon_form_type
    ADD CONSTRAINT pokemon_form_type_pkey PRIMARY KEY (form_id, slot);

ALTER TABLE ONLY pokeapi.pokemon_past_stat
    ADD CONSTRAINT pokemon_past_stat_pkey PRIMARY KEY (pokemon_id, generation_id, stat_id);

ALTER TABLE ONLY pokeapi.pokemon_past_type
    ADD CONSTRAINT pokemon_past_type_pkey PRIMARY KEY (pokemon_id, generation_id, slot);

ALTER TABLE ONLY pokeapi.pokemon
    ADD CONSTRAINT pokemon_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.pokemon_stat
    ADD CONSTRAINT pokemon_stat_pkey PRIMARY KEY (pokemon_id, stat_id);

ALTER TABLE ONLY pokeapi.pokemon_type
    ADD CONSTRAINT pokemon_type_pkey PRIMARY KEY (pokemon_id, slot);

ALTER TABLE ONLY pokeapi.resource
    ADD CONSTRAINT resource_pkey PRIMARY KEY (endpoint, id);

ALTER TABLE ONLY pokeapi.species_egg_group
    ADD CONSTRAINT species_egg_group_pkey PRIMARY KEY (species_id, egg_group_id);

ALTER TABLE ONLY pokeapi.species_genus
    ADD CONSTRAINT species_genus_pkey PRIMARY KEY (species_id, language);

ALTER TABLE ONLY pokeapi.species
    ADD CONSTRAINT species_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.species_text
    ADD CONSTRAINT species_text_pkey PRIMARY KEY (species_id, language, version_id);

ALTER TABLE ONLY pokeapi.type
    ADD CONSTRAINT type_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.type_relation
    ADD CONSTRAINT type_relation_pkey PRIMARY KEY (attacking_type_id, defending_type_id, generation_id);

ALTER TABLE ONLY pokeapi.version_group
    ADD CONSTRAINT version_group_pkey PRIMARY KEY (id);

ALTER TABLE ONLY pokeapi.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sync.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sync.job_run
    ADD CONSTRAINT job_run_pkey PRIMARY KEY (job, nominal_at);

ALTER TABLE ONLY sync.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY sync.publication
    ADD CONSTRAINT publication_pkey PRIMARY KEY (source, list);

ALTER TABLE ONLY sync.quarantine
    ADD CONSTRAINT quarantine_pkey PRIMARY KEY (source, stream, item, reason);

ALTER TABLE ONLY sync.rate_budget
    ADD CONSTRAINT rate_budget_pkey PRIMARY KEY (origin);

ALTER TABLE ONLY sync.rate_window
    ADD CONSTRAINT rate_window_pkey PRIMARY KEY (origin, length);

ALTER TABLE ONLY sync.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sync.run_quarantine
    ADD CONSTRAINT run_quarantine_pkey PRIMARY KEY (run_id, item, reason);

ALTER TABLE ONLY sync.source_index
    ADD CONSTRAINT source_index_pkey PRIMARY KEY (source);

ALTER TABLE ONLY sync.stream_state
    ADD CONSTRAINT stream_state_pkey PRIMARY KEY (source, stream);

ALTER TABLE ONLY sync.walk_page
    ADD CONSTRAINT walk_page_pkey PRIMARY KEY (walk_id, page);

ALTER TABLE ONLY sync.walk
    ADD CONSTRAINT walk_pkey PRIMARY KEY (id);

CREATE INDEX chart_history_valid_to ON itunes.chart_history USING btree (country, media, feed, type, valid_to);

CREATE INDEX item_id ON itunes.item USING btree (id, country);

CREATE INDEX lookup_history_at ON itunes.lookup_history USING btree (at);

CREATE INDEX search_history_valid_to ON itunes.search_history USING btree (search, valid_to);

CREATE INDEX ranking_history_valid_to ON ONLY jikan.ranking_history USING btree (kind, subtype, filter, valid_to);

CREATE INDEX ranking_history_2026_11_kind_subtype_filter_valid_to_idx ON jikan.ranking_history_2026_11 USING btree (kind, subtype, filter, valid_to);

CREATE INDEX resource_vanished ON pokeapi.resource USING btree (endpoint, id) WHERE (vanished_at IS NOT NULL);

CREATE UNIQUE INDEX job_run_at_work ON sync.job_run USING btree (job) WHERE (state = 'running'::text);

CREATE INDEX job_run_ended ON sync.job_run USING btree (job, ended_at DESC) WHERE (state = 'ended'::text);

CREATE INDEX job_run_open ON sync.job_run USING btree (due_at) WHERE (state <> 'ended'::text);

CREATE INDEX run_job ON sync.run USING btree (job, job_nominal_at) WHERE (job IS NOT NULL);

CREATE INDEX run_started_at ON sync.run USING btree (started_at DESC);

ALTER INDEX jikan.ranking_history_valid_to ATTACH PARTITION jikan.ranking_history_2026_11_kind_subtype_filter_valid_to_idx;

ALTER INDEX jikan.ranking_history_pkey ATTACH PARTITION jikan.ranking_history_2026_11_pkey;

ALTER TABLE ONLY sync.job_run
    ADD CONSTRAINT job_run_job_fkey FOREIGN KEY (job) REFERENCES sync.job(name);

ALTER TABLE ONLY sync.rate_window
    ADD CONSTRAINT rate_window_origin_fkey FOREIGN KEY (origin) REFERENCES sync.rate_budget(origin) ON DELETE CASCADE;

ALTER TABLE ONLY sync.run_quarantine
    ADD CONSTRAINT run_quarantine_run_id_fkey FOREIGN KEY (run_id) REFERENCES sync.run(id) ON DELETE CASCADE;

ALTER TABLE ONLY sync.stream_state
    ADD CONSTRAINT stream_state_walk_id_fkey FOREIGN KEY (walk_id) REFERENCES sync.walk(id);

ALTER TABLE ONLY sync.walk_page
    ADD CONSTRAINT walk_page_walk_id_fkey FOREIGN KEY (walk_id) REFERENCES sync.walk(id) ON DELETE CASCADE;

REVOKE ALL ON FUNCTION jikan.drop_ranking_history() FROM PUBLIC;

REVOKE ALL ON FUNCTION jikan.make_ranking_history_partition(moment timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION pokeapi.derive(endpoint text, ids bigint[]) FROM PUBLIC;

