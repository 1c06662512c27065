// Runs a gateway in a separate process over the store of a folder, for tests that kill it. Prints its address and its key. Settings
// may be given as JSON.
import { open } from './store.js';

const store = await open({ persistTo: process.argv[2], bindings: JSON.parse(process.argv[3] ?? '{}') });
console.log(JSON.stringify({ address: store.address.href, key: store.key, database: store.hyperdrive }));
