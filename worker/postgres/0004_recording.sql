-- More names of stored events: see worker/migrations/0006_recording.sql. The check of duplicates is in 0008_captures.sql.

CREATE TABLE aliases (
  event_key bigint NOT NULL,
  sequence bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  job bigint NOT NULL,
  PRIMARY KEY (event_key, sequence)
);
CREATE INDEX aliases_by_sequence ON aliases (sequence);
CREATE INDEX aliases_by_job ON aliases (job);

CREATE TRIGGER aliases_never_change BEFORE UPDATE OR DELETE ON aliases
  FOR EACH ROW EXECUTE FUNCTION never('events are append-only');
CREATE TRIGGER aliases_never_go BEFORE TRUNCATE ON aliases
  FOR EACH STATEMENT EXECUTE FUNCTION never('events are append-only');

-- New events have no digest: the text is complete only when the transaction that stores it adds the recordTime. The log computes the
-- digest from the stored text.
ALTER TABLE events ALTER COLUMN digest DROP NOT NULL;
