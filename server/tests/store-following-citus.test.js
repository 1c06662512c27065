// The suite of worker/tests/store-following.test.js, over the server with Citus.
import { onCitus } from './on-server.js';

await onCitus('store-following');
