// The commands: their names, options, help texts and functions.
import { EpcisError } from '../../engine/error.ts';
import type { Command, Help, Run } from '../command.ts';
import { complain, EXIT } from '../each.ts';
import { audit } from './audit.ts';
import { FIX } from './fix-help.ts';
import { FOLLOW } from './follow-help.ts';
import { hash, verify } from './hash.ts';
import { id } from './id.ts';
import { disclose, prove, verifyDisclosure, verifyProof, verifyProofs } from './log.ts';
import { fsck, log } from './operate.ts';
import { REPORT } from './report-help.ts';
import { lsp, mcp } from './serve.ts';
import { toXml, translate } from './translate.ts';

// These load engines of their own.
const validate: Run = async (...given) => (await import('./validate.ts')).validate(...given);
const check: Run = async (...given) => (await import('./check.ts')).check(...given);
const fix: Run = async (...given) => (await import('./fix.ts')).fix(...given);
const follow: Run = async (...given) => (await import('./follow.ts')).follow(...given);
const report: Run = async (...given) => (await import('./report.ts')).report(...given);

/** Wraps a command whose refusals are results: a refusal is printed, and the exit code is "not found" or "invalid". */
const refusing =
  (command: Run): Run =>
  async (names, options, output) => {
    try {
      return await command(names, options, output);
    } catch (error) {
      if (!(error instanceof EpcisError)) throw error;
      complain(error, undefined, options.json, error.hint);
      return error.problem.status === 404 ? EXIT.notFound : EXIT.invalid;
    }
  };

const PREFIXES: Help['options'] = { context: { type: 'string' }, undeclared: { type: 'string' } };
const EXPLAIN_PREFIXES: Help['explains'] = [
  ['--context FILE', 'a JSON file with the @context that declares the prefixes, for events taken out of their document'],
  ['--undeclared RULE', 'how to treat an undeclared prefix: refuse (the default) or keep the name as written'],
];

export const COMMANDS: Readonly<Record<string, Command>> = {
  validate: {
    does: 'validate against the official schemas: EPCIS 2.0.1 for JSON, 1.2 or 2.0 for XML',
    usage: 'epcis-edge validate [FILE…] [--engine compiled|jsonschema] [--format text|json|github|junit] [--json] [--quiet] [-o FILE]',
    examples: [
      'epcis-edge validate document.json',
      'epcis-edge validate document.xml',
      "epcis-edge validate --quiet 'in/**/*.json'",
      'epcis-edge validate --format junit in -o report.xml',
      'curl -s https://example.com/events | epcis-edge validate --json',
    ],
    options: { engine: { type: 'string' }, format: { type: 'string' } },
    explains: [
      ['--engine NAME', 'compiled (the default), or jsonschema for a second opinion on JSON up to 64 KiB'],
      ['--format NAME', 'text (the default); json, same as --json; github, annotations for pull requests; junit, XML for CI servers'],
      ['--json', 'one JSON line per document: file, line (of NDJSON), valid, schema, errors'],
      ['--quiet', 'report only invalid documents'],
    ],
    run: validate,
  },
  check: {
    does: 'check what the schemas cannot: identifiers, contradictions between events, vocabulary; JSON, NDJSON or XML',
    usage:
      'epcis-edge check [FILE…] [--packs NAMES] [--pack FILE] [--parameter NAME=VALUE]… [--format text|json|sarif|github|junit] [--strict] [--json] [--quiet] [-o FILE]',
    examples: [
      'epcis-edge check document.json',
      "epcis-edge check --packs identifiers,cbv 'in/**/*.xml'",
      'epcis-edge check --pack our-rules.json document.json',
      'epcis-edge check --packs dscsa --parameter own=9521141000011 --parameter direction=inbound shipment.xml',
      'epcis-edge check --format sarif document.json -o findings.sarif',
    ],
    options: {
      packs: { type: 'string' },
      pack: { type: 'string' },
      parameter: { type: 'string', multiple: true },
      format: { type: 'string' },
      strict: { type: 'boolean' },
    },
    explains: [
      [
        '--packs NAMES',
        'the packs of rules, separated by commas: identifiers, consistency, cbv (the default), fsma204, walmart, serialised-medicine, dscsa, gdst',
      ],
      ['--pack FILE', 'a pack with your own rules; without --packs it runs alone'],
      [
        '--parameter NAME=VALUE',
        'what a pack asks of you; may be repeated, also for one name: dscsa takes own (your GLNs) and direction (inbound or outbound)',
      ],
      [
        '--format NAME',
        'text (the default); json, same as --json; sarif (2.1.0), one log for all files; github, annotations for pull requests; junit, XML for CI servers',
      ],
      ['--strict', 'exit code 4 for warnings, and for a document that a chosen pack is not for'],
      ['--json', 'one JSON line per document: file, line (of NDJSON), packs, events, counts, rules, findings'],
      ['--quiet', 'report only documents with findings'],
    ],
    run: check,
  },
  fix: { ...FIX, run: fix },
  hash: {
    does: 'compute the CBV event hashes of JSON, NDJSON or XML, one URI per line',
    usage: 'epcis-edge hash [FILE…] [--profile CBV2.0|CBV2.1|REF2025] [--prehash] [--context FILE] [--undeclared refuse|keep] [--json] [--quiet] [-o FILE]',
    examples: [
      'epcis-edge hash document.json',
      'epcis-edge translate --ndjson document.xml | epcis-edge hash',
      'epcis-edge hash --prehash --profile REF2025 event.json',
      'epcis-edge hash --context document.json event.json',
    ],
    options: { profile: { type: 'string' }, prehash: { type: 'boolean' }, ...PREFIXES },
    explains: [
      ['--profile NAME', 'the hash profile: CBV2.0 (the standard, the default), CBV2.1 (draft) or REF2025 (what the 2025 reference code computes)'],
      ['--prehash', 'print the pre-hash strings instead of the hashes'],
      ...EXPLAIN_PREFIXES,
      ['--json', 'one JSON line per document: file, line (of NDJSON), profile, hashes, preHashStrings'],
      ['', 'with several files, each line begins with the file name'],
    ],
    run: hash,
  },
  verify: {
    does: 'check whether each eventID in hash form is the hash of its event, and under which profile',
    usage: 'epcis-edge verify [FILE…] [--context FILE] [--undeclared refuse|keep] [--json] [--quiet] [-o FILE]',
    examples: ['epcis-edge verify captured.json', 'epcis-edge verify --quiet events.ndjson'],
    options: { ...PREFIXES },
    explains: [
      ...EXPLAIN_PREFIXES,
      ['--json', 'one JSON line per document: file, line (of NDJSON), events with result and profiles'],
      ['--quiet', 'report only eventIDs that do not match'],
    ],
    run: verify,
  },
  translate: {
    does: 'translate EPCIS 1.0, 1.1, 1.2 or 2.0 XML to EPCIS 2.0 JSON-LD; losses are reported on standard error',
    usage: 'epcis-edge translate [FILE…] [--strict] [--invalid keep] [--json | --ndjson] [--quiet] [-o FILE]',
    examples: [
      'epcis-edge translate document.xml -o document.json',
      'epcis-edge translate --strict --json document.xml',
      'epcis-edge translate --ndjson larger-than-memory.xml > events.ndjson',
    ],
    options: { strict: { type: 'boolean' }, ndjson: { type: 'boolean' }, invalid: { type: 'string' } },
    explains: [
      ['--strict', 'exit code 4 when something is lost in a round trip'],
      ['--invalid keep', 'write the JSON even if it is not valid: the errors go to standard error, exit code 4'],
      ['--json', 'one JSON line per file: file, document, fidelityReport and more'],
      ['--ndjson', 'one event per line with its own @context, in little memory; invalid events are held back and reported at the end'],
      ['--quiet', 'do not report losses'],
    ],
    run: translate,
  },
  'to-xml': {
    does: 'translate EPCIS 2.0 JSON-LD to XML; losses are reported on standard error',
    usage: 'epcis-edge to-xml [FILE…] [--xml-version 2.0|1.2] [--strict] [--json] [--quiet] [-o FILE]',
    examples: ['epcis-edge to-xml --xml-version 1.2 document.json > document.xml'],
    options: { 'xml-version': { type: 'string' }, strict: { type: 'boolean' } },
    explains: [
      ['--xml-version VERSION', '2.0 (the default) or 1.2'],
      ['--strict', 'exit code 4 when something is lost in a round trip'],
      ['--json', 'one JSON line per document: file, line (of NDJSON), document, report'],
      ['--quiet', 'do not report losses'],
    ],
    run: toXml,
  },
  id: {
    does: 'convert an EPC URN to the canonical GS1 Digital Link, or back',
    usage: 'epcis-edge id IDENTIFIER… [--to-urn LENGTH-OF-COMPANY-PREFIX] [--json] [-o FILE]',
    examples: ['epcis-edge id urn:epc:id:sgtin:9521141.012345.7', 'epcis-edge id --to-urn 7 https://id.gs1.org/00/095211410000000016'],
    options: { 'to-urn': { type: 'string' } },
    explains: [
      ['--to-urn LENGTH', 'from Digital Link to URN; LENGTH is the number of digits of the company prefix, 6 to 12'],
      ['--json', 'one JSON line per identifier: identifier, digitalLink or epcURN'],
    ],
    run: id,
  },
  follow: { ...FOLLOW, run: refusing(follow) },
  report: { ...REPORT, run: refusing(report) },
  prove: {
    does: 'fetch the proof that a gateway has logged an event: a tlog-proof',
    usage: 'epcis-edge prove GATEWAY EVENT-ID|--query QUERY [--declaration NUMBER] [--format tlog|cose] [--event FILE] [--json] [-o FILE]',
    examples: ["EPCIS_EDGE_KEY=… epcis-edge prove https://epcis.example.com 'ni:///sha-256;…?ver=CBV2.0' --event event.json -o event.tlog-proof"],
    options: {
      declaration: { type: 'string' },
      event: { type: 'string' },
      query: { type: 'string' },
      format: { type: 'string' },
    },
    explains: [
      ['--declaration NUMBER', 'prove an error declaration of the event instead: its number, counted from 1'],
      ['--format NAME', 'tlog (the default), or cose: a COSE receipt (RFC 9942), for software that cannot read a tlog-proof; it has no date'],
      ['--query QUERY', 'all matching events with their proofs, one page per line; parameters as for /events, such as EQ_bizStep=shipping'],
      ['--event FILE', 'write the event to FILE, byte for byte as the gateway sent it'],
      ['--json', 'one object: gateway, event, proof'],
      ['EPCIS_EDGE_KEY', 'environment variable: a key of the gateway with the right to query'],
    ],
    run: refusing(prove),
  },
  'verify-proof': {
    does: 'verify that an event was logged, offline, from its proof and a policy; every step is shown',
    usage: 'epcis-edge verify-proof EVENT-FILE PROOF-FILE --policy FILE [--json] [--quiet] [-o FILE]',
    examples: ['epcis-edge verify-proof event.json event.tlog-proof --policy partner.policy'],
    options: { policy: { type: 'string' } },
    explains: [
      ['--policy FILE', 'the trusted log and witnesses (C2SP tlog-policy), obtained separately from the proof'],
      ['--json', 'one object: file, valid, steps, origin, event, index, size, loggedBefore, loggedBeforeBy, cosignatures'],
      ['--quiet', 'print nothing if everything is proved'],
    ],
    run: refusing(verifyProof),
  },
  disclose: {
    does: 'show chosen fields of a logged event, and prove that they are part of it; the other fields stay secret',
    usage: 'epcis-edge disclose EVENT-FILE PROOF-FILE --show NAMES [--json] [-o FILE]',
    examples: ['epcis-edge disclose event.json event.tlog-proof --show epcList,eventTime,bizStep -o event.disclosure.json'],
    options: { show: { type: 'string' } },
    explains: [
      ['--show NAMES', 'names of members, or JSON Pointers such as /epcList/0, separated by commas; the name of a list shows all its entries'],
      ['--json', 'no effect: the output is always JSON'],
    ],
    run: refusing(disclose),
  },
  'verify-disclosure': {
    does: 'verify that the fields of a disclosure are part of a logged event, offline, with a policy',
    usage: 'epcis-edge verify-disclosure FILE --policy FILE [--json] [--quiet] [-o FILE]',
    examples: ['epcis-edge verify-disclosure event.disclosure.json --policy partner.policy'],
    options: { policy: { type: 'string' } },
    explains: [
      ['--policy FILE', 'the trusted log and witnesses (C2SP tlog-policy), obtained separately from the disclosure'],
      ['--json', 'one object: file, valid, steps, fields, withheld, recordTime, who, capturedBy, origin, index, size, loggedBefore, cosignatures'],
      ['--quiet', 'print nothing if everything is proved'],
    ],
    run: refusing(verifyDisclosure),
  },
  'verify-proofs': {
    does: 'verify all proofs in a file written by prove --query, and list those that fail',
    usage: 'epcis-edge verify-proofs FILE --policy FILE [--json] [--quiet] [-o FILE]',
    examples: ['epcis-edge verify-proofs shipped.proofs --policy partner.policy'],
    options: { policy: { type: 'string' } },
    explains: [
      ['--policy FILE', 'the trusted log and witnesses (C2SP tlog-policy), obtained separately from the proofs'],
      ['--json', 'one object: file, valid, count, proved, unproved, failed, pages'],
      ['--quiet', 'print nothing if everything is proved'],
    ],
    run: refusing(verifyProofs),
  },
  audit: {
    does: 'verify that the log of a gateway has only grown since the last audit; its head is kept for the next one',
    usage: 'epcis-edge audit GATEWAY [--policy FILE] [--state FILE] [--evidence FILE] [--max-age DURATION] [--json] [--quiet] [-o FILE]',
    examples: [
      'epcis-edge audit https://epcis.example.com',
      'epcis-edge audit https://epcis.example.com --state partner.json --policy partner.policy --max-age 2h',
    ],
    options: {
      state: { type: 'string' },
      policy: { type: 'string' },
      evidence: { type: 'string' },
      'max-age': { type: 'string' },
    },
    explains: [
      ['--policy FILE', 'the trusted log and witnesses; by default those of the last audit, and in the first audit those that the gateway names'],
      ['--state FILE', 'the file that keeps the head and policy between audits; <host>.audit.json by default'],
      ['--evidence FILE', 'the file for both heads if they contradict each other; <host>.evidence-<time>.json beside the state by default'],
      ['--max-age DURATION', 'exit code 4 unless a trusted witness has cosigned within this time: 90s, 15m, 2h or 3d'],
      ['--json', 'one object: gateway, origin, oldSize, size, witnesses, cosignatures, lastCosigned, seen, tiles, state'],
      ['--quiet', 'report only problems'],
    ],
    run: refusing(audit),
  },
  log: {
    does: 'for operators: show the status of the log of a gateway, or restart a halted log',
    usage: 'epcis-edge log status|restart GATEWAY [--json] [-o FILE]',
    examples: ['epcis-edge log status https://epcis.example.com', 'EPCIS_EDGE_LOG_KEY=… epcis-edge log restart https://epcis.example.com'],
    options: {},
    explains: [
      ['status', 'ok, lagging or halted, events without a leaf, and when each witness last cosigned; exit code 4 unless ok'],
      ['restart', 'continue after a halt, once the newer state of the database is restored; the witnesses are asked again before anything is signed'],
      ['--json', 'one object: gateway, origin, state, reason, size, eventsWithoutLeaf, witnesses'],
      ['EPCIS_EDGE_LOG_KEY', 'environment variable, for restart: the signing key of the log'],
    ],
    run: refusing(log),
  },
  fsck: {
    does: 'for operators: check that the database and the log agree: every event, leaf, tile and head',
    usage: 'epcis-edge fsck GATEWAY [--state FILE] [--json] [--quiet] [-o FILE]',
    examples: ['EPCIS_EDGE_LOG_KEY=… epcis-edge fsck https://epcis.example.com'],
    options: { state: { type: 'string' } },
    explains: [
      ['--state FILE', 'where an interrupted run continues; <host>.fsck.json by default, removed at the end'],
      ['--json', 'one object: gateway, from, size, heads, muted, faults'],
      ['--quiet', 'report only problems'],
      ['EPCIS_EDGE_LOG_KEY', 'environment variable: the signing key of the log'],
    ],
    run: refusing(fsck),
  },
  mcp: {
    does: 'run a Model Context Protocol server on standard input and output, for agents; its store lasts as long as the process',
    usage: 'epcis-edge mcp',
    examples: ['epcis-edge mcp', 'EPCIS_EDGE_ACCOUNT=https://example.com/accounts/1 EPCIS_EDGE_OBSERVER=https://id.gs1.org/417/9521141000007 epcis-edge mcp'],
    options: {},
    isServer: true,
    explains: [
      ['', 'Tools: capture, query, get_event, trace_epc, follow, report, master_data, translate, prove; validate, check, hash, verify, to_xml, identifier.'],
      ['', 'Environment variables:'],
      ['EPCIS_EDGE_ACCOUNT', 'the account that vouches for captured events, stamped as capturedBy; urn:epcis-edge:local:account by default'],
      ['EPCIS_EDGE_OBSERVER', 'the observer that attests captured events, stamped as who; urn:epcis-edge:local:observer by default'],
      ['EPCIS_EDGE_NAMESPACE', 'the namespace of these stamps, ending in /, # or :; urn:epcis-edge:local:spine: by default'],
      ['EPCIS_EDGE_ALLOWED_CONTEXTS', 'allowed prefixes of context addresses besides the official ones, separated by spaces'],
      [
        'EPCIS_EDGE_HASH_EVENT_IDS',
        'for an eventID in hash form that does not match its event: report (the default) keeps it as a plain name and lists it, refuse rejects the capture',
      ],
    ],
    run: mcp,
  },
  lsp: {
    does: 'run a language server on standard input and output, for editors: errors, fixes and explanations while you type',
    usage: 'epcis-edge lsp [--stdio]',
    examples: ['epcis-edge lsp'],
    options: { stdio: { type: 'boolean' }, clientProcessId: { type: 'string' } },
    isServer: true,
    explains: [
      ['', 'It speaks the Language Server Protocol 3.17; docs/editors.md says how editors start it.'],
      ['', 'The setting epcisEdge.packs names the packs of checks: "auto" (the default) or a list, as --packs of check.'],
      ['--stdio', 'what editors pass; there is no other way to connect'],
      ['--clientProcessId ID', 'what some editors pass: the server ends when this process does'],
    ],
    run: lsp,
  },
};
