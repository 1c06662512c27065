// Imported before a suite of the store, which then runs over an object for each account.

/** Runs the suite of a file. */
export async function onObjects(suite) {
  process.env.EPCIS_EDGE_STORE = 'objects';
  await import(suite);
}
