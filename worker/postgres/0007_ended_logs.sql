-- Logs that have ended: see worker/migrations/0009_ended_logs.sql.

CREATE TABLE ended_logs (
  number bigint PRIMARY KEY,
  origin text COLLATE "C" NOT NULL,
  policy text COLLATE "C" NOT NULL,
  begun text COLLATE "C" NOT NULL,
  ended text COLLATE "C"
);

CREATE TABLE ended_leaves (
  log bigint NOT NULL,
  leaf bigint NOT NULL,
  sequence bigint NOT NULL,
  salt bytea CHECK (salt IS NULL OR length(salt) = 32),
  commitment bytea NOT NULL CHECK (length(commitment) = 32),
  PRIMARY KEY (log, leaf),
  UNIQUE (log, sequence)
);

CREATE TABLE ended_tiles (
  log bigint NOT NULL,
  level bigint NOT NULL,
  number bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  hashes bytea NOT NULL CHECK (length(hashes) = 8192),
  PRIMARY KEY (log, level, number)
);
-- Stored without compression: hashes are random bytes, which do not get smaller.
ALTER TABLE ended_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE ended_heads (
  log bigint NOT NULL,
  size bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  note text COLLATE "C" NOT NULL,
  previous bigint NOT NULL,
  PRIMARY KEY (log, size)
);

CREATE TABLE ended_cosignatures (
  log bigint NOT NULL,
  size bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  latest text COLLATE "C",
  PRIMARY KEY (log, size, name)
);

-- A row of the log may be deleted only if the log is being moved and the tables above have a copy of the row.
CREATE FUNCTION leaf_was_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM ended_leaves AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
      AND e.leaf = OLD.leaf AND e.sequence = OLD.sequence AND e.commitment = OLD.commitment AND e.salt IS NOT DISTINCT FROM OLD.salt
  ) THEN
    RAISE EXCEPTION 'the log is append-only';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER log_leaves_never_go ON log_leaves;
CREATE TRIGGER log_leaves_never_go BEFORE DELETE ON log_leaves
  FOR EACH ROW EXECUTE FUNCTION leaf_was_moved();

CREATE FUNCTION tile_was_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM ended_tiles AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
      AND e.level = OLD.level AND e.number = OLD.number AND e.root = OLD.root AND e.hashes = OLD.hashes
  ) THEN
    RAISE EXCEPTION 'the log is append-only';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER log_tiles_never_change ON log_tiles;
CREATE TRIGGER log_tiles_never_change BEFORE UPDATE ON log_tiles
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_tiles_never_leave BEFORE DELETE ON log_tiles
  FOR EACH ROW EXECUTE FUNCTION tile_was_moved();

CREATE FUNCTION head_was_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM ended_heads AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
      AND e.size = OLD.size AND e.root = OLD.root AND e.note = OLD.note AND e.previous = OLD.previous
  ) THEN
    RAISE EXCEPTION 'the log is append-only';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER log_heads_never_change ON log_heads;
CREATE TRIGGER log_heads_never_change BEFORE UPDATE ON log_heads
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_heads_never_leave BEFORE DELETE ON log_heads
  FOR EACH ROW EXECUTE FUNCTION head_was_moved();

CREATE FUNCTION cosignature_was_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM ended_cosignatures AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
      AND e.size = OLD.size AND e.name = OLD.name AND e.line = OLD.line AND e.latest IS NOT DISTINCT FROM OLD.latest
  ) THEN
    RAISE EXCEPTION 'the log is append-only';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER log_cosignatures_never_leave ON log_cosignatures;
CREATE TRIGGER log_cosignatures_never_leave BEFORE DELETE ON log_cosignatures
  FOR EACH ROW EXECUTE FUNCTION cosignature_was_moved();

-- A log ends once. After that nothing changes, except that a salt may be removed.
CREATE TRIGGER ended_logs_never_change BEFORE UPDATE ON ended_logs FOR EACH ROW
  WHEN (OLD.ended IS NOT NULL OR NEW.ended IS NULL OR NEW.number IS DISTINCT FROM OLD.number OR NEW.origin IS DISTINCT FROM OLD.origin
    OR NEW.policy IS DISTINCT FROM OLD.policy OR NEW.begun IS DISTINCT FROM OLD.begun)
  EXECUTE FUNCTION never('a log ends once');
CREATE TRIGGER ended_logs_never_go BEFORE DELETE ON ended_logs
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');

CREATE TRIGGER ended_leaves_never_change BEFORE UPDATE ON ended_leaves FOR EACH ROW
  WHEN (NEW.salt IS NOT NULL OR NEW.log IS DISTINCT FROM OLD.log OR NEW.leaf IS DISTINCT FROM OLD.leaf
    OR NEW.sequence IS DISTINCT FROM OLD.sequence OR NEW.commitment IS DISTINCT FROM OLD.commitment)
  EXECUTE FUNCTION never('the log is append-only; a salt may be removed, nothing else');
CREATE TRIGGER ended_leaves_never_go BEFORE DELETE ON ended_leaves
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_tiles_never_change BEFORE UPDATE OR DELETE ON ended_tiles
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_heads_never_change BEFORE UPDATE OR DELETE ON ended_heads
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_cosignatures_never_change BEFORE UPDATE OR DELETE ON ended_cosignatures
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');

CREATE TRIGGER ended_logs_are_never_emptied BEFORE TRUNCATE ON ended_logs
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_leaves_are_never_emptied BEFORE TRUNCATE ON ended_leaves
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_tiles_are_never_emptied BEFORE TRUNCATE ON ended_tiles
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_heads_are_never_emptied BEFORE TRUNCATE ON ended_heads
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER ended_cosignatures_are_never_emptied BEFORE TRUNCATE ON ended_cosignatures
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');
