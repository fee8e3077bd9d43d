-- Values of the placeholders in sql/templates. `d` is a stored document; `key` is a requested key.

/* table: */ itunes.item
/* in scope: */ d.country = (/* scope */)[1]
/* space: */ (/* scope */)[1]
/* key: */ itunes.key(d.class, d.id)
/* has key: */ d.class = itunes.key_class(key) AND d.id = itunes.key_id(key)
/* among keys: */ (d.class, d.id) IN (SELECT itunes.key_class(key), itunes.key_id(key) FROM unnest($1::bigint[]) AS key)
/* title: */ d.title
/* document: */ d.raw
/* counters: */
/* vanished: */ d.vanished_at IS NOT NULL
/* changed at: */ d.changed_at
/* requested at: */ d.requested_at
/* counters differ: */ false
/* differing: */ 'itunes.item'
/* list: */ 'search/' || (/* scope */)[3]
/* entries: */ coalesce(array_send(array_agg(key)) || array_send(array_agg(/* signed position */)), '')
/* has digest: */
-- A list without a digest is always published. If a search found items that are stored as vanished or missing, it has
-- no digest, so that publishing corrects these records. A look-up has no digest, because it publishes no list.
(/* scope */)[2] = 'search'
  AND NOT EXISTS (
    SELECT 1 FROM itunes.lookup_absence WHERE country = (/* scope */)[1] AND id IN (SELECT id FROM listed WHERE NOT unread))
  AND NOT EXISTS (
    SELECT 1 FROM itunes.item WHERE country = (/* scope */)[1] AND id IN (SELECT id FROM listed WHERE NOT unread) AND vanished_at IS NOT NULL)
/* order: */ d.class, d.id
/* after: */ (d.class, d.id) > (itunes.key_class($2::bigint), itunes.key_id($2::bigint))
/* identity: */ country, class, id
/* document key: */
jsonb_build_object('country', (/* scope */)[1], 'class', itunes.key_class(key), 'id', itunes.key_id(key))
/* list table: */ itunes.search_result
/* entry: */ jsonb_build_object('search', (/* scope */)[3]) || /* document key */
/* walked list: */ SELECT key, position, unread FROM listed WHERE (/* scope */)[2] = 'search'
/* published list: */
SELECT itunes.key(class, id) AS key, position, unread FROM itunes.search_result
WHERE search = (/* scope */)[3] AND country = (/* scope */)[1] AND (/* scope */)[2] = 'search'
/* history: */ itunes.search_history
/* of history: */ h.search = (/* scope */)[3] AND h.country = (/* scope */)[1]
/* history entry: */ itunes.key(h.class, h.id)
/* publications: */ SELECT published_at, 2147483647 AS positions FROM itunes.search_publication WHERE search = (/* scope */)[3]
