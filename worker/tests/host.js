// A gateway in a process of its own, over the store of a folder, for tests that kill it: prints where it is, and its key.
import { open } from './store.js';

const store = await open({ persistTo: process.argv[2] });
console.log(JSON.stringify({ address: store.address.href, key: store.key }));
