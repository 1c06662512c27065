// The suite of worker/tests/store-concurrency.test.js, over the server with Citus.
import { onCitus } from './on-server.js';

await onCitus('store-concurrency');
