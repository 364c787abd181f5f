// What an import finds already: a server may show it for as long as an import looks, and drop it afterwards.
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../../crypto/base64.ts';
import { newFile } from '../../../crypto/file.ts';
import { numberBeside, numberOfKeptWhisper } from '../../../crypto/number-beside.ts';
import { newSealId } from '../../../crypto/seal.ts';
import type { SealedBookEntry } from '../../../shared/nouns/book.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { bringIn, missingEntries, total } from '../../../vault/archive/bring-in.ts';
import type { ExportedLetter, ExportedWhisper } from '../../../vault/archive/entries-file.ts';
import { leafOfRow } from '../../../vault/book/leaf-of-row.ts';
import { completeFiles } from '../../../vault/files/file-calls.ts';
import { createSealing } from '../../../vault/files/sealed-blocks.ts';
import { uploadFile } from '../../../vault/files/upload.ts';
import { type ExportedMemory, memoryKind } from '../../../vault/kinds/memory.ts';
import { sendAnswers } from '../../../vault/outbox/answers.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { type Device, twoDevices } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';

const instance = anInstance();
const MEMORIES = '/api/memory-entries';
const NOW = '2030-06-01T12:00:00.000Z';

const callOf = (request: Request) => `${request.method} ${new URL(request.url).pathname}`;

const exported = (sealId: string): ExportedMemory => ({
  ...{ sealId, title: 'Brought back', content: 'Its words.', details: null, timeLockUntil: null },
  ...{ createdAt: NOW, updatedAt: NOW },
});
const nothing = { memories: [], relationships: [], myths: [], letters: [], whispers: [] };
const archiveOf = (memory: ExportedMemory) => ({ ...nothing, memories: [memory] });
const bring = (device: Device, found: ReturnType<typeof archiveOf>) =>
  bringIn(found, device.vault, { tell: () => {}, signal: new AbortController().signal });

/** A row of the server, sealed by a member under this number. */
async function rowOf({ sealed, fingerprint }: Member, sealId: string): Promise<Memory> {
  const texts = await sealed(
    'memory',
    sealId,
    { title: 'Brought back', encryptedContent: 'Its words.' },
    { version: 1, timeLockUntil: null },
  );
  const row = { id: 77, details: null, version: 1, timeLockUntil: null, createdAt: NOW, updatedAt: NOW };
  return { ...row, ...texts, sealId, keyFingerprint: fingerprint } as unknown as Memory;
}

/** Has the server show these memories beside its own, and refuse their numbers. Returns how to end it. */
function claim({ network }: Device, rows: readonly Memory[]): () => void {
  return network.intercept(async (request, forward) => {
    if (callOf(request) === `GET ${MEMORIES}`) {
      const own = (await (await forward()).json()) as Memory[];
      return Response.json([...rows, ...own]);
    }
    if (callOf(request) !== `POST ${MEMORIES}`) return forward();
    const { sealId } = (await request.clone().json()) as Memory;
    return rows.some((row) => row.sealId === sealId)
      ? Response.json({ code: 'seal-reused', message: 'No.' }, { status: 409 })
      : forward();
  });
}

const titles = async ({ vault }: Device) =>
  (await vault.lists.load(entryListOf(memoryKind))).map(({ name }) => name);

describe('an entry of an archive whose number a row has that does not open', () => {
  it('is not taken for one that is here: it is kept beside it, once', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const { title, ...row } = await rowOf(member, sealId);
    const damaged = { ...row, title: `${'A'.repeat(8)}${title.slice(8)}` } as Memory;
    const stop = claim(one, [damaged]);
    const found = archiveOf(exported(sealId));
    for (const kept of [1, 0]) {
      const missing = await missingEntries(found, one.vault);
      expect(total(missing)).toBe(1);
      expect(await bring(one, archiveOf(exported(sealId)))).toBe(kept);
    }
    stop();
    expect(await titles(one)).toEqual(['Brought back']);
    const [brought] = await one.vault.lists.load(entryListOf(memoryKind));
    expect(brought?.sealId).toBe(await numberBeside(sealId));
  });

  it('has the files that an archive names belong to the one beside it, where this server has them', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const { title, ...row } = await rowOf(member, sealId);
    claim(one, [{ ...row, title: `${'A'.repeat(8)}${title.slice(8)}` } as Memory]);
    const given: unknown[] = [];
    one.network.intercept(async (request, forward) => {
      if (!request.url.endsWith('/complete')) return forward();
      given.push(await request.clone().json());
      return forward();
    });
    const [id, key, root] = [16, 32, 32].map((length) => toBase64Url(new Uint8Array(length)));
    const file = { id, key, root, name: 'Hives.txt', type: 'text/plain', bytes: 3 };
    const found = { ...exported(sealId), details: { v: 1, files: [file] } };
    expect(await bring(one, archiveOf(found))).toBe(1);
    expect(given).toEqual([{ sealId: await numberBeside(sealId) }]);
  });

  it('stops the import where nothing beside it opens either', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const rows: Memory[] = [];
    for (let id = sealId; rows.length < 4; id = await numberBeside(id)) {
      const { title, ...row } = await rowOf(member, id);
      rows.push({ ...row, id: 80 - rows.length, title: `${'A'.repeat(8)}${title.slice(8)}` } as Memory);
    }
    claim(one, rows);
    await expect(bring(one, archiveOf(exported(sealId)))).rejects.toMatchObject({ cause: { status: 502 } });
  });
});

it('an entry of an archive that is here, and that no book has, is missed if it is gone later', async () => {
  const { member, one } = await twoDevices(instance());
  const sealId = newSealId();
  const stop = claim(one, [await rowOf(member, sealId)]);
  expect(total(await missingEntries(archiveOf(exported(sealId)), one.vault))).toBe(0);
  stop();
  const book = await one.vault.loadBook();
  await book.settle();
  expect(await one.check()).toEqual(['missing']);
});

it.each<[string, (entries: SealedBookEntry[]) => Response]>([
  ['wrong', () => Response.json([])],
  ['kept back', () => Response.json({ code: 'internal', message: 'No.' }, { status: 500 })],
])('so is one that was here while the book was %s', async (_, show) => {
  const { member, one } = await twoDevices(instance());
  await one.writeMemory();
  const sealId = newSealId();
  const stops = [
    claim(one, [await rowOf(member, sealId)]),
    one.network.intercept(async (request, forward) =>
      callOf(request) === 'GET /api/book' ? show(await (await forward()).json()) : forward(),
    ),
  ];
  const vault = { ...one.vault, loadBook: async () => one.bookSync };
  expect(total(await missingEntries(archiveOf(exported(sealId)), vault))).toBe(0);
  for (const stop of stops) stop();
  await one.bookSync.settle();
  expect(await one.check()).toEqual(['missing']);
});

it('so is one whose loss was accepted, and which is shown again for as long as an import looks', async () => {
  const { one } = await twoDevices(instance());
  const { sealId } = await one.writeMemory();
  const hide = () =>
    one.network.intercept(async (request, forward) => {
      if (callOf(request) !== `GET ${MEMORIES}`) return forward();
      const own = (await (await forward()).json()) as Memory[];
      return Response.json(own.filter((row) => row.sealId !== sealId));
    });
  const show = hide();
  expect(await one.check()).toEqual(['missing']);
  await one.bookSync.adopt(one.found());
  show();
  const vault = { ...one.vault, loadBook: async () => one.bookSync };
  expect(total(await missingEntries(archiveOf(exported(sealId ?? '')), vault))).toBe(0);
  hide();
  await one.bookSync.settle();
  expect(await one.check()).toEqual(['missing']);
});

it('what the book turns out to have had removed is not taken in because it was shown while the book was wrong', async () => {
  const { one, two } = await twoDevices(instance());
  const memory = await one.writeMemory();
  await two.check();
  const stop = two.network.intercept(async (request, forward) =>
    callOf(request) === 'GET /api/book' ? Response.json([]) : forward(),
  );
  await one.deleteMemory(memory);
  await one.eraseMemory(memory);
  two.forget();
  await two.bookSync.look();
  two.bookSync.noteHere([{ kind: 'memory', sealId: memory.sealId, leaf: leafOfRow('memory', memory) }]);
  stop();
  await two.bookSync.settle();
  expect(await two.check()).toEqual([]);
});

const whisperOf = (sealId: string): ExportedWhisper => ({
  ...{ sealId, publicId: newSealId(), title: 'Under the stairs', content: 'Its words.', details: null },
  ...{ from: '0'.repeat(32), releasedAt: NOW },
});
const letterOf = (sealId: string): ExportedLetter => ({
  ...{ sealId, title: 'Under the stairs', content: 'Its words.', details: null, createdAt: NOW },
  ...{ state: 'released', triggerType: 'manual', triggerValue: 'manual', timeZone: 'UTC', authorName: null },
  recipients: [{ recipientType: 'card', recipientAddress: 'Nora', tell: 'at-release', name: '' }],
});

/** Sends a file and has it belong to what has this number. */
async function aWholeFile({ vault }: Device, sealId: string): Promise<void> {
  const { id, key } = newFile();
  const { signal } = new AbortController();
  const options = { signal, onProgress: () => {}, keepSealed: async () => {}, seal: createSealing() };
  await uploadFile(vault, new Blob(['a hive']), { id, key, sealed: null }, options);
  await completeFiles(vault, [id], sealId);
}

describe('a whisper of an archive', () => {
  it('becomes a memory with a number of its own, so that each is erased without the files of the other', async () => {
    const { member, one } = await twoDevices(instance());
    const sealId = newSealId();
    const found = { ...nothing, letters: [letterOf(sealId)], whispers: [whisperOf(sealId)] };
    const signal = new AbortController().signal;
    expect(await bringIn(found, one.vault, { tell: () => {}, signal })).toBe(2);
    const [memory] = await one.vault.lists.load(entryListOf(memoryKind));
    const kept = await numberOfKeptWhisper(sealId);
    expect(memory?.sealId).toBe(kept);
    for (const number of [sealId, kept]) await aWholeFile(one, number);
    const [letter] = await member.call<{ id: number }[]>('GET', '/api/legacy-scrolls');
    await member.call('DELETE', `/api/legacy-scrolls/${letter?.id}`);
    const left = await instance().deps.db.selectFrom('files').select('seal_id').execute();
    expect(left.map(({ seal_id }) => seal_id)).toEqual([kept]);
    expect(total(await missingEntries({ ...nothing, whispers: [whisperOf(sealId)] }, one.vault))).toBe(0);
  });

  it.each(['that it does not serve', 'in whose place it serves what does not open'])(
    'is missing where a server lists one %s',
    async (lie) => {
      const { one } = await twoDevices(instance());
      const whisper = whisperOf(newSealId());
      const { sealId, publicId } = whisper;
      const envelope = {
        ...{ sealedKey: 'AAAA', senderRecipient: `age1pq1${'q'.repeat(30)}` },
        ...{ senderVerifyingKey: 'AAAA', signature: 'AAAA' },
      };
      const served = {
        ...{ encryptedContent: 'AAAA', envelope, recipientAddress: '0'.repeat(32), sealId },
        ...{ createdAt: NOW, releasedAt: NOW, openedBefore: null },
      };
      let asked = 0;
      one.network.intercept(async (request, forward) => {
        const call = callOf(request);
        if (call === 'GET /api/whispers')
          return Response.json([{ id: 1, publicId, access: 'vault', releasedAt: NOW, openedAt: NOW }]);
        if (!call.startsWith('POST /api/whispers/')) return forward();
        asked += 1;
        return lie === 'that it does not serve'
          ? Response.json({ code: 'not-found', message: 'There is nothing here.' }, { status: 404 })
          : Response.json(served);
      });
      const missing = await missingEntries({ ...nothing, whispers: [whisper] }, one.vault);
      expect([asked, missing.whispers]).toEqual([1, [whisper]]);
    },
  );

  it('is here where an earlier version has made a memory of it under its own number', async () => {
    const { one } = await twoDevices(instance());
    const sealId = newSealId();
    await bring(one, archiveOf(exported(sealId)));
    expect(total(await missingEntries({ ...nothing, whispers: [whisperOf(sealId)] }, one.vault))).toBe(0);
  });
});

it('answers that the server says were given before count as written before their draft is dropped', async () => {
  const { member, one } = await twoDevices(instance());
  const sealId = newSealId();
  const [question1, question2, question3] = ['Given', 'on another', 'device'];
  const texts = await member.sealed('onboarding', sealId, { question1, question2, question3 });
  const row = { id: 99, createdAt: NOW, ...texts, sealId, keyFingerprint: member.fingerprint };
  const stop = one.network.intercept(async (request, forward) =>
    callOf(request) === 'GET /api/onboarding' ? Response.json(row) : forward(),
  );
  await sendAnswers(one.vault, ['Given', 'here', 'now']);
  stop();
  expect(await (await one.vault.loadBook()).settle()).toBe(0);
  expect(await one.check()).toEqual(['missing']);
});
