// JSON that is known and not EPCIS: verifiable credentials, link sets and others. Loaded when a document looks like one.
import type { Entry, Foreign, OtherJson } from './foreign.ts';

/** Other JSON that is mistaken for EPCIS: its name, what it is, and a test. */
const OTHERS: readonly (readonly [title: string, detail: string, fits: (entry: Entry) => boolean])[] = [
  ['A GS1 Digital Link linkset', 'It lists links about a product or a place, and no events.', ({ linkset }) => Array.isArray(linkset)],
  ['A description of an API (OpenAPI)', 'It describes an interface, and no events.', ({ openapi, swagger }) => typeof (openapi ?? swagger) === 'string'],
  [
    'A map (GeoJSON)',
    'It describes places on a map, and no events.',
    ({ type, features, geometry }) => /^Feature/.test(String(type)) && (features ?? geometry) !== undefined,
  ],
];

/** The credentials of the UN Transparency Protocol, and what each is about. */
const UNTP: Readonly<Record<string, string>> = {
  DigitalProductPassport: 'a product',
  DigitalConformityCredential: 'the conformity of a product or a facility',
  DigitalFacilityRecord: 'a facility',
  DigitalIdentityAnchor: 'the identity of a company',
  DigitalTraceabilityEvent: 'traceability events',
};

/** What a verifiable credential or presentation is. */
function credential({ type, issuer, validFrom }: Entry): Foreign {
  const types = [type].flat().filter((one) => typeof one === 'string');
  const named = issuer as { readonly name?: unknown; readonly id?: unknown } | null | undefined;
  const kind = types.find((one) => Object.hasOwn(UNTP, one.replace(/s$/, '')))?.replace(/s$/, '');
  const by = [named?.name, named?.id, issuer].find((one) => typeof one === 'string');
  const from = `${by === undefined ? '' : `, issued by ${by.slice(0, 80)}`}${typeof validFrom === 'string' ? `, valid from ${validFrom.slice(0, 10)}` : ''}`;
  if (kind === undefined)
    return {
      title: 'A verifiable credential',
      detail: `It is signed data${from}. It does not have the fields of EPCIS: open the EPCIS document that it is about.`,
      isOther: true,
    };
  const words = kind.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return {
    title: `A UNTP credential: ${words}`,
    detail: `It tells of ${UNTP[kind]}${from}, by the UN Transparency Protocol. ${kind === 'DigitalTraceabilityEvent' ? 'Its events resemble those of EPCIS, but their fields are others' : 'It is about them, and holds no EPCIS events'}: ask the issuer for the EPCIS document.`,
    isOther: true,
  };
}

export const otherJson: OtherJson = (entries, all) => {
  if (all(({ type }) => /^(?:Enveloped)?Verifiable(?:Credential|Presentation)$/m.test([type].flat().join('\n')))) return credential(entries[0] as Entry);
  const [title, detail = ''] = OTHERS.find(([, , fits]) => all((entry) => entry.eventTime === undefined && fits(entry))) ?? [];
  return title === undefined ? undefined : { title, detail, isOther: true };
};
