// The Worker over PostgreSQL where its deployment has the binding HYPERDRIVE, over D1 otherwise.
import { entry } from './entry.js';
import { Session } from './session.js';

export default entry((env) => (env.HYPERDRIVE ? new Session(env.HYPERDRIVE.connectionString) : undefined));
