// Runs a gateway in a separate process over the store of a folder, for tests that kill it. Prints its address and its key. See mortal.js.
import { open } from './store.js';

const store = await open({ persistTo: process.argv[2], ...JSON.parse(process.argv[3]) });
console.log(JSON.stringify({ address: store.address.href, key: store.key }));
