-- Ranks and scores are from the list of all types. A changed_at within a second of first_seen_at is ignored,
-- because in a new row the two can differ by microseconds.

CREATE OR REPLACE VIEW jikan.favorite_history AS
SELECT h.kind, h.mal_id AS id, 'top-' || h.kind AS list, p.began_at AS list_began_at, v.what, v.value, h.valid_from,
       h.valid_to
FROM jikan.ranking_history h
LEFT JOIN (
  SELECT kind, min(published_at) AS began_at FROM jikan.ranking_publication
  WHERE subtype = 'all' AND filter = 'none' GROUP BY kind
) p USING (kind)
CROSS JOIN LATERAL (VALUES
  ('rank', nullif(h.rank, 0)::numeric, true), ('score', nullif(h.score, 0)::numeric, true), ('unread', NULL, h.unread)
) AS v (what, value, is_shown)
WHERE h.subtype = 'all' AND h.filter = 'none' AND v.is_shown
UNION ALL
SELECT m.kind, m.mal_id, NULL, NULL, e.what, NULL, e.at, NULL
FROM jikan.media m
CROSS JOIN LATERAL (VALUES
  ('mirrored', m.first_seen_at), ('vanished', m.vanished_at),
  ('changed', CASE WHEN m.vanished_at IS NULL AND m.changed_at > m.first_seen_at + interval '1 second'
              THEN m.changed_at END)
) AS e (what, at)
WHERE e.at IS NOT NULL;
COMMENT ON VIEW   jikan.favorite_history IS 'The recorded changes of this source''s items that can be favorites. app.favorite_history contains the changes of all sources.';
COMMENT ON COLUMN jikan.favorite_history.kind IS 'As in jikan.favorite_item.';
COMMENT ON COLUMN jikan.favorite_history.id IS 'As in jikan.favorite_item.';
COMMENT ON COLUMN jikan.favorite_history.list IS 'top-anime or top-manga; null for an event of the item itself.';
COMMENT ON COLUMN jikan.favorite_history.list_began_at IS 'When the history of the list begins.';
COMMENT ON COLUMN jikan.favorite_history.what IS 'Kind of value (rank or score) or of event (mirrored, changed or vanished); unread for a time during which the list''s last walk had not read the item.';
COMMENT ON COLUMN jikan.favorite_history.value IS 'The value; null if there was none, and for an event.';
COMMENT ON COLUMN jikan.favorite_history.valid_from IS 'When the value became valid, or when the event was recorded.';
COMMENT ON COLUMN jikan.favorite_history.valid_to IS 'When the value stopped being valid; null for a valid value and for an event.';
