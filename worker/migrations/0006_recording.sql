-- For captures of events that are stored already: more names of an event, and a check of what the capture expects.

-- More names of stored events: the eventIDs with which they were captured again. A name is looked up under its short number.
CREATE TABLE aliases (
  event_key INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  -- The job of the capture that brought the name: capture_jobs.sequence.
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

-- INSERT OR REPLACE deletes a row without firing the trigger above. So an insert that would replace a row is ignored.
CREATE TRIGGER aliases_are_stored_once BEFORE INSERT ON aliases
WHEN EXISTS (SELECT 1 FROM aliases WHERE event_key = NEW.event_key AND sequence = NEW.sequence)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- How many duplicates and namesakes a capture expects, and how many its transaction found. Inserting different numbers aborts the
-- transaction. The view itself stores nothing.
CREATE VIEW expectations (duplicates, found_duplicates, namesakes, found_namesakes) AS SELECT 0, 0, 0, 0;
CREATE TRIGGER expectations_are_met INSTEAD OF INSERT ON expectations
WHEN NEW.duplicates <> NEW.found_duplicates OR NEW.namesakes <> NEW.found_namesakes
BEGIN
  SELECT RAISE(ABORT, 'more is stored than was expected');
END;

-- New events have no digest (events.digest): the text is complete only when the transaction that stores it adds the recordTime, and SQLite
-- has no SHA-256. The log computes the digest from the stored text.
