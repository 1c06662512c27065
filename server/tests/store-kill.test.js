// The suite of worker/tests/store-kill.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('store-kill');
