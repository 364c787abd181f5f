import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { partBytes } from '../../../shared/file-limits.ts';
import { CLAIM_HEADER } from '../../../shared/letter-claim.ts';
import { DETACHED_LASTS, type Scroll } from '../../../shared/nouns/legacy.ts';
import { DAY, SECOND } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { aFile, complete, read, sendFile, storedBy, type TestFile } from '../../../testing/files.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { aMember, enterByPassphrase, type Person, signUpByPassphrase } from '../../../testing/people.ts';
import { accountIdOf, aSealId } from '../../../testing/planting.ts';
import {
  addressOf,
  anEnvelopeForAWhisper,
  anOpeningScroll,
  aScroll,
  cardFor,
  firstOf,
  openByClaim,
  passphraseFor,
  patchScroll,
  SCROLLS,
  take,
} from '../../../testing/scrolls.ts';
import { aLink, aProof, putSeal, reserve, type Sender } from '../../../testing/shares.ts';
import { countedFor, recount } from '../../../testing/usage.ts';
import { expireByCountedTime } from '../../deadman/expiry-store.ts';
import { deleteExpired } from '../../expiry.ts';
import { PROOF_LASTS } from '../../http/session.ts';
import { eraseFiles } from './erasing.ts';

const PART = partBytes(5);
const found404 = { status: 404, code: 'not-found' };

describeOnEachEngine('files of letters', (engine) => {
  let instance: TestInstance;
  let author: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  // The clock goes on for weeks here: sessions end.
  beforeEach(async () => {
    instance.clock.advance(32 * DAY);
    await sweep();
    author = await signUpByPassphrase(instance);
  });
  afterAll(() => instance.close());

  const sweep = async () => {
    await deleteExpired(instance.deps);
    await eraseFiles(instance.deps);
  };
  const parts = () => storedBy(instance).length;
  const usedBy = async (person: Person) => {
    const account = await accountIdOf(instance, person);
    const counted = await countedFor(instance, account);
    expect(counted).toEqual(await recount(instance, account));
    return counted?.bytes ?? 0;
  };
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
  const readAt = (
    publicId: string,
    { fileId }: Pick<TestFile, 'fileId'>,
    claim: string | null,
    headers: Record<string, string> = {},
    from = '',
  ) =>
    instance.request('GET', `/api/legacy/${publicId}/files/${fileId}`, {
      headers: { ...headers, ...(claim !== null && { [CLAIM_HEADER]: claim }) },
      ...(from && { from }),
    });
  const openAt = (scroll: Pick<Scroll, 'recipients'>, claim: string, from: string) =>
    instance.request('POST', `/api/legacy/${firstOf(scroll).publicId}/open`, { body: { claim }, from });
  const readBy = (scroll: Pick<Scroll, 'recipients'>, ...asked: [TestFile, string | null]) =>
    readAt(firstOf(scroll).publicId, ...asked);

  interface Letter {
    scroll: Scroll;
    claim: string;
    file: TestFile & { sealId: string };
  }
  /** A letter with a file, dormant. */
  async function aLetter(kind: 'card' | 'passphrase' = 'card', size = 1000): Promise<Letter> {
    const sealId = aSealId();
    const file = await sendFile(author, aFile(size), sealId);
    return { ...(await anOpeningScroll(author, kind, { sealId })), file };
  }
  const watch = async ({ scroll }: Pick<Letter, 'scroll'>) =>
    take(author, scroll, 'activate', { handedOver: true });
  async function aReleasedLetter(kind: 'card' | 'passphrase' = 'card', size = 1000): Promise<Letter> {
    const letter = await aLetter(kind, size);
    await watch(letter);
    return { ...letter, scroll: await take(author, letter.scroll, 'release') };
  }

  it.each(['card', 'passphrase'] as const)(
    'are read whole and by ranges, as often as they like, by whoever has its %s, and not before the release',
    async (kind) => {
      const { scroll, claim, file } = await aLetter(kind, 2 * PART + 5);
      for (const step of [null, 'activate'] as const) {
        if (step) await watch({ scroll });
        expect(await failure(await readBy(scroll, file, claim))).toEqual(found404);
        expect(await failure(await readBy(scroll, file, aProof()))).toEqual(found404);
        // Its author has it all the while.
        expect((await bytesOf(await read(author, file))).equals(file.content)).toBe(true);
      }
      await take(author, scroll, 'release');
      for (const _ of ['once', 'again']) {
        const answer = await readBy(scroll, file, claim);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect((await bytesOf(answer)).equals(file.content)).toBe(true);
      }
      const range = await readAt(firstOf(scroll).publicId, file, claim, {
        range: `bytes=${PART - 1}-${PART}`,
      });
      expect(range.status).toBe(206);
      expect((await bytesOf(range)).equals(file.content.subarray(PART - 1, PART + 1))).toBe(true);
    },
  );

  it('are not there for anybody else, and no answer tells why', async () => {
    const { scroll, claim, file } = await aReleasedLetter();
    const other = await aReleasedLetter('passphrase');
    const waiting = await aLetter();
    await watch(waiting);
    const kept = await sendFile(author);
    for (const [at, asked, by] of [
      [scroll, file, null],
      [scroll, file, ''],
      [scroll, file, 'x'.repeat(3000)],
      [scroll, file, aProof()],
      [scroll, file, other.claim],
      [scroll, other.file, claim],
      [scroll, other.file, other.claim],
      [scroll, waiting.file, claim],
      [scroll, waiting.file, waiting.claim],
      [waiting.scroll, waiting.file, waiting.claim],
      [waiting.scroll, file, claim],
      [other.scroll, file, other.claim],
      [other.scroll, other.file, aProof()],
      // A file of the author's that belongs to no letter, and one that is not there.
      [scroll, kept, claim],
      [scroll, aFile(1), claim],
    ] as const) {
      expect(await failure(await readBy(at, asked, by))).toEqual(found404);
    }
    expect(await failure(await readAt(aSealId(), file, claim))).toEqual(found404);
    expect((await readBy(scroll, file, claim)).status).toBe(200);
    for (let n = 0; n < 30; n += 1) await readBy(other.scroll, other.file, aProof());
    expect((await openByClaim(instance, other.scroll, other.claim)).status).toBe(200);
  });

  it('tell nobody by how many they like whether a passphrase is right, and their readers have them all at once', async () => {
    const { scroll, claim, file } = await aReleasedLetter('passphrase');
    const asked = (proof: string, from: string, of: Pick<TestFile, 'fileId'> = file) =>
      readAt(firstOf(scroll).publicId, of, proof, {}, from);
    const [guesser, reader] = ['192.0.2.1', '198.51.100.1'];
    const tooMany = { status: 429, code: 'too-many' };
    // Where no answer tells anything, nothing counts.
    for (let n = 0; n < 40; n += 1) expect((await asked(aProof(), guesser, aFile(1))).status).toBe(404);
    for (let n = 0; n < 33; n += 1) expect(await failure(await asked(aProof(), guesser))).toEqual(found404);
    // Not even the right one is looked at, here or at the letter.
    expect(await failure(await asked(claim, guesser))).toEqual(tooMany);
    expect(await failure(await openAt(scroll, claim, guesser))).toEqual(tooMany);
    const together = await Promise.all(Array.from({ length: 12 }, () => asked(claim, reader)));
    expect(together.map(({ status }) => status)).toEqual(together.map(() => 200));
    await Promise.all(together.map((answer) => answer.arrayBuffer()));
    // What was right is forgotten.
    for (let n = 0; n < 40; n += 1) await (await asked(claim, reader)).arrayBuffer();
    instance.clock.advance(SECOND);
    expect((await asked(claim, guesser)).status).toBe(200);
  });

  it('count no guess at a card, which nobody guesses', async () => {
    const { scroll, claim, file } = await aReleasedLetter('card');
    for (let n = 0; n < 40; n += 1) expect((await readBy(scroll, file, aProof())).status).toBe(404);
    expect((await readBy(scroll, file, claim)).status).toBe(200);
  });

  it('come to each recipient when the letter does, by each one’s own proof', async () => {
    const sealId = aSealId();
    const file = await sendFile(author, aFile(1000), sealId);
    const [first, later] = [aProof(), aProof()];
    const scroll = await aScroll(author, {
      ...{
        sealId,
        triggerType: 'manual',
        triggerValue: 'manual',
        recipientType: null,
        recipientAddress: null,
      },
      recipients: [
        { recipientType: 'card', recipientAddress: 'card', access: cardFor(first) },
        {
          ...{ recipientType: 'email', recipientAddress: 'ada@mail.example', tell: 'if-unopened' },
          access: passphraseFor(later),
        },
      ],
    });
    await watch({ scroll });
    await take(author, scroll, 'release');
    const [one, other] = scroll.recipients.map(({ publicId }) => publicId);
    expect((await readAt(one ?? '', file, first)).status).toBe(200);
    expect(await failure(await readAt(other ?? '', file, later))).toEqual(found404);
    expect(await failure(await readAt(other ?? '', file, first))).toEqual(found404);
  });

  it('are kept from no recipient by another one who reads as many as all may, and does not go on', async () => {
    const sealId = aSealId();
    const file = await sendFile(author, aFile(2 * PART), sealId);
    const claims = [aProof(), aProof()] as const;
    const scroll = await aScroll(author, {
      ...{ sealId, triggerType: 'manual', triggerValue: 'manual' },
      ...{ recipientType: null, recipientAddress: null },
      recipients: claims.map((claim) => ({
        ...{ recipientType: 'card', recipientAddress: 'card', access: cardFor(claim) },
      })),
    });
    await watch({ scroll });
    await take(author, scroll, 'release');
    const readAs = (which: 0 | 1) => readAt(scroll.recipients[which]?.publicId ?? '', file, claims[which]);
    const held = await Promise.all(Array.from({ length: 12 }, () => readAs(0)));
    expect(await failure(await readAs(0))).toEqual({ status: 429, code: 'too-many' });
    expect((await bytesOf(await readAs(1))).equals(file.content)).toBe(true);
    for (const answer of held) await answer.body?.cancel().catch(() => {});
  });

  it('end for a card that was replaced', async () => {
    const { scroll, claim, file } = await aLetter();
    const renewed = aProof();
    const answer = await patchScroll(author, scroll, {
      ...{ access: cardFor(renewed), encryptedScrollKey: scroll.encryptedScrollKey },
    });
    expect(answer.status).toBe(200);
    await watch({ scroll });
    await take(author, scroll, 'release');
    expect(await failure(await readBy(scroll, file, claim))).toEqual(found404);
    expect((await readBy(scroll, file, renewed)).status).toBe(200);
  });

  it('wait with a letter for as long as it waits, and go when it is deleted, whatever its state', async () => {
    const before = parts();
    const draft = await aLetter();
    const watching = await aLetter();
    await watch(watching);
    const released = await aReleasedLetter();
    expect(parts()).toBe(before + 3);
    // Longer than a file waits that belongs to nothing.
    instance.clock.advance(31 * DAY);
    await sweep();
    expect(parts()).toBe(before + 3);
    // The session is over by now.
    author = await enterByPassphrase(instance, author);
    for (const { scroll } of [draft, watching, released]) {
      expect((await author.request('DELETE', `${SCROLLS}/${scroll.id}`)).status).toBe(204);
    }
    expect(await failure(await readBy(released.scroll, released.file, released.claim))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);
  });

  it('are erased with a released letter, also in the hands of its recipient', async () => {
    const before = parts();
    const { scroll, claim, file } = await aReleasedLetter();
    expect((await readBy(scroll, file, claim)).status).toBe(200);
    expect((await author.request('DELETE', `${SCROLLS}/${scroll.id}`)).status).toBe(204);
    expect(await failure(await readBy(scroll, file, claim))).toEqual(found404);
    expect(await failure(await read(author, file))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);
  });

  it('count for the author, and no reading changes that', async () => {
    const empty = await usedBy(author);
    const { scroll, claim, file } = await aReleasedLetter('card', 100_000);
    const filled = await usedBy(author);
    expect(filled - empty).toBeGreaterThanOrEqual(100_000);
    await (await readBy(scroll, file, claim)).arrayBuffer();
    expect(await usedBy(author)).toBe(filled);
    await author.request('DELETE', `${SCROLLS}/${scroll.id}`);
    expect(await usedBy(author)).toBeLessThan(100_000);
  });

  async function destroy(scrolls: 'release' | 'disarm'): Promise<void> {
    const body = { confirm: 'DESTROY', scrolls };
    expect((await author.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
  }

  it('stay with the letters that a destroyed vault leaves, and are erased with these after a year', async () => {
    const before = parts();
    const released = await aReleasedLetter();
    const watching = await aLetter('passphrase');
    await watch(watching);
    const draft = await aLetter();
    const memory = await sendFile(author);
    await destroy('release');
    for (const { scroll, claim, file } of [released, watching]) {
      expect((await bytesOf(await readBy(scroll, file, claim))).equals(file.content)).toBe(true);
    }
    for (const asked of [draft.file, memory]) {
      expect(await failure(await readBy(released.scroll, asked, released.claim))).toEqual(found404);
    }
    await sweep();
    expect(parts()).toBe(before + 2);
    // Longer than what belongs to nothing waits.
    instance.clock.advance(40 * DAY);
    await sweep();
    expect((await readBy(released.scroll, released.file, released.claim)).status).toBe(200);
    const { db } = instance.deps;
    const { kept_until } = await db
      .selectFrom('legacy_scrolls')
      .select('kept_until')
      .where('id', '=', released.scroll.id)
      .executeTakeFirstOrThrow();
    expect(kept_until).toBeGreaterThanOrEqual(DETACHED_LASTS);
    const clock = await db.selectFrom('instance_clock').selectAll().executeTakeFirstOrThrow();
    await db
      .updateTable('instance_clock')
      .set({ counted_time: kept_until ?? 0 })
      .execute();
    expect(await failure(await readBy(released.scroll, released.file, released.claim))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);
    await db.updateTable('instance_clock').set({ counted_time: clock.counted_time }).execute();
  });

  it('go before the letter that they were left with, a few in each step', async () => {
    const released = await aReleasedLetter();
    const { sealId } = released.scroll;
    await sendFile(author, aFile(500), sealId ?? '');
    await destroy('release');
    const { db } = instance.deps;
    const left = () =>
      db.selectFrom('files').select('id').where('left_with', '=', released.scroll.id).execute();
    // As many as films have that are sent in small parts.
    for (const { id } of await left()) {
      const parts = Array.from({ length: 2200 }, (_, part) => ({
        ...{ file: id, part: part + 1, digest: 'planted', stored_as: `planted-${id}-${part}` },
      }));
      for (let at = 0; at < parts.length; at += 200)
        await db
          .insertInto('file_parts')
          .values(parts.slice(at, at + 200))
          .execute();
    }
    const { counted_time } = await db.selectFrom('instance_clock').selectAll().executeTakeFirstOrThrow();
    const setClock = (to: number) => db.updateTable('instance_clock').set({ counted_time: to }).execute();
    await setClock(counted_time + 2 * DETACHED_LASTS);
    // Ended after each step.
    for (const count of [1, 0]) {
      await expireByCountedTime(instance.deps, AbortSignal.abort());
      expect(await left()).toHaveLength(count);
      expect(
        await db.selectFrom('legacy_scrolls').select('id').where('id', '=', released.scroll.id).execute(),
      ).toHaveLength(1);
    }
    await sweep();
    expect(
      await db.selectFrom('legacy_scrolls').select('id').where('id', '=', released.scroll.id).execute(),
    ).toEqual([]);
    await setClock(counted_time);
  });

  it('go with a vault that leaves no letters', async () => {
    const before = parts();
    const { scroll, claim, file } = await aReleasedLetter();
    await destroy('disarm');
    expect(await failure(await readBy(scroll, file, claim))).toEqual(found404);
    await sweep();
    expect(parts()).toBe(before);
  });

  it('are told from those of another letter with the same number, which an archive gives to two vaults', async () => {
    const first = await aReleasedLetter();
    const { sealId } = first.scroll;
    await destroy('release');
    const before = parts();
    author = await signUpByPassphrase(instance);
    const file = await sendFile(author, aFile(1000), sealId ?? '');
    const opening = await anOpeningScroll(author, 'card', { sealId });
    await watch(opening);
    await take(author, opening.scroll, 'release');
    await destroy('release');
    await sweep();
    for (const [at, asked, by] of [
      [first.scroll, file, first.claim],
      [opening.scroll, first.file, opening.claim],
    ] as const) {
      expect(await failure(await readBy(at, asked, by))).toEqual(found404);
    }
    const { db } = instance.deps;
    await db.deleteFrom('legacy_scrolls').where('id', '=', first.scroll.id).execute();
    await sweep();
    expect(parts()).toBe(before);
    expect((await readBy(opening.scroll, file, opening.claim)).status).toBe(200);
  });

  it('of a whisper are read in the vault that it was left for, and nowhere else', async () => {
    const reader = await aMember(instance);
    const stranger = await signUpByPassphrase(instance);
    const sealId = aSealId();
    const file = await sendFile(author, aFile(1000), sealId);
    const scroll = await aScroll(author, {
      ...{ sealId, recipientType: 'whisper', recipientAddress: addressOf(reader.envelope.clientKey) },
      ...{ access: { kind: 'vault', envelope: anEnvelopeForAWhisper() }, encryptedScrollKey: 'c2VhbGVk' },
    });
    const path = `/api/whispers/${firstOf(scroll).publicId}/files/${file.fileId}`;
    const readIn = (person: Sender) => person.request('GET', path);
    await take(author, scroll, 'activate', {});
    expect(await failure(await readIn(reader))).toEqual(found404);
    await take(author, scroll, 'release');
    expect((await bytesOf(await readIn(reader))).equals(file.content)).toBe(true);
    expect(await failure(await readIn(stranger))).toEqual(found404);
    expect(await failure(await readIn(author))).toEqual(found404);
    expect((await instance.request('GET', path)).status).toBe(401);
    expect(await failure(await readBy(scroll, file, aProof()))).toEqual(found404);
    await reader.request('DELETE', `/api/whispers/${firstOf(scroll).publicId}`);
    expect(await failure(await readIn(reader))).toEqual(found404);
  });

  it('belong to a letter that is not there yet, and to the one that they are given to last', async () => {
    const sealId = aSealId();
    const file = await sendFile(author, aFile(1000), sealId);
    const { scroll, claim } = await anOpeningScroll(author, 'card', { sealId: aSealId() });
    await watch({ scroll });
    await take(author, scroll, 'release');
    expect(await failure(await readBy(scroll, file, claim))).toEqual(found404);
    expect((await complete(author, file, scroll.sealId ?? '')).status).toBe(200);
    expect((await readBy(scroll, file, claim)).status).toBe(200);
  });

  it.each(['watching', 'released'] as const)(
    'are taken away from a %s letter by a fresh proof alone, as the letter itself is',
    async (state) => {
      const letter = await (state === 'released' ? aReleasedLetter() : aLetter());
      if (state === 'watching') await watch(letter);
      const { file, scroll, claim } = letter;
      const remove = () => author.request('DELETE', `/api/files/${file.fileId}`);
      const refused = { status: 403, code: 'proof-needed' };
      instance.clock.advance(PROOF_LASTS);
      expect(await failure(await remove())).toEqual(refused);
      expect(await failure(await complete(author, file, aSealId()))).toEqual(refused);
      // It is that letter's already, and a file that is nobody's can be given to it.
      expect((await complete(author, file, file.sealId)).status).toBe(200);
      const other = await sendFile(author, aFile(10), aSealId());
      expect((await complete(author, other, file.sealId)).status).toBe(200);
      author = await enterByPassphrase(instance, author);
      if (state === 'watching') await take(author, scroll, 'release');
      expect((await readBy(scroll, file, claim)).status).toBe(200);
      expect((await remove()).status).toBe(204);
      expect(await failure(await remove())).toEqual(found404);
    },
  );

  it('stay with a letter that watches, whatever else has its number and is erased', async () => {
    const letter = await aLetter();
    await watch(letter);
    instance.clock.advance(PROOF_LASTS);
    const { fileId, sealId } = letter.file;
    const erase = (path: string) => author.request('DELETE', path);

    const { id } = await reserve(author);
    const { seal } = aLink();
    expect((await putSeal(author, id, { ...seal, sealId, files: [fileId] })).status).toBe(200);
    expect((await erase(`/api/shareable-keys/${id}`)).status).toBe(204);

    const words = { title: 'dA==', encryptedContent: 'dA==', sealId };
    for (const [list, body] of [
      ['memory-entries', words],
      ['myth-stories', { ...words, storyType: 'biography' }],
    ] as const) {
      const made = await author.request('POST', `/api/${list}`, { body });
      const { id: twin } = (await made.json()) as { id: number };
      expect((await erase(`/api/${list}/${twin}`)).status).toBe(204);
      expect((await erase(`/api/deleted-${list}/${twin}`)).status).toBe(204);
    }
    expect((await author.request('GET', `/api/files/${fileId}`)).status).toBe(200);
    author = await enterByPassphrase(instance, author);
    expect((await erase(`/api/legacy-scrolls/${letter.scroll.id}`)).status).toBe(204);
    expect(await failure(await author.request('GET', `/api/files/${fileId}`))).toEqual(found404);
  });

  it('stay with a letter that a destroyed vault leaves, whatever link of it had the number of the letter', async () => {
    const { scroll, claim, file } = await aReleasedLetter();
    const { id } = await reserve(author);
    const { seal } = aLink();
    const sealed = await putSeal(author, id, { ...seal, sealId: file.sealId, files: [file.fileId] });
    expect(sealed.status).toBe(200);
    await destroy('release');
    await sweep();
    expect((await readBy(scroll, file, claim)).status).toBe(200);
  });

  it('are taken away from a dormant letter without a fresh proof, as it is deleted', async () => {
    const { file } = await aLetter();
    instance.clock.advance(PROOF_LASTS);
    expect((await complete(author, file, aSealId())).status).toBe(200);
    expect((await author.request('DELETE', `/api/files/${file.fileId}`)).status).toBe(204);
  });
});
