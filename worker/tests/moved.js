// What a gateway answers before and after its store is moved.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

export const epc = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;

/** An answer, with the headers that the tests of moves look at. */
export async function answer(gateway, path, key, options = {}) {
  const response = await fetch(new URL(path, gateway.address), {
    ...options,
    headers: { ...options.headers, ...(key ? { authorization: `Bearer ${key}` } : {}) },
  });
  const { status, headers } = response;
  return {
    status,
    retryAfter: headers.get('retry-after'),
    link: headers.get('link'),
    feed: headers.get('spine-feed-cursor'),
    text: await response.text(),
  };
}

/** Waits until the log has this many leaves. */
export async function grown(gateway, size) {
  for (let n = 0; ; n += 1) {
    const { status, text } = await answer(gateway, 'log/checkpoint');
    if (status === 200 && Number(text.split('\n')[1]) >= size) return;
    assert.ok(n < 6000, `the log has not grown to ${size}: ${text}`);
    await setTimeout(50);
  }
}

/** The answers to all requests of a caller at one moment. */
export async function answers(gateway, key, eventID) {
  const paths = [
    'events?perPage=100',
    `events?MATCH_anyEPC=${encodeURIComponent(epc(7))}`,
    `events/${encodeURIComponent(eventID)}`,
    'events?EQ_action=DELETE&perPage=5&orderBy=recordTime',
    'events?EQ_bizStep=shipping&orderBy=eventTime',
    'capture?perPage=100',
    'queries',
    'queries/mine/events',
    'epcs?perPage=30',
    'bizSteps',
    'eventTypes',
    'log/checkpoint',
    `log/proof?event=${encodeURIComponent(eventID)}`,
    'log/policy',
  ];
  const all = {};
  for (const path of paths) {
    const { status, text } = await answer(gateway, path, key);
    assert.equal(status, 200, `${path}: ${text}`);
    // Query documents contain the time at which they are made.
    all[path] = text.replace(/"creationDate": ?"[^"]*"/, '');
  }
  return all;
}
