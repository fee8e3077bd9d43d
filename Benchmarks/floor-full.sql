-- Writes the documents, counters and positions of a first load from standard input to an empty mirror. Uses a few large
-- statements, whereas a run writes many batches.
BEGIN;
SET LOCAL syncctl.publishing = 'jikan';
CREATE TEMP TABLE media (LIKE jikan.media INCLUDING COMPRESSION) ON COMMIT DROP;
CREATE TEMP TABLE counters (LIKE jikan.media_counters) ON COMMIT DROP;
CREATE TEMP TABLE place (LIKE jikan.ranking) ON COMMIT DROP;
\copy media FROM pstdin
\copy counters FROM pstdin
\copy place FROM pstdin
INSERT INTO jikan.media TABLE media ON CONFLICT DO NOTHING;
INSERT INTO jikan.media_counters TABLE counters ON CONFLICT DO NOTHING;
-- jikan.links_of and jikan.titles_of process a batch of documents per call.
CREATE TEMP VIEW batch AS
SELECT array_agg(mal_id) AS keys, array_agg(raw) AS documents
FROM (SELECT mal_id, raw, row_number() OVER () / 250 AS number FROM media) numbered GROUP BY number;
INSERT INTO jikan.media_links
SELECT 'anime', l.* FROM batch, jikan.links_of(keys, documents) l ON CONFLICT DO NOTHING;
INSERT INTO jikan.media_title
SELECT 'anime', t.* FROM batch, jikan.titles_of(keys, documents) t ON CONFLICT DO NOTHING;
INSERT INTO jikan.ranking TABLE place ON CONFLICT DO NOTHING;
SELECT jikan.note_ranking('anime', 'all', 'none', keys, positions, unread, ranks, scores, members, favorites, 1000,
         gen_random_uuid(), false),
       jikan.keep_order('anime', 'all', 'none', keys, positions, unread, ranks)
FROM (
  SELECT array_agg(mal_id) AS keys, array_agg(position) AS positions, array_agg(unread) AS unread,
         array_agg(nullif(rank, 0)) AS ranks, array_agg(nullif(score, 0)) AS scores, array_agg(members) AS members,
         array_agg(favorites) AS favorites
  FROM (SELECT c.*, place.position, place.unread FROM place JOIN counters c USING (kind, mal_id) ORDER BY position) listed
) list;
COMMIT;
