// What `epcis-edge follow --help` says.
import type { Help } from '../command.ts';

/** The options about items and how far they are followed, which `report` has, too. */
export const QUESTION: Pick<Help, 'options'> & Readonly<Record<'item' | 'time' | 'through', Help['explains'][number]>> = {
  options: {
    item: { type: 'string', multiple: true },
    direction: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    depth: { type: 'string' },
    'max-events': { type: 'string' },
    kin: { type: 'boolean' },
    through: { type: 'string' },
    contents: { type: 'string' },
  },
  item: ['--item ID', 'an instance, a lot, a class (a GTIN: each lot and serial of it) or a URI of your own, in any spelling; up to 100 times'],
  time: ['--from, --to TIME', 'only events at or after --from and before --to, such as 2026-03-04T10:00:00Z'],
  through: ['--through NAMES', 'the ties that count: packing, transformation, association, separated by commas; the first two by default'],
};

export const FOLLOW: Help = {
  does: 'follow items through containers and transformations: what happened to them, what they were made of, what was made of them',
  usage: 'epcis-edge follow [FILE…] --item ID [--item ID] [OPTIONS] [--json] [--quiet] [-o FILE]',
  examples: [
    'epcis-edge follow --item urn:epc:id:sscc:9521141.1234567890 --contents followed document.json',
    "epcis-edge follow --item urn:epc:class:lgtin:4012345.012345.998877 --kin 'in/**/*.xml'",
    'epcis-edge follow --item urn:epc:id:sscc:9521141.1234567890 --master-data products.csv document.json',
    'EPCIS_EDGE_KEY=… epcis-edge follow --gateway https://epcis.example.com --item urn:epc:id:sscc:9521141.1234567890 --json',
  ],
  options: {
    ...QUESTION.options,
    gateway: { type: 'string' },
    'master-data': { type: 'string', multiple: true },
  },
  explains: [
    QUESTION.item,
    ['--direction WORD', 'back: what it came from; forth: where it went, and what was made of it; both (the default)'],
    QUESTION.time,
    ['--depth NUMBER', 'the most packings and transformations between an item and an event, 1 to 64; 32 by default'],
    ['--max-events NUMBER', 'the most events of the answer, 1 to 10000; 1000 by default'],
    ['--kin', 'follow everything that is found both ways, as a recall needs it; excludes --direction'],
    QUESTION.through,
    ['--contents RULE', 'of an item that was a container: listed (the default), followed or none'],
    ['--gateway URL', 'the events of a gateway that your key may read, instead of files'],
    ['--master-data FILE', 'names to show, before those of headers or the gateway: EPCIS, or CSV with the columns id and name; repeatable'],
    ['EPCIS_EDGE_KEY', 'environment variable, for --gateway: a key of the gateway with the right to query'],
    ['--json', 'one object: the answer, after files (file, line, events) or gateway, and names (by identifier)'],
    ['', 'Several files are one list of events, in the order given. XML is translated first, and its losses go to standard error.'],
    ['', 'Exit code 3 if nothing was found, or a file is missing; then the answer of the others is marked as not complete.'],
  ],
};
