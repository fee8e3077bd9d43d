-- The history of one entry in one list, oldest first.
-- $1 kind, $2 subtype of the list, $3 filter, $4 mal_id
SELECT h.position, h.rank, h.score, h.members, h.favorites, h.valid_from, h.valid_to,
       greatest(0, extract(epoch FROM coalesce(h.valid_to, clock_timestamp()) - h.valid_from))::bigint
         AS duration_seconds, m.title, h.unread
FROM jikan.ranking_history h LEFT JOIN jikan.media m USING (kind, mal_id)
WHERE h.kind = $1 AND h.subtype = $2 AND h.filter = $3 AND h.mal_id = $4
ORDER BY h.valid_from
