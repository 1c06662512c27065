-- An account gets its number with its first capture job: one statement less for each capture.
CREATE TRIGGER capture_jobs_number_accounts AFTER INSERT ON capture_jobs
WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE account = NEW.account)
BEGIN
  INSERT INTO accounts (account) VALUES (NEW.account);
END;
