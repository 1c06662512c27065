// Calls every function on every vector and returns one text. The same program runs in every environment of the package.

/** The result of a call, or the problem that it throws. */
async function outcome(call) {
  try {
    const answer = await call();
    return answer === undefined ? 'undefined' : answer;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'EpcisError') throw error;
    return { message: error.message, problem: error.problem };
  }
}

const text = new TextEncoder();

function source(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 1_021));
      at += 1_021;
    },
  });
}

async function through(bytes, stream) {
  const chunks = [];
  const reader = source(bytes).pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { chunks, report: (await stream.report) ?? null };
    chunks.push(value);
  }
}

/** @param vectors `[{name, base64}]` */
export async function answers(epcis, vectors) {
  const { validate, hash, preHash, verify, translate, toXml, translateStream, validateStream, identifiers } = epcis;
  const all = [];
  for (const { name, base64 } of vectors) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const calls = [
      () => validate(bytes),
      () => hash(bytes),
      () => hash(bytes, { profile: 'CBV2.1' }),
      () => preHash(bytes, { profile: 'REF2025' }),
      () => verify(bytes),
      () => hash(bytes, { undeclared: 'keep' }),
      () => hash(new TextDecoder().decode(bytes)),
      ...(name.endsWith('.xml')
        ? [() => translate(bytes, { as: 'text' }), () => through(bytes, translateStream({ as: 'text' }))]
        : [() => toXml(bytes), () => toXml(bytes, { version: '1.2' }), () => through(bytes, validateStream())]),
    ];
    const outcomes = [];
    for (const call of calls) outcomes.push(await outcome(call));
    all.push({ name, outcomes });
  }
  const links = ['urn:epc:id:sgtin:9521141.012345.7', 'urn:epc:idpat:sgtin:9521141.012345.*', 'urn:uuid:1'].map(
    (identifier) => identifiers.toDigitalLink(identifier) ?? null,
  );
  const urns = [await outcome(() => identifiers.toEpcUrn(links[0], 7)), await outcome(() => identifiers.toEpcUrn(links[0], 1))];
  return JSON.stringify({ all, links, urns }, null, 1);
}

/** A digest for comparing texts, computed by each runtime. */
export async function digest(answer) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text.encode(answer)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
