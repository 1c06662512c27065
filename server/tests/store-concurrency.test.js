// The suite of worker/tests/store-concurrency.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('store-concurrency');
