// An event that is valid and in which the default packs of `check` find nothing, for tests that change it.
export const EVENT = {
  '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  type: 'ObjectEvent',
  action: 'OBSERVE',
  eventTime: '2026-01-01T00:00:00Z',
  eventTimeZoneOffset: '+00:00',
  epcList: ['urn:epc:id:sgtin:9521141.012345.1'],
};
