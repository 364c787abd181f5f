// The examples of docs/webhooks.md, run as they stand there against the real program: each sends a delivery that is accepted.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { deliverySchema } from '../shared/nouns/import-webhooks.ts';
import type { Memory } from '../shared/nouns/memory.ts';
import { aRecipient, makeWebhook, type NewWebhook, openBox } from '../testing/deliveries.ts';
import { requesterTo } from '../testing/fuzz/people.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';

const document = readFileSync('docs/webhooks.md', 'utf8');
const example = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(document)?.[1] ?? expect.fail(`no ${language}`);

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
/** What runs each example; a machine that lacks one tries the others. */
const runners = [
  { language: 'sh', runs: 'sh', file: 'send.sh', needs: ['curl', 'od'] },
  { language: 'js', runs: process.execPath, file: 'send.mjs', needs: [] },
  { language: 'python', runs: 'python3', file: 'send.py', needs: ['python3'] },
].filter(({ needs }) => needs.every(isThere));

describe('the examples for senders', () => {
  let server: ServerProcess;
  let person: Awaited<ReturnType<typeof aRecipient>>;
  let webhook: NewWebhook;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    server = await startServer(inject('serverProgram'), { DATA_DIR: dataDir });
    cleanups.push(() => server.end('SIGKILL'));
    person = await aRecipient({ request: requesterTo(server.url) });
    webhook = await makeWebhook(person);
  });
  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean();
  });

  it.each(runners)('in $language send a delivery that is accepted', async ({ language, runs, file }) => {
    const folder = mkdtempSync(join(tmpdir(), 'latebra-example-'));
    writeFileSync(join(folder, file), example(language));
    // Without PUBLIC_URL a server names localhost without its port.
    const url = server.url + new URL(webhook.url).pathname;
    const env = { PATH: process.env.PATH ?? '', WEBHOOK_URL: url, WEBHOOK_SECRET: webhook.secret };
    const { stdout } = await promisify(execFile)(runs, [join(folder, file)], { env });
    rmSync(folder, { recursive: true });
    expect(stdout.trim()).toBe('204');
    const [newest] = (await (await person.request('GET', '/api/memory-entries')).json()) as [Memory];
    const { text } = await openBox(person.ageIdentity, newest.encryptedContent ?? '');
    expect(text).toMatch(/^Sent (?:from a terminal|by Node|by Python)\.$/);
  });

  it('show a payload as it has to be', () => {
    expect(deliverySchema.safeParse(JSON.parse(example('json'))).success).toBe(true);
  });
});
