-- Capture keys: what is kept of them, never the keys themselves.

CREATE TABLE keys (
  -- The part of the key by which it is found.
  id TEXT PRIMARY KEY NOT NULL,
  -- SHA-256 of the whole key, 64 lower-case hexadecimal digits.
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  -- Stamped as capturedBy and as who.
  account TEXT NOT NULL,
  observer TEXT NOT NULL,
  can_capture INTEGER NOT NULL CHECK (can_capture IN (0, 1)),
  can_query INTEGER NOT NULL CHECK (can_query IN (0, 1)),
  -- The accounts whose events it may read, as a JSON array, or * for all.
  readable TEXT NOT NULL CHECK (readable = '*' OR json_valid(readable)),
  note TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  revoked_at TEXT
);
