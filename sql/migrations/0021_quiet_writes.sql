-- Fewer and smaller writes: of lists that move or stay as they are, of the history, of permits.

-- A list that moves rewrites the positions of most of its entries. With room in their pages the new row versions need no
-- new index entries. This is for pages that are filled from now on: the tables are not rewritten, and full pages empty
-- as their rows move.
ALTER TABLE jikan.ranking SET (fillfactor = 45);
ALTER TABLE itunes.search_result SET (fillfactor = 45);
ALTER TABLE itunes.chart_entry SET (fillfactor = 45);

-- A rank that changes below the top positions makes no row any more.
COMMENT ON TABLE jikan.ranking_history IS 'Entries of the published lists as they were. A row begins when an entry comes in, its score changes, or its position or rank changes within the top positions (see ranking_publication); it ends when the next one begins or the entry leaves. One partition a month.';
COMMENT ON COLUMN jikan.ranking_history.rank IS 'MyAnimeList''s own rank at valid_from; null if unranked. Below the top positions it may have changed since without a row.';
COMMENT ON COLUMN jikan.ranking_history.position IS 'Ordinal in the list at valid_from. Below the top positions it may have changed since without a row.';
COMMENT ON COLUMN jikan.ranking_publication.positions IS 'So many positions from the top are exact in the history at this time, with their ranks.';

-- What is published already is not published again.
CREATE TABLE sync.published_list (
  source text NOT NULL,
  list   text NOT NULL,
  digest bytea,
  writes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (source, list)
);
COMMENT ON TABLE  sync.published_list IS 'What each published list holds, as a digest: a walk that would publish the same writes nothing to the list and its history.';
COMMENT ON COLUMN sync.published_list.source IS 'The source.';
COMMENT ON COLUMN sync.published_list.list IS 'The list, by the keys of its table: anime/all/none, chart/us/music/most-played/songs, …';
COMMENT ON COLUMN sync.published_list.digest IS 'Of all that publishing makes rows of, and of the statement and functions by which it does; null if anything but a publication has written to a list of the source since.';
COMMENT ON COLUMN sync.published_list.writes IS 'How often the list was published and the digest taken back.';

-- Each permit moved the times of the latest 64 of them on, and wrote all of them to the log. Now they are a ring in a row
-- of its own: where one element changes, only that is written. Permits that were given keep counting.
ALTER TABLE sync.rate_budget ADD COLUMN given bigint NOT NULL DEFAULT 0;
CREATE TABLE sync.rate_permit (
  origin  text PRIMARY KEY REFERENCES sync.rate_budget ON DELETE CASCADE,
  moments bigint[] NOT NULL
) WITH (fillfactor = 50);
INSERT INTO sync.rate_permit (origin, moments) SELECT origin, permits FROM sync.rate_budget;
UPDATE sync.rate_budget SET given = cardinality(permits);
ALTER TABLE sync.rate_budget DROP COLUMN permits;
COMMENT ON TABLE  sync.rate_permit IS 'The latest permits of each origin. Windows of up to 64 requests look at these.';
COMMENT ON COLUMN sync.rate_permit.origin IS 'Scheme, host and port of the service.';
COMMENT ON COLUMN sync.rate_permit.moments IS 'When the latest 64 requests might be sent, in microseconds since 1970; some of it may be to come. The n-th permit is element n % 64 + 1, counted from 0.';
COMMENT ON TABLE  sync.rate_budget IS 'Origins to which requests are limited, by whatever process, or were to be paused. Times are microseconds since 1970.';
COMMENT ON COLUMN sync.rate_budget.given IS 'How many permits were given.';
