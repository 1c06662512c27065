// Pages of somebody who uses the web component, for its tests.
import { createReadStream, readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The script of a page: notes the events of the elements in `told`, and what the page's policy forbids in `violations`. */
const NOTES = `
globalThis.told = [];
for (const type of ['error', 'epcis-load'])
  document.addEventListener(type, ({ target, detail }) => target.localName === 'epcis-events' && told.push({ event: type, id: target.id, ...detail }), true);
`;

/** A policy that allows what the component needs, and nothing else. */
export const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** A page with this body. */
export const pageOf = (body, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>${head}<script src="/notes.js"></script><script type="module" src="/component.js"></script></head><body><main><h1>Host</h1>${body}</main></body></html>`;

const TYPES = { json: 'application/json', xml: 'application/xml', html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' };

/**
 * Serves the component and `files` on loopback: `{origin, files, asked, close}`. A file is text, bytes, `{body, headers, status}`, or a
 * function of the request and the response. `asked` are the requests so far.
 */
export async function hostSite(files = {}) {
  const asked = [];
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    // Some browsers look for an icon.
    if (pathname === '/favicon.ico') return response.writeHead(204).end();
    asked.push({ method: request.method, path: request.url, headers: request.headers });
    if (['/component.js', '/component-extras.js'].includes(pathname) && files[pathname] === undefined) {
      response.writeHead(200, { 'content-type': TYPES.js, 'access-control-allow-origin': '*' });
      createReadStream(here(`../../wasm/dist${pathname}`)).pipe(response);
      return;
    }
    const file = pathname === '/notes.js' ? NOTES : files[pathname];
    if (file === undefined) return response.writeHead(404).end();
    if (typeof file === 'function') return file(request, response);
    const { body, headers = {}, status = 200 } = typeof file === 'string' || Buffer.isBuffer(file) ? { body: file } : file;
    response.writeHead(status, { 'content-type': TYPES[pathname.split('.').at(-1)] ?? TYPES.html, ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    files,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The demo story, as an EPCIS document. */
export const story = () => readFileSync(here('../dist/examples/orchard-to-shop.json'), 'utf8');
