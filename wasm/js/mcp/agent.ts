// Finds the engine of the agent process, from the package `epcis-edge-mcp`, or in a checkout from the folder beside this one.

import type { AgentEngine } from '../engine/engines.ts';

const PLACES = ['epcis-edge-mcp/engine', new URL('../../mcp/src/engine.ts', import.meta.url).href];

/** The error of a missing engine. It names the package to install. */
export class NoEngine extends Error {
  constructor(cause: unknown) {
    super('this needs the package epcis-edge-mcp, which is installed separately: npm i epcis-edge-mcp', { cause });
    this.name = 'NoEngine';
  }
}

async function found(): Promise<{ agent(): AgentEngine }> {
  let missing: unknown;
  for (const place of PLACES) {
    try {
      return await import(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
      missing = error;
    }
  }
  return {
    agent() {
      throw new NoEngine(missing);
    },
  };
}

/** Loads the engine at the first call and returns it. @throws {NoEngine} if it is not installed */
export const { agent } = await found();
