-- The state of the log: why it was halted, and when witnesses last saw its newest head.

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

-- If the newest head stays the same, a witness cosigns it again every hour. `line` is its first cosignature, which dates the head. `latest`
-- is its latest one, which shows that the witness still watches the log.
ALTER TABLE log_cosignatures ADD COLUMN latest TEXT;

DROP TRIGGER log_cosignatures_never_change;
CREATE TRIGGER log_cosignatures_never_change BEFORE UPDATE ON log_cosignatures
WHEN NEW.size IS NOT OLD.size OR NEW.name IS NOT OLD.name OR NEW.line IS NOT OLD.line OR NEW.latest IS NULL
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
