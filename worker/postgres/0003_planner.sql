-- Turns off two features of PostgreSQL that only slow the gateway down: just-in-time compilation and parallel queries. PostgreSQL uses
-- them if it expects a statement to be expensive. It expects that wrongly if a table has no statistics yet, and for pages that end after
-- thirty rows.
--
-- Compiling a statement takes half a second. Parallel processes read a whole table where an index would find a few rows: with three
-- million events, a page of one product took two seconds instead of fifty milliseconds.
--
-- The settings are those of the database. A query is a single statement without a transaction, so it cannot set them itself, and poolers
-- do not pass on the settings of a session. Transactions set them themselves (worker/js/session.js). Only the owner of the database may
-- change its settings; if another user runs this migration, it only warns.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
  EXECUTE format('ALTER DATABASE %I SET max_parallel_workers_per_gather = 0', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'only its owner can set how the database plans: ALTER DATABASE % SET jit = off; ALTER DATABASE % SET max_parallel_workers_per_gather = 0',
    quote_ident(current_database()), quote_ident(current_database());
END $$;
