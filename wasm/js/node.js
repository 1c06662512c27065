// The package in Node: the wasm file is read from disk at the first call, nothing happens at import time.
import { readFileSync } from 'node:fs';
import * as engine from '../dist/epcis_edge.js';

let schema;

function load() {
  if (schema) return;
  engine.initSync({ module: readFileSync(new URL('../dist/epcis_edge_bg.wasm', import.meta.url)) });
  schema = engine.schemaPin();
}

export function validate(document) {
  load();
  const errors = engine.validate(document);
  return { valid: errors === undefined, schema: { ...schema }, errors: errors ?? [] };
}

export function hash(document, { profile } = {}) {
  load();
  return engine.hash(document, profile);
}

export function preHash(document, { profile } = {}) {
  load();
  return engine.preHash(document, profile);
}

export function verify(document) {
  load();
  return engine.verify(document);
}

export function translate(xml, { as = 'object' } = {}) {
  load();
  return engine.translate(xml, as === 'text');
}

export function toXml(document, { version } = {}) {
  load();
  return engine.toXml(document, version);
}

export const identifiers = {
  toDigitalLink(identifier) {
    load();
    return engine.toDigitalLink(identifier);
  },
  toEpcUrn(digitalLink, companyPrefixLength) {
    load();
    return engine.toEpcUrn(digitalLink, companyPrefixLength);
  },
};
