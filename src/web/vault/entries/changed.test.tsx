// A server that has changed what a row says, on the screens of its owner: what each kind shows, and the way on. Rows are
// written through the contract and altered in the database itself. Every fact of every kind is told in changed.test.ts.
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import type { Memory } from '../../../shared/nouns/memory.ts';
import {
  createScroll,
  openScrolls,
  pressInRow,
  putCardAside,
  SCROLL_TITLE,
  SCROLL_WORDS,
} from '../../testing/authoring.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { postMemory } from '../../testing/memories.ts';
import { expectNoDialog, findRow, press } from '../../testing/steps.ts';

const instance = anInstance();
const MEMORIES = '/api/memory-entries';
const OPEN = 'Open as it was sealed';
const CHANGED = 'Changed on the server';
const db = () => instance().deps.db;
const orchard = { title: 'The orchard', encryptedContent: 'Ladders, and wasps.' };

async function openMemories(member: Member, path = '/memory-vault'): Promise<HTMLElement> {
  await member.browser.open(path);
  return findRow(CHANGED);
}

const openFirst = async ({ browser }: Member, row: HTMLElement) => {
  const [opener] = within(row).getAllByRole('button');
  if (opener) await browser.user.click(opener);
};

describe('a memory', () => {
  test('whose lock was taken away says which day it was, opens as it was sealed, and is put right by an edit', async () => {
    const member = await enterAsMember(instance());
    const timeLockUntil = '2026-02-03T00:00:00.000Z';
    const { id } = await postMemory(member, orchard, { timeLockUntil });
    await db().updateTable('memory_entries').set({ time_lock_until: null }).where('id', '=', id).execute();
    const row = await openMemories(member);
    expect(row.textContent).not.toContain('The orchard');
    expect(document.body.textContent).not.toContain('wasps');
    await openFirst(member, row);
    const dialog = await screen.findByRole('dialog', { name: 'This memory was changed on the server' });
    await waitFor(() =>
      expect(dialog.textContent).toMatch(/Its lock date was 3 February 2026, .* The server now says: none\./),
    );
    expect(dialog.textContent).not.toContain('wasps');
    await press(member.browser, OPEN, dialog);
    const reader = await screen.findByRole('dialog', { name: 'The orchard' });
    expect(reader.textContent).toContain('Ladders, and wasps.');
    expect(reader.textContent).toContain('You see it as you sealed it.');
    expect(within(reader).queryByRole('button', { name: 'Share' })).toBeNull();
    await press(member.browser, 'Edit', reader);
    await press(member.browser, 'Seal Memory', await screen.findByRole('dialog'));
    await expectNoDialog();
    await findRow('The orchard');
    expect(screen.queryByText(CHANGED)).toBeNull();
    const [after] = await member.call<Memory[]>('GET', MEMORIES);
    expect(after).toMatchObject({ version: 2, timeLockUntil });
  });

  test('that its owner has locked stays closed until then, whatever the server says', async () => {
    const member = await enterAsMember(instance());
    const { id } = await postMemory(member, orchard, { timeLockUntil: '2126-02-03T00:00:00.000Z' });
    await db().updateTable('memory_entries').set({ time_lock_until: null }).where('id', '=', id).execute();
    await openFirst(member, await openMemories(member));
    const dialog = await screen.findByRole('dialog');
    await press(member.browser, OPEN, dialog);
    expect((await within(dialog).findByRole('alert')).textContent).toContain(
      'You locked it. It opens on 3 February 2126',
    );
    expect(document.body.textContent).not.toContain('wasps');
  });

  test('of an older version under the newest number says so at its own address', async () => {
    const member = await enterAsMember(instance());
    const { id, sealId } = await postMemory(member, orchard);
    const old = await db()
      .selectFrom('memory_entries')
      .select(['title', 'encrypted_content'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const texts = await member.sealed(
      'memory',
      sealId ?? '',
      { ...orchard, encryptedContent: 'Cut down.' },
      { version: 2 },
    );
    await member.call('PATCH', `${MEMORIES}/${id}`, {
      ...texts,
      version: 1,
      keyFingerprint: member.fingerprint,
    });
    await db().updateTable('memory_entries').set(old).where('id', '=', id).execute();
    await member.browser.open(`/memory-vault/${sealId}`);
    const dialog = await screen.findByRole('dialog', { name: 'This memory was changed on the server' });
    await within(dialog).findByText('The server shows an older version (1) as the newest (2).');
    await press(member.browser, 'Close', dialog);
    await expectNoDialog();
  });
});

test('a moment that was made heavier shows neither person nor words, and opens with its own weight', async () => {
  const member = await enterAsMember(instance());
  const clear = { eventType: 'confession', emotionalWeight: 1 };
  const texts = { personName: 'Nora', encryptedContent: 'On the ferry.' };
  await member.postSealed('/api/relationship-entries', 'relationship', texts, clear);
  await db()
    .updateTable('relationship_entries')
    .set({ event_type: 'betrayal', emotional_weight: 5 })
    .execute();
  const row = await openMemories(member, '/relationship-ledger');
  expect(row.textContent).not.toMatch(/Nora|Betrayal|Life-changing/);
  await openFirst(member, row);
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText(
    'The kind in the clear was Confession when you sealed it. The server now says: Betrayal.',
  );
  await within(dialog).findByText(
    'The weight in the clear was Light when you sealed it. The server now says: Life-changing.',
  );
  await press(member.browser, OPEN, dialog);
  const reader = await screen.findByRole('dialog', { name: /Nora/ });
  expect(reader.textContent).toMatch(/Confession[\s\S]*Light/);
});

test('a ghost entry with other limits is not shown at once, and is not lost either', async () => {
  const member = await enterAsMember(instance());
  const clear = { maxReads: 1, expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  await member.postSealed('/api/ghost-entries', 'ghost', { encryptedContent: 'Only once.' }, clear);
  await db().updateTable('ghost_entries').set({ max_reads: 5 }).execute();
  await member.browser.open('/ghost-mode');
  const [row] = await within(await screen.findByRole('main')).findAllByRole('listitem');
  await openFirst(member, row as HTMLElement);
  const reader = await screen.findByRole('dialog', { name: 'A ghost thought' });
  await within(reader).findByText('Its number of readings was 1 when you sealed it. The server now says: 5.');
  expect(reader.textContent).not.toContain('Only once.');
  await press(member.browser, OPEN, reader);
  await within(reader).findByText('Only once.');
});

test('a scroll whose recipient was exchanged cannot be set to watch, and is read as it was sealed', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await openScrolls(browser);
  await createScroll(browser, { 'Email address': ' mira@mail.example', 'Days without activity': '030' });
  await putCardAside(browser, 'Later');
  // What the server spells in its own way is sealed as it spells it.
  expect((await findRow(SCROLL_TITLE)).textContent).toContain('30 days');
  await db().updateTable('scroll_recipients').set({ recipient_address: 'operator@mail.example' }).execute();
  await browser.reload();
  const row = await findRow('A letter that was changed');
  await within(row).findByText(
    /^Who receives it was mira@mail\.example, by a key card number .*says: operator@mail\.example/,
  );
  expect(within(row).queryByRole('button', { name: /Activate/ })).toBeNull();
  await pressInRow(browser, OPEN, 'A letter that was changed');
  const reader = await screen.findByRole('dialog', { name: SCROLL_TITLE });
  expect(reader.textContent).toContain(SCROLL_WORDS.slice(0, 20));
  expect(reader.textContent).toContain('This letter was changed on the server.');
  expect(reader.textContent).toContain('For mira@mail.example');
});
