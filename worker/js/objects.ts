// The Worker with an object for each account if its deployment has the binding ACCOUNTS.
import { type Env, withObjects } from './account.ts';
import { entry } from './entry.ts';
import { operate } from './operator.ts';

export { Account } from './account.ts';

const { fetch, scheduled } = entry;

export default {
  fetch: async (request, env, context) => (await operate(request, env)) ?? fetch(request, withObjects(env), context),
  scheduled: (event, env, context) => scheduled(event, withObjects(env), context),
} satisfies ExportedHandler<Env>;
