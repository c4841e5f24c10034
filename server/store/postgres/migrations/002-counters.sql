-- Counts an event of each counter, unless one of them has reached its limit: then of none.
-- Returns the state of the last counter or, if nothing was counted, of the first full one.
-- All calls must name counters of the same kind in the same order, so that they do not wait for each other.
CREATE FUNCTION take_counters(keys text[], maxima bigint[], window_ms bigint, now_ms bigint,
  OUT is_counted boolean, OUT last_count bigint, OUT last_expires bigint)
LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(keys) LOOP
    INSERT INTO counters AS c (key, count, expires) VALUES (keys[i], 1, now_ms + window_ms)
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN c.expires <= now_ms THEN 1 ELSE c.count + 1 END,
      expires = CASE WHEN c.expires <= now_ms THEN now_ms + window_ms ELSE c.expires END
    WHERE c.expires <= now_ms OR c.count < maxima[i]
    RETURNING c.count, c.expires INTO last_count, last_expires;
    is_counted := FOUND;
    IF NOT FOUND THEN
      -- The row is locked, so it has not changed since.
      SELECT c.count, c.expires INTO last_count, last_expires FROM counters AS c WHERE c.key = keys[i];
      UPDATE counters SET count = count - 1 WHERE key = ANY (keys[1 : i - 1]);
      EXIT;
    END IF;
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
-- Returns the counters whose limit was reached after `since_ms`.
CREATE FUNCTION exchange_counters(keys text[], additions bigint[], maxima bigint[], window_ms bigint,
  now_ms bigint, since_ms bigint) RETURNS TABLE (full_key text, ends bigint)
LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(keys) LOOP
    INSERT INTO counters AS c (key, count, expires, full_since)
    VALUES (keys[i], additions[i], now_ms + window_ms,
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
  RETURN QUERY SELECT c.key, c.expires FROM counters AS c
    WHERE c.full_since > since_ms AND c.expires > now_ms;
END
$$;
