NULL::bigint
