// The recipient's half of legacy scrolls: what a card, a passphrase or a vault opens, and when.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scroll } from '../../../../shared/nouns/legacy.ts';
import type { Whisper } from '../../../../shared/nouns/whispers.ts';
import { HOUR, MINUTE, SECOND } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { recipientRow } from '../../../../testing/scroll-rows.ts';
import {
  addressOf,
  anEnvelopeForAWhisper,
  anOpeningScroll,
  aScroll,
  aWatch,
  cardFor,
  firstOf,
  openByClaim,
  pageOf,
  passphraseFor,
  patchScroll,
  scrollsOf,
  take,
} from '../../../../testing/scrolls.ts';
import { aProof, someWords } from '../../../../testing/shares.ts';
import { linkToken } from '../../delivery/link-token.ts';

const notFound = { status: 404, code: 'not-found' };
const notReleased = { status: 409, code: 'not-released' };
const wrongCard = { status: 401, code: 'wrong-card' };
const tooMany = { status: 429, code: 'too-many' };

describeOnEachEngine('a scroll’s recipient', (engine) => {
  let instance: TestInstance;
  let author: Person;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());

  const now = () => new Date(instance.clock.now()).toISOString();
  const stateOf = async (scroll: Scroll) => (await instance.request('GET', pageOf(scroll))).json();
  const rowOf = (scroll: Pick<Scroll, 'id'>) => recipientRow(instance, scroll);
  async function released(kind: 'card' | 'passphrase' = 'card') {
    author = await signUpByPassphrase(instance);
    const { scroll, claim } = await anOpeningScroll(author, kind);
    await take(author, scroll, 'activate', { handedOver: true });
    return { scroll: await take(author, scroll, 'release'), claim };
  }

  it('ends the reminders by one press, of a mail program or on the page; following the link ends nothing', async () => {
    const { scroll, claim } = await released();
    const number = firstOf(scroll).publicId;
    const token = linkToken(instance.deps.digests, number, 'stop-reminders');
    const path = `/api/reminders/${token}`;
    const stands = async (of = token) => {
      const answer = await instance.request('POST', '/api/confirmations/look', { body: { token: of } });
      return answer.status === 200 ? answer.json() : failure(answer);
    };
    // As mail programs and those who look through mails follow it.
    const page = await instance.request('GET', path, {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    });
    expect([page.status, page.headers.get('location')]).toEqual([302, `/still-here#${token}`]);
    expect(await stands()).toEqual({ kind: 'reminders', state: 'open' });

    // RFC 8058: a form, from a server that is no browser, without any cookie.
    const oneClick = (to: string) =>
      instance.app.request(to, {
        method: 'POST',
        headers: { host: 'localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
    expect((await oneClick(path)).status).toBe(204);
    expect((await oneClick(path)).status).toBe(204);
    expect(await stands()).toEqual({ kind: 'reminders', state: 'pressed' });
    expect((await openByClaim(instance, scroll, claim)).status).toBe(200);

    // The number of a message, one of another recipient, and a guess end nothing.
    const other = await released();
    const press = linkToken(instance.deps.digests, firstOf(other.scroll).publicId, 'outside-look');
    for (const wrong of [press, 'A'.repeat(43), 'x']) {
      expect(await failure(await oneClick(`/api/reminders/${wrong}`))).toEqual(notFound);
    }
    const its = linkToken(instance.deps.digests, firstOf(other.scroll).publicId, 'stop-reminders');
    expect(await stands(its)).toEqual({ kind: 'reminders', state: 'open' });
    const pressed = await instance.request('POST', '/api/confirmations', { body: { token: its } });
    expect(await pressed.json()).toEqual({ kind: 'reminders', confirmationsLeft: null });
    expect(await rowOf(other.scroll)).toMatchObject({ reminders_stopped_at: expect.any(Number) });
  });

  it('who looks for themselves is told by no message, and opens it all the same', async () => {
    author = await signUpByPassphrase(instance);
    const claim = aProof();
    const kept = await aScroll(author, {
      ...{ recipientType: 'card', recipientAddress: 'Agnes, who lives by the lake', access: cardFor(claim) },
      ...{ triggerType: 'manual', triggerValue: 'manual' },
    });
    // Nothing of the recipient is kept.
    expect(kept).toMatchObject({ recipientType: 'card', recipientAddress: 'card' });
    await take(author, kept, 'activate', { handedOver: true });
    expect(await take(author, kept, 'release')).toMatchObject({
      hasTriggered: true,
      recipients: [{ delivery: null }],
    });
    const messages = await instance.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('scroll_id', '=', kept.id)
      .execute();
    expect(messages).toEqual([]);
    expect((await openByClaim(instance, kept, claim)).status).toBe(200);
    expect((await scrollsOf(author))[0]?.recipients[0]?.openedAt).not.toBeNull();
  });

  describe('with a key card', () => {
    it('hears before the release that it is right, and after it has the words as often as they like', async () => {
      author = await signUpByPassphrase(instance);
      const { scroll, claim } = await anOpeningScroll(author);
      const waiting = {
        ...{ state: 'waiting', access: 'card', stretching: null, sheetsNeeded: null, openedAt: null },
        ...{ encryptedName: null, rehearsal: null },
      };
      for (const verb of [null, 'activate'] as const) {
        if (verb) await take(author, scroll, verb, { handedOver: true });
        expect(await stateOf(scroll)).toEqual(waiting);
        expect(await failure(await openByClaim(instance, scroll, claim))).toEqual(notReleased);
        expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(wrongCard);
      }
      expect((await rowOf(scroll)).opened_at).toBeNull();
      await take(author, scroll, 'release');
      const releasedAt = now();
      instance.clock.advance(HOUR);
      const openedAt = now();
      const words = {
        encryptedContent: scroll.encryptedContent,
        wrappedKey: (await rowOf(scroll)).wrapped_key,
        sealId: scroll.sealId,
        createdAt: scroll.createdAt,
        releasedAt,
      };
      const first = await openByClaim(instance, scroll, claim);
      expect(first.headers.get('cache-control')).toBe('no-store');
      expect(await first.json()).toEqual({ ...words, openedBefore: null });
      instance.clock.advance(HOUR);
      for (let i = 0; i < 3; i += 1) {
        const again = await openByClaim(author, scroll, claim);
        expect(await again.json()).toEqual({ ...words, openedBefore: openedAt });
      }
      expect(await stateOf(scroll)).toEqual({ ...waiting, state: 'released', openedAt });
      expect((await scrollsOf(author))[0]).toMatchObject({ recipients: [{ openedAt }] });
    });

    it('is the first one once, of many at the same moment', async () => {
      const { scroll, claim } = await released();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => openByClaim(instance, scroll, claim)),
      );
      const opened = (await Promise.all(answers.map((answer) => answer.json()))) as {
        openedBefore: unknown;
      }[];
      expect(opened.filter(({ openedBefore }) => openedBefore === null)).toHaveLength(1);
    });

    it('is neither counted nor delayed, however often others try', async () => {
      const { scroll, claim } = await released();
      for (let i = 0; i < 30; i += 1) {
        expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(wrongCard);
      }
      expect(await rowOf(scroll)).toMatchObject({ opened_at: null });
      expect((await openByClaim(instance, scroll, claim)).status).toBe(200);
    });

    it('that was replaced opens nothing any more', async () => {
      author = await signUpByPassphrase(instance);
      const { scroll, claim } = await anOpeningScroll(author);
      const next = aProof();
      expect((await patchScroll(author, scroll, { access: cardFor(next) })).status).toBe(200);
      expect(await failure(await openByClaim(instance, scroll, claim))).toEqual(wrongCard);
      expect(await failure(await openByClaim(instance, scroll, next))).toEqual(notReleased);
    });
  });

  describe('with a passphrase', () => {
    it('is told how to stretch it, and has the wrapped key with the words', async () => {
      author = await signUpByPassphrase(instance);
      const claim = aProof();
      const access = passphraseFor(claim);
      if (access.kind !== 'passphrase') throw new Error('no passphrase');
      const scroll = await aWatch(author, { access }, { handedOver: true });
      expect(await stateOf(scroll)).toMatchObject({ access: 'passphrase', stretching: access.stretching });
      await take(author, scroll, 'release');
      expect(await (await openByClaim(instance, scroll, claim)).json()).toMatchObject({
        wrappedKey: access.wrappedKey,
        encryptedContent: scroll.encryptedContent,
      });
    });

    it.each(['before the release', 'after it'])('waits longer with every wrong one, %s', async (when) => {
      author = await signUpByPassphrase(instance);
      const { scroll, claim } = await anOpeningScroll(author, 'passphrase');
      if (when === 'after it') {
        await take(author, scroll, 'activate', { handedOver: true });
        await take(author, scroll, 'release');
      }
      for (let i = 0; i < 3; i += 1) {
        expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(wrongCard);
      }
      for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
        expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(wrongCard);
        for (const any of [aProof(), claim]) {
          const refused = await openByClaim(instance, scroll, any);
          expect(refused.headers.get('retry-after')).toBe(String(wait));
          expect(await failure(refused)).toEqual(tooMany);
        }
        instance.clock.advance(wait * SECOND);
      }
      const right = await openByClaim(instance, scroll, claim);
      expect(right.status).toBe(when === 'after it' ? 200 : 409);
    });

    it('of a new scroll waits for nothing that was tried at the old one', async () => {
      author = await signUpByPassphrase(instance);
      const { scroll } = await anOpeningScroll(author, 'passphrase');
      for (let i = 0; i < 5; i += 1) await openByClaim(instance, scroll, aProof());
      expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(tooMany);
      const claim = aProof();
      await patchScroll(author, scroll, { access: passphraseFor(claim) });
      expect(await failure(await openByClaim(instance, scroll, claim))).toEqual(notReleased);
    });
  });

  it('finds nothing to prove at a scroll that nobody but its author opens', async () => {
    author = await signUpByPassphrase(instance);
    const scroll = await aScroll(author);
    expect(await stateOf(scroll)).toEqual({
      state: 'waiting',
      access: 'none',
      stretching: null,
      sheetsNeeded: null,
      openedAt: null,
      encryptedName: null,
      rehearsal: null,
    });
    expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(wrongCard);
  });

  it('leaves no trace of a scroll’s number in the log', async () => {
    const { scroll, claim } = await released();
    instance.log.length = 0;
    await openByClaim(instance, scroll, claim);
    await stateOf(scroll);
    await instance.request('GET', `/legacy/${firstOf(scroll).publicId}`);
    // One line for each answer, and one for the author's activity.
    expect(instance.log.length).toBe(4);
    expect(JSON.stringify(instance.log)).not.toContain(firstOf(scroll).publicId);
  });

  describe('in a vault of their own', () => {
    const sealedTo = (recipientAddress: string) => ({
      recipientType: 'whisper',
      recipientAddress,
      access: { kind: 'vault', envelope: anEnvelopeForAWhisper() },
      encryptedScrollKey: someWords(60),
      sealId: aProof().slice(0, 22),
    });
    const whispersOf = async (reader: Person) =>
      (await (await reader.request('GET', '/api/whispers')).json()) as Whisper[];
    const openWhisper = (reader: Person, scroll: Scroll) =>
      reader.request('POST', `/api/whispers/${firstOf(scroll).publicId}/open`);
    const waiting = async (reader: Person) =>
      ((await (await reader.request('GET', '/api/summary')).json()) as { whispers: number }).whispers;

    it('finds a whisper once it is released, with what its author signed', async () => {
      const [writer, reader, other] = [
        await signUpByPassphrase(instance),
        await aMember(instance),
        await aMember(instance),
      ];
      const { clientKey } = reader.envelope;
      const address = addressOf(clientKey);
      const found = await writer.request('GET', `/api/vaults/${address}`);
      expect(await found.json()).toEqual({
        generation: clientKey.generation,
        recipient: clientKey.recipient,
        verifyingKey: clientKey.verifyingKey,
        signature: clientKey.signature,
      });
      const fields = sealedTo(address);
      const scroll = await aWatch(writer, fields);
      expect(await whispersOf(reader)).toEqual([]);
      expect(await failure(await openWhisper(reader, scroll))).toEqual(notFound);
      await take(writer, scroll, 'release');
      const releasedAt = now();
      expect(await whispersOf(reader)).toEqual([
        {
          id: firstOf(scroll).id,
          publicId: firstOf(scroll).publicId,
          access: 'vault',
          releasedAt,
          openedAt: null,
        },
      ]);
      expect(await waiting(reader)).toBe(1);
      instance.clock.advance(MINUTE);
      const openedAt = now();
      const words = {
        encryptedContent: scroll.encryptedContent,
        envelope: fields.access.envelope,
        recipientAddress: address,
        sealId: fields.sealId,
        createdAt: scroll.createdAt,
        releasedAt,
      };
      expect(await (await openWhisper(reader, scroll)).json()).toEqual({ ...words, openedBefore: null });
      instance.clock.advance(MINUTE);
      expect(await (await openWhisper(reader, scroll)).json()).toEqual({ ...words, openedBefore: openedAt });
      expect(await waiting(reader)).toBe(0);
      expect((await scrollsOf(writer))[0]).toMatchObject({ recipients: [{ openedAt }] });
      for (const stranger of [writer, other]) {
        expect(await whispersOf(stranger)).toEqual([]);
        expect(await failure(await openWhisper(stranger, scroll))).toEqual(notFound);
      }
      expect(await failure(await openByClaim(instance, scroll, aProof()))).toEqual(wrongCard);
    });

    it('hears of one that only a card opens, and finds it also in a vault that came later', async () => {
      const writer = await signUpByPassphrase(instance);
      const reader = await aMember(instance);
      const address = addressOf(reader.envelope.clientKey);
      const { db } = instance.deps;
      await db.updateTable('vault_keys').set({ address: 'not yet' }).where('address', '=', address).execute();
      const claim = aProof();
      const scroll = await aWatch(
        writer,
        { ...sealedTo(address), access: cardFor(claim) },
        { handedOver: true },
      );
      await db
        .updateTable('vault_keys')
        .set({ address })
        .where('fingerprint', '=', reader.envelope.clientKey.fingerprint)
        .execute();
      await take(writer, scroll, 'release');
      expect(await whispersOf(reader)).toMatchObject([
        { publicId: firstOf(scroll).publicId, access: 'card' },
      ]);
      expect(await failure(await openWhisper(reader, scroll))).toEqual(notFound);
      expect((await openByClaim(instance, scroll, claim)).status).toBe(200);
      expect(await whispersOf(reader)).toMatchObject([{ openedAt: now() }]);
    });

    it('lists the newest first, page by page to the last', async () => {
      const writer = await signUpByPassphrase(instance);
      const reader = await aMember(instance);
      const ids: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        const scroll = await aWatch(writer, sealedTo(addressOf(reader.envelope.clientKey)));
        await take(writer, scroll, 'release');
        ids.unshift(firstOf(scroll).publicId);
        instance.clock.advance(SECOND);
      }
      expect((await whispersOf(reader)).map(({ publicId }) => publicId)).toEqual(ids);
      const pages: string[][] = [];
      let path: string | undefined = '/api/whispers?limit=2';
      while (path) {
        const page = await reader.request('GET', path);
        pages.push(((await page.json()) as Whisper[]).map(({ publicId }) => publicId));
        path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(pages).toEqual([ids.slice(0, 2), ids.slice(2)]);
    });

    describe('deletes a whisper', () => {
      const remove = (reader: Person, scroll: Scroll) =>
        reader.request('DELETE', `/api/whispers/${firstOf(scroll).publicId}`);
      const aWhisper = async (reader: Awaited<ReturnType<typeof aMember>>, fields: object = {}) => {
        const writer = await aMember(instance);
        const watch = await aWatch(
          writer,
          {
            ...sealedTo(addressOf(reader.envelope.clientKey)),
            ...fields,
          },
          { handedOver: true },
        );
        return { writer, watch };
      };

      it('for good, and its author keeps the scroll and hears nothing of it', async () => {
        const reader = await aMember(instance);
        const { writer, watch } = await aWhisper(reader);
        expect(await failure(await remove(reader, watch))).toEqual(notFound);
        await take(writer, watch, 'release');
        const before = await scrollsOf(writer);
        for (const stranger of [writer, await aMember(instance)]) {
          expect(await failure(await remove(stranger, watch))).toEqual(notFound);
        }
        expect(await waiting(reader)).toBe(1);
        const gone = await remove(reader, watch);
        expect([gone.status, await gone.text()]).toEqual([204, '']);
        expect(await whispersOf(reader)).toEqual([]);
        expect(await waiting(reader)).toBe(0);
        for (const refused of [await openWhisper(reader, watch), await remove(reader, watch)]) {
          expect(await failure(refused)).toEqual(notFound);
        }
        const [scroll] = await scrollsOf(writer);
        const [was] = before;
        const arrived = was?.recipients.map((one) => ({
          ...one,
          delivery: { ...one.delivery, state: 'sent', at: now() },
        }));
        expect(scroll).toEqual({ ...was, recipients: arrived });
        // Nor does a delivery that had not written down its arrival yet.
        const [message] = await instance.deps.db
          .selectFrom('messages')
          .selectAll()
          .where('scroll_id', '=', watch.id)
          .execute();
        expect(message).toMatchObject({ state: 'sent', why: null });
      });

      it('that was opened, and what was opened by a card opens by it still', async () => {
        const reader = await aMember(instance);
        const { writer, watch } = await aWhisper(reader);
        await take(writer, watch, 'release');
        expect((await openWhisper(reader, watch)).status).toBe(200);
        expect((await remove(reader, watch)).status).toBe(204);
        const claim = aProof();
        const byCard = await aWhisper(reader, { access: cardFor(claim) });
        await take(byCard.writer, byCard.watch, 'release');
        expect((await remove(reader, byCard.watch)).status).toBe(204);
        expect(await whispersOf(reader)).toEqual([]);
        expect((await openByClaim(instance, byCard.watch, claim)).status).toBe(200);
      });

      it('of a vault that is gone, and nothing of it is left', async () => {
        const reader = await aMember(instance);
        const { writer, watch } = await aWhisper(reader);
        const body = { confirm: 'DESTROY', scrolls: 'release' };
        expect((await writer.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
        expect(await whispersOf(reader)).toMatchObject([{ publicId: firstOf(watch).publicId }]);
        expect((await remove(reader, watch)).status).toBe(204);
        const { db } = instance.deps;
        const rows = await db.selectFrom('legacy_scrolls').select('id').where('id', '=', watch.id).execute();
        const messages = await db
          .selectFrom('messages')
          .select('id')
          .where('scroll_public_id', '=', firstOf(watch).publicId)
          .execute();
        expect([rows, messages]).toEqual([[], []]);
      });

      it('whose author then destroys their vault with release: nothing is kept that opens for nobody', async () => {
        const reader = await aMember(instance);
        const { writer, watch } = await aWhisper(reader);
        await take(writer, watch, 'release');
        await remove(reader, watch);
        const body = { confirm: 'DESTROY', scrolls: 'release' };
        expect((await writer.request('POST', '/api/vault/destroy', { body })).status).toBe(204);
        const { db } = instance.deps;
        expect(
          await db.selectFrom('legacy_scrolls').select('id').where('id', '=', watch.id).execute(),
        ).toEqual([]);
      });
    });

    it('is not found under an address that nobody has', async () => {
      const writer = await signUpByPassphrase(instance);
      for (const address of ['f'.repeat(32), 'x', '1']) {
        expect(await failure(await writer.request('GET', `/api/vaults/${address}`))).toEqual(notFound);
      }
    });
  });
});
