// The commands `hash` and `verify`.
import { readFileSync } from 'node:fs';
import { PROFILES } from '../../engine/answers.ts';
import { EpcisError } from '../../engine/error.ts';
import type { EventHash, HashOptions, PreHashed, PrefixOptions, Verification } from '../../engine/index.ts';
import * as epcis from '../../engine/node.ts';
import { aside } from '../aside.ts';
import type { Options, Run } from '../command.ts';
import { EXIT, each, type Label, membersOf, nameOf, summed } from '../each.ts';
import { guarded, NotFound, Usage } from '../files.ts';
import { type Part, linesForPeople, paint } from '../harmless.ts';
import { LINES_HINT, oneOf } from '../tools.ts';

/** The options of `hash` and `verify` about prefixes. */
function prefixes({ context: file, undeclared: rule }: Options): PrefixOptions {
  const undeclared = oneOf('undeclared', rule, ['refuse', 'keep']);
  if (file === undefined) return { undeclared };
  let context: PrefixOptions['context'];
  try {
    context = JSON.parse(guarded(file, () => readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof NotFound) throw error;
    throw new Usage(`${file} is not JSON, expected a context or a document with an @context after --context`);
  }
  // The file may be a document, an event, or only a context.
  if (typeof context === 'object' && context !== null && '@context' in context) context = context['@context'] as PrefixOptions['context'];
  try {
    epcis.hash('{"type":"ObjectEvent"}', { context });
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof EpcisError)) throw error;
    throw new Usage(`${file} has no context, expected a context or a document with an @context after --context`);
  }
  return { context, undeclared };
}

export const hash: Run = (files, options, output) => {
  const profile = oneOf('profile', options.profile, PROFILES) ?? 'CBV2.0';
  const how: HashOptions = { profile, ...prefixes(options) };
  const common = {
    hint: `${LINES_HINT}; translate long XML with \`epcis-edge translate --ndjson\` first`,
    sum: summed('not hashed', 'not hashed'),
    fine: 'all hashed',
  };
  const print = async (label: Label, lines: readonly string[], members: object) => {
    const front = label.isOneOfMany ? `${linesForPeople([nameOf(label)]).trimEnd()}: ` : '';
    if (options.json) await output.json({ ...membersOf(label), profile, ...members });
    else await output.lines(lines.map((line) => `${front}${line}`));
    return EXIT.ok;
  };
  if (!options.prehash)
    return each<EventHash[]>(files, options, {
      ...common,
      whole: (bytes) => epcis.hash(bytes, how),
      aside: (bytes) => aside('hash', bytes, how),
      print: (label, hashes) => print(label, hashes, { hashes }),
    });
  return each<PreHashed[]>(files, options, {
    ...common,
    whole: (bytes) => epcis.preHash(bytes, how),
    aside: (bytes) => aside('preHash', bytes, how),
    print(label, events) {
      const preHashStrings = events.map(({ preHash }) => preHash);
      return print(label, preHashStrings, { hashes: events.map(({ hash }) => hash), preHashStrings });
    },
  });
};

/** What `verify` says of an event. */
function said({ result, profiles, reading }: Verification): Part {
  if (result === 'matches') return paint('green', `matches under ${profiles.join(' and ')}${reading === undefined ? '' : `, ${reading}`}`);
  return result === 'matches-none' ? paint('red', 'does NOT match under any profile') : 'has no eventID in hash form';
}

export const verify: Run = (files, options, output) => {
  const how = prefixes(options);
  return each<Verification[]>(files, options, {
    whole: (bytes) => epcis.verify(bytes, how),
    aside: (bytes) => aside('verify', bytes, how),
    hint: LINES_HINT,
    async print(label, events) {
      if (options.json) await output.json({ ...membersOf(label), events });
      else {
        for (const [index, event] of events.entries())
          if (!options.quiet || event.result === 'matches-none') await output.say([paint('bold', nameOf(label)), `: event ${index} `, said(event)]);
      }
      return events.some(({ result }) => result === 'matches-none') ? EXIT.invalid : EXIT.ok;
    },
    sum: summed('with an eventID that does not match', 'not verified'),
    fine: 'no mismatches',
    output,
  });
};
