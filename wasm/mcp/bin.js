#!/usr/bin/env node
// `epcis-edge mcp`, under a name of its own: the command line of the package that this one depends on.
process.argv.splice(2, 0, 'mcp');
await import(new URL('./cli.js', import.meta.resolve('epcis-edge')).href);
