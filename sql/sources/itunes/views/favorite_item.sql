-- If several storefronts still have an item, the storefront with the first country code supplies the title. If only
-- charts contain the item, a chart supplies the title.

CREATE OR REPLACE VIEW itunes.favorite_item AS
SELECT i.kind, i.id, i.title, jp.title AS title_japanese, i.type, NULL::numeric AS score, i.url, i.state,
       NULL::integer AS rank
FROM (
  SELECT DISTINCT ON (n.kind, n.id) n.kind, n.id, n.class, n.title, n.type, n.url, n.state
  FROM (
    SELECT CASE class WHEN 'collection' THEN 'album' ELSE class END AS kind, id, class, title,
           coalesce(kind, CASE class WHEN 'collection' THEN 'album' ELSE class END) AS type,
           coalesce(track_view_url, collection_view_url, artist_view_url) AS url,
           CASE WHEN vanished_at IS NULL THEN 'mirrored' ELSE 'vanished' END AS state, country,
           1 AS place
    FROM itunes.item
    UNION ALL
    SELECT k.kind, e.id, CASE k.kind WHEN 'album' THEN 'collection' ELSE k.kind END, e.name, k.kind, e.url, 'charted',
           e.country, 2
    FROM itunes.chart_item e
    JOIN (VALUES ('songs', 'track'), ('music-videos', 'track'), ('albums', 'album'), ('apps', 'app'),
                 ('podcasts', 'podcast'), ('books', 'ebook'), ('audio-books', 'audiobook')) AS k (type, kind)
      ON k.type = e.type
  ) n
  ORDER BY n.kind, n.id, n.place, n.state = 'vanished', n.country
) i
LEFT JOIN itunes.item jp ON jp.country = 'jp' AND jp.class = i.class AND jp.id = i.id;
COMMENT ON VIEW   itunes.favorite_item IS 'This source''s items that can be favorites. app.favorite_item contains the items of all sources.';
COMMENT ON COLUMN itunes.favorite_item.kind IS 'track, album, artist, podcast, audiobook, ebook, app, or another class.';
COMMENT ON COLUMN itunes.favorite_item.id IS 'Apple''s id, which names the same work in every storefront.';
COMMENT ON COLUMN itunes.favorite_item.title IS 'Title.';
COMMENT ON COLUMN itunes.favorite_item.title_japanese IS 'Title in Japanese; null if there is none.';
COMMENT ON COLUMN itunes.favorite_item.type IS 'The item''s own kind, e.g. song; otherwise the same as kind.';
COMMENT ON COLUMN itunes.favorite_item.score IS 'Always null, because iTunes items have no score.';
COMMENT ON COLUMN itunes.favorite_item.url IS 'Page in the store.';
COMMENT ON COLUMN itunes.favorite_item.state IS 'mirrored; vanished: removed upstream; charted: only a chart has named it.';
COMMENT ON COLUMN itunes.favorite_item.rank IS 'Always null, because iTunes items have no rank outside of charts.';
