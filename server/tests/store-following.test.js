// The suite of worker/tests/store-following.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('store-following');
