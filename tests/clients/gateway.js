// A gateway in workerd with an empty store and a capture key, for clients.
import { database, makeKey, start } from '../../worker/tests/gateway.js';

export const OWNER = { account: 'https://example.com/accounts/1', observer: 'https://id.gs1.org/417/9521141000009' };

export async function startGateway(bindings = {}) {
  const { address, gateway, dispose } = await start({ BASE_URL: 'http://127.0.0.1', RESOLVER_URL: 'https://resolver.example/', ...bindings });
  const DB = await database(gateway);
  const url = new URL('/mcp', address);
  // Each run of the story needs a separate scope.
  let tellers = 0;
  const newOwner = async () => {
    tellers += 1;
    const owner = { account: `https://example.com/accounts/${tellers}`, observer: OWNER.observer };
    return { ...owner, key: await makeKey(DB, owner) };
  };
  return { address, url, DB, newOwner, dispose };
}
