-- If a walk received items without a readable id, positions count these items. Entries that the walk did not receive
-- stay in the published list with their last known positions and the mark `unread`, because each of them can be one of
-- these items.

ALTER TABLE sync.walk_page ADD COLUMN unreadable_after integer[];
COMMENT ON COLUMN sync.walk_page.unreadable_after IS 'For each item whose key could not be read, the number of keys before it on the page. Null if all keys could be read.';

ALTER TABLE jikan.ranking ADD COLUMN unread boolean NOT NULL DEFAULT false;
ALTER TABLE jikan.ranking_history ADD COLUMN unread boolean NOT NULL DEFAULT false;
ALTER TABLE itunes.search_result ADD COLUMN unread boolean NOT NULL DEFAULT false;
ALTER TABLE itunes.search_history ADD COLUMN unread boolean NOT NULL DEFAULT false;
ALTER TABLE itunes.chart_entry ADD COLUMN unread boolean NOT NULL DEFAULT false;
ALTER TABLE itunes.chart_history ADD COLUMN unread boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN jikan.ranking.unread IS 'Whether the last walk did not read this entry and had items without a readable id. The position is then the last known one, so another entry can have the same position.';
COMMENT ON COLUMN jikan.ranking_history.unread IS 'Whether the walk did not read this entry and had items without a readable id. The position is then the last known one.';
COMMENT ON COLUMN itunes.search_result.unread IS 'Whether the last walk did not read this result and had items without a readable id. The position is then the last known one, so another result can have the same position.';
COMMENT ON COLUMN itunes.search_history.unread IS 'Whether the walk did not read this result and had items without a readable id. The position is then the last known one.';
COMMENT ON COLUMN itunes.chart_entry.unread IS 'Whether the last walk did not read this entry and had items without a readable id. The position is then the last known one, so another entry can have the same position.';
COMMENT ON COLUMN itunes.chart_history.unread IS 'Whether the walk did not read this entry and had items without a readable id. The position is then the last known one.';

COMMENT ON COLUMN jikan.ranking.position IS 'Ordinal in the list, from 1. Repeats are not counted; items without a readable id are counted.';
COMMENT ON COLUMN itunes.search_result.position IS 'Ordinal in the results, from 1. Repeats are not counted; items without a readable id are counted.';
COMMENT ON COLUMN itunes.chart_entry.position IS 'Ordinal in the chart, from 1. Repeats are not counted; items without a readable id are counted.';

ALTER TABLE jikan.published_order ADD COLUMN positions integer[];
COMMENT ON COLUMN jikan.published_order.positions IS 'The positions of mal_ids, negative for unread entries. Null if the positions are 1, 2, 3 and so on.';

-- Replaced by functions with positions and marks.
DROP FUNCTION IF EXISTS jikan.note_ranking(
  text, text, text, bigint[], integer[], numeric[], integer[], integer[], integer, uuid, boolean);
DROP FUNCTION IF EXISTS jikan.keep_order(text, text, text, bigint[], integer[]);

DO $$
DECLARE
  list text;
BEGIN
  FOR list IN
    SELECT format('%I.%I', d.source, d.resource || '_list') FROM sync.declared_resource d WHERE d.has_list
  LOOP
    -- A user can have dropped the table. syncctl migrate creates it again.
    IF to_regclass(list) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s ADD COLUMN unread boolean NOT NULL DEFAULT false', list);
      EXECUTE format('COMMENT ON COLUMN %s.unread IS %L', list,
        'Whether the last walk did not read this item and had items without a readable id. The position is then the last known one, so another item can have the same position.');
    END IF;
  END LOOP;
END $$;
