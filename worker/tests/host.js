// Runs a gateway in a separate process over the store of a folder, for tests that kill it. Prints its address and its key. See mortal.js.
import { connect, likeD1 } from '../../scripts/postgres.mjs';
import { open } from './store.js';

const { direct, ...options } = JSON.parse(process.argv[3]);
const database = direct === undefined ? {} : { database: likeD1(await connect(direct)) };
const store = await open({ persistTo: process.argv[2], ...options, ...database });
console.log(JSON.stringify({ address: store.address.href, key: store.key, database: store.hyperdrive }));
