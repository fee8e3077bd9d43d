-- The iTunes mirror: what searches and look-ups answered, and Apple's charts. Items are told apart by storefront, class
-- and id. Their columns are made tolerantly: what is missing, null or of another type than expected gives nulls.

CREATE SCHEMA itunes;
COMMENT ON SCHEMA itunes IS 'Mirror of what the iTunes Search API and Apple''s charts answered. Begin with the views itunes.track, itunes.album and itunes.chart_ranking; itunes.item holds every record.';

CREATE TABLE itunes.item (
  country                 text NOT NULL,
  class                   text NOT NULL,
  id                      bigint NOT NULL,
  wrapper_type            text,
  kind                    text,
  collection_type         text,
  artist_type             text,
  title                   text,
  artist_id               bigint,
  artist_name             text,
  collection_id           bigint,
  collection_name         text,
  track_id                bigint,
  track_name              text,
  bundle_id               text,
  price                   numeric(12,2),
  formatted_price         text,
  currency                text,
  is_sold_singly          boolean,
  track_price             numeric(12,2),
  collection_price        numeric(12,2),
  track_rental_price      numeric(12,2),
  track_hd_price          numeric(12,2),
  track_hd_rental_price   numeric(12,2),
  collection_hd_price     numeric(12,2),
  release_date            date,
  released_at             timestamptz,
  track_time_ms           bigint,
  disc_number             integer,
  disc_count              integer,
  track_number            integer,
  track_count             integer,
  explicitness            text,
  content_advisory_rating text,
  primary_genre           text,
  genres                  text[] NOT NULL DEFAULT '{}',
  file_size_bytes         bigint,
  average_user_rating     numeric(4,2),
  user_rating_count       bigint,
  version                 text,
  preview_url             text,
  artwork_url             text,
  artist_view_url         text,
  collection_view_url     text,
  track_view_url          text,
  feed_url                text,
  search_text             text NOT NULL DEFAULT '',
  raw                     jsonb COMPRESSION lz4 NOT NULL,
  content_hash            bytea NOT NULL,
  first_seen_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  vanished_at             timestamptz,
  PRIMARY KEY (country, class, id)
);
-- For look-ups by an id whose class is not known.
CREATE INDEX item_id ON itunes.item (id, country);
COMMENT ON TABLE  itunes.item IS 'Every record that a search or a look-up answered: songs, films, albums, artists, podcasts, audiobooks, ebooks, apps. Prices and names are those of one storefront.';
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

CREATE TABLE itunes.search (
  name         text PRIMARY KEY,
  country      text NOT NULL,
  term         text NOT NULL,
  media        text,
  entity       text,
  attribute    text,
  lang         text,
  result_limit integer
);
COMMENT ON TABLE  itunes.search IS 'Searches that have been published, with what was asked for last.';
COMMENT ON COLUMN itunes.search.name IS 'Name in the configuration; @ and what was asked for, of a search made by a command.';
COMMENT ON COLUMN itunes.search.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.search.term IS 'What was searched for.';
COMMENT ON COLUMN itunes.search.media IS 'The upstream''s media= parameter, e.g. music; null without one, as of the following.';
COMMENT ON COLUMN itunes.search.entity IS 'The upstream''s entity= parameter, e.g. song.';
COMMENT ON COLUMN itunes.search.attribute IS 'The upstream''s attribute= parameter, e.g. artistTerm.';
COMMENT ON COLUMN itunes.search.lang IS 'The upstream''s lang= parameter, e.g. ja_jp.';
COMMENT ON COLUMN itunes.search.result_limit IS 'How many results were asked for at most.';

CREATE TABLE itunes.search_result (
  search   text NOT NULL,
  country  text NOT NULL,
  class    text NOT NULL,
  id       bigint NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (search, country, class, id)
);
COMMENT ON TABLE  itunes.search_result IS 'What each search returned last, in the upstream''s order. itunes.search_item joins it with the items.';
COMMENT ON COLUMN itunes.search_result.search IS 'Name of the search.';
COMMENT ON COLUMN itunes.search_result.country IS 'Storefront.';
COMMENT ON COLUMN itunes.search_result.class IS 'Class of the item.';
COMMENT ON COLUMN itunes.search_result.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.search_result.position IS 'Place among the results, from 1, repeats not counted.';

CREATE TABLE itunes.search_history (
  search     text NOT NULL,
  country    text NOT NULL,
  class      text NOT NULL,
  id         bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  position   integer NOT NULL,
  PRIMARY KEY (search, country, class, id, valid_from)
);
-- For the rows that are valid at a time: those that end later, and those that have no end.
CREATE INDEX search_history_valid_to ON itunes.search_history (search, valid_to);
COMMENT ON TABLE  itunes.search_history IS 'What the searches returned: a row begins when an item comes in or moves, and ends when it moves again or is not among the results.';
COMMENT ON COLUMN itunes.search_history.search IS 'Name of the search.';
COMMENT ON COLUMN itunes.search_history.country IS 'Storefront.';
COMMENT ON COLUMN itunes.search_history.class IS 'Class of the item.';
COMMENT ON COLUMN itunes.search_history.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.search_history.valid_from IS 'When the search was published with it at this place.';
COMMENT ON COLUMN itunes.search_history.valid_to IS 'When it was published otherwise, or without it; null while it is so.';
COMMENT ON COLUMN itunes.search_history.position IS 'Place among the results, from 1.';

CREATE TABLE itunes.search_publication (
  search       text NOT NULL,
  published_at timestamptz NOT NULL,
  run_id       uuid NOT NULL,
  entries      integer NOT NULL,
  consistent   boolean NOT NULL,
  PRIMARY KEY (search, published_at)
);
COMMENT ON TABLE  itunes.search_publication IS 'Each time that a search was published and differed from what was published before. Between two of them it stood still.';
COMMENT ON COLUMN itunes.search_publication.search IS 'Name of the search.';
COMMENT ON COLUMN itunes.search_publication.published_at IS 'When; later than every earlier one of the search.';
COMMENT ON COLUMN itunes.search_publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN itunes.search_publication.entries IS 'Items that it returned.';
COMMENT ON COLUMN itunes.search_publication.consistent IS 'False if the results moved while they were read.';

CREATE TABLE itunes.lookup_absence (
  country text NOT NULL,
  id      bigint NOT NULL,
  missed  smallint NOT NULL,
  since   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (country, id)
);
COMMENT ON TABLE  itunes.lookup_absence IS 'Ids that the last look-up asked for and did not get. Missed twice in a row, their items are marked as vanished; met again, the row goes.';
COMMENT ON COLUMN itunes.lookup_absence.country IS 'Storefront that was asked.';
COMMENT ON COLUMN itunes.lookup_absence.id IS 'Id that was asked for, of whatever class.';
COMMENT ON COLUMN itunes.lookup_absence.missed IS 'In how many look-ups in a row it was missing: 1, or 2 for two and more.';
COMMENT ON COLUMN itunes.lookup_absence.since IS 'When it was missed first.';

CREATE TABLE itunes.lookup_history (
  number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  action  text NOT NULL CHECK (action IN ('search', 'lookup', 'show')),
  country text NOT NULL,
  term    text,
  id      bigint,
  class   text,
  results integer NOT NULL
);
CREATE INDEX lookup_history_at ON itunes.lookup_history (at);
COMMENT ON TABLE  itunes.lookup_history IS 'What a person searched for, looked up or was shown by commands.';
COMMENT ON COLUMN itunes.lookup_history.number IS 'Number of the entry, in the order of writing.';
COMMENT ON COLUMN itunes.lookup_history.at IS 'When.';
COMMENT ON COLUMN itunes.lookup_history.action IS 'search, lookup (asked of the upstream) or show (from the mirror).';
COMMENT ON COLUMN itunes.lookup_history.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.lookup_history.term IS 'What was searched for; null for an id.';
COMMENT ON COLUMN itunes.lookup_history.id IS 'Id that was looked up or shown; null for a search.';
COMMENT ON COLUMN itunes.lookup_history.class IS 'Class of the item, if it was found; null for a search.';
COMMENT ON COLUMN itunes.lookup_history.results IS 'How many items were found; 0 for none.';

CREATE TABLE itunes.chart_item (
  country                 text NOT NULL,
  type                    text NOT NULL,
  id                      bigint NOT NULL,
  name                    text,
  artist_id               bigint,
  artist_name             text,
  kind                    text,
  url                     text,
  artist_url              text,
  artwork_url             text,
  release_date            date,
  content_advisory_rating text,
  genres                  text[] NOT NULL DEFAULT '{}',
  raw                     jsonb COMPRESSION lz4 NOT NULL,
  content_hash            bytea NOT NULL,
  first_seen_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (country, type, id)
);
COMMENT ON TABLE  itunes.chart_item IS 'What stands or stood in a chart, as the charts describe it. Nothing ever goes.';
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

CREATE TABLE itunes.chart_entry (
  country  text NOT NULL,
  media    text NOT NULL,
  feed     text NOT NULL,
  type     text NOT NULL,
  id       bigint NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (country, media, feed, type, id)
);
COMMENT ON TABLE  itunes.chart_entry IS 'The charts as last published, each replaced as a whole. sync.publication tells from which run.';
COMMENT ON COLUMN itunes.chart_entry.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_entry.media IS 'music, apps, books, audio-books or podcasts.';
COMMENT ON COLUMN itunes.chart_entry.feed IS 'most-played, top-free, top-paid, top, …';
COMMENT ON COLUMN itunes.chart_entry.type IS 'songs, albums, apps, …';
COMMENT ON COLUMN itunes.chart_entry.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.chart_entry.position IS 'Place in the chart, from 1, repeats not counted: the upstream gives no other rank.';

CREATE TABLE itunes.chart_history (
  country    text NOT NULL,
  media      text NOT NULL,
  feed       text NOT NULL,
  type       text NOT NULL,
  id         bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  position   integer NOT NULL,
  PRIMARY KEY (country, media, feed, type, id, valid_from)
);
CREATE INDEX chart_history_valid_to ON itunes.chart_history (country, media, feed, type, valid_to);
COMMENT ON TABLE  itunes.chart_history IS 'Who stood where: a row begins when an entry comes in or moves, and ends when it moves again or leaves.';
COMMENT ON COLUMN itunes.chart_history.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_history.media IS 'music, apps, books, audio-books or podcasts.';
COMMENT ON COLUMN itunes.chart_history.feed IS 'most-played, top-free, top-paid, top, …';
COMMENT ON COLUMN itunes.chart_history.type IS 'songs, albums, apps, …';
COMMENT ON COLUMN itunes.chart_history.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.chart_history.valid_from IS 'When it was published at this place.';
COMMENT ON COLUMN itunes.chart_history.valid_to IS 'When it was published at another place, or no more; null while it is so.';
COMMENT ON COLUMN itunes.chart_history.position IS 'Place in the chart, from 1.';

CREATE TABLE itunes.chart_publication (
  country      text NOT NULL,
  media        text NOT NULL,
  feed         text NOT NULL,
  type         text NOT NULL,
  published_at timestamptz NOT NULL,
  run_id       uuid NOT NULL,
  entries      integer NOT NULL,
  consistent   boolean NOT NULL,
  PRIMARY KEY (country, media, feed, type, published_at)
);
COMMENT ON TABLE  itunes.chart_publication IS 'Each time that a chart was published and differed from what was published before. Between two of them it stood still.';
COMMENT ON COLUMN itunes.chart_publication.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_publication.media IS 'music, apps, books, audio-books or podcasts.';
COMMENT ON COLUMN itunes.chart_publication.feed IS 'most-played, top-free, top-paid, top, …';
COMMENT ON COLUMN itunes.chart_publication.type IS 'songs, albums, apps, …';
COMMENT ON COLUMN itunes.chart_publication.published_at IS 'When; later than every earlier one of the chart.';
COMMENT ON COLUMN itunes.chart_publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN itunes.chart_publication.entries IS 'Entries of the chart.';
COMMENT ON COLUMN itunes.chart_publication.consistent IS 'False if the chart moved while it was read.';

-- The functions by which records become columns.

CREATE FUNCTION itunes.string(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN nullif(value #>> '{}', '') END;
COMMENT ON FUNCTION itunes.string IS 'A text; null for an empty one, and for anything else.';

CREATE FUNCTION itunes.number(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value)
  WHEN 'number' THEN value::numeric
  WHEN 'string' THEN
    CASE WHEN value #>> '{}' ~ '^\s*-?[0-9]{1,30}(\.[0-9]{1,60})?\s*$' THEN (value #>> '{}')::numeric END
END;
COMMENT ON FUNCTION itunes.number IS 'A number, or a text that reads as one; null for anything else.';

CREATE FUNCTION itunes.whole(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN abs(itunes.number(value)) < 9e18 THEN
  CASE WHEN itunes.number(value) = trunc(itunes.number(value)) THEN itunes.number(value)::bigint END
END;
COMMENT ON FUNCTION itunes.whole IS 'A whole number however it is spelled: 12, 12.0 and "12" are equal; null for anything else.';

CREATE FUNCTION itunes.ordinal(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.whole(value) BETWEEN 0 AND 2147483647 THEN itunes.whole(value)::integer END;
COMMENT ON FUNCTION itunes.ordinal IS 'A number or count of discs, tracks, …; null for anything else.';

CREATE FUNCTION itunes.milliseconds(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.number(value) BETWEEN 0 AND 9e15 THEN round(itunes.number(value))::bigint END;
COMMENT ON FUNCTION itunes.milliseconds IS 'A length of time, to the millisecond; null for anything else.';

CREATE FUNCTION itunes.money(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.number(value) >= 0 AND itunes.number(value) < 1e9 THEN round(itunes.number(value), 2) END;
COMMENT ON FUNCTION itunes.money IS 'A price; null for -1, by which the upstream says that something is not sold singly, and for anything else.';

CREATE FUNCTION itunes.day(value jsonb) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.string(value) ~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?![0-9])' THEN
  -- The 31st of a month that has none would be a day of the next one.
  CASE WHEN extract(month FROM make_date(left(itunes.string(value), 4)::integer,
                                         substr(itunes.string(value), 6, 2)::integer, 1)
                               + substr(itunes.string(value), 9, 2)::integer - 1)
            = substr(itunes.string(value), 6, 2)::integer
       THEN make_date(left(itunes.string(value), 4)::integer, substr(itunes.string(value), 6, 2)::integer,
                      substr(itunes.string(value), 9, 2)::integer) END
END;
COMMENT ON FUNCTION itunes.day IS 'The day with which a time in ISO 8601 or like 2005-01-20 08:00:00 Etc/GMT begins; null for anything else. The store writes days as Pacific midnight or noon, so the written day is meant.';

CREATE FUNCTION itunes.instant(value jsonb) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.string(value) ~ (
  '^.{10}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?'
  || '( ?(Z|(Etc/)?(GMT|UTC)|[+-](0[0-9]|1[0-4]):?[0-5][0-9]))?$')
THEN
  (itunes.day(value) + substr(itunes.string(value), 12, 8)::time) AT TIME ZONE 'UTC'
  - coalesce(substring(itunes.string(value) from '([+-][0-9]{2}):?[0-9]{2}$') || ':'
             || substring(itunes.string(value) from '[+-][0-9]{2}:?([0-9]{2})$'), '0')::interval hour to minute
END;
COMMENT ON FUNCTION itunes.instant IS 'A time in ISO 8601, or like 2005-01-20 08:00:00 Etc/GMT, to the second; UTC where no zone is named. Null for anything else, a mere day included.';

CREATE FUNCTION itunes.genre_names(value jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT name FROM (
    SELECT coalesce(itunes.string(genre), itunes.string(genre->'name')) AS name, n
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[]' END)
         WITH ORDINALITY AS e (genre, n)
  ) AS named
  WHERE name IS NOT NULL ORDER BY n);
COMMENT ON FUNCTION itunes.genre_names IS 'Names of an array of texts, or of objects with names.';

CREATE FUNCTION itunes.folded(value text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN lower(CASE WHEN getdatabaseencoding() = 'UTF8'
                  THEN normalize(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)
                  ELSE value END);
COMMENT ON FUNCTION itunes.folded IS 'A text as it is compared in searches: in lower case, without accents, letters of double width as the others.';

CREATE FUNCTION itunes.key(class text, id bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id << 4 | coalesce(array_position(
  ARRAY['track', 'collection', 'artist', 'podcast', 'podcast-episode', 'audiobook', 'ebook', 'app'], class), 0);
COMMENT ON FUNCTION itunes.key IS 'Key of an item of a storefront: the id, and the number of the class in the last four bits.';

CREATE FUNCTION itunes.key_class(key bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce((ARRAY['track', 'collection', 'artist', 'podcast', 'podcast-episode', 'audiobook', 'ebook', 'app'])
                [(key & 15)::integer], 'other');
COMMENT ON FUNCTION itunes.key_class IS 'Class of the item that a key stands for.';

CREATE FUNCTION itunes.key_id(key bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN key >> 4;
COMMENT ON FUNCTION itunes.key_id IS 'Id of the item that a key stands for.';

-- Views.

CREATE VIEW itunes.track AS
SELECT country, id, kind, title, artist_id, artist_name, collection_id, collection_name, price, currency,
       is_sold_singly, collection_price, track_rental_price, track_hd_price, release_date, track_time_ms, disc_number, disc_count,
       track_number, track_count, explicitness, content_advisory_rating, primary_genre, preview_url, artwork_url,
       artist_view_url, collection_view_url, track_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'track';
COMMENT ON VIEW itunes.track IS 'Songs, music videos, films and TV episodes.';

CREATE VIEW itunes.album AS
SELECT country, id, title, artist_id, artist_name, price, currency, release_date, track_count, explicitness,
       content_advisory_rating, primary_genre, artwork_url, artist_view_url, collection_view_url, raw, first_seen_at,
       changed_at, vanished_at
FROM itunes.item WHERE class = 'collection' AND collection_type IS DISTINCT FROM 'TV Season';
COMMENT ON VIEW itunes.album IS 'Albums.';

CREATE VIEW itunes.artist AS
SELECT country, id, artist_type, title, primary_genre, artist_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'artist';
COMMENT ON VIEW itunes.artist IS 'Artists and authors.';

CREATE VIEW itunes.podcast AS
SELECT country, id, title, artist_id, artist_name, release_date, released_at, track_time_ms, track_count, explicitness,
       content_advisory_rating, primary_genre, genres, feed_url, artwork_url, artist_view_url, collection_view_url, raw,
       first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'podcast';
COMMENT ON VIEW itunes.podcast IS 'Podcasts.';

CREATE VIEW itunes.podcast_episode AS
SELECT country, id, title, collection_id, collection_name, release_date, released_at, track_time_ms,
       content_advisory_rating, genres, preview_url, artwork_url, collection_view_url, track_view_url, raw,
       first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'podcast-episode';
COMMENT ON VIEW itunes.podcast_episode IS 'Episodes of podcasts.';

CREATE VIEW itunes.audiobook AS
SELECT country, id, title, artist_id, artist_name, price, currency, release_date, explicitness, primary_genre,
       preview_url, artwork_url, artist_view_url, collection_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'audiobook';
COMMENT ON VIEW itunes.audiobook IS 'Audiobooks.';

CREATE VIEW itunes.ebook AS
SELECT country, id, title, artist_id, artist_name, price, formatted_price, currency, release_date, genres,
       file_size_bytes, average_user_rating, user_rating_count, artwork_url, artist_view_url, track_view_url, raw,
       first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'ebook';
COMMENT ON VIEW itunes.ebook IS 'Ebooks.';

CREATE VIEW itunes.app AS
SELECT country, id, kind, bundle_id, title, artist_id, artist_name, price, formatted_price, currency, release_date,
       version, file_size_bytes, content_advisory_rating, primary_genre, genres, average_user_rating, user_rating_count,
       artwork_url, artist_view_url, track_view_url, raw, first_seen_at, changed_at, vanished_at
FROM itunes.item WHERE class = 'app';
COMMENT ON VIEW itunes.app IS 'Apps of iPhone, iPad and Mac.';

CREATE VIEW itunes.search_item AS
SELECT r.search, r.position, r.country, r.class, r.id, i.kind, i.title, i.artist_id, i.artist_name, i.collection_id,
       i.collection_name, i.price, i.currency, i.is_sold_singly, i.release_date, i.track_time_ms, i.disc_number,
       i.track_number, i.explicitness, i.primary_genre, i.preview_url, i.artwork_url, i.artist_view_url,
       i.collection_view_url, i.track_view_url, i.changed_at, i.vanished_at
FROM itunes.search_result r LEFT JOIN itunes.item i USING (country, class, id);
COMMENT ON VIEW itunes.search_item IS 'What the searches returned last, with the items.';

CREATE VIEW itunes.chart_ranking AS
SELECT e.country, e.media, e.feed, e.type, e.position, e.id, i.name, i.artist_id, i.artist_name, i.kind, i.release_date,
       i.content_advisory_rating, i.genres, i.url, i.artist_url, i.artwork_url
FROM itunes.chart_entry e LEFT JOIN itunes.chart_item i USING (country, type, id);
COMMENT ON VIEW itunes.chart_ranking IS 'The charts as last published, with names.';

-- The columns of the views say what those of the tables say.
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
      WHEN 'chart_ranking' THEN CASE WHEN a.attname IN ('media', 'feed', 'position') THEN 'itunes.chart_entry'::regclass
                                     ELSE 'itunes.chart_item'::regclass END END
    LEFT JOIN pg_attribute s ON s.attrelid = source.oid AND s.attname = a.attname
    LEFT JOIN pg_attribute i ON i.attrelid = 'itunes.item'::regclass AND i.attname = a.attname
    WHERE c.relnamespace = 'itunes'::regnamespace AND c.relkind = 'v'
  LOOP
    EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', v.relation, v.attname, v.text);
  END LOOP;
END $$;

-- What people ask.

CREATE FUNCTION itunes.search_as_of(of_search text, moment timestamptz DEFAULT now())
RETURNS TABLE ("position" integer, country text, class text, id bigint, title text, artist_name text,
               collection_name text, valid_from timestamptz)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT h.position, h.country, h.class, h.id, i.title, i.artist_name, i.collection_name, h.valid_from
  FROM itunes.search_history h LEFT JOIN itunes.item i USING (country, class, id)
  WHERE h.search = of_search AND h.valid_from <= moment AND (h.valid_to > moment OR h.valid_to IS NULL)
  ORDER BY h.position;
END;
COMMENT ON FUNCTION itunes.search_as_of IS 'What a search returned when it was last published by a time.';

CREATE FUNCTION itunes.chart_as_of(of_country text, of_media text, of_feed text, of_type text,
                                   moment timestamptz DEFAULT now())
RETURNS TABLE ("position" integer, id bigint, name text, artist_name text, valid_from timestamptz)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT h.position, h.id, i.name, i.artist_name, h.valid_from
  FROM itunes.chart_history h LEFT JOIN itunes.chart_item i USING (country, type, id)
  WHERE h.country = of_country AND h.media = of_media AND h.feed = of_feed AND h.type = of_type
    AND h.valid_from <= moment AND (h.valid_to > moment OR h.valid_to IS NULL)
  ORDER BY h.position;
END;
COMMENT ON FUNCTION itunes.chart_as_of IS 'A chart as it was last published by a time.';

CREATE FUNCTION itunes.chart_movers(of_country text, of_media text, of_feed text, of_type text, since timestamptz)
RETURNS TABLE (id bigint, name text, artist_name text, "position" integer, previous_position integer, change integer,
               movement text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH past AS (
    SELECT p.id, p.position FROM itunes.chart_as_of(of_country, of_media, of_feed, of_type, since) p
  ), present AS (
    SELECT e.id, e.position AS position FROM itunes.chart_entry e
    WHERE e.country = of_country AND e.media = of_media AND e.feed = of_feed AND e.type = of_type
  ), absent AS (
    SELECT 1 + greatest((SELECT max(p.position) FROM past p), (SELECT max(n.position) FROM present n)) AS position
  )
  SELECT m.id, i.name, i.artist_name, n.position, p.position, p.position - n.position,
         CASE WHEN p.position IS NULL THEN 'entered' WHEN n.position IS NULL THEN 'left'
              WHEN n.position < p.position THEN 'up' ELSE 'down' END
  FROM (SELECT present.id FROM present UNION SELECT past.id FROM past) m
  LEFT JOIN present n ON n.id = m.id
  LEFT JOIN past p ON p.id = m.id
  CROSS JOIN absent a
  LEFT JOIN itunes.chart_item i ON i.country = of_country AND i.type = of_type AND i.id = m.id
  WHERE n.position IS DISTINCT FROM p.position
  ORDER BY abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) DESC,
           coalesce(n.position, p.position), m.id;
END;
COMMENT ON FUNCTION itunes.chart_movers IS 'Who moved in a chart since a time, the longest way first: the chart as last published against what it was then. Who came in or left has come from or gone to the end.';

CREATE FUNCTION itunes.found(term text, of_country text DEFAULT NULL)
RETURNS SETOF itunes.item
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT i.* FROM itunes.item i
  WHERE i.vanished_at IS NULL AND (of_country IS NULL OR i.country = of_country)
    -- Patterns without their signs.
    AND i.search_text LIKE ALL (ARRAY(
      SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      FROM regexp_split_to_table(itunes.folded(term), '\s+') AS word WHERE word <> ''));
END;
COMMENT ON FUNCTION itunes.found IS 'Items of the mirror in whose title, artist and collection all words of a term occur, in any case and with or without accents.';
