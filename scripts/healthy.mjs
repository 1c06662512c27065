// Says whether the gateway answers, and whether its database does: exit code 0 if so, 1 if not. For the health check of a container.
//
//     healthy.mjs [ADDRESS]    default: http://127.0.0.1:8787
const address = process.argv[2] ?? 'http://127.0.0.1:8787';
try {
  // Asks the database, needs no key, and is 200 whatever the log does.
  const answer = await fetch(new URL('/log/status', address), { signal: AbortSignal.timeout(8000) });
  await answer.body?.cancel();
  if (answer.status !== 200) throw new Error(`it answers with status ${answer.status}`);
} catch (error) {
  console.error(`the gateway at ${address} is not well: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
