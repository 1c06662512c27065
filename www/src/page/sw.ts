// The service worker: serves the page's own files from the cache when the network fails. It ignores requests to the gateway that
// serves the page.
export {};

/** An event that ends when its work does. */
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

/** A request that the service worker may answer. */
interface Fetching {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The global object of a service worker, which the types of a page do not have. */
declare const self: {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(name: 'fetch', listener: (event: Fetching) => void): void;
};
declare const VERSION: string;
declare const FILES: readonly string[];

const CACHE = `epcis-edge-${VERSION}`;
const base = new URL('./', self.location.href);
const known = new Set(FILES.map((name) => new URL(name, base).href));

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll([...known].map((url) => new Request(url, { cache: 'no-cache' })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('epcis-edge-') && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

/** The file for a request, `index.html` for the folder of the page. Undefined if the page has no such file. */
function fileOf(request: Request): string | undefined {
  if (request.method !== 'GET') return undefined;
  const url = new URL(request.url);
  url.hash = '';
  url.search = '';
  if (url.href === base.href) return request.mode === 'navigate' ? new URL('index.html', base).href : undefined;
  return known.has(url.href) ? url.href : undefined;
}

self.addEventListener('fetch', (event) => {
  const file = fileOf(event.request);
  if (file === undefined) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      // Names in `assets` include a hash of the content, so these files never change.
      if (file.includes('/assets/')) return (await cache.match(file)) ?? fetch(event.request);
      try {
        const answer = await fetch(event.request);
        if (answer.ok) return answer;
      } catch {
        // The network failed: use the cache.
      }
      return (await cache.match(file)) ?? Response.error();
    })(),
  );
});
