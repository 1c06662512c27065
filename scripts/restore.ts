// `npm run restore`: sets one object of a gateway back to a moment of the last 30 days, which Cloudflare keeps for every object.
import { parseArgs } from 'node:util';
import { readOptions } from './given.ts';
import { openDoor } from './operator.ts';

const usage = `npm run restore -- --gateway <url> --object <a7 or log> --to <bookmark or time>

Sets an object back, and prints the bookmark that undoes it. Events stored since are gone from it, and their leaves stay in the log, which
shows it: docs/scale.md says when to do this. OPERATOR_KEY must be in the environment: the secret of the deployment of that name.

  --gateway   the address of the gateway
  --object    a and the number of an account, or log
  --to        a bookmark that a restore printed, or a time such as 2026-11-20T12:00:00Z`;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

const option = { type: 'string' } as const;
const { values } = readOptions(() => parseArgs({ options: { gateway: option, object: option, to: option, help: { type: 'boolean' } } }), fail);
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const { gateway = '', object = '' } = values;
if (!URL.canParse(gateway)) fail('--gateway must be the address of the gateway');
if (!/^(log|a[1-9][0-9]{0,6})$/.test(object)) fail('--object must be log, or a and the number of an account');
if (!values.to) fail('--to must be a bookmark or a time');
if (!process.env.OPERATOR_KEY) fail('OPERATOR_KEY must be in the environment: the secret of the deployment of that name');
const isTime = /^\d{4}-\d\d-\d\dT/.test(values.to);
const time = Date.parse(values.to);
if (isTime && Number.isNaN(time)) fail(`--to is ${values.to}, expected a time such as 2026-11-20T12:00:00Z`);
try {
  const undo = await openDoor(gateway, process.env.OPERATOR_KEY).restore(object, isTime ? time : values.to);
  console.log(`${object} is set back. This undoes it:\n\n  npm run restore -- --gateway ${gateway} --object ${object} --to ${undo}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
