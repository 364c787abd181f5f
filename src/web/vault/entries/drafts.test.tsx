import { afterEach, expect, test } from 'vitest';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import { dropDraft, keepDraft, loadDraft } from './drafts.ts';

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
