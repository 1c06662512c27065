// The functions of `epcis-edge/follow`. Their engine is a wasm file of its own.
import type { FollowEngine } from '../engine/engines.ts';
import { FLAG, jsonDocument, optionsOf, type Rule, type Rules, refuse, TEXTS, tagOf, word } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import { handed } from '../engine/text.ts';
import type * as Surface from './index.ts';

const MOMENT: Rule = {
  check: (value) => typeof value === 'string' || (tagOf(value) === 'Date' && !Number.isNaN(Number(value))),
  expected: 'a Date or an RFC 3339 string',
};
const COUNT: Rule = { check: Number.isSafeInteger, expected: 'a whole number' };

/** The rules of a request. */
export const REQUEST: Rules<Surface.FollowRequest> = {
  items: TEXTS,
  direction: word('back', 'forth', 'both'),
  from: MOMENT,
  to: MOMENT,
  depth: COUNT,
  maxEvents: COUNT,
  kin: FLAG,
  through: TEXTS,
  contents: word('listed', 'followed', 'none'),
};

const time = (given: Date | string | undefined) => (given instanceof Date ? given.toISOString() : given);

/** A request, which need not be about items. */
interface Question extends Omit<Surface.FollowRequest, 'items'> {
  readonly items?: Surface.FollowRequest['items'] | undefined;
}

/** A request as the engine takes it: its times are texts. */
export const asked = ({ items, from, to, ...rest }: Question): string => JSON.stringify({ items, from: time(from), to: time(to), ...rest });

/** @param load returns the engine, and loads it first if necessary */
export function makeFollowApi(load: () => FollowEngine): Pick<typeof Surface, 'follow' | 'followEach'> {
  return {
    follow(document, request) {
      const source = jsonDocument(document);
      const question = asked(optionsOf('follow', REQUEST, request));
      const engine = load();
      return JSON.parse(refusing(() => engine.follow(handed(engine, source), question)));
    },
    *followEach(document, requests) {
      const source = jsonDocument(document);
      if (typeof requests === 'string' || typeof requests?.[Symbol.iterator] !== 'function')
        refuse('the second argument of followEach', requests, 'an iterable of requests');
      const engine = load();
      const following = refusing(() => new engine.Following(handed(engine, source)));
      try {
        for (const request of requests) {
          const question = asked(optionsOf('followEach', REQUEST, request));
          yield JSON.parse(refusing(() => following.follow(question)));
        }
      } finally {
        following.free();
      }
    },
  };
}
