// The suite of worker/tests/log.test.js, over the server with Citus.
import { onCitus } from './on-server.js';

await onCitus('log');
