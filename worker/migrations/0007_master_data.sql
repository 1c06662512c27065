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
