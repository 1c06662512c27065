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
