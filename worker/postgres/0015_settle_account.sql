-- Gives an account a home, unless it has one: that with the fewest accounts among the first `homes`. Accounts that come at the same time
-- are given homes one after the other, so that they are spread. Accounts from before there were several homes live in home 0 and have no
-- row in account_homes. They are counted, too: otherwise a full home 0 would get as many new accounts as an empty one.
CREATE OR REPLACE FUNCTION settle_account(its_account text, homes bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE account_homes IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO account_homes (account, home)
    SELECT its_account, n.home FROM generate_series(0, homes - 1) AS n (home)
    WHERE NOT EXISTS (SELECT 1 FROM accounts AS a WHERE a.account = its_account)
    ORDER BY (SELECT count(*) FROM account_homes AS h WHERE h.home = n.home) + CASE WHEN n.home = 0 THEN (
      SELECT count(*) FROM accounts AS a WHERE NOT EXISTS (SELECT 1 FROM account_homes AS h WHERE h.account = a.account)
    ) ELSE 0 END, n.home LIMIT 1
    ON CONFLICT DO NOTHING;
END $$;
ALTER FUNCTION settle_account SET lock_timeout = '20s';
