// Ghost Mode below the browser: thoughts that are counted while they are read, and that vanish.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Ghost } from '../../../shared/nouns/ghost.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { answerInstead, damageAnswers, holdAnswer, loseAnswers, startAnew } from '../../testing/mishaps.ts';
import { replaceKey } from '../../testing/older-key.ts';
import {
  expectNoDialog,
  expectRows,
  expectToast,
  fill,
  findRow,
  press,
  pressEscape,
  textIn,
} from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';

const HOUR = 60 * 60 * 1000;
const LIST = '/api/ghost-entries';
const READ = `POST ${LIST}/*/read` as const;

/** How far the server's clock is ahead of the page's, in milliseconds. */
let ahead = 0;
const instance = anInstance({ deps: { now: () => Date.now() + ahead } });

const expectEmpty = () => screen.findByText('No thought lingers here');

async function openGhostMode(): Promise<Member> {
  const member = await enterAsMember(instance());
  await member.browser.open('/ghost-mode');
  await expectEmpty();
  return member;
}

/** A member before thoughts that were sealed earlier, the oldest first. */
async function openWith(...thoughts: { content: string; maxReads: number | null }[]): Promise<Member> {
  const member = await enterAsMember(instance());
  for (const { content, maxReads } of thoughts) {
    const clear = { maxReads, expiresAt: new Date(Date.now() + 24 * HOUR).toISOString() };
    await member.postSealed(LIST, 'ghost', { encryptedContent: content }, clear);
  }
  await member.browser.open('/ghost-mode');
  await screen.findAllByRole('listitem');
  return member;
}

const begin = async ({ browser }: Member) => press(browser, 'Ghost Thought', await screen.findByRole('main'));
const finish = ({ browser }: Member) => press(browser, 'Seal the thought');
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Ghost Thought' }));
const words = async () => (await dialog()).getByRole('textbox', { name: 'Thought' });

async function writeThought(
  member: Member,
  content: string,
  choice: { reads?: string; hours?: string } = {},
): Promise<void> {
  const { browser } = member;
  await begin(member);
  await fill(browser, await words(), content);
  const { getByLabelText } = await dialog();
  if (choice.reads) await browser.user.selectOptions(getByLabelText('May be read'), choice.reads);
  if (choice.hours) await browser.user.selectOptions(getByLabelText('Vanishes after'), choice.hours);
  await finish(member);
  await expectNoDialog();
}

/** What opens a row; a row without words has no such door. */
const door = (row: HTMLElement) => within(row).queryByRole('button', { name: /readings?/ });

async function approach({ browser }: Member, text: string): Promise<void> {
  const opener = door(await findRow(text));
  if (!opener) throw new Error(`nothing opens ${text}`);
  await browser.user.click(opener);
}

const reader = () => screen.findByRole('dialog', { name: 'A ghost thought' });
const expectReading = async (...parts: string[]) => {
  const { textContent } = await reader();
  for (const part of parts) expect(textContent).toContain(part);
};
const lastQuestion = () => screen.findByRole('alertdialog', { name: 'This is the last reading' });
const readLast = async ({ browser }: Member) =>
  press(browser, 'Read it for the last time', await lastQuestion());
const readElsewhere = async ({ call }: Member) => {
  const [ghost] = await call<Ghost[]>('GET', LIST);
  await call('POST', `${LIST}/${ghost?.id}/read`);
};
const expectVanished = () => expectToast('Entry Vanished', 'This ghost entry has already been purged.');

test('an empty thought is not sealed', async () => {
  const member = await openGhostMode();
  await begin(member);
  await fill(member.browser, await words(), '   \n ');
  await finish(member);
  await expectToast('Empty Thought', 'Please write something before creating a ghost entry.');
  await screen.findByText('The words are missing.');
  expect(document.activeElement).toBe(await words());
  await dialog();
  expect(member.browser.network.asked).not.toContain(`POST ${LIST}`);
});

test('the form offers the readings and hours of the server, and says what will happen', async () => {
  const member = await openGhostMode();
  await begin(member);
  const { getByLabelText, getByText } = await dialog();
  const options = (field: HTMLElement) =>
    within(field)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  const reads = getByLabelText('May be read');
  const hours = getByLabelText('Vanishes after');
  expect(options(reads)).toEqual(['1 reading', '3 readings', '5 readings', '10 readings', '∞ Unlimited']);
  expect(textIn(reads)).toBe('1');
  expect(options(hours)).toEqual(['1 hour', '6 hours', '24 hours', '168 hours (7 days)']);
  expect(textIn(hours)).toBe('24');
  getByText(/The first reading is the last: then the words are deleted\./);
  await member.browser.user.selectOptions(reads, '3 readings');
  getByText(
    /The third reading is the last: then the words are deleted\. Read or not, they vanish on 2 June 2030/,
  );
  await member.browser.user.selectOptions(reads, '∞ Unlimited');
  getByText(/The words can be read as often as you like until/);
});

test('the list holds no word of a thought, newest first, and three readings are counted down', async () => {
  const member = await openGhostMode();
  const { browser } = member;
  await writeThought(member, 'The lake is warmer than it looks.', {
    reads: '3 readings',
    hours: '6 hours',
  });
  await expectToast('Ghost Entry Created');
  await writeThought(member, 'Kept open.', { reads: '∞ Unlimited' });
  const [newest, oldest] = await expectRows('0 of ∞ readings', '0 of 3 readings');
  expect(newest?.textContent).toContain('24 h left');
  expect(oldest?.textContent).toContain('6 h left');
  expect(screen.getByRole('main').textContent).not.toContain('lake');

  for (const [before, after, left] of [
    ['0 of 3', '1 of 3', '2 readings left'],
    ['1 of 3', '2 of 3', '1 reading left'],
  ] as const) {
    await approach(member, before);
    await expectReading('The lake is warmer than it looks.', left);
    await press(browser, 'Close');
    await expectNoDialog();
    await findRow(after);
    expect(document.body.textContent).not.toContain('The lake is warmer');
  }

  // The last one is asked for first; declining spends nothing.
  await approach(member, '2 of 3');
  await press(browser, 'Not now', await lastQuestion());
  await expectNoDialog();
  await approach(member, '2 of 3');
  await readLast(member);
  await expectReading('The lake is warmer than it looks.', 'Erased from this server');
  await expectToast('Final Reading', 'will vanish when you close it');
  await press(browser, 'Close for good');
  await expectNoDialog();
  expect(door(await findRow('Vanished'))).toBeNull();

  // Unlimited ones never ask.
  for (const [before, after] of [
    ['0 of ∞', '1 of ∞'],
    ['1 of ∞', '2 of ∞'],
  ] as const) {
    await approach(member, before);
    await expectReading('Kept open.');
    await pressEscape(browser);
    await findRow(after);
  }
  await browser.reload();
  await expectRows('2 of ∞ readings', 'Vanished');
});

test('a thought that is sealed while the list is on its way stands in it', async () => {
  const member = await openWith({ content: 'Earlier.', maxReads: 3 });
  const release = holdAnswer(member.browser, `GET ${LIST}`);
  await member.browser.reload();
  await waitFor(() => expect(member.browser.network.asked.at(-1)).toBe(`GET ${LIST}`));
  await writeThought(member, 'Later.');
  release();
  await expectRows('0 of 1', '0 of 3');
});

test('a double click spends one reading', async () => {
  const member = await openWith({ content: 'Twice is once.', maxReads: 10 });
  const opener = door(await findRow('0 of 10'));
  if (opener) await member.browser.user.dblClick(opener);
  await expectReading('9 readings left');
  await pressEscape(member.browser);
  await member.browser.reload();
  await findRow('1 of 10 readings');
});

test('whoever is late for the last reading is told', async () => {
  const member = await openWith({ content: 'Only one of you.', maxReads: 1 });
  await approach(member, '0 of 1');
  await lastQuestion();
  await readElsewhere(member);
  await readLast(member);
  await expectVanished();
  await expectNoDialog();
  await findRow('Vanished');
});

test('what was chosen for a thought stays in the list as it was, whatever a reading answers of it', async () => {
  const { browser } = await openWith({ content: 'Told otherwise', maxReads: 3 });
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (!request.url.endsWith('/read')) return answer;
    const ghost = (await answer.json()) as Ghost;
    return Response.json({ ...ghost, maxReads: 9, expiresAt: '2051-01-01T00:00:00.000Z' }, answer);
  });
  await browser.user.click(await screen.findByRole('button', { name: /0 of 3 readings/ }));
  await screen.findByText(/Its number of readings was 3/);
  await pressEscape(browser);
  expect(await screen.findByText('1 of 3 readings')).toBeTruthy();
});

test('a reading made elsewhere is counted before this page asks', async () => {
  const member = await openWith({ content: 'Counted everywhere.', maxReads: 3 });
  await readElsewhere(member);
  await readElsewhere(member);
  // This page still shows 0 of 3: its next reading would be the last nevertheless.
  await approach(member, '0 of 3 readings');
  await press(member.browser, 'Not now', await lastQuestion());
  await findRow('2 of 3 readings');
});

test('a thought is deleted after a question', async () => {
  const member = await openWith({ content: 'Away with it.', maxReads: 3 });
  const { browser, call } = member;
  await press(browser, /^Delete the thought of/);
  await press(browser, 'Cancel', await screen.findByRole('alertdialog'));
  await expectNoDialog();
  await findRow('0 of 3');
  await press(browser, /^Delete the thought of/);
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await expectToast('Ghost Entry Deleted');
  await expectEmpty();
  expect(await call('GET', LIST)).toEqual([]);
});

test('one that was deleted elsewhere has vanished', async () => {
  const member = await openWith({ content: 'Away with it.', maxReads: 3 });
  const [ghost] = await member.call<Ghost[]>('GET', LIST);
  await member.call('DELETE', `${LIST}/${ghost?.id}`);
  await approach(member, '0 of 3');
  await expectVanished();
  await expectEmpty();
});

test('a draft survives a reload, sealed, and can be discarded', async () => {
  const member = await openGhostMode();
  const { browser } = member;
  await begin(member);
  await fill(browser, await words(), 'Half a thought');
  await browser.user.selectOptions((await dialog()).getByLabelText('May be read'), '5 readings');
  await expectDraft(member, 'Half a thought', '"maxReads":5');
  expect(JSON.stringify({ ...localStorage })).not.toContain('Half a thought');
  // The address says that the form stood open.
  await browser.reload();
  await screen.findByText(/What you had begun to write is still here/);
  const reads = (await dialog()).getByLabelText('May be read');
  expect(textIn(await words())).toBe('Half a thought');
  expect(textIn(reads)).toBe('5');
  await press(browser, 'Discard it');
  expect(textIn(await words())).toBe('');
  expect(textIn(reads)).toBe('1');
});

test('a cut connection loses nothing that was written, and a lost answer keeps nothing twice', async () => {
  const member = await openGhostMode();
  const { browser } = member;
  const { network } = browser;
  await begin(member);
  await fill(browser, await words(), 'First wording.');
  network.cut();
  await finish(member);
  await expectToast('Failed to Create Ghost Entry', 'The server could not be reached.');
  network.cut(false);
  const mend = loseAnswers(browser, `POST ${LIST}`, 1);
  await finish(member);
  await waitFor(async () => expect(await member.call('GET', LIST)).toHaveLength(1));
  await network.idle();
  mend();
  const send = screen.getByRole('button', { name: 'Seal the thought' });
  await waitFor(() => expect(send.getAttribute('aria-busy')).toBeNull());
  await fill(browser, await words(), 'Second wording.');
  await finish(member);
  await expectToast('Ghost Entry Created');
  await browser.reload();
  await expectRows('0 of 1');
  await approach(member, '0 of 1');
  await readLast(member);
  await expectReading('Second wording.');
});

test('when a reading fails on its way, the list tells whether it was counted', async () => {
  const member = await openWith({ content: 'On the wire.', maxReads: 3 });
  const mend = loseAnswers(member.browser, READ);
  await approach(member, '0 of 3');
  await expectToast('Failed to Read', 'The server could not be reached.');
  await findRow('1 of 3 readings');
  mend();
  await approach(member, '1 of 3');
  await expectReading('On the wire.');
});

test('no reading is spent on words that no key here opens', async () => {
  const member = await openWith({ content: 'Under the old key.', maxReads: 3 });
  const { browser } = member;
  await startAnew(browser);
  await browser.open('/ghost-mode');
  await approach(member, '0 of 3');
  await expectToast(
    'Failed to Decrypt',
    'Unable to decrypt this entry. Your encryption key may have changed. This reading was not counted.',
  );
  await findRow('0 of 3 readings');
  expect(browser.network.asked.filter((call) => call.endsWith('/read'))).toEqual([]);
});

test('what an older key of the ring has sealed is read, and sealed anew while words are left', async () => {
  const member = await openWith({ content: 'Older than the key.', maxReads: 3 });
  const { browser, call, fingerprint } = member;
  const after = await replaceKey(member);
  const sealedUnder = async () => (await call<Ghost[]>('GET', LIST))[0]?.keyFingerprint;
  expect(await sealedUnder()).toBe(fingerprint);
  await browser.reload();
  await approach(member, '0 of 3');
  await expectReading('Older than the key.');
  await waitFor(async () => expect(await sealedUnder()).toBe(after));
  await pressEscape(browser);
  await browser.reload();
  await approach(member, '1 of 3');
  await expectReading('Older than the key.');
});

test('words that cannot be opened after all are told, and the reading counts', async () => {
  const member = await openWith({ content: 'Damaged on its way.', maxReads: 3 });
  damageAnswers(member.browser, READ, { encryptedContent: 'AAAA' });
  await approach(member, '0 of 3');
  await expectToast('Failed to Decrypt', 'Unable to decrypt this entry');
  expect((await within(await reader()).findByRole('alert')).textContent).toContain(
    'The reading was counted.',
  );
  await pressEscape(member.browser);
  await findRow('1 of 3 readings');
});

test('a list that cannot be fetched says so and can be tried again', async () => {
  const { browser } = await enterAsMember(instance());
  const mend = answerInstead(browser, `GET ${LIST}`, { status: 503, body: '' });
  await browser.open('/ghost-mode');
  expect((await screen.findByRole('alert')).textContent).toContain('This could not be fetched');
  mend();
  await press(browser, 'Try again');
  await expectEmpty();
});

test('the time ticks by the second in its last hour, then the words are gone, and after a day the row', () =>
  whileTimeStands(async (pass) => {
    const member = await openGhostMode();
    const { browser } = member;
    await writeThought(member, 'An hour, no longer.', { reads: '10 readings', hours: '1 hour' });
    const expectLeft = (left: string) =>
      waitFor(async () => expect((await findRow('0 of 10')).textContent).toContain(left));
    await expectLeft('1 h left');
    pass(10_000);
    await expectLeft('59 min 50 s left');
    pass(1000);
    await expectLeft('59 min 49 s left');

    // The server's hour has come, and this browser's clock is late: the server decides.
    ahead = HOUR + 1000;
    await approach(member, '0 of 10');
    await expectVanished();
    pass(HOUR);
    expect(door(await findRow('Expired'))).toBeNull();
    await browser.reload();
    await findRow('Expired');
    ahead += 24 * HOUR;
    await browser.reload();
    await expectEmpty();
  }).finally(() => {
    ahead = 0;
  }));
