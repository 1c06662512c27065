// Simulates network latency between a gateway and its database on one machine.
import { once } from 'node:events';
import { connect as connectTo, createServer } from 'node:net';

/**
 * A proxy in front of the database. It adds a round trip of `milliseconds`, and counts connections and round trips: a round trip is
 * a message to the database that follows one of its answers.
 */
export async function listenBetween(target, milliseconds = 0) {
  const counts = { connections: 0, roundTrips: 0 };
  const later = (use) => (milliseconds > 0 ? setTimeout(use, milliseconds / 2) : use());
  const server = createServer((near) => {
    const far = connectTo(Number(target.port), target.hostname);
    near.setNoDelay(true);
    far.setNoDelay(true);
    counts.connections += 1;
    let isAsked = false;
    near.on('data', (bytes) => {
      if (!isAsked) counts.roundTrips += 1;
      isAsked = true;
      later(() => far.write(bytes));
    });
    far.on('data', (bytes) => {
      isAsked = false;
      later(() => near.write(bytes));
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      one.on('end', () => later(() => other.end()));
      one.on('error', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(target);
  address.port = server.address().port;
  return { address: address.href, counts, close: () => server.close() };
}
