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
