// Packs the state of the page into the fragment of the address, which browsers never send: `#1.<deflate, base64url>`.

/** The longest fragment that is shared, in characters. Mail and chat cut off longer links. */
export const LONGEST = 60_000;
/** The maximum size of an unpacked state, in bytes. */
const LARGEST = 2_000_000;

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Packs a state into a fragment, without `#`. */
export async function pack(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `1.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** Unpacks the state of a fragment. Returns undefined if it holds none; throws if it is damaged. */
export async function unpack(fragment) {
  if (!fragment.startsWith('1.')) return undefined;
  const binary = atob(fragment.slice(2).replaceAll('-', '+').replaceAll('_', '/'));
  const reader = new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new Error('the link unfolds to more than it may');
    }
    chunks.push(value);
  }
  const state = JSON.parse(await new Blob(chunks).text());
  if (typeof state?.text !== 'string') throw new Error('the link holds no document');
  return state;
}
