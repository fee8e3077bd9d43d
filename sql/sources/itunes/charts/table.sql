-- This folder's values for the templates; d is a document, and key one of the keys of a statement.

/* table: */ itunes.chart_item
/* in scope: */ d.country = ($scope)[1] AND d.type = ($scope)[4]
/* space: */ ($scope)[1] || '/' || ($scope)[4]
/* key: */ d.id
/* has key: */ d.id = key
/* document: */ d.raw
/* counters: */
/* vanished: */ false
/* changed at: */ d.changed_at
/* counters differ: */ false
/* differing: */ 'itunes.chart_item'
/* list: */ 'chart/' || array_to_string(($scope)[1:4], '/')
/* entries: */ coalesce(array_send(array_agg(id)), '')
/* has digest: */ true
