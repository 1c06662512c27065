-- A gateway may have several homes: databases that have all events of some accounts each. The numbers of the events of home 2 begin at
-- 2,000,000,000,001, so a number tells its home. A gateway of one database has home 0 alone.

-- In home 0: where the accounts live that have captured something since there are several homes. Older accounts live in home 0.
CREATE TABLE account_homes (
  account text COLLATE "C" PRIMARY KEY,
  home smallint NOT NULL CHECK (home BETWEEN 0 AND 63)
);
CREATE INDEX account_homes_by_home ON account_homes (home);
CREATE TRIGGER account_homes_never_change BEFORE UPDATE OR DELETE ON account_homes
  FOR EACH ROW EXECUTE FUNCTION never('an account stays where its events are');
CREATE TRIGGER account_homes_never_go BEFORE TRUNCATE ON account_homes
  FOR EACH STATEMENT EXECUTE FUNCTION never('an account stays where its events are');

-- An account that lives in another home captures nothing here: a gateway that does not know of the homes is refused.
CREATE FUNCTION live_here() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM account_homes AS h WHERE h.account = NEW.account AND h.home <> 0) THEN
    RAISE EXCEPTION 'the account lives in another home';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_live_here BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION live_here();

-- Makes an empty database the home of this number: once, before its first capture.
CREATE FUNCTION begin_home(home bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before bigint := home * 1000000000000;
BEGIN
  IF EXISTS (SELECT 1 FROM capture_jobs) OR settled() <> 0 THEN
    RAISE EXCEPTION 'only an empty database can become a home';
  END IF;
  UPDATE partitioning SET made_to = before + 1;
  PERFORM make_partition();
  PERFORM make_partition();
  PERFORM continue_numbers(before);
  UPDATE folded SET up_to = before - 1;
  PERFORM setval(pg_get_serial_sequence('master_data', 'number'), before + 1, false);
END $$;

-- In the log of home 0, the events of each home follow each other; the homes are mixed.
CREATE OR REPLACE FUNCTION leaves_follow_each_other() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first bigint;
BEGIN
  SELECT min(leaf) INTO first FROM added;
  IF first <> coalesce((SELECT max(l.leaf) + 1 FROM log_leaves AS l WHERE l.leaf < first), 0)
    OR EXISTS (
      SELECT 1 FROM (
        SELECT leaf, sequence, lag(leaf) OVER (ORDER BY leaf) AS leaf_before,
          lag(sequence) OVER (PARTITION BY sequence / 1000000000000 ORDER BY leaf) AS sequence_before
        FROM added
      ) AS a
      WHERE leaf <> leaf_before + 1 OR sequence <= sequence_before
    )
    OR EXISTS (
      SELECT 1 FROM (SELECT a.sequence / 1000000000000 AS home, min(a.sequence) AS first_here FROM added AS a GROUP BY 1) AS h
      WHERE h.first_here <= coalesce((
        SELECT max(l.sequence) FROM log_leaves AS l
        WHERE l.sequence BETWEEN h.home * 1000000000000 AND h.home * 1000000000000 + 999999999999 AND l.leaf < first
      ), 0)
    )
  THEN
    RAISE EXCEPTION 'the log has grown meanwhile';
  END IF;
  RETURN NULL;
END $$;
