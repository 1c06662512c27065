// A reader of the feed that goes on when its server is killed.
import assert from 'node:assert/strict';
import { eventsOf } from '../../worker/tests/store.js';

const FEED = '/events?orderBy=recordTime&orderDirection=ASC&perPage=500';

/** Follows the feed of a key across kills. `epcs` has what it saw. */
export function follower(key, addressOf) {
  const epcs = [];
  let path = FEED;
  const feed = {
    epcs,
    /** Reads what there is. */
    async poll() {
      for (;;) {
        const answer = await fetch(new URL(path, addressOf()), { headers: { authorization: `Bearer ${key}` } });
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
        epcs.push(...eventsOf(JSON.parse(text)).map(({ epcList: [epc] }) => epc));
        const next = /^<([^<>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
        const cursor = answer.headers.get('spine-feed-cursor');
        if (next === undefined) assert.ok(cursor, 'a cursor');
        path = next ?? `${FEED}&feedCursor=${cursor}`;
        if (next === undefined) return;
      }
    },
    /** Reads until there is nothing more. A walk that began before the kill shows that moment, so it reads once more. */
    async finish() {
      for (let seen = -1; epcs.length > seen; ) {
        seen = epcs.length;
        await feed.poll();
      }
    },
  };
  return feed;
}
