// The service worker: the page's own files from the cache when the network does not have them. The doors of a gateway that serves the
// page are never touched.
/* global VERSION, FILES */
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

/** The file that stands for a request: the page for its folder; undefined for what is not the page's own. */
function fileOf(request) {
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
      // A name with a hash is one content for ever.
      if (file.includes('/assets/')) return (await cache.match(file)) ?? fetch(event.request);
      try {
        const answer = await fetch(event.request);
        if (answer.ok) return answer;
      } catch {
        // No network.
      }
      return (await cache.match(file)) ?? Response.error();
    })(),
  );
});
