// Files through a real nginx that nobody has told of large bodies: it takes 1 MiB, and answers 413 with a page of its own to
// everything larger. The engine of the page sends them, to the real server behind it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { fromBase64Url } from '../src/crypto/base64.ts';
import { newFile } from '../src/crypto/file.ts';
import { freePort } from '../src/testing/free-port.ts';
import { requesterTo } from '../src/testing/fuzz/people.ts';
import { signUpByPassphrase } from '../src/testing/people.ts';
import { aSealId } from '../src/testing/planting.ts';
import { aDataDir, startServer } from '../src/testing/server-program.ts';
import { openFile } from '../src/vault/files/download.ts';
import { ownFiles } from '../src/vault/files/file-calls.ts';
import { createSealing } from '../src/vault/files/sealed-blocks.ts';
import { uploadFile } from '../src/vault/files/upload.ts';
import { createApiClient } from '../src/web/api/client.ts';
import { findNginx } from './find-programs.mjs';

const UPLOADS = 20;
/** After three, a part of one mebibyte has its tag besides, and is too large by that. */
const HALVINGS = 4;

const cleanups = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Starts nginx with nothing said but where to. @returns its address */
async function startNginx(to) {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-nginx-'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    // What it takes is kept in this folder until it is passed on: started by root, it would give that up.
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
     events {} http { access_log off; ${temporary.join(' ')}
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${to}; } } }`,
  );
  const child = spawn(findNginx(), ['-p', folder, '-c', file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  cleanups.push(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(answers, { timeout: 60_000 }).toBe(200);
  return url;
}

test.skipIf(!findNginx() && !process.env.CI)(
  'twenty files pass through nginx as it comes, and only the first of them meets its limit',
  { timeout: 180_000 },
  async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    const server = await startServer(inject('serverProgram'), { DATA_DIR: dataDir });
    cleanups.push(() => server.end());
    const url = await startNginx(server.url);
    const person = await signUpByPassphrase({ request: requesterTo(url) });
    const refused = [];
    const api = createApiClient({
      fetch: async (path, init) => {
        const headers = { ...init.headers, cookie: person.cookie };
        const answer = await fetch(url + path, { ...init, headers });
        if (answer.status === 413) refused.push(init.body.length);
        return answer;
      },
    });
    const vault = { api, user: { id: person.user.id } };
    const signal = new AbortController().signal;
    const silent = { onProgress: () => {}, keepSealed: async () => {}, pause: async () => {} };
    const options = { signal, ...silent, seal: createSealing() };
    for (let upload = 0; upload < UPLOADS; upload += 1) {
      // Each of two parts of the size that passes, and of one that does not.
      const bytes = randomBytes(1_050_000);
      const sealed = newFile();
      const root = await uploadFile(vault, new Blob([bytes]), { ...sealed, sealed: null }, options);
      const sealId = aSealId();
      const request = requesterTo(url);
      const { cookie } = person;
      const whole = await request('POST', `/api/files/${sealed.id}/complete`, { cookie, body: { sealId } });
      expect(await whole.json()).toMatchObject({ isWhole: true, halvings: HALVINGS });
      const described = { ...sealed, bytes: bytes.length, root: fromBase64Url(root) };
      const opened = await openFile(ownFiles(vault), described, 'x', options);
      expect(Buffer.from(await opened.arrayBuffer()).equals(bytes)).toBe(true);
    }
    // The first file was begun anew after each halving; the others began as it went.
    expect(refused.length).toBeGreaterThanOrEqual(HALVINGS);
    expect(refused.length).toBeLessThanOrEqual(HALVINGS * 3);
    expect(Math.min(...refused)).toBeGreaterThan(1024 ** 2);
  },
);
