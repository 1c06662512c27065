-- The order in which elements of master data are listed: see worker/migrations/0012_listed_master_data.sql.
CREATE INDEX master_data_by_kind ON master_data (account, kind, id_key, number);
