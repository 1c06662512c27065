// The suite of worker/tests/log-kill.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('log-kill');
