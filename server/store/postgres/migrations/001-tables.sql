-- The tables of Curt. Times are milliseconds since the epoch, UTC. Texts that identify something compare
-- by their bytes (COLLATE "C"): fast, and the same after an upgrade of the system's C library.
--
-- The tables have the records of `server/store/records.ts`. Each statement of a visit or a create touches one
-- key of a table: an alias, or the id of a link or an account, or the hash of a token. These are the columns by
-- which a distributed database may split it.

-- Which files of this folder were applied.
CREATE TABLE curt_migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  -- Of what the file does.
  fingerprint text NOT NULL,
  -- The version of Curt that applied it.
  version text NOT NULL,
  applied timestamptz NOT NULL
);

CREATE TABLE links (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  deleted_at bigint,
  hits bigint NOT NULL,
  -- All its fields but the hits: `LinkJson`.
  link json NOT NULL,
  -- The host of the target with its labels reversed and a dot at the end, such as `com.example.www.`: that
  -- of a subdomain begins with it.
  reversed_host text COLLATE "C" NOT NULL,
  -- The hosts of its other targets, and the domains that these are in.
  other_hosts text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- By what a list of aliases is sorted. A list reads it for each link of its account, and the texts of a
  -- search may be long.
  alias_order text COLLATE "C" NOT NULL,
  -- What a search looks in, and tags, in folded case. The texts are separated by line breaks.
  search_text text COLLATE "C" NOT NULL,
  tags text[] NOT NULL,
  -- The tags as written.
  tag_names text[] NOT NULL DEFAULT '{}',
  -- Identifies the row of the import that made the link.
  import_key text COLLATE "C"
)
-- Room for hits beside the row, so that no index changes with them.
WITH (fillfactor = 80);

CREATE INDEX links_list ON links (account_id, created, id);
-- To find the links with a URL as its account wrote it: the second text of a search.
CREATE INDEX links_original ON links (
  account_id, hashtextextended(split_part(search_text, E'\n', 2), 0)
);
-- To find the links that an import has added before.
CREATE INDEX links_import_key ON links (account_id, import_key) WHERE import_key IS NOT NULL;
CREATE INDEX links_created ON links (created, id);
CREATE INDEX links_reversed_host ON links (reversed_host);
CREATE INDEX links_other_hosts ON links USING gin (other_hosts) WHERE other_hosts <> '{}';
CREATE INDEX links_deleted ON links (deleted_at) WHERE deleted_at IS NOT NULL;

-- The tags of each account's links, so that nobody has to look at the links for them.
CREATE TABLE account_tags (
  account_id text COLLATE "C" NOT NULL,
  -- In folded case, and as written: as in `links`.
  folded text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- How many links have it, and how many of them are not deleted.
  links integer NOT NULL,
  listed integer NOT NULL,
  PRIMARY KEY (account_id, folded, name)
) WITH (fillfactor = 70);

CREATE FUNCTION curt_count_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO account_tags (account_id, folded, name, links, listed)
      SELECT DISTINCT NEW.account_id, folded, name, 1, (NEW.deleted_at IS NULL)::integer
      FROM unnest(NEW.tags, NEW.tag_names) AS each (folded, name)
      ON CONFLICT (account_id, folded, name) DO UPDATE
      SET links = account_tags.links + 1, listed = account_tags.listed + excluded.listed;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE account_tags
      SET links = links - 1, listed = listed - (OLD.deleted_at IS NULL)::integer
      WHERE account_id = OLD.account_id AND folded = ANY (OLD.tags) AND name = ANY (OLD.tag_names);
    DELETE FROM account_tags
      WHERE account_id = OLD.account_id AND folded = ANY (OLD.tags) AND links <= 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_added_tags AFTER INSERT ON links
  FOR EACH ROW WHEN (NEW.tags <> '{}') EXECUTE FUNCTION curt_count_tags();
CREATE TRIGGER count_deleted_tags AFTER DELETE ON links
  FOR EACH ROW WHEN (OLD.tags <> '{}') EXECUTE FUNCTION curt_count_tags();
CREATE TRIGGER count_edited_tags AFTER UPDATE OF tags, tag_names, account_id, deleted_at ON links
  FOR EACH ROW WHEN (
    OLD.tag_names <> NEW.tag_names
    OR NEW.tags <> '{}' AND (
      OLD.account_id <> NEW.account_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
    )
  ) EXECUTE FUNCTION curt_count_tags();

-- Every alias that was ever used: it belongs to its first account for good.
CREATE TABLE aliases (
  -- The alias in lower case.
  key text COLLATE "C" PRIMARY KEY,
  -- Who may use it. An empty text: nobody, because the account was deleted.
  account_id text COLLATE "C" NOT NULL,
  -- Null: no link has it any more.
  link_id text COLLATE "C"
);

-- To reserve an account's aliases permanently.
CREATE INDEX aliases_without_link ON aliases (account_id) WHERE link_id IS NULL;

-- Accounts, and ids that only links have. Every change of an account, its links or its aliases locks its row.
CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  -- In the order in which accounts were added.
  number bigint GENERATED BY DEFAULT AS IDENTITY,
  identity_hash text COLLATE "C" UNIQUE,
  -- All its fields: `AccountJson`. Null if it was deleted, or if only links name it.
  account json,
  -- Id and name, in folded case, separated by a line break.
  search_text text COLLATE "C",
  -- The account was deleted: nothing can be added to it.
  is_deleted boolean NOT NULL DEFAULT false,
  -- How many links it has.
  total bigint NOT NULL DEFAULT 0,
  -- How much of each quota is used, by calendar month (UTC) or `imports`, such as {"24323": 5} for November
  -- 2026: months since the year 0, from 1.
  quotas jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);

CREATE INDEX accounts_number ON accounts (number) WHERE account IS NOT NULL;

-- Deleted accounts whose links are not all erased yet.
CREATE TABLE accounts_to_erase (
  account_id text COLLATE "C" PRIMARY KEY
);

-- Nobody can see the links of deleted accounts.
CREATE VIEW visible_links AS
  SELECT * FROM links WHERE NOT EXISTS (
    SELECT FROM accounts_to_erase WHERE accounts_to_erase.account_id = links.account_id
  );

CREATE TABLE tokens (
  token_hash text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  -- In the order in which tokens were added.
  number bigint GENERATED BY DEFAULT AS IDENTITY,
  -- All its fields but the day of its last use: `TokenJson`.
  token json NOT NULL,
  -- Start of a day (UTC).
  last_used_on bigint
);

CREATE INDEX tokens_account ON tokens (account_id);

CREATE TABLE idempotency_keys (
  key_hash text COLLATE "C" PRIMARY KEY,
  body_hash text COLLATE "C" NOT NULL,
  token_salt text COLLATE "C",
  link_id text COLLATE "C" NOT NULL,
  -- The link as created, as in `links`; null once it was erased.
  link json,
  created bigint NOT NULL
);

CREATE INDEX idempotency_keys_created ON idempotency_keys (created);
CREATE INDEX idempotency_keys_link ON idempotency_keys (link_id);

CREATE TABLE blocks (
  -- The kind and what is blocked: `link <id>`, `host <host>` or `account <id>`.
  key text COLLATE "C" PRIMARY KEY,
  -- Why and since when.
  value json NOT NULL
);

-- What counts on the current day (UTC) against limits of all servers together, by name.
CREATE TABLE days (
  key text COLLATE "C" PRIMARY KEY,
  value json NOT NULL
) WITH (fillfactor = 50);

-- The last days (UTC) on which a server ran, in one row.
CREATE TABLE uptime (
  key text COLLATE "C" PRIMARY KEY,
  value json NOT NULL
) WITH (fillfactor = 50);

-- Besides that of `BASE_URL`.
CREATE TABLE domains (
  -- The host.
  key text COLLATE "C" PRIMARY KEY,
  -- `StoredDomain`.
  value json NOT NULL
);

-- What visitors say about a link.
CREATE TABLE reports (
  -- The id of the link.
  key text COLLATE "C" PRIMARY KEY REFERENCES links ON DELETE CASCADE,
  -- `LinkReports`.
  value json NOT NULL
);

CREATE TABLE audit_log (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  entry json NOT NULL
);

-- Visits of a subject, `link <id>` or `account <id>`, on a day of which visits may still arrive, or on all
-- earlier days.
CREATE TABLE visits (
  subject text COLLATE "C",
  -- The number of the UTC day since the epoch; -1 for all earlier days.
  day integer,
  -- The day on which it is summed up. Null: never again.
  due integer,
  -- The start of the last hour, day or month with people; 0 if there is none.
  last_visit bigint NOT NULL,
  -- `HistoryJson`, in two parts: lists need only the counts.
  counts json NOT NULL,
  tallies json NOT NULL,
  PRIMARY KEY (subject, day)
) WITH (fillfactor = 80);

CREATE INDEX visits_due ON visits (due);

-- Counters that several servers share for a short time, such as those of rate limits. Unlogged: a crash of
-- the database resets them.
CREATE UNLOGGED TABLE counters (
  key text COLLATE "C" PRIMARY KEY,
  count bigint NOT NULL,
  expires bigint NOT NULL,
  -- When `add_counters` reached the limit.
  full_since bigint
) WITH (fillfactor = 50);

CREATE INDEX counters_expires ON counters (expires);
CREATE INDEX counters_full_since ON counters (full_since) WHERE full_since IS NOT NULL;

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

CREATE TABLE secrets (
  name text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);
