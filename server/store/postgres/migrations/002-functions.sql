-- What has to decide between its statements in one round trip. Each function is called in a transaction
-- of its own.

-- Locks an account until the transaction ends, and reads what its changes are authorized by: the tokens with
-- these hashes, its suspension and its block. No row: there is no such account. Each statement sees what was
-- committed before the lock was granted; one statement for all would see the time before it waited.
CREATE FUNCTION lock_account(owner text, hashes text[])
RETURNS TABLE (is_deleted boolean, account json, tokens json, blocked text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  SELECT links.is_deleted INTO is_deleted FROM account_links AS links
  WHERE account_id = owner FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT accounts.account INTO account FROM accounts WHERE id = owner;
  SELECT json_agg(json_build_object('hash', token_hash, 'accountId', account_id, 'scope', scope))
  INTO tokens FROM tokens WHERE token_hash = ANY (hashes);
  SELECT reason INTO blocked FROM blocks WHERE kind = 'account' AND value = owner;
  RETURN NEXT;
END
$$;

-- Adds links of one account, except imported ones, all that can be added. Locks in a fixed order, so that
-- calls do not block each other for good: the account, then each link's idempotency key and alias, by alias.
--
-- `calls` is an array of objects with the columns below. A null `quota` is none. Keys that were made until
-- `keys_until` have expired. `link` is the text of the JSON, because PostgreSQL cannot take objects with some
-- escapes apart. `new_account` is added with the first link.
CREATE FUNCTION add_links(owner text, new_account json, calls json)
RETURNS TABLE (
  call integer,
  outcome text,
  used_in_month bigint,
  -- Of a replay.
  body_hash text,
  token_salt text,
  link json
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  account account_links%ROWTYPE;
  new record;
  known record;
  used bigint;
  has_changed boolean := false;
BEGIN
  SELECT * INTO account FROM account_links WHERE account_id = owner FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO account_links (account_id) VALUES (owner) ON CONFLICT DO NOTHING;
    SELECT * INTO account FROM account_links WHERE account_id = owner FOR UPDATE;
  END IF;

  FOR new IN
    SELECT * FROM json_to_recordset(calls) AS each (
      call integer, key text, id text, created bigint, deleted_at bigint, hits bigint, link text,
      reversed_host text, search_text text, tags text[], month text,
      quota bigint,
      key_hash text, body_hash text, token_salt text, keys_until bigint
    ) ORDER BY key, call
  LOOP
    call := new.call;
    outcome := NULL;
    used_in_month := NULL;
    body_hash := NULL;
    token_salt := NULL;
    link := NULL;

    IF account.is_deleted THEN
      outcome := 'account_deleted';
      RETURN NEXT;
      CONTINUE;
    END IF;

    IF new.key_hash IS NOT NULL THEN
      INSERT INTO idempotency_keys AS existing
        (key_hash, body_hash, token_salt, link_id, account_id, link, created)
      VALUES
        (new.key_hash, new.body_hash, new.token_salt, new.id, owner, new.link::json, new.created)
      ON CONFLICT (key_hash) DO UPDATE SET
        body_hash = excluded.body_hash, token_salt = excluded.token_salt, link_id = excluded.link_id,
        account_id = excluded.account_id, link = excluded.link, created = excluded.created
      WHERE existing.created <= new.keys_until;
      IF NOT FOUND THEN
        SELECT keys.body_hash, keys.token_salt, keys.link, EXISTS (
          SELECT FROM account_links WHERE account_links.account_id = keys.account_id AND is_deleted
        ) AS is_gone
        INTO known FROM idempotency_keys AS keys WHERE key_hash = new.key_hash;
        IF known.link IS NULL OR known.is_gone OR known.body_hash <> new.body_hash THEN
          outcome := 'mismatch';
        ELSE
          outcome := 'replayed';
          body_hash := known.body_hash;
          token_salt := known.token_salt;
          link := known.link;
        END IF;
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;

    used := coalesce((account.months->>(new.month))::bigint, 0);
    IF used >= new.quota THEN
      outcome := 'quota_exceeded';
    ELSE
      INSERT INTO aliases (
        key, account_id, id, number, created, deleted_at, hits, link, reversed_host, search_text, tags
      ) VALUES (
        new.key, owner, new.id, nextval('link_numbers'), new.created, new.deleted_at, new.hits,
        new.link::json, new.reversed_host, new.search_text, new.tags
      ) ON CONFLICT (key) DO NOTHING;
      IF NOT FOUND THEN
        -- Only the account itself can have changed the row since: nobody else may use it.
        UPDATE aliases SET
          id = new.id, number = nextval('link_numbers'), created = new.created,
          deleted_at = new.deleted_at, hits = new.hits, link = new.link::json,
          reversed_host = new.reversed_host, search_text = new.search_text, tags = new.tags
        WHERE key = new.key AND account_id = owner AND id IS NULL AND current_key IS NULL;
      END IF;
      outcome := CASE WHEN FOUND THEN 'added' ELSE 'alias_taken' END;
    END IF;

    IF outcome = 'added' THEN
      has_changed := true;
      account.total := account.total + 1;
      used := used + 1;
      account.months := jsonb_set(account.months, ARRAY[new.month], to_jsonb(used));
      used_in_month := used;
    ELSIF new.key_hash IS NOT NULL THEN
      DELETE FROM idempotency_keys WHERE key_hash = new.key_hash;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF NOT has_changed THEN
    RETURN;
  END IF;
  UPDATE account_links
  SET total = account.total, months = account.months
  WHERE account_id = owner;
  IF new_account IS NOT NULL THEN
    INSERT INTO accounts (id, identity_hash, account, search_text)
    SELECT id, identity_hash, account::json, search_text
    FROM json_to_record(new_account) AS each (
      id text, identity_hash text, account text, search_text text
    );
    INSERT INTO tokens (token_hash, id, account_id, name, scope, created)
    SELECT token_hash, id, id, '', 'all', created
    FROM json_to_record(new_account) AS each (id text, token_hash text, created bigint);
  END IF;
END
$$;

-- Counts visits of a link as far as its `maxVisits` allows. No row: the alias does not have this link.
CREATE FUNCTION take_visits(alias_key text, link_id text, visits bigint)
RETURNS TABLE (granted bigint, hits bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  found_link record;
BEGIN
  SELECT aliases.hits, deleted_at, (link->'maxVisits')::text::bigint AS max_visits, (
    SELECT is_deleted FROM account_links WHERE account_links.account_id = aliases.account_id
  ) AS is_gone
  INTO found_link FROM aliases WHERE key = alias_key AND id = link_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  granted := CASE
    WHEN found_link.deleted_at IS NOT NULL OR found_link.is_gone THEN 0
    ELSE greatest(0, least(visits, coalesce(found_link.max_visits - found_link.hits, visits)))
  END;
  hits := found_link.hits + granted;
  IF granted > 0 THEN
    UPDATE aliases SET hits = found_link.hits + granted WHERE key = alias_key;
  END IF;
  RETURN NEXT;
END
$$;

-- Adds hits to links, in the order of the arrays, which must be sorted by key. Returns those that were found.
CREATE FUNCTION add_hits(keys text[], ids text[], counts bigint[])
RETURNS TABLE (id text, hits bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  FOR place IN 1 .. coalesce(array_length(keys, 1), 0) LOOP
    UPDATE aliases SET hits = aliases.hits + counts[place]
    WHERE key = keys[place] AND aliases.id = ids[place]
    RETURNING aliases.id, aliases.hits INTO id, hits;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;
