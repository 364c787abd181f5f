// Erasing what this browser keeps: every database goes, also one that cannot be opened, and none is made by that.
import { waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { haveDatabases } from '../../testing/databases.ts';
import { draftNames, keepDraft } from '../session/drafts.ts';
import { leaveForGood } from '../session/leave-for-good.ts';
import { watchLeaving } from '../session/leaving.ts';
import { forgetAccount, forgetDatabases } from './forgetting.ts';

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

test('one that another tab deletes meanwhile is not made anew without its stores', async () => {
  const { here, letGo } = haveDatabases(['latebra'], { holds: true });
  const { databases } = indexedDB;
  const withheld: string[][] = [];
  Object.assign(indexedDB, {
    databases: async () => {
      const all = await databases();
      here.clear();
      return all;
    },
    // The page goes before this would be done.
    deleteDatabase: () => {
      withheld.push([...here]);
      return new EventTarget();
    },
  });
  void forgetDatabases();
  await waitFor(() => expect(withheld).toEqual([[]]));
  letGo();
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
