-- The distributed schemas of a Citus cluster, with the machines of their tables.
SELECT s.schemaid::regnamespace::text, string_agg(DISTINCT n.nodename || ':' || n.nodeport, ', ')
FROM pg_catalog.pg_dist_schema s
LEFT JOIN pg_catalog.pg_dist_partition p ON p.colocationid = s.colocationid
LEFT JOIN pg_catalog.pg_dist_shard h ON h.logicalrelid = p.logicalrelid
LEFT JOIN pg_catalog.pg_dist_placement l ON l.shardid = h.shardid
LEFT JOIN pg_catalog.pg_dist_node n ON n.groupid = l.groupid
GROUP BY s.schemaid ORDER BY 1
