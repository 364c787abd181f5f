// The Memory Vault below the browser: writing, finding, changing, and losing nothing.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { expectDraft } from '../../testing/drafts.ts';
import { anInstance } from '../../testing/instance.ts';
import type { Member } from '../../testing/member.ts';
import {
  beginMemory,
  editMemory,
  finishMemory,
  MEMORIES,
  memoryForm,
  openMemoryVault,
  postMemory,
  readMemory,
  sealMemory,
  typeMemory,
} from '../../testing/memories.ts';
import { holdAnswer, loseAnswers, startAnew } from '../../testing/mishaps.ts';
import {
  expectNoDialog,
  expectRows,
  expectToast,
  fill,
  findRow,
  press,
  textIn,
} from '../../testing/steps.ts';

const instance = anInstance();
const orchard = { title: 'The orchard', content: 'Ladders.' };

const open = () => openMemoryVault(instance());
const textOf = async (label: string) =>
  textIn(within(await memoryForm()).getByRole('textbox', { name: label }));
const search = async ({ browser }: Member, words: string) =>
  fill(browser, await screen.findByRole('searchbox'), words);
const expectEmpty = () => screen.findByText('Nothing is kept here yet');

/** A member with a memory that was sealed before. */
async function openOrchard(): Promise<Member> {
  const member = await open();
  await postMemory(member, { title: orchard.title, encryptedContent: orchard.content });
  await member.browser.reload();
  await findRow(orchard.title);
  return member;
}

async function expectContent(member: Member, title: string, content: string): Promise<void> {
  expect((await readMemory(member, await findRow(title))).textContent).toContain(content);
  await press(member.browser, 'Close');
  await expectNoDialog();
}

/** Puts other words into the only memory, as another tab would. */
async function changeElsewhere({ call, sealed, fingerprint }: Member, content: string): Promise<void> {
  const [row] = await call<Memory[]>('GET', MEMORIES);
  const { id, version } = row as Memory;
  const words = { title: orchard.title, encryptedContent: content };
  const texts = await sealed('memory', row?.sealId ?? '', words, { version: version + 1 });
  await call('PATCH', `${MEMORIES}/${id}`, { ...texts, version, keyFingerprint: fingerprint });
}

test('a memory needs a title and words', async () => {
  const member = await open();
  await beginMemory(member);
  for (const { missing, says, ...typed } of [
    { title: '   ', content: 'Words', missing: 'Title', says: 'A title is missing.' },
    { title: 'Title', content: ' \n', missing: 'Memory', says: 'The words are missing.' },
  ]) {
    await typeMemory(member, typed);
    await finishMemory(member);
    await expectToast('Incomplete Memory', 'Please provide both a title and content for your memory.');
    const form = await memoryForm();
    const field = within(form).getByLabelText(missing);
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(form.querySelectorAll('[aria-invalid="true"]')).toHaveLength(1);
    expect(form.textContent).toContain(says);
    // What names the mistake leaves once it is being corrected.
    await typeMemory(member, { title: 'Another title' });
    await waitFor(() => expect(screen.queryByText('Incomplete Memory')).toBeNull());
  }
  expect(member.browser.network.asked).not.toContain(`POST ${MEMORIES}`);
});

test('a draft survives a reload, sealed, and can be discarded', async () => {
  const member = await open();
  const { browser } = member;
  await beginMemory(member);
  await typeMemory(member, { title: 'Half a thought', content: 'that was never' });
  await expectDraft(member, 'Half a thought', 'that was never');
  expect(JSON.stringify({ ...localStorage })).not.toContain('Half a thought');
  await browser.reload();
  await screen.findByText(/What you had begun to write is still here/);
  expect(await textOf('Title')).toBe('Half a thought');
  expect(await textOf('Memory')).toBe('that was never');
  await press(browser, 'Discard it');
  expect(await textOf('Title')).toBe('');
  await browser.reload();
  expect(await textOf('Title')).toBe('');
});

test('the search finds words in titles and contents, without accents or case, and the slash key leads there', async () => {
  const member = await open();
  const { user } = member.browser;
  await sealMemory(member, { title: 'Café by the harbour', content: 'Herring and rain.' });
  await sealMemory(member, { title: 'The orchard', content: 'Ladders in an apple tree.' });
  await expectRows('The orchard', 'Café by the harbour');
  await user.keyboard('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  await search(member, 'CAFE herring');
  await expectRows('Café by the harbour');
  screen.getByText('1 found');
  await search(member, 'submarine');
  await screen.findByText('No memory holds these words.');
  await user.keyboard('{Escape}');
  await expectRows('The orchard', 'Café by the harbour');
});

test('a memory can be changed, and a lock put on it later', async () => {
  const member = await openOrchard();
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Ladders, and wasps.' });
  await finishMemory(member);
  await expectNoDialog();
  await expectContent(member, 'The orchard', 'Ladders, and wasps.');
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { lock: '1 day' });
  await finishMemory(member);
  await findRow('Locked until');
  await member.browser.reload();
  await findRow('Locked until');
});

test('when a memory was changed elsewhere meanwhile, both texts are kept', async () => {
  const member = await openOrchard();
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Written in this tab.' });
  await changeElsewhere(member, 'Written elsewhere.');
  await finishMemory(member);
  const other = await within(await memoryForm()).findByRole('alert');
  expect(other.textContent).toContain('This memory was changed elsewhere');
  expect(other.textContent).toContain('Written elsewhere.');
  expect(await textOf('Memory')).toBe('Written in this tab.');
  await press(member.browser, 'Keep both');
  await expectNoDialog();
  await expectRows('The orchard', 'The orchard');
  for (const words of ['this tab', 'elsewhere']) {
    await search(member, words);
    await expectRows('The orchard');
  }
});

test('an older version that the server shows in place of what was written elsewhere is shown nowhere', async () => {
  const member = await openOrchard();
  const [old] = await member.call<Memory[]>('GET', MEMORIES);
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Written in this tab.' });
  await changeElsewhere(member, 'Written elsewhere.');
  member.browser.network.intercept((request, forward) =>
    request.method === 'GET' && request.url.endsWith(`${MEMORIES}/${old?.id}`)
      ? Promise.resolve(Response.json(old))
      : forward(),
  );
  await finishMemory(member);
  await expectToast('Failed to Seal Memory');
  expect(within(await memoryForm()).queryByRole('button', { name: 'Keep both' })).toBeNull();
  expect(await textOf('Memory')).toBe('Written in this tab.');
});

test('a draft that was begun on an older version shows the newer one before it replaces it', async () => {
  const member = await openOrchard();
  const { browser } = member;
  await editMemory(member, await findRow('The orchard'));
  await typeMemory(member, { content: 'Begun and left.' });
  await press(browser, 'Cancel');
  await expectNoDialog();
  await expectDraft(member, 'Begun and left.');
  await changeElsewhere(member, 'Written meanwhile.');
  await browser.reload();
  await editMemory(member, await findRow('The orchard'));
  const other = await within(await memoryForm()).findByRole('alert');
  expect(other.textContent).toContain('Written meanwhile.');
  expect(await textOf('Memory')).toBe('Begun and left.');
  await press(browser, 'Keep both');
  await expectRows('The orchard', 'The orchard');
});

test('a memory is deleted after a question, locked or not', async () => {
  const member = await openOrchard();
  const { browser } = member;
  await sealMemory(member, { title: 'Locked away', content: 'No.', lock: '1 week' });
  await press(browser, 'Delete Locked away');
  await press(browser, 'Cancel', await screen.findByRole('alertdialog'));
  await expectNoDialog();
  await expectRows('Locked away', 'The orchard');
  for (const title of ['Locked away', 'The orchard']) {
    await press(browser, `Delete ${title}`);
    const question = await screen.findByRole('alertdialog', { name: `Delete “${title}”?` });
    await press(browser, 'Delete it', question);
    await expectToast('Memory Deleted');
    await expectNoDialog();
    await waitFor(() => expect(screen.getByRole('main').textContent).not.toContain(title));
  }
  await expectEmpty();
  expect(await member.call('GET', MEMORIES)).toEqual([]);
});

test('one that was deleted elsewhere crashes nothing', async () => {
  const member = await openOrchard();
  const [row] = await member.call<Memory[]>('GET', MEMORIES);
  await member.call('DELETE', `${MEMORIES}/${row?.id}`);
  await press(member.browser, 'Delete The orchard');
  await press(member.browser, 'Delete it', await screen.findByRole('alertdialog'));
  await expectToast('Memory is gone');
  await expectEmpty();
});

test('a cut connection loses nothing that was written', async () => {
  const member = await open();
  const { network } = member.browser;
  await beginMemory(member);
  await typeMemory(member, orchard);
  network.cut();
  await finishMemory(member);
  await expectToast('Failed to Seal Memory', 'The server could not be reached.');
  expect(await textOf('Memory')).toBe('Ladders.');
  network.cut(false);
  await finishMemory(member);
  await expectContent(member, 'The orchard', 'Ladders.');
});

test('what is sealed while the list is on its way stands in it', async () => {
  const member = await openOrchard();
  const release = holdAnswer(member.browser, `GET ${MEMORIES}`);
  await member.browser.reload();
  await waitFor(() => expect(member.browser.network.asked.at(-1)).toBe(`GET ${MEMORIES}`));
  await sealMemory(member, { title: 'The well', content: 'Deep.' });
  release();
  await expectRows('The well', 'The orchard');
});

/** Seals a memory whose answer is lost on its way; the dialog stands open. */
async function sealUnheard(member: Member, lock?: string): Promise<void> {
  loseAnswers(member.browser, `POST ${MEMORIES}`, 1);
  await beginMemory(member);
  await typeMemory(member, { ...orchard, ...(lock ? { lock } : {}) });
  await finishMemory(member);
  await expectToast('Failed to Seal Memory', 'The server could not be reached.');
}

test('an answer that is lost on its way does not keep a memory twice', async () => {
  const member = await open();
  await sealUnheard(member);
  await finishMemory(member);
  await expectNoDialog();
  await member.browser.reload();
  await expectRows('The orchard');
});

test('when a lost first try was locked, what was written since is not taken for kept', async () => {
  const member = await open();
  await sealUnheard(member, '1 week');
  await typeMemory(member, { content: 'Ladders, and wasps.' });
  await finishMemory(member);
  await expectToast('Failed to Seal Memory', 'Your first version had arrived after all');
  await finishMemory(member);
  await expectNoDialog();
  await member.browser.reload();
  await expectRows('The orchard', 'The orchard');
});

test('a lock that is chosen after a lost first try is really set', async () => {
  const member = await open();
  await sealUnheard(member);
  await typeMemory(member, { lock: '1 week' });
  await finishMemory(member);
  await expectToast('Memory Sealed', 'It opens on 8 June 2030');
  await member.browser.reload();
  const [row] = await expectRows('The orchard');
  expect(row?.textContent).toContain('Locked until');
});

test('what another key has sealed stays listed, unreadable, and says so', async () => {
  const member = await openOrchard();
  const { browser } = member;
  await startAnew(browser);
  await browser.open('/memory-vault');
  const row = await findRow('Unreadable with this key');
  await press(browser, /Unreadable/, row);
  await expectToast(
    'Failed to Decrypt',
    'Unable to decrypt this memory. Your encryption key may have changed.',
  );
  await sealMemory(member, { title: 'After', content: 'Readable.' });
  await expectContent(member, 'After', 'Readable.');
});

test('strange writing comes back as it was written', async () => {
  const member = await open();
  const strange = '<script>alert(1)</script> ‮right to left‬ 🜁 e\u0301 漢字\n\n\n   indented\ttab';
  await sealMemory(member, { title: '"><img src=x onerror=alert(1)>', content: strange });
  await member.browser.reload();
  const [row] = await expectRows('"><img src=x onerror=alert(1)>');
  const reader = row && (await readMemory(member, row));
  for (const part of ['<script>alert(1)</script>', '漢字', 'indented']) {
    expect(reader?.textContent).toContain(part);
  }
  expect(document.querySelector('img, script')).toBeNull();
});
