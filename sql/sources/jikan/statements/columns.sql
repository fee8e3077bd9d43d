-- Derives columns, including counters, from a document. The program inserts this text into statements that define
-- `item` with kind, mal_id and raw. A new column needs a higher mapping version, so that `syncctl migrate` derives
-- stored documents again.
SELECT item.*, jikan.string(raw->'title') AS title, jikan.string(raw->'title_english') AS title_english,
       jikan.string(raw->'title_japanese') AS title_japanese, jikan.string(raw->'type') AS type,
       jikan.string(raw->'source') AS source, jikan.whole(raw->'episodes') AS episodes,
       jikan.whole(raw->'chapters') AS chapters, jikan.whole(raw->'volumes') AS volumes,
       jikan.string(raw->'status') AS status,
       coalesce(jikan.flag(raw->'airing'), jikan.flag(raw->'publishing')) AS ongoing,
       coalesce(jikan.moment(raw->'aired'->'from'), jikan.moment(raw->'published'->'from')) AS started_at,
       jikan.string(raw->'rating') AS rating, jikan.string(raw->'season') AS season,
       jikan.whole(raw->'year') AS year, jikan.string(raw->'url') AS url,
       jikan.string(raw->'images'->'jpg'->'image_url') AS image_url, jikan.string(raw->'synopsis') AS synopsis,
       coalesce(jikan.flag(raw->'approved'), true) AS approved,
       jikan.number(raw->'score') AS score, jikan.whole(raw->'scored_by') AS scored_by, jikan.whole(raw->'rank') AS rank,
       jikan.whole(raw->'popularity') AS popularity, jikan.whole(raw->'members') AS members,
       jikan.whole(raw->'favorites') AS favorites
FROM item
