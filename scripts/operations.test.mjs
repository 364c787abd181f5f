// What docs/operations.md and docs/stories.md print for an operator works as it is printed: the unit, the proxies, the
// commands. Only ports, folders and the certificate are put in their place.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../src/testing/free-port.ts';
import { startListening } from '../src/testing/listening-server.ts';
import { writeWebRoot } from '../src/testing/web-files.ts';
import { findHaproxy, findNginx, findSqlite3, findSystemdAnalyze } from './find-programs.mjs';

// Proxies and openssl take a second each, and on a busy machine more of them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const blockOf = (language) => {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
  if (found.length !== 1) throw new Error(`docs/operations.md has not exactly one block of ${language}`);
  return found[0][1];
};

const folder = mkdtempSync(join(tmpdir(), 'latebra-operations-'));
const cleanups = [() => rmSync(folder, { recursive: true })];
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

describe('a proxy as it is documented', () => {
  let instance;
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'certificate.key');
  beforeAll(async () => {
    const web = writeWebRoot();
    cleanups.push(web.remove);
    instance = await startListening(
      {
        DATA_DIR: join(folder, 'data'),
        PUBLIC_URL: 'https://vault.example.org',
        TRUSTED_PROXIES: '127.0.0.1,::1',
        OUTSIDE_LOOK: 'no',
      },
      web.root,
    );
    cleanups.push(() => instance.stop());
    const subject = ['-subj', '/CN=vault.example.org', '-days', '2', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
      stdio: 'ignore',
    });
  });

  const inPlace = (text, port) =>
    text
      .replace(/\/etc\/ssl\/vault\.example\.org\.pem/g, certificate)
      .replace(/\/etc\/ssl\/vault\.example\.org\.key/g, key)
      .replace('127.0.0.1:3000', `127.0.0.1:${instance.port}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('bind :443 ssl', `bind 127.0.0.1:${port} ssl`);

  const runners = {
    nginx: {
      path: findNginx(),
      start(path, port) {
        const file = join(folder, 'nginx.conf');
        const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (name) => `${name}_temp_path ${join(folder, `nginx-${name}`)};`,
        );
        writeFileSync(
          file,
          `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
           events {} http { access_log off; ${temporary.join(' ')} ${inPlace(blockOf('nginx'), port)} }`,
        );
        return spawn(path, ['-p', folder, '-c', file], { stdio: 'ignore' });
      },
    },
    haproxy: {
      path: findHaproxy(),
      start(path, port) {
        const file = join(folder, 'haproxy.cfg');
        // Its certificate and key are in one file.
        const both = join(folder, 'both.pem');
        writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
        writeFileSync(file, inPlace(blockOf('haproxy'), port).replace(certificate, both));
        return spawn(path, ['-db', '-f', file], { stdio: 'ignore' });
      },
    },
  };

  test.for(Object.entries(runners).filter(([, { path }]) => path || process.env.CI))(
    '%s leads another name to PUBLIC_URL, and answers calls under that alone',
    async ([, { path, start }]) => {
      const port = await freePort();
      const child = start(path, port);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      cleanups.push(() => {
        child.kill('SIGTERM');
        return ended;
      });
      const ask = (where, host = 'vault.example.org', headers = {}) =>
        new Promise((resolve, reject) => {
          const options = {
            path: where,
            headers: { host, ...headers },
            rejectUnauthorized: false,
            agent: false,
          };
          const sent = request({ host: '127.0.0.1', port, ...options }, (answer) => {
            answer.resume();
            resolve({ status: answer.statusCode, to: answer.headers.location });
          });
          sent.once('error', reject).end();
        });
      const isUp = () => ask('/healthz').catch(() => null);
      await expect.poll(isUp, { timeout: 20_000 }).toMatchObject({ status: 200 });

      expect(await ask('/')).toEqual({ status: 200, to: undefined });
      expect(await ask('/api/auth/user')).toMatchObject({ status: 401 });
      for (const host of ['www.vault.example.org', '203.0.113.7', 'evil.example']) {
        expect(await ask('/black-scroll?a=b', host)).toEqual({
          status: 302,
          to: 'https://vault.example.org/black-scroll?a=b',
        });
        expect(await ask('/api/auth/user', host)).toMatchObject({ status: 421 });
        expect(await ask('/healthz', host)).toMatchObject({ status: 200 });
      }
      // What a client claims is not passed on.
      const claim = { 'x-forwarded-host': 'vault.example.org' };
      expect(await ask('/api/auth/user', 'evil.example', claim)).toMatchObject({ status: 421 });
      const other = { 'x-forwarded-host': 'evil.example' };
      expect(await ask('/', 'vault.example.org', other)).toMatchObject({ status: 200 });
      expect(await ask('/metrics')).toMatchObject({ status: 404 });
    },
  );
});

const analyze = findSystemdAnalyze();

test.skipIf(!analyze)('the unit of systemd is one, and leaves the service little', () => {
  const file = join(folder, 'latebra.service');
  writeFileSync(file, blockOf('ini').replace('/usr/bin/node', process.execPath));
  execFileSync(analyze, ['verify', file]);
  // From 0, nothing is left, to 100; most services of a system have more than 90.
  execFileSync(analyze, ['security', '--offline=true', '--no-pager', '--threshold=20', file], {
    stdio: 'ignore',
  });
  // Node compiles while it runs.
  expect(blockOf('ini')).not.toMatch(/^MemoryDenyWriteExecute=/m);
  for (const line of ['CapabilityBoundingSet=', 'RestrictNamespaces=yes', 'SystemCallFilter=~@privileged']) {
    expect(blockOf('ini').split('\n')).toContain(line);
  }
});

test.skipIf(!analyze)('the units that back up every night are units, and run at night', () => {
  const files = ['service', 'timer'].map((kind) => {
    const file = join(folder, `latebra-backup.${kind}`);
    writeFileSync(file, blockOf(`ini backup-${kind}`).replaceAll('/usr/bin/node', process.execPath));
    return file;
  });
  execFileSync(analyze, ['verify', ...files]);
  const [, when = ''] = /^OnCalendar=(.*)$/m.exec(blockOf('ini backup-timer')) ?? [];
  expect(execFileSync(analyze, ['calendar', when], { encoding: 'utf8' })).toContain('03:30:00');
});

test('the request of docs/stories.md reaches a service as its format has it', async () => {
  const stories = readFileSync(join(root, 'docs/stories.md'), 'utf8');
  const [, command = ''] = /^```sh\n(curl "\$LLM_BASE_URL[\s\S]*?)^```/m.exec(stories) ?? [];
  const heard = [];
  const service = createServer((asked, answer) => {
    let body = '';
    asked.on('data', (piece) => {
      body += piece;
    });
    asked.on('end', () => {
      heard.push({ path: asked.url, key: asked.headers.authorization, body: JSON.parse(body) });
      answer.end('data: {}\n\n');
    });
  });
  await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve));
  const env = {
    PATH: process.env.PATH,
    LLM_BASE_URL: `http://127.0.0.1:${service.address().port}/v1`,
    LLM_API_KEY: 'a-key',
    LLM_MODEL: 'a-model',
  };
  await new Promise((resolve, reject) => {
    execFile('sh', ['-c', command], { env }, (error) => (error ? reject(error) : resolve()));
  });
  service.close();
  expect(heard).toEqual([
    {
      path: '/v1/chat/completions',
      key: 'Bearer a-key',
      body: { model: 'a-model', stream: true, messages: [{ role: 'user', content: 'Say one word.' }] },
    },
  ]);
});

test.skipIf(!findSqlite3())('SQLite’s own tool makes a backup that is a data folder', async () => {
  const [, block = ''] = /^```sh\n(install --directory[\s\S]*?)^```/m.exec(page) ?? [];
  const data = join(folder, 'sqlite-data');
  const backups = join(folder, 'sqlite-backups');
  mkdirSync(backups);
  const web = writeWebRoot();
  const open = (dataDir) => startListening({ DATA_DIR: dataDir }, web.root);
  const first = await open(data);
  const script = block.replaceAll('/var/lib/latebra', data).replaceAll('/var/backups/latebra', backups);
  execFileSync('sh', ['-e', '-c', script]);
  await first.stop();
  const again = await open(join(backups, 'today'));
  expect((await fetch(`http://localhost:${again.port}/readyz`)).status).toBe(200);
  await again.stop();
  web.remove();
});
