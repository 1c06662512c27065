-- Which captures from before 0007_master_data.sql have been read for master data: those with a job up to `read`. Later ones than `until`
-- stored their master data themselves. The gateway inserts the row, and reads a few documents each minute until both are equal.
CREATE TABLE master_data_backlog (
  is_one INTEGER PRIMARY KEY CHECK (is_one = 1),
  read INTEGER NOT NULL,
  until INTEGER NOT NULL
);
