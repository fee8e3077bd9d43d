-- title: Price changes
-- description: Prices that changed since a time, the latest change first. An item's first price is not a change.
-- source: itunes
-- parameter: since time = 30d | Beginning of the period
-- parameter: country text = null | One storefront only, e.g. us
-- parameter: kind text = null | Items of one kind only, e.g. song or album
-- parameter: limit integer = 100 (0..100000) | Number of rows; 0 for all
-- narrow: id, artist, kind, change_percent
-- column: country | Storefront.
-- column: id | Apple's id.
-- column: kind | Kind of the item, or its class if the item has no kind.
-- column: title | Title.
-- column: artist | Artist.
-- column: previous_price | Previous price: 0 for a free item, null without a price.
-- column: price | New price: 0 for a free item, null without a price.
-- column: currency | Currency of the new price, or of the previous price if there is no new price.
-- column: change | Difference; null if the currency changed.
-- column: change_percent | Difference in percent of the previous price; null if the previous price was 0.
-- column: at | When the mirror noticed the change.
SELECT country, id, coalesce(i.kind, CASE class WHEN 'collection' THEN 'album' ELSE class END) AS kind, i.title,
       i.artist_name AS artist, p.previous_price, p.price, coalesce(p.currency, p.previous_currency) AS currency,
       CASE WHEN p.currency IS NOT DISTINCT FROM p.previous_currency THEN p.price - p.previous_price END AS change,
       CASE WHEN p.currency IS NOT DISTINCT FROM p.previous_currency AND p.previous_price > 0
            THEN round(100 * (p.price - p.previous_price) / p.previous_price, 1) END AS change_percent,
       p.at
FROM itunes.price_change p LEFT JOIN itunes.item i USING (country, class, id)
WHERE p.at >= :since
  AND (:country IS NULL OR country = sync.lower(:country))
  AND (:kind IS NULL OR coalesce(i.kind, CASE class WHEN 'collection' THEN 'album' ELSE class END) = :kind)
ORDER BY p.at DESC, country, class, id
LIMIT nullif(:limit, 0)
