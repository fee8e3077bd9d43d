-- What the templates say of this folder's documents, d; key is one of those that a statement is about.

/* table: */ pokeapi.resource
/* in scope: */ d.endpoint = ($scope)[1]
/* space: */ ($scope)[1]
/* key: */ d.id
/* has key: */ d.id = key
/* among keys: */ d.id = ANY ($1::bigint[])
/* title: */ d.name
/* document: */ d.raw
/* counters: */
/* vanished: */ d.vanished_at IS NOT NULL
/* changed at: */ d.changed_at
/* counters differ: */ false
/* differing: */ 'pokeapi.resource'
