// The suite of worker/tests/page.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('page');
