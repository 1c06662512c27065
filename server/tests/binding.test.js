// The suite of worker/tests/binding.test.js, over the server.
import { onServer } from './on-server.js';

await onServer('binding');
