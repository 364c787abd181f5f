import { afterEach, expect, test, vi } from 'vitest';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { draftNames, dropDraft, keepDraft, loadDraft } from './drafts.ts';
import { leaveForGood } from './leave-for-good.ts';

const key = await deriveContentKey(generateVaultKey());
const keep = (draft: string) => keepDraft('someone', 'a-form', key, draft);
const load = () => loadDraft<string>('someone', 'a-form', key);

afterEach(() => dropDraft('someone', 'a-form'));

test('a draft that is dropped while it is being sealed does not come back', async () => {
  const keeping = keep('What was sent.');
  dropDraft('someone', 'a-form');
  await keeping;
  expect(await load()).toBeNull();
});

test('of two drafts that are sealed at once, the later one is kept', async () => {
  const longer = keep('An earlier word. '.repeat(200_000));
  await Promise.all([longer, keep('The last word.')]);
  expect(await load()).toBe('The last word.');
});

test('a draft that is being sealed while its vault is destroyed, or after that, is not left behind', async () => {
  const uid = 'somebody-whose-vault-is-gone';
  const keeping = keepDraft(uid, 'a-form', key, 'Half a thought.');
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  leaveForGood(uid);
  await keeping;
  await keepDraft(uid, 'a-form', key, 'Half a thought, and more.');
  expect(draftNames(uid)).toEqual([]);
});
