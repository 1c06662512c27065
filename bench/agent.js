// Measures how long `epcis-edge mcp` takes from its start until it answers the handshake.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROUNDS = 15;
const TARGET = 300;
const cli = fileURLToPath(new URL('../wasm/js/cli/cli.ts', import.meta.url));

function round() {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [cli, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let took;
    child.stdout.once('data', () => {
      took = performance.now() - start;
      child.stdin.end();
    });
    child.on('error', reject);
    child.on('close', () => resolve(took));
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  });
}

const times = [];
for (let count = 0; count < ROUNDS; count += 1) times.push(await round());
times.sort((a, b) => a - b);
const [least, median] = [times[0], times[ROUNDS >> 1]].map(Math.round);
console.log(`\nepcis-edge mcp, started until its handshake is answered, ${ROUNDS} rounds`);
console.log(`  least ${least} ms, median ${median} ms; target ${TARGET} ms: ${median < TARGET ? 'reached' : 'MISSED'}`);
