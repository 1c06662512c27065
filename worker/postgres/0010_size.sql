-- Makes events smaller: the texts of sixteen events are compressed together, and each EPC is indexed once instead of twice.

-- Both tables get new names. A gateway of an older build that still runs then fails; with the old names, it would leave out the texts and
-- values that are no longer there.
ALTER TABLE event_parts RENAME TO event_pieces;
ALTER TRIGGER event_parts_never_go ON event_pieces RENAME TO event_pieces_never_go;
ALTER TRIGGER event_parts_belong_to_events ON event_pieces RENAME TO event_pieces_belong_to_events;
ALTER TABLE listed RENAME TO listed_values;
-- The existing partitions: the first sequence of each, and the first one after it.
CREATE TEMPORARY TABLE partitions ON COMMIT DROP AS
  SELECT p.low, coalesce(lead(p.low) OVER (ORDER BY p.low), (SELECT made_to FROM partitioning)) AS high FROM (
    SELECT CAST(substr(c.relname, 13) AS bigint) AS low FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass
  ) AS p;
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN SELECT * FROM partitions LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', 'event_parts_from_' || part.low, 'event_pieces_from_' || part.low);
  END LOOP;
END $$;

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
  ALTER TABLE inbox_parts ALTER COLUMN lists SET COMPRESSION lz4, ALTER COLUMN lists SET STORAGE EXTENDED;
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

CREATE TRIGGER event_blocks_never_change BEFORE UPDATE OR DELETE ON event_blocks
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER event_blocks_never_go BEFORE TRUNCATE ON event_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');

-- Refuses a block whose last event is not stored, and a text whose length is not that of its event: they would change what readers get.
-- If the last event is stored, so are the others.
CREATE FUNCTION be_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong bigint;
BEGIN
  IF EXISTS (SELECT 1 FROM added AS a WHERE NOT EXISTS (SELECT 1 FROM events AS e WHERE e.sequence = a.last OFFSET 0)) THEN
    RAISE EXCEPTION 'events are append-only';
  END IF;
  SELECT min(a.last - 16 + t.place) INTO wrong FROM added AS a CROSS JOIN LATERAL unnest(a.texts) WITH ORDINALITY AS t (text, place)
    WHERE t.text IS NOT NULL AND (NOT is_short(t.text) OR octet_length(t.text) IS DISTINCT FROM (
      SELECT e.bytes FROM events AS e WHERE e.sequence = a.last - 16 + t.place
    ));
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'the text of the event % is not the one that was stored', wrong;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER event_blocks_are_of_events AFTER INSERT ON event_blocks
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION be_of_events();

-- A piece may be deleted only if its block has the same text. After that the piece cannot be inserted again.
DROP TRIGGER event_parts_never_change ON event_pieces;
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
CREATE OR REPLACE FUNCTION belong_to_events() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION make_partition() RETURNS void LANGUAGE plpgsql AS $$
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

-- Moves the texts that are stored already into blocks. Then each partition of event_pieces is emptied and gets back only the remaining
-- pieces: deleting the others would not make the file smaller.
DO $$
DECLARE
  part record;
  newest bigint := coalesce((SELECT max(sequence) FROM events), 0);
BEGIN
  FOR part IN SELECT * FROM partitions LOOP
    PERFORM make_partition_of('event_blocks', 'event_blocks_from_' || part.low, part.low, part.high);
  END LOOP;
  PERFORM make_blocks(1, newest);
  FOR part IN SELECT 'event_pieces_from_' || p.low AS name FROM partitions AS p LOOP
    EXECUTE format('CREATE TEMPORARY TABLE rest ON COMMIT DROP AS SELECT * FROM %I WHERE piece %% 1000 > 0 OR NOT is_short(text) OR piece >= %s',
      part.name, (newest + 1) / 16 * 16000);
    EXECUTE format('ALTER TABLE %I DISABLE TRIGGER never_go', part.name);
    EXECUTE format('TRUNCATE %I', part.name);
    EXECUTE format('ALTER TABLE %I ENABLE TRIGGER never_go', part.name);
    EXECUTE format('INSERT INTO %I SELECT * FROM rest ORDER BY piece', part.name);
    DROP TABLE rest;
  END LOOP;
END $$;

-- A term now has the number of its event's account, so that the EPCs of an account can be listed from the terms. Before, the list of values
-- had each EPC a second time.
--
-- The index no longer contains the sequence. So PostgreSQL stores equal keys once, with the places of all their rows. This index cannot be
-- unique. A term that is stored twice would change no answer, and captures store each once.
ALTER TABLE terms RENAME TO terms_before;
CREATE TABLE terms (
  sequence bigint NOT NULL,
  account integer NOT NULL,
  field smallint NOT NULL,
  value text COLLATE "C" NOT NULL
) PARTITION BY RANGE (sequence);
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN SELECT * FROM partitions LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', 'terms_from_' || part.low, 'terms_before_from_' || part.low);
    PERFORM make_partition_of('terms', 'terms_from_' || part.low, part.low, part.high);
  END LOOP;
END $$;
INSERT INTO terms (sequence, account, field, value)
  SELECT t.sequence, a.number, t.field, t.value FROM terms_before AS t
  JOIN events AS e ON e.sequence = t.sequence JOIN accounts AS a ON a.account = e.captured_by ORDER BY t.sequence;
DROP TABLE terms_before;
CREATE INDEX terms_by_value ON terms (value, field, account);
CREATE TRIGGER terms_never_change BEFORE UPDATE OR DELETE ON terms
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER terms_never_go BEFORE TRUNCATE ON terms
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');

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

-- Deletes the EPCs (collection 2) from the list of values.
CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM listed_values WHERE collection <> 2;
TRUNCATE listed_values;
INSERT INTO listed_values SELECT * FROM kept;
ANALYZE event_blocks, terms, listed_values;
