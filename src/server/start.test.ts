// What a server says while it starts.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { aDataDir } from '../testing/server-program.ts';
import { standInPrograms } from '../testing/speech.ts';
import { openStripe, stripeEnv } from '../testing/stripe/service.ts';
import { writeWebRoot } from '../testing/web-files.ts';
import { readConfig } from './config.ts';
import { END } from './features/billing/store.ts';
import { READ_HOLDERS } from './features/holders/refresher.ts';
import { enqueue } from './jobs/queue-store.ts';
import { createLog } from './log.ts';
import { startInstance } from './start.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Starts a server and returns the lines of its log. */
async function linesOf(env: Record<string, string>): Promise<string> {
  const { dataDir, remove } = aDataDir();
  const web = writeWebRoot();
  cleanups.push(remove, () => web.remove());
  const lines: string[] = [];
  const instance = await startInstance({
    config: readConfig({ PORT: '0', DATA_DIR: dataDir, ...env }),
    log: createLog('info', { write: (line) => lines.push(line) }),
    version: '0.0.0-test',
    webRoot: web.root,
  });
  cleanups.push(() => instance.stop());
  return lines.join('');
}

it('that a proxy must be declared, where it is reached by https', async () => {
  const sentence = 'TRUSTED_PROXIES does not name its address';
  const PUBLIC_URL = 'https://vault.example';
  expect(await linesOf({ PUBLIC_URL })).toContain(sentence);
  expect(await linesOf({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })).not.toContain(sentence);
  expect(await linesOf({})).not.toContain(sentence);
});

it('that the folder of files cannot be used', async () => {
  const { dataDir, remove } = aDataDir();
  cleanups.push(remove);
  writeFileSync(`${dataDir}-no-folder`, '');
  const FILES_FOLDER = `${dataDir}-no-folder/files`;
  await expect(linesOf({ FILES_FOLDER })).rejects.toThrow(
    `The folder of files ${FILES_FOLDER} cannot be made`,
  );
});

it('that a bucket of files cannot be reached, and starts all the same', async () => {
  const FILES_S3_URL = `http://127.0.0.1:${await freePort()}/bucket`;
  const keys = { FILES_S3_ACCESS_KEY: 'id', FILES_S3_SECRET_KEY: 'secret' };
  expect(await linesOf({ FILES_S3_URL, ...keys })).toContain('the bucket of files cannot be reached');
});

it.each([
  [403, 'AccessDenied', 'this key may not list the bucket'],
  [403, 'RequestTimeTooSkewed', 'The clock of this machine is wrong'],
  [404, 'NoSuchBucket', 'There is no such bucket'],
  [301, 'PermanentRedirect', 'FILES_S3_REGION have to be those of the bucket'],
])('that a bucket of files answers %i %s, and does not start', async (status, reason, sentence) => {
  const store = createServer((_, response) =>
    response.writeHead(status).end(`<Error><Code>${reason}</Code></Error>`),
  ).listen(0, '127.0.0.1');
  await once(store, 'listening');
  cleanups.push(
    () => store.close(),
    () => store.closeAllConnections(),
  );
  const FILES_S3_URL = `http://127.0.0.1:${(store.address() as AddressInfo).port}/bucket`;
  const keys = { FILES_S3_ACCESS_KEY: 'id', FILES_S3_SECRET_KEY: 'secret' };
  await expect(linesOf({ FILES_S3_URL, ...keys })).rejects.toThrow(sentence);
});

it('that a bucket of files keeps versions', async () => {
  const store = createServer(({ url }, response) =>
    response.end(url?.includes('versioning') ? '<Status>Enabled</Status>' : '<ListBucketResult/>'),
  ).listen(0, '127.0.0.1');
  await once(store, 'listening');
  cleanups.push(
    () => store.close(),
    () => store.closeAllConnections(),
  );
  const FILES_S3_URL = `http://127.0.0.1:${(store.address() as AddressInfo).port}/bucket`;
  const keys = { FILES_S3_ACCESS_KEY: 'id', FILES_S3_SECRET_KEY: 'secret' };
  expect(await linesOf({ FILES_S3_URL, ...keys })).toContain('the bytes of erased files stay in it');
});

it('that a speech service is of no use without ffmpeg', async () => {
  const sentence = 'ffmpeg is not on the PATH';
  const STT_BASE_URL = 'https://stt.example/v1';
  const programs = standInPrograms({ ffmpeg: 'true' });
  cleanups.push(programs.remove);
  expect(await linesOf({ STT_BASE_URL })).toContain(sentence);
  expect(await linesOf({ STT_BASE_URL, PATH: programs.searchPath })).not.toContain(sentence);
  expect(await linesOf({})).not.toContain(sentence);
});

it('keeps no other kind of job waiting for a payment provider that is silent', async () => {
  const stripe = await openStripe();
  const { dataDir, remove } = aDataDir();
  const web = writeWebRoot();
  cleanups.push(remove, () => web.remove());
  const instance = await startInstance({
    config: readConfig({ PORT: '0', DATA_DIR: dataDir, ...stripeEnv(stripe) }),
    log: createLog('silent', { write: () => {} }),
    version: '0.0.0-test',
    webRoot: web.root,
  });
  const running: Promise<void>[] = [];
  cleanups.push(
    () => stripe.close(),
    () => instance.stop(),
    () => Promise.all(running),
    // Its answers end the jobs that wait for them.
    () => stripe.behave('well'),
  );
  stripe.behave('silent');
  const { db } = instance.deps;
  for (let i = 0; i < 8; i += 1) await enqueue(db, END, `cus_${i} somebody-${i}`, 0);
  // Of a token that this server was configured with before: one that asks nobody.
  await enqueue(db, READ_HOLDERS, 'an earlier token', 1);
  running.push(...instance.slowLanes.map((run) => run()));
  await expect.poll(() => stripe.waiting()).toBeGreaterThan(3);
  const kinds = async () => (await db.selectFrom('jobs').select('kind').execute()).map(({ kind }) => kind);
  await expect.poll(kinds).not.toContain(READ_HOLDERS);
  expect(await kinds()).toContain(END);
});
