// Documents that are costly in several ways at once: each mixes the events of several other shapes.
import { type Bodies, type Body, bodyOf } from './text.ts';

/** The events of a JSON document, as text; undefined if it is not a document with a list of events. */
function eventsOf(text: string) {
  const start = text.indexOf('"eventList":[');
  return start < 0 ? undefined : text.slice(start + '"eventList":['.length, -']}}'.length);
}

/** Combines shapes of JSON documents into one document; each gets an equal part of the length. */
const joined =
  (...shapes: Body[]): Body =>
  (length) => {
    const texts = shapes.map((shape) => shape(Math.floor(length / shapes.length)));
    const [first = ''] = texts;
    const head = first.slice(0, first.indexOf('"eventList":[') + '"eventList":['.length);
    return `${head}${texts.map(eventsOf).join(',')}]}}`;
  };

const LIST = '<EventList>';

/** Combines shapes of XML documents, with the header and the declarations of the first one. */
const joinedXml =
  (...shapes: Body[]): Body =>
  (length) => {
    const texts = shapes.map((shape) => shape(Math.floor(length / shapes.length)));
    const events = texts.map((text) => text.slice(text.indexOf(LIST) + LIST.length, text.lastIndexOf('</EventList>')));
    const [first = ''] = texts;
    const head = first.slice(0, first.indexOf(LIST) + LIST.length);
    const root = head.slice(0, head.indexOf(' schemaVersion='));
    const declared = root.includes('xmlns:ex=') ? root : `${root} xmlns:ex="https://ns.example/"`;
    return declared + head.slice(root.length) + events.join('') + first.slice(first.lastIndexOf('</EventList>'));
  };

/** The mixtures of JSON and XML shapes: name to `{isXml, body(length)}`. */
export function mixtures(json: Bodies, xml: Bodies): Readonly<Record<string, { readonly isXml: boolean; readonly body: Body }>> {
  const ofJson = (...names: string[]) => ({ isXml: false, body: joined(...names.map((name) => bodyOf(json, name))) });
  const ofXml = (...names: string[]) => ({ isXml: true, body: joinedXml(...names.map((name) => bodyOf(xml, name))) });
  return {
    'faults, long texts and unknown members': ofJson('events with a misspelt bizStep', 'events with 20 kB of faulty text', 'events with an unknown member'),
    'small, empty and equal events': ofJson('small events', 'events that are empty objects', 'one event many times'),
    'hash names, sensors and numbers': ofJson('events with eventIDs that are no hash', 'aggregations of sensor elements', 'events that are numbers'),
    'master data of many attributes, carriage returns': ofXml('attributes of one vocabulary element', 'carriage returns in an extension'),
    'extensions, sensor reports and faults': ofXml('extension elements', 'sensor reports', 'events with a faulty time'),
    'a header, carriage returns and EPCs': ofXml('carriage returns in a header', 'quotes in an extension', 'EPCs that differ'),
    'master data of carriage returns, tabs and small events': ofXml('carriage returns in master data', 'tabs in an extension', 'small events'),
  };
}
