// A whole import without its page: what each export becomes, and that nothing whatever makes it fail in another way than
// with a reason.

import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { deriveImportKey } from '../../crypto/import-number.ts';
import { CONTENT_BYTES_MAX, fitEntry, splitText } from './fit-entry.ts';
import type { PreviewRow } from './import-messages.ts';
import { createImportSession } from './import-session.ts';
import type { ParsedEntry } from './imported-entry.ts';
import { stampHere } from './local-times.ts';
import { expectedCounts } from './testing/expected-counts.ts';
import { fixtures, telegramExport, whatsAppChat, zipOfTexts } from './testing/fixtures.ts';
import { fileOf, importing, numbering } from './testing/importing.ts';
import { shortTitle } from './titles.ts';
import { IMPORT_LIMITS } from './zip-files.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('what each export becomes', () => {
  const fixture = (name: string) => importing([fileOf(name, fixtures[name] ?? new Uint8Array())]);
  test.each<[string, string, Partial<PreviewRow>[], Record<string, number>]>([
    [
      'Journal.zip',
      'day-one',
      [
        {
          title: 'The lake',
          happenedOn: '2017-06-29T07:38',
          tags: ['summer', 'starred'],
          sourceId: '1546F37361264E129200B2CA6A885855',
        },
      ],
      { empty: 1 },
    ],
    ['Journal.json', 'day-one', [{ title: 'The lake' }], { media: 1, empty: 1 }],
    [
      'WhatsApp Chat - Nora.zip',
      'whatsapp',
      [
        { title: 'Nora, 1 January 2024', happenedOn: '2024-01-01' },
        { title: 'Nora, 31 December 2023', happenedOn: '2023-12-31' },
      ],
      { media: 2, notice: 1 },
    ],
    [
      'WhatsApp Chat with Nora.txt',
      'whatsapp',
      [{ title: 'Nora, 1 January 2024' }, {}],
      { media: 1, notice: 1 },
    ],
    [
      'result.json',
      'telegram',
      [{ title: 'Nora, 31 December 2023', start: '10:01 Nora: Look: bees' }],
      { notice: 1 },
    ],
    [
      'takeout.zip',
      'google-keep',
      [{ title: 'Shopping', tags: ['home'], start: '☑ Plums', happenedOn: stampHere(1500000000000) }],
      { trashed: 1, copy: 1, 'other-file': 2 },
    ],
    ['Standard Notes.zip', 'standard-notes', [{ title: 'Bees', tags: ['garden'] }], { copy: 1 }],
    [
      'Export-1.zip',
      'notion',
      [{ title: 'The bees', tags: ['garden'], happenedOn: '2023-12-31T23:59' }],
      { database: 1 },
    ],
    [
      'vault.zip',
      'markdown',
      [
        { title: 'The lake', happenedOn: '2024-06-03', start: 'Warm. source: https://example.org' },
        { title: '2023-12-31', tags: ['diary', 'quiet'], happenedOn: '2023-12-31' },
      ],
      { 'other-file': 2 },
    ],
    ['letter.txt', 'plain-text', [{ title: 'letter', happenedOn: null }], {}],
  ])('%s', async (name, format, rows, leftOut) => {
    const found = await fixture(name);
    expect(found.refused).toEqual([]);
    expect(found.sources[0]?.formats).toEqual([format]);
    expect(found.rows).toMatchObject(rows);
    expect(found.leftOut).toEqual(leftOut);
  });

  test('every one of them at once, each memory with a number of its own', async () => {
    const all = Object.keys(expectedCounts).map((name) => fileOf(name, fixtures[name] ?? ''));
    const { sources, rows, leftOut } = await importing(all);
    expect(sources).toHaveLength(all.length);
    expect(new Set(rows.map(({ sealId }) => sealId)).size).toBe(rows.length);
    // The journal and the conversation are there in a zip and alone, and a page of Notion in both of its forms.
    expect(leftOut.twice).toBe(4);
  });
});

describe('what a memory is known by', () => {
  const rowsOf = async (...files: [string, string][]) =>
    (await importing(files.map(([name, text]) => fileOf(name, text)))).rows;

  test('the same file has the same numbers, whatever it is called today', async () => {
    const [one] = await rowsOf(['result.json', telegramExport]);
    const [again] = await rowsOf(['result (1).json', telegramExport]);
    expect(again).toEqual(one);
  });

  test('a conversation that has grown is another one, of the same stem', async () => {
    const grown = `${whatsAppChat}\n01.01.24, 00:03 - Nora: Still awake`;
    const before = await rowsOf(['WhatsApp Chat with Nora.txt', whatsAppChat]);
    const after = await rowsOf(['WhatsApp Chat with Nora.txt', grown]);
    expect(after[1]).toEqual(before[1]);
    expect(after[0]?.sealId).not.toBe(before[0]?.sealId);
    expect(after[0]?.sourceId.split('#')[0]).toBe(before[0]?.sourceId.split('#')[0]);
  });

  test('two notes that claim one number are both kept', async () => {
    const note = (text: string) =>
      JSON.stringify({ title: 'a', isTrashed: false, textContent: text, createdTimestampUsec: 5 });
    expect(await rowsOf(['a.json', note('one')], ['b.json', note('two')])).toHaveLength(2);
  });

  test('other vaults have other numbers', async () => {
    const answer = createImportSession();
    await answer({ ask: 'read', files: [fileOf('result.json', telegramExport)] }, () => {});
    const other = await deriveImportKey(new Uint8Array(32).fill(1));
    await answer(
      { ask: 'arrange', arrangement: { grouping: 'day', orders: {}, numbering: other } },
      () => {},
    );
    const reply = await answer({ ask: 'rows', from: 0 }, () => {});
    const [row] = reply.ok && 'rows' in reply ? reply.rows : [];
    const [mine] = await rowsOf(['result.json', telegramExport]);
    expect(row?.sourceId).toBe(mine?.sourceId);
    expect(row?.sealId).not.toBe(mine?.sealId);
  });
});

describe('what is refused', () => {
  test.each<[string, Uint8Array | string, string]>([
    ['empty.txt', '', 'empty'],
    ['blank.txt', ' \n ', 'empty'],
    ['unnamed', new Uint8Array([1, 0, 2, 0, 0, 16, 0x4a, 0x46]), 'not-text'],
    ['data.json', '{"some":"thing"}', 'unknown'],
    ['broken.json', '{"metadata":{},"entries":[', 'unknown'],
    ['data.xml', '<data>hi</data>', 'unknown'],
    ['cut.zip', (fixtures['Journal.zip'] ?? new Uint8Array()).subarray(0, 80), 'damaged'],
    ['pictures.zip', zipSync({ 'a.jpg': utf8('x') }), 'nothing-inside'],
    [
      'backup.txt',
      JSON.stringify({ version: '004', items: [{ uuid: 'a', content_type: 'Note', content: '004:x' }] }),
      'encrypted-backup',
    ],
  ])('%s is refused: %s', async (name, content, reason) => {
    const { refused, sources } = await importing([fileOf(name, content), fileOf('letter.txt', 'Dear Nora')]);
    expect(refused).toEqual([{ name, reason }]);
    expect(sources).toHaveLength(1);
  });

  test('a file of more than the limit', async () => {
    const limits = { ...IMPORT_LIMITS, fileBytes: 10 };
    expect((await importing([fileOf('a.txt', 'twelve bytes')], { limits })).refused).toMatchObject([
      { reason: 'too-large' },
    ]);
    const inZip = await importing(
      [fileOf('a.zip', zipOfTexts({ 'a.txt': 'twelve bytes', 'b.txt': 'short' }))],
      { limits },
    );
    expect(inZip.leftOut).toEqual({ 'too-large': 1 });
    expect(inZip.rows).toHaveLength(1);
  });

  test('memories that together say more than an import may read, by what their file says once', async () => {
    const backup = {
      encrypted: false,
      folders: [{ id: 'f', name: 'long '.repeat(400) }],
      items: Array.from({ length: 5 }, (_, i) => ({ id: `${i}`, type: 2, name: `n${i}`, folderId: 'f' })),
    };
    const limits = { ...IMPORT_LIMITS, textBytes: 5000 };
    const found = await importing([fileOf('a.json', JSON.stringify(backup))], { limits });
    expect(found.rows).toHaveLength(2);
    expect(found.leftOut).toEqual({ 'too-large': 3 });
  });

  test('zips are opened one level deep', async () => {
    const inner = zipOfTexts({ 'deep.txt': 'deep' });
    const middle = zipSync({ 'inner.zip': inner, 'middle.txt': utf8('middle') });
    const { rows, leftOut } = await importing([fileOf('outer.zip', zipSync({ 'middle.zip': middle }))]);
    expect(rows.map(({ title }) => title)).toEqual(['middle']);
    expect(leftOut).toEqual({ nested: 1 });
  });

  test('an archive of Latebra is handed over, sealed or not', async () => {
    const sealed = fileOf('vault.zip.age', 'age-encryption.org/v1\n-> scrypt x 18\n');
    const readable = fileOf(
      'vault.zip',
      zipOfTexts({ 'entries.json': '{"format":"latebra/entries","v":1}', 'README.md': 'x' }),
    );
    expect(await importing([sealed, fileOf('a.txt', 'a'), readable])).toMatchObject({
      archives: [0, 2],
      refused: [],
      sources: [{}],
    });
  });
});

describe('encodings', () => {
  const letter = 'Grüße aus Čáslav';
  const utf16 = (text: string, little: boolean) =>
    Uint8Array.from(
      [...text].flatMap((c) =>
        little
          ? [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]
          : [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255],
      ),
    );
  test.each<[string, Uint8Array, string]>([
    ['UTF-8', utf8(letter), letter],
    ['UTF-8 with a mark', utf8(`\ufeff${letter}`), letter],
    ['UTF-16 little-endian', utf16(`\ufeff${letter}`, true), letter],
    ['UTF-16 big-endian', utf16(`\ufeff${letter}`, false), letter],
    ['UTF-16 without a mark', utf16('Dear Nora, the bees', true), 'Dear Nora, the bees'],
    ['Latin-1', Uint8Array.from('Grüße', (c) => c.charCodeAt(0)), 'Grüße'],
    ['lines of Windows', utf8('a\r\nb\rc'), 'a\nb\nc'],
  ])('%s', async (_, bytes, text) => {
    const { words } = await importing([fileOf('a.txt', bytes)]);
    expect(await words(0)).toBe(text);
  });
});

describe('fitting into memories', () => {
  const entry = (more: Partial<ParsedEntry>): ParsedEntry => ({
    ...{ format: 'plain-text', title: 'Title', content: 'Words', happenedOn: null, tags: [], sourceId: null },
    ...more,
  });

  test('what is too large is split between paragraphs, and nothing of it is lost', () => {
    const content = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} ${'ž'.repeat(30)}`).join('\n\n');
    const parts = fitEntry(entry({ content }), 4000);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.map(({ content: words }) => words).join('')).toBe(content);
    expect(parts[1]?.title).toBe(`Title (2 of ${parts.length})`);
    for (const { content: words } of parts) expect(utf8(words).length).toBeLessThanOrEqual(4000);
  });

  test('any text is the sum of its pieces, none of which ends within a character', { tags: 'long' }, () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.integer({ min: 8, max: 60 }),
        (text, most) => {
          const pieces = splitText(text, most);
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) expect(utf8(piece).length).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  test('the largest memory fits into its field', () => {
    const sealed = 28 + Math.ceil((CONTENT_BYTES_MAX + 1) / 256) * 256;
    expect(4 * Math.ceil(sealed / 3)).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  test('titles are shortened at a word and stand whole in the text', () => {
    const title = 'A long title that goes on and on '.repeat(10).trim();
    const [fitting] = fitEntry(entry({ title }));
    expect(fitting?.title).toMatch(/^A long title .* (?:on|and|goes|that|title|long|A)…$/);
    expect(fitting?.content).toBe(`${title}\n\nWords`);
    expect(shortTitle('x'.repeat(500))).toBe(`${'x'.repeat(119)}…`);
    expect(shortTitle('👨‍👩‍👧'.repeat(100))).not.toMatch(/[\ud800-\udbff]…$/);
  });

  test('an entry without a title has that of its first words, and one without words its title', () => {
    expect(fitEntry(entry({ title: '', content: '\n## \n- [ ] Feed the bees\nnow' }))[0]?.title).toBe(
      'Feed the bees',
    );
    expect(fitEntry(entry({ title: '', content: '---', happenedOn: '2023-12-31' }))[0]?.title).toBe(
      '2023-12-31',
    );
    expect(fitEntry(entry({ content: ' ' }))[0]?.content).toBe('Title');
    expect(fitEntry(entry({ title: ' ', content: '\n' }))).toEqual([]);
  });

  test('tags that there is no room for stand in the text', () => {
    const tags = [...Array.from({ length: 13 }, (_, i) => `tag ${i}`), 'TAG 0', 'x'.repeat(41)];
    const [fitting] = fitEntry(entry({ tags }));
    expect(fitting?.tags).toHaveLength(12);
    expect(fitting?.content).toBe(`Words\n\nTags: tag 12, ${'x'.repeat(41)}`);
  });

  test('half a character is put right', () => {
    expect(fitEntry(entry({ title: 'a\ud800b', content: '\udc00' }))).toMatchObject([
      { title: 'a\ufffdb', content: '\ufffd' },
    ]);
  });
});

test('progress is told in hundredths', { tags: 'long' }, async () => {
  const zip = zipOfTexts(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.md`, `Note ${i}`])));
  const { told, rows } = await importing([fileOf('vault.zip', zip)]);
  expect(rows).toHaveLength(500);
  expect(told.length).toBeGreaterThan(50);
  expect(told.length).toBeLessThan(110);
});

test('ten thousand messages', { tags: 'long' }, async () => {
  const day = 24 * 60 * 60 * 1000;
  const start = Date.UTC(2015, 0, 1);
  const lines = Array.from({ length: 10_000 }, (_, i) => {
    const [year, month, date] = new Date(start + Math.floor(i / 10) * day)
      .toISOString()
      .slice(0, 10)
      .split('-');
    return `[${date}/${month}/${year}, 10:${String(i % 60).padStart(2, '0')}:00] ${i % 2 ? 'Nora' : 'Tom'}: Message ${i}`;
  });
  const { rows, sources, words } = await importing([fileOf('WhatsApp Chat with Nora.txt', lines.join('\n'))]);
  expect(sources[0]?.chats).toEqual([{ name: 'Nora', messages: 10_000, orders: ['dmy'] }]);
  expect(rows).toHaveLength(1000);
  expect(rows[0]?.happenedOn).toBe('2017-09-26');
  expect((await words(999))?.split('\n')).toHaveLength(10);
  const whole = await importing([fileOf('a.txt', lines.join('\n'))], { grouping: 'whole' });
  expect(whole.rows).toHaveLength(1);
});

describe('whatever a file is', () => {
  const names = Object.keys(fixtures);
  /** Only ever reasons that a person can be told; `failed` would be a fault of ours. */
  async function expectReasons(name: string, bytes: Uint8Array) {
    const { refused } = await importing([fileOf(name, bytes)]);
    for (const { reason } of refused) expect(reason).not.toBe('failed');
  }

  test('random bytes and random texts', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names, 'x'), fc.uint8Array({ maxLength: 300 }), expectReasons),
      { numRuns: 150 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (name, text) => expectReasons(name, utf8(text)),
      ),
      { numRuns: 100 },
    );
  });

  test('exports with changed, missing and repeated bytes', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.nat(),
        fc.boolean(),
        async (name, changes, cut, doubled) => {
          const bytes = (fixtures[name] ?? new Uint8Array()).slice();
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const end = cut % 3 === 0 ? cut % bytes.length : bytes.length;
          const part = bytes.subarray(0, Math.max(1, end));
          await expectReasons(name, doubled ? Uint8Array.from([...part, ...part]) : part);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('JSON of any shape under the names that the formats use', async () => {
    const keys = [
      'entries',
      'metadata',
      'messages',
      'type',
      'items',
      'content_type',
      'content',
      'uuid',
      'chats',
      'list',
      'title',
      'text',
      'date',
      'textContent',
      'creationDate',
      'createdTimestampUsec',
      'userEditedTimestampUsec',
      'isTrashed',
      'references',
      'photos',
      'tags',
    ];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 'message', 'Note', '2023-12-31T23:59:00', 1e300, -1, ''),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 5 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), tree, { minKeys: 1 }), (json) =>
        expectReasons('a.json', utf8(JSON.stringify(json))),
      ),
      { numRuns: 400 },
    );
  });
});

test('a session that was asked for nothing refuses, and does not throw', async () => {
  const answer = createImportSession();
  expect(await answer({ ask: 'words', id: 0 }, () => {})).toEqual({ ok: false });
  expect(
    await answer({ ask: 'arrange', arrangement: { grouping: 'day', orders: {}, numbering } }, () => {}),
  ).toEqual({ ok: false });
});
