// What a shape is: costly bodies for an endpoint, or costly arguments.
import type { Answer } from '../gateway.ts';
import type { Call } from './proofs.ts';
import type { Body } from './text.ts';

/** A body for an endpoint. */
export interface SentShape {
  readonly name: string;
  readonly path: string;
  readonly mediaType: string;
  readonly keyed?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The gateway keeps a log; an answer of 404 to what follows is waited for. */
  readonly logged?: boolean;
  readonly body: Body;
  /** The body is sent first, then what this makes of the answer is asked for and measured: a GET, or a POST of the question. */
  follow?(answer: Answer): { readonly path: string; readonly question?: string };
  /** A document that the store has before. */
  readonly stored?: Body;
  /** The function of verifier.ts that gets the stored event and what was answered, and is measured. */
  readonly verify?: Call;
}

/** A function of verifier.ts alone, with its arguments for a length. */
export interface CalledShape {
  readonly name: string;
  readonly call: Call;
  args(length: number): unknown[];
}

export type Shape = SentShape | CalledShape;
