-- What the templates say of the books, d; key is one of those that a statement is about.

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
