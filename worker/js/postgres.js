// The Worker over PostgreSQL if its deployment has the binding HYPERDRIVE, otherwise over D1.
import { entry } from './entry.js';
import { Session } from './session.js';

/** A session with the database, under the name by which the engine finds it. It connects when it is used. */
export default entry((env) => (env.HYPERDRIVE ? { SESSION: new Session(env.HYPERDRIVE.connectionString) } : {}));
