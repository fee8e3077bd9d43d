-- $1 scope text[], $2 version integer, $3 after this key bigint, $4 at most so many integer
SELECT b.id, b.raw::text FROM books.book b
WHERE $1::text[] IS NOT NULL AND b.id > $3::bigint
  AND get_byte(b.content_hash, length(b.content_hash) - 1) <> $2::integer
ORDER BY b.id LIMIT $4::integer FOR NO KEY UPDATE
