-- Values of the placeholders in sql/sources/templates. `d` is a stored document; `key` is a requested key.

/* table: */ books.book
/* in scope: */ $scope IS NOT NULL
/* space: */ ($scope)[1]
/* key: */ d.id
/* has key: */ d.id = key
/* document: */ d.raw
/* counters: */
/* vanished: */ false
/* changed at: */ d.changed_at
/* requested at: */ d.requested_at
/* counters differ: */ false
/* differing: */ 'books.book'
