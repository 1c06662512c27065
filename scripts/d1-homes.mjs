// Further homes in D1: databases that have all events of some accounts each. docs/scale.md says what homes are.

/** The numbers of the events of home n begin after n times this. */
const NUMBERS_OF_A_HOME = 1_000_000_000_000;

/** A query for the home that a database was made for. */
export const OWN_HOME = `SELECT coalesce(max(seq), 0) / ${NUMBERS_OF_A_HOME} AS home FROM sqlite_sequence WHERE name = 'events'`;

/** A statement that makes a migrated database without events and master data the home of this number. Any other stays as it is. */
export const beginHome = (home) =>
  `INSERT INTO sqlite_sequence (name, seq) SELECT n.name, ${home * NUMBERS_OF_A_HOME} FROM (SELECT 'events' AS name UNION ALL SELECT 'master_data') AS n WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name IN ('events', 'master_data'))`;
