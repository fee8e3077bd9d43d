-- revision: 1
-- title: Prices
-- description: Items with a price whose document has changed, or is new, since a time; the latest change first. The
--   mirror keeps the last price of an item and none from before, so that it cannot say whether the price was
--   what changed.
-- source: itunes
-- parameter: since time = 30d | From when on
-- parameter: country text = null | One storefront only, e.g. us
-- parameter: kind text = null | Items of one kind only, e.g. song or album
-- parameter: limit integer = 100 (0..100000) | How many rows; 0 for all
-- narrow: id, artist, kind, is_new
-- column: country | Storefront.
-- column: id | Apple's id.
-- column: kind | Kind of the item, otherwise its class.
-- column: title | Title.
-- column: artist | Artist.
-- column: price | Price as of the last change; 0 is free.
-- column: currency | Its currency.
-- column: changed_at | When the document differed last.
-- column: is_new | Whether it has not differed since it came into the mirror.
SELECT country, id, coalesce(kind, CASE class WHEN 'collection' THEN 'album' ELSE class END) AS kind, title,
       artist_name AS artist, price, currency, changed_at, changed_at = first_seen_at AS is_new
FROM itunes.item
WHERE price IS NOT NULL AND vanished_at IS NULL AND changed_at >= :since
  AND (:country IS NULL OR country = lower(:country))
  AND (:kind IS NULL OR coalesce(kind, CASE class WHEN 'collection' THEN 'album' ELSE class END) = :kind)
ORDER BY changed_at DESC, country, class, id
LIMIT nullif(:limit, 0)
