// Deliveries to the real program: their words stand in no file and no line of the log afterwards, in no encoding, whatever
// became of them. And one that was acknowledged is there once, although the server is killed in the middle of many.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import type { Memory } from '../shared/nouns/memory.ts';
import { aRecipient, makeWebhook, type NewWebhook, openBox } from '../testing/deliveries.ts';
import { createPostgres, describeOnEachEngine } from '../testing/engines.ts';
import { requesterTo } from '../testing/fuzz/people.ts';
import { type Person, personWith } from '../testing/people.ts';
import { aDataDir, startServer } from '../testing/server-program.ts';
import { aDelivery, aPayload, pathOf } from '../testing/signed-deliveries.ts';

const main = inject('serverProgram');
const WORD = 'canary-7f3a9c51be02';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const filesUnder = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });

/** A word as it could stand in a file or a line. Base64 depends on where in a group of three bytes it begins. */
function disguises(word: string): string[] {
  const bytes = Buffer.from(word);
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return [word, bytes.toString('hex'), ...base64];
}

describeOnEachEngine('deliveries to the program', (engine) => {
  async function aHome() {
    const { dataDir, remove } = aDataDir();
    const { dataDir: temporary, remove: removeTemporary } = aDataDir();
    mkdirSync(temporary, { recursive: true });
    cleanups.push(remove, removeTemporary);
    const database = engine === 'postgres' ? await createPostgres() : null;
    if (database) cleanups.push(() => database.drop());
    const start = async () => {
      const server = await startServer(main, {
        DATA_DIR: dataDir,
        TMPDIR: temporary,
        LOG_LEVEL: 'debug',
        ...(database ? { DATABASE_URL: database.url } : {}),
      });
      cleanups.push(() => server.end('SIGKILL'));
      return { server, request: requesterTo(server.url) };
    };
    return { start, folders: [dataDir, temporary] };
  }
  type Home = Awaited<ReturnType<typeof aHome>>;
  type Recipient = Awaited<ReturnType<typeof aRecipient>>;
  type Running = Awaited<ReturnType<Home['start']>>;

  const deliver = (
    { request }: Pick<Running, 'request'>,
    webhook: NewWebhook,
    sending: Partial<Parameters<typeof aDelivery>[1]>,
  ) => request('POST', pathOf(webhook), aDelivery(webhook, { at: Date.now(), ...sending }));
  const memories = async (person: Pick<Person, 'request'>) =>
    (await (await person.request('GET', '/api/memory-entries')).json()) as Memory[];

  it('leave no word anywhere, whether they are accepted or refused', async () => {
    const home = await aHome();
    const running = await home.start();
    const person = await aRecipient(running);
    const webhook = await makeWebhook(person);
    const words = aPayload({ title: WORD, content: `${WORD} `.repeat(2000), tags: [WORD] });
    const answers = [
      await deliver(running, webhook, { payload: words, id: WORD }),
      await deliver(running, webhook, { payload: words, id: WORD }),
      await deliver(running, webhook, { payload: words, altered: JSON.stringify(words).replace('{', '{ ') }),
      await deliver(running, webhook, { payload: words, at: Date.now() - 3_600_000 }),
      await deliver(running, webhook, { payload: aPayload({ [WORD]: WORD, happenedOn: WORD }) }),
      await deliver(running, webhook, { payload: `{"${WORD}":` }),
      await deliver(running, webhook, { payload: words, headers: { 'content-type': WORD } }),
      await deliver(running, { ...webhook, url: `${webhook.url}x` }, { payload: words }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 401, 401, 422, 400, 415, 404]);
    for (const answer of answers) expect(await answer.text()).not.toContain(WORD);
    const [row] = (await memories(person)) as [Memory];
    expect((await openBox(person.ageIdentity, row.encryptedContent ?? '')).text).toContain(WORD);

    await running.server.end();
    const token = pathOf(webhook).split('/').at(-1) ?? '';
    const secret = webhook.secret.slice('whsec_'.length);
    const secretHex = Buffer.from(secret, 'base64').toString('hex');
    const hidden = [...disguises(WORD), token, secret, secretHex];
    const files = home.folders
      .flatMap(filesUnder)
      .map((file) => [file, readFileSync(file, 'latin1')] as const);
    for (const [place, content] of [['the log', running.server.output()] as const, ...files]) {
      for (const text of hidden) expect(content.includes(text), `${text} in ${place}`).toBe(false);
    }
    // The check can find something: what may stand there does.
    expect(running.server.output()).toContain('/api/import/{token}');
    if (engine === 'sqlite')
      expect(files.some(([, content]) => content.includes(row.sealId ?? ''))).toBe(true);
  });

  it('are each there once, although the server is killed again and again', async () => {
    const home = await aHome();
    let person: Recipient | undefined;
    const acknowledged = new Set<string>();
    const sent = new Map<string, NewWebhook>();
    for (let round = 0; round < 3; round += 1) {
      const running = await home.start();
      person = person
        ? { ...person, ...personWith(running, person.cookie, person.user) }
        : await aRecipient(running);
      const webhook = await makeWebhook(person);
      const send = async (id: string) => {
        sent.set(id, webhook);
        const answer = await deliver(running, webhook, { id, payload: aPayload({ title: id }) }).catch(
          () => null,
        );
        if (answer?.status === 204) acknowledged.add(id);
        return answer !== null;
      };
      const before = acknowledged.size;
      const line = async (n: number) => {
        for (let i = 0; await send(`msg_${round}_${n}_${i}`); i += 1) {
          if (acknowledged.size >= before + 12) void running.server.end('SIGKILL');
          if (i > 200) throw new Error('the server was not killed');
        }
      };
      await Promise.all([0, 1, 2, 3].map(line));
      await running.server.end('SIGKILL');
    }
    const running = await home.start();
    const owner = personWith(running, person?.cookie ?? '', person?.user as Person['user']);
    const titlesOf = async () =>
      Promise.all(
        (await memories(owner)).map(
          async ({ title }) => (await openBox(person?.ageIdentity ?? '', title)).text as string,
        ),
      );
    const kept = await titlesOf();
    expect(new Set(kept).size).toBe(kept.length);
    for (const id of acknowledged) expect(kept).toContain(id);
    // A sender repeats what was not acknowledged: what had been kept is kept no second time, and the rest is kept.
    for (const [id, webhook] of sent) {
      if (acknowledged.has(id)) continue;
      const { status } = await deliver(running, webhook, { id, payload: aPayload({ title: id }) });
      expect([204, 429], id).toContain(status);
    }
    const all = await titlesOf();
    expect(new Set(all).size).toBe(all.length);
    await running.server.end();
  });
});
