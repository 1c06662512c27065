// Packs the state of the page into the fragment of the address, which browsers never send: `#1.<deflate, base64url>`.

/** The longest fragment that is shared, in characters. Mail and chat cut off longer links. */
const LONGEST = 60_000;
/** The maximum size of an unpacked state, in bytes. */
const LARGEST = 2_000_000;

const through = async (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** What a link holds. */
export interface Shared {
  readonly text: string;
  readonly tab?: unknown;
  readonly back?: unknown;
  readonly packs: readonly string[];
  readonly name?: unknown;
}

/** Packs a state into a fragment, without `#`. */
async function pack(state: Shared): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `1.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/**
 * Copies a link that holds a state. `linked` puts it into the address bar. Returns `{notice, done}`: a notice for the user, and in short
 * what was done; no `done` if the link would be too long.
 */
export async function share(state: Shared, linked: (fragment: string) => void): Promise<{ readonly notice: string; readonly done?: string }> {
  const fragment = await pack(state);
  const length = `${fragment.length.toLocaleString('en')} characters`;
  if (fragment.length > LONGEST)
    return { notice: `The link would be ${length} long; mail and chat cut off more than ${LONGEST.toLocaleString('en')}. Send the file instead.` };
  linked(`#${fragment}`);
  let isCopied = true;
  await navigator.clipboard.writeText(location.href).catch(() => (isCopied = false));
  const done = isCopied ? 'The link is copied' : 'The link is in the address bar';
  return { notice: `${done}; it holds the whole document (${length}), and browsers do not send it to any server.`, done };
}

/** Unpacks the state of a fragment. Returns undefined if it holds none; throws if it is damaged. */
export async function unpack(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith('1.')) return undefined;
  const binary = atob(fragment.slice(2).replaceAll('-', '+').replaceAll('_', '/'));
  const reader = new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new Error('the link unfolds to more than it may');
    }
    chunks.push(value);
  }
  const state = JSON.parse(await new Blob(chunks).text());
  if (typeof state?.text !== 'string') throw new Error('the link holds no document');
  state.packs = Array.isArray(state.packs) ? state.packs.map(String) : [];
  return state;
}
