/* key */ > $2::bigint
