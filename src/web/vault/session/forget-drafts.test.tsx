import { beforeEach, expect, test } from 'vitest';
import type { BookRow } from '../../../crypto/book-entry.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { DAY } from '../../../shared/time.ts';
import { draftNames, keepDraft } from './drafts.ts';
import { forgetDrafts } from './forget-drafts.ts';
import type { OpenVault } from './vault-context.ts';

const UID = 'a-vault';
const formOfChange = (sealId: string) => `memory-${sealId}`;
const rowOf = (sealId: string, ends: BookRow['ends'] = []): BookRow => ({
  ...{ sealId, kind: 'memory', leaf: 'A'.repeat(43), ends },
});

/** What a vault's book says of an entry whose change was begun, and what the server shows of that entry. */
interface Said {
  rows?: BookRow[] | null;
  removed?: string[];
  living?: string[];
  deleted?: string[];
}

/** Whether the draft of a change to this entry is there after its list has come. */
async function stays(sealId: string, { rows = [], removed = [], living = [], deleted = [] }: Said) {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  expect(await keepDraft(UID, formOfChange(sealId), key, { title: 'The bell' })).toBe(true);
  const book = {
    look: async () => {},
    known: async () =>
      rows && { rows: new Map(rows.map((row) => [row.sealId, row])), removed: new Set(removed) },
  };
  const vault = { user: { id: UID }, loadBook: async () => book } as unknown as OpenVault;
  const shown = (sealIds: string[]) => sealIds.map((each) => ({ sealId: each })) as never[];
  const edited = { draftOf: formOfChange, fetchDeleted: async () => shown(deleted) };
  await forgetDrafts(edited, shown(living), vault);
  return draftNames(UID).includes(formOfChange(sealId));
}

beforeEach(() => localStorage.clear());

test('a draft goes with an entry that the book says was removed, or that may have ended', async () => {
  const sealId = newSealId();
  expect(await stays(sealId, { removed: [sealId] })).toBe(false);
  const past = Date.now() - 2 * DAY;
  expect(await stays(sealId, { rows: [rowOf(sealId, [{ by: 'expiry', at: past }])] })).toBe(false);
});

test('a draft of an entry that the server leaves out stays, whether the book names it or not, or cannot be read', async () => {
  const sealId = newSealId();
  expect(await stays(sealId, {})).toBe(true);
  expect(await stays(sealId, { rows: [rowOf(sealId)] })).toBe(true);
  expect(await stays(sealId, { rows: null })).toBe(true);
});

test('a draft of an entry that is there or can be restored stays', async () => {
  const sealId = newSealId();
  expect(await stays(sealId, { removed: [sealId], living: [sealId] })).toBe(true);
  expect(await stays(sealId, { removed: [sealId], deleted: [sealId] })).toBe(true);
});
