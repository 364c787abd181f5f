// What an import finds already: a server may show it for as long as an import looks, and drop it afterwards.
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../../crypto/base64.ts';
import { numberBeside } from '../../../crypto/number-beside.ts';
import { newSealId } from '../../../crypto/seal.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { bringIn, missingEntries, total } from '../../../vault/archive/bring-in.ts';
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
const archiveOf = (memory: ExportedMemory) => ({
  ...{ memories: [memory], relationships: [], myths: [], letters: [], whispers: [] },
});
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
