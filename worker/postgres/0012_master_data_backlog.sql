-- See worker/migrations/0013_master_data_backlog.sql.
CREATE TABLE master_data_backlog (
  is_one integer PRIMARY KEY CHECK (is_one = 1),
  read bigint NOT NULL,
  until bigint NOT NULL
);
