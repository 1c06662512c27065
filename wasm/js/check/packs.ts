// The names of the packs.
import { PACKS } from '../engine/answers.ts';
import type { PackName } from './index.ts';

/** Whether a name is that of a pack. */
export const isPack = (name: unknown): name is PackName => (PACKS as readonly unknown[]).includes(name);
