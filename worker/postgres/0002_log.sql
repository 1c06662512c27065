-- The transparency log: see worker/migrations/0005_log.sql. Transactions that extend the log run one after the other (take_turn). The
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
  PRIMARY KEY (size, name)
);
CREATE INDEX log_cosignatures_by_name ON log_cosignatures (name, size);

CREATE TABLE witnessed (
  digest text COLLATE "C" PRIMARY KEY,
  origin text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  note text COLLATE "C" NOT NULL
);

-- Leaves are numbered from 0 without gaps, in the order of their events.
CREATE FUNCTION leaves_follow_each_other() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first bigint;
BEGIN
  SELECT min(leaf) INTO first FROM added;
  IF first <> coalesce((SELECT max(l.leaf) + 1 FROM log_leaves AS l WHERE l.leaf < first), 0)
    OR EXISTS (
      SELECT 1 FROM (
        SELECT leaf, sequence, lag(leaf) OVER in_a_row AS leaf_before, lag(sequence) OVER in_a_row AS sequence_before
        FROM added WINDOW in_a_row AS (ORDER BY leaf)
      ) AS a
      WHERE leaf <> leaf_before + 1 OR sequence <= sequence_before
    )
    OR (SELECT min(sequence) FROM added) <= coalesce((SELECT max(l.sequence) FROM log_leaves AS l WHERE l.leaf = first - 1), 0)
  THEN
    RAISE EXCEPTION 'the log has grown meanwhile';
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
    RAISE EXCEPTION 'the log has grown meanwhile';
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
CREATE TRIGGER log_cosignatures_never_change BEFORE UPDATE OR DELETE ON log_cosignatures
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_cosignatures_never_go BEFORE TRUNCATE ON log_cosignatures
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

-- As a witness, the gateway never signs a smaller head after a larger one, nor two roots of the same size.
CREATE TRIGGER witnessed_never_shrink BEFORE UPDATE ON witnessed FOR EACH ROW
  WHEN (NEW.size < OLD.size OR NEW.digest IS DISTINCT FROM OLD.digest OR (NEW.size = OLD.size AND NEW.root IS DISTINCT FROM OLD.root))
  EXECUTE FUNCTION never('a witness never goes back');
CREATE TRIGGER witnessed_never_go BEFORE DELETE ON witnessed
  FOR EACH ROW EXECUTE FUNCTION never('a witness never goes back');
CREATE TRIGGER witnessed_are_never_emptied BEFORE TRUNCATE ON witnessed
  FOR EACH STATEMENT EXECUTE FUNCTION never('a witness never goes back');
