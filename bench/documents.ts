// The documents for the benchmarks, generated the same way in every run.
import { randomNumbers } from './random.ts';

const CONTEXT = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { example: 'https://ns.example.com/epcis/' }];

export function envelope(eventList: readonly object[], header?: object) {
  return {
    ...(header === undefined ? {} : { epcisHeader: header }),
    '@context': CONTEXT,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-03-04T12:00:00Z',
    epcisBody: { eventList },
  };
}

/** Events with three SSCCs and nested extensions: the plain event of the hash targets. */
export function plainEvents(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    type: 'ObjectEvent',
    eventTime: `2026-03-04T11:00:${String(n % 60).padStart(2, '0')}.${String(n % 1000).padStart(3, '0')}+01:00`,
    eventTimeZoneOffset: '+01:00',
    recordTime: '2026-03-04T11:05:00.000+01:00',
    epcList: [0, 1, 2].map((k) => `urn:epc:id:sscc:9521141.${k}${String(n * 3 + k).padStart(9, '0')}`),
    action: 'OBSERVE',
    bizStep: 'departing',
    readPoint: { id: `urn:epc:id:sgln:9521141.00011.${n}` },
    'example:line': { 'example:speed': '12', 'example:shift': '5' },
    'example:note': '0',
    'example:checks': { 'example:check': ['3', '1'] },
  }));
}

/** Events with a sensor element of four reports: the sensor event of the hash targets. */
export function sensorEvents(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    type: 'ObjectEvent',
    eventTime: `2026-07-19T13:00:${String(n % 60).padStart(2, '0')}.000+02:00`,
    eventTimeZoneOffset: '+02:00',
    action: 'OBSERVE',
    bizStep: 'inspecting',
    readPoint: { id: `urn:epc:id:sgln:9521141.00005.${n}` },
    sensorElementList: [
      {
        sensorMetadata: { deviceID: `urn:epc:id:giai:9521141.${n}`, deviceMetadata: `https://id.gs1.org/8004/9521141${n}` },
        sensorReport: [
          { type: 'AbsoluteHumidity', value: (n % 90) + 0.1, uom: 'A93' },
          { type: 'MassConcentration', chemicalSubstance: 'https://identifiers.org/inchikey:CZMRCDWAGMRECN-UGDNZRGBSA-N', value: 0.18, uom: 'C35' },
          { type: 'MassConcentration', microorganism: 'https://www.ncbi.nlm.nih.gov/taxonomy/1126011', value: 0.05, uom: 'C35' },
          { type: 'Temperature', value: (n % 30) + 0.5, uom: 'CEL' },
        ],
      },
    ],
  }));
}

/** Events of all five types, with sensors, extensions and both spellings of identifiers. */
export function mixedEvents(count: number, seed = 1) {
  const next = randomNumbers(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <One>(list: readonly [One, ...One[]]): One => list[below(list.length)] ?? list[0];
  const digits = (length: number) => Array.from({ length }, () => below(10)).join('');
  const epc = () => (next() < 0.5 ? `urn:epc:id:sgtin:9521141.0${digits(5)}.${below(1e9)}` : `https://id.gs1.org/01/${digits(14)}/21/A${below(1e9)}`);
  const sscc = () => (next() < 0.5 ? `urn:epc:id:sscc:9521141.${digits(10)}` : `https://id.gs1.org/00/${digits(18)}`);
  const lot = () =>
    next() < 0.5 ? `urn:epc:class:lgtin:9521141.0${digits(5)}.Lot${below(1000)}` : `https://id.gs1.org/01/${digits(14)}/10/LOT-${below(1000)}`;
  const place = () => (next() < 0.5 ? `urn:epc:id:sgln:9521141.${digits(5)}.${below(500)}` : `https://id.gs1.org/414/${digits(13)}/254/${below(500)}`);
  const time = () =>
    `20${10 + below(17)}-0${1 + below(9)}-${10 + below(18)}T1${below(10)}:${10 + below(50)}:${10 + below(50)}${pick(['', `.${digits(3)}`])}${pick(['Z', '+02:00', '-05:00'])}`;
  const several = <One>(make: () => One, least: number, most: number) => Array.from({ length: least + below(most - least + 1) }, make);
  const quantity = () => ({
    epcClass: lot(),
    quantity: pick([below(5000), below(90000) / 100]),
    ...(next() < 0.5 ? { uom: pick(['KGM', 'LTR', 'GRM']) } : {}),
  });

  const kinds: Readonly<Record<string, () => object>> = {
    ObjectEvent: () => ({
      epcList: several(epc, 1, 6),
      ...(next() < 0.3 ? { quantityList: several(quantity, 1, 2) } : {}),
      action: pick(['ADD', 'OBSERVE', 'DELETE']),
    }),
    AggregationEvent: () => ({ parentID: sscc(), childEPCs: several(epc, 1, 8), action: pick(['ADD', 'OBSERVE', 'DELETE']) }),
    TransactionEvent: () => ({
      bizTransactionList: [{ type: pick(['po', 'inv', 'desadv']), bizTransaction: `urn:epcglobal:cbv:bt:9521141000013:${below(1e6)}` }],
      epcList: several(epc, 1, 4),
      action: 'ADD',
    }),
    TransformationEvent: () => ({ inputEPCList: several(epc, 1, 4), inputQuantityList: several(quantity, 1, 2), outputEPCList: several(epc, 1, 4) }),
    AssociationEvent: () => ({ parentID: sscc(), childEPCs: several(epc, 1, 3), action: 'ADD' }),
  };
  const names: [string, ...string[]] = [
    'ObjectEvent',
    'ObjectEvent',
    'ObjectEvent',
    'ObjectEvent',
    'AggregationEvent',
    'AggregationEvent',
    'TransactionEvent',
    'TransformationEvent',
    'AssociationEvent',
  ];
  return Array.from({ length: count }, () => {
    const type = pick(names);
    return {
      type,
      eventTime: time(),
      recordTime: time(),
      eventTimeZoneOffset: pick(['+00:00', '+02:00', '-05:00']),
      ...kinds[type]?.(),
      bizStep: pick(['commissioning', 'shipping', 'receiving', 'packing', 'storing', 'inspecting']),
      disposition: pick(['active', 'in_transit', 'in_progress', 'conformant']),
      readPoint: { id: place() },
      bizLocation: { id: place() },
      ...(next() < 0.3
        ? {
            sensorElementList: [
              {
                sensorMetadata: { time: time(), deviceID: 'urn:epc:id:giai:9521141.77' },
                sensorReport: several(
                  () => ({ type: pick(['Temperature', 'RelativeHumidity', 'Pressure']), value: below(4000) / 100, uom: pick(['CEL', 'A93', 'PAL']) }),
                  1,
                  3,
                ),
              },
            ],
          }
        : {}),
      ...(next() < 0.25
        ? {
            'example:note': pick(['Grüner Weg', 'cold "chain"', 'Halle 7 – Nord', 'crate 12']),
            'example:inspection': { 'example:grade': 'A', 'example:line': below(9) },
          }
        : {}),
    };
  });
}

/**
 * A realistic stream of events: related events follow each other, and each EPC occurs several times.
 *
 * Cases of ten serialised items, event by event: commissioned, packed into a case, the case shipped and received, unpacked, the
 * first item sold. `first` is the number of the first event, so that calls can continue each other. Events are 20 s apart.
 */
export function storyEvents(count: number, first = 0) {
  const products = 400;
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, offset) => {
    const n = first + offset;
    const box = Math.floor(n / STORY.length);
    const step = STORY[n % STORY.length];
    const gtin = String(box % products).padStart(5, '0');
    const serial = Math.floor(box / products) * 10;
    const items = Array.from({ length: 10 }, (_, k) => `urn:epc:id:sgtin:9521141.0${gtin}.${serial + k}`);
    return {
      ...step?.(items, `urn:epc:id:sscc:9521141.${String(box).padStart(10, '0')}`, box),
      eventTime: new Date(start + n * 20_000).toISOString(),
      eventTimeZoneOffset: '+00:00',
      readPoint: { id: `urn:epc:id:sgln:9521141.${String(box % 97).padStart(5, '0')}.${n % 5}` },
      'example:operator': `shift ${n % 3}`,
    };
  });
}

const place = (n: number) => ({ bizLocation: { id: `https://id.gs1.org/414/9521141${String(n % 97).padStart(6, '0')}` } });
const order = (n: number) => ({ bizTransactionList: [{ type: 'po', bizTransaction: `urn:epcglobal:cbv:bt:9521141000013:${Math.floor(n / 20)}` }] });
const STORY: readonly ((items: readonly string[], box: string, n: number) => object)[] = [
  (items, _, n) => ({ type: 'ObjectEvent', action: 'ADD', bizStep: 'commissioning', disposition: 'active', epcList: items, ...place(n) }),
  (items, box, n) => ({
    type: 'AggregationEvent',
    action: 'ADD',
    bizStep: 'packing',
    disposition: 'in_progress',
    parentID: box,
    childEPCs: items,
    ...place(n),
  }),
  (_, box, n) => ({ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', disposition: 'in_transit', epcList: [box], ...order(n) }),
  (_, box, n) => ({ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'receiving', disposition: 'in_progress', epcList: [box], ...order(n), ...place(n + 7) }),
  (items, box, n) => ({ type: 'AggregationEvent', action: 'DELETE', bizStep: 'unpacking', parentID: box, childEPCs: items, ...place(n + 7) }),
  (items) => ({ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'retail_selling', disposition: 'retail_sold', epcList: items.slice(0, 1) }),
];

export function bytes(document: unknown, indent?: number) {
  return new TextEncoder().encode(JSON.stringify(document, null, indent));
}
