-- The transparency log, which proves what events the gateway stored. Its tables are append-only, like the events.

-- Two more values of an event that its leaf contains: the observer, and the SHA-256 of the text. They are null for events that are stored
-- already, and then read from the text.
ALTER TABLE events ADD COLUMN who TEXT;
ALTER TABLE events ADD COLUMN digest BLOB;

-- A leaf for every event, numbered from 0 in the order of capture.
CREATE TABLE log_leaves (
  leaf INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL UNIQUE,
  -- 32 random bytes; null if an operator removed them, so that the leaf reveals nothing about its event any more.
  salt BLOB CHECK (salt IS NULL OR length(salt) = 32),
  commitment BLOB NOT NULL CHECK (length(commitment) = 32)
);

-- The full tiles: 256 hashes, and the root over them, which is one hash of the tile above. The root comes before the hashes, so that SQLite
-- can read it without them. Partial tiles are not stored; they are made from leaves and roots when they are read.
CREATE TABLE log_tiles (
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  hashes BLOB NOT NULL CHECK (length(hashes) = 8192),
  PRIMARY KEY (level, number)
) WITHOUT ROWID;

-- The signed heads. `previous` is the size of the head before, or -1. It is unique, so that only one head can follow another.
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

-- The heads of other logs that this gateway last signed as their witness. `digest` is the SHA-256 of the origin of the log.
CREATE TABLE witnessed (
  digest TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  size INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  note TEXT NOT NULL
) WITHOUT ROWID;

-- Leaves are numbered from 0 without gaps, in the order of their events.
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

-- INSERT OR REPLACE deletes a row without firing the triggers above. So an insert is refused if it would replace a row.
CREATE TRIGGER log_tiles_are_never_replaced BEFORE INSERT ON log_tiles
WHEN EXISTS (SELECT 1 FROM log_tiles WHERE level = NEW.level AND number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'the log has grown meanwhile');
END;

-- A new head covers all leaves, and its `previous` is the size of the newest head.
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

-- As a witness, the gateway never signs a smaller head after a larger one, nor two roots of the same size.
CREATE TRIGGER witnessed_never_shrink BEFORE UPDATE ON witnessed
WHEN NEW.size < OLD.size OR NEW.digest IS NOT OLD.digest OR (NEW.size = OLD.size AND NEW.root IS NOT OLD.root)
BEGIN
  SELECT RAISE(ABORT, 'a witness never goes back');
END;

CREATE TRIGGER witnessed_never_go BEFORE DELETE ON witnessed
BEGIN
  SELECT RAISE(ABORT, 'a witness never goes back');
END;
