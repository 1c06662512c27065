// Costly messages to tools.
import { type Bodies, type Body, filled, repeated } from './text.ts';

/** A message that calls a tool. */
export const message = (name: string, args: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
const ofTool =
  (name: string, make: Body): Body =>
  (length) =>
    message(name, make(length - 200));

/** Arguments of tools. */
export const tools: Bodies = {
  'query: many values': ofTool('query', (length) => filled(length, '{"query":{"MATCH_epc":[', (index) => `"urn:epc:id:sgtin:9521141.012345.${index}"`, ']}}')),
  'query: many patterns': ofTool('query', (length) => filled(length, '{"query":{"MATCH_epc":[', (index) => `"urn:epc:idpat:sgtin:9521141.${index}.*"`, ']}}')),
  'query: many parameters': ofTool('query', (length) => filled(length, '{"query":{', (index) => `"EQ_https://ns.example/#n${index}":["1"]`, '}}')),
  'query: many unknown parameters': ofTool('query', (length) => filled(length, '{"query":{', (index) => `"n${index}":1`, '}}')),
  'query: one long value': ofTool('query', (length) => repeated(length, '{"query":{"EQ_bizStep":["', 'x', '"]}}')),
  'query: a long token': ofTool('query', (length) => repeated(length, '{"query":{},"nextPageToken":"', '0f', '"}')),
  'query: numbers for values': ofTool('query', (length) => filled(length, '{"query":{"MATCH_epc":[', () => '1', ']}}')),
  'query: a context': ofTool('query', (length) => filled(length, '{"query":{"@context":{', (index) => `"p${index}":"p${index + 1}:x"`, '}}}')),
  'trace: a long EPC': ofTool('trace', (length) => repeated(length, '{"epc":"urn:x:', 'a', '"}')),
  'get_event: a long name': ofTool('get_event', (length) => repeated(length, '{"eventID":"urn:x:', 'a', '"}')),
  'get_event: unknown arguments': ofTool('get_event', (length) => filled(length, '{"eventID":"urn:x:a",', (index) => `"n${index}":1`, '}')),
  'a message of an unknown tool': (length) => repeated(length, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"', 'x', '"}}'),
  'a message with a long id': (length) => repeated(length, '{"method":"ping","jsonrpc":"2.0","id":"', 'x', '"}'),
  'a batch of messages': (length) => filled(length, '[', (index) => `{"jsonrpc":"2.0","id":${index},"method":"ping"}`, ']'),
  'a message of numbers': (length) => filled(length, '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[', () => '1', ']}}'),
  'prove: a long name': ofTool('prove', (length) => repeated(length, '{"eventID":"urn:x:', 'a', '"}')),
  'prove: a long declaration': ofTool('prove', (length) => repeated(length, '{"eventID":"urn:x:a","declaration":"', 'a', '"}')),
  'follow as a tool: items without end': ofTool('follow', (length) => filled(length, '{"items":[', (index) => `"urn:x:${index}"`, ']}')),
  'report as a tool: items without end': ofTool('report', (length) => filled(length, '{"report":"recall","items":[', (index) => `"urn:x:${index}"`, ']}')),
  'master data as a tool: names without end': ofTool('master_data', (length) => filled(length, '{"ids":[', (index) => `"urn:x:${index}"`, ']}')),
  'master data as a tool: a long name': ofTool('master_data', (length) => repeated(length, '{"ids":["urn:x:', 'a', '"]}')),
};
