// Keeps the page's own files, so that it works without a network after the first visit.

/** Starts the service worker, where there can be one. */
export function keepOffline() {
  if (!('serviceWorker' in navigator) || !location.protocol.startsWith('http')) return;
  navigator.serviceWorker.register(new URL('../sw.js', import.meta.url)).catch(() => {
    // The page works all the same, with a network.
  });
}
