// What a command is.
import type { Output } from './output.ts';

/** The options of all commands, by name. */
export interface Options {
  readonly clientProcessId?: string | undefined;
  readonly contents?: string | undefined;
  readonly context?: string | undefined;
  readonly declaration?: string | undefined;
  readonly depth?: string | undefined;
  readonly direction?: string | undefined;
  readonly email?: string | undefined;
  readonly engine?: string | undefined;
  readonly event?: string | undefined;
  readonly evidence?: string | undefined;
  readonly format?: string | undefined;
  readonly from?: string | undefined;
  readonly gateway?: string | undefined;
  readonly gln?: string | undefined;
  readonly help?: boolean | undefined;
  readonly invalid?: string | undefined;
  readonly item?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  readonly kin?: boolean | undefined;
  readonly 'master-data'?: readonly string[] | undefined;
  readonly 'max-age'?: string | undefined;
  readonly 'max-events'?: string | undefined;
  readonly ndjson?: boolean | undefined;
  readonly output?: string | undefined;
  readonly pack?: string | undefined;
  readonly packs?: string | undefined;
  readonly parameter?: readonly string[] | undefined;
  readonly phone?: string | undefined;
  readonly po?: string | undefined;
  readonly policy?: string | undefined;
  readonly prehash?: boolean | undefined;
  readonly profile?: string | undefined;
  readonly query?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly sheet?: string | undefined;
  readonly show?: string | undefined;
  readonly state?: string | undefined;
  readonly stdio?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly through?: string | undefined;
  readonly to?: string | undefined;
  readonly 'to-urn'?: string | undefined;
  readonly undeclared?: string | undefined;
  readonly version?: boolean | undefined;
  readonly 'xml-version'?: string | undefined;
  readonly zone?: string | undefined;
}

/** How an option is read, as `parseArgs` of Node takes it. */
export interface Kind {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: boolean;
}

/** Runs a command on the names that it is given, and returns the exit code. */
export type Run = (names: readonly string[], options: Options, output: Output) => number | Promise<number>;

/** What a command says of itself. */
export interface Help {
  readonly does: string;
  readonly usage: string;
  readonly examples: readonly string[];
  readonly options: { readonly [Name in keyof Options]?: Kind };
  /** Options and environment variables, each with what it does; a text without a name stands alone. */
  readonly explains: readonly (readonly [name: string, does: string])[];
  /** Whether it runs until its input ends. */
  readonly isServer?: boolean;
  /** Whether it writes several files into a folder, if that is its output. */
  readonly writesFolder?: boolean;
}

export interface Command extends Help {
  readonly run: Run;
}
