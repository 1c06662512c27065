// The parts of the official contexts of EPCIS 2.0 that affect what a name expands to and what a reader refuses. Their terms are
// facts of the standard (EPCIS 2.0, clause 10, and the JSON schema), written down independently. All terms are protected, including
// those that are in force only for the values of some terms.
// The editions differ in a few prefixes. The draft's namespaces changed several times. One of its states is used.

const FIRST = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const SECOND = 'https://ref.gs1.org/standards/epcis/2.0.1/epcis-context.jsonld';
const UNVERSIONED = 'https://ref.gs1.org/standards/epcis/epcis-context.jsonld';
const DRAFT = 'https://gs1.github.io/EPCIS/epcis-context.jsonld';

const set = { '@container': '@set' };
const id = { '@type': '@id' };
const vocab = { '@type': '@vocab' };
const typed = (type) => ({ '@type': `xsd:${type}` });
const term = (name, more = {}) => [name, { '@id': `epcis:${name}`, ...more }];

function edition({ epcis, cbv, gs1 }) {
  const below = (members) => ({ '@context': { '@protected': true, epcis, ...Object.fromEntries(members) } });
  const words = (prefix, list) => ({
    '@context': { '@protected': true, '@version': 1.1, cbv, ...Object.fromEntries(list.map((word) => [word, `cbv:${prefix}-${word}`])) },
  });
  const ofGs1 = (list) => ({ '@context': { '@protected': true, '@version': 1.1, gs1, ...Object.fromEntries(list.map((word) => [word, `gs1:${word}`])) } });
  const dispositions = words('Disp', ['active', 'in_transit', 'conformant', 'recalled', 'unknown']);
  const party = words('SDT', ['owning_party', 'possessing_party', 'location']);
  const place = (name) =>
    below([
      [name, { '@id': 'epcis:sourceOrDestination', ...id }],
      ['type', { '@id': 'epcis:sourceOrDestinationType', ...vocab, ...party }],
    ]);
  const sensor = [
    term('deviceID', id),
    term('deviceMetadata', id),
    term('rawData', id),
    term('dataProcessingMethod', id),
    term('time', typed('dateTimeStamp')),
  ];
  const numbers = ['value', 'minValue', 'maxValue', 'meanValue', 'sDev', 'percRank', 'percValue'];
  const report = [
    ['type', { '@id': 'epcis:measurementType', ...vocab, ...ofGs1(['Temperature', 'Time', 'Count']) }],
    ['exception', { '@id': 'epcis:exception', ...vocab, ...ofGs1(['ALARM_CONDITION', 'ERROR_CONDITION']) }],
    term('coordinateReferenceSystem', id),
    term('microorganism', id),
    term('chemicalSubstance', id),
    term('time', typed('dateTimeStamp')),
    ['component', { '@id': 'epcis:component', ...vocab, ...words('Comp', ['x', 'y', 'latitude']) }],
    ['stringValue', 'epcis:stringValue'],
    term('booleanValue', typed('boolean')),
    term('hexBinaryValue', typed('hexBinary')),
    term('uriValue', id),
    ...numbers.map((name) => term(name, typed('double'))),
  ];
  const dispositionsAndSets = [dispositions['@context'], below([term('set', { ...vocab, ...set }), term('unset', { ...vocab, ...set })])['@context']];
  const plain = [
    'ObjectEvent',
    'AggregationEvent',
    'TransformationEvent',
    'AssociationEvent',
    'TransactionEvent',
    'Collection',
    'EPCISDocument',
    'EPCISQueryDocument',
    'action',
    'epcisBody',
    'epcisHeader',
    'eventTimeZoneOffset',
    'instanceIdentifier',
    'queryName',
    'queryResults',
    'resultsBody',
    'subscriptionID',
    'uom',
  ];
  return {
    '@context': {
      '@protected': true,
      '@version': 1.1,
      cbv,
      cbvmda: 'urn:epcglobal:cbv:mda:',
      dcterms: 'http://purl.org/dc/terms/',
      epcis,
      gs1,
      owl: 'http://www.w3.org/2002/07/owl#',
      rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
      xsd: 'http://www.w3.org/2001/XMLSchema#',
      id: '@id',
      type: '@type',
      eventID: '@id',
      baseURL: '@base',
      creationDate: { '@id': 'dcterms:created', '@type': 'xsd:dateTime' },
      schemaVersion: 'owl:versionInfo',
      member: { '@id': 'rdfs:member', ...id, ...set },
      ...Object.fromEntries(plain.map((name) => [name, `epcis:${name}`])),
      ...Object.fromEntries([
        term('eventList'),
        term('ilmd'),
        term('children', { ...id, ...set }),
        term('sender', typed('string')),
        term('receiver', typed('string')),
        term('masterData'),
        term('vocabularyList', set),
        term('eventTime', typed('dateTimeStamp')),
        term('recordTime', typed('dateTimeStamp')),
        term('certificationInfo', { ...id, ...set }),
        ...['bizLocation', 'parentID', 'readPoint', 'transformationID', 'epcClass'].map((name) => term(name, id)),
        ...['childEPCs', 'epcList', 'inputEPCList', 'outputEPCList'].map((name) => term(name, { ...id, ...set })),
        ...['childQuantityList', 'inputQuantityList', 'outputQuantityList', 'quantityList'].map((name) => term(name, set)),
        term('quantity', typed('decimal')),
        term('bizStep', { ...vocab, ...words('BizStep', ['shipping', 'receiving', 'packing']) }),
        term('disposition', { ...vocab, ...dispositions }),
        term('persistentDisposition', { ...set, '@context': dispositionsAndSets }),
        term('bizTransactionList', {
          ...set,
          ...below([
            ['bizTransaction', { '@id': '@id', ...id }],
            ['type', { '@id': 'epcis:bizTransactionType', ...vocab, ...words('BTT', ['po', 'inv', 'desadv']) }],
          ]),
        }),
        term('sourceList', { ...set, ...place('source') }),
        term('destinationList', { ...set, ...place('destination') }),
        term('sensorElementList', {
          ...set,
          ...below([
            ...sensor,
            ['type', '@type'],
            term('sensorMetadata', below([term('startTime', typed('dateTimeStamp')), term('endTime', typed('dateTimeStamp')), term('bizRules', id)])),
            term('sensorReport', below(report)),
          ]),
        }),
        term(
          'errorDeclaration',
          below([
            term('reason', { ...vocab, ...words('ER', ['did_not_occur', 'incorrect_data']) }),
            term('correctiveEventIDs', { ...id, ...set }),
            term('declarationTime', typed('dateTimeStamp')),
          ]),
        ),
      ]),
    },
  };
}

const CBV = 'https://ref.gs1.org/cbv/';
const first = edition({ epcis: 'https://ref.gs1.org/epcis/', cbv: CBV, gs1: 'https://gs1.org/voc/' });
const second = edition({ epcis: 'https://ref.gs1.org/epcis/', cbv: CBV, gs1: 'https://ref.gs1.org/voc/' });
const draft = edition({ epcis: 'https://gs1.github.io/EPCIS/', cbv: 'https://gs1.github.io/CBV/', gs1: 'https://ref.gs1.org/voc/' });

/** The contexts at the official addresses. No other context exists there. */
export const OFFICIAL = new Map([
  [FIRST, first],
  [SECOND, second],
  [UNVERSIONED, second],
  [DRAFT, draft],
]);
