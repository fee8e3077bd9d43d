-- title: Movers
-- description: The anime or manga of the top list that climbed or fell most places since a time. The latest list is
--   compared with the last list published at or before that time, or with the first list if all are later. Only
--   positions with an exact history are compared (setting history.positions). An entry that is missing from
--   one of the lists has the place after the end of the longer list. Entries that the walk of the latest list did not
--   read, because an item had no readable id, come last.
-- source: jikan
-- parameter: direction choice = up (up, down) | up for climbed or entered, down for fell or left
-- parameter: since time = 7d | Beginning of the period
-- parameter: kind choice = anime (anime, manga) | anime or manga
-- parameter: limit integer = 20 (0..100000) | Number of rows; 0 for all
-- narrow: since, consistent, type, members, previous_score, score
-- column: mal_id | MyAnimeList's id.
-- column: title | Main title.
-- column: type | Type, e.g. TV.
-- column: movement | up or entered; down or left; unread if the walk of the latest list did not read the entry.
-- column: position | Current place; null if the entry left or is unread.
-- column: previous_position | Place at the beginning of the period; null if the entry entered.
-- column: places | Places climbed or fallen.
-- column: score | Score in the latest list.
-- column: previous_score | Score at the beginning of the period; null if the entry entered.
-- column: members | People who had the title on their list when its entry was last recorded.
-- column: since | Publication that the list is compared with.
-- column: consistent | False if one of the two lists was incomplete or moved while it was read, so that an entry that
--   left or a position can be wrong.
WITH published AS (
  SELECT coalesce(max(published_at) FILTER (WHERE published_at <= :since), min(published_at)) AS since,
         max(published_at) AS latest
  FROM jikan.ranking_publication WHERE kind = :kind AND subtype = 'all' AND filter = 'none'
), exact AS (
  SELECT min(positions) AS positions, bool_and(consistent) AS consistent
  FROM jikan.ranking_publication p JOIN published u ON p.published_at IN (u.since, u.latest)
  WHERE kind = :kind AND subtype = 'all' AND filter = 'none'
), past AS (
  SELECT mal_id, position, score, members FROM jikan.ranking_history
  WHERE kind = :kind AND subtype = 'all' AND filter = 'none' AND position <= (SELECT positions FROM exact)
    AND valid_from <= (SELECT since FROM published)
    AND (valid_to > (SELECT since FROM published) OR valid_to IS NULL)
), present AS (
  SELECT mal_id, position, unread, score, members FROM jikan.ranking_history
  WHERE kind = :kind AND subtype = 'all' AND filter = 'none' AND position <= (SELECT positions FROM exact)
    AND valid_to IS NULL
), absent AS (
  SELECT 1 + greatest((SELECT max(position) FROM past), (SELECT max(position) FROM present)) AS position
), mover AS (
  SELECT mal_id, CASE WHEN NOT n.unread THEN n.position END AS position, p.position AS previous_position,
         coalesce(n.unread, false) AS unread, n.score, p.score AS previous_score,
         coalesce(n.members, p.members) AS members,
         CASE WHEN n.unread THEN NULL
              ELSE abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) END AS places
  FROM present n FULL JOIN past p USING (mal_id) CROSS JOIN absent a
  WHERE n.unread OR sign(coalesce(p.position, a.position) - coalesce(n.position, a.position))
        = CASE :direction WHEN 'up' THEN 1 ELSE -1 END
  -- The limit is here, so that titles are looked up only for the returned rows.
  ORDER BY places DESC NULLS LAST, coalesce(n.position, p.position), mal_id LIMIT nullif(:limit, 0)
)
SELECT v.mal_id, m.title, m.type,
       CASE WHEN v.unread THEN 'unread' WHEN v.previous_position IS NULL THEN 'entered' WHEN v.position IS NULL THEN 'left'
            WHEN v.position < v.previous_position THEN 'up' ELSE 'down' END AS movement,
       v.position, v.previous_position, v.places, v.score, v.previous_score, v.members, u.since,
       x.consistent
FROM mover v CROSS JOIN published u CROSS JOIN exact x LEFT JOIN jikan.media m ON m.kind = :kind AND m.mal_id = v.mal_id
ORDER BY v.places DESC NULLS LAST, coalesce(v.position, v.previous_position), v.mal_id
