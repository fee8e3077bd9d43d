-- The rate limits that all processes share. Times are microseconds since 1970 on the origin's clock. The origin's clock
-- is the database's clock plus clock_offset. The offset keeps the origin's clock from going back or jumping.

CREATE OR REPLACE FUNCTION sync.clock_microseconds() RETURNS bigint
LANGUAGE sql VOLATILE
RETURN (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
COMMENT ON FUNCTION sync.clock_microseconds IS 'The database''s clock, not the start of the transaction, in microseconds since 1970.';

-- A window's padded length is its length plus 2 % (at least 20 ms). If a window allows n requests, a permit must be at
-- least the padded length later than the n-th permit before it. If n is above 64, permits are counted in buckets of a
-- 64th of the padded length. Any interval of this length lies within 65 buckets, so 65 buckets get at most n permits.
CREATE OR REPLACE FUNCTION sync.take_permit_at(
  clock bigint, of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint,
  OUT wait bigint, OUT reading bigint)
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
DECLARE
  budget  sync.rate_budget;
  counted sync.rate_window;
  given   bigint[];
  permit  bigint;
  padded  bigint;
  held    bigint;
  steps   bigint;
  probes  boolean;
BEGIN
  -- This update also locks the row. It already counts the permit, because a permit is almost always given. If the
  -- update waits for another caller, PostgreSQL evaluates it again with the other caller's row and the current clock.
  UPDATE sync.rate_budget b SET given = b.given + 1, (read_at, clock_offset) = (
    -- If the database's clock was set back, the origin's clock continues from its last reading.
    SELECT greatest(r.reading, b.read_at), greatest(r.reading, b.read_at) - c.now
    FROM (SELECT coalesce(clock, sync.clock_microseconds()) AS now OFFSET 0) c CROSS JOIN LATERAL (
      -- If the database's clock jumped, the caller's own measurement is used: known + elapsed. A jump is more than 1 ms
      -- back or more than 5 s forward. The forward limit is higher, because messages take time. Both limits grow by a
      -- thousandth of the elapsed time, because clocks run at different speeds.
      SELECT CASE WHEN c.now + b.clock_offset - known - elapsed
                       NOT BETWEEN -1000 - elapsed / 1000 AND 5000000 + elapsed / 1000
                  THEN known + elapsed ELSE c.now + b.clock_offset END AS reading
    ) r
  )
  WHERE b.origin = of_origin RETURNING * INTO STRICT budget;
  budget.given := budget.given - 1;
  reading := budget.read_at;

  -- Permit n, counted from 0, is element n % 64 + 1. A missing element is null, which greatest() ignores.
  SELECT moments INTO given FROM sync.rate_permit p WHERE p.origin = of_origin;
  permit := greatest(reading, budget.paused_until, given[(budget.given - 1) % 64 + 1]);
  -- A pause is at most 1 h long, and a service can ask for more. The first permit after such a long pause therefore asks
  -- whether the pause is over: the next permit is 60 s later, so that its request waits for the first answer. The pause
  -- was long if the 45 min before its end have no permit. A permit can be reserved for the first 15 min of a pause.
  probes := coalesce(given[(budget.given - 1) % 64 + 1] <= budget.paused_until - 2700000000, false);
  FOR i IN 1 .. cardinality(requests) LOOP
    padded := lengths[i] + greatest(lengths[i] / 50, 20000);
    IF requests[i] <= 64 THEN
      permit := greatest(permit, given[(budget.given - requests[i]) % 64 + 1] + padded);
      CONTINUE;
    END IF;
    SELECT * INTO counted FROM sync.rate_window w WHERE w.origin = of_origin AND w.length = lengths[i];
    IF NOT FOUND THEN
      -- A new window starts with the known permits in its latest bucket.
      held := (SELECT count(*) FROM unnest(given) moment WHERE moment > reading - padded);
      INSERT INTO sync.rate_window (origin, length, bucket_width, bucket_start, counts)
      VALUES (of_origin, lengths[i], (padded + 63) / 64, permit, array_fill(0, ARRAY[64]) || held::integer)
      RETURNING * INTO counted;
    END IF;
    held := (SELECT sum(count) FROM unnest(counted.counts) count);
    steps := 0;
    WHILE held >= requests[i] LOOP
      steps := steps + 1;
      held := held - counted.counts[steps];
    END LOOP;
    IF steps > 0 THEN
      permit := greatest(permit, counted.bucket_start + steps * counted.bucket_width);
    END IF;
  END LOOP;

  wait := permit - reading;
  IF wait <= longest_wait THEN
    IF probes THEN
      permit := permit + 60000000;
    END IF;
    given[budget.given % 64 + 1] := permit;
    UPDATE sync.rate_permit p SET moments = given WHERE p.origin = of_origin;
    IF NOT FOUND THEN
      INSERT INTO sync.rate_permit (origin, moments) VALUES (of_origin, given);
    END IF;
    FOR counted IN SELECT * FROM sync.rate_window w WHERE w.origin = of_origin LOOP
      -- The latest bucket can begin after this permit, if an earlier call was refused or a later permit was returned.
      -- Then `steps` is 0.
      steps := greatest(0, (permit - counted.bucket_start) / counted.bucket_width);
      counted.counts := counted.counts[least(steps, 65) + 1:] || array_fill(0, ARRAY[least(steps, 65)::integer]);
      counted.counts[65] := counted.counts[65] + 1;
      UPDATE sync.rate_window w
      SET counts = counted.counts, bucket_start = counted.bucket_start + steps * counted.bucket_width
      WHERE w.origin = of_origin AND w.length = counted.length;
    END LOOP;
  ELSE
    UPDATE sync.rate_budget b SET given = b.given - 1 WHERE b.origin = of_origin;
  END IF;
END $$;
COMMENT ON FUNCTION sync.take_permit_at IS 'Like sync.take_permit, but for a given time of the database''s clock (NULL for now). The origin must have a row in sync.rate_budget. Times and durations are microseconds.';

CREATE OR REPLACE FUNCTION sync.take_permit(
  of_origin text, requests bigint[], lengths bigint[], longest_wait bigint, known bigint, elapsed bigint,
  OUT wait bigint, OUT reading bigint)
LANGUAGE plpgsql
SET search_path = pg_catalog SET lock_timeout = '5s'
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM sync.rate_budget b WHERE b.origin = of_origin) THEN
    INSERT INTO sync.rate_budget (origin) VALUES (of_origin) ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO wait, reading FROM sync.take_permit_at(
    NULL, of_origin, requests, lengths, longest_wait, known, elapsed);
END $$;
COMMENT ON FUNCTION sync.take_permit IS 'Reserves the next permit of an origin, unless the wait is longer than longest_wait. Window i allows requests[i] requests in lengths[i] microseconds. Returns the wait, and reading, the time on the origin''s clock at which the wait begins. A caller that has already called the function passes the last reading (known) and the time since then on its own clock (elapsed).';

CREATE OR REPLACE FUNCTION sync.return_permit(of_origin text, permit bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog SET lock_timeout = '5s'
AS $$
DECLARE
  -- The lock of sync.take_permit_at.
  number bigint := (SELECT b.given - 1 FROM sync.rate_budget b WHERE b.origin = of_origin FOR NO KEY UPDATE);
  moved  bigint[] := (SELECT moments FROM sync.rate_permit p WHERE p.origin = of_origin);
  oldest bigint := greatest(number - 63, 0);
BEGIN
  WHILE number >= oldest AND moved[number % 64 + 1] IS DISTINCT FROM permit LOOP
    number := number - 1;
  END LOOP;
  IF number IS NULL OR number < oldest THEN
    RETURN; -- The permit is older than the permits that are remembered.
  END IF;
  -- The earlier permits take the free place. The oldest permit then stands for the one before it, which is not
  -- remembered.
  WHILE number > oldest LOOP
    moved[number % 64 + 1] := moved[(number - 1) % 64 + 1];
    number := number - 1;
  END LOOP;
  IF oldest = 0 THEN
    moved[1] := NULL; -- There was none before it.
  END IF;
  UPDATE sync.rate_permit p SET moments = moved WHERE p.origin = of_origin;

  UPDATE sync.rate_window w SET counts[bucket] = counts[bucket] - 1
  FROM (
    -- Rounded up, because the latest bucket is element 65 and begins at bucket_start.
    SELECT length, (65 - greatest(0, bucket_start - permit + bucket_width - 1) / bucket_width)::integer AS bucket
    FROM sync.rate_window WHERE origin = of_origin
  ) place
  WHERE w.origin = of_origin AND w.length = place.length AND bucket >= 1 AND counts[bucket] > 0;
END $$;
COMMENT ON FUNCTION sync.return_permit IS 'Returns a permit that no request uses: permit is its time on the origin''s clock, reading + wait of sync.take_permit. Without effect for a permit that is not remembered.';

CREATE OR REPLACE FUNCTION sync.pause_origin(of_origin text, duration bigint) RETURNS void
LANGUAGE sql VOLATILE
SET search_path = pg_catalog SET lock_timeout = '5s'
AS $$
  INSERT INTO sync.rate_budget AS b (origin, paused_until) VALUES (of_origin, sync.clock_microseconds() + duration)
  ON CONFLICT (origin) DO UPDATE SET paused_until =
    greatest(b.paused_until, greatest(sync.clock_microseconds() + b.clock_offset, b.read_at) + duration)
$$;
COMMENT ON FUNCTION sync.pause_origin IS 'Pauses the permits of an origin for a duration in microseconds from now. A shorter pause does not end a longer pause.';

CREATE OR REPLACE FUNCTION sync.pause_left(of_origin text) RETURNS bigint
LANGUAGE sql VOLATILE
SET search_path = pg_catalog
AS $$
  SELECT coalesce(max(greatest(
    0, b.paused_until - greatest(sync.clock_microseconds() + b.clock_offset, b.read_at))), 0)
  FROM sync.rate_budget b WHERE b.origin = of_origin
$$;
COMMENT ON FUNCTION sync.pause_left IS 'Microseconds until an origin''s pause ends; 0 without a pause.';
