// The functions of `epcis-edge/follow`. Their engine is a wasm file of its own.
import type { FollowEngine } from '../engine/engines.ts';
import { jsonDocument, optionsOf, requestsOf } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import { handed } from '../engine/text.ts';
import type * as Surface from './index.ts';

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
      const question = asked(optionsOf('follow', request));
      const engine = load();
      return JSON.parse(refusing(() => engine.follow(handed(engine, source), question)));
    },
    *followEach(document, requests) {
      const source = jsonDocument(document);
      requestsOf('followEach', requests);
      const engine = load();
      const following = refusing(() => new engine.Following(handed(engine, source)));
      try {
        for (const request of requests) {
          const question = asked(optionsOf('followEach', request));
          yield JSON.parse(refusing(() => following.follow(question)));
        }
      } finally {
        following.free();
      }
    },
  };
}
