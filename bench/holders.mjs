// Reading the holders of a token with 50,000 accounts, by the built server's own thread. The chain and the reader are
// processes of their own, so that neither counts for the other.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../scripts/run-bundled.mjs';
import { median, nodeOptions, root } from './instance.mjs';

const ACCOUNTS = 50_000;
const ROUNDS = 5;

const firstMessage = (child) =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[1]} ended with ${code}`)));
  });

function start(file, ...args) {
  return fork(join(root, 'bench', file), args.map(String), { execArgv: nodeOptions });
}

/** One reading in a process that has done nothing else, as a server that has just started. */
async function readOnce(source, chain) {
  const reader = start('holder-reader.mjs', source, chain.url, chain.mint);
  const { holders, ...measured } = await firstMessage(reader);
  if (holders !== ACCOUNTS) throw new Error(`${holders} holders were read, of ${ACCOUNTS}`);
  return measured;
}

export async function measureHolders() {
  const source = pathToFileURL(await bundle('src/server/adapters/solana.ts')).href;
  const chainProcess = start('holder-chain.mjs', await bundle('src/chain/local-chain.ts'), ACCOUNTS);
  const chain = await firstMessage(chainProcess);
  const rounds = [];
  try {
    await readOnce(source, chain);
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await readOnce(source, chain));
  } finally {
    chainProcess.kill('SIGTERM');
  }
  const of = (name) => median(rounds.map((round) => round[name]));
  const [seconds, megabytes, stall, idle] = ['seconds', 'megabytes', 'stall', 'idle'].map(of);
  return [
    {
      what: '50,000 token accounts read, ranked and handed over',
      measured: `${seconds.toFixed(2)} s`,
      target: '≤ 2 s',
      met: seconds <= 2,
    },
    {
      what: '50,000 token accounts, growth of memory (RSS) at its peak',
      measured: `${Math.round(megabytes)} MB`,
      target: '≤ 150 MB',
      met: megabytes <= 150,
    },
    {
      what: '50,000 token accounts, longest stall of other requests meanwhile',
      measured: `${Math.round(stall)} ms (without a reading ${Math.round(idle)} ms)`,
      target: '≤ 20 ms',
      met: stall <= 20,
    },
  ];
}
