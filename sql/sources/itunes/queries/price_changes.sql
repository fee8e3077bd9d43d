-- The price changes of an item, the latest first.
-- $1 storefront, $2 class, $3 id, $4 limit
SELECT at, coalesce(previous_price || coalesce(' ' || previous_currency, ''), 'none') AS before,
       coalesce(price || coalesce(' ' || currency, ''), 'none') AS after
FROM itunes.price_change WHERE country = $1 AND class = $2 AND id = $3 ORDER BY at DESC LIMIT $4
