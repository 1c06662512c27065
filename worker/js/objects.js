// The Worker with an object for each account if its deployment has the binding ACCOUNTS.
import { withObjects } from './account.js';
import { entry } from './entry.js';
import { operate } from './operator.js';

export { Account } from './account.js';

const { fetch, scheduled } = entry;

export default {
  fetch: async (request, env, context) => (await operate(request, env)) ?? fetch(request, withObjects(env), context),
  scheduled: (event, env, context) => scheduled(event, withObjects(env), context),
};
