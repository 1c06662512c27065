-- The store in PostgreSQL. worker/migrations makes the same store in SQLite, and its comments describe the tables. The comments here
-- tell only what is different.
--
-- Texts are compared byte by byte (COLLATE "C").

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

-- Waits until no other transaction has this turn, then keeps it until the end of the transaction. Turn 1 is for captures with master
-- data, turn 2 for the log. The next statements see everything that earlier owners of the turn have stored.
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
CREATE TABLE event_pieces (
  piece bigint NOT NULL,
  text text COLLATE "C" NOT NULL,
  PRIMARY KEY (piece)
) PARTITION BY RANGE (piece);

-- The texts of sixteen events in a row, compressed together: one event is too short to compress well. A block is made when all its
-- events are stored; until then their texts are in event_pieces. Long texts always stay there, and are null here.
CREATE TABLE event_blocks (
  -- The sequence of its last event: block 31 has the events 16 to 31.
  last bigint NOT NULL CHECK (last % 16 = 15),
  texts text[] COLLATE "C" NOT NULL CHECK (cardinality(texts) = 16),
  PRIMARY KEY (last)
) PARTITION BY RANGE (last);
ALTER TABLE event_blocks ALTER COLUMN texts SET STORAGE MAIN;

-- Compresses with lz4 if the server was built with it. Otherwise the default compression stays, which is slower.
DO $$ BEGIN
  ALTER TABLE event_blocks ALTER COLUMN texts SET COMPRESSION lz4;
  ALTER TABLE event_pieces ALTER COLUMN text SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR syntax_error OR invalid_parameter_value THEN
  RAISE NOTICE 'this server has no lz4';
END $$;

-- Whether a text goes into a block. If a text has several pieces, only the last one can be this short. So a short first piece is a whole
-- text.
CREATE FUNCTION is_short(text text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT octet_length(text) <= 4000 $$;

-- The pieces of the text of an event, from its block or from event_pieces.
CREATE FUNCTION pieces_of(sequence bigint) RETURNS TABLE (piece bigint, text text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT pieces_of.sequence * 1000, b.texts[pieces_of.sequence % 16 + 1] FROM event_blocks AS b
    WHERE b.last = pieces_of.sequence | 15 AND b.texts[pieces_of.sequence % 16 + 1] IS NOT NULL
  UNION ALL
  SELECT p.piece, p.text FROM event_pieces AS p WHERE p.piece BETWEEN pieces_of.sequence * 1000 AND pieces_of.sequence * 1000 + 999
$$;

-- The texts of all events, for people and tools that read the database.
CREATE VIEW event_texts AS
  SELECT e.sequence, p.piece, p.text FROM events AS e CROSS JOIN LATERAL pieces_of(e.sequence) AS p;

-- A term has the number of its event's account, so that the EPCs of an account can be listed from the terms.
--
-- The index does not contain the sequence. So PostgreSQL stores equal keys once, with the places of all their rows. This index cannot be
-- unique. A term that is stored twice would change no answer, and captures store each once.
CREATE TABLE terms (
  sequence bigint NOT NULL,
  account integer NOT NULL,
  field smallint NOT NULL,
  value text COLLATE "C" NOT NULL
) PARTITION BY RANGE (sequence);
CREATE INDEX terms_by_value ON terms (value, field, account);

-- The next EPCs after the value `behind`, of some accounts, or of all if `accounts_of` is null. /epcs lists the fields 1 to 5, which are
-- numbers of query::Field in the core. Values of more than 253 bytes are left out, because the terms may have only their start and a
-- digest.
--
-- The function stops early after 20,000 look-ups or 300 ms. Then its last row has `is_place` = 1, and the value after which the next call
-- must continue.
CREATE FUNCTION epcs_of(accounts_of text[], behind text, wanted bigint) RETURNS TABLE (value text, is_place smallint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  numbers integer[] := ARRAY(SELECT a.number FROM accounts AS a WHERE a.account = ANY (accounts_of));
  at text COLLATE "C" := behind;
  is_wanted boolean;
  found bigint := 0;
  work bigint := 0;
  begun timestamptz := clock_timestamp();
BEGIN
  WHILE found < wanted LOOP
    SELECT t.value INTO at FROM terms AS t WHERE t.value > at ORDER BY t.value LIMIT 1;
    IF at IS NULL THEN
      RETURN;
    END IF;
    IF accounts_of IS NULL THEN
      is_wanted := EXISTS (SELECT 1 FROM terms AS t WHERE t.value = at AND t.field = ANY ('{1,2,3,4,5}'));
    ELSE
      is_wanted := EXISTS (SELECT 1 FROM terms AS t WHERE t.value = at AND t.field = ANY ('{1,2,3,4,5}') AND t.account = ANY (numbers));
    END IF;
    IF is_wanted AND octet_length(at) <= 253 THEN
      found := found + 1;
      value := at;
      is_place := 0;
      RETURN NEXT;
    END IF;
    work := work + 1 + cardinality(numbers);
    EXIT WHEN found < wanted AND (work > 20000 OR clock_timestamp() > begun + interval '300 milliseconds');
  END LOOP;
  IF found < wanted THEN
    value := at;
    is_place := 1;
    RETURN NEXT;
  END IF;
END $$;
ALTER FUNCTION epcs_of SET enable_seqscan = off;
ALTER FUNCTION epcs_of SET plan_cache_mode = force_generic_plan;

CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER events_never_go BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
-- A piece may be deleted only if its block has the same text. After that the piece cannot be inserted again.
CREATE FUNCTION stand_in_a_block() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  number bigint := OLD.piece / 1000;
BEGIN
  IF TG_OP = 'DELETE' AND OLD.piece % 1000 = 0 AND EXISTS (
    SELECT 1 FROM event_blocks AS b WHERE b.last = number | 15 AND b.texts[number % 16 + 1] = OLD.text
  ) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only';
END $$;
CREATE TRIGGER event_pieces_never_change BEFORE UPDATE OR DELETE ON event_pieces
  FOR EACH ROW EXECUTE FUNCTION stand_in_a_block();
CREATE TRIGGER event_pieces_never_go BEFORE TRUNCATE ON event_pieces
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER event_blocks_never_change BEFORE UPDATE OR DELETE ON event_blocks
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER event_blocks_never_go BEFORE TRUNCATE ON event_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER terms_never_change BEFORE UPDATE OR DELETE ON terms
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER terms_never_go BEFORE TRUNCATE ON terms
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER identities_never_change BEFORE UPDATE OR DELETE ON identities
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER identities_never_go BEFORE TRUNCATE ON identities
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');

-- Refuses a piece whose event is not stored, a piece beyond the end of its event, and a piece whose text is in a block: readers would take
-- it for a part of the text. Every piece except the last has at least 399,997 bytes, so the length of the event limits the number of its
-- pieces.
CREATE FUNCTION belong_to_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM added AS a WHERE NOT EXISTS (
      SELECT 1 FROM events AS e WHERE e.sequence = a.piece / 1000 AND a.piece % 1000 <= (e.bytes - 1) / 399997 OFFSET 0
    ) OR EXISTS (
      SELECT 1 FROM event_blocks AS b WHERE b.last = a.piece / 1000 | 15 AND b.texts[a.piece / 1000 % 16 + 1] IS NOT NULL OFFSET 0
    )
  ) THEN
    RAISE EXCEPTION 'events are append-only';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER event_pieces_belong_to_events AFTER INSERT ON event_pieces
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION belong_to_events();

-- Refuses a block in which events may still come, and texts that are not those of the events: they would change what readers get.
CREATE FUNCTION be_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong bigint;
BEGIN
  IF EXISTS (
    SELECT 1 FROM added AS a WHERE cardinality(array_remove(a.texts, NULL)) = 0
      OR (SELECT count(*) FROM events AS e WHERE e.sequence BETWEEN a.last - 15 AND a.last) < 16 AND a.last > settled()
  ) THEN
    RAISE EXCEPTION 'events are append-only';
  END IF;
  SELECT min(a.last - 16 + t.place) INTO wrong FROM added AS a CROSS JOIN LATERAL unnest(a.texts) WITH ORDINALITY AS t (text, place)
    CROSS JOIN LATERAL (SELECT (SELECT f.bytes FROM events AS f WHERE f.sequence = a.last - 16 + t.place) AS bytes OFFSET 0) AS e
    WHERE CASE WHEN t.text IS NULL THEN e.bytes <= 4000 ELSE NOT is_short(t.text) OR octet_length(t.text) IS DISTINCT FROM e.bytes END;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'events are append-only: the text of the event % is not the one that was stored', wrong;
  END IF;
  RETURN NULL;
END $$;
ALTER FUNCTION be_of_events SET enable_seqscan = off;
CREATE TRIGGER event_blocks_are_of_events AFTER INSERT ON event_blocks
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION be_of_events();

-- Makes the missing blocks whose last event is between `first` and `newest`, from the short texts in event_pieces. A block without a short
-- text is not made.
CREATE FUNCTION make_blocks(first bigint, newest bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO event_blocks (last, texts)
    SELECT b.last, b.texts FROM (
      SELECT l.last, ARRAY(
        SELECT p.text FROM generate_series(l.last - 15, l.last) AS n (sequence)
        LEFT JOIN event_pieces AS p ON p.piece = n.sequence * 1000 AND is_short(p.text) ORDER BY n.sequence
      ) AS texts FROM generate_series(first | 15, newest, 16) AS l (last)
      WHERE NOT EXISTS (SELECT 1 FROM event_blocks AS o WHERE o.last = l.last OFFSET 0)
    ) AS b WHERE cardinality(array_remove(b.texts, NULL)) > 0
$$;

-- Makes the blocks like make_blocks, and deletes their texts from event_pieces.
CREATE FUNCTION fold_texts(first bigint, newest bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF first | 15 <= newest THEN
    PERFORM make_blocks(first, newest);
    DELETE FROM event_pieces AS p WHERE p.piece >= (first | 15) * 1000 - 15000 AND p.piece < (newest + 1) / 16 * 16000
      AND p.piece % 1000 = 0 AND is_short(p.text);
  END IF;
END $$;
ALTER FUNCTION fold_texts SET enable_seqscan = off;
ALTER FUNCTION fold_texts SET plan_cache_mode = force_generic_plan;

-- Up to which number the texts of events are in blocks, where there are blocks.
CREATE TABLE folded (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  up_to bigint NOT NULL
);
INSERT INTO folded (up_to) VALUES (-1);

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
  tables text[] := ARRAY['events', 'event_pieces', 'event_blocks', 'terms'];
  parent text;
  factor bigint;
BEGIN
  SELECT made_to, made_to + width INTO low, high FROM partitioning FOR UPDATE;
  FOREACH parent IN ARRAY tables LOOP
    name := parent || '_from_' || low;
    factor := CASE parent WHEN 'event_pieces' THEN 1000 ELSE 1 END;
    PERFORM make_partition_of(parent, name, low * factor, high * factor);
  END LOOP;
  UPDATE partitioning SET made_to = high;
END $$;

CREATE FUNCTION make_partition_of(parent text, name text, low bigint, high bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', name, parent);
  IF parent = 'event_blocks' THEN
    -- Compresses blocks of more than 4 kB; shorter ones stay as they are.
    EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = 4080)', name);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, name, low, high);
  -- A partition inherits the row triggers of its parent, but not this trigger, which is one for statements.
  EXECUTE format('CREATE TRIGGER never_go BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION never(%L)', name, 'events are append-only');
END $$;
SELECT make_partition();
SELECT make_partition();

-- Turns off two features of PostgreSQL that only slow the gateway down: just-in-time compilation and parallel queries. PostgreSQL uses
-- them if it expects a statement to be expensive. It expects that wrongly if a table has no statistics yet, and for pages that end after
-- thirty rows.
--
-- Compiling a statement takes half a second. Parallel processes read a whole table where an index would find a few rows: with three
-- million events, a page of one product took two seconds instead of fifty milliseconds.
--
-- The settings are those of the database. A query is a single statement without a transaction, so it cannot set them itself, and poolers
-- do not pass on the settings of a session. Transactions set them themselves (worker/js/session.js). Only the owner of the database may
-- change its settings; if another user runs this migration, it only warns.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
  EXECUTE format('ALTER DATABASE %I SET max_parallel_workers_per_gather = 0', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'only its owner can set how the database plans: ALTER DATABASE % SET jit = off; ALTER DATABASE % SET max_parallel_workers_per_gather = 0',
    quote_ident(current_database()), quote_ident(current_database());
END $$;

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

-- Partitions are made when the numbers of a capture come near their end. Captures that find so at the same time make one.
CREATE FUNCTION partition_ahead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.before + NEW.events + (SELECT width FROM partitioning) >= (SELECT made_to FROM partitioning) THEN
    PERFORM 1 FROM partitioning WHERE NEW.before + NEW.events + width >= made_to FOR UPDATE;
    IF FOUND THEN
      PERFORM make_partition();
    END IF;
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

CREATE TABLE listed_values (
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

CREATE TABLE aliases (
  event_key bigint NOT NULL,
  sequence bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  job bigint NOT NULL,
  PRIMARY KEY (event_key, sequence)
);
CREATE INDEX aliases_by_sequence ON aliases (sequence);
CREATE INDEX aliases_by_job ON aliases (job);

CREATE TRIGGER aliases_never_change BEFORE UPDATE OR DELETE ON aliases
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER aliases_never_go BEFORE TRUNCATE ON aliases
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');

CREATE TABLE master_data (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (number > 0),
  account bigint NOT NULL,
  job bigint NOT NULL,
  position integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id_key text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  spelling text COLLATE "C" NOT NULL,
  attributes text COLLATE "C" NOT NULL CHECK (attributes::json IS NOT NULL),
  children text COLLATE "C" NOT NULL CHECK (children::json IS NOT NULL),
  digest text COLLATE "C" NOT NULL,
  UNIQUE (job, position)
);
CREATE INDEX master_data_by_id ON master_data (id_key, account, kind, number);
CREATE INDEX master_data_by_kind ON master_data (account, kind, id_key, number);

CREATE TABLE master_data_attributes (
  account bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (account, name, value, number)
);

CREATE TABLE master_data_children (
  number bigint NOT NULL,
  child text COLLATE "C" NOT NULL,
  PRIMARY KEY (number, child)
);

CREATE TRIGGER master_data_never_changes BEFORE UPDATE OR DELETE ON master_data
  FOR EACH ROW EXECUTE FUNCTION never('master data is append-only');
CREATE TRIGGER master_data_never_goes BEFORE TRUNCATE ON master_data
  FOR EACH STATEMENT EXECUTE FUNCTION never('master data is append-only');
CREATE TRIGGER master_data_attributes_never_change BEFORE UPDATE OR DELETE ON master_data_attributes
  FOR EACH ROW EXECUTE FUNCTION never('master data is append-only');
CREATE TRIGGER master_data_attributes_never_go BEFORE TRUNCATE ON master_data_attributes
  FOR EACH STATEMENT EXECUTE FUNCTION never('master data is append-only');
CREATE TRIGGER master_data_children_never_change BEFORE UPDATE OR DELETE ON master_data_children
  FOR EACH ROW EXECUTE FUNCTION never('master data is append-only');
CREATE TRIGGER master_data_children_never_go BEFORE TRUNCATE ON master_data_children
  FOR EACH STATEMENT EXECUTE FUNCTION never('master data is append-only');

-- A map of the store. A trigger of `events` updates it, whatever statement appends the events.
CREATE TABLE zones (
  captured_by text COLLATE "C" NOT NULL,
  zone bigint NOT NULL,
  first_event_time text COLLATE "C" NOT NULL,
  last_event_time text COLLATE "C" NOT NULL,
  first_record_time text COLLATE "C" NOT NULL,
  last_record_time text COLLATE "C" NOT NULL,
  PRIMARY KEY (captured_by, zone)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- The map of zones: rows of captures that are not in `zones` yet. If captures changed `zones`, each would wait for the others.
CREATE TABLE zone_news (LIKE zones) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
CREATE INDEX zone_news_by_account ON zone_news (captured_by, zone);
CREATE VIEW all_zones AS SELECT * FROM zones UNION ALL SELECT * FROM zone_news;
-- Words are not unique: captures that run at the same time may both store a new one.
CREATE TABLE zone_words (
  captured_by text COLLATE "C" NOT NULL,
  field smallint NOT NULL,
  value text COLLATE "C" NOT NULL,
  zone bigint NOT NULL
);
CREATE INDEX zone_words_by_value ON zone_words (field, value, zone);
CREATE INDEX zone_words_by_account ON zone_words (captured_by, field, value, zone);

CREATE FUNCTION draw_zones() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_news (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
    SELECT a.captured_by, a.sequence / 10000, min(a.event_time), max(a.event_time), min(a.record_time), max(a.record_time)
    FROM added AS a GROUP BY 1, 2;
  INSERT INTO zone_words (captured_by, field, value, zone)
    SELECT n.* FROM (
      SELECT DISTINCT a.captured_by, w.field, w.value, a.sequence / 10000 AS zone FROM added AS a
      CROSS JOIN LATERAL (
        VALUES (1, a.event_type), (2, a.action), (3, a.biz_step), (4, a.disposition), (5, CASE a.declares_error WHEN 1 THEN '1' END)
      ) AS w (field, value) WHERE w.value IS NOT NULL
    ) AS n WHERE NOT EXISTS (
      SELECT 1 FROM zone_words AS z
      WHERE z.captured_by = n.captured_by AND z.field = n.field AND z.value = n.value AND z.zone = n.zone OFFSET 0
    );
  RETURN NULL;
END $$;
CREATE TRIGGER events_draw_zones AFTER INSERT ON events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION draw_zones();

-- The transparency log. Transactions that extend the log run one after the other (take_turn). The
-- triggers below do not rely on that: if two transactions overlapped, one would violate a unique index and fail.

CREATE TABLE log_leaves (
  leaf bigint PRIMARY KEY,
  sequence bigint NOT NULL UNIQUE,
  salt bytea CHECK (salt IS NULL OR length(salt) = 32),
  commitment bytea NOT NULL CHECK (length(commitment) = 32)
);

CREATE TABLE log_tiles (
  level bigint NOT NULL,
  number bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  hashes bytea NOT NULL CHECK (length(hashes) = 8192),
  PRIMARY KEY (level, number)
);
-- Stored without compression: hashes are random bytes, which do not get smaller.
ALTER TABLE log_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE log_heads (
  size bigint PRIMARY KEY,
  root bytea NOT NULL CHECK (length(root) = 32),
  note text COLLATE "C" NOT NULL,
  previous bigint NOT NULL UNIQUE CHECK (previous < size)
);

CREATE TABLE log_cosignatures (
  size bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  latest text COLLATE "C",
  PRIMARY KEY (size, name)
);
CREATE INDEX log_cosignatures_by_name ON log_cosignatures (name, size);

-- Leaves are numbered from 0 without gaps, in the order of their events.
CREATE FUNCTION leaves_follow_each_other() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first bigint;
BEGIN
  SELECT min(leaf) INTO first FROM added;
  IF first <> coalesce((SELECT max(l.leaf) + 1 FROM log_leaves AS l WHERE l.leaf < first), 0)
    OR EXISTS (
      SELECT 1 FROM (
        SELECT leaf, sequence, lag(leaf) OVER (ORDER BY leaf) AS leaf_before,
          lag(sequence) OVER (ORDER BY leaf) AS sequence_before
        FROM added
      ) AS a
      WHERE leaf <> leaf_before + 1 OR sequence <= sequence_before
    )
    OR (SELECT min(a.sequence) FROM added AS a)
      <= coalesce((SELECT l.sequence FROM log_leaves AS l WHERE l.leaf < first ORDER BY l.leaf DESC LIMIT 1), 0)
  THEN
    RAISE EXCEPTION USING ERRCODE = 'EE001', MESSAGE = 'the log has grown meanwhile';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER log_leaves_follow_each_other AFTER INSERT ON log_leaves
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION leaves_follow_each_other();

CREATE TRIGGER log_leaves_never_change BEFORE UPDATE ON log_leaves FOR EACH ROW
  WHEN (NEW.salt IS NOT NULL OR NEW.leaf IS DISTINCT FROM OLD.leaf OR NEW.sequence IS DISTINCT FROM OLD.sequence
    OR NEW.commitment IS DISTINCT FROM OLD.commitment)
  EXECUTE FUNCTION never('the log is append-only; a salt may be removed, nothing else');
CREATE TRIGGER log_leaves_never_go BEFORE DELETE ON log_leaves
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_leaves_are_never_emptied BEFORE TRUNCATE ON log_leaves
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

CREATE TRIGGER log_tiles_never_change BEFORE UPDATE OR DELETE ON log_tiles
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_tiles_never_go BEFORE TRUNCATE ON log_tiles
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

-- A new head covers all leaves, and its `previous` is the size of the newest head.
CREATE FUNCTION heads_follow_each_other() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.previous <> coalesce((SELECT max(size) FROM log_heads), -1)
    OR NEW.size <> coalesce((SELECT max(leaf) + 1 FROM log_leaves), 0)
  THEN
    RAISE EXCEPTION USING ERRCODE = 'EE001', MESSAGE = 'the log has grown meanwhile';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER log_heads_follow_each_other BEFORE INSERT ON log_heads
  FOR EACH ROW EXECUTE FUNCTION heads_follow_each_other();

CREATE TRIGGER log_heads_never_change BEFORE UPDATE OR DELETE ON log_heads
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_heads_never_go BEFORE TRUNCATE ON log_heads
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

CREATE FUNCTION known_cosignature() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM log_cosignatures WHERE size = NEW.size AND name = NEW.name) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER log_cosignatures_are_never_replaced BEFORE INSERT ON log_cosignatures
  FOR EACH ROW EXECUTE FUNCTION known_cosignature();
CREATE TRIGGER log_cosignatures_never_change BEFORE UPDATE ON log_cosignatures FOR EACH ROW
  WHEN (NEW.size IS DISTINCT FROM OLD.size OR NEW.name IS DISTINCT FROM OLD.name OR NEW.line IS DISTINCT FROM OLD.line
    OR NEW.latest IS NULL)
  EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_cosignatures_never_leave BEFORE DELETE ON log_cosignatures
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_cosignatures_never_go BEFORE TRUNCATE ON log_cosignatures
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

CREATE TABLE log_halts (
  number bigint PRIMARY KEY,
  begun text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  ended text COLLATE "C"
);

CREATE TRIGGER log_halts_never_change BEFORE UPDATE ON log_halts FOR EACH ROW
  WHEN (OLD.ended IS NOT NULL OR NEW.number IS DISTINCT FROM OLD.number OR NEW.begun IS DISTINCT FROM OLD.begun
    OR NEW.reason IS DISTINCT FROM OLD.reason)
  EXECUTE FUNCTION never('a halt of the log may end, nothing else');
CREATE TRIGGER log_halts_never_go BEFORE DELETE ON log_halts
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_halts_are_never_emptied BEFORE TRUNCATE ON log_halts
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

-- Captures run beside each other. A capture is one call of a function that gets all rows as JSON, so nothing is locked while a gateway
-- sends data.
--
-- A capture takes the numbers of its events, its place in the order of captures and its recordTime at the beginning, all at once
-- (take_numbers). The lock for that is held for microseconds. So numbers and times are given in the order of places, but captures may
-- commit in another order. Readers see only events with a number up to `settled()`: all captures with smaller numbers have ended. Numbers
-- of captures that failed stay unused.
--
-- A capture is acknowledged when all its events are settled (capture_settled), so whoever has the answer sees the events.
--
-- Locks are always taken in this order, so that captures do not block each other for ever: the turn of take_numbers, the account, the
-- partitions, the identities in the order of their key, the names in the order of their key, the listed values in their order, turn 1 if
-- the capture has master data.

-- The newest number that was given to an event, and the newest recordTime, in milliseconds. Sequences, because their values are seen at
-- once, before the transaction that changes them ends.
CREATE SEQUENCE event_numbers MINVALUE 0 START 0;
CREATE SEQUENCE record_times MINVALUE 0 START 0;

-- The numbers that captures have taken: a row for each capture that has ended, with numbers `first` to `last`, or none if `last` is
-- `first` - 1. Captures that were interrupted have no row. Only the newest rows are kept: all before the one with `is_base` are settled.
CREATE TABLE numbers_taken (
  -- The place in the order of captures, which is also the order of the numbers, the times and the numbers of transactions.
  place bigint PRIMARY KEY,
  first bigint NOT NULL,
  last bigint NOT NULL CHECK (last >= first - 1),
  -- The number of the transaction.
  xid xid8 NOT NULL,
  -- When the server was started that ran the transaction. Another server, restored from a dump, counts its transactions anew.
  started timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
  is_base boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Lets the numbers continue after `newest` and after the jobs that are stored, when events are added by another way than a capture. No capture may be under way.
CREATE FUNCTION continue_numbers(newest bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM setval('event_numbers', greatest(newest, (SELECT n.last_value FROM event_numbers AS n)));
  PERFORM setval('record_times', greatest(
    (SELECT c.time FROM capture_jobs AS c ORDER BY c.sequence DESC LIMIT 1), (SELECT t.last_value FROM record_times AS t)
  ));
  PERFORM setval('capture_jobs_sequence_seq', greatest(max(c.sequence), 1), max(c.sequence) IS NOT NULL) FROM capture_jobs AS c;
  DELETE FROM numbers_taken;
  INSERT INTO numbers_taken (place, first, last, xid, is_base)
    SELECT coalesce((SELECT max(c.sequence) FROM capture_jobs AS c), 0), n.last_value + 1, n.last_value, pg_current_xact_id(), true
    FROM event_numbers AS n;
END $$;
SELECT continue_numbers(0);

-- Takes the next `count` numbers and a time that is not before `not_before`. The lock ends with the block that has it, because an error ends
-- the block; sequences and the number of the transaction are not rolled back.
CREATE FUNCTION take_numbers(count integer, not_before bigint, OUT place bigint, OUT first bigint, OUT "time" bigint)
LANGUAGE plpgsql AS $$
DECLARE
  tries integer := 0;
BEGIN
  IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
    RAISE EXCEPTION 'numbers must be taken before the transaction stores anything';
  END IF;
  -- Marks the transaction as a capture until it ends, for void_gaps.
  PERFORM pg_advisory_xact_lock_shared(1162889555, 5);
  BEGIN
    -- Tried, before it waits in line: the lock is free again long before a waiting process would be woken.
    WHILE NOT pg_try_advisory_xact_lock(1162889555, 3) LOOP
      tries := tries + 1;
      IF tries = 20 THEN
        PERFORM pg_advisory_xact_lock(1162889555, 3);
        EXIT;
      END IF;
      PERFORM pg_sleep(0.001);
    END LOOP;
    PERFORM pg_current_xact_id();
    place := nextval('capture_jobs_sequence_seq');
    SELECT n.last_value + 1 INTO first FROM event_numbers AS n;
    IF count > 0 THEN
      PERFORM setval('event_numbers', first + count - 1);
    END IF;
    SELECT greatest(t.last_value, not_before) INTO "time" FROM record_times AS t;
    PERFORM setval('record_times', "time");
    RAISE EXCEPTION SQLSTATE 'EPC01';
  EXCEPTION WHEN SQLSTATE 'EPC01' THEN
    NULL;
  END;
END $$;

-- The greatest number up to which all events are stored and visible, in the snapshot of the statement that calls it: no event with a
-- smaller number comes later.
--
-- A number without a row in numbers_taken belongs to a capture that was interrupted, or to one that still runs. It may still run if a
-- transaction runs whose number is between those of the rows before and after. All rows that it sees must be of other transactions: only
-- then the snapshot tells all transactions that ran when the newest row was committed.
CREATE FUNCTION settled() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen pg_snapshot := pg_current_snapshot();
  taken record;
  above record;
  up_to bigint;
BEGIN
  FOR taken IN
    SELECT t.first, t.last, t.is_base, CASE WHEN t.started = pg_postmaster_start_time() THEN t.xid ELSE '0' END AS xid
    FROM numbers_taken AS t ORDER BY t.place DESC
  LOOP
    IF up_to IS NULL THEN
      up_to := taken.last;
    ELSIF above.first > taken.last + 1
      AND EXISTS (SELECT 1 FROM pg_snapshot_xip(seen) AS r (xid) WHERE r.xid > taken.xid AND r.xid < above.xid)
    THEN
      up_to := taken.last;
    END IF;
    EXIT WHEN taken.is_base OR taken.xid < pg_snapshot_xmin(seen);
    above := taken;
  END LOOP;
  RETURN coalesce(up_to, 0);
END $$;
ALTER FUNCTION settled SET enable_seqscan = off;
ALTER FUNCTION settled SET plan_cache_mode = force_generic_plan;

-- Declares void the numbers of captures that were interrupted. Without it, such numbers would look as if their capture still ran, as long as
-- any other transaction runs that began at about the same time.
--
-- A capture that still runs is among the transactions of the first statement, and holds the lock that take_numbers takes. If it has ended
-- since then, the second statement sees its row, or it was interrupted.
CREATE FUNCTION void_gaps() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  seen pg_snapshot;
  running xid8[];
BEGIN
  WITH locks AS MATERIALIZED (SELECT * FROM pg_locks)
  SELECT pg_current_snapshot(), ARRAY(
    SELECT r.xid FROM pg_snapshot_xip(pg_current_snapshot()) AS r (xid)
    JOIN locks AS t ON t.locktype = 'transactionid' AND t.transactionid = r.xid::xid AND t.granted AND t.mode = 'ExclusiveLock'
    JOIN locks AS m ON m.virtualtransaction = t.virtualtransaction AND m.locktype = 'advisory' AND m.classid = 1162889555 AND m.objid = 5
  ) INTO seen, running;
  INSERT INTO numbers_taken (place, first, last, xid)
    SELECT g.place_before + 1, g.last_before + 1, g.first - 1, g.xid FROM (
      SELECT t.first, t.xid, t.started, lag(t.place) OVER in_a_row AS place_before, lag(t.last) OVER in_a_row AS last_before,
        lag(CASE WHEN t.started = pg_postmaster_start_time() THEN t.xid ELSE '0' END) OVER in_a_row AS xid_before
      FROM numbers_taken AS t WINDOW in_a_row AS (ORDER BY t.place)
    ) AS g WHERE g.first > g.last_before + 1 AND g.started = pg_postmaster_start_time() AND g.xid < pg_snapshot_xmax(seen)
      AND NOT EXISTS (SELECT 1 FROM unnest(running) AS r (xid) WHERE r.xid > g.xid_before AND r.xid < g.xid)
    ORDER BY 1 ON CONFLICT DO NOTHING;
END $$;

-- The first rows of a capture that is too long for one text.
CREATE UNLOGGED TABLE inbox_parts (
  token text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  put_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lists jsonb NOT NULL,
  PRIMARY KEY (token, part)
);
ALTER TABLE inbox_parts ALTER COLUMN lists SET STORAGE EXTERNAL;
DO $$ BEGIN
  ALTER TABLE inbox_parts ALTER COLUMN lists SET COMPRESSION lz4, ALTER COLUMN lists SET STORAGE EXTENDED;
EXCEPTION WHEN feature_not_supported OR syntax_error OR invalid_parameter_value THEN
  RAISE NOTICE 'this server has no lz4';
END $$;

-- The outcome of a capture: the number and the time of its job, or else the message and the SQLSTATE of the error. `take_back` relies on
-- it, so it survives a crash. A capture is acknowledged when `settled()` is at least `position`.
CREATE TABLE outcomes (
  token text COLLATE "C" PRIMARY KEY,
  put_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  job bigint,
  time bigint,
  problem text,
  code text,
  position bigint
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- The names of events that captures under way bring. A second capture that brings one of them waits here until the first has ended. So of
-- two different events with one name, one finds the other. Each capture deletes its rows again.
CREATE UNLOGGED TABLE names_under_way (
  account bigint NOT NULL,
  event_key bigint NOT NULL,
  PRIMARY KEY (account, event_key)
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Whether a row is so old that no call can still need it: no call takes 90 seconds.
CREATE FUNCTION is_forgotten(put_at timestamptz) RETURNS boolean LANGUAGE sql AS $$
  SELECT put_at < clock_timestamp() - interval '90 seconds'
$$;

-- Stores the first rows of a capture that is too long for one text. `capture_beside` brings the last ones.
CREATE FUNCTION put_aside(its_token text, its_part integer, its_lists text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO inbox_parts (token, part, lists) VALUES (its_token, its_part, its_lists::jsonb)
$$;

-- Work that no capture must wait for, done by one in a few captures: adds the news to the map of zones, moves settled texts into blocks,
-- deletes rows that are no longer needed. Does nothing if another capture is doing it.
CREATE FUNCTION tidy_up() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  final bigint;
  begun bigint;
  base_before bigint;
  base bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1162889555, 4) THEN
    RETURN;
  END IF;
  WITH news AS (DELETE FROM zone_news RETURNING *)
  INSERT INTO zones AS z (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
    SELECT n.captured_by, n.zone, min(n.first_event_time), max(n.last_event_time), min(n.first_record_time), max(n.last_record_time)
    FROM news AS n GROUP BY 1, 2
    ON CONFLICT (captured_by, zone) DO UPDATE SET
      first_event_time = least(z.first_event_time, excluded.first_event_time),
      last_event_time = greatest(z.last_event_time, excluded.last_event_time),
      first_record_time = least(z.first_record_time, excluded.first_record_time),
      last_record_time = greatest(z.last_record_time, excluded.last_record_time);

  final := settled();
  SELECT f.up_to INTO begun FROM folded AS f;
  -- At most 50,000 numbers at a time, which takes less than a second.
  IF least(final, begun + 50000) >= begun + 16 THEN
    PERFORM fold_texts(begun + 1, least(final, begun + 50000));
    UPDATE folded SET up_to = (least(final, begun + 50000) + 1) / 16 * 16 - 1;
  END IF;

  SELECT min(t.place), max(t.place) INTO base_before, base FROM numbers_taken AS t WHERE t.last <= final;
  UPDATE numbers_taken AS t SET is_base = true WHERE t.place = base AND NOT t.is_base;
  DELETE FROM numbers_taken AS t WHERE t.place < base;
  -- Reads all outcomes of 90 seconds, so once in 128 captures.
  IF base / 128 > base_before / 128 THEN
    DELETE FROM inbox_parts WHERE is_forgotten(put_at);
    DELETE FROM outcomes WHERE is_forgotten(put_at);
  END IF;
END $$;

-- The lists of a capture by their kind, in order.
CREATE FUNCTION lists_of(its_token text, last_lists jsonb) RETURNS TABLE (kind text, list jsonb) LANGUAGE sql STABLE AS $$
  SELECT l.list ->> 0, l.list -> 1 FROM (
    SELECT p.part, p.lists FROM inbox_parts AS p WHERE p.token = its_token
    UNION ALL SELECT NULL, last_lists
  ) AS p CROSS JOIN LATERAL jsonb_array_elements(p.lists) WITH ORDINALITY AS l (list, place) ORDER BY p.part, l.place
$$;

-- Stores a capture completely, or raises an exception. `place`, `first` and `recorded_at` are from take_numbers.
CREATE FUNCTION store_capture(its_token text, its_job jsonb, last_lists jsonb, place bigint, first bigint, recorded_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  its_account text := its_job ->> 0;
  its_document text := its_job ->> 4;
  its_events integer := CAST(its_job ->> 5 AS integer);
  its_duplicates integer := CAST(its_job ->> 7 AS integer);
  of_account bigint;
  last bigint := first + its_events - its_duplicates - 1;
  recorded text := to_char(to_timestamp(recorded_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    || '.' || lpad(CAST(recorded_at % 1000 AS text), 3, '0');
  -- The number of each event, by its position in the document; 0 if this capture does not store it, because it is a duplicate.
  numbers bigint[] := array_fill(CAST(0 AS bigint), ARRAY[its_events]);
  -- The positions of the events to store, in order, and how many have an identity that nobody else has stored meanwhile.
  positions integer[];
  named bigint;
  keys bigint[];
  nth integer;
  step record;
  namesakes bigint;
BEGIN
  SELECT a.number INTO of_account FROM accounts AS a WHERE a.account = its_account;
  IF of_account IS NULL THEN
    INSERT INTO accounts (account) VALUES (its_account) ON CONFLICT DO NOTHING;
    SELECT a.number INTO of_account FROM accounts AS a WHERE a.account = its_account;
  END IF;
  INSERT INTO capture_jobs (sequence, account, number, time, proceeds, success, document, events, before, report)
    VALUES (place, its_account, place, recorded_at, CAST(its_job ->> 2 AS smallint), CAST(its_job ->> 3 AS smallint), its_document,
      its_events, first - 1, its_job ->> 6);

  -- The primary key of `identities` keeps duplicates out: if another capture is storing the same event, the insertion waits for it.
  WITH given AS MATERIALIZED (
    SELECT CAST(r.value ->> 0 AS bigint) AS identity_key, CAST(r.value ->> 1 AS integer) AS position, decode(r.value ->> 2, 'hex') AS identity
    FROM lists_of(its_token, last_lists) AS l CROSS JOIN LATERAL jsonb_array_elements(l.list) AS r (value) WHERE l.kind = 'events'
  ),
  fresh AS (
    SELECT DISTINCT ON (g.identity_key, g.identity) g.* FROM given AS g WHERE NOT EXISTS (
      SELECT 1 FROM identities AS i WHERE i.identity_key = g.identity_key AND i.identity = g.identity OFFSET 0
    ) ORDER BY g.identity_key, g.identity, g.position
  ),
  numbered AS MATERIALIZED (SELECT f.*, first - 1 + row_number() OVER (ORDER BY f.position) AS sequence FROM fresh AS f),
  put AS (
    INSERT INTO identities (identity_key, identity, sequence)
      SELECT n.identity_key, n.identity, n.sequence FROM numbered AS n ORDER BY n.identity_key, n.identity
      ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT coalesce(array_agg(n.position ORDER BY n.position), '{}'), (SELECT count(*) FROM put) INTO positions, named FROM numbered AS n;
  IF cardinality(positions) <> its_events - its_duplicates OR named <> cardinality(positions) THEN
    RAISE EXCEPTION USING ERRCODE = 'EE001', MESSAGE = 'more is stored than was expected';
  END IF;
  FOR nth IN 1 .. cardinality(positions) LOOP
    numbers[positions[nth] + 1] := first + nth - 1;
  END LOOP;

  -- The names that the callers gave: of new events that declare no error, and further names of stored events.
  SELECT ARRAY(
    SELECT CAST(CASE l.kind WHEN 'events' THEN r.value ->> 6 ELSE r.value ->> 2 END AS bigint)
    FROM lists_of(its_token, last_lists) AS l CROSS JOIN LATERAL jsonb_array_elements(l.list) AS r (value)
    WHERE l.kind = 'aliases' OR l.kind = 'events' AND r.value ->> 16 = '1' AND r.value ->> 3 = '0'
  ) INTO keys;
  IF cardinality(keys) > 0 THEN
    INSERT INTO names_under_way (account, event_key)
      SELECT DISTINCT of_account, k.key FROM unnest(keys) AS k (key) ORDER BY k.key ON CONFLICT DO NOTHING;
  END IF;

  FOR step IN SELECT l.kind, l.list FROM lists_of(its_token, last_lists) AS l LOOP
    CASE step.kind
    WHEN 'events' THEN
      INSERT INTO events (sequence, position, declares_error, captured_by, event_id, event_key, content_key, content_hash, event_type,
          action, biz_step, disposition, event_time, bytes, who, record_time, document)
        SELECT numbers[n.position + 1], n.position, CAST(n.row ->> 3 AS smallint), n.row ->> 4, n.row ->> 5, CAST(n.row ->> 6 AS bigint),
          CAST(n.row ->> 7 AS bigint), n.row ->> 8, n.row ->> 9, n.row ->> 10, n.row ->> 11, n.row ->> 12, n.row ->> 13,
          CAST(n.row ->> 14 AS integer), n.row ->> 15, recorded || '000000Z', its_document
        FROM (SELECT CAST(r.value ->> 1 AS integer) AS position, r.value AS row FROM jsonb_array_elements(step.list) AS r (value)) AS n
        WHERE numbers[n.position + 1] > 0 ORDER BY n.position;
      -- The duplicates: events that were stored before, or came earlier in this capture.
      IF its_duplicates > 0 THEN
        INSERT INTO capture_duplicates (job, position, event_id)
          SELECT place, CAST(r.value ->> 1 AS integer), e.event_id FROM jsonb_array_elements(step.list) AS r (value)
          CROSS JOIN LATERAL (
            SELECT i.sequence FROM identities AS i
            WHERE i.identity_key = CAST(r.value ->> 0 AS bigint) AND i.identity = decode(r.value ->> 2, 'hex') OFFSET 0
          ) AS i CROSS JOIN LATERAL (SELECT f.event_id FROM events AS f WHERE f.sequence = i.sequence OFFSET 0) AS e
          WHERE numbers[CAST(r.value ->> 1 AS integer) + 1] = 0;
      END IF;
    WHEN 'aliases' THEN
      INSERT INTO aliases (event_key, sequence, event_id, job)
        SELECT CAST(r.value ->> 2 AS bigint), i.sequence, r.value ->> 3, place FROM jsonb_array_elements(step.list) AS r (value)
        CROSS JOIN LATERAL (
          SELECT f.sequence FROM identities AS f
          WHERE f.identity_key = CAST(r.value ->> 0 AS bigint) AND f.identity = decode(r.value ->> 1, 'hex') OFFSET 0
        ) AS i ON CONFLICT DO NOTHING;
    WHEN 'parts' THEN
      -- If all sixteen texts of a block are here, they go straight into the block. The others follow when they are settled.
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
    ELSE
      -- Values and master data are stored last.
      NULL;
    END CASE;
  END LOOP;

  -- The gateway looked up duplicates and names before it sent the capture. If other captures have changed the result since, the capture
  -- fails, and the gateway looks again. Compared above are the events that are not new; here, the other events of the account that have a
  -- name which this capture brings.
  WITH brought AS MATERIALIZED (
    SELECT e.event_key, e.sequence FROM events AS e WHERE e.sequence BETWEEN first AND last AND e.declares_error = 0
    UNION ALL
    SELECT a.event_key, a.sequence FROM aliases AS a
      CROSS JOIN LATERAL (SELECT f.declares_error FROM events AS f WHERE f.sequence = a.sequence OFFSET 0) AS e
      WHERE a.job = place AND e.declares_error = 0
  )
  SELECT
    (SELECT count(*) FROM brought AS n CROSS JOIN LATERAL (SELECT * FROM events AS e WHERE e.event_key = n.event_key OFFSET 0) AS f
      WHERE f.captured_by = its_account AND f.declares_error = 0 AND f.sequence NOT BETWEEN first AND last AND f.sequence <> n.sequence)
    + (SELECT count(*) FROM brought AS n
      CROSS JOIN LATERAL (SELECT * FROM aliases AS b WHERE b.event_key = n.event_key OFFSET 0) AS a
      CROSS JOIN LATERAL (SELECT * FROM events AS e WHERE e.sequence = a.sequence OFFSET 0) AS f
      WHERE a.job <> place AND a.sequence <> n.sequence AND f.captured_by = its_account AND f.declares_error = 0)
    INTO namesakes;
  IF namesakes <> CAST(its_job ->> 8 AS bigint) THEN
    RAISE EXCEPTION USING ERRCODE = 'EE001', MESSAGE = 'more is stored than was expected';
  END IF;
  IF cardinality(keys) > 0 THEN
    DELETE FROM names_under_way AS n WHERE n.account = of_account AND n.event_key = ANY (keys);
  END IF;

  INSERT INTO listed_values (account, collection, value)
    SELECT DISTINCT of_account, CAST(r.value ->> 0 AS smallint), (r.value ->> 1) COLLATE "C"
    FROM lists_of(its_token, last_lists) AS l CROSS JOIN LATERAL jsonb_array_elements(l.list) AS r (value)
    WHERE l.kind = 'values' AND NOT EXISTS (
      SELECT 1 FROM listed_values AS v
      WHERE v.account = of_account AND v.collection = CAST(r.value ->> 0 AS smallint) AND v.value = r.value ->> 1 OFFSET 0
    ) ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;

  FOR step IN SELECT l.kind, l.list FROM lists_of(its_token, last_lists) AS l WHERE l.kind IN ('elements', 'attributes', 'children') LOOP
    CASE step.kind
    WHEN 'elements' THEN
      -- Captures with master data run one after the other from here on: whoever sees an element also sees those with smaller numbers.
      PERFORM take_turn(1);
      -- Only elements that differ from the newest one of the same account, identifier and type.
      INSERT INTO master_data (account, job, position, kind, id_key, id, spelling, attributes, children, digest)
        SELECT of_account, place, CAST(r.value ->> 0 AS integer), r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4,
          r.value ->> 5, r.value ->> 6, r.value ->> 7 FROM jsonb_array_elements(step.list) WITH ORDINALITY AS r (value, nth)
        WHERE NOT EXISTS (
          SELECT 1 FROM master_data AS m WHERE m.digest = r.value ->> 7 AND m.number = (
            SELECT max(n.number) FROM master_data AS n WHERE n.id_key = r.value ->> 2 AND n.account = of_account AND n.kind = r.value ->> 1
          )
        ) ORDER BY r.nth;
    WHEN 'attributes' THEN
      INSERT INTO master_data_attributes (account, name, value, number)
        SELECT of_account, t.value ->> 0, t.value ->> 1, m.number FROM jsonb_array_elements(step.list) AS r (value)
        JOIN master_data AS m ON m.job = place AND m.position = CAST(r.value ->> 0 AS integer)
        CROSS JOIN LATERAL jsonb_array_elements(r.value -> 2) AS t (value) ON CONFLICT DO NOTHING;
    WHEN 'children' THEN
      INSERT INTO master_data_children (number, child)
        SELECT m.number, t.value ->> 0 FROM jsonb_array_elements(step.list) AS r (value)
        JOIN master_data AS m ON m.job = place AND m.position = CAST(r.value ->> 0 AS integer)
        CROSS JOIN LATERAL jsonb_array_elements(r.value -> 2) AS t (value) ON CONFLICT DO NOTHING;
    END CASE;
  END LOOP;
END $$;

-- Makes PostgreSQL use an index for every look-up above, even if a table is new and has no statistics yet. Each connection plans the
-- statements once, not again for every capture.
ALTER FUNCTION store_capture SET enable_seqscan = off;
ALTER FUNCTION store_capture SET plan_cache_mode = force_generic_plan;

-- Stores a capture, beside others. `capture_settled` returns its outcome.
CREATE FUNCTION capture_beside(its_token text, its_job text, its_lists text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- Parsed here, before numbers are taken, because others may be waiting for this capture.
  read_job jsonb := its_job::jsonb;
  read_lists jsonb := its_lists::jsonb;
  wanted integer := CAST(read_job ->> 5 AS integer) - CAST(read_job ->> 7 AS integer);
  taken record;
  what text;
  which text;
BEGIN
  SELECT * INTO taken FROM take_numbers(wanted, CAST(read_job ->> 1 AS bigint));
  BEGIN
    PERFORM store_capture(its_token, read_job, read_lists, taken.place, taken.first, taken.time);
  EXCEPTION
    -- An error in the data, or more is stored than was expected: nothing is stored but the outcome, and that the numbers remain unused.
    -- Other errors, such as a full disk or a timeout, abort the transaction.
    WHEN plpgsql_error OR data_exception OR integrity_constraint_violation OR program_limit_exceeded OR SQLSTATE 'EE001' THEN
      what := SQLERRM;
      which := SQLSTATE;
  END;
  -- Fails if the capture was taken back.
  INSERT INTO outcomes (token, job, time, problem, code, position)
    VALUES (its_token, CASE WHEN what IS NULL THEN taken.place END, CASE WHEN what IS NULL THEN taken.time END, what, which,
      taken.first + wanted - 1);
  DELETE FROM inbox_parts AS p WHERE p.token = its_token;
  IF taken.place % 16 = 0 OR wanted >= 16 THEN
    BEGIN
      PERFORM tidy_up();
    EXCEPTION WHEN plpgsql_error OR data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
      -- Nothing depends on it, so the capture goes on.
      RAISE WARNING 'tidying up failed: %', SQLERRM;
    END;
  END IF;
  -- Last, because `settled` must not see the row of its own transaction.
  INSERT INTO numbers_taken (place, first, last, xid) VALUES (taken.place, taken.first, taken.first + wanted - 1, pg_current_xact_id());
END $$;

-- Waits until the events of a capture are settled. Returns its outcome; no row if there is no such capture.
CREATE FUNCTION capture_settled(its_token text, at_most interval DEFAULT '20 seconds')
RETURNS TABLE (job bigint, "time" bigint, problem text, code text) LANGUAGE plpgsql AS $$
DECLARE
  done record;
  begun timestamptz := clock_timestamp();
  -- In seconds: the next pause, all pauses so far, and after how many of them gaps are looked for.
  pause double precision := 0.001;
  waited double precision := 0;
  patience double precision := 0.2;
BEGIN
  SELECT o.* INTO done FROM outcomes AS o WHERE o.token = its_token;
  IF FOUND THEN
    WHILE done.problem IS NULL AND settled() < done.position LOOP
      IF clock_timestamp() > begun + at_most THEN
        RAISE EXCEPTION USING ERRCODE = 'lock_not_available', MESSAGE = 'the capture is stored, but captures with smaller numbers have not ended';
      END IF;
      PERFORM pg_sleep(pause);
      waited := waited + pause;
      pause := least(pause * 2, 0.016);
      IF waited > patience THEN
        PERFORM void_gaps();
        patience := patience * 2;
      END IF;
    END LOOP;
    RETURN QUERY SELECT done.job, done.time, done.problem, done.code;
  END IF;
END $$;

-- Takes a capture back. `was_there` tells that nothing of it is stored, and that nothing will be. Otherwise the row has the outcome of the
-- capture; none if its events are not settled yet.
CREATE FUNCTION take_back(its_token text)
RETURNS TABLE (was_there boolean, job bigint, "time" bigint, problem text, code text) LANGUAGE plpgsql AS $$
BEGIN
  -- A capture cannot end after this, because it would store a second outcome. If it is ending, this waits for it.
  INSERT INTO outcomes (token, problem, code) VALUES (its_token, 'the capture was taken back', '57014') ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN QUERY SELECT true, NULL::bigint, NULL::bigint, NULL::text, NULL::text;
  ELSE
    RETURN QUERY SELECT false, s.job, s.time, s.problem, s.code FROM capture_settled(its_token, '3 seconds') AS s;
  END IF;
END $$;

-- Other transactions start with settings of worker/js/session.js. A call of these functions is a transaction by itself, so the functions
-- have the settings.
ALTER FUNCTION capture_beside SET lock_timeout = '20s';
ALTER FUNCTION capture_beside SET jit = off;
ALTER FUNCTION capture_beside SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION take_back SET lock_timeout = '4s';

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
