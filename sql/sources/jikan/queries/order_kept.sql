-- Whether the order of a publication is still stored.
-- $1 kind, $2 type or NULL, $3 filter, $4 time of the publication in microseconds
SELECT EXISTS (
  SELECT FROM jikan.published_order
  WHERE kind = $1 AND subtype IN ($2, 'all') AND filter = $3
    AND taken_at = timestamptz 'epoch' + $4::bigint * interval '1 microsecond')
