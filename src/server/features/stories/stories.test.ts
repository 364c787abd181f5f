import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Decrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entitlement } from '../../../shared/entitlements.ts';
import type { DraftLine, Myth } from '../../../shared/nouns/myth.ts';
import { planLimits } from '../../../shared/plans.ts';
import { DAY } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import {
  failure,
  type InstanceOptions,
  openTestInstance,
  type TestInstance,
} from '../../../testing/instance.ts';
import { enterByPassphrase, keepVaultKey, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf } from '../../../testing/planting.ts';
import { A_STORY, openStoryService, type StoryService } from '../../../testing/story-service.ts';
import { stripeEnv } from '../../../testing/stripe/service.ts';
import { limit } from '../../../testing/usage.ts';
import { anEnvelope, type Envelope } from '../../../testing/vault-keys.ts';
import { createStoryWriter } from '../../adapters/story-writer.ts';
import { readConfig } from '../../config.ts';
import { clientGone } from '../../errors.ts';

const WRITER = '/api/story-writer';
const DRAFTS = '/api/story-drafts';
const GENERATE = '/api/myth-stories/generate';
const whole = { storyType: 'biography', sourceContent: 'My grandmother kept a well.' };

const cleanups: (() => unknown)[] = [];
let service: StoryService;
beforeEach(async () => {
  service = await openStoryService();
  cleanups.push(service.close);
});
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A server whose language model is the stand-in. */
async function serverWith(
  env: Record<string, string> = {},
  { deps, ...options }: InstanceOptions = {},
): Promise<TestInstance> {
  const settings = { LLM_BASE_URL: service.url, LLM_MODEL: 'llama3', ...env };
  const storyWriter = createStoryWriter(readConfig(settings));
  const instance = await openTestInstance({ ...options, env: settings, deps: { storyWriter, ...deps } });
  cleanups.push(() => instance.close());
  return instance;
}

const ask = (person: Person, fields: object = {}, options: object = {}) =>
  person.request('POST', DRAFTS, { body: { ...whole, ...fields }, ...options });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DraftLine);
const toldBy = async (answer: Response) => linesOf(await answer.text());

/** A vault whose boxes can be opened here. */
async function aVault(person: Person, before?: Envelope) {
  const identity = await generateHybridIdentity();
  const envelope = anEnvelope(await identityToRecipient(identity));
  if (before) {
    const clientKey = envelope.as(before.clientKey.generation + 1, before);
    const body = {
      clientKey: { ...clientKey, wraps: [] },
      previousFingerprint: before.clientKey.fingerprint,
    };
    const answer = await person.request('POST', '/api/encryption-key', { body });
    expect(answer.status).toBe(201);
  } else await keepVaultKey(person, envelope);
  async function open(box: string): Promise<unknown> {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const inside = Buffer.from(await decrypter.decrypt(Buffer.from(box, 'base64')));
    expect(inside.length % 256).toBe(0);
    const text = inside.subarray(0, inside.lastIndexOf(0x80)).toString('utf8');
    expect(inside.subarray(Buffer.byteLength(text) + 1).every((byte) => byte === 0)).toBe(true);
    return JSON.parse(text);
  }
  return { envelope, open };
}

describe('what writes stories', () => {
  it('is named beforehand', async () => {
    const instance = await serverWith({ LLM_STORIES_A_DAY: '7' });
    const person = await signUpByPassphrase(instance);
    expect(await (await person.request('GET', WRITER)).json()).toEqual({
      engine: 'model',
      writer: `llama3 at ${new URL(service.url).host}`,
      writerId: instance.deps.storyWriter?.writerId,
      perDay: 7,
    });
  });

  it('is the Loom where no model is configured', async () => {
    const instance = await openTestInstance();
    cleanups.push(() => instance.close());
    const person = await signUpByPassphrase(instance);
    const none = { engine: 'loom', writer: '', writerId: '', perDay: 30 };
    expect(await (await person.request('GET', WRITER)).json()).toEqual(none);
    const answer = await ask(person);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ code: 'writer-off', message: expect.stringMatching(/the Loom/) });
  });
});

describe('a model that its author was not told of', () => {
  it('gets no words', async () => {
    const instance = await serverWith();
    const person = await signUpByPassphrase(instance);
    const before = service.asked.length;
    const answer = await ask(person, { writerId: 'f'.repeat(64) });
    expect(await failure(answer)).toEqual({ status: 409, code: 'writer-changed' });
    expect(service.asked).toHaveLength(before);
    expect((await ask(person, { writerId: instance.deps.storyWriter?.writerId })).status).toBe(200);
  });
});

describe('a draft', () => {
  it('comes line by line, and nothing of it is kept', async () => {
    const instance = await serverWith();
    const person = await signUpByPassphrase(instance);
    const answer = await ask(person, { personName: 'Ilse', emotionalTone: 'healing' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await toldBy(answer)).toEqual([
      ...A_STORY.map((words) => ({ type: 'words', words })),
      { type: 'end' },
    ]);
    expect(service.asked[0]?.messages.user).toContain(whole.sourceContent);
    expect(service.asked[0]?.messages.user).toContain('Ilse');
    expect(await (await person.request('GET', '/api/myth-stories')).json()).toEqual([]);
  });

  it.each([
    ['is busy', { status: 429, headers: { 'retry-after': '9' } }, 503, 'writer-busy', '9'],
    ['fails', { status: 500 }, 502, 'writer-away', null],
    ['declines', { says: [], ends: 'content_filter' as const }, 502, 'writer-refused', null],
  ])('of a model that %s has a status of its own', async (_, mood, status, code, retryAfter) => {
    const person = await signUpByPassphrase(await serverWith());
    service.behave(mood);
    const answer = await ask(person);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(await failure(answer)).toEqual({ status, code });
  });

  it('says in a line what failed after the first words', async () => {
    const person = await signUpByPassphrase(await serverWith());
    service.behave({ says: ['The Well'], ends: 'drops' });
    const lines = await toldBy(await ask(person));
    expect(lines).toEqual([
      { type: 'words', words: 'The Well' },
      { type: 'error', code: 'writer-away', message: expect.stringMatching(/Nothing was lost.*the Loom/) },
    ]);
  });

  it('that fails for a reason of the server says no more than that, in its line and in the log', async () => {
    const storyWriter = {
      writer: '',
      writerId: '',
      async *write() {
        yield 'The Well';
        throw new Error('canary-7f3a9c');
      },
    };
    const instance = await serverWith({}, { deps: { storyWriter } });
    const text = await (await ask(await signUpByPassphrase(instance))).text();
    expect(linesOf(text)[1]).toMatchObject({ type: 'error', code: 'internal' });
    expect(text).not.toContain('canary');
    expect(instance.log).toContainEqual(expect.objectContaining({ msg: 'a story could not be finished' }));
  });

  it.each([
    ['no source', { sourceContent: ' ' }],
    ['no kind', { storyType: undefined }],
    ['an unknown tone', { emotionalTone: 'sarcasm' }],
    ['a source that is too long', { sourceContent: 'a'.repeat(60_001) }],
    ['a tone of eulogies for a biography', { emotionalTone: 'requiem' }],
  ])('with %s is refused, and no model is asked', async (_, fields) => {
    const person = await signUpByPassphrase(await serverWith());
    expect(await failure(await ask(person, fields))).toEqual({ status: 422, code: 'invalid-input' });
    expect(service.asked).toEqual([]);
  });

  it('in a tone of the rituals needs the entitlement', async () => {
    const granted: Entitlement[] = [];
    const instance = await serverWith({}, { deps: { entitlementSources: [async () => granted] } });
    const person = await signUpByPassphrase(instance);
    const fields = { storyType: 'eulogy', emotionalTone: 'vigil' };
    expect(await failure(await ask(person, fields))).toEqual({ status: 403, code: 'rituals-needed' });
    expect(service.asked).toEqual([]);
    expect((await toldBy(await ask(person, { storyType: 'eulogy' }))).at(-1)).toEqual({ type: 'end' });
    granted.push('rituals');
    expect((await toldBy(await ask(person, fields))).at(-1)).toEqual({ type: 'end' });
    expect(service.asked[1]?.messages.system).toContain('Tone: vigil.');
  });
});

describe('stories of many', () => {
  it('are written one at a time for each account, in whatever tab', async () => {
    const instance = await serverWith();
    const [person, other] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    service.behave({ says: A_STORY, ends: 'hangs' });
    const first = await ask(person);
    expect(await failure(await ask(person))).toEqual({ status: 409, code: 'story-underway' });
    const beside = await ask(other);
    expect(service.asked).toHaveLength(2);
    service.finish();
    for (const answer of [first, beside]) expect((await toldBy(answer)).at(-1)).toEqual({ type: 'end' });
    service.behave({ says: A_STORY });
    expect((await toldBy(await ask(person))).at(-1)).toEqual({ type: 'end' });
  });

  it('wait in line for the places that the administrator allows', async () => {
    const instance = await serverWith({ LLM_CONCURRENCY: '1' });
    const people: Person[] = [];
    for (let n = 0; n < 6; n += 1) people.push(await signUpByPassphrase(instance));
    const [first, ...waiting] = people as [Person, ...Person[]];
    const late = waiting.pop() as Person;
    service.behave({ says: A_STORY, ends: 'hangs' });
    const answer = await ask(first);
    const answers = waiting.map((person) => ask(person));
    // They stand in line once another one is refused.
    let refused = await ask(late);
    while (refused.status !== 503) refused = await ask(late);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await failure(refused)).toEqual({ status: 503, code: 'writer-busy' });
    expect(service.asked).toHaveLength(1);
    service.behave({ says: A_STORY });
    service.finish();
    expect((await toldBy(answer)).at(-1)).toEqual({ type: 'end' });
    for (const next of answers) expect((await toldBy(await next)).at(-1)).toEqual({ type: 'end' });
    expect(service.asked).toHaveLength(5);
    expect((await toldBy(await ask(late))).at(-1)).toEqual({ type: 'end' });
  });

  it('do not wait for somebody who lets a finished one lie unread', async () => {
    const instance = await serverWith({ LLM_CONCURRENCY: '1' });
    const [person, other] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    const unread = await ask(person);
    expect(unread.status).toBe(200);
    expect((await toldBy(await ask(other))).at(-1)).toEqual({ type: 'end' });
    expect((await toldBy(unread)).at(-1)).toEqual({ type: 'end' });
  });

  it('are so many a day for each account, and others have their own', async () => {
    const instance = await serverWith({ LLM_STORIES_A_DAY: '2' });
    const [person, other] = [await signUpByPassphrase(instance), await signUpByPassphrase(instance)];
    for (let n = 0; n < 2; n += 1) expect((await toldBy(await ask(person))).at(-1)).toEqual({ type: 'end' });
    instance.clock.advance(DAY / 2);
    const refused = await ask(person);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(DAY / 2 / 1000));
    expect(await refused.json()).toEqual({
      code: 'stories-used-up',
      message: expect.stringMatching(/^You have had the 2 stories .* It goes on in 12 hours\..*the Loom/),
    });
    // On another server of the same database as well.
    const sibling = instance.sibling();
    const headers = { cookie: person.cookie };
    const there = await sibling.request('POST', DRAFTS, { body: whole, headers });
    expect(await failure(there)).toEqual({ status: 429, code: 'stories-used-up' });
    expect((await toldBy(await ask(other))).at(-1)).toEqual({ type: 'end' });
    instance.clock.advance(DAY / 2);
    expect((await toldBy(await ask(person))).at(-1)).toEqual({ type: 'end' });
  });

  it('are so many a month by a plan, of which a failed one takes nothing', async () => {
    // Nobody asks the payment provider here.
    const instance = await serverWith({
      ...stripeEnv({ url: 'http://127.0.0.1:9' }),
      LLM_STORIES_A_DAY: '50',
    });
    const person = await signUpByPassphrase(instance);
    const { storiesPerMonth } = planLimits.free;
    service.behave({ status: 500 });
    await (await ask(person)).text();
    service.behave({ says: A_STORY });
    for (let n = 0; n < (storiesPerMonth ?? 0); n += 1) {
      expect((await toldBy(await ask(person))).at(-1)).toEqual({ type: 'end' });
    }
    const asked = service.asked.length;
    expect(await failure(await ask(person))).toEqual({ status: 402, code: 'plan-limit' });
    expect(service.asked).toHaveLength(asked);
    instance.clock.advance(32 * DAY);
    const later = await enterByPassphrase(instance, person);
    expect((await toldBy(await ask(later))).at(-1)).toEqual({ type: 'end' });
  });

  it('do not count where the model has failed, and count where it became too long or was stopped', async () => {
    const person = await signUpByPassphrase(await serverWith({ LLM_STORIES_A_DAY: '3' }));
    for (const mood of [{ status: 500 }, 'drops', { says: ['The'], ends: 'drops' }, { says: [] }] as const) {
      service.behave(mood as Parameters<StoryService['behave']>[0]);
      for (let n = 0; n < 2; n += 1) expect((await (await ask(person)).text()).length).toBeGreaterThan(0);
    }
    service.behave({ says: A_STORY, ends: 'length' });
    expect((await toldBy(await ask(person))).at(-1)).toMatchObject({ code: 'story-too-long' });
    service.behave({ says: A_STORY, ends: 'hangs' });
    await (await ask(person)).body?.cancel();
    await service.left();
    service.behave('hangs');
    const leaving = new AbortController();
    const came = service.asked.length;
    const abandoned = ask(person, {}, { signal: leaving.signal });
    await service.came(came + 1);
    leaving.abort();
    await abandoned;
    expect(await failure(await ask(person))).toEqual({ status: 429, code: 'stories-used-up' });
  });
});

describe('over a real connection', () => {
  async function listening(instance: TestInstance) {
    const server = createServer(getRequestListener(instance.app.fetch));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  it.each(['before', 'after'])('a client that leaves %s the first words ends the request', async (when) => {
    const instance = await serverWith();
    const person = await signUpByPassphrase(instance);
    service.behave(when === 'before' ? 'hangs' : { says: A_STORY, ends: 'hangs' });
    const client = new AbortController();
    const url = await listening(instance);
    const send = (signal: AbortSignal) =>
      fetch(`${url}${DRAFTS}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: person.cookie },
        body: JSON.stringify(whole),
        signal,
      });
    const sent = send(client.signal);
    sent.catch(() => {});
    await service.came(1);
    if (when === 'after') {
      const reader = (await sent).body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('The Well');
      reader?.closed.catch(() => {});
    }
    client.abort();
    await service.left();
    // Its place and its account are free again.
    service.behave({ says: A_STORY });
    let again = await send(new AbortController().signal);
    while (again.status === 409) again = await send(new AbortController().signal);
    expect((await toldBy(again)).at(-1)).toEqual({ type: 'end' });
  });
});

describeOnEachEngine('a whole story', (engine) => {
  const generate = (person: Person, fields: object = {}) =>
    person.request('POST', GENERATE, { body: { ...whole, ...fields } });

  it('is sealed to the vault, field by field, and kept', async () => {
    const instance = await serverWith({}, { engine });
    const person = await signUpByPassphrase(instance);
    const { envelope, open } = await aVault(person);
    const answer = await generate(person, { storyType: 'eulogy' });
    expect(answer.status).toBe(201);
    const { stored, ...myth } = (await answer.json()) as Myth & { stored: boolean };
    expect(stored).toBe(true);
    expect(myth).toMatchObject({
      storyType: 'eulogy',
      version: 1,
      sealId: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      keyFingerprint: envelope.clientKey.fingerprint,
    });
    const place = { v: 1, kind: 'myth', sealId: myth.sealId };
    expect(await open(myth.title)).toEqual({ ...place, field: 'title', text: 'The Well' });
    const text = 'It was never dry.';
    expect(await open(myth.encryptedContent)).toEqual({ ...place, field: 'encryptedContent', text });
    const details = (await open(myth.details ?? '')) as { text: string };
    const { writer: model } = instance.deps.storyWriter ?? {};
    expect(details).toMatchObject({ ...place, field: 'details' });
    expect(JSON.parse(details.text)).toEqual({ arrived: { by: 'model', model }, v: 1 });
    expect(await (await person.request('GET', '/api/myth-stories')).json()).toEqual([myth]);
  });

  it('without a title is called after its kind', async () => {
    const person = await signUpByPassphrase(await serverWith({}, { engine }));
    const { open } = await aVault(person);
    service.behave({ says: ['It was ', 'never dry.'] });
    const myth = (await (await generate(person)).json()) as Myth;
    expect(await open(myth.title)).toMatchObject({ text: 'Sacred Biography' });
    expect(await open(myth.encryptedContent)).toMatchObject({ text: 'It was never dry.' });
  });

  it('is woven by the Loom where no model is configured', async () => {
    const asked: object[] = [];
    const weave = async (request: object) => {
      asked.push(request);
      return { title: 'The Well', text: 'woven' };
    };
    const instance = await openTestInstance({ engine, deps: { weave }, env: { LLM_STORIES_A_DAY: '1' } });
    cleanups.push(() => instance.close());
    const person = await signUpByPassphrase(instance);
    const { open } = await aVault(person);
    const myth = (await (await generate(person)).json()) as Myth;
    expect(await open(myth.encryptedContent)).toMatchObject({ text: 'woven' });
    expect(asked).toEqual([{ ...whole, seed: expect.any(Number) }]);
    expect(await failure(await generate(person))).toEqual({ status: 429, code: 'stories-used-up' });
  });

  it('by the Loom takes a place as well, and ends when nobody waits for it', async () => {
    const left: AbortSignal[] = [];
    const weave = (_: object, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        left.push(signal);
        signal.addEventListener('abort', () => reject(clientGone()));
      });
    const instance = await openTestInstance({ engine, deps: { weave }, env: { LLM_CONCURRENCY: '1' } });
    cleanups.push(() => instance.close());
    const people: Person[] = [];
    for (let n = 0; n < 6; n += 1) people.push(await signUpByPassphrase(instance));
    for (const person of people) await aVault(person);
    const client = new AbortController();
    const { signal } = client;
    const answers = people.map((person) => person.request('POST', GENERATE, { body: whole, signal }));
    // One is woven, four wait in line.
    expect(await failure(await Promise.race(answers))).toEqual({ status: 503, code: 'writer-busy' });
    expect(left).toHaveLength(1);
    client.abort();
    await Promise.allSettled(answers);
    expect(left.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('needs a key that something can be sealed to, before a model is asked', async () => {
    const instance = await serverWith({}, { engine });
    const person = await signUpByPassphrase(instance);
    await keepVaultKey(person);
    expect(await failure(await generate(person))).toEqual({ status: 409, code: 'key-unusable' });
    expect(service.asked).toEqual([]);
  });

  it('for a vault without a key is told in the answer alone, and not stored', async () => {
    const weave = async () => ({ title: 'A title', text: 'woven' });
    const instance = await openTestInstance({ engine, deps: { weave } });
    cleanups.push(() => instance.close());
    const person = await signUpByPassphrase(instance);
    const answer = await generate(person);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      stored: false,
      storyType: whole.storyType,
      title: 'A title',
      content: 'woven',
      createdAt: expect.any(String),
    });
    expect(await (await person.request('GET', '/api/myth-stories')).json()).toEqual([]);
    await aVault(person);
    expect(await (await generate(person)).json()).toMatchObject({ stored: true, id: expect.any(Number) });
  });

  it('that fails keeps nothing', async () => {
    const person = await signUpByPassphrase(await serverWith({}, { engine }));
    await aVault(person);
    service.behave({ says: A_STORY, ends: 'drops' });
    expect(await failure(await generate(person))).toEqual({ status: 502, code: 'writer-away' });
    service.behave({ says: A_STORY, ends: 'length' });
    expect(await failure(await generate(person))).toEqual({ status: 502, code: 'story-too-long' });
    expect(await (await person.request('GET', '/api/myth-stories')).json()).toEqual([]);
  });

  it('does not fit into a vault that is full', async () => {
    const instance = await serverWith({}, { engine });
    const person = await signUpByPassphrase(instance);
    await aVault(person);
    await limit(instance, { bytes: 2 ** 30, rows: 0 }, await accountIdOf(instance, person));
    expect(await failure(await generate(person))).toEqual({ status: 409, code: 'quota-rows' });
  });

  /** Begins one, and does something while the model writes. */
  async function meanwhile(person: Person, act: () => Promise<unknown>): Promise<Response> {
    service.behave({ says: A_STORY, ends: 'hangs' });
    const answer = generate(person);
    await service.came(1);
    await act();
    service.finish();
    return answer;
  }

  it('is sealed to the new key of a vault whose key was replaced meanwhile', async () => {
    const instance = await serverWith({}, { engine });
    const person = await signUpByPassphrase(instance);
    const { envelope } = await aVault(person);
    let open: Awaited<ReturnType<typeof aVault>>['open'] = async () => null;
    const answer = await meanwhile(person, async () => {
      ({ open } = await aVault(person, envelope));
    });
    expect(answer.status).toBe(201);
    const myth = (await answer.json()) as Myth;
    expect(myth.keyFingerprint).not.toBe(envelope.clientKey.fingerprint);
    expect(await open(myth.title)).toMatchObject({ text: 'The Well', sealId: myth.sealId });
  });

  it('is kept for nobody whose vault was destroyed meanwhile', async () => {
    const instance = await serverWith({}, { engine });
    const person = await signUpByPassphrase(instance);
    await aVault(person);
    const answer = await meanwhile(person, async () => {
      const gone = await person.request('POST', '/api/vault/destroy', { body: { confirm: 'DESTROY' } });
      expect(gone.status).toBe(204);
    });
    expect(await failure(answer)).toEqual({ status: 401, code: 'not-signed-in' });
    expect(await instance.deps.db.selectFrom('myth_stories').selectAll().execute()).toEqual([]);
  });
});
