-- PokeAPI has no lists with a history. A changed_at within a second of first_seen_at is ignored, because
-- in a new row the two can differ by microseconds.

CREATE OR REPLACE VIEW pokeapi.favorite_history AS
SELECT r.endpoint AS kind, r.id, NULL::text AS list, NULL::timestamptz AS list_began_at, e.what, NULL::numeric AS value,
       e.at AS valid_from, NULL::timestamptz AS valid_to
FROM pokeapi.resource r
CROSS JOIN LATERAL (VALUES
  ('mirrored', r.first_seen_at), ('vanished', r.vanished_at),
  ('changed', CASE WHEN r.vanished_at IS NULL AND r.changed_at > r.first_seen_at + interval '1 second'
              THEN r.changed_at END)
) AS e (what, at)
WHERE e.at IS NOT NULL;
COMMENT ON VIEW   pokeapi.favorite_history IS 'The recorded changes of this source''s items that can be favorites. app.favorite_history contains the changes of all sources.';
COMMENT ON COLUMN pokeapi.favorite_history.kind IS 'As in pokeapi.favorite_item.';
COMMENT ON COLUMN pokeapi.favorite_history.id IS 'As in pokeapi.favorite_item.';
COMMENT ON COLUMN pokeapi.favorite_history.list IS 'Always null: there are no lists with a history.';
COMMENT ON COLUMN pokeapi.favorite_history.list_began_at IS 'Always null.';
COMMENT ON COLUMN pokeapi.favorite_history.what IS 'Kind of event: mirrored, changed or vanished.';
COMMENT ON COLUMN pokeapi.favorite_history.value IS 'Always null.';
COMMENT ON COLUMN pokeapi.favorite_history.valid_from IS 'When the value became valid, or when the event was recorded.';
COMMENT ON COLUMN pokeapi.favorite_history.valid_to IS 'When the value stopped being valid; null for a valid value and for an event.';
