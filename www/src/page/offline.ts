// Caches the page's own files, so that it works offline after the first visit.

/** Starts the service worker, if the browser has one. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator) || !location.protocol.startsWith('http')) return;
  navigator.serviceWorker.register(new URL('../sw.js', import.meta.url)).catch(() => {
    // The page still works, but only online.
  });
}
