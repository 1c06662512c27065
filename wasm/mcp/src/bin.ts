#!/usr/bin/env node
// Runs `epcis-edge mcp` under its own name, with the command line of the package that this one depends on.
process.argv.splice(2, 0, 'mcp');
await import(new URL('../cli/cli.js', import.meta.resolve('epcis-edge')).href);
