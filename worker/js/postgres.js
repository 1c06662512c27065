// The Worker over PostgreSQL if its deployment has the binding HYPERDRIVE, otherwise over D1.
import { entry } from './entry.js';
import { Session } from './session.js';

/** The bindings of databases: HYPERDRIVE, and one for each further home. */
const BINDING = /^HYPERDRIVE(_[1-9][0-9]?)?$/;

/** A session for each database, under the name by which the engine finds it. A session connects when it is used. */
export default entry((env) => {
  const names = Object.keys(env).filter((name) => BINDING.test(name));
  return Object.fromEntries(names.map((name) => [name.replace('HYPERDRIVE', 'SESSION'), new Session(env[name].connectionString)]));
});
