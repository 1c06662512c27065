// Measures how long `epcis-edge mcp` takes from its start until it answers the handshake.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './measure.ts';

const ROUNDS = 15;
const TARGET = 300;
const cli = fileURLToPath(new URL('../wasm/js/cli/cli.ts', import.meta.url));

function round(): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [cli, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let took = 0;
    child.stdout.once('data', () => {
      took = performance.now() - start;
      child.stdin.end();
    });
    child.on('error', reject);
    child.on('close', () => resolve(took));
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  });
}

const times: number[] = [];
for (let count = 0; count < ROUNDS; count += 1) times.push(await round());
const [least, middle] = [Math.round(Math.min(...times)), Math.round(median(times))];
console.log(`\nepcis-edge mcp, started until its handshake is answered, ${ROUNDS} rounds`);
console.log(`  least ${least} ms, median ${middle} ms; target ${TARGET} ms: ${middle < TARGET ? 'reached' : 'MISSED'}`);
