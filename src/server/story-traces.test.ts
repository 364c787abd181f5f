// What a story is made from leaves no trace: the real program asks a model, is left, and is killed, and the author's words
// stand in the model's request and nowhere else; neither do the story's, nor the service's secret.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Myth } from '../shared/nouns/myth.ts';
import { requesterTo } from '../testing/fuzz/people.ts';
import { keepVaultKey, type Person, signUpByPassphrase } from '../testing/people.ts';
import { aDataDir, startServer } from '../testing/server-program.ts';
import { openStoryService, type StoryMood } from '../testing/story-service.ts';
import { anEnvelope } from '../testing/vault-keys.ts';

const main = inject('serverProgram');
const SOURCE = 'canary-of-the-source-7f3a9c';
const PERSON = 'canary-of-the-person-c04d1e';
const WORDS = 'canary-of-the-words-51be02';
const KEY = 'canary-of-the-key-99aa73';
const METRICS_TOKEN = 'a-token-for-the-metrics';
const whole = { storyType: 'relationship', sourceContent: `We kept a ${SOURCE}.`, personName: PERSON };
const TELLS = ['The Well\n\n', `It was ${WORDS}.`];

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

/** A text in the ways in which it could be written down. */
const spellings = (text: string) => {
  const bytes = Buffer.from(text);
  // Base64 of the middle: what stands around it shifts its beginning and its end.
  const shifted = [0, 1, 2].map((by) =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [text, bytes.toString('hex'), ...shifted];
};

/** The program with a model's service or without one, and an empty folder for its temporary files. */
async function start(hasModel = true) {
  const service = await openStoryService();
  const { dataDir, remove } = aDataDir();
  const temporary = mkdtempSync(join(tmpdir(), 'latebra-stories-'));
  mkdirSync(join(temporary, 'files'));
  cleanups.push(service.close, remove, () => rmSync(temporary, { recursive: true, force: true }));
  const server = await startServer(main, {
    DATA_DIR: dataDir,
    TMPDIR: join(temporary, 'files'),
    LOG_LEVEL: 'debug',
    METRICS_TOKEN,
    ...(hasModel ? { LLM_BASE_URL: service.url, LLM_MODEL: 'llama3', LLM_API_KEY: KEY } : {}),
  });
  cleanups.push(() => server.end('SIGKILL'));
  const person = await signUpByPassphrase({ request: requesterTo(server.url) });
  const identity = await generateHybridIdentity();
  await keepVaultKey(person, anEnvelope(await identityToRecipient(identity)));
  const readMetrics = async () =>
    (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text();
  const expectNoTrace = (metrics: string) => {
    const places = {
      metrics,
      log: server.output(),
      ...Object.fromEntries(filesUnder(dataDir).map((file) => [file, readFileSync(file, 'latin1')])),
    };
    expect(places.log).toMatch(/story-drafts|myth-stories/);
    expect(places.metrics).toContain('latebra_');
    for (const [place, content] of Object.entries(places)) {
      for (const canary of [SOURCE, PERSON, WORDS, KEY]) {
        for (const spelling of spellings(canary)) expect(content, place).not.toContain(spelling);
      }
    }
    expect(readdirSync(join(temporary, 'files'))).toEqual([]);
    const inRequests = service.asked.map(({ body, authorization }) => ({ body, authorization }));
    for (const { body, authorization } of inRequests) {
      expect(body).toContain(SOURCE);
      expect(body).toContain(PERSON);
      expect(body).not.toContain(KEY);
      expect(authorization).toBe(`Bearer ${KEY}`);
    }
    return inRequests.length;
  };
  return { server, service, person, identity, readMetrics, expectNoTrace };
}

const draft = (person: Person, signal?: AbortSignal) =>
  person.request('POST', '/api/story-drafts', { body: whole, ...(signal ? { signal } : {}) });

describe('a story leaves no trace', () => {
  it('of what was asked and told, whole or failed', async () => {
    const { server, service, person, readMetrics, expectNoTrace } = await start();
    service.behave({ says: TELLS, thinks: [WORDS] });
    expect(await (await draft(person)).text()).toContain(WORDS);
    const echo = `${SOURCE} ${WORDS} ${KEY}`;
    const moods: StoryMood[] = [
      { status: 500, body: `{"error":{"message":"${echo}"}}` },
      { status: 401, body: echo },
      { status: 400, body: `{"error":{"message":"${echo}","param":"${echo}"}}` },
      { status: 302, headers: { location: `/${SOURCE}` } },
      { raw: `data: {"${echo}` },
      { raw: `data: {"error":{"message":"${echo}"}}\n\n` },
      { raw: `data: {"choices":"${echo}"}\n\n` },
      { raw: `<html>${echo}</html>`, type: 'text/html' },
      'drops',
      { says: [], thinks: [WORDS] },
    ];
    for (const mood of moods) {
      service.behave(mood);
      const answer = await draft(person);
      expect(answer.status).toBe(502);
      expect(await answer.text()).not.toContain('canary');
    }
    for (const ends of ['drops', 'length', 'no reason'] as const) {
      service.behave({ says: TELLS, ends });
      const last = (await (await draft(person)).text()).trimEnd().split('\n').at(-1) ?? '';
      expect(last).toContain('"type":"error"');
      expect(last).not.toContain('canary');
    }
    const metrics = await readMetrics();
    await server.end();
    expect(expectNoTrace(metrics)).toBe(14);
  });

  it('where it is kept, but in the box that its owner opens', async () => {
    const { server, service, person, identity, readMetrics, expectNoTrace } = await start();
    service.behave({ says: TELLS });
    const answer = await person.request('POST', '/api/myth-stories/generate', { body: whole });
    expect(answer.status).toBe(201);
    const text = await answer.text();
    for (const spelling of spellings(WORDS)) expect(text).not.toContain(spelling);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const { encryptedContent } = JSON.parse(text) as Myth;
    const inside = Buffer.from(await decrypter.decrypt(Buffer.from(encryptedContent, 'base64')));
    expect(inside.toString('latin1')).toContain(WORDS);
    const metrics = await readMetrics();
    await server.end();
    expect(expectNoTrace(metrics)).toBe(1);
  });

  it('where the Loom weaves it on the server', async () => {
    const { server, person, identity, readMetrics, expectNoTrace } = await start(false);
    const sourceContent = `My grandmother kept a ${SOURCE} behind the red barn. She drew water with a tin bucket.`;
    const body = { ...whole, sourceContent };
    const answer = await person.request('POST', '/api/myth-stories/generate', { body });
    expect(answer.status).toBe(201);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const { encryptedContent } = (await answer.json()) as Myth;
    const inside = Buffer.from(await decrypter.decrypt(Buffer.from(encryptedContent, 'base64')));
    expect(inside.toString('latin1')).toContain('tin bucket');
    const metrics = await readMetrics();
    await server.end();
    expect(expectNoTrace(metrics)).toBe(0);
  });

  it('where its author leaves, or the server is killed while the model writes', async () => {
    const { server, service, person, readMetrics, expectNoTrace } = await start();
    service.behave({ says: TELLS, ends: 'hangs' });
    const client = new AbortController();
    const sent = draft(person, client.signal);
    const reader = (await sent).body?.getReader();
    await reader?.read();
    client.abort();
    await service.left();
    let again = await draft(person);
    while (again.status === 409) again = await draft(person);
    const metrics = await readMetrics();
    await server.end('SIGKILL');
    await service.left(2);
    expect(expectNoTrace(metrics)).toBe(2);
  });
});
