// The lists of an answer of following, for those who read one that any server may have sent.
import type { Followed } from './index.ts';

/** The names of the lists that every answer has. */
export type FollowedList = { [Name in keyof Followed]-?: Followed[Name] extends readonly unknown[] ? Name : never }[keyof Followed];
