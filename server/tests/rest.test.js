// The suite of worker/tests/rest.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('rest');
