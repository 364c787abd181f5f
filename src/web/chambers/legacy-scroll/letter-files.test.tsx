// Photos and files in letters below the browser, before the real server: added by their author, read by whoever has the card, by
// nobody else, and by the vault that a whisper was left for.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { CLAIM_HEADER } from '../../../shared/letter-claim.ts';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { isReadable, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { asDraft } from '../../../vault/outbox/scroll-draft.ts';
import { scrollWriter } from '../../../vault/outbox/scroll-writer.ts';
import {
  createScroll,
  fillFields,
  openScrolls,
  pressInRow,
  putCardAside,
  SCROLL_TITLE,
  SCROLL_WORDS,
  setToWatch,
} from '../../testing/authoring.ts';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { aDevice } from '../../testing/devices.ts';
import { watchDownloads } from '../../testing/downloads.ts';
import { aFile, bytesOf } from '../../testing/files-of-memories.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { loseAnswers } from '../../testing/mishaps.ts';
import { interceptOnce } from '../../testing/network.ts';
import { expectNoDialog, expectToast, findRow, press, textIn } from '../../testing/steps.ts';

const instance = anInstance();
const SCROLLS = '/api/legacy-scrolls';
const REGION = { name: 'Photos and files' };

/** Somebody before an empty list of letters. */
async function openChamber(): Promise<Member> {
  const member = await enterAsMember(instance());
  await openScrolls(member.browser);
  await screen.findByText('No letters yet');
  return member;
}

/** Chooses files in the form that stands open, and waits until so many have arrived. */
async function add({ browser }: Member, files: File[], ready = files.length): Promise<void> {
  await browser.user.upload(await screen.findByLabelText('Photos and files to add'), files);
  await waitFor(() => expect(screen.getAllByText(/Ready$/)).toHaveLength(ready));
}

/** A letter with these files, and the link on its card. */
async function aLetterWith(member: Member, ...files: File[]): Promise<string> {
  await fillFields(member.browser, { When: 'manual' });
  await add(member, files);
  await createScroll(member.browser);
  await expectToast('Legacy Scroll Created');
  return putCardAside(member.browser, 'I have handed it over');
}

async function release(browser: Browser): Promise<void> {
  await setToWatch(browser);
  await pressInRow(browser, 'Release now');
  await press(browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released');
}

async function openByCard(link: string) {
  const reader = openBrowser(instance());
  await reader.open(link.replace('http://localhost:3000', ''));
  await press(reader, 'Open the scroll');
  return { reader, article: await screen.findByRole('article') };
}

/** Opens a file of an article, and downloads it. */
async function download(browser: Browser, name: string, saved: ReturnType<typeof watchDownloads>) {
  await press(browser, new RegExp(name), await screen.findByRole('region', REGION));
  const viewer = await screen.findByRole('dialog', { name });
  await press(browser, `Download ${name}`, viewer);
  const file = await saved();
  await press(browser, 'Close', viewer);
  return file;
}

/** All that a browser sends from now on. */
function noteSent({ network }: Browser): string[] {
  const sent: string[] = [];
  network.intercept(async (request, forward) => {
    sent.push(`${request.url} ${JSON.stringify([...request.headers])} ${await request.clone().text()}`);
    return forward();
  });
  return sent;
}

/** The files of an account, as the server has them. */
const filesOf = ({ user }: Member) =>
  instance()
    .deps.db.selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select(['files.seal_id', 'files.is_whole'])
    .where('accounts.uid', '=', user.id)
    .execute();

test('a letter’s files reach whoever holds its card, with the bytes that its author chose, and no key leaves a page', async () => {
  const member = await openChamber();
  const sentByAuthor = noteSent(member.browser);
  const link = await aLetterWith(
    member,
    aFile('Orchard.pdf', 70_000, 'application/pdf', 7),
    aFile('The bell.ogg', 3000, 'audio/ogg', 3),
  );
  const saved = watchDownloads();
  await release(member.browser);
  // As its author sees and reads it.
  expect((await findRow(SCROLL_TITLE)).textContent).toContain('2 files');
  await pressInRow(member.browser, 'Read');
  expect(await download(member.browser, 'Orchard.pdf', saved)).toEqual({
    name: 'Orchard.pdf',
    bytes: bytesOf(70_000, 7),
  });

  const secret = link.split('#')[1] ?? expect.fail('no secret');
  for (const word of ['Orchard', secret]) expect(sentByAuthor.join()).not.toContain(word);
  const reader = openBrowser(instance());
  const sent = noteSent(reader);
  await reader.open(link.replace('http://localhost:3000', ''));
  await press(reader, 'Open the scroll');
  const article = await screen.findByRole('article');
  expect(article.textContent).toContain('Under the third stone');
  for (const [name, bytes] of [
    ['Orchard.pdf', bytesOf(70_000, 7)],
    ['The bell.ogg', bytesOf(3000, 3)],
  ] as const) {
    expect(await download(reader, name, saved)).toEqual({ name, bytes });
  }
  const asked = sent.join('\n');
  expect(asked).toContain(CLAIM_HEADER);
  expect(asked).not.toContain(secret);
  expect(asked).not.toContain('Orchard');
  expect(reader.network.asked.join()).not.toContain('/api/files/');
});

test('a file that the server does not give out is told in its place, and the letter is read all the same', async () => {
  const member = await openChamber();
  const link = await aLetterWith(member, aFile('Orchard.pdf', 100, 'application/pdf'));
  await release(member.browser);
  await instance().deps.db.deleteFrom('files').execute();
  const { reader, article } = await openByCard(link);
  expect(article.textContent).toContain('Under the third stone');
  await press(reader, /Orchard\.pdf/, await screen.findByRole('region', REGION));
  const viewer = await screen.findByRole('dialog', { name: 'Orchard.pdf' });
  await press(reader, 'Download Orchard.pdf', viewer);
  await within(viewer).findByText(/does not have this file/);
});

test('files are kept with the draft of a letter, and those of a letter can be changed as long as its words can', async () => {
  const member = await openChamber();
  const { browser } = member;
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  await add(member, [aFile('Orchard.pdf', 100, 'application/pdf')]);
  await waitFor(() => expect(Object.keys(localStorage).join()).toContain('latebra.draft'));
  await browser.reload();
  await screen.findByText(/What you had begun to write is still here\./);
  expect(textIn(await screen.findByLabelText('Letter'))).toBe(SCROLL_WORDS);
  await screen.findByText('Orchard.pdf');
  await press(browser, 'Seal the letter');
  await putCardAside(browser, 'I have handed it over');
  await setToWatch(browser);

  await pressInRow(browser, 'Edit words');
  const edit = await screen.findByRole('dialog', { name: 'Edit the words' });
  await browser.user.upload(await within(edit).findByLabelText('Photos and files to add'), [
    aFile('The bell.ogg', 50, 'audio/ogg'),
  ]);
  await within(edit).findByText(/Ready$/);
  await press(browser, 'Remove Orchard.pdf', edit);
  // Words that are typed meanwhile take no file away.
  await fillFields(browser, { Letter: 'Under the fourth stone.' }, edit);
  await press(browser, 'Seal the change', edit);
  await expectToast('Legacy Scroll Changed');
  await expectNoDialog();
  await pressInRow(browser, `${SCROLL_TITLE}$`);
  const region = await screen.findByRole('region', REGION);
  expect(region.textContent).toContain('The bell.ogg');
  expect(region.textContent).not.toContain('Orchard');
  await waitFor(async () => expect(await filesOf(member)).toHaveLength(1));
});

test('a letter waits for its files, and is kept once where the answer to its sealing was lost', async () => {
  const member = await openChamber();
  const { browser } = member;
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  let go = () => {};
  const arrives = new Promise<void>((resolve) => {
    go = resolve;
  });
  interceptOnce(browser.network, /^PUT \/api\/files\//, async (forward) => {
    await arrives;
    return forward();
  });
  await browser.user.upload(await screen.findByLabelText('Photos and files to add'), [
    aFile('Hives.txt', 100),
  ]);
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Waits for 1 file' });
  expect(button.disabled).toBe(true);
  go();
  await screen.findByText(/Ready$/);
  interceptOnce(browser.network, new RegExp(`^POST ${SCROLLS}$`), async (forward) => {
    await forward();
    throw new TypeError('the answer was lost');
  });
  await press(browser, 'Seal the letter');
  await expectToast('Failed to Create Legacy Scroll');
  await press(browser, 'Seal the letter');
  await expectToast('Legacy Scroll Created');
  const letters = await member.call<Scroll[]>('GET', SCROLLS);
  expect(letters).toHaveLength(1);
  expect(await filesOf(member)).toEqual([{ seal_id: letters[0]?.sealId, is_whole: 1 }]);
});

test('of a whisper, they are read in the vault that it was left for', async () => {
  const [recipient, author] = [await enterAsMember(instance()), await enterAsMember(instance())];
  await openScrolls(recipient.browser);
  await press(recipient.browser, 'Show my address');
  const { textContent: vault } = await screen.findByText(/^(?:[0-9a-f]{4} ?){8}$/);
  await openScrolls(author.browser);
  await fillFields(author.browser, { When: 'manual', Recipient: 'whisper' });
  await fillFields(author.browser, { 'Vault address': vault });
  await screen.findByText(/This vault is known here/);
  await add(author, [aFile('Orchard.pdf', 5000, 'application/pdf', 9)]);
  await createScroll(author.browser);
  await expectToast('Legacy Scroll Created');
  await pressInRow(author.browser, 'Activate Watch');
  await release(author.browser);
  const saved = watchDownloads();
  await recipient.browser.open('/legacy-scroll');
  await press(recipient.browser, /^Read the whisper/);
  expect(await download(recipient.browser, 'Orchard.pdf', saved)).toEqual({
    name: 'Orchard.pdf',
    bytes: bytesOf(5000, 9),
  });
  expect(recipient.browser.network.asked.join()).toMatch(/GET \/api\/whispers\/[\w-]{22}\/files\//);
});

test('a first try that has been activated elsewhere keeps its files, and the form says that it needs them again', async () => {
  const member = await openChamber();
  const { browser } = member;
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  await add(member, [aFile('Hives.txt', 100)]);
  interceptOnce(browser.network, new RegExp(`^POST ${SCROLLS}$`), async (forward) => {
    const { id } = (await (await forward()).json()) as Scroll;
    await member.call('POST', `${SCROLLS}/${id}/activate`, { handedOver: true });
    throw new TypeError('the answer was lost');
  });
  await press(browser, 'Seal the letter');
  await expectToast('Failed to Create Legacy Scroll');
  await press(browser, 'Seal the letter');
  await screen.findAllByText(/The photos and files of the first are to be added to it again/);
  expect(screen.queryByText('Hives.txt')).toBeNull();
  const [first] = await member.call<Scroll[]>('GET', SCROLLS);
  await press(browser, 'Seal the letter');
  await expectToast('Legacy Scroll Created');
  expect(await filesOf(member)).toEqual([{ seal_id: first?.sealId, is_whole: 1 }]);
  expect(await member.call<Scroll[]>('GET', SCROLLS)).toHaveLength(2);
});

test('what was added after a first try that has gone on stays in the form, and goes with the second letter', async () => {
  const member = await openChamber();
  const { browser } = member;
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  await add(member, [aFile('Hives.txt', 100)]);
  let firstSealId: string | null = null;
  interceptOnce(browser.network, new RegExp(`^POST ${SCROLLS}$`), async (forward) => {
    const { id, sealId } = (await (await forward()).json()) as Scroll;
    firstSealId = sealId;
    await member.call('POST', `${SCROLLS}/${id}/activate`, { handedOver: true });
    throw new TypeError('the answer was lost');
  });
  await press(browser, 'Seal the letter');
  await expectToast('Failed to Create Legacy Scroll');
  await add(member, [aFile('Orchard.pdf', 200, 'application/pdf')], 2);
  await press(browser, 'Seal the letter');
  await screen.findAllByText(/has gone on since/);
  expect(screen.queryByText('Hives.txt')).toBeNull();
  await screen.findByText('Orchard.pdf');
  await press(browser, 'Seal the letter');
  await expectToast('Legacy Scroll Created');
  const second = (await member.call<Scroll[]>('GET', SCROLLS)).find(({ sealId }) => sealId !== firstSealId);
  const files = await filesOf(member);
  expect(new Set(files.map(({ seal_id }) => seal_id))).toEqual(new Set([firstSealId, second?.sealId]));
  expect(files).toHaveLength(2);
});

/** Puts other words into the only letter, as another device would. */
async function changeElsewhere(member: Member): Promise<void> {
  const { vault } = aDevice(instance(), member);
  const [letter] = await vault.lists.load(scrollList);
  if (!letter || !isReadable(letter)) throw new Error('there is no letter');
  const draft = { ...asDraft(letter), content: 'Written elsewhere.' };
  await scrollWriter(vault).update(letter, draft, {}, letter.version);
}

/** A letter with one file, whose form has another one and stands beside what was written elsewhere. */
async function besideAnother(): Promise<{ member: Member; edit: HTMLElement }> {
  const member = await openChamber();
  const { browser } = member;
  await aLetterWith(member, aFile('Orchard.pdf', 100, 'application/pdf'));
  await press(browser, 'Not yet', await screen.findByRole('dialog', { name: 'Activate Watch' }));
  await expectNoDialog();
  await pressInRow(browser, 'Edit');
  const edit = await screen.findByRole('dialog', { name: 'Edit Legacy Scroll' });
  await add(member, [aFile('The bell.ogg', 50, 'audio/ogg')]);
  await changeElsewhere(member);
  await press(browser, 'Seal the change', edit);
  await within(edit).findByText(/Written elsewhere\./);
  return { member, edit };
}

/** The numbers of letters with the count of files that belong to each. */
async function filesByLetter(member: Member): Promise<number[]> {
  const letters = await member.call<Scroll[]>('GET', SCROLLS);
  const files = await filesOf(member);
  const counts = letters.map(({ sealId }) => files.filter(({ seal_id }) => seal_id === sealId).length);
  expect(files).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
  return counts.sort();
}

test('where both letters are kept, each has its own files, also after an answer that was lost and a reload', async () => {
  const { member, edit } = await besideAnother();
  const { browser } = member;
  loseAnswers(browser, `POST ${SCROLLS}`, 1);
  await press(browser, 'Keep both', edit);
  await expectToast('Failed to Change Legacy Scroll');
  await browser.reload();
  // The one that was changed stands beneath the one that was made since.
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  const row = screen.getAllByRole('article').at(-1);
  await press(browser, /More/, row);
  await press(browser, /^Edit/, row);
  await press(browser, 'Keep both', await screen.findByRole('dialog', { name: 'Edit Legacy Scroll' }));
  await expectToast('Legacy Scroll Created');
  expect(await filesByLetter(member)).toEqual([1, 1]);
});

test('where the second letter had arrived and went on, what was added since goes with a third', async () => {
  const { member, edit } = await besideAnother();
  const { browser } = member;
  interceptOnce(browser.network, new RegExp(`^POST ${SCROLLS}$`), async (forward) => {
    const { id } = (await (await forward()).json()) as Scroll;
    await member.call('POST', `${SCROLLS}/${id}/activate`, { handedOver: true });
    throw new TypeError('the answer was lost');
  });
  await press(browser, 'Keep both', edit);
  await expectToast('Failed to Change Legacy Scroll');
  await add(member, [aFile('Hives.txt', 70)], 2);
  await press(browser, 'Keep both', edit);
  await screen.findAllByText(/The photos and files of the first are to be added to it again/);
  expect(within(edit).queryByText('The bell.ogg')).toBeNull();
  await press(browser, 'Keep both', edit);
  await expectToast('Legacy Scroll Created');
  expect(await filesByLetter(member)).toEqual([1, 1, 1]);
});
