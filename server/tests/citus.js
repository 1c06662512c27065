// Citus for the tests: a coordinator and three workers, on loopback, which end with this process.
import { programs as programsOf, startPostgres } from './postgres-server.js';
import { distribute } from '../../scripts/postgres.ts';

const WORKERS = 3;

/** The paths of the programs, or the reason why they are missing. */
export const programs = () => programsOf('citus.sh');

const SETTINGS = {
  shared_preload_libraries: 'citus',
  shared_buffers: '64MB',
  wal_level: 'logical',
  'citus.enable_unsafe_triggers': 'on',
  'citus.node_conninfo': 'sslmode=disable',
  // What a node had prepared when it died is settled soon after it is back.
  'citus.recover_2pc_interval': '1s',
};

/**
 * Starts a coordinator and workers, with the options of `startPostgres`, as which each is returned. `settings` are those of the coordinator.
 * `addWorker(database)` starts one more worker and makes it known. `addresses()` has those of all, the coordinator first.
 */
export async function startCitus({ settings = {}, ...options } = {}) {
  const found = programs();
  const start = (more) => startPostgres({ ...options, found, settings: { ...SETTINGS, ...more } });
  const [coordinator, ...workers] = await Promise.all([settings, ...Array.from({ length: WORKERS }, () => ({}))].map(start));
  const addresses = () => [coordinator, ...workers].map(({ address }) => address(''));
  const addWorker = async (database) => {
    workers.push(await start({}));
    await distribute(
      coordinator.address(''),
      workers.map(({ address }) => address('')),
      database,
    );
  };
  return { coordinator, workers, addresses, addWorker };
}
