-- The store in SQLite, that is D1. server/migrations-postgres/0001_store.sql makes the same store in PostgreSQL.

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
  bytes INTEGER NOT NULL,
  -- The observer.
  who TEXT NOT NULL
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

-- Capture keys. Their digests are stored, never the keys themselves.

CREATE TABLE keys (
  -- The part of the key by which its row is found.
  id TEXT PRIMARY KEY NOT NULL,
  -- The SHA-256 of the whole key: 64 lower-case hexadecimal digits.
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  -- The gateway adds these to captured events, as capturedBy and who.
  account TEXT NOT NULL,
  observer TEXT NOT NULL,
  can_capture INTEGER NOT NULL CHECK (can_capture IN (0, 1)),
  can_query INTEGER NOT NULL CHECK (can_query IN (0, 1)),
  -- The accounts whose events the key may read, as a JSON array; `*` for all.
  readable TEXT NOT NULL CHECK (readable = '*' OR json_valid(readable)),
  note TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  revoked_at TEXT
);

-- The rows of a large capture, which are sent piece by piece. At the end one transaction stores them in their tables and deletes them here.
-- Until then no event of the capture is stored. A later large capture deletes the rows of captures that were given up.

CREATE TABLE captures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Seconds since 1970.
  begun_at INTEGER NOT NULL DEFAULT (unixepoch())
);

CREATE TABLE staged (
  capture INTEGER NOT NULL,
  part INTEGER NOT NULL,
  -- A JSON array of rows.
  list TEXT NOT NULL,
  PRIMARY KEY (capture, part)
);

-- Checks a large capture: inserting its number of pieces aborts the transaction if pieces are missing.

CREATE VIEW staged_captures (capture, parts) AS SELECT capture, count(*) FROM staged GROUP BY capture;
CREATE TRIGGER staged_captures_are_whole INSTEAD OF INSERT ON staged_captures
WHEN NEW.parts <> (SELECT count(*) FROM staged WHERE capture = NEW.capture)
BEGIN
  SELECT RAISE(ABORT, 'pieces of the capture are missing');
END;

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
  number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 9000000),
  account TEXT NOT NULL UNIQUE,
  -- If each account has a database of its own, its events have the numbers after number * 1,000,000,000 + begins.
  begins INTEGER NOT NULL DEFAULT 0 CHECK (begins BETWEEN 0 AND 999999999)
);

-- The values in the events of an account, each once, for /epcs, /bizLocations and so on.
-- `collection` is a number of query::Collection in the core.
CREATE TABLE listed (
  account INTEGER NOT NULL,
  collection INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account, collection, value)
) WITHOUT ROWID;

-- Named queries may be deleted: unlike events, they are no evidence.
CREATE TABLE named_queries (
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The parameters of the query, as a JSON object.
  query TEXT NOT NULL CHECK (json_valid(query)),
  PRIMARY KEY (account, name)
) WITHOUT ROWID;

-- The first job of an account gives the account its number. So captures need no statement for that.
CREATE TRIGGER capture_jobs_number_accounts AFTER INSERT ON capture_jobs
WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE account = NEW.account)
BEGIN
  INSERT INTO accounts (account) VALUES (NEW.account);
END;

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
  SELECT RAISE(ABORT, 'EE001: more is stored than was expected');
END;

-- A map of the store. A zone is 10,000 sequences; the map has the first and the last times of an account's events in each zone, and the
-- words that occur there. Without it, a search for a word that never occurs, or for an open-ended span of time, would read the whole
-- account. Everything in it can be computed from the events.
CREATE TABLE zones (
  captured_by TEXT NOT NULL,
  zone INTEGER NOT NULL,
  first_event_time TEXT NOT NULL,
  last_event_time TEXT NOT NULL,
  first_record_time TEXT NOT NULL,
  last_record_time TEXT NOT NULL,
  PRIMARY KEY (captured_by, zone)
) WITHOUT ROWID;

-- The words in the events of a zone. `field` is 1 for the event type, 2 for the action, 3 for the business step, 4 for the disposition.
-- A row with the field 5 and the value 1 means that an event declares an error.
CREATE TABLE zone_words (
  captured_by TEXT NOT NULL,
  field INTEGER NOT NULL,
  value TEXT NOT NULL,
  zone INTEGER NOT NULL,
  PRIMARY KEY (captured_by, field, value, zone)
) WITHOUT ROWID;
CREATE INDEX zone_words_by_value ON zone_words (field, value, zone);

-- At its end each capture inserts into `expectations`. That also adds its events to the map. NOT INDEXED: SQLite would read a whole index
-- to have the accounts in order, instead of the few new events.
CREATE TRIGGER captures_draw_zones INSTEAD OF INSERT ON expectations
BEGIN
  INSERT INTO zones (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
    SELECT captured_by, sequence / 10000, min(event_time), max(event_time), min(record_time), max(record_time) FROM events NOT INDEXED
    WHERE sequence > (SELECT before FROM capture_jobs ORDER BY sequence DESC LIMIT 1) GROUP BY 1, 2
    ON CONFLICT (captured_by, zone) DO UPDATE SET
      first_event_time = min(first_event_time, excluded.first_event_time), last_event_time = max(last_event_time, excluded.last_event_time),
      first_record_time = min(first_record_time, excluded.first_record_time), last_record_time = max(last_record_time, excluded.last_record_time);
  INSERT OR IGNORE INTO zone_words (captured_by, field, value, zone)
    SELECT DISTINCT a.captured_by, w.field, CASE w.field WHEN 1 THEN a.event_type WHEN 2 THEN a.action WHEN 3 THEN a.biz_step
      WHEN 4 THEN a.disposition ELSE CASE a.declares_error WHEN 1 THEN '1' END END AS value, a.zone
    FROM (
      SELECT DISTINCT captured_by, event_type, action, biz_step, disposition, declares_error, sequence / 10000 AS zone FROM events
      WHERE sequence > (SELECT before FROM capture_jobs ORDER BY sequence DESC LIMIT 1)
    ) AS a CROSS JOIN (SELECT 1 AS field UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5) AS w
    WHERE value IS NOT NULL;
END;

-- Master data: descriptions of places, parties and product classes in captured documents. They are appended with the events of the capture.

-- The elements of vocabularies. Of the same account, identifier and type the newest element counts, and older ones are kept. An element
-- that equals the newest is not stored again. The job has the document and the time.
CREATE TABLE master_data (
  number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number > 0),
  -- accounts.number
  account INTEGER NOT NULL,
  -- The job of the capture (capture_jobs.sequence), and the position of the element in it.
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- The identifier: in normal form, shortened with a digest if it is too long for an index; in normal form; as it was written.
  id_key TEXT NOT NULL,
  id TEXT NOT NULL,
  spelling TEXT NOT NULL,
  -- Attributes: [[namespace, name, value], …]. Children: [identifier, …], as they were written.
  attributes TEXT NOT NULL CHECK (json_valid(attributes)),
  children TEXT NOT NULL CHECK (json_valid(children)),
  -- The SHA-256 of its attributes and children, to compare it with the newest element.
  digest TEXT NOT NULL,
  UNIQUE (job, position)
);
CREATE INDEX master_data_by_id ON master_data (id_key, account, kind, number);
-- The order in which elements of master data are listed: the newest of each account, type and identifier is found without reading others.
CREATE INDEX master_data_by_kind ON master_data (account, kind, id_key, number);

-- The attributes that elements are found by: full names and values, shortened with a digest if they are too long for an index. `number` is
-- that of the element.
CREATE TABLE master_data_attributes (
  account INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (account, name, value, number)
) WITHOUT ROWID;

-- The children of elements, as identifiers in normal form. `number` is that of the element.
CREATE TABLE master_data_children (
  number INTEGER NOT NULL,
  child TEXT NOT NULL,
  PRIMARY KEY (number, child)
) WITHOUT ROWID;

CREATE TRIGGER master_data_never_changes BEFORE UPDATE ON master_data
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

CREATE TRIGGER master_data_never_goes BEFORE DELETE ON master_data
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

-- INSERT OR REPLACE deletes a row without firing the trigger above. So an insert is refused if it would replace a row.
CREATE TRIGGER master_data_is_never_replaced BEFORE INSERT ON master_data
WHEN EXISTS (
  SELECT 1 FROM master_data WHERE number = NEW.number OR (job = NEW.job AND position = NEW.position)
)
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

CREATE TRIGGER master_data_attributes_never_change BEFORE UPDATE ON master_data_attributes
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

CREATE TRIGGER master_data_attributes_never_go BEFORE DELETE ON master_data_attributes
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

CREATE TRIGGER master_data_children_never_change BEFORE UPDATE ON master_data_children
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

CREATE TRIGGER master_data_children_never_go BEFORE DELETE ON master_data_children
BEGIN
  SELECT RAISE(ABORT, 'master data is append-only');
END;

-- The transparency log, which proves what events the gateway stored. Its tables are append-only, like the events.

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

-- If the newest head stays the same, a witness cosigns it again every hour. `line` is its first cosignature, which dates the head. `latest`
-- is its latest one, which shows that the witness still watches the log.
CREATE TABLE log_cosignatures (
  size INTEGER NOT NULL,
  name TEXT NOT NULL,
  line TEXT NOT NULL,
  latest TEXT,
  PRIMARY KEY (size, name)
) WITHOUT ROWID;
CREATE INDEX log_cosignatures_by_name ON log_cosignatures (name, size);

-- Leaves are numbered from 0 without gaps. The events of each account follow each other; if each has a database of its own, the accounts are
-- mixed.
CREATE TRIGGER log_leaves_follow_each_other BEFORE INSERT ON log_leaves
WHEN NEW.leaf <> coalesce((SELECT max(leaf) + 1 FROM log_leaves), 0)
  OR NEW.sequence <= coalesce((
    SELECT max(sequence) FROM log_leaves WHERE sequence < (NEW.sequence / 1000000000 + 1) * 1000000000
  ), 0)
BEGIN
  SELECT RAISE(ABORT, 'EE001: the log has grown meanwhile');
END;

-- If each account has a database of its own, the log has this one, and knows from the accounts that they grew: until they have all leaves.
CREATE TABLE grown (
  -- The order in which the log was told.
  told INTEGER PRIMARY KEY,
  account INTEGER NOT NULL UNIQUE,
  newest INTEGER NOT NULL
);

CREATE TRIGGER grown_has_no_leaf BEFORE INSERT ON grown
WHEN EXISTS (SELECT 1 FROM log_leaves WHERE sequence = NEW.newest)
BEGIN
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER log_leaves_end_growth AFTER INSERT ON log_leaves
WHEN NEW.sequence >= 1000000000
BEGIN
  DELETE FROM grown WHERE account = NEW.sequence / 1000000000 AND newest <= NEW.sequence;
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
  SELECT RAISE(ABORT, 'EE001: the log has grown meanwhile');
END;

-- A new head covers all leaves, and its `previous` is the size of the newest head.
CREATE TRIGGER log_heads_follow_each_other BEFORE INSERT ON log_heads
WHEN NEW.previous <> coalesce((SELECT max(size) FROM log_heads), -1)
  OR NEW.size <> coalesce((SELECT max(leaf) + 1 FROM log_leaves), 0)
BEGIN
  SELECT RAISE(ABORT, 'EE001: the log has grown meanwhile');
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
WHEN NEW.size IS NOT OLD.size OR NEW.name IS NOT OLD.name OR NEW.line IS NOT OLD.line OR NEW.latest IS NULL
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

-- Halts of the log: while one has not ended, the log signs nothing. An operator ends it. The rows are kept as a record of what happened.
CREATE TABLE log_halts (
  number INTEGER PRIMARY KEY,
  -- YYYY-MM-DDThh:mm:ss.nnnZ
  begun TEXT NOT NULL,
  reason TEXT NOT NULL,
  ended TEXT
);

CREATE TRIGGER log_halts_never_change BEFORE UPDATE ON log_halts
WHEN OLD.ended IS NOT NULL OR NEW.number IS NOT OLD.number OR NEW.begun IS NOT OLD.begun OR NEW.reason IS NOT OLD.reason
BEGIN
  SELECT RAISE(ABORT, 'a halt of the log may end, nothing else');
END;

CREATE TRIGGER log_halts_never_go BEFORE DELETE ON log_halts
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
