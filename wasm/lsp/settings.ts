// The settings of the language server: the members of the section `epcisEdge` of an editor's configuration.
import type { PackName } from '../js/check/index.ts';
import { isPack } from '../js/check/packs.ts';
import { PACKS } from '../js/engine/answers.ts';

export const SECTION = 'epcisEdge';
export interface Settings {
  /** The packs of checks to run, or `auto`: the usual ones, and those of industries that surely fit. None means the schemas alone. */
  readonly packs: 'auto' | readonly PackName[];
}

export const DEFAULTS: Settings = { packs: 'auto' };

const EXPECTED = { packs: `"auto" or a list of packs: ${PACKS.join(', ')}` };
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

/**
 * Reads the section. What is absent is the default.
 *
 * @throws {TypeError} for an unknown member or a wrong value
 */
export function settingsOf(section: unknown): Settings {
  if (section === undefined || section === null) return DEFAULTS;
  if (!isObject(section)) throw new TypeError(`the setting ${SECTION} is ${shown(section)}, expected an object with the member packs`);
  for (const name of Object.keys(section))
    if (!Object.hasOwn(DEFAULTS, name)) throw new TypeError(`there is no setting ${SECTION}.${name}, expected ${Object.keys(DEFAULTS).join(', ')}`);
  const { packs = DEFAULTS.packs } = section;
  if (packs === 'auto') return { packs };
  if (!Array.isArray(packs)) throw new TypeError(`the setting ${SECTION}.packs is ${shown(packs)}, expected ${EXPECTED.packs}`);
  const names: readonly unknown[] = packs;
  const strange = names.findIndex((name) => !isPack(name));
  if (strange >= 0) throw new TypeError(`the setting ${SECTION}.packs has ${shown(names[strange])}, expected ${EXPECTED.packs}`);
  return { packs: [...new Set(names.filter(isPack))] };
}

/**
 * Reads the `initializationOptions`, which are for this server alone: `{epcisEdge: {…}}`.
 *
 * @throws {TypeError} as {@link settingsOf}, and for anything else
 */
export function optionsOf(options: unknown): Settings {
  if (options === undefined || options === null) return DEFAULTS;
  const strange = isObject(options) ? Object.keys(options).find((name) => name !== SECTION) : undefined;
  if (!isObject(options) || strange !== undefined)
    throw new TypeError(`the initializationOptions are ${shown(options)}, expected an object with the member ${SECTION}`);
  return settingsOf(options[SECTION]);
}
