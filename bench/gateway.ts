// What the helpers of the tests give that start gateways.
import type { IncomingHttpHeaders } from 'node:http';

/** A request to a gateway. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of a gateway. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Settings {
  readonly bindings?: Readonly<Record<string, string>>;
  readonly persistTo?: string | undefined;
  readonly store?: string;
  readonly build?: string;
  readonly others?: readonly { readonly name: string; readonly script: string }[];
}

/** A Worker that Miniflare runs. */
export interface NamedWorker {
  fetch(url: string, request?: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }): Promise<Response>;
  scheduled(options: { readonly cron: string }): Promise<unknown>;
}

/** What runs the gateway. */
export interface Runtime {
  getWorker(name: string): Promise<NamedWorker>;
}

export interface Started {
  readonly address: URL;
  readonly gateway: Runtime;
  /** The process of the server, if the gateway is one. */
  readonly process: { readonly pid: number };
  dispose(): Promise<void>;
}

/** The database of a gateway, as far as benchmarks ask it. */
export interface Database {
  prepare(text: string): Statement;
}

interface Statement {
  bind(...values: readonly unknown[]): Statement;
  all(): Promise<{ readonly results: readonly Readonly<Record<string, unknown>>[] }>;
  /** The number in a column of the first row. */
  first(column: string): Promise<number>;
  run(): Promise<unknown>;
}

/** A gateway with an empty store. */
export interface OpenStore extends Started {
  readonly database: Database;
  readonly key: string;
  makeKey(options: { readonly account: string; readonly readable?: readonly string[] }): Promise<string>;
  /** Calls a tool: its structured content, and whether it is a refusal. */
  call(tool: string, given: object, key?: string): Promise<{ readonly value: any; readonly isRefused: boolean }>;
  /** The structured content of a call that must succeed. */
  ask(tool: string, given: object, key?: string): Promise<any>;
}
