// The author's half of legacy scrolls: what is kept, what is refused, and what a watch does to it.
import { describe, expect, it } from 'vitest';
import { SCROLLS_MAX, type Scroll } from '../../../../shared/nouns/legacy.ts';
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../../testing/instance.ts';
import {
  aMember,
  keepVaultKey,
  type Person,
  signUpByPassphrase,
  signUpInEachTest,
} from '../../../../testing/people.ts';
import { accountIdOf, plantingFor, plantMessage } from '../../../../testing/planting.ts';
import { messageRows, recipientRow, scrollRow } from '../../../../testing/scroll-rows.ts';
import {
  addressOf,
  anEnvelopeForAWhisper,
  anOpeningScroll,
  aScroll,
  aWatch,
  cardFor,
  firstOf,
  pageOf,
  passphraseFor,
  patchScroll,
  plainScroll,
  proveWarningAddress,
  SCROLLS,
  scrollsOf,
  step,
  take,
} from '../../../../testing/scrolls.ts';
import { aProof, aRedemptionId, someWords } from '../../../../testing/shares.ts';
import { letterWriter } from '../../delivery/message-writer.ts';
import { withScrolls } from '../../delivery/warned-scrolls-store.ts';

const FINGERPRINT = '0123456789abcdef';
const UNKNOWN_VAULT = 'f'.repeat(32);
const invalid = { status: 422, code: 'invalid-input' };

describeOnEachEngine('legacy scrolls', (engine) => {
  let instance: TestInstance;
  let author: Person;
  signUpInEachTest({ engine }, (opened, somebody) => {
    instance = opened;
    author = somebody;
  });

  const now = () => new Date(instance.clock.now()).toISOString();
  const create = (fields: Record<string, unknown>, by: Person = author) =>
    by.request('POST', SCROLLS, { body: { ...plainScroll(), ...fields } });
  const rowOf = (scroll: Pick<Scroll, 'id'>) => scrollRow(instance, scroll);
  const recipientOf = (scroll: Pick<Scroll, 'id'>) => recipientRow(instance, scroll);
  const messagesOf = (scroll: Pick<Scroll, 'id'>) => messageRows(instance, scroll);
  /** What the engine does at a step of the ladder. */
  async function warn(scroll: Scroll, fields: object = {}) {
    const { db } = instance.deps;
    await db.updateTable('legacy_scrolls').set({ warning_step: 1 }).where('id', '=', scroll.id).execute();
    const account_id = await accountIdOf(instance, author);
    const { id } = await plantMessage(instance, { account_id, scroll_id: scroll.id, ...fields });
    return id;
  }
  const messageOf = (id: number) =>
    instance.deps.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('are kept with the fields of the specification alone, watch without a body, and are released', async () => {
    const fields = plainScroll();
    const scroll = await aScroll(author, fields);
    expect(scroll).toEqual({
      ...fields,
      id: expect.any(Number),
      encryptedScrollKey: null,
      authorName: null,
      recipients: [
        {
          id: expect.any(Number),
          publicId: expect.stringMatching(/^[\w-]{22}$/),
          recipientType: fields.recipientType,
          recipientAddress: fields.recipientAddress,
          tell: 'at-release',
          access: 'none',
          cardNumber: null,
          sheetsNeeded: null,
          envelope: null,
          releasedAt: null,
          openedAt: null,
          delivery: null,
          reminder: null,
          unopenedSince: null,
          rehearsalsStoppedAt: null,
          rehearsal: null,
        },
      ],
      timeZone: 'UTC',
      isActive: false,
      hasTriggered: false,
      lastActivity: now(),
      createdAt: now(),
      updatedAt: now(),
      version: 1,
      handedOverAt: null,
      label: null,
      activatedAt: null,
      warning: null,
      remaining: null,
      hold: null,
      warned: null,
      releasedAt: null,
      sealId: null,
      keyFingerprint: null,
    });
    expect(await scrollsOf(author)).toEqual([scroll]);
    const watching = await take(author, scroll, 'activate');
    const activated = { isActive: true, activatedAt: now(), warning: 'dashboard', remaining: 30 * DAY };
    expect(watching).toEqual({ ...scroll, ...activated });
    const released = await take(author, scroll, 'release');
    expect(released).toMatchObject({
      isActive: false,
      hasTriggered: true,
      remaining: null,
      releasedAt: now(),
      recipients: [
        {
          releasedAt: now(),
          delivery: { state: 'waiting', at: null, attempts: 0, why: null },
        },
      ],
    });
    expect(await scrollsOf(author)).toEqual([released]);
    expect((await author.request('DELETE', `${SCROLLS}/${scroll.id}`)).status).toBe(204);
    expect(await scrollsOf(author)).toEqual([]);
  });

  describe('read their form:', () => {
    it.each([
      [{ triggerValue: ' 030 ' }, { triggerValue: '30' }],
      [{ triggerValue: '1' }, { triggerValue: '1' }],
      [{ triggerValue: '365' }, { triggerValue: '365' }],
      [{ triggerValue: 30 }, { triggerValue: '30' }],
      [{ triggerType: 'manual', triggerValue: 'whenever' }, { triggerValue: 'manual' }],
      [
        { triggerType: 'date', triggerValue: ' 2030-06-02 ' },
        { triggerValue: '2030-06-02', timeZone: 'UTC' },
      ],
      [
        // It is noon in UTC, and that day has not begun on the other side of the earth.
        { triggerType: 'date', triggerValue: '2030-06-02', timeZone: 'Pacific/Honolulu' },
        { timeZone: 'Pacific/Honolulu' },
      ],
      [{ recipientAddress: '  ada@mail.example ' }, { recipientAddress: 'ada@mail.example' }],
      [
        { recipientType: 'sms', recipientAddress: '+44 (7700) 900-123' },
        { recipientAddress: '+447700900123' },
      ],
      [{ recipientType: 'whisper', recipientAddress: 'FFFF'.repeat(8) }, { recipientAddress: UNKNOWN_VAULT }],
    ])('%j', async (fields, kept) => {
      instance.clock.set('2030-06-01T12:00:00Z');
      author = await signUpByPassphrase(instance);
      expect(await aScroll(author, fields)).toMatchObject(kept);
    });

    it.each([
      [{ title: ' ' }, 'blank'],
      [{ encryptedContent: undefined }, 'missing'],
      [{ triggerType: 'whim' }, 'by inactivity, by a date or by hand'],
      [{ triggerValue: ' ' }, 'when it is released'],
      [{ triggerValue: '0' }, 'whole days, from 1 to 365'],
      [{ triggerValue: '366' }, 'whole days'],
      [{ triggerValue: '1.5' }, 'whole days'],
      [{ triggerValue: 1.5 }, 'whole days'],
      [{ triggerValue: true }, 'when it is released'],
      [{ triggerValue: '-3' }, 'whole days'],
      [{ triggerValue: 'thirty' }, 'whole days'],
      [{ triggerType: 'date', triggerValue: '30' }, 'is written as'],
      [{ triggerType: 'date', triggerValue: '2031-02-30' }, 'is written as'],
      [{ triggerType: 'date', triggerValue: '2031-02-03T00:00:00Z' }, 'is written as'],
      [{ triggerType: 'date', triggerValue: '2030-06-01' }, 'has begun already'],
      [
        { triggerType: 'date', triggerValue: '2030-06-02', timeZone: 'Pacific/Kiritimati' },
        'has begun already',
      ],
      [{ timeZone: 'Mars/Olympus' }, 'time zone is not known'],
      [{ recipientType: 'pigeon' }, 'by email, sms, whisper or card'],
      [{ recipientAddress: ' ' }, 'Enter who receives it'],
      [{ recipientAddress: 'ada' }, 'not an e-mail address'],
      [{ recipientAddress: 'ada@mail.example, eve@mail.example' }, 'not an e-mail address'],
      [{ recipientType: 'sms', recipientAddress: '07700 900123' }, 'begins with +'],
      [{ recipientType: 'whisper', recipientAddress: 'ada@mail.example' }, '32 characters'],
      [{ access: { kind: 'card' } }, 'access'],
      [{ access: { kind: 'vault', envelope: anEnvelopeForAWhisper() } }, 'Only a whisper'],
      [
        { recipientType: 'whisper', recipientAddress: UNKNOWN_VAULT, access: passphraseFor(aProof()) },
        'opens in its vault',
      ],
      [
        {
          recipientType: 'whisper',
          recipientAddress: UNKNOWN_VAULT,
          access: { kind: 'vault', envelope: anEnvelopeForAWhisper() },
        },
        'No vault on this server',
      ],
    ])('not %j', async (fields, sentence) => {
      instance.clock.set('2030-06-01T12:00:00Z');
      author = await signUpByPassphrase(instance);
      const response = await create(fields);
      expect(((await response.clone().json()) as { message: string }).message).toContain(sentence);
      expect(await failure(response)).toEqual(invalid);
      expect(await scrollsOf(author)).toEqual([]);
    });
  });

  it('are kept once when the same is sent again after a lost answer', async () => {
    const fields = { ...plainScroll(), sealId: aRedemptionId(), access: passphraseFor(aProof()) };
    const scroll = await aScroll(author, fields);
    expect(await aScroll(author, fields)).toEqual(scroll);
    for (const other of [{ title: someWords() }, { triggerValue: '31' }, { access: cardFor(aProof()) }]) {
      expect(await failure(await create({ ...fields, ...other }))).toEqual({
        status: 409,
        code: 'seal-reused',
      });
    }
    expect(await scrollsOf(author)).toHaveLength(1);
  });

  it('are a hundred at most, also when many are sent at once, and the last one may be sent again', async () => {
    const plant = await plantingFor(instance, author, FINGERPRINT);
    for (let i = 0; i < SCROLLS_MAX - 1; i += 1) await plant.legacyScroll();
    const seals = Array.from({ length: 5 }, () => ({ ...plainScroll(), sealId: aRedemptionId() }));
    const answers = await Promise.all(seals.map((fields) => create(fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
    const kept = seals[answers.findIndex(({ status }) => status === 201)];
    expect((await create(kept ?? {})).status).toBe(201);
    expect(await scrollsOf(author)).toHaveLength(SCROLLS_MAX);
  });

  it('are sealed under the vault’s present key, or under none', async () => {
    const { clientKey } = await keepVaultKey(author);
    const mine = await aScroll(author, {
      keyFingerprint: clientKey.fingerprint,
      encryptedScrollKey: someWords(60),
    });
    const changed = { status: 409, code: 'key-changed' };
    expect(await failure(await create({ keyFingerprint: FINGERPRINT }))).toEqual(changed);
    for (const keyFingerprint of [FINGERPRINT, null]) {
      expect(await failure(await patchScroll(author, mine, { keyFingerprint }))).toEqual(changed);
    }
    expect((await patchScroll(author, mine, { title: someWords() })).status).toBe(200);
  });

  it('want their own key anew from a form under another vault key', async () => {
    const { clientKey } = await keepVaultKey(author);
    const plant = await plantingFor(instance, author, FINGERPRINT);
    const { id } = await plant.legacyScroll();
    const [old] = await scrollsOf(author);
    expect(old?.id).toBe(id);
    const { fingerprint: keyFingerprint } = clientKey;
    const send = (encryptedScrollKey: string | null) =>
      patchScroll(author, old as Scroll, { keyFingerprint, encryptedScrollKey });
    expect(await failure(await send(null))).toEqual(invalid);
    expect((await send(someWords(60))).status).toBe(200);
    const [under] = await scrollsOf(author);
    const kept = await patchScroll(author, under as Scroll, { encryptedScrollKey: null });
    expect(await kept.json()).toMatchObject({
      encryptedScrollKey: under?.encryptedScrollKey,
      keyFingerprint,
    });
  });

  it('are listed newest first, page by page, and pages of long letters are shorter', async () => {
    const plant = await plantingFor(instance, author, FINGERPRINT);
    const ids: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      ids.unshift((await plant.legacyScroll({ encrypted_content: 'A'.repeat(1_900_000) })).id);
    }
    const seen: number[] = [];
    let path: string | undefined = `${SCROLLS}?limit=5`;
    while (path) {
      const response = await author.request('GET', path);
      const page = (await response.json()) as Scroll[];
      expect(page.length).toBeLessThanOrEqual(4);
      seen.push(...page.map(({ id }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
  });

  it('belong to their author alone', async () => {
    const stranger = await signUpByPassphrase(instance);
    const scroll = await aWatch(author);
    const answers = [
      await patchScroll(stranger, scroll),
      ...(await Promise.all(
        (['activate', 'disarm', 'release'] as const).map((verb) => step(stranger, scroll, verb)),
      )),
      await stranger.request('DELETE', `${SCROLLS}/${scroll.id}`),
    ];
    for (const answer of answers) expect(await failure(answer)).toEqual({ status: 404, code: 'not-found' });
    expect(await scrollsOf(stranger)).toEqual([]);
    expect(await scrollsOf(author)).toEqual([scroll]);
  });

  describe('are changed', () => {
    it('by the form that saw them last, and by no older one', async () => {
      const scroll = await aScroll(author);
      const fields = {
        title: someWords(),
        triggerType: 'manual',
        triggerValue: 'x',
        recipientAddress: 'e@f.gh',
      };
      const changed = (await (await patchScroll(author, scroll, fields)).json()) as Scroll;
      expect(changed).toMatchObject({ ...fields, triggerValue: 'manual', version: 2 });
      expect(await failure(await patchScroll(author, scroll))).toEqual({
        status: 409,
        code: 'stale-version',
      });
    });

    it('by one of many at once', async () => {
      const scroll = await aScroll(author);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => patchScroll(author, scroll, { title: someWords() })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('keep a day that has begun meanwhile, and take no other such day', async () => {
      const day = new Date(instance.clock.now() + DAY).toISOString().slice(0, 10);
      const scroll = await aScroll(author, { triggerType: 'date', triggerValue: day });
      instance.clock.advance(2 * DAY);
      expect((await patchScroll(author, scroll, { title: someWords() })).status).toBe(200);
      const [again] = await scrollsOf(author);
      const yesterday = new Date(instance.clock.now() - DAY).toISOString().slice(0, 10);
      expect(yesterday).toBe(day);
      const before = new Date(instance.clock.now() - 2 * DAY).toISOString().slice(0, 10);
      expect(await failure(await patchScroll(author, again as Scroll, { triggerValue: before }))).toEqual(
        invalid,
      );
    });

    it.each([
      { triggerValue: '31' },
      { triggerType: 'manual', triggerValue: 'manual' },
      { recipientAddress: 'eve@mail.example' },
      { recipientType: 'sms', recipientAddress: '+447700900123' },
    ])('not in %j while they watch', async (fields) => {
      const scroll = await aWatch(author);
      expect(await failure(await patchScroll(author, scroll, fields))).toEqual({
        status: 409,
        code: 'disarm-first',
      });
      const words = await patchScroll(author, scroll, { title: someWords(), timeZone: 'Europe/Vienna' });
      expect(await words.json()).toMatchObject({ isActive: true, version: 2 });
    });

    it('no more once they are released', async () => {
      const scroll = await take(author, await aWatch(author), 'release');
      for (const answer of [
        await patchScroll(author, scroll),
        await step(author, scroll, 'activate'),
        await step(author, scroll, 'disarm'),
        await step(author, scroll, 'release'),
      ]) {
        expect(await failure(answer)).toEqual({ status: 409, code: 'scroll-released' });
      }
    });

    it.each(['card', 'passphrase'] as const)('by a new %s, which stops the watch', async (kind) => {
      const { scroll } = await anOpeningScroll(author, 'passphrase');
      const watching = await take(author, scroll, 'activate', { handedOver: true });
      expect(watching.handedOverAt).toBe(now());
      const warning = await warn(watching);
      const access = kind === 'card' ? cardFor(aProof()) : passphraseFor(aProof());
      const renewed = await patchScroll(author, watching, { access });
      expect(await renewed.json()).toMatchObject({
        recipients: [{ access: kind }],
        isActive: false,
        handedOverAt: null,
        warning: null,
        remaining: null,
        warned: null,
      });
      expect(await messageOf(warning)).toMatchObject({ state: 'cancelled' });
      expect(await rowOf(scroll)).toMatchObject({ period: null, watching_since: null, warning_step: 0 });
    });

    it('or released, but never both: an edit and a release at the same moment', async () => {
      for (let i = 0; i < 5; i += 1) {
        const scroll = await aWatch(author, { recipientAddress: `${i}@mail.example` });
        const access = cardFor(aProof());
        const [edited, released] = await Promise.all([
          patchScroll(author, scroll, { access }),
          step(author, scroll, 'release'),
        ]);
        expect([edited.status, released.status].sort()).toEqual([200, 409]);
        const row = await rowOf(scroll);
        expect(row.state).toBe(released.status === 200 ? 'released' : 'dormant');
        expect(await messagesOf(scroll)).toHaveLength(released.status === 200 ? 1 : 0);
      }
    });
  });

  describe('that are whispers', () => {
    const sealedTo = (recipientAddress: string) => ({
      recipientType: 'whisper',
      recipientAddress,
      access: { kind: 'vault', envelope: anEnvelopeForAWhisper() },
      encryptedScrollKey: someWords(60),
    });

    it('are tied to the vault of their address, and sign every change of their words anew', async () => {
      const reader = await aMember(instance);
      const fields = sealedTo(addressOf(reader.envelope.clientKey));
      const scroll = await aWatch(author, fields);
      expect(firstOf(scroll)).toMatchObject({ access: 'vault', envelope: fields.access.envelope });
      expect(await recipientOf(scroll)).toMatchObject({
        recipient_account_id: await accountIdOf(instance, reader),
      });
      const encryptedContent = someWords();
      expect(await failure(await patchScroll(author, scroll, { encryptedContent }))).toEqual(invalid);
      expect((await patchScroll(author, scroll, { title: someWords() })).status).toBe(200);
      const envelope = anEnvelopeForAWhisper();
      const changed = await patchScroll(author, scroll, {
        version: 2,
        encryptedContent,
        access: { kind: 'vault', envelope },
      });
      expect(await changed.json()).toMatchObject({
        ...{ encryptedContent, isActive: true, version: 3 },
        recipients: [{ envelope }],
      });
    });

    it('go on to a vault that has another address by now, and to no other under an unknown one', async () => {
      const reader = await aMember(instance);
      const scroll = await aScroll(author, sealedTo(addressOf(reader.envelope.clientKey)));
      await instance.deps.db
        .updateTable('vault_keys')
        .set({ address: aProof().slice(0, 32) })
        .where('account_id', '=', await accountIdOf(instance, reader))
        .execute();
      const { access } = sealedTo('');
      const changed = await patchScroll(author, scroll, { encryptedContent: someWords(), access });
      expect(changed.status).toBe(200);
      expect(await recipientOf(scroll)).toMatchObject({
        recipient_account_id: await accountIdOf(instance, reader),
      });
      const elsewhere = { version: 2, recipientAddress: UNKNOWN_VAULT };
      expect(await failure(await patchScroll(author, scroll, elsewhere))).toEqual(invalid);
      expect(await failure(await patchScroll(author, scroll, { ...elsewhere, access }))).toEqual(invalid);
      const byCard = await patchScroll(author, scroll, { ...elsewhere, access: cardFor(aProof()) });
      expect(byCard.status).toBe(200);
      expect(await recipientOf(scroll)).toMatchObject({ recipient_account_id: null, envelope: null });
    });
  });

  describe('watch', () => {
    it('from their activation, which proves life, and again without a change', async () => {
      const scroll = await aScroll(author);
      instance.clock.advance(5 * MINUTE);
      const watching = await take(author, scroll, 'activate');
      expect(watching.lastActivity).toBe(now());
      instance.clock.advance(MINUTE);
      expect(await take(author, scroll, 'activate', { warning: 'mail' })).toEqual(watching);
      expect(await (await author.request('GET', '/api/auth/user')).json()).toMatchObject({
        watchingScrolls: 1,
      });
    });

    it('as they were seen, and not under a key that was made anew since', async () => {
      const { scroll } = await anOpeningScroll(author);
      const renewed = await patchScroll(author, scroll, { access: cardFor(aProof()) });
      const { version } = (await renewed.json()) as Scroll;
      const asked = { handedOver: true, version: scroll.version };
      expect(await failure(await step(author, scroll, 'activate', asked))).toEqual({
        status: 409,
        code: 'stale-version',
      });
      expect(await rowOf(scroll)).toMatchObject({ state: 'dormant', handed_over_at: null });
      expect(await take(author, scroll, 'activate', { ...asked, version })).toMatchObject({ isActive: true });
    });

    it('with the calendar’s time for a day, and no time for a hand', async () => {
      const day = new Date(instance.clock.now() + 40 * DAY).toISOString().slice(0, 10);
      const dated = await aWatch(author, { triggerType: 'date', triggerValue: day }, { warning: 'mail' });
      expect(dated).toMatchObject({
        warning: 'dashboard',
        remaining: Date.parse(day) - instance.clock.now(),
      });
      const byHand = await aWatch(author, { triggerType: 'manual', triggerValue: 'manual' });
      expect(byHand).toMatchObject({ isActive: true, remaining: null });
    });

    it('for no day that has begun', async () => {
      const day = new Date(instance.clock.now() + DAY).toISOString().slice(0, 10);
      const scroll = await aScroll(author, { triggerType: 'date', triggerValue: day });
      instance.clock.set(Date.parse(day) - 1);
      const early = await signUpByPassphrase(instance);
      expect(early.user.id).not.toBe(author.user.id);
      instance.clock.advance(1);
      const proved = await author.request('POST', '/api/proof/passphrase', {
        body: { authKey: author.authKey },
      });
      expect(proved.status).toBe(200);
      expect(await failure(await step(author, scroll, 'activate'))).toEqual({
        status: 409,
        code: 'date-passed',
      });
    });

    it.each(['card', 'passphrase'] as const)('by a %s once it was handed over', async (kind) => {
      const { scroll } = await anOpeningScroll(author, kind);
      for (const body of [undefined, {}, { handedOver: false }, { handedOver: null }]) {
        expect(await failure(await step(author, scroll, 'activate', body))).toEqual(invalid);
      }
      expect(await rowOf(scroll)).toMatchObject({ state: 'dormant', handed_over_at: null });
      const watching = await take(author, scroll, 'activate', { handedOver: true });
      expect(watching).toMatchObject({ isActive: true, handedOverAt: now() });
    });

    it('with warnings by mail once an address was proved', async () => {
      const scroll = await aScroll(author);
      expect(await failure(await step(author, scroll, 'activate', { warning: 'mail' }))).toEqual({
        status: 409,
        code: 'warning-unproved',
      });
      expect((await rowOf(scroll)).state).toBe('dormant');
      await proveWarningAddress(instance, author);
      expect(await take(author, scroll, 'activate', { warning: 'mail' })).toMatchObject({ warning: 'mail' });
    });

    it('and tell of their last warning in this silence', async () => {
      await proveWarningAddress(instance, author);
      const scroll = await aWatch(author, {}, { warning: 'mail' });
      await warn(scroll, { state: 'failed', why: 'The mail server refused it.' });
      await warn(scroll, { created_at: instance.clock.now() + HOUR });
      const at = new Date(instance.clock.now() + HOUR).toISOString();
      expect((await scrollsOf(author))[0]?.warned).toEqual({ at, state: 'waiting', why: null });
      await author.request('POST', '/api/proof-of-life');
      expect((await scrollsOf(author))[0]?.warned).toBeNull();
      expect((await messagesOf(scroll)).map(({ state }) => state)).toEqual(['failed', 'cancelled']);
    });

    const nobodys = {
      kits: [],
      account_uid: null,
      releases: [],
      contact_name: null,
      contact_link: null,
      contact_decline: null,
      sheets_needed: null,
      sister_token: null,
      sister_home: null,
      sister_opened: null,
    };

    it('and a warning says when they leave: a day after the first that was accepted, at the earliest', async () => {
      const { db } = instance.deps;
      await proveWarningAddress(instance, author);
      const watching = await aWatch(author, {}, { warning: 'mail' });
      const { id } = watching;
      const message = await messageOf(await warn(watching));
      await db
        .updateTable('warned_scrolls')
        .set({ due_in: 2 * HOUR })
        .where('scroll_id', '=', id)
        .execute();
      const text = async () => {
        const [warning] = await withScrolls(db, [{ ...message, ...nobodys }]);
        return warning && letterWriter(instance.deps)(warning, 0, message.created_counted).text;
      };
      expect(await text()).toContain('It is sent in about a day.');
      const warning_accepted = message.created_counted - 6 * HOUR;
      await db.updateTable('legacy_scrolls').set({ warning_accepted }).where('id', '=', id).execute();
      expect(await text()).toContain('It is sent in about 18 hours.');
    });

    it('under a label of their author’s, which stands in warnings and in no mail to a recipient', async () => {
      await proveWarningAddress(instance, author);
      const watching = await aWatch(author, {}, { warning: 'mail', label: '  For   Anna ' });
      expect(watching).toMatchObject({ label: 'For Anna', activatedAt: now() });
      const write = letterWriter(instance.deps);
      const message = await messageOf(await warn(watching));
      const [warning] = await withScrolls(instance.deps.db, [{ ...message, ...nobodys }]);
      expect(warning && write(warning, 0).text).toMatch(
        /^- “For Anna”, activated on \d+ \w+ \d{4}, for one recipient\. It is sent in about/m,
      );
      await take(author, watching, 'release');
      const told = (await messagesOf(watching)).map((row) => ({ ...row, ...nobodys }));
      const [release] = await withScrolls(instance.deps.db, told);
      expect(release?.kind).toBe('release');
      expect(release && JSON.stringify(write(release, 0))).not.toContain('Anna');
      const again = await aWatch(author, {}, { label: ' ' });
      expect(again.label).toBeNull();
    });

    it('and keep no label once they are disarmed', async () => {
      const scroll = await aWatch(author, {}, { label: 'For Anna' });
      expect(await take(author, scroll, 'disarm')).toMatchObject({ label: null, activatedAt: null });
      expect(await rowOf(scroll)).toMatchObject({ label: null, armed_at: null });
    });

    it.each(['For Anna\nBcc: x@mail.example', 'see www.evil.example', 'A'.repeat(61)])(
      'under no label like %j',
      async (label) => {
        const { scroll } = await anOpeningScroll(author, 'card');
        const path = `${SCROLLS}/${scroll.id}/activate`;
        const refused = await author.request('POST', path, { body: { handedOver: true, label } });
        expect(await failure(refused)).toEqual({ status: 422, code: 'invalid-input' });
        expect((await rowOf(scroll)).state).toBe('dormant');
      },
    );

    it('until they are disarmed, which cancels what has not left', async () => {
      const scroll = await aWatch(author);
      const warning = await warn(scroll);
      const dormant = await take(author, scroll, 'disarm');
      expect(dormant).toMatchObject({ isActive: false, warning: null, remaining: null });
      expect(await take(author, scroll, 'disarm')).toEqual(dormant);
      expect(await messageOf(warning)).toMatchObject({ state: 'cancelled' });
    });

    it('and are held where the switch is paused', async () => {
      const { db } = instance.deps;
      const scroll = await aWatch(author);
      await db.updateTable('instance_clock').set({ paused_reason: 'restored', paused_at: 1 }).execute();
      expect((await scrollsOf(author))[0]).toMatchObject({ id: scroll.id, hold: 'paused' });
      await db.updateTable('instance_clock').set({ paused_reason: null, paused_at: null }).execute();
    });
  });

  describe('are released by hand', () => {
    it('while they watch, and not before', async () => {
      const scroll = await aScroll(author);
      expect(await failure(await step(author, scroll, 'release'))).toEqual({
        status: 409,
        code: 'not-watching',
      });
    });

    it('once, with one message, by however many presses', async () => {
      const scroll = await aWatch(author);
      const answers = await Promise.all(Array.from({ length: 50 }, () => step(author, scroll, 'release')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await messagesOf(scroll)).toMatchObject([
        { kind: 'release', channel: 'email', address: 'ada@mail.example', state: 'waiting' },
      ]);
    });

    it('also where one that had the same address was released before, and deleted', async () => {
      const { publicId } = firstOf(await aScroll(author));
      const again = async () => {
        const [old] = (await scrollsOf(author)).filter((scroll) => firstOf(scroll).publicId === publicId);
        expect((await author.request('DELETE', `${SCROLLS}/${old?.id}`)).status).toBe(204);
        const to = {
          recipientType: 'email',
          recipientAddress: 'ada@mail.example',
          publicId,
          tell: 'at-release',
        };
        const {
          recipientType: _,
          recipientAddress: __,
          ...letter
        } = plainScroll() as Record<string, unknown>;
        const made = await author.request('POST', SCROLLS, { body: { ...letter, recipients: [to] } });
        expect(made.status, await made.clone().text()).toBe(201);
        const scroll = await take(author, (await made.json()) as Scroll, 'activate', {});
        return messagesOf(await take(author, scroll, 'release'));
      };
      expect(await again()).toMatchObject([{ kind: 'release', state: 'waiting' }]);
      expect(await again()).toMatchObject([{ kind: 'release', state: 'waiting' }]);
    });

    it('twenty times in a day at most', async () => {
      const scrolls: Scroll[] = [];
      for (let i = 0; i < 21; i += 1) scrolls.push(await aWatch(author));
      for (const scroll of scrolls.slice(0, 20)) await take(author, scroll, 'release');
      const last = scrolls[20] as Scroll;
      for (let i = 0; i < 3; i += 1) {
        const refused = await step(author, last, 'release');
        expect(Number(refused.headers.get('retry-after'))).toBe(24 * 60 * 60);
        expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
      }
      expect(await rowOf(last)).toMatchObject({ state: 'watching', released_at: null });
      expect(await messagesOf(last)).toEqual([]);
      instance.clock.advance(DAY);
      await author.request('POST', '/api/proof/passphrase', { body: { authKey: author.authKey } });
      await take(author, last, 'release');
    });
  });

  describe('want a fresh proof', () => {
    const proofNeeded = { status: 403, code: 'proof-needed' };
    const remove = (scroll: Scroll) => author.request('DELETE', `${SCROLLS}/${scroll.id}`);
    const prove = () =>
      author.request('POST', '/api/proof/passphrase', { body: { authKey: author.authKey } });

    it('to be written anew while they watch: that can stop them, or spoil their words', async () => {
      const { scroll } = await anOpeningScroll(author);
      const watching = await take(author, scroll, 'activate', { handedOver: true });
      const before = await rowOf(watching);
      instance.clock.advance(10 * MINUTE);
      for (const fields of [{ access: cardFor(aProof()) }, { encryptedContent: someWords() }, {}]) {
        expect(await failure(await patchScroll(author, watching, fields))).toEqual(proofNeeded);
      }
      expect(await rowOf(watching)).toEqual(before);
      await prove();
      expect((await patchScroll(author, watching, { access: cardFor(aProof()) })).status).toBe(200);
    });

    it('to be deleted while they watch, and once they are released', async () => {
      const watching = await aWatch(author);
      const released = await take(author, await aWatch(author), 'release');
      instance.clock.advance(10 * MINUTE);
      for (const scroll of [watching, released]) {
        expect(await failure(await remove(scroll))).toEqual(proofNeeded);
        expect((await rowOf(scroll)).id).toBe(scroll.id);
      }
      await prove();
      for (const scroll of [watching, released]) expect((await remove(scroll)).status).toBe(204);
    });

    it('for neither while they are dormant', async () => {
      const scroll = await aScroll(author);
      instance.clock.advance(HOUR);
      expect((await patchScroll(author, scroll, { title: someWords() })).status).toBe(200);
      expect((await remove(scroll)).status).toBe(204);
    });
  });

  it('take their messages with them when they are deleted', async () => {
    const released = await take(author, await aWatch(author), 'release');
    const [message] = await messagesOf(released);
    expect((await author.request('DELETE', `${SCROLLS}/${released.id}`)).status).toBe(204);
    const left = await instance.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('public_id', '=', message?.public_id ?? '')
      .execute();
    expect(left).toMatchObject([{ state: 'cancelled', scroll_id: null }]);
    expect((await instance.request('GET', pageOf(released))).status).toBe(404);
    expect((await author.request('DELETE', `${SCROLLS}/${released.id}`)).status).toBe(404);
  });

  it('say what reaches whom here', async () => {
    const transports = async (by: Person) => (await by.request('GET', '/api/legacy-transports')).json();
    expect(await transports(author)).toEqual({ email: false, sms: false, textsPermitted: false });
    const transport = { send: async () => 'accepted' as const };
    const equipped = await openTestInstance({
      engine,
      deps: { transports: { email: transport, sms: null } },
    });
    expect(await transports(await signUpByPassphrase(equipped))).toEqual({
      email: true,
      sms: false,
      textsPermitted: false,
    });
    await equipped.close();
  });
});
