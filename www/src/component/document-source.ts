// The bytes of the document that the element shows: from its property, or fetched from an address.
import { bytesWithin } from '../../../wasm/js/client/bounded.ts';
import { eitherDocument } from '../../../wasm/js/engine/arguments.ts';
import { cutText } from '../shared/bounds.ts';
import { PATIENCE } from '../tools/gateway/gateway-calls.ts';
import { LARGEST } from '../shared/limits.ts';
import { within } from '../shared/patience.ts';
import { sizeText } from '../shared/words.ts';
import { Unshown } from './problems.ts';

/** A document as bytes. `isText` says that they were made from text. */
export interface Source {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isText: boolean;
}

const tooLarge = (what: string) =>
  new Unshown('too-large', `${what} is larger than ${sizeText(LARGEST)}`, { found: `more than ${LARGEST} bytes`, expected: `up to ${LARGEST} bytes` });

/**
 * The bytes of a given document: text, bytes, or an object. They are a copy. `isText` says that they were made from text.
 *
 * @throws {Unshown}
 */
export function givenDocument(given: unknown): Source {
  let source: ReturnType<typeof eitherDocument>;
  try {
    source = eitherDocument(given);
  } catch (error) {
    throw new Unshown('wrong-value', (error as Error).message, {
      place: 'document',
      expected: 'a document as text, bytes, or an object as JSON.parse makes it',
    });
  }
  const written = source instanceof Uint8Array ? source : source.text;
  if (written.length > LARGEST) throw tooLarge('The document');
  const isText = typeof written === 'string';
  const bytes = isText ? new TextEncoder().encode(written) : new Uint8Array(written);
  if (bytes.length > LARGEST) throw tooLarge('The document');
  return { bytes, isText };
}

/**
 * Fetches a document: its bytes. It follows no redirection, and sends cookies only to the page's own origin.
 *
 * @throws {Unshown}
 */
export async function fetchedDocument(url: URL, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const place = 'src';
  const shown = url.protocol === 'data:' ? 'the address in src' : `\`${cutText(url.href, 200)}\``;
  try {
    return await within(PATIENCE, signal, async (ending) => {
      const response = await fetch(url, {
        credentials: 'same-origin',
        referrerPolicy: 'no-referrer',
        redirect: 'manual',
        headers: { accept: 'application/json, application/ld+json, application/xml, text/xml, */*;q=0.1' },
        signal: ending,
      });
      if (response.type === 'opaqueredirect')
        throw new Unshown('redirected', `${shown} redirects to another address, which is not followed: name that address`, { place });
      if (!response.ok) {
        const { status } = response;
        throw new Unshown('refused', `${shown} was answered with ${status}`, { place, status });
      }
      if (Number(response.headers.get('content-length')) > LARGEST) throw tooLarge('The document');
      return bytesWithin(response, LARGEST, () => tooLarge('The document')) as Promise<Uint8Array<ArrayBuffer>>;
    });
  } catch (error) {
    if (error instanceof Unshown) throw error;
    const why = `${(error as Partial<Error> | null)?.message ?? error}`;
    throw new Unshown('not-fetched', `${shown} could not be fetched: ${why}. Is it there, and may this page read it (CORS, Content-Security-Policy)?`, {
      place,
      found: why,
      expected: 'a document',
    });
  }
}
