-- Values of the placeholders in sql/templates. `d` is a stored document; `key` is a requested key.

/* table: */ itunes.chart_item
/* in scope: */ d.country = (/* scope */)[1] AND d.type = (/* scope */)[4]
/* space: */ (/* scope */)[1] || '/' || (/* scope */)[4]
/* key: */ d.id
/* has key: */ d.id = key
/* document: */ d.raw
/* counters: */
/* vanished: */ false
/* changed at: */ d.changed_at
/* requested at: */ d.requested_at
/* counters differ: */ false
/* differing: */ 'itunes.chart_item'
/* list: */ 'chart/' || array_to_string((/* scope */)[1:4], '/')
/* entries: */ coalesce(array_send(array_agg(id)) || array_send(array_agg(/* signed position */)), '')
/* has digest: */ true
/* of-keys: */ d.id = ANY ($1::bigint[])
/* identity: */ country, type, id
/* document key: */ jsonb_build_object('country', (/* scope */)[1], 'type', (/* scope */)[4], 'id', key)
/* list table: */ itunes.chart_entry
/* entry: */
jsonb_build_object(
  'country', (/* scope */)[1], 'media', (/* scope */)[2], 'feed', (/* scope */)[3], 'type', (/* scope */)[4], 'id', key)
/* walked list: */ SELECT id AS key, position, unread FROM listed
/* published list: */
SELECT id AS key, position, unread FROM itunes.chart_entry
WHERE (country, media, feed, type) = ((/* scope */)[1], (/* scope */)[2], (/* scope */)[3], (/* scope */)[4])
/* history: */ itunes.chart_history
/* of history: */ (h.country, h.media, h.feed, h.type) = ((/* scope */)[1], (/* scope */)[2], (/* scope */)[3], (/* scope */)[4])
/* history entry: */ h.id
/* publications: */
SELECT published_at, 2147483647 AS positions FROM itunes.chart_publication
WHERE (country, media, feed, type) = ((/* scope */)[1], (/* scope */)[2], (/* scope */)[3], (/* scope */)[4])
