// The engine of the agent process, from the package `epcis-edge-mcp`; in a checkout it stands beside this one.

const PLACES = ['epcis-edge-mcp/engine', new URL('../mcp/engine.js', import.meta.url).href];

/** The engine is not installed: which package has it. */
export class NoEngine extends Error {
  constructor(cause) {
    super('this needs the package epcis-edge-mcp, which is installed apart: npm i epcis-edge-mcp', { cause });
    this.name = 'NoEngine';
  }
}

async function found() {
  let missing;
  for (const place of PLACES) {
    try {
      return await import(place);
    } catch (error) {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      missing = error;
    }
  }
  return {
    agent() {
      throw new NoEngine(missing);
    },
  };
}

/** The engine, loaded at the first call. @throws {NoEngine} where it is not installed */
export const { agent } = await found();
