-- Events: appended, never changed, never removed; the database itself sees to it.

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence > 0),
  -- What makes an event the same as another: a digest of its hash as it is stored, of whether it declares an error, of its account
  -- and of its observer. It is looked up by a short number: the trigger below compares the whole.
  identity TEXT NOT NULL,
  identity_key INTEGER NOT NULL,
  declares_error INTEGER NOT NULL CHECK (declares_error IN (0, 1)),
  captured_by TEXT NOT NULL,
  -- Its names: the eventID as given, the hash of the event as it was sent, and a short number for each, by which it is looked up.
  event_id TEXT NOT NULL,
  event_key INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  content_key INTEGER NOT NULL,
  event_type TEXT,
  action TEXT,
  biz_step TEXT,
  disposition TEXT,
  -- YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ, which sorts as the instants do.
  event_time TEXT NOT NULL,
  record_time TEXT NOT NULL,
  -- SHA-256 of the document that it came in, and its place there.
  document TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);

-- Digests lie anywhere in an index: short numbers keep those small, and so the writing fast.
CREATE INDEX events_by_identity ON events (identity_key);
CREATE INDEX events_by_key ON events (event_key);
CREATE INDEX events_by_content_key ON events (content_key);
CREATE INDEX events_by_event_time ON events (event_time, sequence);
CREATE INDEX events_by_record_time ON events (record_time, sequence);
CREATE INDEX events_by_account ON events (captured_by, sequence);
CREATE INDEX events_by_account_and_event_time ON events (captured_by, event_time, sequence);
CREATE INDEX events_by_account_and_record_time ON events (captured_by, record_time, sequence);

-- The text of an event, in pieces that fit into a row: the number of a piece is 1,000 times the sequence, and its place.
CREATE TABLE event_parts (
  piece INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);

-- Everything that an event can be found by in one of several roles: identifiers as canonical Digital Link, words as web URIs.
-- The numbers of the fields are those of the core (query::Field).
CREATE TABLE terms (
  value TEXT NOT NULL,
  field INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (value, field, sequence)
) WITHOUT ROWID;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

-- REPLACE removes rows without asking the trigger above: it shall find nothing to replace.
CREATE TRIGGER events_are_never_replaced BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE sequence = NEW.sequence)
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER events_are_stored_once BEFORE INSERT ON events
WHEN EXISTS (
  SELECT 1 FROM events WHERE identity_key = NEW.identity_key AND identity = NEW.identity
)
BEGIN
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER event_parts_never_change BEFORE UPDATE ON event_parts
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER event_parts_never_go BEFORE DELETE ON event_parts
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

-- A piece of no event, or behind the last piece of one (each but the last has 399,997 bytes at least), would change what is read.
CREATE TRIGGER event_parts_belong_to_events BEFORE INSERT ON event_parts
WHEN NOT EXISTS (
  SELECT 1 FROM events WHERE sequence = NEW.piece / 1000 AND NEW.piece % 1000 <= (bytes - 1) / 399997
)
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER event_parts_are_stored_once BEFORE INSERT ON event_parts
WHEN EXISTS (SELECT 1 FROM event_parts WHERE piece = NEW.piece)
BEGIN
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER terms_never_change BEFORE UPDATE ON terms
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER terms_never_go BEFORE DELETE ON terms
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;
