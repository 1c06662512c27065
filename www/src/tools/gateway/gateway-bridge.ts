// The page's calls to a gateway: on its own origin directly, on another origin through a frame that may connect only to it.
//
// How does the playground call a gateway on another origin?
// The headers of static files cannot name an origin that the user types, and `connect-src https:` for the whole page
// would defeat the Content-Security-Policy.
// So the page keeps `connect-src 'self'`. When the user has entered an address and presses a button, the page opens a
// frame of its own origin, `bridge.html`, for that address.
// The policy of the frame allows `https:` and loopback; its script restricts it to the entered origin before the first
// call. The gateway that serves the page is called without a frame.
// Keys are only in the memory of the page. A gateway on another origin must allow this page (CORS); our Worker allows no
// other origin.
import { h } from '../../shared/dom.ts';
import { type Call, direct, type Failure, type GatewayAnswer, PATIENCE, Refused } from './gateway-calls.ts';

type Answer = GatewayAnswer | Failure;
type Send = (call: Call) => Promise<Answer>;

/** The opened frames, one for each origin. */
const bridges = new Map<string, Send>();
function bridgeTo(origin: string): Send {
  let bridge = bridges.get(origin);
  if (bridge === undefined) {
    const frame = h('iframe', {
      title: `Bridge to ${origin}`,
      hidden: true,
      src: `${new URL('../bridge.html', import.meta.url).href}#${encodeURIComponent(origin)}`,
    });
    const waiting = new Map<number, (answer: Answer) => void>();
    let last = 0;
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Refused('the bridge to the gateway could not be loaded', { reason: 'no-answer' })), PATIENCE);
      addEventListener('message', ({ source, origin: from, data }) => {
        if (source !== frame.contentWindow || from !== location.origin) return;
        if (data?.kind === 'bridge') {
          clearTimeout(timer);
          resolve();
        } else if (data?.kind === 'called') {
          waiting.get(data.id)?.(data);
          waiting.delete(data.id);
        }
      });
    });
    document.body.append(frame);
    bridge = async (call) => {
      await ready;
      const id = (last += 1);
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve({ failure: 'no answer came in time' }), PATIENCE);
        waiting.set(id, (answer) => (clearTimeout(timer), resolve(answer)));
        frame.contentWindow?.postMessage({ kind: 'call', id, ...call }, location.origin);
      });
    };
    bridges.set(origin, bridge);
  }
  return bridge;
}

/** Sends a call of `gatewayAt` to the gateway of an address. */
export function bridged(call: Call): Promise<Answer> {
  const { origin } = new URL(call.url);
  return (origin === location.origin ? direct : bridgeTo(origin))(call);
}
