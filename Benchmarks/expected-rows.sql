-- Creates a table with each item of all pages once, in the order of the list, and with the columns of a mirror.
CREATE SCHEMA jikan;
CREATE TABLE expected AS
SELECT 'anime' AS kind, (raw->>'mal_id')::bigint AS mal_id, raw->>'title' AS title,
       raw->>'title_english' AS title_english, raw->>'title_japanese' AS title_japanese, raw->>'type' AS type,
       raw->>'source' AS source, (raw->>'episodes')::integer AS episodes, raw->>'status' AS status,
       (raw->>'airing')::boolean AS airing, (raw->'aired'->>'from')::timestamptz AS aired_from,
       raw->>'rating' AS rating, (raw->>'score')::numeric AS score, (raw->>'scored_by')::integer AS scored_by,
       (raw->>'rank')::integer AS rank,
       (raw->>'popularity')::integer AS popularity, (raw->>'members')::integer AS members,
       (raw->>'favorites')::integer AS favorites, raw->>'season' AS season, (raw->>'year')::integer AS year,
       raw->>'url' AS url, raw->'images'->'jpg'->>'image_url' AS image_url, raw->>'synopsis' AS synopsis, raw
FROM (
  SELECT DISTINCT ON (item->'mal_id') page, place, item AS raw
  FROM body, jsonb_array_elements(body->'data') WITH ORDINALITY AS i (item, place),
       LATERAL (SELECT (body->'pagination'->>'current_page')::integer AS page) AS p
  ORDER BY item->'mal_id', page, place
) AS item
ORDER BY page, place;
CREATE VIEW jikan.anime AS SELECT * FROM expected
