-- The order in which elements of master data are listed: the newest of each account, type and identifier is found without reading others.
CREATE INDEX master_data_by_kind ON master_data (account, kind, id_key, number);
