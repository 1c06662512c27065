-- Events: appended, never changed, never removed; the database itself sees to it.

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What makes an event the same as another.
  stamped_hash TEXT NOT NULL,
  declares_error INTEGER NOT NULL CHECK (declares_error IN (0, 1)),
  captured_by TEXT NOT NULL,
  who TEXT NOT NULL,
  -- Its names: as given, in the form in which it is looked up, and the hash of the event as it was sent.
  event_id TEXT NOT NULL,
  event_key TEXT NOT NULL,
  content_hash TEXT NOT NULL,
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

CREATE UNIQUE INDEX events_by_identity ON events (stamped_hash, declares_error, captured_by, who);
CREATE INDEX events_by_key ON events (event_key);
CREATE INDEX events_by_content_hash ON events (content_hash);
CREATE INDEX events_by_event_time ON events (event_time, sequence);
CREATE INDEX events_by_record_time ON events (record_time, sequence);
CREATE INDEX events_by_account ON events (captured_by, sequence);

-- The text of an event, in pieces that fit into a row.
CREATE TABLE event_parts (
  sequence INTEGER NOT NULL,
  part INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (sequence, part)
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
  SELECT 1 FROM events
  WHERE stamped_hash = NEW.stamped_hash AND declares_error = NEW.declares_error
    AND captured_by = NEW.captured_by AND who = NEW.who
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

CREATE TRIGGER event_parts_are_stored_once BEFORE INSERT ON event_parts
WHEN EXISTS (SELECT 1 FROM event_parts WHERE sequence = NEW.sequence AND part = NEW.part)
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
