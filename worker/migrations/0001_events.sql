-- Events are only appended. Triggers keep them from being changed or removed.

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence > 0),
  -- Two events with the same identity are the same event. It is a SHA-256 over the hash of the event as stored, its error declaration,
  -- its account and its observer. An index of the short number `identity_key` finds it; the trigger below compares the full identity.
  identity TEXT NOT NULL,
  identity_key INTEGER NOT NULL,
  declares_error INTEGER NOT NULL CHECK (declares_error IN (0, 1)),
  captured_by TEXT NOT NULL,
  -- The names of the event: its eventID, and the hash of the event as it was sent. Each has a short number, under which it is looked up.
  event_id TEXT NOT NULL,
  event_key INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  content_key INTEGER NOT NULL,
  event_type TEXT,
  action TEXT,
  biz_step TEXT,
  disposition TEXT,
  -- YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ, so that the order of the texts is the order in time.
  event_time TEXT NOT NULL,
  record_time TEXT NOT NULL,
  -- The SHA-256 of the document that the event came in, and its position there, from 0.
  document TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);

-- Each new digest goes to a random place of its index, which is slow if the index is large. Indexes of short numbers instead of whole
-- digests stay small.
CREATE INDEX events_by_identity ON events (identity_key);
CREATE INDEX events_by_key ON events (event_key);
CREATE INDEX events_by_content_key ON events (content_key);
CREATE INDEX events_by_event_time ON events (event_time, sequence);
CREATE INDEX events_by_record_time ON events (record_time, sequence);
CREATE INDEX events_by_account ON events (captured_by, sequence);
CREATE INDEX events_by_account_and_event_time ON events (captured_by, event_time, sequence);
CREATE INDEX events_by_account_and_record_time ON events (captured_by, record_time, sequence);

-- The text of an event, in pieces that fit into a row. The pieces of event 7 are 7000, 7001 and so on.
CREATE TABLE event_parts (
  piece INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);

-- The values that queries find events by, except those that have a column above: identifiers as canonical Digital Links, words as web
-- URIs. `field` is a number of query::Field in the core.
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

-- INSERT OR REPLACE deletes a row without firing the trigger above. So an insert is refused if it would replace a row.
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

-- Refuses a piece whose event is not stored, and a piece beyond the end of its event: readers would take it for a part of the text. Every
-- piece except the last has at least 399,997 bytes, so the length of the event limits the number of its pieces.
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
