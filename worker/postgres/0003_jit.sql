-- Compiling a statement takes PostgreSQL longer than any statement of the gateway runs. It does so where it takes the costs for high,
-- which they are not: where a table has no statistics yet, and for pages that end after thirty rows.
--
-- A setting of the database, since a question at the doors is one statement and no transaction, and poolers pass no setting on.
-- Transactions turn it off themselves. A migration by somebody who does not own the database leaves this to its owner.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'only its owner can turn the compiler off: ALTER DATABASE % SET jit = off', quote_ident(current_database());
END $$;
