// What the book costs a browser with ten thousand rows: to compare all of them with it, and to write one entry.
import { performance } from 'node:perf_hooks';
import { runBundled } from '../scripts/run-bundled.mjs';
import { median } from './instance.mjs';

const ROWS = 10_000;
const ROUNDS = 15;

export async function measureBook() {
  const { leafOf } = await runBundled('src/crypto/book-leaf.ts');
  const { draftEntry, emptyBook, followBook } = await runBundled('src/crypto/book.ts');
  const { compareRows } = await runBundled('src/crypto/book-comparison.ts');
  const { newSealId, seal } = await runBundled('src/crypto/seal.ts');
  const { deriveContentKey, generateVaultKey } = await runBundled('src/crypto/vault-key.ts');
  const key = generateVaultKey();
  const contentKey = await deriveContentKey(key);
  const at = Date.now();
  const kinds = new Set(['memory']);
  const facts = {
    bound: ['1', ''],
    createdAt: new Date(at).toISOString(),
    updatedAt: new Date(at).toISOString(),
  };
  const rows = [];
  for (let i = 0; i < ROWS; i += 1) {
    const sealId = newSealId();
    const sealed = (field) =>
      seal(`Memory number ${i}`, contentKey, { kind: 'memory', field, sealId }, facts);
    rows.push({ sealId, title: await sealed('title'), details: await sealed('details') });
  }
  const leaves = () => rows.map(({ sealId, title, details }) => ({ sealId, leaf: leafOf([title, details]) }));
  const put = leaves().map((row) => ({ ...row, kind: 'memory', ends: [] }));
  const author = { device: 'Firefox on Linux', at };
  const first = await draftEntry(emptyBook(), { put }, author, key);
  const second = await draftEntry(first.next, { put: [put[0]] }, author, key);

  const checks = [];
  const writes = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = performance.now();
    const { book, finding } = await followBook(first.next, [first, second], [key]);
    const found = compareRows(book, kinds, leaves(), at);
    const checked = performance.now();
    if (finding || found.length > 0) throw new Error('an honest book was not believed');
    await draftEntry(book, { put: [put[1]] }, author, key);
    // The first one compiles.
    if (round === 0) continue;
    checks.push(checked - before);
    writes.push(performance.now() - checked);
  }
  const row = (what, measured, target) => ({
    what,
    measured: `${measured.toFixed(0)} ms`,
    target: `≤ ${target} ms`,
    met: measured <= target,
  });
  return [
    row(
      'the book of 10,000 rows: read what was written since, and compare every row with it',
      median(checks),
      50,
    ),
    row('the book of 10,000 rows: write an entry', median(writes), 50),
    {
      what: 'an entry that changes one row',
      measured: `${second.sealed.length} bytes`,
      target: '≤ 512 bytes',
      met: second.sealed.length <= 512,
    },
  ];
}
