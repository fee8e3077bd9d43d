CREATE OR REPLACE VIEW jikan.favorite_item AS
SELECT m.kind, m.mal_id AS id, m.title, m.title_japanese, m.type, nullif(c.score, 0)::numeric AS score, m.url,
       CASE WHEN m.vanished_at IS NULL THEN 'mirrored' ELSE 'vanished' END AS state,
       nullif(c.rank, 0) AS rank
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id);
COMMENT ON VIEW   jikan.favorite_item IS 'This source''s items that can be favorites. app.favorite_item contains the items of all sources.';
COMMENT ON COLUMN jikan.favorite_item.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.favorite_item.id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.favorite_item.title IS 'Title.';
COMMENT ON COLUMN jikan.favorite_item.title_japanese IS 'Title in Japanese; null if there is none.';
COMMENT ON COLUMN jikan.favorite_item.type IS 'TV, Movie, Manga, Light Novel, ….';
COMMENT ON COLUMN jikan.favorite_item.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.favorite_item.url IS 'Page at MyAnimeList.';
COMMENT ON COLUMN jikan.favorite_item.state IS 'mirrored; vanished: removed upstream.';
COMMENT ON COLUMN jikan.favorite_item.rank IS 'MyAnimeList''s own rank; null if unranked.';
