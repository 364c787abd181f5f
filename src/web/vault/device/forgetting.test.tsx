// Erasing what this browser keeps: every database goes, also one that cannot be opened, and none is made by that.
import { waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { draftNames, keepDraft } from '../session/drafts.ts';
import { leaveForGood } from '../session/leave-for-good.ts';
import { watchLeaving } from '../session/leaving.ts';
import { forgetAccount, forgetDatabases } from './forgetting.ts';
import { hasDatabase } from './has-database.ts';
import { noteLeftForGood } from './left-for-good.ts';
import { sealedFilesOfPage } from './sealed-files.ts';
import { countWaiting } from './waiting-count.ts';
import { findWaiting, waitingStoreOf } from './waiting-store.ts';

const key = await deriveContentKey(generateVaultKey());

test('a database that cannot be opened is deleted all the same', async () => {
  const { deleted } = haveDatabases(['latebra', 'latebra-lists', 'latebra-files'], { opens: false });
  await forgetDatabases();
  expect(deleted).toEqual(['latebra', 'latebra-lists', 'latebra-files']);
});

test('an account whose vault is gone leaves none of its databases', async () => {
  const names = ['latebra', 'latebra-lists', 'latebra-waiting:u1', 'latebra-sealed:u1'];
  const { deleted } = haveDatabases([...names, 'latebra-waiting:u2', 'latebra-sealed:u2']);
  await forgetAccount('u1');
  expect(deleted).toEqual(names);
});

test('none is made by that, also where the page goes before it would be deleted', async () => {
  const databases = haveDatabases();
  const seen: string[][] = [];
  Object.assign(indexedDB, {
    deleteDatabase: () => {
      seen.push([...databases.here]);
      return new EventTarget();
    },
  });
  void forgetDatabases();
  await waitFor(() => expect(seen).toEqual([[], [], []]));
});

test('a browser that does not list its databases says of each whether it is here, makes none, and forgets them', async () => {
  const databases = haveDatabases(['latebra-files', 'latebra-waiting:u1'], { lists: false });
  expect(await hasDatabase('latebra-files')).toBe(true);
  expect(await hasDatabase('latebra-lists')).toBe(false);
  expect(await findWaiting('u1')).toBe(true);
  expect(await findWaiting('u2')).toBe(false);
  expect(databases.here).toEqual(['latebra-files', 'latebra-waiting:u1']);
  await forgetAccount('u1');
  expect(databases.here).toEqual([]);
});

const soFar = { segments: 8, root: 'a root' };

test('a database that is being made while its account is forgotten goes as well', async () => {
  const databases = haveDatabases();
  const keeping = sealedFilesOfPage('u1').keepSealed('a', soFar);
  await forgetAccount('u1');
  await keeping;
  expect(databases.here).toEqual([]);
});

test('nothing is written behind a vault that was destroyed, nor by what was on its way', async () => {
  const uid = 'destroyed-while-files-are-sent';
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const databases = haveDatabases();
  const page = sealedFilesOfPage(uid);
  await page.keepSealed('a', soFar);
  expect(databases.here).toEqual([`latebra-sealed:${uid}`]);
  const underway = sealedFilesOfPage(uid).keepSealed('b', soFar);
  const leaving = leaveForGood(uid);
  await underway;
  await leaving;
  expect(databases.here).toEqual([]);
  await page.keepSealed('c', soFar).catch(() => {});
  await page.sealedSoFar('d');
  await waitingStoreOf(uid)
    .put('a name', 'sealed')
    .catch(() => {});
  expect(databases.here).toEqual([]);
  expect(countWaiting(uid)).toBe(0);
});

test('a tab that hears of it while it keeps something leaves nothing of it', async () => {
  const uid = 'heard-of-while-files-are-sent';
  const databases = haveDatabases();
  const page = sealedFilesOfPage(uid);
  const underway = page.keepSealed('a', soFar);
  noteLeftForGood(uid);
  await underway;
  await waitFor(() => expect(databases.deleted).toEqual([`latebra-sealed:${uid}`]));
  expect(databases.here).toEqual([]);
});

test('what another tab makes anew before it hears of a destroyed vault goes as well', async () => {
  const uid = 'destroyed-while-another-tab-sends';
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const name = `latebra-sealed:${uid}`;
  const databases = haveDatabases([name], { holds: true });
  const leaving = leaveForGood(uid);
  await waitFor(() => expect(databases.deleted).toEqual([name]));
  const opening = indexedDB.open(name);
  await new Promise((resolve) => opening.addEventListener('success', resolve));
  expect(databases.here).toEqual([name]);
  databases.letGo();
  await leaving;
  expect(databases.here).toEqual([]);
});

test('a page that is left keeps no lists, files or books any more, also where it had kept none yet', async () => {
  const databases = haveDatabases();
  // Another page.
  vi.resetModules();
  const [files, books, forgetting] = await Promise.all([
    import('./kept-files.ts'),
    import('./book-cache.ts'),
    import('./forgetting.ts'),
  ]);
  const kept = files.keptFilesOf('u1', () => true);
  const piece = Uint8Array.of(1, 2, 3);
  await kept.save('a', 0, piece);
  expect(databases.here).toEqual(['latebra-files']);
  const underway = kept.save('b', 0, piece);
  await forgetting.forgetDatabases();
  await underway.catch(() => {});
  expect(databases.here).toEqual([]);
  await expect(kept.save('c', 0, piece)).rejects.toThrow();
  await books.storeBook('u1', {} as never);
  expect(databases.here).toEqual([]);
});

test('a draft that another tab keeps while the databases of a destroyed vault are erased goes as well', async () => {
  const uid = 'destroyed-while-another-tab-writes';
  const { deleted, letGo } = haveDatabases(['latebra'], { holds: true });
  const forgetting = forgetAccount(uid);
  await waitFor(() => expect(deleted).toEqual(['latebra']));
  await keepDraft(uid, 'a-form', key, 'Half a thought.');
  expect(draftNames(uid)).toEqual(['a-form']);
  letGo();
  await forgetting;
  expect(draftNames(uid)).toEqual([]);
});

/** Another tab of this browser: what it hears, and what it says. */
function anotherTab(): { heard: unknown[]; say(ending: string): void } {
  const heard: unknown[] = [];
  const tab = new BroadcastChannel('latebra.leaving');
  tab.onmessage = ({ data }) => heard.push(data);
  onTestFinished(() => tab.close());
  return { heard, say: (ending) => tab.postMessage(ending) };
}

test('other tabs hear that a vault was destroyed before its databases are erased', async () => {
  const wanted = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const { heard } = anotherTab();
  const { deleted, letGo } = haveDatabases(['latebra'], { holds: true });
  const leaving = leaveForGood('destroyed-here');
  await waitFor(() => expect(deleted).toEqual(['latebra']));
  await waitFor(() => expect(heard).toEqual(['vault-destroyed-elsewhere']));
  expect(wanted).not.toHaveBeenCalled();
  letGo();
  await leaving;
  expect(wanted).toHaveBeenCalledWith('/#vault-destroyed');
});

test('a tab that follows keeps no draft of the vault that was destroyed', async () => {
  const uid = 'destroyed-in-another-tab';
  const wanted = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  watchLeaving(() => uid);
  anotherTab().say('vault-destroyed-elsewhere');
  await waitFor(() => expect(wanted).toHaveBeenCalled());
  expect(await keepDraft(uid, 'a-form', key, 'Half a thought.')).toBe(false);
  expect(draftNames(uid)).toEqual([]);
});
