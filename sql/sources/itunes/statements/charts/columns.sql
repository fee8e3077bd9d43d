-- Derives columns from a chart entry. The program inserts this text into statements that define `item` with country,
-- type, id and raw. A new column needs a higher version of the mapping. Older feeds write texts as {"label": …}.
SELECT item.*,
  coalesce(itunes.string(raw->'name'), itunes.string(raw#>'{im:name,label}')) AS name,
  itunes.whole(raw->'artistId') AS artist_id,
  coalesce(itunes.string(raw->'artistName'), itunes.string(raw#>'{im:artist,label}')) AS artist_name,
  coalesce(
    itunes.string(raw->'kind'), itunes.string(raw#>'{im:contentType,im:contentType,attributes,label}'),
    itunes.string(raw#>'{im:contentType,attributes,label}')) AS kind,
  coalesce(
    itunes.string(raw->'url'), itunes.string(raw#>'{link,attributes,href}'),
    itunes.string(raw#>'{link,0,attributes,href}')) AS url,
  coalesce(itunes.string(raw->'artistUrl'), itunes.string(raw#>'{im:artist,attributes,href}')) AS artist_url,
  coalesce(itunes.string(raw->'artworkUrl100'), itunes.string(raw#>'{im:image,-1,label}')) AS artwork_url,
  coalesce(itunes.day(raw->'releaseDate'), itunes.day(raw#>'{im:releaseDate,label}')) AS release_date,
  -- The upstream misspells Explicit.
  CASE itunes.string(raw->'contentAdvisoryRating')
    WHEN 'Explict' THEN 'Explicit' ELSE itunes.string(raw->'contentAdvisoryRating') END AS content_advisory_rating,
  CASE WHEN raw ? 'genres' THEN itunes.genre_names(raw->'genres')
       ELSE array_remove(ARRAY[itunes.string(raw#>'{category,attributes,label}')], NULL) END AS genres
FROM item
