// Rehearsals: what is sent, what a right and a wrong key are answered, what the author is told, and that nothing of the letter
// changes by it. A thousand of them, with their faults, stand in simulation/rehearsals.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scroll } from '../../../../shared/nouns/legacy.ts';
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts';
import { describeOnEachEngine } from '../../../../testing/engines.ts';
import { failure } from '../../../../testing/instance.ts';
import { type Person, signUpByPassphrase } from '../../../../testing/people.ts';
import { messageRows, recipientRow, scrollRow } from '../../../../testing/scroll-rows.ts';
import {
  anOpeningScroll,
  aScroll,
  cardFor,
  firstOf,
  pageOf,
  passphraseFor,
  patchScroll,
  SCROLLS,
  scrollsOf,
  take,
} from '../../../../testing/scrolls.ts';
import { aProof, someWords } from '../../../../testing/shares.ts';
import { aTransport, aWatchedInstance, HOURLY, type Watched } from '../../../../testing/switch.ts';
import { findWaiting } from '../../delivery/delivery-store.ts';
import { linkToken } from '../../delivery/link-token.ts';
import { letterWriter } from '../../delivery/message-writer.ts';

const manual = { triggerType: 'manual', triggerValue: 'manual' };
const wrongCard = { status: 401, code: 'wrong-card' };

describeOnEachEngine('a rehearsal', (engine) => {
  let watched: Watched;
  const mail = aTransport();
  beforeAll(async () => {
    watched = await aWatchedInstance({ engine, deps: { transports: { email: mail, sms: null } } });
  });
  afterAll(() => watched.close());
  const instance = () => watched.instance;
  const live = (time: number, tick?: number) => watched.live(time, { deliver: true, ...(tick && { tick }) });
  const sent = (scroll: Scroll) =>
    mail.letters.filter(
      ({ subject, to }) => subject === 'rehearsal' && to === firstOf(scroll).recipientAddress,
    );

  const ask = (author: Person, scroll: Scroll, fields: object = {}) =>
    author.request('POST', `${SCROLLS}/${scroll.id}/rehearse`, {
      body: {
        encryptedSentence: someWords(),
        recipientIds: scroll.recipients.map(({ id }) => id),
        ...fields,
      },
    });
  async function rehearse(author: Person, scroll: Scroll, fields: object = {}): Promise<Scroll> {
    const response = await ask(author, scroll, fields);
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as Scroll;
  }
  const open = (scroll: Scroll, claim: string) =>
    instance().request('POST', `${pageOf(scroll)}/rehearsal`, { body: { claim } });
  const note = (scroll: Scroll, what: string) =>
    instance().request('POST', `${pageOf(scroll)}/rehearsal/note`, { body: { what } });
  const stateOf = async (scroll: Scroll) =>
    (await (await instance().request('GET', pageOf(scroll))).json()) as { state: string; rehearsal: unknown };
  async function told(author: Person) {
    const [scroll] = await scrollsOf(author);
    if (!scroll) throw new Error('there is no scroll');
    return firstOf(scroll).rehearsal;
  }
  async function watching(kind: 'card' | 'passphrase' = 'card', fields: Record<string, unknown> = {}) {
    const author = await signUpByPassphrase(instance());
    const { scroll, claim } = await anOpeningScroll(author, kind, {
      recipientAddress: `${aProof().slice(0, 12)}@mail.example`,
      ...fields,
    });
    return { author, claim, scroll: await take(author, scroll, 'activate', { handedOver: true }) };
  }

  it('goes by the way of the letter, opens with its key, and changes nothing of it', async () => {
    mail.letters.length = 0;
    const { author, scroll, claim } = await watching();
    const before = await scrollRow(instance(), scroll);
    const life = () =>
      watched.deps.db.selectFrom('last_activity').selectAll().orderBy('account_id').execute();
    const [recipient, lives] = [await recipientRow(instance(), scroll), await life()];
    expect(await stateOf(scroll)).toMatchObject({ state: 'waiting', rehearsal: null });
    const encryptedSentence = someWords();
    const asked = await rehearse(author, scroll, { encryptedSentence });
    expect(firstOf(asked).rehearsal).toMatchObject({
      ...{ isOver: false, seenAt: null, openedAt: null, wrongTries: 0 },
      delivery: { state: 'waiting' },
    });
    await watched.server.deliver();
    expect(sent(scroll)).toHaveLength(1);
    expect(await stateOf(scroll)).toMatchObject({ state: 'waiting', rehearsal: { openedAt: null } });
    expect((await note(scroll, 'seen')).status).toBe(204);
    expect(await told(author)).toMatchObject({ delivery: { state: 'sent' }, seenAt: expect.any(String) });

    const opened = (await (await open(scroll, claim)).json()) as Record<string, unknown>;
    expect(opened).toEqual({
      encryptedSentence,
      wrappedKey: recipient.wrapped_key,
      sealId: scroll.sealId,
      openedBefore: null,
    });
    expect(JSON.stringify(opened)).not.toContain(scroll.encryptedContent);
    expect(await told(author)).toMatchObject({ openedAt: expect.any(String) });
    expect(await (await open(scroll, claim)).json()).toMatchObject({ openedBefore: expect.any(String) });
    // What was opened says the same however often it is tried afterwards.
    expect(await failure(await open(scroll, aProof()))).toEqual(wrongCard);
    expect(await told(author)).toMatchObject({ wrongTries: 0 });

    expect(await scrollRow(instance(), scroll)).toEqual({
      ...before,
      rehearsal_sentence: encryptedSentence,
      rehearse_at: expect.any(Number),
    });
    expect(await recipientRow(instance(), scroll)).toEqual(recipient);
    expect(await life()).toEqual(lives);
    // The letter waits as before.
    const letter = await instance().request('POST', `${pageOf(scroll)}/open`, { body: { claim } });
    expect(await failure(letter)).toEqual({ status: 409, code: 'not-released' });
  });

  it('sends nothing twice for one press, and once more for another', async () => {
    mail.letters.length = 0;
    const { author, scroll } = await watching();
    const encryptedSentence = someWords();
    for (let i = 0; i < 3; i += 1) await rehearse(author, scroll, { encryptedSentence });
    await watched.server.deliver();
    expect(sent(scroll)).toHaveLength(1);
    await rehearse(author, scroll);
    await rehearse(author, scroll);
    await watched.server.deliver();
    expect(sent(scroll)).toHaveLength(2);
  });

  it('is told why it failed: a refused address, a lost key, wrong keys', async () => {
    const { author, scroll } = await watching();
    mail.answer = () => ({ refused: 'for-good', why: 'The mail server refused this address (550).' });
    await rehearse(author, scroll);
    await watched.server.deliver();
    expect(await told(author)).toMatchObject({
      delivery: { state: 'failed', why: 'The mail server refused this address (550).' },
    });
    mail.answer = () => 'accepted';
    await rehearse(author, scroll);
    expect(await failure(await open(scroll, aProof()))).toEqual(wrongCard);
    expect(await told(author)).toMatchObject({ wrongTries: 1, seenAt: expect.any(String), openedAt: null });
    expect((await note(scroll, 'keyless')).status).toBe(204);
    expect(await told(author)).toMatchObject({ keylessAt: expect.any(String) });

    const other = await watching('passphrase');
    await rehearse(other.author, other.scroll);
    for (let i = 0; i < 3; i += 1)
      expect(await failure(await open(other.scroll, aProof()))).toEqual(wrongCard);
    expect(await told(other.author)).toMatchObject({ wrongTries: 3 });
    // Guesses count as at the letter itself, and a right one is heard when its time has come.
    expect(await failure(await open(other.scroll, aProof()))).toEqual(wrongCard);
    expect(await failure(await open(other.scroll, other.claim))).toMatchObject({ code: 'too-many' });
    watched.instance.clock.advance(MINUTE);
    expect((await open(other.scroll, other.claim)).status).toBe(200);
    expect(await told(other.author)).toMatchObject({ openedAt: expect.any(String) });
  });

  it('is also of a draft, and of recipients who look for themselves', async () => {
    mail.letters.length = 0;
    const author = await signUpByPassphrase(instance());
    const claim = aProof();
    const scroll = await aScroll(author, {
      ...manual,
      ...{ recipientType: 'card', recipientAddress: 'card', access: cardFor(claim) },
    });
    expect(firstOf(await rehearse(author, scroll)).rehearsal).toMatchObject({ delivery: null });
    expect(await messageRows(instance(), scroll)).toEqual([]);
    expect((await open(scroll, claim)).status).toBe(200);
    expect(await scrollRow(instance(), scroll)).toMatchObject({ state: 'dormant', rehearse_at: null });
  });

  it('takes only those who have a key to try, and only one’s own letters', async () => {
    const author = await signUpByPassphrase(instance());
    const plain = await aScroll(author);
    expect(await failure(await ask(author, plain))).toEqual({ status: 422, code: 'invalid-input' });
    const { scroll } = await anOpeningScroll(author);
    expect(await failure(await ask(author, scroll, { recipientIds: [firstOf(plain).id] }))).toEqual({
      status: 422,
      code: 'invalid-input',
    });
    const stranger = await signUpByPassphrase(instance());
    expect(await failure(await ask(stranger, scroll))).toEqual({ status: 404, code: 'not-found' });
  });

  it('ends with another key or another address, and its message does not leave any more', async () => {
    mail.letters.length = 0;
    const { author, scroll, claim } = await watching('passphrase');
    await rehearse(author, scroll);
    const one = firstOf(scroll);
    const recipients = [
      {
        ...{ id: one.id, recipientType: 'email', recipientAddress: one.recipientAddress, tell: 'at-release' },
        access: passphraseFor(aProof()),
      },
    ];
    const patched = await patchScroll(author, scroll, {
      ...{ recipients, recipientType: undefined, recipientAddress: undefined },
    });
    expect(patched.status, await patched.clone().text()).toBe(200);
    expect(await told(author)).toBeNull();
    expect(await stateOf(scroll)).toMatchObject({ rehearsal: null });
    expect(await failure(await open(scroll, claim))).toEqual(wrongCard);
    await watched.server.deliver();
    expect(sent(scroll)).toEqual([]);
  });

  it('ends when the letter is sent: nobody is told of a rehearsal after it', async () => {
    mail.letters.length = 0;
    const { author, scroll, claim } = await watching();
    mail.answer = ({ subject }) =>
      subject === 'rehearsal' ? { refused: 'for-now', why: 'Not now.' } : 'accepted';
    await rehearse(author, scroll);
    await watched.server.deliver();
    await take(author, scroll, 'release');
    mail.answer = () => 'accepted';
    mail.letters.length = 0;
    await live(DAY);
    const to = firstOf(scroll).recipientAddress;
    expect(mail.letters.flatMap((one) => (one.to === to ? [one.subject] : []))).toEqual(['release']);
    expect(await stateOf(scroll)).toMatchObject({ state: 'released', rehearsal: null });
    expect(await failure(await open(scroll, claim))).toEqual({ status: 409, code: 'no-rehearsal' });
    expect(await told(author)).toBeNull();
    expect(await failure(await ask(author, scroll))).toEqual({ status: 409, code: 'scroll-released' });
  });

  describe('that a recipient wants no more of', () => {
    const tokenFor = (scroll: Scroll) =>
      linkToken(watched.deps.digests, firstOf(scroll).publicId, 'stop-rehearsals');
    const look = async (token: string) =>
      (await instance().request('POST', '/api/confirmations/look', { body: { token } })).json();
    // RFC 8058: a form, from a server that is no browser, without any cookie.
    const oneClick = (token: string) =>
      instance().app.request(`/api/reminders/${token}`, {
        method: 'POST',
        headers: { host: 'localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
    const first = async (author: Person) => firstOf((await scrollsOf(author))[0] ?? expect.fail('no scroll'));

    it('ends by one press, for them alone, and its author is told', async () => {
      mail.letters.length = 0;
      const { author, scroll, claim } = await watching();
      const other = await watching();
      await rehearse(author, scroll);
      const token = tokenFor(scroll);
      const [row] = await messageRows(instance(), scroll);
      const waiting = await findWaiting(watched.deps.db, row?.public_id ?? '');
      const { unsubscribe, text } = letterWriter(watched.deps)(waiting ?? expect.fail('no message'), 0);
      expect(new URL(unsubscribe ?? '').pathname).toBe(`/api/reminders/${token}`);
      expect(text).toContain(unsubscribe);
      await watched.server.deliver();
      const page = await instance().request('GET', `/api/reminders/${token}`);
      expect([page.status, page.headers.get('location')]).toEqual([302, `/still-here#${token}`]);
      expect(await look(token)).toEqual({ kind: 'rehearsals', state: 'open' });
      expect((await first(author)).rehearsalsStoppedAt).toBeNull();

      // Another one waits to be sent when they press.
      mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
      await rehearse(author, scroll);
      await watched.server.deliver();
      mail.answer = () => 'accepted';
      mail.letters.length = 0;
      expect((await oneClick(token)).status).toBe(204);
      expect((await oneClick(token)).status).toBe(204);
      expect(await look(token)).toEqual({ kind: 'rehearsals', state: 'pressed' });
      const stoppedAt = (await first(author)).rehearsalsStoppedAt;
      expect(stoppedAt).toEqual(expect.any(String));

      await live(DAY);
      expect(firstOf(await rehearse(author, scroll)).rehearsal).toMatchObject({ delivery: null });
      await rehearse(other.author, other.scroll);
      await live(DAY);
      expect(sent(scroll)).toEqual([]);
      expect(sent(other.scroll)).toHaveLength(1);
      // Asked by their author, they can still try their card.
      expect((await open(scroll, claim)).status).toBe(200);
      expect((await first(author)).rehearsalsStoppedAt).toBe(stoppedAt);
    });

    it('is told as asked and not as sent, when a message of an earlier one was sent', async () => {
      const { author, scroll } = await watching();
      await rehearse(author, scroll);
      await watched.server.deliver();
      expect(await told(author)).toMatchObject({ delivery: { state: 'sent' } });
      expect((await oneClick(tokenFor(scroll))).status).toBe(204);
      instance().clock.advance(MINUTE);
      expect(firstOf(await rehearse(author, scroll)).rehearsal).toMatchObject({ delivery: null });
    });

    it('is still sent the letter, and reminded of it', async () => {
      mail.letters.length = 0;
      const { author, scroll } = await watching('card', manual);
      expect((await oneClick(tokenFor(scroll))).status).toBe(204);
      await take(author, scroll, 'release');
      await live(4 * DAY, 12 * HOUR);
      const to = firstOf(scroll).recipientAddress;
      expect(mail.letters.flatMap((one) => (one.to === to ? [one.subject] : []))).toEqual([
        'release',
        'reminder',
      ]);
      expect(await recipientRow(instance(), scroll)).toMatchObject({ reminders_stopped_at: null });
    });

    it('is asked again at another address, and a link for something else ends nothing', async () => {
      const { author, scroll } = await watching('card', manual);
      const { digests } = watched.deps;
      for (const token of [
        linkToken(digests, firstOf(scroll).publicId, 'stop-reminders'),
        linkToken(digests, `${aProof().slice(0, 21)}A`, 'stop-rehearsals'),
      ])
        expect((await oneClick(token)).status).toBe(404);
      expect((await first(author)).rehearsalsStoppedAt).toBeNull();
      expect((await oneClick(tokenFor(scroll))).status).toBe(204);
      const disarmed = await take(author, scroll, 'disarm');
      const { id } = firstOf(scroll);
      const moved = {
        id,
        recipientType: 'email',
        recipientAddress: 'moved@mail.example',
        tell: 'at-release',
      };
      const patched = await patchScroll(author, disarmed, {
        ...{ recipients: [moved], recipientType: undefined, recipientAddress: undefined },
      });
      expect(patched.status, await patched.clone().text()).toBe(200);
      expect((await first(author)).rehearsalsStoppedAt).toBeNull();
    });
  });

  it('ends after thirty days, when nobody has found its page', async () => {
    const { author, scroll, claim } = await watching('card', manual);
    await rehearse(author, scroll);
    await live(29 * DAY, 12 * HOUR);
    expect(await stateOf(scroll)).toMatchObject({ rehearsal: { openedAt: null } });
    expect(await told(author)).toMatchObject({ isOver: false });
    await live(2 * DAY, 12 * HOUR);
    expect(await stateOf(scroll)).toMatchObject({ rehearsal: null });
    expect(await told(author)).toMatchObject({ isOver: true, seenAt: null });
    expect(await failure(await open(scroll, claim))).toEqual({ status: 409, code: 'no-rehearsal' });
    await note(scroll, 'seen');
    expect(await told(author)).toMatchObject({ seenAt: null });
  });

  it('is asked for twenty times a day at most, and an address is sent three', async () => {
    mail.letters.length = 0;
    const { author, scroll } = await watching('card', {
      ...manual,
      recipientAddress: 'often@mail.example',
    });
    for (let i = 0; i < 20; i += 1) await rehearse(author, scroll);
    expect(await failure(await ask(author, scroll))).toMatchObject({ code: 'too-many' });
    // Of those only the last waits: each has taken the place of the one before.
    for (let i = 0; i < 4; i += 1) {
      await live(HOUR);
    }
    expect(sent(scroll)).toHaveLength(1);
  });
});

describeOnEachEngine('the reminder to rehearse', (engine) => {
  /** A year of 48 days. */
  const RULES = { ...HOURLY, tick: 12 * HOUR, outage: 2 * DAY, drift: 2 * DAY, rehearseEvery: 48 * DAY };
  let watched: Watched;
  beforeAll(async () => {
    watched = await aWatchedInstance({ engine, rules: RULES });
  });
  afterAll(() => watched.close());

  it('goes once a year, for all letters that watch, and not to who has rehearsed', async () => {
    const { deps } = watched;
    const author = await watched.anAuthor();
    await deps.db
      .insertInto('warning_addresses')
      .values({
        ...{ account_id: author, address: 'author@example.org', proved_at: deps.now() },
        ...{ asked_address: null, asked_message: null },
      })
      .execute();
    const { counted_time } = await watched.clock();
    const manually = { trigger_type: 'manual', trigger_value: 'manual', state: 'watching' } as const;
    for (const at of [0, 3 * DAY]) {
      await watched.aScroll(author, { ...manually, rehearse_at: counted_time + 10 * DAY + at });
    }
    await watched.aScroll(author, { ...manually, access: 'vault', rehearse_at: counted_time + 10 * DAY });
    const mails = () => watched.mail.letters.filter(({ subject }) => subject === 'rehearsal-due');
    await watched.live(9 * DAY, { deliver: true });
    expect(mails()).toEqual([]);
    await watched.live(10 * DAY, { deliver: true });
    expect(mails()).toMatchObject([{ to: 'author@example.org' }]);
    expect(await watched.messages({ kind: 'rehearsal-due' })).toMatchObject([{ step: 2 }]);
    await watched.live(36 * DAY, { deliver: true });
    expect(mails()).toHaveLength(1);
    await watched.live(6 * DAY, { deliver: true });
    expect(mails()).toHaveLength(2);
  });

  it('ends by one press in its mail, for the letters of that author alone', async () => {
    const { deps, instance } = watched;
    const begin = async (address: string) => {
      const author = await watched.anAuthor();
      const proved = { address, proved_at: deps.now(), asked_address: null, asked_message: null };
      await deps.db
        .insertInto('warning_addresses')
        .values({ account_id: author, ...proved })
        .execute();
      const { counted_time } = await watched.clock();
      const id = await watched.aScroll(author, {
        ...{ trigger_type: 'manual', trigger_value: 'manual', state: 'watching' },
        rehearse_at: counted_time + DAY,
      });
      return { id };
    };
    const { id } = await begin('agnes@mail.example');
    await begin('ben@mail.example');
    const to = () =>
      watched.mail.letters.flatMap(({ subject, to }) => (subject === 'rehearsal-due' ? to : []));
    watched.mail.letters.length = 0;
    watched.mail.answer = () => ({ refused: 'for-now', why: 'Not now.' });
    await watched.live(2 * DAY, { deliver: true });
    const all = await watched.messages({ kind: 'rehearsal-due' });
    const waiting = all.find(({ address }) => address === 'agnes@mail.example');
    const message = await findWaiting(deps.db, waiting?.public_id ?? '');
    const { unsubscribe, text } = letterWriter(deps)(message ?? expect.fail('no message'), 0);
    expect(text).toContain(unsubscribe);
    const { pathname } = new URL(unsubscribe ?? '');
    const token = pathname.replace('/api/reminders/', '');
    const look = async () =>
      (await instance.request('POST', '/api/confirmations/look', { body: { token } })).json();
    expect(await look()).toEqual({ kind: 'yearly', state: 'open' });
    for (let i = 0; i < 2; i += 1) expect((await instance.request('POST', pathname)).status).toBe(204);
    expect(await look()).toEqual({ kind: 'yearly', state: 'pressed' });
    expect(await watched.scroll(id)).toMatchObject({ state: 'watching', rehearse_at: null });

    watched.mail.answer = () => 'accepted';
    await watched.live(2 * DAY, { deliver: true });
    watched.mail.letters.length = 0;
    await watched.live(50 * DAY, { deliver: true });
    expect(to()).not.toContain('agnes@mail.example');
    expect(to()).toContain('ben@mail.example');
  });

  it('is no matter any more of a letter that was released, or those would take the turns of others for good', async () => {
    const { deps } = watched;
    const { counted_time } = await watched.clock();
    const id = await watched.aScroll(await watched.anAuthor(), {
      ...{ state: 'watching', trigger_type: 'date', due_at: deps.now() },
      rehearse_at: counted_time + 300 * DAY,
    });
    await watched.live(2 * DAY);
    expect(await watched.scroll(id)).toMatchObject({ state: 'released', rehearse_at: null });
  });
});
