// A registry on this machine that has one package: epcis-edge, as npm packs it from this checkout.
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { here } from './project.js';

/**
 * Starts the registry. Other packages are not found in it.
 *
 * @returns `home`, a home folder whose configuration of npm names the registry, which that of a checkout would go before; `requests`, the
 *   paths that were asked for; `version` of the package; `close()`
 */
export async function startRegistry() {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-registry-'));
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(here, '..'), encoding: 'utf8', maxBuffer: 1 << 26 });
  const [{ filename, integrity }] = JSON.parse(packed);
  const manifest = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'));
  const { name, version } = manifest;
  const requests = [];
  const server = http.createServer((request, response) => {
    requests.push(request.url);
    if (request.url === `/${filename}`) return createReadStream(join(folder, filename)).pipe(response);
    if (request.url !== `/${name}`) return response.writeHead(404).end();
    const dist = { tarball: `${address}/${filename}`, integrity };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.npmrc'), `registry=${address}\ncache=${join(folder, 'cache')}\nupdate-notifier=false\n`);
  return {
    home,
    requests,
    version,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
