// The script of the frame that calls a gateway on another origin. It connects only to the origin in its fragment.
export {};

const origin = new URL(decodeURIComponent(location.hash.slice(1))).origin;
// Restrict the policy of bridge.html to this origin before the first call.
const policy = document.createElement('meta');
policy.httpEquiv = 'Content-Security-Policy';
policy.content = `connect-src ${origin}`;
document.head.append(policy);

addEventListener('message', async ({ source, origin: from, data }) => {
  if (source !== parent || from !== location.origin || data?.kind !== 'call') return;
  const answer = (content: object) => parent.postMessage({ kind: 'called', id: data.id, ...content }, location.origin);
  try {
    const { method, url, headers, body } = data;
    const response = await fetch(url, { method, headers, body, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' });
    answer({
      status: response.status,
      headers: Object.fromEntries(['content-type', 'location', 'link', 'retry-after'].map((name) => [name, response.headers.get(name)])),
      text: await response.text(),
    });
  } catch (error) {
    answer({ failure: String((error as Partial<Error> | null)?.message ?? error) });
  }
});
parent.postMessage({ kind: 'bridge' }, location.origin);
