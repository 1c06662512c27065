-- What a capture brings that is stored already: further names of events, and what a capture expects of the store.

-- Further names of events: those under which they were captured again. A name is looked up by its short number.
CREATE TABLE aliases (
  event_key INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  -- The capture that brought it: capture_jobs.sequence.
  job INTEGER NOT NULL,
  PRIMARY KEY (event_key, sequence)
) WITHOUT ROWID;
CREATE INDEX aliases_by_sequence ON aliases (sequence);
CREATE INDEX aliases_by_job ON aliases (job);

CREATE TRIGGER aliases_never_change BEFORE UPDATE ON aliases
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER aliases_never_go BEFORE DELETE ON aliases
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

-- REPLACE removes rows without asking the trigger above: it shall find nothing to replace.
CREATE TRIGGER aliases_are_stored_once BEFORE INSERT ON aliases
WHEN EXISTS (SELECT 1 FROM aliases WHERE event_key = NEW.event_key AND sequence = NEW.sequence)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- What a capture expects to be stored already, and what it found: a transaction that expected something else breaks off here.
CREATE VIEW expectations (duplicates, found_duplicates, namesakes, found_namesakes) AS SELECT 0, 0, 0, 0;
CREATE TRIGGER expectations_are_met INSTEAD OF INSERT ON expectations
WHEN NEW.duplicates <> NEW.found_duplicates OR NEW.namesakes <> NEW.found_namesakes
BEGIN
  SELECT RAISE(ABORT, 'more is stored than was expected');
END;

-- The digest of an event's text is not kept any more (events.digest): the text has its recordTime from the transaction that stores
-- it, and SQLite has no SHA-256. The log reads the text.
