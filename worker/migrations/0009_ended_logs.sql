-- Logs that have ended, because a new log took their place. They are kept complete, so that old proofs can still be verified.

-- A row for each log, numbered from 1. While `ended` is null, the log is being moved from the tables log_* to those below, in portions.
CREATE TABLE ended_logs (
  number INTEGER PRIMARY KEY,
  origin TEXT NOT NULL,
  -- The policy to verify its proofs with: its keys, its witnesses and their quorum.
  policy TEXT NOT NULL,
  -- YYYY-MM-DDThh:mm:ss.nnnZ
  begun TEXT NOT NULL,
  ended TEXT
);

-- Copies of the tables log_*. `log` is the number of the log.
CREATE TABLE ended_leaves (
  log INTEGER NOT NULL,
  leaf INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  salt BLOB CHECK (salt IS NULL OR length(salt) = 32),
  commitment BLOB NOT NULL CHECK (length(commitment) = 32),
  PRIMARY KEY (log, leaf)
) WITHOUT ROWID;
CREATE UNIQUE INDEX ended_leaves_by_sequence ON ended_leaves (log, sequence);

CREATE TABLE ended_tiles (
  log INTEGER NOT NULL,
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  hashes BLOB NOT NULL CHECK (length(hashes) = 8192),
  PRIMARY KEY (log, level, number)
) WITHOUT ROWID;

CREATE TABLE ended_heads (
  log INTEGER NOT NULL,
  size INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  note TEXT NOT NULL,
  previous INTEGER NOT NULL,
  PRIMARY KEY (log, size)
) WITHOUT ROWID;

CREATE TABLE ended_cosignatures (
  log INTEGER NOT NULL,
  size INTEGER NOT NULL,
  name TEXT NOT NULL,
  line TEXT NOT NULL,
  latest TEXT,
  PRIMARY KEY (log, size, name)
) WITHOUT ROWID;

-- A row of the log may be deleted only if the log is being moved and the tables above have a copy of the row.
DROP TRIGGER log_leaves_never_go;
CREATE TRIGGER log_leaves_never_go BEFORE DELETE ON log_leaves
WHEN NOT EXISTS (
  SELECT 1 FROM ended_leaves AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
    AND e.leaf = OLD.leaf AND e.sequence = OLD.sequence AND e.commitment = OLD.commitment AND e.salt IS OLD.salt
)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

DROP TRIGGER log_tiles_never_go;
CREATE TRIGGER log_tiles_never_go BEFORE DELETE ON log_tiles
WHEN NOT EXISTS (
  SELECT 1 FROM ended_tiles AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
    AND e.level = OLD.level AND e.number = OLD.number AND e.root = OLD.root AND e.hashes = OLD.hashes
)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

DROP TRIGGER log_heads_never_go;
CREATE TRIGGER log_heads_never_go BEFORE DELETE ON log_heads
WHEN NOT EXISTS (
  SELECT 1 FROM ended_heads AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
    AND e.size = OLD.size AND e.root = OLD.root AND e.note = OLD.note AND e.previous = OLD.previous
)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

DROP TRIGGER log_cosignatures_never_go;
CREATE TRIGGER log_cosignatures_never_go BEFORE DELETE ON log_cosignatures
WHEN NOT EXISTS (
  SELECT 1 FROM ended_cosignatures AS e WHERE e.log = (SELECT number FROM ended_logs WHERE ended IS NULL)
    AND e.size = OLD.size AND e.name = OLD.name AND e.line = OLD.line AND e.latest IS OLD.latest
)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

-- A log ends once. After that nothing changes, except that a salt may be removed.
CREATE TRIGGER ended_logs_never_change BEFORE UPDATE ON ended_logs
WHEN OLD.ended IS NOT NULL OR NEW.ended IS NULL OR NEW.number IS NOT OLD.number OR NEW.origin IS NOT OLD.origin
  OR NEW.policy IS NOT OLD.policy OR NEW.begun IS NOT OLD.begun
BEGIN
  SELECT RAISE(ABORT, 'a log ends once');
END;
CREATE TRIGGER ended_logs_never_go BEFORE DELETE ON ended_logs
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER ended_leaves_never_change BEFORE UPDATE ON ended_leaves
WHEN NEW.salt IS NOT NULL OR NEW.log IS NOT OLD.log OR NEW.leaf IS NOT OLD.leaf OR NEW.sequence IS NOT OLD.sequence
  OR NEW.commitment IS NOT OLD.commitment
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only; a salt may be removed, nothing else');
END;
CREATE TRIGGER ended_leaves_never_go BEFORE DELETE ON ended_leaves
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER ended_tiles_never_change BEFORE UPDATE ON ended_tiles
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER ended_tiles_never_go BEFORE DELETE ON ended_tiles
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER ended_heads_never_change BEFORE UPDATE ON ended_heads
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER ended_heads_never_go BEFORE DELETE ON ended_heads
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER ended_cosignatures_never_change BEFORE UPDATE ON ended_cosignatures
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER ended_cosignatures_never_go BEFORE DELETE ON ended_cosignatures
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

-- INSERT OR REPLACE deletes a row without firing the triggers above. So an insert is refused if it would replace a row.
CREATE TRIGGER ended_logs_are_never_replaced BEFORE INSERT ON ended_logs
WHEN EXISTS (SELECT 1 FROM ended_logs WHERE number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'a log ends once');
END;
CREATE TRIGGER ended_leaves_are_never_replaced BEFORE INSERT ON ended_leaves
WHEN EXISTS (SELECT 1 FROM ended_leaves WHERE log = NEW.log AND (leaf = NEW.leaf OR sequence = NEW.sequence))
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER ended_tiles_are_never_replaced BEFORE INSERT ON ended_tiles
WHEN EXISTS (SELECT 1 FROM ended_tiles WHERE log = NEW.log AND level = NEW.level AND number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER ended_heads_are_never_replaced BEFORE INSERT ON ended_heads
WHEN EXISTS (SELECT 1 FROM ended_heads WHERE log = NEW.log AND size = NEW.size)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER ended_cosignatures_are_never_replaced BEFORE INSERT ON ended_cosignatures
WHEN EXISTS (SELECT 1 FROM ended_cosignatures WHERE log = NEW.log AND size = NEW.size AND name = NEW.name)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
