-- Distributes the store over the nodes of a Citus, with what is stored: `epcis-edge-server migrate --citus`.
--
-- What an account has is in shards by its number, those of all tables for the same account together; so each statement of an account is
-- for one node. What all accounts share and few statements write is on every node. The log, the documents and what makes the log grow stay
-- with the coordinator.

-- One node after the other: all of this is one transaction.
SET LOCAL citus.multi_shard_modify_mode = 'sequential';

-- Statements call the functions where the rows are.
SELECT create_distributed_function(f.oid::regprocedure) FROM pg_proc AS f WHERE f.pronamespace = current_schema::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = f.oid AND d.deptype = 'e');

SELECT create_reference_table(t) FROM unnest(ARRAY['keys', 'accounts', 'named_queries']) AS t;

-- The triggers that refuse changes go with the tables, to every shard: with citus.enable_unsafe_triggers, which each node needs whenever a
-- shard is made or moved. Triggers could reach other shards; these do nothing but refuse.
SELECT create_distributed_table('account_heads', 'owner', shard_count => 32, colocate_with => 'none');
SELECT create_distributed_table(t.oid::regclass, a.attname, colocate_with => 'account_heads')
  FROM pg_class AS t JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisprimary JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
  WHERE t.relnamespace = current_schema::regnamespace AND a.attname IN ('owner', 'account') AND t.relname NOT IN ('named_queries', 'account_heads');

-- A capture writes at the node of its account, and at the coordinator what makes the log grow: both or none, also if one of them dies. Citus
-- knows of the second, and commits in two phases, if it is the writing of a table that it knows. So it writes one: none of its rows.
CREATE TABLE nothing (number bigint PRIMARY KEY);
SELECT citus_add_local_table_to_metadata('nothing');
CREATE FUNCTION commit_everywhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM nothing WHERE number = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER grown_commits_everywhere AFTER INSERT ON grown FOR EACH STATEMENT EXECUTE FUNCTION commit_everywhere();
