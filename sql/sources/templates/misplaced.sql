w.position IS DISTINCT FROM s.position
