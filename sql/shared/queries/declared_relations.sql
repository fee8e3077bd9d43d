-- The relations that exist of each declared resource of a source, and how its keys were computed.
-- $1 source text
SELECT resource, identity, to_regclass(format('%I.%I', source, resource || '_counters')) IS NOT NULL AS has_counters,
       to_regclass(format('%I.%I', source, resource || '_list')) IS NOT NULL AS has_list,
       to_regclass(format('%I.%I', source, resource || '_full')) IS NOT NULL AS has_view,
       to_regclass(format('%I.%I', source, resource || '_places')) IS NOT NULL AS has_places
FROM sync.declared_resource WHERE source = $1::text
