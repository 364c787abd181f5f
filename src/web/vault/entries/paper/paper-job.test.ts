import { expect, test } from 'vitest';
import type { ExportedEntry } from '../../../../vault/kinds/entry-kind.ts';
import { workAtPaper } from './paper-job.ts';

test('paper says of an entry that somebody else may have put it there', async () => {
  const entry = {
    ...{ sealId: 'A'.repeat(22), title: 'Bees', content: 'Hives.', timeLockUntil: null },
    ...{ createdAt: '2026-01-02T03:04:05.000Z', updatedAt: '2026-01-02T03:04:05.000Z' },
  } as ExportedEntry;
  const list = [
    { entry, outside: true },
    { entry, outside: false },
  ];
  const reply = await workAtPaper({ ask: 'read', source: { kind: 'memory', list } });
  expect(reply).toMatchObject({ entries: [{ facts: ['Arrived from outside'] }, { facts: [] }] });
});
