-- This folder's values for the templates; d is a document, and key one of the keys of a statement.

/* table: */ jikan.genre
/* in scope: */ d.kind = ($scope)[1] AND d.facet = ($scope)[2]
/* space: */ array_to_string($scope, '/')
/* key: */ d.mal_id
/* has key: */ d.mal_id = key
/* document: */ d.raw
/* counters: */
/* vanished: */ false
/* changed at: */ greatest(d.changed_at, d.count_changed_at)
/* counters differ: */ d.counter_hash IS DISTINCT FROM i.counter_hash
/* differing: */ 'jikan.genre'
