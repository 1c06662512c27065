-- The state of the log: see worker/migrations/0008_log_state.sql.

CREATE TABLE log_halts (
  number bigint PRIMARY KEY,
  begun text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  ended text COLLATE "C"
);

CREATE TRIGGER log_halts_never_change BEFORE UPDATE ON log_halts FOR EACH ROW
  WHEN (OLD.ended IS NOT NULL OR NEW.number IS DISTINCT FROM OLD.number OR NEW.begun IS DISTINCT FROM OLD.begun
    OR NEW.reason IS DISTINCT FROM OLD.reason)
  EXECUTE FUNCTION never('a halt of the log may end, nothing else');
CREATE TRIGGER log_halts_never_go BEFORE DELETE ON log_halts
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_halts_are_never_emptied BEFORE TRUNCATE ON log_halts
  FOR EACH STATEMENT EXECUTE FUNCTION never('the log is append-only');

ALTER TABLE log_cosignatures ADD COLUMN latest text COLLATE "C";

DROP TRIGGER log_cosignatures_never_change ON log_cosignatures;
CREATE TRIGGER log_cosignatures_never_change BEFORE UPDATE ON log_cosignatures FOR EACH ROW
  WHEN (NEW.size IS DISTINCT FROM OLD.size OR NEW.name IS DISTINCT FROM OLD.name OR NEW.line IS DISTINCT FROM OLD.line
    OR NEW.latest IS NULL)
  EXECUTE FUNCTION never('the log is append-only');
CREATE TRIGGER log_cosignatures_never_leave BEFORE DELETE ON log_cosignatures
  FOR EACH ROW EXECUTE FUNCTION never('the log is append-only');
