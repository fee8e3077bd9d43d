-- The key of every n-th document. The slices between these keys are verified in parallel.
-- $1 scope text[], $2 n bigint
SELECT key FROM (
  SELECT /* key */ AS key, row_number() OVER (ORDER BY /* order */) AS place FROM /* table */ d WHERE /* in scope */
) numbered
WHERE place % $2::bigint = 0 ORDER BY place
