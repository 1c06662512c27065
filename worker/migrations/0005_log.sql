-- The transparency log: what can be proved of the events, appended like them.

-- What a leaf says of an event beside the columns that are there: its observer, and SHA-256 of its text. Of events that were
-- captured before they are read from the text.
ALTER TABLE events ADD COLUMN who TEXT;
ALTER TABLE events ADD COLUMN digest BLOB;

-- A leaf for every event, counted from 0 in the order of capture.
CREATE TABLE log_leaves (
  leaf INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL UNIQUE,
  -- 32 random bytes; NULL where the leaf was made mute for good.
  salt BLOB CHECK (salt IS NULL OR length(salt) = 32),
  commitment BLOB NOT NULL CHECK (length(commitment) = 32)
);

-- Tiles that are full: 256 hashes, and the root over them, which is a hash of the tile above. The root stands in front, so that
-- it is read without the hashes. Others are made of leaves and roots when they are read.
CREATE TABLE log_tiles (
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  hashes BLOB NOT NULL CHECK (length(hashes) = 8192),
  PRIMARY KEY (level, number)
) WITHOUT ROWID;

-- The signed heads. `previous` is the size of the head before, -1 for the first: of two that follow one head one alone is stored.
CREATE TABLE log_heads (
  size INTEGER PRIMARY KEY,
  root BLOB NOT NULL CHECK (length(root) = 32),
  note TEXT NOT NULL,
  previous INTEGER NOT NULL UNIQUE CHECK (previous < size)
);

CREATE TABLE log_cosignatures (
  size INTEGER NOT NULL,
  name TEXT NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (size, name)
) WITHOUT ROWID;
CREATE INDEX log_cosignatures_by_name ON log_cosignatures (name, size);

-- What was last signed as a witness of others: a row for each log, by SHA-256 of its origin.
CREATE TABLE witnessed (
  digest TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  size INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  note TEXT NOT NULL
) WITHOUT ROWID;

-- Leaves lie in a row, in the order of their events.
CREATE TRIGGER log_leaves_follow_each_other BEFORE INSERT ON log_leaves
WHEN NEW.leaf <> coalesce((SELECT max(leaf) + 1 FROM log_leaves), 0)
  OR NEW.sequence <= coalesce((SELECT max(sequence) FROM log_leaves), 0)
BEGIN
  SELECT RAISE(ABORT, 'the log has grown meanwhile');
END;

CREATE TRIGGER log_leaves_never_change BEFORE UPDATE ON log_leaves
WHEN NEW.salt IS NOT NULL OR NEW.leaf IS NOT OLD.leaf OR NEW.sequence IS NOT OLD.sequence
  OR NEW.commitment IS NOT OLD.commitment
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only; a salt may be removed, nothing else');
END;

CREATE TRIGGER log_leaves_never_go BEFORE DELETE ON log_leaves
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_tiles_never_change BEFORE UPDATE ON log_tiles
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_tiles_never_go BEFORE DELETE ON log_tiles
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

-- REPLACE removes rows without asking the triggers above: it shall find nothing to replace.
CREATE TRIGGER log_tiles_are_never_replaced BEFORE INSERT ON log_tiles
WHEN EXISTS (SELECT 1 FROM log_tiles WHERE level = NEW.level AND number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'the log has grown meanwhile');
END;

-- A head is over all leaves, and follows the newest head.
CREATE TRIGGER log_heads_follow_each_other BEFORE INSERT ON log_heads
WHEN NEW.previous <> coalesce((SELECT max(size) FROM log_heads), -1)
  OR NEW.size <> coalesce((SELECT max(leaf) + 1 FROM log_leaves), 0)
BEGIN
  SELECT RAISE(ABORT, 'the log has grown meanwhile');
END;

CREATE TRIGGER log_heads_never_change BEFORE UPDATE ON log_heads
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_heads_never_go BEFORE DELETE ON log_heads
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_cosignatures_never_change BEFORE UPDATE ON log_cosignatures
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_cosignatures_never_go BEFORE DELETE ON log_cosignatures
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_cosignatures_are_never_replaced BEFORE INSERT ON log_cosignatures
WHEN EXISTS (SELECT 1 FROM log_cosignatures WHERE size = NEW.size AND name = NEW.name)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- A witness never goes back.
CREATE TRIGGER witnessed_never_shrink BEFORE UPDATE ON witnessed
WHEN NEW.size < OLD.size OR NEW.digest IS NOT OLD.digest OR (NEW.size = OLD.size AND NEW.root IS NOT OLD.root)
BEGIN
  SELECT RAISE(ABORT, 'a witness never goes back');
END;

CREATE TRIGGER witnessed_never_go BEFORE DELETE ON witnessed
BEGIN
  SELECT RAISE(ABORT, 'a witness never goes back');
END;
