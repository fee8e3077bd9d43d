-- Whether the table was last migrated with the counters of this declaration. A migrate on another machine can have
-- changed them after the program read its declaration.
-- $1 scope text[] (source, resource)
SELECT counters <@ /* counter names */ AND counters @> /* counter names */ AS is_ready
FROM sync.declared_resource WHERE source = ($1::text[])[1] AND resource = ($1::text[])[2]
