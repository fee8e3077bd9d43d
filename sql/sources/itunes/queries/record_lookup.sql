-- $1 action, $2 storefront, $3 term, $4 id, $5 class, $6 number of items found
INSERT INTO itunes.lookup_history (at, action, country, term, id, class, results)
VALUES (statement_timestamp(), $1, $2, $3, $4, $5, $6)
