-- How a document becomes columns, counters included. `item` is what a statement brings: kind, mal_id, raw and whatever
-- else it needs. The program inserts this text where another statement of this folder has columns between comment
-- marks, so that written columns and previewed ones cannot differ. Other columns of the same documents are another
-- mapping with a higher version, and `syncctl migrate` derives the stored ones again.
SELECT item.*, raw->>'title' AS title, raw->>'title_english' AS title_english, raw->>'title_japanese' AS title_japanese,
       raw->>'type' AS type, raw->>'source' AS source, jikan.whole(raw->'episodes') AS episodes,
       jikan.whole(raw->'chapters') AS chapters, jikan.whole(raw->'volumes') AS volumes, raw->>'status' AS status,
       coalesce(raw->>'airing', raw->>'publishing')::boolean AS ongoing,
       coalesce(raw->'aired'->>'from', raw->'published'->>'from')::timestamptz AS started_at,
       raw->>'rating' AS rating, raw->>'season' AS season, jikan.whole(raw->'year') AS year, raw->>'url' AS url,
       raw->'images'->'jpg'->>'image_url' AS image_url, raw->>'synopsis' AS synopsis,
       raw->>'approved' IS DISTINCT FROM 'false' AS approved,
       (raw->>'score')::numeric AS score, jikan.whole(raw->'scored_by') AS scored_by, jikan.whole(raw->'rank') AS rank,
       jikan.whole(raw->'popularity') AS popularity, jikan.whole(raw->'members') AS members,
       jikan.whole(raw->'favorites') AS favorites
FROM item
