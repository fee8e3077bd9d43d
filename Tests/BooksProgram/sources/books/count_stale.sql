-- $1 scope text[], $2 version integer
SELECT count(*) FROM books.book b
WHERE $1::text[] IS NOT NULL AND get_byte(b.content_hash, length(b.content_hash) - 1) <> $2::integer
