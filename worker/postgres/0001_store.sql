-- The store in PostgreSQL. worker/migrations makes the same store in SQLite, and its comments describe the tables. The comments here
-- tell only what is different.
--
-- Texts are compared byte by byte (COLLATE "C"). Captures run one after the other (take_turn). So the sequences of events have no gaps,
-- and a reader who sees an event also sees all events before it.

-- Functions that the statements of the Worker call. SQLite has `unhex`, `hex` and `json_group_array`; the others replace its `json_each`.

CREATE FUNCTION unhex(digits text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT decode(digits, 'hex') $$;

CREATE FUNCTION hex(bytes bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT coalesce(encode(bytes, 'hex'), '') $$;

-- The members of a JSON array (`value`), each with its index from 0 (`key`).
CREATE FUNCTION rows_of(list text) RETURNS TABLE (key bigint, value jsonb) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 500
  AS $$ SELECT place - 1, row FROM jsonb_array_elements(list::jsonb) WITH ORDINALITY AS r (row, place) $$;

CREATE FUNCTION texts_of(list text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT ARRAY(SELECT jsonb_array_elements_text(list::jsonb)) $$;

CREATE FUNCTION numbers_of(list text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT ARRAY(SELECT CAST(jsonb_array_elements_text(list::jsonb) AS bigint)) $$;

CREATE FUNCTION json_text_of(texts text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT to_json(texts)::text $$;

CREATE AGGREGATE json_group_array(text) (SFUNC = array_append, STYPE = text[], INITCOND = '{}', FINALFUNC = json_text_of);

-- Aborts the transaction, with the reason as the message.
CREATE FUNCTION refuse(reason text) RETURNS integer LANGUAGE plpgsql VOLATILE
  AS $$ BEGIN RAISE EXCEPTION '%', reason; END $$;

-- Waits until no other transaction has this turn, then keeps it until the end of the transaction. Turn 1 is for captures, turn 2 for the
-- log. The next statements see everything that earlier owners of the turn have stored.
CREATE FUNCTION take_turn(turn bigint) RETURNS void LANGUAGE sql VOLATILE
  AS $$ SELECT pg_advisory_xact_lock(1162889555, turn::integer) $$;

-- Raises the message in the argument of the trigger. The triggers below use it to forbid a change.
CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;

-- Events are only appended. Triggers keep them from being changed or removed.

-- The identity of each event, which must be unique. It is not a column of `events`, because a unique index on a partitioned table must
-- contain the sequence. The primary key starts with `identity_key`, a short number made from the identity, under which a capture looks up
-- its events.
CREATE TABLE identities (
  identity_key bigint NOT NULL,
  sequence bigint NOT NULL,
  identity bytea NOT NULL CHECK (length(identity) = 32),
  PRIMARY KEY (identity_key, identity)
);

CREATE TABLE events (
  sequence bigint NOT NULL CHECK (sequence > 0),
  event_key bigint NOT NULL,
  content_key bigint NOT NULL,
  position integer NOT NULL,
  bytes integer NOT NULL,
  declares_error smallint NOT NULL CHECK (declares_error IN (0, 1)),
  captured_by text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  event_type text COLLATE "C",
  action text COLLATE "C",
  biz_step text COLLATE "C",
  disposition text COLLATE "C",
  event_time text COLLATE "C" NOT NULL,
  record_time text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  who text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (sequence)
) PARTITION BY RANGE (sequence);

CREATE INDEX events_by_key ON events (event_key);
CREATE INDEX events_by_content_key ON events (content_key);
CREATE INDEX events_by_event_time ON events (event_time, sequence);
CREATE INDEX events_by_record_time ON events (record_time, sequence);
CREATE INDEX events_by_account ON events (captured_by, sequence);
CREATE INDEX events_by_account_and_event_time ON events (captured_by, event_time, sequence);
CREATE INDEX events_by_account_and_record_time ON events (captured_by, record_time, sequence);

-- Partitioned like the events. The pieces of event 7 have the numbers 7000 to 7999.
CREATE TABLE event_parts (
  piece bigint NOT NULL,
  text text COLLATE "C" NOT NULL,
  PRIMARY KEY (piece)
) PARTITION BY RANGE (piece);

CREATE TABLE terms (
  sequence bigint NOT NULL,
  field smallint NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (value, field, sequence)
) PARTITION BY RANGE (sequence);

CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER events_never_go BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER event_parts_never_change BEFORE UPDATE OR DELETE ON event_parts
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER event_parts_never_go BEFORE TRUNCATE ON event_parts
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER terms_never_change BEFORE UPDATE OR DELETE ON terms
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER terms_never_go BEFORE TRUNCATE ON terms
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER identities_never_change BEFORE UPDATE OR DELETE ON identities
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER identities_never_go BEFORE TRUNCATE ON identities
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');

-- Refuses a piece whose event is not stored, and a piece beyond the end of its event: readers would take it for a part of the text. Every
-- piece except the last has at least 399,997 bytes, so the length of the event limits the number of its pieces.
CREATE FUNCTION belong_to_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM added AS a WHERE NOT EXISTS (
      SELECT 1 FROM events AS e WHERE e.sequence = a.piece / 1000 AND a.piece % 1000 <= (e.bytes - 1) / 399997 OFFSET 0
    )
  ) THEN
    RAISE EXCEPTION 'events are append-only';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER event_parts_belong_to_events AFTER INSERT ON event_parts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION belong_to_events();

-- A partition has `width` sequences. Partitions are made so early that at least `width` sequences are free when a capture starts. That is
-- enough: a capture has at most 30,000 events, unless MAX_CAPTURE_EVENTS is set.
CREATE TABLE partitioning (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  width bigint NOT NULL CHECK (width >= 1000000),
  -- The first sequence that has no partition yet.
  made_to bigint NOT NULL
);
INSERT INTO partitioning (width, made_to) VALUES (10000000, 1);

-- Makes the next partition of each table. It is made as a table and then attached, because `CREATE TABLE … PARTITION OF` would block
-- reads and captures.
CREATE FUNCTION make_partition() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  low bigint;
  high bigint;
  name text;
  tables text[] := ARRAY['events', 'event_parts', 'terms'];
  parent text;
  factor bigint;
BEGIN
  SELECT made_to, made_to + width INTO low, high FROM partitioning FOR UPDATE;
  FOREACH parent IN ARRAY tables LOOP
    name := parent || '_from_' || low;
    factor := CASE parent WHEN 'event_parts' THEN 1000 ELSE 1 END;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', name, parent);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, name, low * factor, high * factor);
    -- A partition inherits the row triggers of its parent, but not this trigger, which is one for statements.
    EXECUTE format('CREATE TRIGGER never_go BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION never(%L)', name, 'events are append-only');
  END LOOP;
  UPDATE partitioning SET made_to = high;
END $$;
SELECT make_partition();
SELECT make_partition();

CREATE TABLE keys (
  id text COLLATE "C" PRIMARY KEY,
  digest text COLLATE "C" NOT NULL CHECK (length(digest) = 64),
  account text COLLATE "C" NOT NULL,
  observer text COLLATE "C" NOT NULL,
  can_capture smallint NOT NULL CHECK (can_capture IN (0, 1)),
  can_query smallint NOT NULL CHECK (can_query IN (0, 1)),
  readable text COLLATE "C" NOT NULL CHECK (readable = '*' OR readable::json IS NOT NULL),
  note text COLLATE "C" NOT NULL DEFAULT '',
  created_at text COLLATE "C" NOT NULL,
  revoked_at text COLLATE "C"
);

CREATE TABLE capture_jobs (
  sequence bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (sequence > 0),
  account text COLLATE "C" NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  time bigint NOT NULL,
  proceeds smallint NOT NULL CHECK (proceeds IN (0, 1)),
  success smallint NOT NULL CHECK (success IN (0, 1)),
  document text COLLATE "C" NOT NULL,
  events bigint NOT NULL,
  before bigint NOT NULL,
  report text COLLATE "C" NOT NULL CHECK (report::json IS NOT NULL),
  UNIQUE (account, number)
);

CREATE TABLE capture_duplicates (
  job bigint NOT NULL,
  position integer NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (job, position)
);

CREATE TRIGGER capture_jobs_never_change BEFORE UPDATE OR DELETE ON capture_jobs
  FOR EACH ROW EXECUTE FUNCTION never('capture jobs are append-only');
CREATE TRIGGER capture_jobs_never_go BEFORE TRUNCATE ON capture_jobs
  FOR EACH STATEMENT EXECUTE FUNCTION never('capture jobs are append-only');
CREATE TRIGGER capture_duplicates_never_change BEFORE UPDATE OR DELETE ON capture_duplicates
  FOR EACH ROW EXECUTE FUNCTION never('capture jobs are append-only');
CREATE TRIGGER capture_duplicates_never_go BEFORE TRUNCATE ON capture_duplicates
  FOR EACH STATEMENT EXECUTE FUNCTION never('capture jobs are append-only');

-- Each capture makes the next partition if fewer than `width` sequences are left.
CREATE FUNCTION partition_ahead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.before + (SELECT width FROM partitioning) >= (SELECT made_to FROM partitioning) THEN
    PERFORM make_partition();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER capture_jobs_make_partitions AFTER INSERT ON capture_jobs
  FOR EACH ROW EXECUTE FUNCTION partition_ahead();

-- Accounts have short numbers, so that the lists of values below stay small.
CREATE TABLE accounts (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  account text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE listed (
  account bigint NOT NULL,
  collection smallint NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, collection, value)
);

CREATE TABLE named_queries (
  account text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  query text COLLATE "C" NOT NULL CHECK (query::json IS NOT NULL),
  PRIMARY KEY (account, name)
);
