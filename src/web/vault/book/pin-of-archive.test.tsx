// The place in the book that an archive carries: made by one browser, and compared with the book by another.
import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { MINUTE } from '../../../shared/time.ts';
import { openSettings } from '../../testing/another-key.ts';
import { expectText, exportReadable, offerArchive, textsIn } from '../../testing/archives.ts';
import { aVaultWith, type Device } from '../../testing/devices.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { expectToast, press } from '../../testing/steps.ts';

const instance = anInstance();
const db = () => instance().deps.db;

async function aVault() {
  const { member, devices } = await aVaultWith(instance(), 1);
  const phone = devices[0] as Device;
  const orchard = await phone.writeMemory('The orchard');
  await openSettings(member.browser);
  return { member, phone, orchard };
}

/** As a browser that has seen nothing of the book. */
async function inANewBrowser({ browser, user }: Member): Promise<void> {
  localStorage.removeItem(`latebra.book-pin:${user.id}`);
  await openSettings(browser);
}

/** Takes the newest change from the server, and the memory that it was about. */
async function loseTheNewest({ user }: Member, memory: { id: number }): Promise<void> {
  const account = await db()
    .selectFrom('accounts')
    .select('id')
    .where('uid', '=', user.id)
    .executeTakeFirst();
  const own = account?.id ?? expect.fail('there is no such account');
  const newest = db()
    .selectFrom('book_entries')
    .select(({ fn }) => fn.max('n').as('n'))
    .where('account_id', '=', own);
  await db().deleteFrom('book_entries').where('account_id', '=', own).where('n', '=', newest).execute();
  await db().deleteFrom('memory_entries').where('id', '=', memory.id).execute();
}

test('an archive carries the last change that its browser knew, and says nothing where the book has it', async () => {
  const { member, phone } = await aVault();
  const file = await exportReadable(member.browser);
  const { book } = JSON.parse(textsIn(file)['manifest.json'] ?? '{}') as { book: unknown };
  expect(book).toEqual(phone.bookSync.state().head);
  await phone.writeMemory('The well');
  const dialog = await offerArchive(member.browser, file);
  await expectText(dialog, 'signed by this vault.');
  expect(dialog.textContent).not.toContain('This archive was made at');
});

test('a browser that knows nothing of it is told by an archive that the server went back', async () => {
  const { member, phone, orchard } = await aVault();
  const { n } = phone.bookSync.state().head;
  const file = await exportReadable(member.browser);
  await loseTheNewest(member, orchard);
  await inANewBrowser(member);
  const dialog = await offerArchive(member.browser, file);
  const words = `This archive was made at change ${n}, and this server shows your vault’s book up to change ${n - 1} only`;
  await expectText(dialog, words);
  await press(member.browser, 'Bring in 1', dialog);
  await expectToast('Import Complete', words);
});

test('or that it has put another history in its place', async () => {
  const { member, phone, orchard } = await aVault();
  const { n } = phone.bookSync.state().head;
  const file = await exportReadable(member.browser);
  await loseTheNewest(member, orchard);
  phone.forget();
  instance().clock.advance(MINUTE);
  await phone.writeMemory('In its place');
  await inANewBrowser(member);
  await expectText(
    await offerArchive(member.browser, file),
    `This archive was made at another change ${n} than this server shows`,
  );
});

test('what was accepted since is said with who has accepted it', async () => {
  const { member, phone, orchard } = await aVault();
  const { n } = phone.bookSync.state().head;
  const file = await exportReadable(member.browser);
  await loseTheNewest(member, orchard);
  await member.browser.open('/book');
  await press(member.browser, 'Accept what the server has now');
  await press(member.browser, 'Accept', await screen.findByRole('alertdialog'));
  await screen.findByText(/accepted that the server lost change/);
  await openSettings(member.browser);
  await expectText(
    await offerArchive(member.browser, file),
    `This archive was made at change ${n}, which the server lost. That was accepted on 1 June 2030`,
  );
});

test('the archive of another vault is not compared with this one’s book', async () => {
  const { member } = await aVault();
  const file = await exportReadable(member.browser);
  const other = await enterAsMember(instance());
  await openSettings(other.browser);
  const dialog = await offerArchive(other.browser, file);
  await within(dialog).findByText(/signed by another vault/);
  expect(dialog.textContent).not.toContain('This archive was made at');
});
