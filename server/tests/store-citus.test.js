// The suite of worker/tests/store.test.js, over the server with Citus.
import { onCitus } from './on-server.js';

await onCitus('store');
