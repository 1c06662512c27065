-- Master data: what captured documents say of places, parties and classes, appended with the events of their captures.

-- An element of a vocabulary. Of each account, identifier and type the newest counts, and older ones stay: one that says the same
-- as the newest is not stored again. The document and the time are those of the job that it came with.
CREATE TABLE master_data (
  number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number > 0),
  -- As accounts number them.
  account INTEGER NOT NULL,
  -- The sequence of the job of its capture, and its place there.
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- The identifier in normal form, as indexes keep texts; in normal form; and as it was written.
  id_key TEXT NOT NULL,
  id TEXT NOT NULL,
  spelling TEXT NOT NULL,
  -- A JSON array of arrays of namespace, name and value; one of identifiers as they were written.
  attributes TEXT NOT NULL CHECK (json_valid(attributes)),
  children TEXT NOT NULL CHECK (json_valid(children)),
  -- SHA-256 of what it says.
  digest TEXT NOT NULL,
  UNIQUE (job, position)
);
CREATE INDEX master_data_by_id ON master_data (id_key, account, kind, number);

-- What elements are found by: whole names and values of attributes, as indexes keep texts.
CREATE TABLE master_data_attributes (
  account INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (account, name, value, number)
) WITHOUT ROWID;

-- What elements place below them: identifiers in normal form.
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

-- REPLACE removes rows without asking the trigger above: it shall find nothing to replace.
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
