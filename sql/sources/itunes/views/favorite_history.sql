-- An item of several storefronts has one history, which ends when the item has vanished from all storefronts. A
-- changed_at within a second of first_seen_at is ignored, because in a new row the two can differ by microseconds.

CREATE OR REPLACE VIEW itunes.favorite_history AS
SELECT k.kind, h.id, concat_ws(' ', h.country, h.media, h.feed, h.type) AS list,
       (SELECT min(published_at) FROM itunes.chart_publication c
        WHERE c.country = h.country AND c.media = h.media AND c.feed = h.feed AND c.type = h.type) AS list_began_at,
       'position' AS what, h.position::numeric AS value, h.valid_from, h.valid_to
FROM itunes.chart_history h
JOIN (VALUES ('songs', 'track'), ('music-videos', 'track'), ('albums', 'album'), ('apps', 'app'),
             ('podcasts', 'podcast'), ('books', 'ebook'), ('audio-books', 'audiobook')) AS k (type, kind)
  ON k.type = h.type
UNION ALL
-- A branch of its own, because a query for one `what` then omits the other branches from its plan.
SELECT k.kind, h.id, concat_ws(' ', h.country, h.media, h.feed, h.type), NULL, 'unread', NULL, h.valid_from, h.valid_to
FROM itunes.chart_history h
JOIN (VALUES ('songs', 'track'), ('music-videos', 'track'), ('albums', 'album'), ('apps', 'app'),
             ('podcasts', 'podcast'), ('books', 'ebook'), ('audio-books', 'audiobook')) AS k (type, kind)
  ON k.type = h.type
WHERE h.unread
UNION ALL
SELECT CASE class WHEN 'collection' THEN 'album' ELSE class END, id, country || ' store', i.first_seen_at, 'price',
       v.value, v.valid_from, v.valid_to
FROM (
  SELECT *, lag(at) OVER changes AS previous_at, lead(at) OVER changes AS next_at
  FROM itunes.price_change WINDOW changes AS (PARTITION BY country, class, id ORDER BY at)
) p
JOIN itunes.item i USING (country, class, id)
CROSS JOIN LATERAL (VALUES
  (p.previous_price, i.first_seen_at, p.at, p.previous_at IS NULL), (p.price, p.at, p.next_at, true)
) AS v (value, valid_from, valid_to, is_shown)
WHERE v.is_shown
UNION ALL
SELECT i.kind, i.id, NULL, NULL, e.what, NULL, e.at, NULL
FROM (
  SELECT CASE class WHEN 'collection' THEN 'album' ELSE class END AS kind, id, min(first_seen_at) AS first_seen_at,
         max(changed_at) FILTER (
           WHERE vanished_at IS NULL AND changed_at > first_seen_at + interval '1 second') AS changed_at,
         CASE WHEN bool_and(vanished_at IS NOT NULL) THEN max(vanished_at) END AS vanished_at
  FROM itunes.item GROUP BY 1, 2
) i
CROSS JOIN LATERAL (VALUES ('mirrored', i.first_seen_at), ('vanished', i.vanished_at), ('changed', i.changed_at))
  AS e (what, at)
WHERE e.at IS NOT NULL;
COMMENT ON VIEW   itunes.favorite_history IS 'The recorded changes of this source''s items that can be favorites. app.favorite_history contains the changes of all sources.';
COMMENT ON COLUMN itunes.favorite_history.kind IS 'As in itunes.favorite_item.';
COMMENT ON COLUMN itunes.favorite_history.id IS 'As in itunes.favorite_item.';
COMMENT ON COLUMN itunes.favorite_history.list IS 'Country, media, feed and type of a chart, or the storefront of a price; null for an event of the item itself.';
COMMENT ON COLUMN itunes.favorite_history.list_began_at IS 'Beginning of the chart''s history; for a price, the time when the item was first seen.';
COMMENT ON COLUMN itunes.favorite_history.what IS 'Kind of value (position or price) or of event (mirrored, changed or vanished); unread for a time during which the list''s last walk had not read the item.';
COMMENT ON COLUMN itunes.favorite_history.value IS 'The value; null for an event.';
COMMENT ON COLUMN itunes.favorite_history.valid_from IS 'When the value became valid, or when the event was recorded.';
COMMENT ON COLUMN itunes.favorite_history.valid_to IS 'When the value stopped being valid; null for a valid value and for an event.';
