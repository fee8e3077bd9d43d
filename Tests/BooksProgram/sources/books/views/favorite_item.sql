-- The books that can be favorites.

CREATE OR REPLACE VIEW books.favorite_item AS
SELECT 'book' AS kind, id, title, NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score,
       NULL::text AS url, 'mirrored' AS state, NULL::integer AS rank
FROM books.book;
