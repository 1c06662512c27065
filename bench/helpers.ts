// What benchmarks take from the helpers of the tests.
declare module '*/worker/tests/gateway.js' {
  /** One exchange over a new socket. */
  export function send(address: URL, asked: import('./gateway.ts').Asked, body?: Uint8Array): Promise<import('./gateway.ts').Answer>;
  export function start(
    bindings?: import('./gateway.ts').Settings['bindings'],
    options?: import('./gateway.ts').Settings,
  ): Promise<import('./gateway.ts').Started>;
  export function database(gateway: import('./gateway.ts').Runtime): Promise<import('./gateway.ts').Database>;
  export function makeKey(database: import('./gateway.ts').Database, options: { readonly account: string; readonly observer: string }): Promise<string>;
  export function isOnServer(): boolean;
  export function vectorFile(path: string): Buffer;
}

declare module '*/worker/tests/store.js' {
  export function open(settings?: import('./gateway.ts').Settings): Promise<import('./gateway.ts').OpenStore>;
  export function event(epc: string, more?: object): object;
  export function documentOf(events: readonly object[]): object;
}

declare module '*/server/tests/postgres-server.js' {
  export function startPostgres(options: {
    readonly isDurable: boolean;
    readonly settings: Readonly<Record<string, string>>;
  }): Promise<{ address(database: string): string }>;
}

declare module '*/www/tests/browser.js' {
  import type { Browser, Page } from 'playwright-core';

  export function serve(): Promise<{ readonly origin: string; close(): Promise<void> }>;
  export function launch(): Promise<Browser>;
  export function visit(browser: Browser, url: string): Promise<{ readonly page: Page; close(): Promise<void> }>;
  export function settled(page: Page): Promise<unknown>;
  export function answered(page: Page, act: () => Promise<unknown>): Promise<void>;
  export function openTab(page: Page, name: string): Promise<void>;
  export function openTool(page: Page, id: string): Promise<void>;
  export function vector(path: string): string;
  export function around(...events: object[]): string;
  export function event(own: object): object;
}

declare module '*/www/tests/chain.js' {
  import type { Page } from 'playwright-core';

  export function openItem(page: Page, id: string): Promise<void>;
}

declare module '*/www/tests/component.js' {
  import type { Page } from 'playwright-core';

  export function toldAfter(page: Page, act: () => Promise<unknown>): Promise<unknown>;
}

declare module '*/www/tests/component-site.js' {
  export const STRICT: string;
  export function pageOf(body: string): string;
  export function hostSite(): Promise<{
    readonly origin: string;
    readonly files: Record<string, string | { readonly body: string; readonly headers: Readonly<Record<string, string>> }>;
    close(): Promise<void>;
  }>;
}

declare module 'epcis2.js' {
  export function eventToHashedId(event: object, context: object): string;
}
