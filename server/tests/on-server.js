// Imported before a suite of the gateway, which then runs over the server.

/** Runs a suite of `worker/tests`. */
export async function onServer(suite) {
  process.env.EPCIS_EDGE_STORE = 'server';
  await import(`../../worker/tests/${suite}.test.js`);
}
