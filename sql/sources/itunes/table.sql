-- What the templates say of this folder's documents, d; key is one of those that a statement is about.

/* table: */ itunes.item
/* in scope: */ d.country = ($scope)[1]
/* space: */ ($scope)[1]
/* key: */ itunes.key(d.class, d.id)
/* has key: */ d.class = itunes.key_class(key) AND d.id = itunes.key_id(key)
/* among keys: */ (d.class, d.id) IN (SELECT itunes.key_class(key), itunes.key_id(key) FROM unnest($1::bigint[]) AS key)
/* title: */ d.title
/* document: */ d.raw
/* counters: */
/* vanished: */ d.vanished_at IS NOT NULL
/* changed at: */ d.changed_at
/* counters differ: */ false
/* differing: */ 'itunes.item'
