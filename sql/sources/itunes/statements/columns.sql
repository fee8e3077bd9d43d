-- Derives columns from a record. The program inserts this text into statements that define `item` with country, class,
-- id and raw. A new column needs a higher mapping version, so that `syncctl migrate` derives stored records again.
SELECT named.*,
  -- An album has the price of its collection, a song has its own price. Apps and ebooks have the member `price`.
  CASE WHEN raw ? 'price' THEN itunes.money(raw->'price')
       WHEN class IN ('collection', 'audiobook') THEN itunes.money(raw->'collectionPrice')
       WHEN class <> 'artist' THEN itunes.money(raw->'trackPrice') END AS price,
  itunes.string(raw->'formattedPrice') AS formatted_price, itunes.string(raw->'currency') AS currency,
  itunes.number(raw->'trackPrice') >= 0 AS is_sold_singly,
  itunes.money(raw->'trackPrice') AS track_price, itunes.money(raw->'collectionPrice') AS collection_price,
  itunes.money(raw->'trackRentalPrice') AS track_rental_price, itunes.money(raw->'trackHdPrice') AS track_hd_price,
  itunes.money(raw->'trackHdRentalPrice') AS track_hd_rental_price,
  itunes.money(raw->'collectionHdPrice') AS collection_hd_price,
  itunes.day(raw->'releaseDate') AS release_date, itunes.instant(raw->'releaseDate') AS released_at,
  -- For podcasts, a value below 86,400 means seconds (up to a day). As milliseconds, it would be under two minutes.
  CASE WHEN class = 'podcast' AND itunes.milliseconds(raw->'trackTimeMillis') < 86400
       THEN itunes.milliseconds(raw->'trackTimeMillis') * 1000
       ELSE itunes.milliseconds(raw->'trackTimeMillis') END AS track_time_ms,
  itunes.ordinal(raw->'discNumber') AS disc_number, itunes.ordinal(raw->'discCount') AS disc_count,
  itunes.ordinal(raw->'trackNumber') AS track_number, itunes.ordinal(raw->'trackCount') AS track_count,
  coalesce(itunes.string(raw->'trackExplicitness'), itunes.string(raw->'collectionExplicitness')) AS explicitness,
  coalesce(itunes.string(raw->'contentAdvisoryRating'), itunes.string(raw->'trackContentRating'))
    AS content_advisory_rating,
  coalesce(itunes.string(raw->'primaryGenreName'), (itunes.genre_names(raw->'genres'))[1]) AS primary_genre,
  CASE WHEN cardinality(itunes.genre_names(raw->'genres')) > 0 THEN itunes.genre_names(raw->'genres')
       ELSE array_remove(ARRAY[itunes.string(raw->'primaryGenreName')], NULL) END AS genres,
  itunes.whole(raw->'fileSizeBytes') AS file_size_bytes,
  CASE WHEN itunes.number(raw->'averageUserRating') BETWEEN 0 AND 10
       THEN round(itunes.number(raw->'averageUserRating'), 2) END AS average_user_rating,
  itunes.whole(raw->'userRatingCount') AS user_rating_count, itunes.string(raw->'version') AS version,
  coalesce(itunes.string(raw->'previewUrl'), itunes.string(raw->'episodeUrl')) AS preview_url,
  coalesce(
    itunes.string(raw->'artworkUrl600'), itunes.string(raw->'artworkUrl512'), itunes.string(raw->'artworkUrl160'),
    itunes.string(raw->'artworkUrl100'), itunes.string(raw->'artworkUrl60'), itunes.string(raw->'artworkUrl30'))
    AS artwork_url,
  coalesce(itunes.string(raw->'artistViewUrl'), itunes.string(raw->'artistLinkUrl')) AS artist_view_url,
  itunes.string(raw->'collectionViewUrl') AS collection_view_url, itunes.string(raw->'trackViewUrl') AS track_view_url,
  itunes.string(raw->'feedUrl') AS feed_url,
  itunes.folded(concat_ws(' ', title, artist_name, collection_name)) AS search_text
FROM (
  SELECT item.*, itunes.string(raw->'wrapperType') AS wrapper_type, itunes.string(raw->'kind') AS kind,
    itunes.string(raw->'collectionType') AS collection_type, itunes.string(raw->'artistType') AS artist_type,
    coalesce(
      itunes.string(raw->'trackName'), itunes.string(raw->'trackCensoredName'), itunes.string(raw->'collectionName'),
      itunes.string(raw->'collectionCensoredName'), itunes.string(raw->'artistName')) AS title,
    itunes.whole(raw->'artistId') AS artist_id, itunes.string(raw->'artistName') AS artist_name,
    itunes.whole(raw->'collectionId') AS collection_id, itunes.string(raw->'collectionName') AS collection_name,
    itunes.whole(raw->'trackId') AS track_id, itunes.string(raw->'trackName') AS track_name,
    itunes.string(raw->'bundleId') AS bundle_id
  FROM item
) AS named
