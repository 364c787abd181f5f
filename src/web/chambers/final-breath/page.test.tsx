// The Final Breath below the browser: written, sealed, released once and silenced, and nothing lost or shown twice on the way.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import type { Breath } from '../../../shared/nouns/final-breath.ts';
import { listOf, shownRows } from '../../../vault/book/shown-lists.ts';
import { aDevice } from '../../testing/devices.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead, damageAnswers, holdAnswer, loseAnswers, startAnew } from '../../testing/mishaps.ts';
import { replaceKey } from '../../testing/older-key.ts';
import { expectNoDialog, expectToast, fill, keptIn, press, textIn } from '../../testing/steps.ts';

const instance = anInstance();
const MINUTE = 60 * 1000;
const WORDS = 'Tell them the key was under the third stone all along.';
const PATH = '/api/final-breath';
const READ = `POST ${PATH}/read` as const;
const ACKNOWLEDGE = `POST ${PATH}/acknowledge` as const;

const breathOf = ({ call }: Member) => call<Breath | null>('GET', PATH);
const main = () => screen.getByRole('main');
const field = () => screen.findByRole('textbox', { name: 'Your final breath' });
const article = () => screen.findByRole('article');
const sealButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Seal Final Breath' });

const expectThreshold = () => screen.findByRole('button', { name: 'Begin the Final Rite' });
const expectSealed = () => screen.findByRole('button', { name: 'Release Final Breath' });
const expectErased = async (member: Member) => {
  await within(await article()).findByText('Erased from this server');
  expect(await breathOf(member)).toBeNull();
};
const expectWords = async (words: string) => expect((await article()).textContent).toContain(words);

async function openFinalBreath(): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.browser.open('/final-breath');
  await expectThreshold();
  return member;
}

/** A member whose breath stands sealed. */
async function openSealed(): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.postSealed(PATH, 'breath', { encryptedContent: WORDS });
  await member.browser.open('/final-breath');
  await expectSealed();
  return member;
}

const begin = ({ browser }: Member) => press(browser, 'Begin the Final Rite');
const write = async ({ browser }: Member, words: string) => fill(browser, await field(), words);
const sealIt = ({ browser }: Member) => press(browser, 'Seal Final Breath');

async function release({ browser }: Member): Promise<void> {
  await press(browser, 'Release Final Breath');
  const question = await screen.findByRole('alertdialog', { name: 'Release your final breath?' });
  await press(browser, 'Release it', question);
}

/** What a browser that has just come finds missing, where the server shows this breath or none. */
async function foundWith(member: Member, shown: Breath | null): Promise<string[]> {
  const device = aDevice(instance(), member);
  const list = listOf('breath', device.vault.api);
  const rows = shownRows('breath', shown ? [shown] : []);
  await device.bookSync.compare({ ...list, fetch: async () => rows }, rows);
  return device.found().map(({ what }) => what);
}

test('a breath that is said to be gone, or released, is missed; one that its owner released is not', async () => {
  const member = await openFinalBreath();
  await begin(member);
  await write(member, WORDS);
  await sealIt(member);
  await expectSealed();
  const standing = await breathOf(member);
  const released = { ...standing, releasedAt: new Date(instance().clock.now()).toISOString() } as Breath;
  expect(await foundWith(member, standing as Breath)).toEqual([]);
  expect(await foundWith(member, null)).toEqual(['missing']);
  expect(await foundWith(member, released)).toEqual(['missing']);

  await release(member);
  await expectWords(WORDS);
  expect(await foundWith(member, released)).toEqual([]);
  expect(await foundWith(member, null)).toEqual([]);
});

const receive = ({ browser }: Member) => press(browser, 'Show its words');
const silence = ({ browser }: Member) => press(browser, 'Silence');

test('it is written, sealed, released once and silenced; then another can be written', async () => {
  const member = await openFinalBreath();
  const { browser } = member;
  expect(main().textContent).toContain('For a letter to somebody else, write a legacy scroll.');
  await begin(member);
  const written = await field();
  expect(main().textContent).toContain('Only you will read it, and only once; it is sent to nobody.');
  expect(within(main()).getByRole('link', { name: 'legacy scroll' }).getAttribute('href')).toBe(
    '/legacy-scroll',
  );
  await waitFor(() => expect(document.activeElement).toBe(written));
  expect(main().textContent).toContain('There is one for each vault.');
  expect(sealButton().disabled).toBe(true);
  await write(member, '  \n ');
  expect(sealButton().disabled).toBe(true);
  await write(member, WORDS);
  await sealIt(member);
  await expectToast('Final Breath Sealed');
  expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(0);

  await browser.reload();
  await expectSealed();
  expect(document.body.textContent).not.toContain('third stone');
  await press(browser, 'Release Final Breath');
  await press(browser, 'Not yet', await screen.findByRole('alertdialog'));
  expect(await breathOf(member)).toMatchObject({ releasedAt: null, encryptedContent: null });

  await release(member);
  await expectToast('Final Breath Released');
  await expectWords(WORDS);
  await expectErased(member);
  expect(keptIn('latebra.redemption')).toBe(0);
  await silence(member);
  await begin(member);
  expect(document.body.textContent).not.toContain('third stone');
  await write(member, 'A second one.');
  await sealIt(member);
  await expectSealed();
  await release(member);
  await expectWords('A second one.');
});

test('a draft survives a reload, sealed, and can be put aside or discarded', async () => {
  const member = await openFinalBreath();
  const { browser } = member;
  await begin(member);
  await write(member, 'Half a breath');
  await expectDraft(member, 'Half a breath');
  expect(JSON.stringify({ ...localStorage })).not.toContain('Half a breath');
  await browser.reload();
  expect(textIn(await field())).toBe('Half a breath');
  await press(browser, 'Not now');
  await begin(member);
  expect(textIn(await field())).toBe('Half a breath');
  await press(browser, 'Discard it');
  expect(textIn(await field())).toBe('');
  await browser.reload();
  await expectThreshold();
});

test('it can be burned unread, after a word', async () => {
  const member = await openSealed();
  const { browser } = member;
  await press(browser, 'Delete it unread');
  const question = await screen.findByRole('alertdialog', { name: 'Delete it unread?' });
  expect(within(question).getByRole<HTMLButtonElement>('button', { name: 'Delete it' }).disabled).toBe(true);
  await fill(browser, within(question).getByLabelText('Type BURN to go on'), 'BURN');
  await press(browser, 'Delete it', question);
  await expectToast('Final Breath Deleted');
  await expectThreshold();
  expect(await breathOf(member)).toBeNull();
});

test('a cut connection loses no word: the same tab receives them after all', async () => {
  const member = await openSealed();
  loseAnswers(member.browser, READ, 1);
  await release(member);
  await expectToast('Failed to Release', 'The server could not be reached.');
  await screen.findByRole('heading', { name: 'Released, and not yet read' });
  expect((await breathOf(member))?.releasedAt).not.toBeNull();
  await receive(member);
  await expectToast('Final Breath Released');
  await expectWords(WORDS);
  await expectErased(member);
});

test('a reload in the middle of a release loses no word, within ten minutes', async () => {
  const member = await openSealed();
  loseAnswers(member.browser, READ, 1);
  await release(member);
  await expectToast('Failed to Release');
  expect(keptIn('latebra.redemption')).toBe(1);
  instance().clock.advance(9 * MINUTE);
  await member.browser.reload();
  await receive(member);
  await expectWords(WORDS);
  await silence(member);
  await expectThreshold();
});

test('after ten minutes nothing is left to receive', async () => {
  const member = await openSealed();
  loseAnswers(member.browser, READ, 1);
  await release(member);
  await screen.findByRole('heading', { name: 'Released, and not yet read' });
  instance().clock.advance(11 * MINUTE);
  await receive(member);
  await expectToast('Failed to Release');
  await expectThreshold();
  expect(keptIn('latebra.redemption')).toBe(0);
});

test('a server that could not be told says when it erases by itself, and is told again with silence', async () => {
  const member = await openSealed();
  const { browser } = member;
  answerInstead(browser, ACKNOWLEDGE, 'nothing', 1);
  await release(member);
  await within(await article()).findByText(/This server erases it by itself at \d\d:\d\d/);
  expect(await breathOf(member)).not.toBeNull();
  await silence(member);
  await expectThreshold();
  expect(browser.network.asked.filter((call) => call === ACKNOWLEDGE)).toHaveLength(2);
  expect(await breathOf(member)).toBeNull();
});

test('one that is released elsewhere meanwhile is not released here, and leaves room for another', async () => {
  const member = await openSealed();
  const { browser, call } = member;
  await press(browser, 'Release Final Breath');
  const question = await screen.findByRole('alertdialog');
  const elsewhere = { redemptionId: newSealId() };
  await call('POST', `${PATH}/read`, elsewhere);
  await press(browser, 'Release it', question);
  await expectToast('Failed to Release', 'This breath was released before. It is gone.');
  await screen.findByRole('heading', { name: 'It was released before' });
  await call('POST', `${PATH}/acknowledge`, elsewhere);
  await press(browser, 'Look again');
  await expectThreshold();
});

test('one that was burned or released elsewhere is asked about no more', async () => {
  const member = await openSealed();
  await member.call('DELETE', PATH);
  await press(member.browser, 'Release Final Breath');
  await expectToast('Final Breath Gone', 'It was released or deleted elsewhere.');
  await expectThreshold();
  await expectNoDialog();
});

test('a second breath is refused where one stands sealed, and what was written is kept', async () => {
  const member = await openFinalBreath();
  const { browser, call, postSealed } = member;
  await begin(member);
  await write(member, 'The other one.');
  await postSealed(PATH, 'breath', { encryptedContent: WORDS });
  await sealIt(member);
  await expectToast('Failed to Seal Final Breath', 'A final breath is sealed already.');
  await expectSealed();
  await expectDraft(member, 'The other one.');
  await call('DELETE', PATH);
  await browser.reload();
  expect(textIn(await field())).toBe('The other one.');
});

test('a lost answer seals once, with the words as they were last written', async () => {
  const member = await openFinalBreath();
  loseAnswers(member.browser, `POST ${PATH}`, 1);
  await begin(member);
  await write(member, 'First wording.');
  await sealIt(member);
  await expectToast('Failed to Seal Final Breath', 'The server could not be reached.');
  await write(member, 'Second wording.');
  await sealIt(member);
  await expectToast('Final Breath Sealed');
  await release(member);
  await expectWords('Second wording.');
  await expectErased(member);
});

test('a draft of what was sealed after all does not stay in the browser', async () => {
  const member = await openFinalBreath();
  loseAnswers(member.browser, `POST ${PATH}`, 1);
  await begin(member);
  await write(member, WORDS);
  await sealIt(member);
  await expectToast('Failed to Seal Final Breath');
  // It says under which seal it was sent.
  await expectDraft(member, (await breathOf(member))?.sealId ?? 'no seal');
  await member.browser.reload();
  await expectSealed();
  await waitFor(() => expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(0));
});

test('a breath that was refused, is shown as sealed and then is there no more, is missed', async () => {
  const member = await openFinalBreath();
  const { browser } = member;
  let sealId: string | null = null;
  let isShown = true;
  browser.network.intercept(async (request, forward) => {
    if (new URL(request.url).pathname !== PATH) return forward();
    if (request.method === 'GET') {
      const shown = { encryptedContent: null, createdAt: new Date().toISOString(), releasedAt: null, sealId };
      return Response.json(sealId && isShown ? { ...shown, keyFingerprint: member.fingerprint } : null);
    }
    const answered = sealId === null ? 503 : 409;
    const code = sealId === null ? 'database-away' : 'breath-sealed';
    sealId = ((await request.json()) as Breath).sealId;
    return Response.json({ code, message: 'Not now.' }, { status: answered });
  });
  await begin(member);
  await write(member, WORDS);
  await sealIt(member);
  await expectToast('Failed to Seal Final Breath');
  await sealIt(member);
  await expectSealed();
  await waitFor(() => expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(0));
  isShown = false;
  await browser.reload();
  await expectThreshold();
  await screen.findByText(/^This server does not show 1 entry that your vault’s book has/);
});

test('what was written after a lost answer is not in the breath, and stays as a draft', async () => {
  const member = await openFinalBreath();
  const { browser } = member;
  loseAnswers(browser, `POST ${PATH}`, 1);
  await begin(member);
  await write(member, 'First wording.');
  await sealIt(member);
  await expectToast('Failed to Seal Final Breath');
  await write(member, 'Second wording, and a good deal more.');
  await expectDraft(member, 'Second wording, and a good deal more.');
  await browser.reload();
  await expectSealed();
  expect((await screen.findByRole('note')).textContent).toContain('stays in this browser, as a draft');
  expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(1);
  await release(member);
  await expectWords('First wording.');
  await silence(member);
  await waitFor(async () => expect(textIn(await field())).toBe('Second wording, and a good deal more.'));
  await sealIt(member);
  await expectSealed();
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
  expect(keptIn(`latebra.draft:${member.user.id}`)).toBe(0);
  await release(member);
  await expectWords('Second wording, and a good deal more.');
  await expectErased(member);
});

test('a proxy that finds nothing takes nothing away, neither the words nor the way to them', async () => {
  const member = await openSealed();
  const { browser } = member;
  const nowhere = { status: 404, body: '404 page not found' };
  loseAnswers(browser, READ, 1);
  await release(member);
  await screen.findByRole('heading', { name: 'Released, and not yet read' });
  answerInstead(browser, READ, nowhere, 1);
  answerInstead(browser, ACKNOWLEDGE, nowhere, 1);
  await receive(member);
  await expectToast('Failed to Release', 'The server is out of reach just now.');
  await receive(member);
  await expectWords(WORDS);
  await within(await article()).findByText(/This server erases it by itself at/);
  expect(await breathOf(member)).not.toBeNull();
  await silence(member);
  await expectThreshold();
  expect(await breathOf(member)).toBeNull();
});

test('silence is silence, also when the server cannot be told', async () => {
  const member = await openSealed();
  answerInstead(member.browser, ACKNOWLEDGE, 'nothing');
  await release(member);
  await within(await article()).findByText(/This server erases it by itself at/);
  await silence(member);
  await screen.findByRole('heading', { name: 'It is silenced' });
  expect(main().textContent).toMatch(/erases them by itself at \d\d:\d\d/);
  expect(screen.queryByRole('button', { name: 'Show its words' })).toBeNull();
  expect(keptIn('latebra.redemption')).toBe(0);
  instance().clock.advance(11 * MINUTE);
  await press(member.browser, 'Look again');
  await expectThreshold();
});

test('a late word of what was erased before says nothing of the next breath', async () => {
  const member = await openSealed();
  const letFirstGo = holdAnswer(member.browser, ACKNOWLEDGE);
  await release(member);
  await expectWords(WORDS);
  await silence(member);
  await begin(member);
  await write(member, 'A second one.');
  await sealIt(member);
  await expectSealed();
  letFirstGo();
  await member.browser.network.idle();
  await expectSealed();
  const letSecondGo = holdAnswer(member.browser, ACKNOWLEDGE);
  await release(member);
  expect((await article()).textContent).toContain('Being erased from this server');
  letSecondGo();
  await expectErased(member);
});

test('words that this browser cannot seal are not sent', async () => {
  const member = await openFinalBreath();
  await begin(member);
  await write(member, WORDS);
  vi.spyOn(crypto.subtle, 'encrypt').mockRejectedValue(new DOMException('no', 'OperationError'));
  await sealIt(member);
  await expectToast('Encryption Failed', 'Your words could not be sealed. Nothing was sent.');
  expect(textIn(await field())).toBe(WORDS);
  expect(await breathOf(member)).toBeNull();
  expect(member.browser.network.asked).not.toContain(`POST ${PATH}`);
});

test('what no key here opens is not released', async () => {
  const member = await openSealed();
  const { browser } = member;
  await startAnew(browser);
  await browser.open('/final-breath');
  await press(browser, 'Release Final Breath');
  await expectToast(
    'Failed to Decrypt',
    'Unable to decrypt this breath. Your encryption key may have changed. It was not released.',
  );
  await expectNoDialog();
  expect(browser.network.asked).not.toContain(READ);
});

test('what an older key of the ring has sealed is released all the same', async () => {
  const member = await openSealed();
  await replaceKey(member);
  await member.browser.reload();
  await release(member);
  await expectWords(WORDS);
});

test('words that came and could not be opened are not acknowledged', async () => {
  const member = await openSealed();
  damageAnswers(member.browser, READ, { encryptedContent: 'AAAA' }, 1);
  await release(member);
  await expectToast('Failed to Decrypt');
  expect((await within(main()).findByRole('alert')).textContent).toContain('could not be opened');
  expect(await breathOf(member)).not.toBeNull();
  await receive(member);
  await expectWords(WORDS);
  await expectErased(member);
});

test('the words of a breath that was burned before are not shown in the place of the one that is released', async () => {
  const member = await enterAsMember(instance());
  const burned = newSealId();
  const old = await member.sealed('breath', burned, { encryptedContent: WORDS });
  await member.postSealed(PATH, 'breath', { encryptedContent: 'What is true by now.' });
  await member.browser.open('/final-breath');
  await expectSealed();
  const mend = damageAnswers(member.browser, READ, { ...old, sealId: burned });
  await release(member);
  await expectToast('Failed to Decrypt');
  expect(screen.queryByRole('article')).toBeNull();
  mend();
  // It was not acknowledged, so that the true words are still there.
  await receive(member);
  await expectWords('What is true by now.');
});

test('released words are not left by a slip of the hand', async () => {
  const member = await openSealed();
  const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(isHeld()).toBe(false);
  await release(member);
  await expectErased(member);
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(isHeld()).toBe(true);
  await silence(member);
  await expectThreshold();
  expect(isHeld()).toBe(false);
});

test('when the server does not answer, the page says so and can be tried again', async () => {
  const { browser } = await enterAsMember(instance());
  const mend = answerInstead(browser, `GET ${PATH}`, { status: 503, body: '' });
  await browser.open('/final-breath');
  expect((await screen.findByRole('alert')).textContent).toContain('This could not be fetched');
  mend();
  await press(browser, 'Try again');
  await expectThreshold();
});
