// Several recipients of one scroll: each has an address, a key and a state of their own.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Scroll } from '../../../../shared/nouns/legacy.ts';
import { RECIPIENTS_MAX } from '../../../../shared/nouns/scroll-recipients.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure, type TestInstance } from '../../../../testing/instance.ts';
import { aMember, type Person, signUpByPassphrase, signUpInEachTest } from '../../../../testing/people.ts';
import { accountIdOf } from '../../../../testing/planting.ts';
import { messageRows } from '../../../../testing/scroll-rows.ts';
import {
  addressOf,
  anEnvelopeForAWhisper,
  aScroll,
  cardFor,
  firstOf,
  openByClaim,
  passphraseFor,
  patchScroll,
  plainScroll,
  SCROLLS,
  scrollsOf,
  step,
  take,
} from '../../../../testing/scrolls.ts';
import { aProof, someWords } from '../../../../testing/shares.ts';
import { countedFor, recount } from '../../../../testing/usage.ts';
import { findWaiting } from '../../delivery/delivery-store.ts';

const invalid = { status: 422, code: 'invalid-input' };
const wrongCard = { status: 401, code: 'wrong-card' };

/** What an author's browser draws for the address of a recipient. */
const aNumber = () => randomBytes(16).toString('base64url');

const byMail = (recipientAddress: string, fields: { access?: unknown; tell?: string } = {}) => ({
  recipientType: 'email',
  recipientAddress,
  ...fields,
});

describeOnEachEngine('a scroll with several recipients', (engine) => {
  let instance: TestInstance;
  let author: Person;
  signUpInEachTest({ engine }, (opened, somebody) => {
    instance = opened;
    author = somebody;
  });

  const withoutOne = { recipientType: undefined, recipientAddress: undefined };
  const sealed = () => ({ encryptedScrollKey: someWords(60), sealId: aProof().slice(0, 22) });
  const create = (recipients: object[], fields: object = {}) =>
    aScroll(author, { ...withoutOne, ...sealed(), recipients, ...fields });
  const twoCards = async () => {
    const claims = [aProof(), aProof()] as [string, string];
    const [ada, ben] = ['ada@mail.example', 'ben@mail.example'] as [string, string];
    const scroll = await create([
      byMail(ada, { access: cardFor(claims[0]) }),
      byMail(ben, { access: cardFor(claims[1]) }),
    ]);
    return { scroll, claims };
  };
  const released = async (scroll: Scroll) => {
    await take(author, scroll, 'activate', { handedOver: true });
    return take(author, scroll, 'release');
  };
  const messagesOf = (scroll: Pick<Scroll, 'id'>) => messageRows(instance, scroll);
  /** Of a scroll, as a form sends them that changes nothing. */
  const asSent = ({ recipients }: Scroll) =>
    recipients.map(({ id, recipientType, recipientAddress, tell }) => ({
      ...{ id, recipientType, recipientAddress, tell },
    }));

  it('keeps them in the order of its form, and names the first one to clients of the specification', async () => {
    const { scroll } = await twoCards();
    expect(scroll).toMatchObject({ recipientType: 'email', recipientAddress: 'ada@mail.example' });
    expect(scroll.recipients.map(({ recipientAddress }) => recipientAddress)).toEqual([
      'ada@mail.example',
      'ben@mail.example',
    ]);
    expect(new Set(scroll.recipients.map(({ publicId }) => publicId)).size).toBe(2);
    expect(new Set(scroll.recipients.map(({ cardNumber }) => cardNumber)).size).toBe(2);
    expect(await scrollsOf(author)).toEqual([scroll]);
  });

  it('whose card is split say of how many sheets, also on their page and in their mail, until they have another key', async () => {
    const claims = [aProof(), aProof()] as [string, string];
    const access = { ...cardFor(claims[0]), sheetsNeeded: 3 };
    const scroll = await create([byMail('ada@mail.example', { access }), byMail('ben@mail.example')]);
    expect(scroll.recipients.map(({ sheetsNeeded }) => sheetsNeeded)).toEqual([3, null]);
    const { publicId } = firstOf(scroll);
    const stateOf = async () => (await author.request('GET', `/api/legacy/${publicId}`)).json();
    expect(await stateOf()).toMatchObject({ access: 'card', sheetsNeeded: 3 });
    // Words alone leave the sheets what they are.
    const same = await patchScroll(author, scroll, { ...withoutOne, recipients: asSent(scroll) });
    const kept = (await same.json()) as Scroll;
    expect(firstOf(kept).sheetsNeeded).toBe(3);
    await released(kept);
    const [message] = await messagesOf(kept);
    const waiting = await findWaiting(instance.deps.db, message?.public_id ?? '');
    expect(waiting?.sheets_needed).toBe(3);
    // A card by itself is no sheet any more.
    const another = await create([byMail('cy@mail.example', { access })]);
    const recipients = asSent(another).map((one) => ({ ...one, access: cardFor(claims[1]) }));
    const renewed = (await (
      await patchScroll(author, another, { ...withoutOne, recipients })
    ).json()) as Scroll;
    expect(firstOf(renewed).sheetsNeeded).toBeNull();
    for (const sheetsNeeded of [1, 16, 2.5, '2']) {
      const wrong = await author.request('POST', SCROLLS, {
        body: { ...plainScroll(), access: { ...access, sheetsNeeded } },
      });
      expect(wrong.status).toBe(422);
    }
  });

  it('have the number in their address that their author’s browser has drawn, and keep it', async () => {
    const numbers = [aNumber(), aNumber()];
    const [one, other] = [byMail('ada@mail.example'), byMail('ben@mail.example')];
    const recipients = [
      { ...one, publicId: numbers[0] },
      { ...other, publicId: numbers[1] },
    ];
    const scroll = await aScroll(author, { ...withoutOne, recipients });
    expect(scroll.recipients.map(({ publicId }) => publicId)).toEqual(numbers);
    const moved = asSent(scroll).map((each) => ({ ...each, publicId: aNumber() }));
    const changed = await patchScroll(author, scroll, { ...withoutOne, recipients: moved });
    expect(((await changed.json()) as Scroll).recipients.map(({ publicId }) => publicId)).toEqual(numbers);
    const scrollForm = {
      title: 'YQ==',
      encryptedContent: 'YQ==',
      triggerType: 'inactivity',
      triggerValue: '30',
    };
    // Nobody writes a letter at an address that somebody else's has, nor two at one.
    for (const taken of [
      [recipients[0]],
      [
        { ...one, publicId: 'A'.repeat(22) },
        { ...other, publicId: 'A'.repeat(22) },
      ],
    ]) {
      const body = { ...scrollForm, recipients: taken };
      const answer = await author.request('POST', SCROLLS, { body });
      expect(answer.status).toBe(422);
      expect(((await answer.json()) as { message: string }).message).toContain('Draw another one.');
    }
    // The same bytes in another spelling: the links that are made of them would lead nowhere.
    const misspelt = [{ ...one, publicId: `${'A'.repeat(21)}B` }];
    const refused = await author.request('POST', SCROLLS, { body: { ...scrollForm, recipients: misspelt } });
    expect(await failure(refused)).toEqual({ status: 422, code: 'invalid-input' });
    expect(await scrollsOf(author)).toHaveLength(1);
  });

  it('is kept once when the same is sent again, and not where one of them is another', async () => {
    const recipients = [
      byMail('ada@mail.example', { access: cardFor(aProof()) }),
      byMail('ben@mail.example', { access: passphraseFor(aProof()) }),
    ];
    const fields = { ...withoutOne, ...sealed(), title: 'YQ==', encryptedContent: 'YQ==', recipients };
    const scroll = await aScroll(author, fields);
    expect(await aScroll(author, fields)).toEqual(scroll);
    const others = [
      recipients.slice(0, 1),
      recipients.toReversed(),
      [recipients[0], byMail('eve@mail.example', { access: recipients[1]?.access })],
    ];
    for (const other of others) {
      const body = { triggerType: 'inactivity', triggerValue: '30', ...fields, recipients: other };
      expect(await failure(await author.request('POST', SCROLLS, { body }))).toEqual({
        status: 409,
        code: 'seal-reused',
      });
    }
  });

  it.each<[string, object, string]>([
    ['none at all', { recipients: [] }, 'Enter who receives it'],
    ['none, and no list', {}, 'A recipient is reached by'],
    [
      'too many',
      { recipients: Array.from({ length: RECIPIENTS_MAX + 1 }, (_, i) => byMail(`${i}@mail.example`)) },
      `${RECIPIENTS_MAX} recipients at most`,
    ],
    [
      'one twice',
      { recipients: [byMail('ada@mail.example'), byMail(' ADA@mail.example')] },
      'recipients.1.recipientAddress: This address stands in the list already.',
    ],
    [
      'nobody who is told at the release',
      { recipients: [byMail('ada@mail.example', { tell: 'if-unopened' })] },
      'At least one recipient',
    ],
    [
      'a wrong address in the second place',
      { recipients: [byMail('ada@mail.example'), byMail('ben')] },
      'recipients.1.recipientAddress: This is not an e-mail address.',
    ],
    [
      'a number of its own that is no recipient’s',
      {
        recipients: [
          byMail('ada@mail.example', { access: { kind: 'vault', envelope: anEnvelopeForAWhisper() } }),
        ],
      },
      'Only a whisper',
    ],
  ])('is not made with %s', async (_, fields, sentence) => {
    const body = {
      title: 'YQ==',
      encryptedContent: 'YQ==',
      triggerType: 'manual',
      triggerValue: 'x',
      ...fields,
    };
    const response = await author.request('POST', SCROLLS, { body });
    expect(((await response.clone().json()) as { message: string }).message).toContain(sentence);
    expect(await failure(response)).toEqual(invalid);
    expect(await scrollsOf(author)).toEqual([]);
  });

  it('may have several who look for themselves, and nothing of them is kept', async () => {
    const scroll = await create(
      [1, 2].map((n) => ({
        ...{ recipientType: 'card', recipientAddress: `Agnes ${n}`, access: cardFor(aProof()) },
      })),
    );
    expect(scroll.recipients.map(({ recipientAddress }) => recipientAddress)).toEqual(['card', 'card']);
  });

  it('writes one message to each at its release, and one card opens for one recipient', async () => {
    const { scroll, claims } = await twoCards();
    const [ada, ben] = (await released(scroll)).recipients;
    if (!ada || !ben) throw new Error('no recipients');
    expect(await messagesOf(scroll)).toMatchObject([
      { kind: 'release', address: 'ada@mail.example', recipient_id: ada.id, scroll_public_id: ada.publicId },
      { kind: 'release', address: 'ben@mail.example', recipient_id: ben.id, scroll_public_id: ben.publicId },
    ]);
    expect(await failure(await openByClaim(instance, ada, claims[1]))).toEqual(wrongCard);
    expect(await failure(await openByClaim(instance, ben, claims[0]))).toEqual(wrongCard);
    const opened = await openByClaim(instance, ben, claims[1]);
    expect(await opened.json()).toMatchObject({
      encryptedContent: scroll.encryptedContent,
      openedBefore: null,
    });
    const [shown] = await scrollsOf(author);
    expect(shown?.recipients.map(({ openedAt }) => openedAt !== null)).toEqual([false, true]);
  });

  it('asks for a key that was handed over wherever one of them has one', async () => {
    const scroll = await create([
      byMail('ada@mail.example'),
      byMail('ben@mail.example', { access: passphraseFor(aProof()) }),
    ]);
    expect(await failure(await step(author, scroll, 'activate'))).toEqual(invalid);
    expect(await take(author, scroll, 'activate', { handedOver: true })).toMatchObject({ isActive: true });
  });

  it('withholds the letter from whoever comes after the others, until their time', async () => {
    const claim = aProof();
    const scroll = await create([
      byMail('ada@mail.example'),
      byMail('ben@mail.example', { tell: 'if-unopened', access: cardFor(claim) }),
    ]);
    const later = (await released(scroll)).recipients[1];
    if (!later) throw new Error('no second recipient');
    expect(later).toMatchObject({ tell: 'if-unopened', releasedAt: null, delivery: null });
    expect(await messagesOf(scroll)).toHaveLength(1);
    const state = await instance.request('GET', `/api/legacy/${later.publicId}`);
    expect(await state.json()).toMatchObject({ state: 'waiting' });
    expect(await failure(await openByClaim(instance, later, claim))).toEqual({
      status: 409,
      code: 'not-released',
    });
  });

  describe('is changed', () => {
    it('for one of them alone: a new card for one keeps that of the other', async () => {
      const { scroll, claims } = await twoCards();
      const next = aProof();
      const [ada, ben] = asSent(scroll);
      const changed = await patchScroll(author, scroll, {
        recipients: [ada, { ...ben, access: cardFor(next) }],
      });
      const after = (await changed.json()) as Scroll;
      expect(after.recipients.map(({ publicId }) => publicId)).toEqual(
        scroll.recipients.map(({ publicId }) => publicId),
      );
      const notReleased = { status: 409, code: 'not-released' };
      const [first, second] = after.recipients;
      if (!first || !second) throw new Error('no recipients');
      expect(await failure(await openByClaim(instance, first, claims[0]))).toEqual(notReleased);
      expect(await failure(await openByClaim(instance, second, claims[1]))).toEqual(wrongCard);
      expect(await failure(await openByClaim(instance, second, next))).toEqual(notReleased);
    });

    it('by adding, removing and reordering, and whoever is gone has no way in', async () => {
      const { scroll, claims } = await twoCards();
      const [ada, ben] = asSent(scroll);
      const added = byMail('eve@mail.example', { access: cardFor(aProof()), tell: 'if-unopened' });
      const changed = await patchScroll(author, scroll, { recipients: [ben, added] });
      const after = (await changed.json()) as Scroll;
      expect(after.recipients).toMatchObject([
        { id: ben?.id, recipientAddress: 'ben@mail.example', access: 'card' },
        { recipientAddress: 'eve@mail.example', tell: 'if-unopened' },
      ]);
      expect(after.recipientAddress).toBe('ben@mail.example');
      const gone = await openByClaim(instance, scroll.recipients[0] ?? { publicId: '' }, claims[0]);
      expect(gone.status).toBe(404);
      const again = await patchScroll(author, after, { recipients: [ada, ben] });
      expect(await failure(again)).toEqual(invalid);
    });

    it('not by the short form, which would lose the others, nor with a stranger’s recipient', async () => {
      const { scroll } = await twoCards();
      const short = { recipients: undefined, ...byMail('ada@mail.example') };
      expect(await failure(await patchScroll(author, scroll, short))).toEqual(invalid);
      const stranger = await signUpByPassphrase(instance);
      const theirs = await aScroll(stranger);
      const [ada] = asSent(scroll);
      const [other] = asSent(theirs);
      for (const recipients of [
        [ada, other],
        [ada, ada],
      ]) {
        expect(await failure(await patchScroll(author, scroll, { recipients }))).toEqual(invalid);
      }
      expect(await scrollsOf(stranger)).toEqual([theirs]);
      expect(await scrollsOf(author)).toEqual([scroll]);
    });

    it('in none of them while it watches, but in its words', async () => {
      const { scroll } = await twoCards();
      const watching = await take(author, scroll, 'activate', { handedOver: true });
      const [ada, ben] = asSent(watching);
      for (const recipients of [
        [ada],
        [ada, ben, byMail('eve@mail.example')],
        [ada, { ...ben, tell: 'if-unopened' }],
        [ada, { ...ben, recipientAddress: 'eve@mail.example' }],
      ]) {
        expect(await failure(await patchScroll(author, watching, { recipients }))).toEqual({
          status: 409,
          code: 'disarm-first',
        });
      }
      expect((await patchScroll(author, watching, { title: someWords() })).status).toBe(200);
      const [now] = await scrollsOf(author);
      const renewed = await patchScroll(author, now as Scroll, {
        recipients: [ada, { ...ben, access: cardFor(aProof()) }],
      });
      expect(await renewed.json()).toMatchObject({ isActive: false, handedOverAt: null });
    });

    it('only with a new signature for each vault that it was sealed to', async () => {
      const reader = await aMember(instance);
      const access = () => ({ kind: 'vault', envelope: anEnvelopeForAWhisper() });
      const whisper = { recipientType: 'whisper', recipientAddress: addressOf(reader.envelope.clientKey) };
      const scroll = await create([
        byMail('ada@mail.example', { access: cardFor(aProof()) }),
        { ...whisper, access: access() },
      ]);
      const watching = await take(author, scroll, 'activate', { handedOver: true });
      const [ada, vault] = asSent(watching);
      const encryptedContent = someWords();
      const unsigned = await patchScroll(author, watching, { encryptedContent, recipients: [ada, vault] });
      expect(await failure(unsigned)).toEqual(invalid);
      const signed = await patchScroll(author, watching, {
        encryptedContent,
        recipients: [ada, { ...vault, access: access() }],
      });
      // The card of the other stays as it is, and was handed over.
      expect(await signed.json()).toMatchObject({ isActive: true, handedOverAt: watching.handedOverAt });
    });
  });

  it('counts towards the quota, and is deleted with all of them', async () => {
    const { db } = instance.deps;
    const accountId = await accountIdOf(instance, author);
    const before = await countedFor(instance, accountId);
    const { scroll } = await twoCards();
    const counted = await countedFor(instance, accountId);
    expect(counted).toEqual(await recount(instance, accountId));
    expect(counted?.row_count).toBe(Number(before?.row_count ?? 0) + 3);
    expect((await author.request('DELETE', `${SCROLLS}/${scroll.id}`)).status).toBe(204);
    const left = db.selectFrom('scroll_recipients').selectAll().where('scroll_id', '=', scroll.id);
    expect(await left.execute()).toEqual([]);
    expect(await countedFor(instance, accountId)).toEqual(before);
  });

  describe('may name its author', () => {
    const named = (authorName: unknown) =>
      author.request('POST', SCROLLS, {
        body: {
          ...{
            title: 'YQ==',
            encryptedContent: 'YQ==',
            triggerType: 'manual',
            triggerValue: 'x',
            authorName,
          },
          ...byMail('ada@mail.example'),
        },
      });

    it('in the messages of its release, and is anonymous unless its author says so', async () => {
      const made = (await (await named('  Agnes  of the Lake ')).json()) as Scroll;
      expect(made.authorName).toBe('Agnes of the Lake');
      await take(author, made, 'activate');
      await take(author, made, 'release');
      expect(await messagesOf(made)).toMatchObject([{ author_name: 'Agnes of the Lake' }]);
      for (const none of [undefined, null, '', '  ']) {
        expect(((await (await named(none)).json()) as Scroll).authorName).toBeNull();
      }
    });

    it('and takes the name back where the form says so, and keeps it where the form does not know it', async () => {
      const made = (await (await named('Agnes')).json()) as Scroll;
      const kept = (await (await patchScroll(author, made)).json()) as Scroll;
      expect(kept.authorName).toBe('Agnes');
      expect(await (await patchScroll(author, kept, { authorName: '' })).json()).toMatchObject({
        authorName: null,
      });
    });

    it.each([
      'https://evil.example',
      'evil.example',
      'Ann\r\nBcc: eve@mail.example',
      'a@b.cd',
      '<b>',
      'A'.repeat(61),
    ])('but not %j', async (name) => {
      expect(await failure(await named(name))).toEqual(invalid);
    });
  });
});
