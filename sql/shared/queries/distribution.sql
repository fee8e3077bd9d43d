-- The distributed schemas of a Citus cluster, the machines of their tables, and whether each machine accepts a
-- connection. A lost machine costs citus.node_connection_timeout.
WITH machine AS MATERIALIZED (
  SELECT n.groupid, n.nodename || ':' || n.nodeport AS name,
         pg_catalog.citus_check_connection_to_node(n.nodename, n.nodeport) AS answers
  FROM pg_catalog.pg_dist_node n WHERE n.groupid IN (SELECT groupid FROM pg_catalog.pg_dist_placement)
)
SELECT DISTINCT s.schemaid::regnamespace::text, m.name, m.answers
FROM pg_catalog.pg_dist_schema s
LEFT JOIN pg_catalog.pg_dist_partition p ON p.colocationid = s.colocationid
LEFT JOIN pg_catalog.pg_dist_shard h ON h.logicalrelid = p.logicalrelid
LEFT JOIN pg_catalog.pg_dist_placement l ON l.shardid = h.shardid
LEFT JOIN machine m ON m.groupid = l.groupid
ORDER BY 1, 2
