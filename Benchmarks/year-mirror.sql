-- Fills an empty mirror with the data of a year: 30,000 anime and 85,000 manga with their lists published daily, 5
-- million rows of history, 88,000 runs, the Pokédex, searches and charts. The variables `anime`, `manga` and `days` set
-- other numbers: of items, and of days on which the lists were published.
SET synchronous_commit = off;
SET jit = off;
SET timezone = 'UTC';
\if :{?anime} \else \set anime 30000 \endif
\if :{?manga} \else \set manga 85000 \endif
\if :{?days} \else \set days 365 \endif

-- Day d of the year, 1 to 365; day 365 is yesterday.
CREATE FUNCTION pg_temp.day(d integer) RETURNS timestamptz LANGUAGE sql STABLE
RETURN date_trunc('day', now()) + interval '4 hours' - (366 - d) * interval '1 day';

CREATE FUNCTION pg_temp.prose(seed text, words integer) RETURNS text LANGUAGE sql VOLATILE
RETURN (SELECT string_agg(substr(md5(seed || w), 1, 3 + w % 7), ' ') FROM generate_series(1, words) w);

-- A content hash. Its last byte is the version of the mapping, so that `migrate` does not derive the row again.
CREATE FUNCTION pg_temp.hash(seed text, version integer) RETURNS bytea LANGUAGE sql IMMUTABLE
RETURN sha256(seed::bytea) || set_byte('\x00'::bytea, 0, version);

-- Members such as genres: links to things of a kind with these ids.
CREATE FUNCTION pg_temp.links(name text, VARIADIC ids integer[]) RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN (SELECT jsonb_agg(jsonb_build_object('mal_id', id, 'type', 'anime', 'name', name || ' ' || id))
        FROM (SELECT DISTINCT unnest(ids) AS id) i);

-- Anime and manga ----------------------------------------------------------------------------------------------------

INSERT INTO jikan.media (kind, mal_id, title, title_english, title_japanese, type, source, episodes, status, ongoing,
  started_at, season, year, url, image_url, synopsis, raw, content_hash, first_seen_at, changed_at)
SELECT kind, n, title, title || ' (English)', '題' || n,
       (CASE kind WHEN 'anime' THEN '{TV,Movie,OVA,Special,ONA,Music}'
        ELSE '{Manga,Novel,Light Novel,One-shot,Manhwa,Doujinshi}' END::text[])[1 + n % 6],
       'Manga', 12, CASE n % 40 WHEN 0 THEN 'Not yet aired' WHEN 1 THEN 'Currently Airing' ELSE 'Finished Airing' END,
       n % 40 = 1, now() - n % 30000 * interval '3 hours', ('{winter,spring,summer,fall}'::text[])[1 + n % 4], 2000 + n % 26,
       'https://myanimelist.net/' || kind || '/' || n,
       'https://cdn.myanimelist.net/images/' || kind || '/' || n || '.jpg', synopsis,
       jsonb_build_object('mal_id', n, 'title', title, 'synopsis', synopsis, 'background', pg_temp.prose(title, 120),
         'title_english', title || ' (English)', 'title_japanese', '題' || n,
         'titles', jsonb_build_array(jsonb_build_object('type', 'Default', 'title', title),
           jsonb_build_object('type', 'Japanese', 'title', '題' || n),
           jsonb_build_object('type', 'English', 'title', title || ' (English)')),
         'genres', pg_temp.links('Genre', 1 + n % 40, 1 + n / 40 % 37), 'themes', pg_temp.links('Theme', 100 + n % 50),
         CASE kind WHEN 'anime' THEN 'studios' ELSE 'authors' END,
         pg_temp.links(CASE kind WHEN 'anime' THEN 'Studio' ELSE 'Author' END, 1000 + n * 7919 % 3001)),
       pg_temp.hash(title, 4), pg_temp.day(1), pg_temp.day(1 + n % 365)
FROM (
  SELECT kind, n, initcap(pg_temp.prose(kind || n, 4)) AS title, pg_temp.prose(kind || n || 's', 110) AS synopsis
  FROM (SELECT 'anime' AS kind, n FROM generate_series(1, :anime) n
        UNION ALL SELECT 'manga', n FROM generate_series(1, :manga) n) numbers
  OFFSET 0
) item;

INSERT INTO jikan.media_counters (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash,
  changed_at)
SELECT kind, mal_id, round(9 - (mal_id % 7000) / 1500.0, 2), 1000 + mal_id % 5000, mal_id, mal_id,
       (mal_id * 7919) % 2000003, (mal_id * 104729) % 200003, mal_id, pg_temp.day(365)
FROM jikan.media ORDER BY kind, mal_id;

INSERT INTO jikan.media_links (kind, mal_id, facets, linked_ids, names)
SELECT kind, l.*
FROM (SELECT kind, array_agg(mal_id) AS keys, array_agg(raw) AS documents FROM jikan.media GROUP BY kind, mal_id / 500) m,
  jikan.links_of(keys, documents) l;
INSERT INTO jikan.media_title (kind, mal_id, titles)
SELECT kind, t.*
FROM (SELECT kind, array_agg(mal_id) AS keys, array_agg(raw) AS documents FROM jikan.media GROUP BY kind, mal_id / 500) m,
  jikan.titles_of(keys, documents) t;
INSERT INTO jikan.genre (kind, facet, mal_id, name, count, raw, content_hash, counter_hash)
SELECT kind, CASE WHEN g < 100 THEN 'genres' ELSE 'themes' END, g, CASE WHEN g < 100 THEN 'Genre ' ELSE 'Theme ' END || g,
       1000, '{}', pg_temp.hash(kind || g, 2), 0
FROM unnest(ARRAY['anime', 'manga']) kind,
  (SELECT generate_series(1, 40) UNION ALL SELECT generate_series(100, 149)) genres (g);

INSERT INTO jikan.ranking (kind, subtype, filter, mal_id, position)
SELECT kind, 'all', 'none', mal_id, row_number() OVER (PARTITION BY kind ORDER BY mal_id) FROM jikan.media;

-- Each anime changes every 4 or 5 days, each manga every 12 or 13 days. A position differs from the id by up to 20.
SELECT count(jikan.attach_ranking_history_partition(month))
FROM generate_series(date_trunc('month', pg_temp.day(1)), now(), interval '1 month') AS month;
INSERT INTO jikan.ranking_history (kind, subtype, filter, mal_id, valid_from, valid_to, position, rank, score, members,
  favorites)
SELECT kind, 'all', 'none', n, pg_temp.day(d), CASE WHEN d + period <= 365 THEN pg_temp.day(d + period) END,
       greatest(1, n + (n * 31 + d * 17) % 41 - 20), n, round(9 - ((n + d) % 7000) / 1500.0, 2), (n * 7919) % 2000003,
       n::bigint * 104729 % 200003
FROM generate_series(366 - :days, 365) d
CROSS JOIN (VALUES ('anime', :anime, 4, 0), ('anime', :anime, 5, 1), ('manga', :manga, 12, 0), ('manga', :manga, 13, 1))
  AS half (kind, items, period, parity)
CROSS JOIN LATERAL (
  SELECT n FROM generate_series(1, items) n WHERE n % 2 = parity AND (n / 2 + d) % period = 0
) changed
ORDER BY d, kind, n;
INSERT INTO jikan.ranking_publication (kind, subtype, filter, published_at, run_id, entries, positions, consistent)
SELECT kind, 'all', 'none', pg_temp.day(d), gen_random_uuid(), items, items, true
FROM generate_series(366 - :days, 365) d, (VALUES ('anime', :anime), ('manga', :manga)) AS list (kind, items);

-- The ledger: ten streams, each once an hour, and some that ran once -------------------------------------------------

INSERT INTO sync.run (source, stream, walk_id, status, started_at, finished_at, pages, requests, rows_seen,
  unchanged, bytes, wal_bytes, certificate)
SELECT CASE WHEN s <= 6 THEN 'jikan' ELSE 'itunes' END, 'stream-' || s, h * 10 + s, 'complete',
       now() - h * interval '1 hour' - s * interval '1 minute',
       now() - h * interval '1 hour' - s * interval '1 minute' + interval '40 seconds', 120, 121, 3000,
       3000, 9000000, 40000,
       jsonb_build_object('complete', true, 'ended_by', '404', 'claimed_total', 3000, 'distinct_keys', 3000, 'drift', 0,
         'holes', '[]'::jsonb)
FROM generate_series(1, 8800) h, generate_series(1, 10) s ORDER BY h DESC, s DESC;

INSERT INTO sync.run (source, stream, walk_id, status, started_at, finished_at)
SELECT 'itunes', 'search-' || s, 100000 + s, 'complete', pg_temp.day(1), pg_temp.day(1) FROM generate_series(1, 40) s;

INSERT INTO sync.walk (id, source, stream, provider, origin, page_size, started_at, finished_at) OVERRIDING SYSTEM VALUE
SELECT h * 10 + s, CASE WHEN s <= 6 THEN 'jikan' ELSE 'itunes' END, 'stream-' || s, 'simulated', 'http://127.0.0.1', 25,
       now() - h * interval '1 hour', now() - h * interval '1 hour'
FROM generate_series(1, 168) h, generate_series(1, 10) s;
INSERT INTO sync.walk_page (walk_id, page, list_page, keys, claimed_total, last_page, has_next)
SELECT w.id, p, p, ARRAY(SELECT generate_series(p * 25 - 24, p * 25)), 3000, 120, p < 120
FROM sync.walk w, generate_series(1, 120) p ORDER BY w.id, p;

INSERT INTO sync.publication (source, list, run_id, published_at, consistent, entries)
SELECT DISTINCT ON (source, stream) source, stream, id, finished_at, true, 3000
FROM sync.run ORDER BY source, stream, started_at DESC;
INSERT INTO sync.stream_state (source, stream, provider, origin, page_size, last_complete_run_id, last_complete_at)
SELECT source, list, 'simulated', 'http://127.0.0.1', 25, run_id, published_at FROM sync.publication;

INSERT INTO sync.job (name, source, streams, schedule, time_zone)
SELECT 'job-' || j, 'jikan', '{top-anime}', '@hourly', 'UTC' FROM generate_series(1, 10) j;
INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by, state, attempts, started_at, ended_at, outcome)
SELECT 'job-' || j, now() - h * interval '1 hour', now() - h * interval '1 hour', 'schedule', 'ended', 1,
       now() - h * interval '1 hour', now() - h * interval '1 hour', 'done'
FROM generate_series(1, 2160) h, generate_series(1, 10) j;

-- The Pokédex --------------------------------------------------------------------------------------------------------

INSERT INTO pokeapi.language (id, name, official)
SELECT l, (ARRAY['ja-Hrkt', 'roomaji', 'ko', 'zh-Hant', 'fr', 'de', 'es', 'it', 'en', 'cs', 'ja', 'zh-Hans'])[l], true
FROM generate_series(1, 12) l;
INSERT INTO pokeapi.type (id, name, generation_id, is_battle)
SELECT t, CASE t WHEN 10 THEN 'fire' ELSE 'type-' || t END, 1, true FROM generate_series(1, 18) t;
INSERT INTO pokeapi.species (id, name, generation_id, is_baby, is_legendary, is_mythical, evolution_chain_id)
SELECT n, 'species-' || n, 1 + n / 115, false, n % 20 = 0, n % 50 = 0, (n + 2) / 3 FROM generate_series(1, 1025) n;
-- Ids from 10,001 are other forms of the first species.
INSERT INTO pokeapi.pokemon (id, name, species_id, species, is_default, height, weight, total)
SELECT id, 'pokemon-' || id, n, 'species-' || n, id < 10000, 10, 100, 200 + n % 500
FROM (SELECT n AS id, n FROM generate_series(1, 1025) n UNION ALL SELECT 10000 + n, n FROM generate_series(1, 326) n) p;
INSERT INTO pokeapi.pokemon_type (pokemon_id, slot, type_id, type)
SELECT p.id, slot, t.id, t.name FROM pokeapi.pokemon p CROSS JOIN generate_series(1, 2) slot
JOIN pokeapi.type t ON t.id = 1 + (p.id + slot * 5) % 18;
INSERT INTO pokeapi.pokemon_stat (pokemon_id, stat_id, stat, base_stat)
SELECT p.id, s, (ARRAY['hp', 'attack', 'defense', 'special-attack', 'special-defense', 'speed'])[s],
       20 + (p.id * s) % 150
FROM pokeapi.pokemon p, generate_series(1, 6) s;
INSERT INTO pokeapi.pokemon_ability (pokemon_id, slot, ability_id, ability, is_hidden)
SELECT p.id, s, 1 + (p.id + s) % 360, 'ability-' || 1 + (p.id + s) % 360, s = 3
FROM pokeapi.pokemon p, generate_series(1, 3) s;
INSERT INTO pokeapi.pokemon_form (id, name, pokemon_id, pokemon, is_default)
SELECT id, name, id, name, true FROM pokeapi.pokemon
UNION ALL SELECT 20000 + n, 'other-' || n, 1 + n % 1025, 'pokemon-' || 1 + n % 1025, false
FROM generate_series(1, 180) n;
INSERT INTO pokeapi.name (endpoint, id, language, language_id, name)
SELECT endpoint, d.id, l.name, l.id, endpoint || ' ' || d.id || ' in ' || l.name
FROM (SELECT 'pokemon-species' AS endpoint, id FROM pokeapi.species
      UNION ALL SELECT 'pokemon-form', id FROM pokeapi.pokemon_form WHERE id > 10000
      UNION ALL SELECT 'type', id FROM pokeapi.type
      UNION ALL SELECT 'ability', n FROM generate_series(1, 360) n
      UNION ALL SELECT 'move', n FROM generate_series(1, 930) n
      UNION ALL SELECT 'item', n FROM generate_series(1, 2100) n) d
CROSS JOIN pokeapi.language l;
INSERT INTO pokeapi.species_text (species_id, language, language_id, version_id, version, text)
SELECT s.id, l.name, l.id, v, 'version-' || v, 'text ' || v
FROM pokeapi.species s, pokeapi.language l, generate_series(1, 8) v;
INSERT INTO pokeapi.evolution_chain (id, species_id, species)
SELECT n, n * 3 - 2, 'species-' || n * 3 - 2 FROM generate_series(1, 342) n;
INSERT INTO pokeapi.evolution (chain_id, species_id, ordinal, species, from_species_id, from_species, sentence)
SELECT (n + 2) / 3, n, 1, 'species-' || n, n - 1, 'species-' || n - 1, 'at level 16'
FROM generate_series(1, 1025) n WHERE n % 3 <> 1;
INSERT INTO pokeapi.resource (endpoint, id, name, raw, content_hash)
SELECT endpoint, id, name, jsonb_build_object('id', id, 'name', name), pg_temp.hash(name, 3)
FROM (SELECT 'pokemon' AS endpoint, id, name FROM pokeapi.pokemon
      UNION ALL SELECT 'pokemon-species', id, name FROM pokeapi.species
      UNION ALL SELECT 'type', id, name FROM pokeapi.type) r;

-- Searches, charts, favorites ----------------------------------------------------------------------------------------

INSERT INTO itunes.item (country, class, id, kind, title, artist_id, artist_name, collection_id, collection_name, price,
  search_text, raw, content_hash)
SELECT country, class, n, 'song', title, n % 3000, 'Artist ' || n % 3000, n % 9000, 'Album ' || n % 9000, 1.29,
       lower(title || ' artist ' || n % 3000 || ' album ' || n % 9000),
       jsonb_build_object('trackId', n, 'trackName', title, 'description', pg_temp.prose(title, 60)),
       pg_temp.hash(title, 2)
FROM (SELECT country, class, n, 'Title ' || n AS title
      FROM unnest(ARRAY['tw', 'us']) country, unnest(ARRAY['track', 'collection']) class,
        generate_series(1, 20000) n) item;
INSERT INTO itunes.lookup_history (at, action, country, term, id, class, results)
SELECT pg_temp.day(1 + n * 365 / 40001), 'show', 'tw', NULL, n % 20000, 'track', 1 FROM generate_series(1, 40000) n;
INSERT INTO itunes.chart_item (country, type, id, name, artist_name, raw, content_hash)
SELECT 'tw', 'songs', n, 'Song ' || n, 'Artist ' || n % 300, '{}', pg_temp.hash(n::text, 2)
FROM generate_series(1, 3000) n;
INSERT INTO itunes.chart_history (country, media, feed, type, id, valid_from, valid_to, position)
SELECT 'tw', 'music', 'most-played', 'songs', 1 + (d * 7 + p) % 3000, pg_temp.day(d),
       CASE WHEN d < 365 THEN pg_temp.day(d + 1) END, p
FROM generate_series(1, 365) d, generate_series(1, 100) p;
INSERT INTO itunes.chart_entry (country, media, feed, type, id, position)
SELECT country, media, feed, type, id, position FROM itunes.chart_history WHERE valid_to IS NULL;
INSERT INTO itunes.chart_publication (country, media, feed, type, published_at, run_id, entries, consistent)
SELECT 'tw', 'music', 'most-played', 'songs', pg_temp.day(d), gen_random_uuid(), 100, true
FROM generate_series(1, 365) d;

INSERT INTO app.favorite (collection, source, kind, id, added_at, rank_at_add)
SELECT 'favorites', 'jikan', 'anime', n * 50, pg_temp.day(n), CASE WHEN n % 10 > 0 THEN h.rank END
FROM generate_series(1, 300) n
LEFT JOIN jikan.ranking_history h
  ON h.kind = 'anime' AND h.subtype = 'all' AND h.filter = 'none' AND h.mal_id = n * 50
  AND h.valid_from <= pg_temp.day(n) AND (h.valid_to IS NULL OR h.valid_to > pg_temp.day(n))
UNION ALL
SELECT 'owned', 'pokeapi', 'pokemon', n * 3, pg_temp.day(n), NULL FROM generate_series(1, 200) n;
