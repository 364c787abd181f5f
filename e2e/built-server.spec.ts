// The server as `npm start` runs it: the built bundle in a process of its own. Starting, the whole way in, stopping,
// starting again, and a second one on the same folder.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, runBuilt as run, startBuilt as start } from './built-server.ts';
import { expect, test } from './instance.ts';
import { answerQuestions, beginByPasskey, openMemoryVault, readMemory, sealMemory } from './rites.ts';

test('it starts, keeps, ends cleanly on both signals, and has everything after the next start', async ({
  page,
  quiet,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latebra-built-'));
  const first = await start(dataDir);
  expect(first.said()).toMatch(/Set-up token, good once: \S+/);
  expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700');
  expect((statSync(join(dataDir, 'secret.key')).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(join(dataDir, 'latebra.db')).mode & 0o777).toString(8)).toBe('600');

  await beginByPasskey(page, { url: first.url });
  await answerQuestions(page);
  await openMemoryVault(page);
  await sealMemory(page, 'The orchard', 'Ladders.');

  const refused = run(dataDir);
  expect(await refused.ended).toBe(1);
  expect(refused.said()).toContain('Another Latebra is already running on the data folder');
  expect(refused.said()).not.toContain('    at ');

  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const port = new URL(first.url).port;
  const second = await start(dataDir, port);
  await page.reload();
  await readMemory(page, 'The orchard', ['Ladders.']);
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
  rmSync(dataDir, { recursive: true });
  expect(quiet.said).toEqual([]);
});

test('a mistake in the configuration is a sentence, and nothing is started', async () => {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: 'eighty', PUBLIC_URL: 'vault.example.org', LOG_LEVEL: 'loud' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
  expect(said).toContain('PORT must be a whole number from 0 to 65535.');
  expect(said).toContain('PUBLIC_URL must be the full address of this server');
  expect(said).toContain('LOG_LEVEL must be one of');
  expect(said).not.toContain('    at ');
});
