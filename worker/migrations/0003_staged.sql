-- Large captures on their way: what a transaction will insert is sent piece by piece, and removed by that transaction.
-- Nothing here is an event; what broke off is removed by a later capture.

CREATE TABLE captures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Seconds since 1970.
  begun_at INTEGER NOT NULL DEFAULT (unixepoch())
);

CREATE TABLE staged (
  capture INTEGER NOT NULL,
  part INTEGER NOT NULL,
  -- Rows as a JSON array.
  list TEXT NOT NULL,
  PRIMARY KEY (capture, part)
);
