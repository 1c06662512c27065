// Inside of the frame that may talk to a gateway elsewhere: to the one origin that it is opened for, and to no other.

const origin = new URL(decodeURIComponent(location.hash.slice(1))).origin;
// Narrower than the policy of the file, before anything is asked.
const policy = document.createElement('meta');
policy.httpEquiv = 'Content-Security-Policy';
policy.content = `connect-src ${origin}`;
document.head.append(policy);

addEventListener('message', async ({ source, origin: from, data }) => {
  if (source !== parent || from !== location.origin || data?.kind !== 'call') return;
  const answer = (content) => parent.postMessage({ kind: 'called', id: data.id, ...content }, location.origin);
  try {
    const { method, url, headers, body } = data;
    const response = await fetch(url, { method, headers, body, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' });
    answer({
      status: response.status,
      headers: Object.fromEntries(['content-type', 'location', 'link', 'retry-after'].map((name) => [name, response.headers.get(name)])),
      text: await response.text(),
    });
  } catch (error) {
    answer({ failure: String(error?.message ?? error) });
  }
});
parent.postMessage({ kind: 'bridge' }, location.origin);
