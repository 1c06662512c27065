-- Two helps of PostgreSQL that cost more than any statement of the gateway. It takes them where it thinks the costs high, which they
-- are not: where a table has no statistics yet, and for pages that end after thirty rows.
--
-- Compiling a statement takes half a second. Several processes for one statement read all of a table together where an index leads
-- to a few rows: behind three million events a page of one product took two seconds instead of fifty milliseconds.
--
-- Settings of the database, since a question at the doors is one statement and no transaction, and poolers pass no setting on.
-- Transactions turn them off themselves. A migration by somebody who does not own the database leaves this to its owner.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
  EXECUTE format('ALTER DATABASE %I SET max_parallel_workers_per_gather = 0', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'only its owner can set how the database plans: ALTER DATABASE % SET jit = off; ALTER DATABASE % SET max_parallel_workers_per_gather = 0',
    quote_ident(current_database()), quote_ident(current_database());
END $$;
