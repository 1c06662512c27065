-- What the log says of its own state: why it stopped, and who has seen its newest head lately.

-- Why nothing is signed any more. A row that has not ended stands until an operator says that the log may go on; rows stay, so that
-- what happened can be read later.
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

-- A witness that has cosigned a head says again, each hour, that it is still the newest: the first line dates the head, the latest
-- tells that somebody is still looking.
ALTER TABLE log_cosignatures ADD COLUMN latest TEXT;

DROP TRIGGER log_cosignatures_never_change;
CREATE TRIGGER log_cosignatures_never_change BEFORE UPDATE ON log_cosignatures
WHEN NEW.size IS NOT OLD.size OR NEW.name IS NOT OLD.name OR NEW.line IS NOT OLD.line OR NEW.latest IS NULL
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only');
END;
