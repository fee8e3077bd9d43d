-- If a list changes during a walk, the walk can read the list again. Only the readings of the last pass are published.

CREATE OR REPLACE VIEW sync.published_page AS
SELECT p.walk_id, p.page, p.list_page, p.keys,
       lead(p.page) OVER (PARTITION BY p.walk_id, p.list, p.list_page ORDER BY p.page) IS NOT NULL AS is_superseded,
       p.unreadable_after, p.list
FROM sync.walk_page p JOIN sync.walk w ON w.id = p.walk_id
WHERE p.list_page IS NOT NULL
  AND p.page >= coalesce(w.published_from, p.page) AND p.page < coalesce(w.published_before, p.page + 1)
  AND (w.superseded @> p.page) IS NOT TRUE;
COMMENT ON VIEW sync.published_page IS
  'The page readings of a walk from which its list is published. If a page was read again, the next reading supersedes the earlier reading.';
COMMENT ON COLUMN sync.published_page.walk_id IS 'The walk.';
COMMENT ON COLUMN sync.published_page.page IS 'Number of the reading within the walk.';
COMMENT ON COLUMN sync.published_page.list_page IS 'The page of the list.';
COMMENT ON COLUMN sync.published_page.keys IS 'Ids in the order of the page; null for a page that was missing.';
COMMENT ON COLUMN sync.published_page.is_superseded IS 'Whether a later published reading contains the same page.';
COMMENT ON COLUMN sync.published_page.unreadable_after IS 'For each item whose key could not be read, the number of keys before it. Null if all keys could be read.';
COMMENT ON COLUMN sync.published_page.list IS 'The list of the page, in a stream of several lists. Null in a stream of one list.';
