// Costly bodies: each shape is an endpoint and a function that makes a body of a given length in bytes.
//
// A shape repeats one unit until the length is reached, so that its cost at doubling lengths shows whether the work is linear.

import { attributes, elements, histories, links } from './histories.ts';
import { mixtures } from './mixtures.ts';
import { namedQueries } from './named-queries.ts';
import { packs } from './packs.ts';
import { orders, verified } from './proofs.ts';
import { type Bodies, type Body, bodyOf, filled, nested, repeated, type Unit } from './text.ts';
import { message, tools } from './tools.ts';
import type { Shape } from './shape.ts';
import type { Answer } from '../gateway.ts';

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const COMMON = '"eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00"';
const OBSERVE = `"type":"ObjectEvent",${COMMON},"action":"OBSERVE"`;
const EPC = 'urn:epc:id:sgtin:9521141.012345.1';

const documentHead = `{"@context":["${CONTEXT}"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[`;
const events =
  (unit: Unit): Body =>
  (length) =>
    filled(length, documentHead, unit, ']}}');
const inEvent =
  (open: string, unit: Unit, close = ']', separator?: string): Body =>
  (length) =>
    filled(length, `{"@context":["${CONTEXT}",{"ex":"https://ns.example/"}],${OBSERVE},"epcList":["${EPC}"]${open}`, unit, `${close}}`, separator);
const listOf =
  (name: string, unit: Unit): Body =>
  (length) =>
    filled(length, `{"@context":["${CONTEXT}"],${OBSERVE},"${name}":[`, unit, ']}');
const contextOf =
  (unit: Unit, open = '', close = ''): Body =>
  (length) => {
    const body = filled(length - 300, `{"@context":["${CONTEXT}",${open}`, unit, `${close}]`);
    return `${body},${OBSERVE},"epcList":["${EPC}"]}`;
  };
/** A context of half the length, followed by events of the other half. */
const contextTimesEvents =
  (unit: Unit): Body =>
  (length) => {
    const context = filled(length / 2, `{"@context":["${CONTEXT}",{`, unit, '}],');
    return filled(
      length,
      `${context}"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[`,
      (index) => `{${OBSERVE},"epcList":["urn:epc:id:sgtin:9521141.012345.${index}"]}`,
      ']}}',
    );
  };
/** A list of units nested within long names, at most 50 names of 8 kB, which take half of the length. */
const belowLongNames =
  (unit: Unit): Body =>
  (length) => {
    const names = Math.min(50, Math.max(1, Math.floor(length / 16_000)));
    const open = `,"ex:top":${`{"ex:${'n'.repeat(8000)}":`.repeat(names)}{"ex:b":[`;
    return inEvent(open, unit, `]}${'}'.repeat(names)}`)(length);
  };
const smallEvent = (index: number) => `{${OBSERVE},"epcList":["urn:epc:id:sgtin:9521141.012345.${index}"]}`;

const smallEvents = events(smallEvent);

/** JSON for any endpoint that accepts events. */
const json: Bodies = {
  numbers: (length) => filled(length, '[', () => '1', ']'),
  'empty objects': (length) => filled(length, '[', () => '{}', ']'),
  'empty arrays': (length) => filled(length, '[', () => '[]', ']'),
  'empty strings': (length) => filled(length, '[', () => '""', ']'),
  'members of one letter': (length) => filled(length, '{', (index) => `"${String.fromCharCode(97 + (index % 26))}":0`, '}'),
  'bare events of nothing but a type': (length) => filled(length, '[', () => '{"type":"ObjectEvent"}', ']'),
  'bare events of a short type': (length) => filled(length, '[', () => '{"type":":"}', ']'),
  'events that are numbers': events(() => '1'),
  'events that are empty objects': events(() => '{}'),
  'events that are empty arrays': events(() => '[]'),
  'events of nothing but a type': events(() => '{"type":"ObjectEvent"}'),
  'small events': smallEvents,
  'one event many times': events(() => smallEvent(1)),
  'events with a misspelt bizStep': events((index) => `{${OBSERVE},"bizStep":"shiping","epcList":["urn:epc:id:sgtin:9521141.012345.${index}"]}`),
  'events with 20 kB of faulty text': events((index) => `{${OBSERVE},"bizStep":"${'x'.repeat(20_000)} ${index}","epcList":[]}`),
  'events with an unknown member': events((index) => `{${OBSERVE},"epcList":[],"unknown${index}":1}`),
  'events with eventIDs that are no hash': events(
    (index) => `{${OBSERVE},"eventID":"ni:///sha-256;${String(index).padStart(64, '0')}?ver=CBV2.0","epcList":["${EPC}"]}`,
  ),
  'aggregations of sensor elements': events(
    () =>
      `{"type":"AggregationEvent",${COMMON},"action":"ADD","parentID":"urn:epc:id:sscc:9521141.1234567890","childEPCs":[],"sensorElementList":[{"sensorReport":[{}]}]}`,
  ),
  'EPCs that are numbers': listOf('epcList', () => '1'),
  'EPCs that are no URIs': listOf('epcList', (index) => `"no uri ${index}"`),
  'EPCs that are equal': listOf('epcList', () => `"${EPC}"`),
  'EPCs that differ': listOf('epcList', (index) => `"urn:epc:id:sgtin:9521141.012345.${index}"`),
  'EPCs as Digital Links': listOf('epcList', (index) => `"https://id.gs1.org/01/09521141123454/21/${index}"`),
  'EPCs that differ at the end of 2 kB': listOf('epcList', (index) => `"urn:x:${'a'.repeat(2000)}${index}"`),
  'EPCs that are objects': listOf('epcList', (index) => `{"a":${index}}`),
  'EPCs that are nested arrays': listOf('epcList', () => nested('[', ']', 20)),
  'quantities that are empty': listOf('quantityList', () => '{}'),
  quantities: listOf('quantityList', (index) => `{"epcClass":"urn:epc:class:lgtin:9521141.012345.L${index}","quantity":${index}.50,"uom":"KGM"}`),
  'transactions that are empty': listOf('bizTransactionList', () => '{}'),
  transactions: listOf('bizTransactionList', (index) => `{"type":"po","bizTransaction":"urn:epc:id:gdti:9521141.06012.${index}"}`),
  sources: listOf('sourceList', (index) => `{"type":"owning_party","source":"urn:epc:id:pgln:9521141.${String(index % 100_000).padStart(5, '0')}"}`),
  'sensor elements that are empty': listOf('sensorElementList', () => '{}'),
  'sensor reports that are empty': (length) =>
    filled(length, `{"@context":["${CONTEXT}"],${OBSERVE},"epcList":["${EPC}"],"sensorElementList":[{"sensorReport":[`, () => '{}', ']}]}'),
  'sensor reports': (length) =>
    filled(
      length,
      `{"@context":["${CONTEXT}"],${OBSERVE},"epcList":["${EPC}"],"sensorElementList":[{"sensorReport":[`,
      (index) => `{"type":"Temperature","value":${index}.25,"uom":"CEL"}`,
      ']}]}',
    ),
  certifications: listOf('certificationInfo', (index) => `"https://example.com/${index}"`),
  'corrective event IDs': (length) =>
    filled(
      length,
      `{"@context":["${CONTEXT}"],${OBSERVE},"epcList":["${EPC}"],"errorDeclaration":{"declarationTime":"2026-01-01T00:00:00Z","correctiveEventIDs":[`,
      (index) => `"urn:uuid:${index}"`,
      ']}}',
    ),
  'unknown members': inEvent(',', (index) => `"n${index}":1`, ''),
  'extension members': inEvent(',', (index) => `"ex:n${index}":"${index}"`, ''),
  'one extension member with a long list': inEvent(',"ex:list":[', (index) => `"${index}"`),
  'extension members below each other': inEvent(',"ex:list":[', () => nested('{"ex:a":', '}', 60).replace('}', '0}')),
  'one member name again and again': inEvent(',', () => '"ex:same":1', ''),
  'members of an ilmd': inEvent(',"ilmd":{', (index) => `"ex:n${index}":1`, '}'),
  'undeclared prefixes': inEvent(',', (index) => `"p${index}:n":1`, ''),
  'stamps that are forged': inEvent(',', (index) => `"spine:n${index}":1`, ''),
  'record times below each other': inEvent(',"ex:list":[', () => '{"recordTime":"x"}'),
  'long texts in an extension': inEvent(',"ex:list":[', () => `"${'text '.repeat(200)}"`),
  escapes: inEvent(',"ex:text":"', () => '\\u00e9', '"', ''),
  'short escapes': inEvent(',"ex:text":"', () => '\\n', '"', ''),
  'one long text': inEvent(',"ex:text":"', () => 'abcdefgh', '"', ''),
  'one long name': (length) => repeated(length, `{"@context":["${CONTEXT}"],${OBSERVE},"epcList":[],"ex:`, 'n', '":1}'),
  'one long number': inEvent(',"ex:n":1.', () => '10', '', ''),
  'numbers with exponents': inEvent(',"ex:list":[', (index) => `1.5e${index % 300}`),
  'one long time': (length) =>
    repeated(
      length,
      `{"@context":["${CONTEXT}"],"type":"ObjectEvent","action":"OBSERVE","epcList":["${EPC}"],"eventTimeZoneOffset":"+00:00","eventTime":"2026-01-01T00:00:00.`,
      '0',
      'Z"}',
    ),
  'one long URI': (length) => repeated(length, `{"@context":["${CONTEXT}"],${OBSERVE},"epcList":["urn:x:`, '%41', '"]}'),
  'arrays at the depth that is taken': inEvent(',"ex:list":[', () => nested('[', ']', 120)),
  'arrays too deep': (length) => repeated(length, '', '[', ''),
  'objects too deep': (length) => repeated(length, '', '{"a":', ''),
  'contexts that are numbers': contextOf(() => '1'),
  'contexts that are addresses': contextOf((index) => `"https://ref.gs1.org/standards/c/${index}"`),
  'contexts that are unknown addresses': contextOf((index) => `"https://c.example/${index}"`),
  'contexts of one term each': contextOf((index) => `{"p${index}":"https://ns.example/${index}/"}`),
  'contexts that declare one prefix': contextOf((index) => `{"p":"https://ns.example/${index}/"}`),
  'contexts that declare spine': contextOf((index) => `{"spine${index}":"https://ns.example/${index}/"}`),
  'a context of many terms': contextOf((index) => `"p${index}":"https://ns.example/${index}/"`, '{', '}'),
  'a context of a chain of prefixes': contextOf((index) => `"p${index}":"p${index + 1}:x"`, '{', '}'),
  'a context of a chain of prefixes, backwards': contextOf((index) => `"p${index}":"p${index - 1}:x"`, '{', '}'),
  'a context of null terms': contextOf((index) => `"p${index}":null`, '{', '}'),
  'a context of scoped contexts': contextOf((index) => `"p${index}":{"@id":"urn:p:${index}","@context":{}}`, '{', '}'),
  'contexts within each other': contextOf(() => nested('[', ']', 60)),
  'a large context over many events': contextTimesEvents((index) => `"p${index}":"https://ns.example/${index}/"`),
  'a long prefix used by many events': (length) => {
    const head = `{"@context":["${CONTEXT}",{"ex":"https://ns.example/${'x'.repeat(length / 2)}/"}],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[`;
    return filled(length, head, () => `{${OBSERVE},"epcList":["${EPC}"],"ex:a":1}`, ']}}');
  },
  'names with a long prefix': (length) => {
    const head = `{"@context":["${CONTEXT}",{"ex":"https://ns.example/${'x'.repeat(length / 2)}/"}],${OBSERVE},"epcList":["${EPC}"],`;
    return filled(length, head, (index) => `"ex:n${index}":1`, '}');
  },
  'names with a prefix of 2 kB': (length) => {
    const head = `{"@context":["${CONTEXT}",{"ex":"https://ns.example/${'x'.repeat(2000)}/"}],${OBSERVE},"epcList":["${EPC}"],`;
    return filled(length, head, (index) => `"ex:n${index}":1`, '}');
  },
  'events that each declare a context': events((index) => `{"@context":{"p${index}":"https://ns.example/"},${OBSERVE},"epcList":["${EPC}"],"p${index}:a":1}`),
  'master data': (length) =>
    filled(
      length,
      `{"@context":["${CONTEXT}"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisHeader":{"epcisMasterData":{"vocabularyList":[{"type":"urn:epcglobal:epcis:vtype:Location","vocabularyElementList":[`,
      (index) => `{"id":"urn:epc:id:sgln:9521141.00001.${index}","attributes":[{"id":"urn:epcglobal:cbv:mda:name","attribute":"x"}]}`,
      `]}]}},"epcisBody":{"eventList":[${smallEvent(1)}]}}`,
    ),
  'objects below long names': belowLongNames(() => '{}'),
  'contexts below long names': belowLongNames(() => '{"@context":{"z":"urn:z:"}}'),
  'refused contexts below long names': belowLongNames(() => '{"@context":{"z":null}}'),
  'repeated names below long names': belowLongNames(() => '{"a":1,"a":1}'),
  'comments below long names': belowLongNames((index) => `{"rdfs:comment":"${index}"}`),
  'a list under a long name': inEvent(`,"ex:a":{"ex:${'n'.repeat(8000)}":[`, () => '{}', ']}'),
  'error declarations that name other events': events(
    (index) =>
      `{${OBSERVE},"eventID":"ni:///sha-256;${index.toString(16).padStart(64, '0')}?ver=CBV2.0","errorDeclaration":{"declarationTime":"2026-01-01T00:00:00Z"},"epcList":["${EPC}"]}`,
  ),
  'small events under terms that grow': (length) => {
    const terms = filled(length / 10, '', (index) => (index === 0 ? '"p0":"urn:x:"' : `"p${index}":"p${index - 1}:xxxxxxxxxx:"`), '');
    return filled(length, documentHead.replace(`"${CONTEXT}"`, `"${CONTEXT}",{${terms}}`), smallEvent, ']}}');
  },
  'white space': (length) => repeated(length, '', '    \n', smallEvent(1)),
  'a text cut off': (length) => events(smallEvent)(length).slice(0, -3),
};

const xmlHead = (version: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:${version[0]}" schemaVersion="${version}" creationDate="2026-01-01T00:00:00Z"${more}>`;
const xmlTail = '</epcis:EPCISDocument>';
const listHead = '<EPCISBody><EventList>';
const listTail = `</EventList></EPCISBody>${xmlTail}`;
const xmlCommon = '<eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>';
const objectEvent = (epcs: string, more = '') => `<ObjectEvent>${xmlCommon}<epcList>${epcs}</epcList><action>OBSERVE</action>${more}</ObjectEvent>`;
const xmlEpc = (index: number) => `<epc>urn:epc:id:sgtin:9521141.012345.${index}</epc>`;
const xmlEvents =
  (unit: Unit, version = '1.2', more = ''): Body =>
  (length) =>
    filled(length, xmlHead(version, more) + listHead, unit, listTail, '');
const inXmlEvent =
  (open: string, unit: Unit, close: string, version = '1.2', more = ' xmlns:ex="https://ns.example/"'): Body =>
  (length) =>
    filled(length, `${xmlHead(version, more)}${listHead}<ObjectEvent>${xmlCommon}${open}`, unit, `${close}</ObjectEvent>${listTail}`, '');
const behind = (unit: Unit, close = '', open = '') => inXmlEvent(`<epcList>${xmlEpc(1)}</epcList><action>OBSERVE</action>${open}`, unit, close);

/** One vocabulary element with many units in it. */
const inMasterData = (length: number, unit: Unit, close = '', open = '') =>
  filled(
    length,
    `${xmlHead('1.2')}<EPCISHeader><extension><EPCISMasterData><VocabularyList><Vocabulary type="urn:epcglobal:epcis:vtype:Location"><VocabularyElementList><VocabularyElement id="urn:epc:id:sgln:9521141.00001.0">${open}`,
    unit,
    `${close}</VocabularyElement></VocabularyElementList></Vocabulary></VocabularyList></EPCISMasterData></extension></EPCISHeader>${listHead}${listTail}`,
    '',
  );

/** Master data with many elements. */
const xmlMasterData: Body = (length) =>
  filled(
    length,
    `${xmlHead('1.2')}<EPCISHeader><extension><EPCISMasterData><VocabularyList><Vocabulary type="urn:epcglobal:epcis:vtype:Location"><VocabularyElementList>`,
    (index) => `<VocabularyElement id="urn:epc:id:sgln:9521141.00001.${index}"><attribute id="urn:epcglobal:cbv:mda:name">x</attribute></VocabularyElement>`,
    `</VocabularyElementList></Vocabulary></VocabularyList></EPCISMasterData></extension></EPCISHeader>${listHead}${listTail}`,
    '',
  );

/** XML for the endpoints that accept it. */
const xml: Bodies = {
  'small events': xmlEvents((index) => objectEvent(xmlEpc(index))),
  'small events of 2.0': xmlEvents((index) => objectEvent(xmlEpc(index)), '2.0'),
  'events of nothing': xmlEvents(() => '<ObjectEvent/>'),
  'unknown events': xmlEvents((index) => `<ex:Event${index} xmlns:ex="https://ns.example/"/>`),
  'unknown events of one name': xmlEvents(() => '<x/>'),
  'events with a faulty time': xmlEvents((index) => `<ObjectEvent><eventTime>yesterday</eventTime><epcList>${xmlEpc(index)}</epcList></ObjectEvent>`),
  'events with a misspelt bizStep': xmlEvents((index) => objectEvent(xmlEpc(index), '<bizStep>urn:epcglobal:cbv:bizstep:shiping</bizStep>')),
  'empty EPCs': inXmlEvent('<epcList>', () => '<epc/>', '</epcList><action>ADD</action>'),
  'EPCs that are no URIs': inXmlEvent('<epcList>', () => '<epc>a b</epc>', '</epcList><action>ADD</action>'),
  'EPCs that differ': inXmlEvent('<epcList>', xmlEpc, '</epcList><action>ADD</action>'),
  'EPCs that are equal': inXmlEvent('<epcList>', () => xmlEpc(1), '</epcList><action>ADD</action>'),
  'empty quantities': behind(() => '<quantityElement/>', '</quantityList></extension>', '<extension><quantityList>'),
  'empty transactions': behind(() => '<bizTransaction/>', '</bizTransactionList>', '<bizTransactionList>'),
  'empty sources': behind(() => '<source/>', '</sourceList></extension>', '<extension><sourceList>'),
  'sensor elements': behind(() => '<sensorElement/>', '</sensorElementList></extension></extension>', '<extension><extension><sensorElementList>'),
  'sensor reports': behind(
    (index) => `<sensorReport type="gs1:Temperature" value="${index}" uom="CEL"/>`,
    '</sensorElement></sensorElementList></extension></extension>',
    '<extension><extension><sensorElementList><sensorElement>',
  ),
  'extension elements': behind((index) => `<ex:a>${index}</ex:a>`),
  'extension elements of many names': behind((index) => `<ex:a${index}/>`),
  'extension elements of many names in a namespace of 1 kB': inXmlEvent(
    `<epcList>${xmlEpc(1)}</epcList><action>OBSERVE</action>`,
    (index) => `<ex:a${index}/>`,
    '',
    '1.2',
    ` xmlns:ex="https://ns.example/${'x'.repeat(1000)}"`,
  ),
  'empty extension elements': behind(() => '<ex:a/>'),
  'attributes of one extension': (length) =>
    filled(
      length,
      `${xmlHead('1.2', ' xmlns:ex="https://ns.example/"')}${listHead}<ObjectEvent>${xmlCommon}<epcList/><action>ADD</action><ex:a`,
      (index) => ` a${index}="1"`,
      `/></ObjectEvent>${listTail}`,
      '',
    ),
  'attributes of extensions': behind((index) => `<ex:a b="${index}" c="2"/>`),
  'attributes of standard elements': xmlEvents((index) => `<ObjectEvent a="${index}">${xmlCommon}<epcList/><action>ADD</action></ObjectEvent>`),
  'xsi attributes': behind(() => '<ex:a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ex:b"/>'),
  'a prefix declared again and again': behind((index) => `<ex:a xmlns:ex="https://ns.example/${index}/"/>`),
  'a default namespace declared again and again': behind((index) => `<a xmlns="https://ns.example/${index}/"/>`),
  'prefixes declared at the root': (length) => {
    const declared = filled(length - 1000, '', (index) => ` xmlns:p${index}="https://ns.example/${index}/"`, '', '');
    return `${xmlHead('1.2', declared)}${listHead}${objectEvent(xmlEpc(1))}${listTail}`;
  },
  'prefixes declared by each event': xmlEvents(
    (index) => `<ObjectEvent xmlns:p${index}="https://ns.example/">${xmlCommon}<epcList/><action>ADD</action><p${index}:a>1</p${index}:a></ObjectEvent>`,
  ),
  'elements below each other': behind(() => nested('<ex:a>', '</ex:a>', 60)),
  'elements too deep': (length) => repeated(length, xmlHead('1.2') + listHead, '<a>', ''),
  'text and elements in turn': behind(() => 'text<ex:b/>', '</ex:a>', '<ex:a>'),
  'one long text': behind(() => 'abcdefgh', '</ex:a>', '<ex:a>'),
  'character references': behind(() => '&#233;', '</ex:a>', '<ex:a>'),
  'entity references': behind(() => '&amp;', '</ex:a>', '<ex:a>'),
  'CDATA sections': behind(() => '<![CDATA[a]]>', '</ex:a>', '<ex:a>'),
  comments: behind(() => '<!--c-->'),
  'processing instructions': behind(() => '<?p i?>'),
  'white space': behind(() => '   \n'),
  'one long attribute': (length) =>
    repeated(
      length,
      `${xmlHead('1.2', ' xmlns:ex="https://ns.example/"')}${listHead}<ObjectEvent>${xmlCommon}<epcList/><action>ADD</action><ex:a b="`,
      'abcdefgh',
      `"/></ObjectEvent>${listTail}`,
    ),
  'one long name': (length) => {
    const name = 'n'.repeat(Math.floor(length / 2) - 400);
    return `${xmlHead('1.2', ' xmlns:ex="https://ns.example/"')}${listHead}<ObjectEvent>${xmlCommon}<epcList/><action>ADD</action><ex:${name}></ex:${name}></ObjectEvent>${listTail}`;
  },
  'a header': (length) =>
    filled(
      length,
      `${xmlHead('1.2', ' xmlns:sbdh="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"')}<EPCISHeader><sbdh:StandardBusinessDocumentHeader><sbdh:HeaderVersion>1.0</sbdh:HeaderVersion>`,
      (index) => `<sbdh:Sender><sbdh:Identifier Authority="x">${index}</sbdh:Identifier></sbdh:Sender>`,
      `</sbdh:StandardBusinessDocumentHeader></EPCISHeader>${listHead}${objectEvent(xmlEpc(1))}${listTail}`,
      '',
    ),
  'elements of a user in the header': (length) =>
    filled(
      length,
      `${xmlHead('1.2', ' xmlns:ex="https://ns.example/"')}<EPCISHeader>`,
      (index) => `<ex:a>${index}</ex:a>`,
      `</EPCISHeader>${listHead}${objectEvent(xmlEpc(1))}${listTail}`,
      '',
    ),
  'master data': xmlMasterData,
  'attributes of one vocabulary element': (length) => inMasterData(length, (index) => `<attribute id="urn:epcglobal:cbv:mda#${index}">${index}</attribute>`),
  'attributes of one vocabulary element, of one name': (length) =>
    inMasterData(length, () => '<attribute id="urn:epcglobal:cbv:mda:name">some text</attribute>'),
  'attributes of one vocabulary element, empty': (length) => inMasterData(length, () => '<attribute id="urn:a"/>'),
  'attributes in an attribute of one vocabulary element': (length) =>
    inMasterData(length, (index) => `<ex:a${index}/>`, '</attribute>', '<attribute id="urn:a" xmlns:ex="https://ns.example/">'),
  'children of one vocabulary element': (length) =>
    inMasterData(length, (index) => `<id>urn:epc:id:sgln:9521141.00001.${index}</id>`, '</children>', '<children>'),
  ...Object.fromEntries(
    (
      [
        ['carriage returns', '\r'],
        ['carriage returns and line feeds', '\r\n'],
        ['carriage returns between letters', 'x\r'],
        ['line feeds', '\n'],
        ['tabs', '\t'],
        ['quotes', '"'],
        ['backslashes', '\\'],
        ['references to carriage returns', '&#13;'],
        ['references to quotes', '&quot;'],
        ['CDATA sections', '<![CDATA[\r]]>'],
      ] as const
    ).flatMap(([name, unit]): [string, Body][] => [
      [`${name} in an extension`, behind(() => unit.repeat(100), '</ex:a>', '<ex:a>')],
      [`${name} in an EPC`, inXmlEvent('<epcList><epc>', () => unit.repeat(100), '</epc></epcList><action>ADD</action>')],
      [`${name} in master data`, (length) => inMasterData(length, () => unit.repeat(100), '</attribute>', '<attribute id="urn:a">')],
      [
        `${name} in a header`,
        (length) =>
          filled(
            length,
            `${xmlHead('1.2')}<EPCISHeader><ex:a xmlns:ex="https://ns.example/">`,
            () => unit.repeat(100),
            `</ex:a></EPCISHeader>${listHead}${objectEvent(xmlEpc(1))}${listTail}`,
            '',
          ),
      ],
    ]),
  ),
  // As many characters that JSON escapes as are accepted outside of events, and as many others as fit into a body.
  'quotes and letters in a header': (length) =>
    filled(
      length,
      `${xmlHead('1.2')}<EPCISHeader><ex:h xmlns:ex="https://ns.example/">`,
      () => `<ex:a>${'"'.repeat(5500)}</ex:a><ex:b>${'x'.repeat(4400)}</ex:b>`,
      `</ex:h></EPCISHeader>${listHead}${objectEvent(xmlEpc(1))}${listTail}`,
      '',
    ),
  'carriage returns in an attribute': behind(() => '\r'.repeat(100), '"/>', '<ex:a b="'),
  'error declarations': xmlEvents(
    (index) =>
      `<ObjectEvent>${xmlCommon}<baseExtension><eventID>urn:uuid:${index}</eventID><errorDeclaration><declarationTime>2026-01-01T00:00:00Z</declarationTime></errorDeclaration></baseExtension><epcList/><action>ADD</action></ObjectEvent>`,
  ),
  'a document type': (length) => repeated(length, '<!DOCTYPE a [', '<!ENTITY a "b">', ']><a/>'),
  'a text cut off': (length) => xmlEvents((index) => objectEvent(xmlEpc(index)))(length).slice(0, -20),
  'no XML at all': (length) => repeated(length, '', 'abc ', ''),
};

/** Events whose proofs are asked for and verified. */
const PROVED = ['EPCs that differ', 'extension members', 'arrays at the depth that is taken', 'short escapes', 'one long text', 'names with a prefix of 2 kB'];
/** A proof of a stored event; a leaf comes seconds after the capture. */
const proofOf = (answer: Answer, more = '') => `/log/proof?event=${answer.headers.location?.split('/events/')[1]}${more}`;

/** The bodies of these names. */
const chosen = (bodies: Bodies, ...names: string[]) => names.map((name) => [name, bodyOf(bodies, name)] as const);

/** Every shape. */
export const shapes: readonly Shape[] = [
  ...Object.entries(json).flatMap(([name, body]): Shape[] => [
    { name: `validate: ${name}`, path: '/validate', mediaType: 'application/json', body },
    { name: `check: ${name}`, path: '/check', mediaType: 'application/json', body },
    { name: `hash: ${name}`, path: '/hash', mediaType: 'application/json', body },
    { name: `hash with strings: ${name}`, path: '/hash?prehash=true&profile=REF2025', mediaType: 'application/json', body },
    {
      name: `capture: ${name}`,
      path: '/mcp',
      mediaType: 'application/json',
      keyed: true,
      body: (length) => message('capture', `{"dryRun":true,"document":${body(length - 200)}}`),
    },
  ]),
  ...chosen(json, 'small events', 'EPCs that differ', 'extension members', 'one long text').map(
    ([name, body]): Shape => ({
      name: `capture and store: ${name}`,
      path: '/mcp',
      mediaType: 'application/json',
      keyed: true,
      body: (length) =>
        message('capture', `{"document":${body(length - 200).replaceAll('9521141.012345.', `9521141.${String(length % 1_000_000).padStart(6, '0')}.`)}}`),
    }),
  ),
  ...chosen(json, 'small events', 'one event many times', 'numbers', 'EPCs that differ').map(
    ([name, body]): Shape => ({
      name: `binding, capture: ${name}`,
      path: '/capture',
      mediaType: 'application/json',
      keyed: true,
      body,
    }),
  ),
  ...Object.entries(json).map(
    ([name, body]): Shape => ({
      name: `binding, proceed: ${name}`,
      path: '/capture',
      mediaType: 'application/json',
      keyed: true,
      // One event is wrong, so that all events are processed one by one.
      headers: { 'gs1-capture-error-behaviour': 'proceed' },
      body: (length) => body(length).replace('"OBSERVE"', '"LOOK"'),
    }),
  ),
  ...Object.entries(xml).map(([name, body]) => ({
    name: `binding, capture of XML: ${name}`,
    path: '/capture',
    mediaType: 'application/xml',
    keyed: true,
    body,
  })),
  ...Object.entries(xml).map(([name, body]) => ({ name: `translate: ${name}`, path: '/translate', mediaType: 'application/xml', body })),
  ...Object.entries(xml).map(([name, body]) => ({ name: `check XML: ${name}`, path: '/check', mediaType: 'application/xml', body })),
  ...chosen(xml, 'small events', 'extension elements', 'empty EPCs', 'a header').map(
    ([name, body]): Shape => ({
      name: `translate as a tool: ${name}`,
      path: '/mcp',
      mediaType: 'application/json',
      body: (length) => message('translate', JSON.stringify({ xml: body(length * 0.85 - 200) })),
    }),
  ),
  ...Object.entries(packs).map(([name, body]) => ({ name: `check with a pack: ${name}`, path: '/check', mediaType: 'application/json', body })),
  ...Object.entries(mixtures(json, xml)).flatMap(([name, { isXml, body }]) => {
    const mediaType = isXml ? 'application/xml' : 'application/json';
    const doors = isXml ? ['/translate', '/check'] : ['/validate', '/check', '/hash'];
    return [
      ...doors.map((path) => ({ name: `mixture, ${path.slice(1)}: ${name}`, path, mediaType, body })),
      { name: `mixture, binding: ${name}`, path: '/capture', mediaType, keyed: true, body },
    ];
  }),
  ...Object.entries(namedQueries).map(
    ([name, body]): Shape => ({
      name: `named query: ${name}`,
      path: '/queries',
      mediaType: 'application/json',
      keyed: true,
      body,
      stored: smallEvents,
      follow: (answer) => ({ path: `${answer.headers.location}/events?perPage=1000` }),
    }),
  ),
  ...Object.entries(histories).map(([name, { body, question }]) => ({
    name: `follow: ${name}`,
    path: '/capture',
    mediaType: 'application/json',
    keyed: true,
    body,
    follow: () => ({ path: '/follow', question: JSON.stringify(question) }),
  })),
  // A recall has the most rows; a passport has all containers of each presence in a cell.
  ...Object.entries(histories).flatMap(([name, { body, question }]) =>
    [
      ['recall', question],
      ['passport', { ...question, items: question.items.slice(0, 1) }],
      ['received', question],
    ].map(([report, asked]) => ({
      name: `report ${report}: ${name}`,
      path: '/capture',
      mediaType: 'application/json',
      keyed: true,
      body,
      follow: () => ({ path: `/report/${report}`, question: JSON.stringify(asked) }),
    })),
  ),
  ...Object.entries<readonly [body: Body, rest: string]>({
    'long elements': [elements, '?perPage=1000'],
    'an element of many attributes': [attributes, ''],
    'elements of many children': [links, '?perPage=1000'],
    'one element': [attributes, '/urn:x:place-0'],
    'as of a time': [elements, '?perPage=1000&at=2030-01-01T00:00:00Z'],
  }).map(([name, [body, rest]]) => ({
    name: `master data: ${name}`,
    path: '/capture',
    mediaType: 'application/json',
    keyed: true,
    body,
    follow: () => ({ path: `/masterdata/Location${rest}` }),
  })),
  {
    name: 'master data: XML of long elements',
    path: '/capture',
    mediaType: 'application/xml',
    keyed: true,
    body: xmlMasterData,
    follow: () => ({ path: '/masterdata/Location?perPage=1000' }),
  },
  ...chosen(json, ...PROVED).flatMap(([name, body]) =>
    (
      [
        ['proof', {}, ''],
        ['receipt', {}, '&format=cose'],
        ['disclosure', { verify: 'verifyAll' }, ''],
        ['receipt, verified', { verify: 'verifyProof' }, '&format=cose'],
      ] as const
    ).map(
      ([what, more, rest]): Shape => ({
        name: `${what}: ${name}`,
        path: '/events',
        mediaType: 'application/json',
        keyed: true,
        logged: true,
        // An event may have 8 MiB with what is stored beside it.
        body: (length) => body(length * 0.75),
        follow: (answer) => ({ path: proofOf(answer, rest) }),
        ...more,
      }),
    ),
  ),
  {
    name: 'page of proofs: small events',
    path: '/capture',
    mediaType: 'application/json',
    keyed: true,
    logged: true,
    body: smallEvents,
    follow: () => ({ path: '/log/proofs?perPage=1000' }),
    verify: 'verifyProofs',
  },
  ...Object.entries(orders).map(([name, body]) => ({ name: `log: ${name}`, path: '/log/order', mediaType: 'text/plain', logged: true, body })),
  ...Object.entries(verified).map(([name, [call, args]]) => ({ name: `verify: ${name}`, call, args })),
  ...['/follow', '/report/recall'].map(
    (path): Shape => ({
      name: `${path.split('/')[1]}: items without end`,
      path,
      mediaType: 'application/json',
      keyed: true,
      body: (length) => filled(length, '{"items":[', (n: number) => `"urn:x:${n}"`, ']}'),
    }),
  ),
  ...chosen(json, 'numbers', 'extension members', 'names with a long prefix').map(
    ([name, body]): Shape => ({
      name: `one event: ${name}`,
      path: '/events',
      mediaType: 'application/json',
      keyed: true,
      body,
    }),
  ),
  ...Object.entries(tools).map(([name, body]) => ({ name, path: '/mcp', mediaType: 'application/json', keyed: true, body })),
];
