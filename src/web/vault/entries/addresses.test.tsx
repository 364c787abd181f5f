// The addresses of entries: what stands over a list is opened, kept over a reload, and closed by the way back.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { DAY } from '../../../shared/time.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { MEMORIES, postMemory } from '../../testing/memories.ts';
import { unreachable } from '../../testing/network.ts';
import {
  expectNoDialog,
  expectToast,
  findRow,
  goToChamber,
  press,
  pressEscape,
} from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';

/** How far the server's clock is behind the browser's, in milliseconds. */
let behind = 0;
const instance = anInstance({ deps: { now: () => Date.now() - behind } });
const orchard = { title: 'The orchard', encryptedContent: 'Ladders.' };

const path = () => window.location.pathname;
const reader = () => screen.findByRole('dialog');
const openRow = async ({ browser }: Member, text: string) => {
  const [opener] = within(await findRow(text)).getAllByRole('button');
  if (opener) await browser.user.click(opener);
};

const lists = [
  {
    list: '/memory-vault',
    post: (member: Member) => postMemory(member, orchard),
    row: 'The orchard',
    begin: 'New Memory',
    form: 'New Memory',
  },
  {
    list: '/relationship-ledger',
    post: ({ postSealed }: Member) =>
      postSealed<Memory>(
        '/api/relationship-entries',
        'relationship',
        { personName: 'Nora', encryptedContent: 'Ladders.' },
        { eventType: 'moment', emotionalWeight: 3 },
      ),
    row: 'Nora',
    begin: 'Record Moment',
    form: 'Record Moment',
  },
  {
    list: '/myth-builder',
    post: ({ postSealed }: Member) =>
      postSealed<Memory>('/api/myth-stories', 'myth', orchard, { storyType: 'biography' }),
    row: 'The orchard',
    begin: 'Create Sacred Myth',
    form: 'Create Sacred Myth',
  },
];

test.each(lists)(
  '$list: an entry has an address, which a reload opens again, and going back closes',
  async ({ list, post, row }) => {
    const member = await enterAsMember(instance());
    const { sealId } = await post(member);
    await member.browser.open(list);
    await openRow(member, row);
    expect((await reader()).textContent).toContain('Ladders.');
    expect(path()).toBe(`${list}/${sealId}`);
    await member.browser.reload();
    expect((await reader()).textContent).toContain('Ladders.');
    window.history.back();
    await expectNoDialog();
    expect(path()).toBe(list);
    window.history.forward();
    expect((await reader()).textContent).toContain('Ladders.');
    await press(member.browser, 'Close');
    await expectNoDialog();
    await findRow(row);
    expect(path()).toBe(list);
  },
);

test.each(lists)('$list: the form for a new entry has an address, too', async ({ list, begin, form }) => {
  const { browser } = await enterAsMember(instance());
  await browser.open(`${list}/new`);
  await screen.findByRole('dialog', { name: form });
  await pressEscape(browser);
  expect(path()).toBe(list);
  await press(browser, begin);
  await screen.findByRole('dialog', { name: form });
  expect(path()).toBe(`${list}/new`);
  window.history.back();
  await expectNoDialog();
});

test('closing what was opened from the list goes back in the history instead of lengthening it', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, orchard);
  await member.browser.open('/');
  await goToChamber(member.browser, 'Memory Vault');
  for (let round = 0; round < 3; round += 1) {
    await openRow(member, 'The orchard');
    await reader();
    await pressEscape(member.browser);
  }
  expect(path()).toBe('/memory-vault');
  window.history.back();
  await screen.findByRole('heading', { name: 'The chambers' });
});

test('going back leaves the form over an entry as well, and its draft stays', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, orchard);
  await member.browser.open('/memory-vault');
  await openRow(member, 'The orchard');
  await press(member.browser, 'Edit', await reader());
  await screen.findByRole('dialog', { name: 'Edit Memory' });
  window.history.back();
  await expectNoDialog();
  await openRow(member, 'The orchard');
  expect((await reader()).textContent).toContain('Ladders.');
});

test.each([
  ['gone', async (member: Member, { id }: Memory) => member.call('DELETE', `${MEMORIES}/${id}`)],
  ['another account’s', async () => {}],
])('the address of an entry that is %s says so above the list', async (what, change) => {
  const author = await enterAsMember(instance());
  const memory = await postMemory(author, orchard);
  await change(author, memory);
  const member = what === 'gone' ? author : await enterAsMember(instance());
  await postMemory(member, { title: 'Another', encryptedContent: 'Words.' });
  await member.browser.open(`/memory-vault/${memory.sealId}`);
  await screen.findByText(/There is no memory at this address/);
  await findRow('Another');
  await expectNoDialog();
  await press(member.browser, 'Show the list');
  await waitFor(() => expect(screen.queryByText(/There is no memory/)).toBeNull());
  expect(path()).toBe('/memory-vault');
});

test.each(['x', '%00', '%E0%A4%A', `${newSealId()}.`, '__proto__', 'constructor'])(
  'an address that ends in %s crashes nothing',
  async (end) => {
    const member = await enterAsMember(instance());
    await member.browser.open(`/memory-vault/${end}`);
    await screen.findByText(/There is no memory at this address/);
    await screen.findByText('Nothing is kept here yet');
  },
);

test('nothing is said to be gone while the list could not be fetched', async () => {
  const member = await enterAsMember(instance());
  const { sealId } = await postMemory(member, orchard);
  const mend = member.browser.network.intercept(async (request, forward) => {
    if (new URL(request.url).pathname === MEMORIES) throw unreachable();
    return forward();
  });
  await member.browser.open(`/memory-vault/${sealId}`);
  await screen.findByText('This could not be fetched');
  expect(screen.queryByText(/There is no memory/)).toBeNull();
  mend();
  await press(member.browser, 'Try again');
  expect((await reader()).textContent).toContain('Ladders.');
});

test('the address of a locked memory says when it opens, and opens it from then on', () =>
  whileTimeStands(async (pass) => {
    const member = await enterAsMember(instance());
    const timeLockUntil = new Date(Date.now() + 7 * DAY).toISOString();
    const { sealId } = await postMemory(member, orchard, { timeLockUntil });
    await member.browser.open(`/memory-vault/${sealId}`);
    await screen.findByText(/This memory will unlock on \d+ June 2030\./);
    await expectNoDialog();

    // The browser's clock runs ahead of the server's, and the server's counts.
    behind = 8 * DAY;
    pass(8 * DAY);
    await screen.findByText(/This memory will unlock on/);
    await expectNoDialog();
    behind = 0;
    await openRow(member, 'The orchard');
    expect((await reader()).textContent).toContain('Ladders.');
    await pressEscape(member.browser);
    await member.browser.open(`/memory-vault/${sealId}`);
    expect((await reader()).textContent).toContain('Ladders.');
  }));

test('an entry of another key says by its address that it cannot be decrypted', async () => {
  const member = await enterAsMember(instance());
  const { sealId } = await member.call<Memory>('POST', MEMORIES, {
    ...(await member.sealed('memory', newSealId(), { title: 'x', encryptedContent: 'x' })),
    sealId: newSealId(),
    keyFingerprint: member.fingerprint,
  });
  await member.browser.open(`/memory-vault/${sealId}`);
  await screen.findByText(/Unable to decrypt this memory\./);
  await openRow(member, 'Unreadable with this key');
  await expectToast('Failed to Decrypt');
});
