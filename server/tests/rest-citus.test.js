// The suite of worker/tests/rest.test.js, over the server with Citus.
import { onCitus } from './on-server.js';

await onCitus('rest');
