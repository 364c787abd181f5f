// From the start of the built server's process to its first answer.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { median, newFolder, nodeOptions, root } from './instance.mjs';

const ROUNDS = 9;

function sparePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function untilFirstAnswer(dataDir) {
  const port = await sparePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, join(root, 'dist', 'server', 'main.js')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const took = performance.now() - began;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
  return took;
}

export async function measureStart() {
  const dataDir = newFolder();
  await untilFirstAnswer(dataDir);
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await untilFirstAnswer(dataDir));
  rmSync(dataDir, { recursive: true, force: true });
  const time = median(times);
  return [
    {
      what: 'cold start to the first 200',
      measured: `${Math.round(time)} ms`,
      target: '≤ 300 ms',
      met: time <= 300,
    },
  ];
}
