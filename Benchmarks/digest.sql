-- The number of rows, and a hash of their contents.
SELECT count(*), md5(string_agg(md5(concat_ws('|', mal_id, title, type, episodes, aired_from, score, members, favorites,
                                              synopsis, raw)), '' ORDER BY mal_id))
FROM jikan.anime
