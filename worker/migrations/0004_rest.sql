-- More tables for the REST binding, beside events: capture jobs, lists of values, named queries.

-- A job for every capture. The transaction of the capture inserts the job first, then the events. If `before` is 20, and 25 in the next
-- job, the capture stored the events 21 to 25.
CREATE TABLE capture_jobs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence > 0),
  account TEXT NOT NULL,
  -- The number of the job in its account, from 1.
  number INTEGER NOT NULL CHECK (number > 0),
  -- Milliseconds since 1970.
  time INTEGER NOT NULL,
  proceeds INTEGER NOT NULL CHECK (proceeds IN (0, 1)),
  success INTEGER NOT NULL CHECK (success IN (0, 1)),
  -- The SHA-256 of the document, and how many of its events were captured, duplicates included.
  document TEXT NOT NULL,
  events INTEGER NOT NULL,
  -- The sequence of the newest event before this capture; 0 if there was none.
  before INTEGER NOT NULL,
  -- The other members of the answer about the job, as a JSON object.
  report TEXT NOT NULL CHECK (json_valid(report)),
  UNIQUE (account, number)
);

-- The events of a capture that were stored before, or came earlier in the same capture. `event_id` is the name under which the event is
-- stored.
CREATE TABLE capture_duplicates (
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (job, position)
) WITHOUT ROWID;

CREATE TRIGGER capture_jobs_never_change BEFORE UPDATE ON capture_jobs
BEGIN
  SELECT RAISE(ABORT, 'capture jobs are append-only');
END;

CREATE TRIGGER capture_jobs_never_go BEFORE DELETE ON capture_jobs
BEGIN
  SELECT RAISE(ABORT, 'capture jobs are append-only');
END;

-- INSERT OR REPLACE deletes a row without firing the trigger above. So an insert is refused if it would replace a row.
CREATE TRIGGER capture_jobs_are_never_replaced BEFORE INSERT ON capture_jobs
WHEN EXISTS (
  SELECT 1 FROM capture_jobs WHERE sequence = NEW.sequence OR (account = NEW.account AND number = NEW.number)
)
BEGIN
  SELECT RAISE(ABORT, 'capture jobs are append-only');
END;

CREATE TRIGGER capture_duplicates_never_change BEFORE UPDATE ON capture_duplicates
BEGIN
  SELECT RAISE(ABORT, 'capture jobs are append-only');
END;

CREATE TRIGGER capture_duplicates_never_go BEFORE DELETE ON capture_duplicates
BEGIN
  SELECT RAISE(ABORT, 'capture jobs are append-only');
END;

CREATE TRIGGER capture_duplicates_are_never_replaced BEFORE INSERT ON capture_duplicates
WHEN EXISTS (SELECT 1 FROM capture_duplicates WHERE job = NEW.job AND position = NEW.position)
BEGIN
  SELECT RAISE(ABORT, 'capture jobs are append-only');
END;

-- Accounts have short numbers, so that the list below stays small.
CREATE TABLE accounts (
  number INTEGER PRIMARY KEY,
  account TEXT NOT NULL UNIQUE
);

-- The values in the events of an account, each once, for /epcs, /bizLocations and so on.
-- `collection` is a number of query::Collection in the core.
CREATE TABLE listed (
  account INTEGER NOT NULL,
  collection INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account, collection, value)
) WITHOUT ROWID;

-- Lists the values of the events that are stored already. Longer values are left out: `terms` may have only their start and a digest.
INSERT INTO accounts (account) SELECT DISTINCT captured_by FROM events;
INSERT OR IGNORE INTO listed (account, collection, value)
  SELECT a.number, CASE t.field WHEN 13 THEN 5 WHEN 14 THEN 4 ELSE 2 END, t.value
  FROM terms AS t CROSS JOIN events AS e ON e.sequence = t.sequence CROSS JOIN accounts AS a ON a.account = e.captured_by
  WHERE (t.field BETWEEN 1 AND 5 OR t.field IN (13, 14)) AND length(CAST(t.value AS BLOB)) <= 253;
INSERT OR IGNORE INTO listed (account, collection, value)
  SELECT a.number, 1, e.event_type FROM events AS e CROSS JOIN accounts AS a ON a.account = e.captured_by
  WHERE length(CAST(e.event_type AS BLOB)) <= 253;
INSERT OR IGNORE INTO listed (account, collection, value)
  SELECT a.number, 3, e.biz_step FROM events AS e CROSS JOIN accounts AS a ON a.account = e.captured_by
  WHERE length(CAST(e.biz_step AS BLOB)) <= 253;
INSERT OR IGNORE INTO listed (account, collection, value)
  SELECT a.number, 6, e.disposition FROM events AS e CROSS JOIN accounts AS a ON a.account = e.captured_by
  WHERE length(CAST(e.disposition AS BLOB)) <= 253;

-- Named queries may be deleted: unlike events, they are no evidence.
CREATE TABLE named_queries (
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The parameters of the query, as a JSON object.
  query TEXT NOT NULL CHECK (json_valid(query)),
  PRIMARY KEY (account, name)
) WITHOUT ROWID;
