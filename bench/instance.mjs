// What every measurement needs: a built server of its own, people in it, and medians.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const METRICS_TOKEN = 'bench-metrics-token';

/** The options of Node that `npm start` gives. */
export const nodeOptions = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start.match(
  /--\S+/g,
);

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function newFolder() {
  return mkdtempSync(join(tmpdir(), 'latebra-bench-'));
}

/** Starts `node file` with an environment and waits until it says where it listens. */
export async function startProcess(file, env) {
  const child = spawn(process.execPath, [...nodeOptions, file], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A measurement that fails leaves no server behind.
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const match = /http:\/\/localhost:\d+/.exec(said);
      if (match) resolve(match[0]);
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${said}`)));
  });
  return {
    url,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

/** The built server on an empty data folder. */
export async function startInstance(dataDir = newFolder()) {
  const instance = await startProcess(join(root, 'dist', 'server', 'main.js'), {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    METRICS_TOKEN,
    // One account creates more in a minute than a person in a life.
    QUOTA_ROWS: '10000000',
  });
  return {
    ...instance,
    dataDir,
    async metric(name) {
      const text = await (
        await fetch(`${instance.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
      ).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    },
    async stop() {
      await instance.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs somebody up and returns the session's cookie. The key is random: nothing here needs a passphrase. */
export async function signUp(url) {
  const answer = await fetch(`${url}/api/gate/passphrase/begin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: randomBytes(8).toString('hex'),
      authKey: randomBytes(32).toString('base64url'),
    }),
  });
  if (answer.status !== 201) throw new Error(`signing up answered ${answer.status}`);
  return answer.headers.getSetCookie()[0].split(';')[0];
}

/** A memory's body as a browser would send it: 540 bytes of ciphertext in each field. */
export function memoryBody() {
  return JSON.stringify({
    title: randomBytes(284).toString('base64'),
    encryptedContent: randomBytes(540).toString('base64'),
    timeLockUntil: null,
  });
}
