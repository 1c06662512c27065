// The examples of the playground: the demo story, documents of industries in www/examples, and vectors of the test suite.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the page says of an example, and the tab that it opens. */
interface About {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly tab: string;
}

/** The examples. `vector` is a folder of tests/vectors; with `isOwn` the text is in www/examples; with neither it is the demo story. */
const CHOICE: readonly (About & { readonly vector?: string; readonly isOwn?: boolean })[] = [
  { name: 'orchard-to-shop', title: 'From orchard to shop', about: '13 events that tell one story, each named by its own hash', tab: 'events' },
  {
    name: 'dscsa-shipment',
    title: 'Medicines for the US (DSCSA)',
    about: 'Valid, but five things in the shipment are wrong or missing',
    isOwn: true,
    tab: 'checks',
  },
  {
    name: 'fsma204-lettuce',
    title: 'Food for the US (FSMA 204)',
    about: 'A lot of lettuce from the field to the shop, with all that the FDA asks for',
    isOwn: true,
    tab: 'checks',
  },
  {
    name: 'vaccine-cold-chain',
    title: 'Vaccines in the cold',
    about: 'A pallet from Uppsala to Nairobi: the readings of its logger, one hour too warm, and a map',
    isOwn: true,
    tab: 'events',
  },
  { name: 'gdst-catch', title: 'Seafood (GDST)', about: 'A catch of tuna from fishing and landing to the plant', isOwn: true, tab: 'checks' },
  {
    name: 'all-event-types',
    title: 'All event types, three hashes',
    about: 'Valid; the hash profiles disagree on its sensor event',
    vector: 'validate/valid-all-event-types',
    tab: 'hash',
  },
  {
    name: 'misspelt-word',
    title: 'A misspelt word',
    about: 'Not valid: the nearest CBV word is suggested, and put in by a button',
    vector: 'validate/cbv-word-misspelt',
    tab: 'validate',
  },
  {
    name: 'fields-missing',
    title: 'Several fields missing',
    about: 'Not valid: one error names everything that is missing',
    vector: 'validate/several-fields-missing',
    tab: 'validate',
  },
  { name: 'uri-faults', title: 'Faulty identifiers', about: 'Not valid: what exactly is wrong with each URI', vector: 'validate/uri-faults', tab: 'validate' },
  { name: 'xml-1.1', title: 'XML 1.1, nothing lost', about: 'EPCIS 1.1 that translates without loss', vector: 'translate/v11-homes', tab: 'translate' },
  {
    name: 'xml-1.2',
    title: 'XML 1.2, error declaration',
    about: 'EPCIS 1.2: an event declared in error',
    vector: 'translate/v12-error-declaration',
    tab: 'translate',
  },
  { name: 'xml-lossy', title: 'XML 2.0 with losses', about: 'Extensions that JSON-LD cannot hold', vector: 'translate/extensions-lossy', tab: 'translate' },
  { name: 'json-to-xml', title: 'JSON to XML', about: 'What XML 1.2 holds only in extensions', vector: 'translate/back-to-1.2', tab: 'translate' },
];

/** The names in the story, by vocabulary, identifier and attribute. */
const NAMES = {
  EPCClass: [
    ['https://id.gs1.org/01/09521141100011', 'descriptionShort', 'Bramley apples'],
    ['https://id.gs1.org/01/09521141200056', 'descriptionShort', 'Bramley apple juice'],
    ['https://id.gs1.org/8004/9521141LOGGER7', 'descriptionShort', 'Temperature logger 7'],
  ],
  Location: [
    ['https://id.gs1.org/414/9521141001011', 'name', 'Hill Orchard'],
    ['https://id.gs1.org/414/9521141002025', 'name', 'Hill Press'],
    ['https://id.gs1.org/414/9521141003039', 'name', 'City Depot'],
    ['https://id.gs1.org/414/9521141004043', 'name', 'Corner Shop'],
    ['https://id.gs1.org/417/9521141000014', 'name', 'Hill Orchard Ltd'],
    ['https://id.gs1.org/417/9521141000090', 'name', 'Corner Shop Ltd'],
  ],
};
const masterData = {
  vocabularyList: Object.entries(NAMES).map(([type, entries]) => ({
    type: `urn:epcglobal:epcis:vtype:${type}`,
    vocabularyElementList: entries.map(([id, name, value]) => ({ id, attributes: [{ id: `urn:epcglobal:cbv:mda#${name}`, attribute: value }] })),
  })),
};

/** The demo collection as one document, with the names of what is in it. The contexts of its events move to the document; the rest is unchanged. */
function story(root: string): string {
  const events = JSON.parse(readFileSync(join(root, 'core/gateway/src/service/demo.json'), 'utf8')).map(({ event }: { event: object }) => event);
  const contexts = new Map();
  for (const event of events) {
    for (const context of [event['@context']].flat()) contexts.set(JSON.stringify(context), context);
    delete event['@context'];
  }
  const document = {
    '@context': [...contexts.values()],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: events.at(-1).eventTime,
    epcisHeader: { epcisMasterData: masterData },
    epcisBody: { eventList: events },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** All examples. `root` is the path of the repository. */
export function examples(root: string): (About & { readonly file: string; readonly text: string })[] {
  return CHOICE.map(({ vector, isOwn = false, ...example }) => {
    if (isOwn) return { ...example, file: `${example.name}.json`, text: readFileSync(join(root, 'www/examples', `${example.name}.json`), 'utf8') };
    if (vector === undefined) return { ...example, file: `${example.name}.json`, text: story(root) };
    const extension = vector.startsWith('translate/') && !vector.includes('back-to') ? 'xml' : 'json';
    const text = readFileSync(join(root, 'tests/vectors', vector, `input.${extension}`), 'utf8');
    return { ...example, file: `${example.name}.${extension}`, text };
  });
}
