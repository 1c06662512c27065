// The Worker over PostgreSQL if its deployment has the binding HYPERDRIVE, otherwise over D1.
import { entry } from './entry.js';
import { Session } from './session.js';

export default entry((env) => (env.HYPERDRIVE ? new Session(env.HYPERDRIVE.connectionString) : undefined));
