// The official context of EPCIS 2.0 as far as it bears on what a name stands for: its terms are facts of the standard (EPCIS 2.0,
// clause 10, and the JSON schema), written down anew. All of them are protected.

const EPCIS = 'https://ref.gs1.org/epcis/';
const term = (name, more = {}) => [name, { '@id': `epcis:${name}`, ...more }];
const set = { '@container': '@set' };
const id = { '@type': '@id' };
const vocab = { '@type': '@vocab' };
const typed = (type) => ({ '@type': `xsd:${type}` });
const below = (members) => ({ '@context': { '@protected': true, epcis: EPCIS, ...Object.fromEntries(members) } });
const words = (prefix, list) => ({
  '@context': {
    '@protected': true,
    '@version': 1.1,
    cbv: 'https://ref.gs1.org/cbv/',
    ...Object.fromEntries(list.map((word) => [word, `cbv:${prefix}-${word}`])),
  },
});

const sensor = [term('deviceID', id), term('deviceMetadata', id), term('rawData', id), term('dataProcessingMethod', id), term('time', typed('dateTimeStamp'))];
const report = ['value', 'minValue', 'maxValue', 'meanValue', 'sDev', 'percRank', 'percValue'].map((name) => term(name, typed('double')));

export const OFFICIAL = {
  '@context': {
    '@protected': true,
    '@version': 1.1,
    cbv: 'https://ref.gs1.org/cbv/',
    cbvmda: 'urn:epcglobal:cbv:mda:',
    dcterms: 'http://purl.org/dc/terms/',
    epcis: EPCIS,
    gs1: 'https://gs1.org/voc/',
    owl: 'http://www.w3.org/2002/07/owl#',
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    xsd: 'http://www.w3.org/2001/XMLSchema#',
    id: '@id',
    type: '@type',
    eventID: '@id',
    creationDate: { '@id': 'dcterms:created', '@type': 'xsd:dateTime' },
    schemaVersion: 'owl:versionInfo',
    ...Object.fromEntries(
      [
        'ObjectEvent',
        'AggregationEvent',
        'TransformationEvent',
        'AssociationEvent',
        'TransactionEvent',
        'EPCISDocument',
        'EPCISQueryDocument',
        'action',
        'epcisBody',
        'epcisHeader',
        'eventList',
        'eventTimeZoneOffset',
        'ilmd',
        'queryName',
        'queryResults',
        'resultsBody',
        'subscriptionID',
        'uom',
      ].map((name) => [name, `epcis:${name}`]),
    ),
    ...Object.fromEntries([
      term('eventTime', typed('dateTimeStamp')),
      term('recordTime', typed('dateTimeStamp')),
      term('certificationInfo', id),
      ...['bizLocation', 'parentID', 'readPoint', 'transformationID', 'epcClass'].map((name) => term(name, id)),
      ...['childEPCs', 'epcList', 'inputEPCList', 'outputEPCList'].map((name) => term(name, { ...id, ...set })),
      ...['childQuantityList', 'inputQuantityList', 'outputQuantityList', 'quantityList'].map((name) => term(name, set)),
      term('quantity', typed('double')),
      term('bizStep', { ...vocab, ...words('BizStep', ['shipping', 'receiving', 'packing']) }),
      term('disposition', { ...vocab, ...words('Disp', ['active', 'in_transit']) }),
      term('persistentDisposition', below([term('set', { ...vocab, ...set }), term('unset', { ...vocab, ...set })])),
      term('bizTransactionList', { ...set, ...below([term('bizTransaction', id), ['type', { '@id': 'epcis:bizTransactionType', ...vocab }]]) }),
      term('sourceList', { ...set, ...below([term('source', id), ['type', { '@id': 'epcis:sourceOrDestinationType', ...vocab }]]) }),
      term('destinationList', { ...set, ...below([term('destination', id), ['type', { '@id': 'epcis:sourceOrDestinationType', ...vocab }]]) }),
      term('sensorElementList', {
        ...set,
        ...below([
          ...sensor,
          term('sensorMetadata', below([term('startTime', typed('dateTimeStamp')), term('endTime', typed('dateTimeStamp')), term('bizRules', id)])),
          term('sensorReport', below([...report, ['type', { '@id': 'epcis:measurementType', ...vocab }]])),
        ]),
      }),
      term('errorDeclaration', below([term('reason', vocab), term('correctiveEventIDs', { ...id, ...set }), term('declarationTime', typed('dateTimeStamp'))])),
    ]),
  },
};
