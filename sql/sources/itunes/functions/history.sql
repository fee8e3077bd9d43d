CREATE OR REPLACE FUNCTION itunes.search_as_of(of_search text, moment timestamptz DEFAULT now())
RETURNS TABLE ("position" integer, country text, class text, id bigint, title text, artist_name text,
               collection_name text, valid_from timestamptz)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT h.position, h.country, h.class, h.id, i.title, i.artist_name, i.collection_name, h.valid_from
  FROM itunes.search_history h LEFT JOIN itunes.item i USING (country, class, id)
  WHERE h.search = of_search AND h.valid_from <= moment AND (h.valid_to > moment OR h.valid_to IS NULL)
  ORDER BY h.position;
END;
COMMENT ON FUNCTION itunes.search_as_of IS 'Stable. The results of a search in its last publication up to a time.';

CREATE OR REPLACE FUNCTION itunes.chart_as_of(of_country text, of_media text, of_feed text, of_type text,
                                   moment timestamptz DEFAULT now())
RETURNS TABLE ("position" integer, id bigint, name text, artist_name text, valid_from timestamptz)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT h.position, h.id, i.name, i.artist_name, h.valid_from
  FROM itunes.chart_history h LEFT JOIN itunes.chart_item i USING (country, type, id)
  WHERE h.country = of_country AND h.media = of_media AND h.feed = of_feed AND h.type = of_type
    AND h.valid_from <= moment AND (h.valid_to > moment OR h.valid_to IS NULL)
  ORDER BY h.position;
END;
COMMENT ON FUNCTION itunes.chart_as_of IS 'Stable. A chart in its last publication up to a time.';

CREATE OR REPLACE FUNCTION itunes.chart_movers(of_country text, of_media text, of_feed text, of_type text, since timestamptz)
RETURNS TABLE (id bigint, name text, artist_name text, "position" integer, previous_position integer, change integer,
               movement text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH past AS (
    SELECT p.id, p.position FROM itunes.chart_as_of(of_country, of_media, of_feed, of_type, since) p
  ), present AS (
    SELECT e.id, e.position AS position, e.unread FROM itunes.chart_entry e
    WHERE e.country = of_country AND e.media = of_media AND e.feed = of_feed AND e.type = of_type
  ), absent AS (
    SELECT 1 + greatest((SELECT max(p.position) FROM past p), (SELECT max(n.position) FROM present n)) AS position
  )
  SELECT m.id, i.name, i.artist_name, CASE WHEN NOT n.unread THEN n.position END, p.position,
         CASE WHEN NOT n.unread THEN p.position - n.position END,
         CASE WHEN n.unread THEN 'unread' WHEN p.position IS NULL THEN 'entered' WHEN n.position IS NULL THEN 'left'
              WHEN n.position < p.position THEN 'up' ELSE 'down' END
  FROM (SELECT present.id FROM present UNION SELECT past.id FROM past) m
  LEFT JOIN present n ON n.id = m.id
  LEFT JOIN past p ON p.id = m.id
  CROSS JOIN absent a
  LEFT JOIN itunes.chart_item i ON i.country = of_country AND i.type = of_type AND i.id = m.id
  WHERE n.unread OR n.position IS DISTINCT FROM p.position
  ORDER BY coalesce(n.unread, false), abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) DESC,
           coalesce(n.position, p.position), m.id;
END;
COMMENT ON FUNCTION itunes.chart_movers IS 'Entries that moved in a chart since a time, the largest change first: the last published chart compared with the chart at that time. An entry that entered or left counts as moved from or to the end of the chart. Entries that the last walk did not read come last, without a position.';
