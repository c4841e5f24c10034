-- Counts an event of each counter, unless one of them has reached its limit: then of none.
-- `full_at` is the position of the first full counter, from 1, or null; `counts` and `expiries` end with it.
-- All calls must name counters of the same kind in the same order, so that they do not wait for each other.
CREATE FUNCTION take_counters(keys text[], maxima bigint[], windows bigint[], now_ms bigint,
  OUT full_at integer, OUT counts bigint[], OUT expiries bigint[])
LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
  ends bigint;
BEGIN
  FOR i IN 1 .. cardinality(keys) LOOP
    INSERT INTO counters AS c (key, count, expires) VALUES (keys[i], 1, now_ms + windows[i])
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN c.expires <= now_ms THEN 1 ELSE c.count + 1 END,
      expires = CASE WHEN c.expires <= now_ms THEN now_ms + windows[i] ELSE c.expires END
    WHERE c.expires <= now_ms OR c.count < maxima[i]
    RETURNING c.count, c.expires INTO taken, ends;
    IF NOT FOUND THEN
      full_at := i;
      -- The row is locked, so it has not changed since.
      SELECT c.count, c.expires INTO taken, ends FROM counters AS c WHERE c.key = keys[i];
      UPDATE counters SET count = count - 1 WHERE key = ANY (keys[1 : i - 1]);
    END IF;
    counts[i] := taken;
    expiries[i] := ends;
    EXIT WHEN full_at IS NOT NULL;
  END LOOP;
END
$$;

-- Uncounts an event of each counter. The keys are in the order of `take_counters`.
CREATE FUNCTION take_back_counters(keys text[], now_ms bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(keys) LOOP
    UPDATE counters SET count = count - 1 WHERE key = keys[i] AND count > 0 AND expires > now_ms;
  END LOOP;
END
$$;

-- Counts events regardless of limits, and notes when a limit is reached. The keys are sorted.
CREATE FUNCTION add_counters(keys text[], additions bigint[], maxima bigint[], windows bigint[],
  now_ms bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(keys) LOOP
    INSERT INTO counters AS c (key, count, expires, full_since)
    VALUES (keys[i], additions[i], now_ms + windows[i],
      CASE WHEN additions[i] >= maxima[i] THEN now_ms END)
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN c.expires <= now_ms THEN excluded.count ELSE c.count + excluded.count END,
      expires = CASE WHEN c.expires <= now_ms THEN excluded.expires ELSE c.expires END,
      full_since = CASE
        WHEN c.expires <= now_ms THEN excluded.full_since
        WHEN c.full_since IS NOT NULL THEN c.full_since
        WHEN c.count + excluded.count >= maxima[i] THEN now_ms
      END;
  END LOOP;
END
$$;
