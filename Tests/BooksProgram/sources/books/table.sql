-- Values of this source for the templates. d is a document, and key is one of the statement's keys.

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
