-- A gateway may have several homes: databases that have all events of some accounts each. The numbers of the events of home 2 begin at
-- 2,000,000,000,001, so a number tells its home. A gateway of one database has home 0 alone.

-- In home 0: where the accounts live that have captured something since there are several homes. Older accounts live in home 0.
CREATE TABLE account_homes (
  account TEXT PRIMARY KEY,
  home INTEGER NOT NULL CHECK (home BETWEEN 0 AND 63)
) WITHOUT ROWID;
CREATE INDEX account_homes_by_home ON account_homes (home);
CREATE TRIGGER account_homes_never_change BEFORE UPDATE ON account_homes
BEGIN
  SELECT RAISE(ABORT, 'an account stays where its events are');
END;
CREATE TRIGGER account_homes_never_go BEFORE DELETE ON account_homes
BEGIN
  SELECT RAISE(ABORT, 'an account stays where its events are');
END;

-- An account that lives in another home captures nothing here: a gateway that does not know of the homes is refused.
CREATE TRIGGER accounts_live_here BEFORE INSERT ON accounts
WHEN EXISTS (SELECT 1 FROM account_homes AS h WHERE h.account = NEW.account AND h.home <> 0)
BEGIN
  SELECT RAISE(ABORT, 'the account lives in another home');
END;

-- In the log of home 0, the events of each home follow each other; the homes are mixed.
DROP TRIGGER log_leaves_follow_each_other;
CREATE TRIGGER log_leaves_follow_each_other BEFORE INSERT ON log_leaves
WHEN NEW.leaf <> coalesce((SELECT max(leaf) + 1 FROM log_leaves), 0)
  OR NEW.sequence <= coalesce((
    SELECT max(sequence) FROM log_leaves
    WHERE sequence BETWEEN NEW.sequence / 1000000000000 * 1000000000000 AND NEW.sequence / 1000000000000 * 1000000000000 + 999999999999
  ), 0)
BEGIN
  SELECT RAISE(ABORT, 'the log has grown meanwhile');
END;
