// How a guardians' kit stands, in words.
import { expect, test } from 'vitest';
import { ASKS_MAX } from '../../../../shared/nouns/guardian-kits.ts';
import type { OpenedKit } from '../../../../vault/outbox/kit-writer.ts';
import { kitState } from './kit-words.ts';

const KEY = 'ab'.repeat(8);
const kit: OpenedKit = {
  ...{ id: 1, needed: 2, count: 3, waitDays: 14, address: 'A'.repeat(22) },
  ...{ createdAt: '2031-01-05T12:00:00.000Z', sealId: 'S'.repeat(22), keyFingerprint: KEY, changed: null },
  ...{ details: { name: 'The family', secret: '', guardians: [] } },
  ...{ asks: 0, asked: null, stoppedAt: null, openedAt: null },
};
const asked = { at: '2031-02-05T12:00:00.000Z', remaining: 0, isOver: true };

test.each([
  [{}, 'open', 'Nobody has asked'],
  [{ asks: ASKS_MAX - 1 }, 'open', 'Nobody asks now'],
  [{ asks: ASKS_MAX }, 'danger', 'Asked for 10 times: nobody can ask by it any more'],
  [{ asks: ASKS_MAX, asked }, 'danger', 'Its guardians can open your vault now'],
  [{ asks: ASKS_MAX, keyFingerprint: '00' }, 'danger', 'Made for an earlier key: it opens nothing'],
] as const)('with %j it is %s: %s', (fields, variant, says) => {
  expect(kitState({ ...kit, ...fields }, KEY)).toEqual({ variant, says });
});
