-- Values of the placeholders in sql/templates. `d` is a stored document; `key` is a requested key.

/* table: */ pokeapi.resource
/* in scope: */ d.endpoint = (/* scope */)[1]
/* space: */ (/* scope */)[1]
/* key: */ d.id
/* has key: */ d.id = key
/* among keys: */ d.id = ANY ($1::bigint[])
/* title: */ d.name
/* document: */ d.raw
/* counters: */
/* vanished: */ d.vanished_at IS NOT NULL
/* changed at: */ d.changed_at
/* requested at: */ d.requested_at
/* counters differ: */ false
/* differing: */ 'pokeapi.resource'
/* identity: */ endpoint, id
/* document key: */ jsonb_build_object('endpoint', (/* scope */)[1], 'id', key)
/* derived tables: */ pokeapi.derived_tables((/* scope */)[1])
