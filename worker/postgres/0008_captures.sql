-- A capture is one call of a function that gets all rows as JSON. So the turn is never kept while a gateway sends data.
--
-- If the turn is free, `capture` stores the rows at once. Otherwise it puts them into the inbox and returns no row. Then the gateway calls
-- `capture_waiting`, which waits for the turn. The call that gets the turn stores the waiting captures of all gateways in one
-- transaction, so they share one commit. The other calls find that their captures are stored.
--
-- The inbox is an unlogged table, because its captures are not acknowledged yet: a crash of the server empties it. If a gateway ends
-- before it calls `capture_waiting`, its rows are deleted after 90 seconds, unless another call has stored them by then.

-- The captures that wait. `lists` has the rows of a capture by their kind: [["events", [row, …]], ["terms", [row, …]], …]. If all rows are
-- too long for one text, `inbox_parts` has the first ones and `lists` only the last ones.
CREATE UNLOGGED TABLE inbox (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token text COLLATE "C" NOT NULL UNIQUE,
  put_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  bytes integer NOT NULL,
  -- [account, time, proceeds, success, document, events, report, expected duplicates, expected namesakes]
  job jsonb NOT NULL,
  lists jsonb NOT NULL
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
-- Stored without compression: rows stay here for milliseconds, so compressing them would cost more than it saves.
ALTER TABLE inbox ALTER COLUMN job SET STORAGE EXTERNAL, ALTER COLUMN lists SET STORAGE EXTERNAL;

-- The first rows of a capture that is too long for one text.
CREATE UNLOGGED TABLE inbox_parts (
  token text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  put_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lists jsonb NOT NULL,
  PRIMARY KEY (token, part)
);
ALTER TABLE inbox_parts ALTER COLUMN lists SET STORAGE EXTERNAL;

-- The outcome of a capture: the number and the time of its job, or else the message and the SQLSTATE of the error. It is read by
-- gateways whose captures another call stored, and by gateways that lost the answer.
CREATE UNLOGGED TABLE outcomes (
  token text COLLATE "C" PRIMARY KEY,
  put_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  job bigint,
  time bigint,
  problem text,
  code text
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Stores a capture completely, or raises an exception. The caller must have the turn. Returns the number and the time of the job. It uses
-- tables and functions of 0010_size.sql.
CREATE FUNCTION store_capture(its_token text, its_job jsonb, last_lists jsonb, OUT job bigint, OUT "time" bigint)
LANGUAGE plpgsql AS $$
DECLARE
  its_account text := its_job ->> 0;
  its_document text := its_job ->> 4;
  its_events integer := CAST(its_job ->> 5 AS integer);
  of_account bigint;
  of_job bigint;
  -- The sequence of the newest event: before the capture, and now.
  before bigint := coalesce((SELECT max(e.sequence) FROM events AS e), 0);
  newest bigint := before;
  -- The sequence of each event, by its position in the document; 0 if this capture did not store it, because it is a duplicate.
  numbers bigint[] := array_fill(CAST(0 AS bigint), ARRAY[its_events]);
  recorded text;
  step record;
  placed record;
  namesakes bigint;
BEGIN
  -- The time of the job becomes the recordTime of the events. It is never earlier than that of the capture before.
  INSERT INTO capture_jobs (account, number, time, proceeds, success, document, events, before, report)
    SELECT its_account, coalesce((SELECT max(c.number) FROM capture_jobs AS c WHERE c.account = its_account), 0) + 1,
      greatest(CAST(its_job ->> 1 AS bigint), coalesce((SELECT c.time FROM capture_jobs AS c ORDER BY c.sequence DESC LIMIT 1), 0)),
      CAST(its_job ->> 2 AS smallint), CAST(its_job ->> 3 AS smallint), its_document, its_events, before, its_job ->> 6
    RETURNING capture_jobs.sequence, capture_jobs.number, capture_jobs.time INTO of_job, job, "time";
  recorded := to_char(to_timestamp("time" / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    || '.' || lpad(CAST("time" % 1000 AS text), 3, '0');
  SELECT a.number INTO of_account FROM accounts AS a WHERE a.account = its_account;
  IF of_account IS NULL THEN
    INSERT INTO accounts (account) VALUES (its_account) RETURNING accounts.number INTO of_account;
  END IF;

  FOR step IN
    SELECT l.list ->> 0 AS kind, l.list -> 1 AS list FROM (
      SELECT p.part, p.lists FROM inbox_parts AS p WHERE p.token = its_token
      UNION ALL SELECT NULL, last_lists
    ) AS p CROSS JOIN LATERAL jsonb_array_elements(p.lists) WITH ORDINALITY AS l (list, place) ORDER BY p.part, l.place
  LOOP
    CASE step.kind
    WHEN 'events' THEN
      FOR placed IN
        WITH given AS MATERIALIZED (
          SELECT CAST(r.value ->> 0 AS bigint) AS identity_key, CAST(r.value ->> 1 AS integer) AS position,
            decode(r.value ->> 2, 'hex') AS identity, r.value AS row FROM jsonb_array_elements(step.list) AS r (value)
        ),
        fresh AS (
          SELECT DISTINCT ON (g.identity) g.* FROM given AS g WHERE NOT EXISTS (
            SELECT 1 FROM identities AS i WHERE i.identity_key = g.identity_key AND i.identity = g.identity OFFSET 0
          ) ORDER BY g.identity, g.position
        ),
        numbered AS MATERIALIZED (SELECT f.*, newest + row_number() OVER (ORDER BY f.position) AS sequence FROM fresh AS f),
        named AS (
          INSERT INTO identities (identity_key, identity, sequence) SELECT n.identity_key, n.identity, n.sequence FROM numbered AS n
        )
        INSERT INTO events (sequence, position, declares_error, captured_by, event_id, event_key, content_key, content_hash, event_type,
            action, biz_step, disposition, event_time, bytes, who, record_time, document)
          SELECT n.sequence, n.position, CAST(n.row ->> 3 AS smallint), n.row ->> 4, n.row ->> 5, CAST(n.row ->> 6 AS bigint),
            CAST(n.row ->> 7 AS bigint), n.row ->> 8, n.row ->> 9, n.row ->> 10, n.row ->> 11, n.row ->> 12, n.row ->> 13,
            CAST(n.row ->> 14 AS integer), n.row ->> 15, recorded || '000000Z', its_document
          FROM numbered AS n RETURNING events.sequence, events.position
      LOOP
        numbers[placed.position + 1] := placed.sequence;
        newest := greatest(newest, placed.sequence);
      END LOOP;
      -- The duplicates: events that were stored before, or came earlier in this capture. If none is expected, we need not look for them:
      -- the check at the end counts them, and fails if there is one.
      IF CAST(its_job ->> 7 AS bigint) > 0 THEN
      INSERT INTO capture_duplicates (job, position, event_id)
        SELECT of_job, CAST(r.value ->> 1 AS integer), e.event_id FROM jsonb_array_elements(step.list) AS r (value)
        CROSS JOIN LATERAL (
          SELECT i.sequence FROM identities AS i
          WHERE i.identity_key = CAST(r.value ->> 0 AS bigint) AND i.identity = decode(r.value ->> 2, 'hex') OFFSET 0
        ) AS i CROSS JOIN LATERAL (SELECT f.event_id FROM events AS f WHERE f.sequence = i.sequence OFFSET 0) AS e
        WHERE numbers[CAST(r.value ->> 1 AS integer) + 1] = 0;
      END IF;
    WHEN 'aliases' THEN
      INSERT INTO aliases (event_key, sequence, event_id, job)
        SELECT CAST(r.value ->> 2 AS bigint), i.sequence, r.value ->> 3, of_job FROM jsonb_array_elements(step.list) AS r (value)
        CROSS JOIN LATERAL (
          SELECT f.sequence FROM identities AS f
          WHERE f.identity_key = CAST(r.value ->> 0 AS bigint) AND f.identity = decode(r.value ->> 1, 'hex') OFFSET 0
        ) AS i ON CONFLICT DO NOTHING;
    WHEN 'parts' THEN
      -- If all sixteen texts of a block are here, they go straight into the block (0010_size.sql).
      WITH given AS MATERIALIZED (
        SELECT numbers[CAST(r.value ->> 1 AS integer) + 1] AS sequence, CAST(r.value ->> 2 AS bigint) AS part,
          (r.value ->> 3) || coalesce(substr(recorded || 'Z', CAST(r.value ->> 4 AS integer), CAST(r.value ->> 5 AS integer)) || (r.value ->> 6), '') AS text
        FROM jsonb_array_elements(step.list) AS r (value) WHERE numbers[CAST(r.value ->> 1 AS integer) + 1] > 0
      ),
      blocks AS (
        INSERT INTO event_blocks (last, texts)
          SELECT g.sequence | 15, array_agg(CASE WHEN is_short(g.text) THEN g.text END ORDER BY g.sequence)
          FROM given AS g WHERE g.part = 0 GROUP BY 1 HAVING count(*) = 16 AND bool_or(is_short(g.text)) RETURNING event_blocks.last
      )
      INSERT INTO event_pieces (piece, text)
        SELECT g.sequence * 1000 + g.part, g.text FROM given AS g
        WHERE g.part > 0 OR NOT is_short(g.text) OR g.sequence | 15 NOT IN (SELECT b.last FROM blocks AS b);
    WHEN 'terms' THEN
      INSERT INTO terms (value, field, sequence, account)
        SELECT DISTINCT (t.value ->> 1) COLLATE "C", CAST(t.value ->> 0 AS smallint), numbers[CAST(r.value ->> 1 AS integer) + 1], of_account
        FROM jsonb_array_elements(step.list) AS r (value) CROSS JOIN LATERAL jsonb_array_elements(r.value -> 2) AS t (value)
        WHERE numbers[CAST(r.value ->> 1 AS integer) + 1] > 0 ORDER BY 1, 2;
    WHEN 'values' THEN
      INSERT INTO listed_values (account, collection, value)
        SELECT of_account, CAST(r.value ->> 0 AS smallint), r.value ->> 1 FROM jsonb_array_elements(step.list) AS r (value)
        ON CONFLICT DO NOTHING;
    WHEN 'elements' THEN
      -- Only elements that differ from the newest one of the same account, identifier and type.
      INSERT INTO master_data (account, job, position, kind, id_key, id, spelling, attributes, children, digest)
        SELECT of_account, of_job, CAST(r.value ->> 0 AS integer), r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4,
          r.value ->> 5, r.value ->> 6, r.value ->> 7 FROM jsonb_array_elements(step.list) WITH ORDINALITY AS r (value, place)
        WHERE NOT EXISTS (
          SELECT 1 FROM master_data AS m WHERE m.digest = r.value ->> 7 AND m.number = (
            SELECT max(n.number) FROM master_data AS n WHERE n.id_key = r.value ->> 2 AND n.account = of_account AND n.kind = r.value ->> 1
          )
        ) ORDER BY r.place;
    WHEN 'attributes' THEN
      INSERT INTO master_data_attributes (account, name, value, number)
        SELECT of_account, t.value ->> 0, t.value ->> 1, m.number FROM jsonb_array_elements(step.list) AS r (value)
        JOIN master_data AS m ON m.job = of_job AND m.position = CAST(r.value ->> 0 AS integer)
        CROSS JOIN LATERAL jsonb_array_elements(r.value -> 2) AS t (value) ON CONFLICT DO NOTHING;
    WHEN 'children' THEN
      INSERT INTO master_data_children (number, child)
        SELECT m.number, t.value ->> 0 FROM jsonb_array_elements(step.list) AS r (value)
        JOIN master_data AS m ON m.job = of_job AND m.position = CAST(r.value ->> 0 AS integer)
        CROSS JOIN LATERAL jsonb_array_elements(r.value -> 2) AS t (value) ON CONFLICT DO NOTHING;
    END CASE;
  END LOOP;

  PERFORM fold_texts(before + 1, newest);

  -- The gateway looked up duplicates and names before it sent the capture. If other captures have changed the result since, the capture
  -- fails, and the gateway looks again. Compared are two numbers: the events that are not new, and the other events of the account that
  -- have a name which this capture brings.
  WITH named AS MATERIALIZED (
    SELECT e.event_key, e.sequence FROM events AS e WHERE e.sequence > before AND e.declares_error = 0
    UNION ALL
    SELECT a.event_key, a.sequence FROM aliases AS a
      CROSS JOIN LATERAL (SELECT f.declares_error FROM events AS f WHERE f.sequence = a.sequence OFFSET 0) AS e
      WHERE a.job = of_job AND e.declares_error = 0
  )
  SELECT
    (SELECT count(*) FROM named AS n CROSS JOIN LATERAL (SELECT * FROM events AS e WHERE e.event_key = n.event_key OFFSET 0) AS f
      WHERE f.captured_by = its_account AND f.declares_error = 0 AND f.sequence <= before AND f.sequence <> n.sequence)
    + (SELECT count(*) FROM named AS n
      CROSS JOIN LATERAL (SELECT * FROM aliases AS b WHERE b.event_key = n.event_key OFFSET 0) AS a
      CROSS JOIN LATERAL (SELECT * FROM events AS e WHERE e.sequence = a.sequence OFFSET 0) AS f
      WHERE a.job < of_job AND a.sequence <> n.sequence AND f.captured_by = its_account AND f.declares_error = 0)
    INTO namesakes;
  IF its_events - (newest - before) <> CAST(its_job ->> 7 AS bigint) OR namesakes <> CAST(its_job ->> 8 AS bigint) THEN
    RAISE EXCEPTION 'more is stored than was expected';
  END IF;
END $$;

-- Makes PostgreSQL use an index for every look-up above, even if a table is new and has no statistics yet. Each connection plans the
-- statements once, not again for every capture.
ALTER FUNCTION store_capture SET enable_seqscan = off;
ALTER FUNCTION store_capture SET plan_cache_mode = force_generic_plan;

-- Stores the first rows of a capture that is too long for one text. `capture` brings the last ones.
CREATE FUNCTION put_aside(its_token text, its_part integer, its_lists text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO inbox_parts (token, part, lists) VALUES (its_token, its_part, its_lists::jsonb)
$$;

-- Stores a capture if the turn is free, and returns the row of `store_capture`. Otherwise puts the capture into the inbox, and returns no
-- row.
CREATE FUNCTION capture(its_token text, its_job text, its_lists text)
RETURNS TABLE (job bigint, "time" bigint) LANGUAGE plpgsql AS $$
DECLARE
  -- Parsed here, before we take the turn, because others may be waiting for it.
  read_job jsonb := its_job::jsonb;
  read_lists jsonb := its_lists::jsonb;
BEGIN
  IF pg_try_advisory_xact_lock(1162889555, 1) THEN
    SELECT s.job, s.time INTO job, "time" FROM store_capture(its_token, read_job, read_lists) AS s;
    INSERT INTO outcomes (token, job, time) VALUES (its_token, job, "time");
    DELETE FROM inbox_parts AS p WHERE p.token = its_token;
    -- Every 50th capture of an account cleans up.
    IF job % 50 = 0 THEN
      PERFORM clear_inbox();
    END IF;
    RETURN NEXT;
  ELSE
    INSERT INTO inbox (token, bytes, job, lists) VALUES (its_token, length(its_lists), read_job, read_lists);
  END IF;
END $$;

-- Whether a row is so old that no call can still need it: no call takes 90 seconds.
CREATE FUNCTION is_forgotten(put_at timestamptz) RETURNS boolean LANGUAGE sql AS $$
  SELECT put_at < clock_timestamp() - interval '90 seconds'
$$;

-- Deletes old outcomes, and the rows of gateways that ended before their captures were stored.
CREATE FUNCTION clear_inbox() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM inbox WHERE is_forgotten(put_at);
  DELETE FROM inbox_parts WHERE is_forgotten(put_at);
  DELETE FROM outcomes WHERE is_forgotten(put_at);
END $$;

-- Waits for the turn if the capture is in the inbox, and stores it if no other call has done so. Returns its outcome; no row if there is
-- no such capture, for example after a crash has emptied the inbox.
CREATE FUNCTION capture_waiting(its_token text)
RETURNS TABLE (job bigint, "time" bigint, problem text, code text) LANGUAGE plpgsql AS $$
DECLARE
  mine bigint;
  waiting record;
  done record;
BEGIN
  SELECT i.number INTO mine FROM inbox AS i WHERE i.token = its_token;
  IF mine IS NOT NULL THEN
    PERFORM take_turn(1);
    IF NOT EXISTS (SELECT 1 FROM outcomes AS o WHERE o.token = its_token) THEN
      PERFORM clear_inbox();
      -- All captures up to this one. Later ones too, while the inbox up to them has at most 60 captures and less than 4 MB. A capture that
      -- `take_back` is just deleting is locked, and left out.
      FOR waiting IN
        SELECT i.* FROM inbox AS i WHERE i.number <= mine OR i.number IN (
          SELECT l.number FROM (
            SELECT n.number, sum(n.bytes) OVER (ORDER BY n.number) AS bytes FROM inbox AS n ORDER BY n.number LIMIT 60
          ) AS l WHERE l.bytes < 4000000
        ) ORDER BY i.number FOR UPDATE SKIP LOCKED
      LOOP
        BEGIN
          SELECT * INTO done FROM store_capture(waiting.token, waiting.job, waiting.lists);
          INSERT INTO outcomes (token, job, time) VALUES (waiting.token, done.job, done.time);
        EXCEPTION
          -- An error in the data fails only this capture. Other errors, such as a full disk or a timeout, abort the transaction with all
          -- captures.
          WHEN plpgsql_error OR data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
            INSERT INTO outcomes (token, problem, code) VALUES (waiting.token, SQLERRM, SQLSTATE);
        END;
        DELETE FROM inbox AS i WHERE i.number = waiting.number;
        DELETE FROM inbox_parts AS p WHERE p.token = waiting.token;
      END LOOP;
    END IF;
  END IF;
  RETURN QUERY SELECT o.job, o.time, o.problem, o.code FROM outcomes AS o WHERE o.token = its_token;
END $$;

-- Other transactions start with settings of worker/js/session.js. A call of these functions is a transaction by itself, so the functions
-- have the settings.
ALTER FUNCTION capture SET lock_timeout = '20s';
ALTER FUNCTION capture SET jit = off;
ALTER FUNCTION capture SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION capture_waiting SET lock_timeout = '20s';
ALTER FUNCTION capture_waiting SET jit = off;
ALTER FUNCTION capture_waiting SET max_parallel_workers_per_gather = 0;

-- Takes a capture back. `was_there` tells that it still waited: then nothing of it will be stored. Otherwise the row has the outcome of the
-- capture, if there is one.
CREATE FUNCTION take_back(its_token text)
RETURNS TABLE (was_there boolean, job bigint, "time" bigint, problem text, code text) LANGUAGE plpgsql AS $$
DECLARE
  taken boolean;
BEGIN
  DELETE FROM inbox AS i WHERE i.token = its_token;
  taken := FOUND;
  DELETE FROM inbox_parts AS p WHERE p.token = its_token;
  RETURN QUERY SELECT taken, o.job, o.time, o.problem, o.code FROM (SELECT 1) AS one LEFT JOIN outcomes AS o ON o.token = its_token;
END $$;

-- The turn to make the next head of the log: of all gateways, one has it until the time in `until`. A head takes several transactions, so a
-- lock of one transaction would not do. `take_log_turn` returns 1 if it got the turn, and 0 if another gateway has it.
CREATE UNLOGGED TABLE log_turns (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  until timestamptz NOT NULL
);
CREATE FUNCTION take_log_turn(milliseconds bigint) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_turns AS t (until) VALUES (clock_timestamp() + milliseconds * interval '1 millisecond')
    ON CONFLICT (is_one) DO UPDATE SET until = EXCLUDED.until WHERE t.until <= clock_timestamp();
  RETURN CAST(FOUND AS integer);
END $$;
