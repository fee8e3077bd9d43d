-- How a document becomes columns, counters included. `item` is what a statement brings: kind, mal_id, raw and whatever
-- else it needs. The program inserts this text where another statement of this folder has columns between comment
-- marks, so that written columns and previewed ones cannot differ. Other columns of the same documents are another
-- mapping with a higher version, and `syncctl migrate` derives the stored ones again.
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
