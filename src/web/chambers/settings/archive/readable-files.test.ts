import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../../../crypto/base64.ts';
import { type EntriesFile, entriesFromText, entriesToText } from '../../../../vault/archive/entries-file.ts';
import { countUndescribed, filesOut } from '../../../../vault/archive/files-out.ts';
import { withBroughtFiles } from '../../../../vault/outbox/brought-files.ts';
import { countLeftOut, leftOutLines, readableFiles } from './readable-files.ts';

const meta = { origin: 'https://vault.example', createdAt: '2026-03-01T10:00:00.000Z' };
const nothing: EntriesFile = {
  format: 'latebra/entries',
  v: 1,
  memories: [],
  relationships: [],
  myths: [],
  letters: [],
  whispers: [],
  answers: null,
  leftOut: {
    locked: [],
    unreadable: [],
    deleted: 0,
    ghosts: 0,
    breath: false,
    answers: false,
    links: 0,
    webhooks: 0,
    scrolls: 0,
    whispers: 0,
  },
};
const memory = (title: string, content = 'Words.'): EntriesFile['memories'][number] => ({
  sealId: 'AAAAAAAAAAAAAAAAAAAAAA',
  title,
  content,
  timeLockUntil: null,
  createdAt: '2026-02-03T04:05:06.000Z',
  updatedAt: '2026-02-03T04:05:06.000Z',
});

const letter: EntriesFile['letters'][number] = {
  sealId: 'BBBBBBBBBBBBBBBBBBBBBB',
  title: 'For Ada',
  content: 'The key hangs behind the clock.',
  state: 'watching',
  triggerType: 'inactivity',
  triggerValue: '30',
  timeZone: 'UTC',
  authorName: null,
  recipients: [
    { recipientType: 'email', recipientAddress: 'ada@mail.example', tell: 'at-release', name: 'Ada' },
  ],
  createdAt: '2026-02-03T04:05:06.000Z',
};
const whisper: EntriesFile['whispers'][number] = {
  sealId: 'CCCCCCCCCCCCCCCCCCCCCC',
  publicId: 'DDDDDDDDDDDDDDDDDDDDDD',
  title: 'Left for you',
  content: 'Look under the stairs.',
  from: '0123456789abcdef'.repeat(2),
  releasedAt: '2026-02-04T04:05:06.000Z',
};

describe('the readable files of an export', () => {
  it('lead to the files beside them, and name those that did not open', () => {
    const letters = (letter: string, length: number) =>
      toBase64Url(new Uint8Array(length).fill(letter.charCodeAt(0)));
    const file = {
      ...{ id: letters('a', 16), key: letters('k', 32), root: letters('r', 32) },
      ...{ name: 'Bees (May).jpg', type: 'image/jpeg', bytes: 3 },
    };
    const details = JSON.parse(withBroughtFiles(null, [file]) ?? 'null');
    const leftOut = { ...nothing.leftOut, lost: [{ name: 'Voice.m4a', of: 'A bell' }] };
    const entries = { ...nothing, memories: [{ ...memory('A bell'), details }], leftOut };
    const [out] = filesOut(entries);
    expect(out).toMatchObject({ path: 'files/2026-02-03-a-bell/1-Bees (May).jpg', of: 'A bell' });
    const listed = { ...entries, files: [{ id: file.id, path: out?.path ?? '' }] };
    expect(readableFiles(listed, meta)['memories/2026-02-03-a-bell.md']).toContain(
      '- File: [Bees (May).jpg](../files/2026-02-03-a-bell/1-Bees%20%28May%29.jpg)\n',
    );
    expect(leftOutLines(leftOut)).toEqual(['A file that did not open: Voice.m4a, of A bell']);
    expect(countLeftOut(leftOut)).toBe(1);
    expect(entriesFromText(entriesToText(listed))).toMatchObject({ files: listed.files, leftOut });
  });

  it('count files that are described in a way that is not understood', () => {
    const details = { v: 1, files: [{ id: 'of a later version' }, { id: 'another' }] };
    const entries = { ...nothing, memories: [{ ...memory('A bell'), details }, memory('A well')] };
    expect([countUndescribed(entries), countUndescribed(nothing)]).toEqual([2, 0]);
    const leftOut = { ...nothing.leftOut, undescribed: 2 };
    expect(leftOutLines(leftOut)).toEqual([
      'Files that are described in a way that this version does not understand: 2',
    ]);
    expect(countLeftOut(leftOut)).toBe(2);
    expect(entriesFromText(entriesToText({ ...entries, leftOut }))).toMatchObject({ leftOut });
  });

  it('hold letters with what would release them, and whispers with the vault they came from', () => {
    const files = readableFiles({ ...nothing, letters: [letter], whispers: [whisper] }, meta);
    expect(files['letters/2026-02-03-for-ada.md']).toBe(
      [
        '# For Ada',
        '',
        '- Written 2026-02-03T04:05:06.000Z',
        '- For ada@mail.example',
        '- To be sent after 30 days without activity',
        '- It was watching when this copy was made',
        '',
        'The key hangs behind the clock.',
        '',
      ].join('\n'),
    );
    expect(files['whispers/2026-02-04-left-for-you.md']).toBe(
      [
        '# Left for you',
        '',
        '- From the vault 0123 4567 89ab cdef 0123 4567 89ab cdef',
        '- Released 2026-02-04T04:05:06.000Z',
        '',
        'Look under the stairs.',
        '',
      ].join('\n'),
    );
    expect(files['README.md']).toContain('1 letter of legacy scrolls');
    expect(files['README.md']).toContain('sent to nobody');
  });

  it('name each entry by its day and its words', () => {
    const files = readableFiles({ ...nothing, memories: [memory('A bell under the lake')] }, meta);
    expect(files['memories/2026-02-03-a-bell-under-the-lake.md']).toBe(
      '# A bell under the lake\n\n- Sealed 2026-02-03T04:05:06.000Z\n\nWords.\n',
    );
  });

  it('keep a file for each entry, however they are called', () => {
    const titles = [
      'Same',
      'same',
      'same 2',
      'Same-2',
      'SAME!',
      '',
      '///',
      '…',
      'a'.repeat(5000),
      '../../etc/passwd',
      'CON',
    ];
    const files = readableFiles({ ...nothing, memories: titles.map((title) => memory(title)) }, meta);
    const paths = Object.keys(files).filter((path) => path.startsWith('memories/'));
    expect(paths).toHaveLength(titles.length);
    for (const path of paths) expect(path).toMatch(/^memories\/[\p{L}\p{N}-]{1,80}\.md$/u);
  });

  it('hold every text byte for byte, whatever was written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 20 }), (texts) => {
        const entries = { ...nothing, memories: texts.map(([title, content]) => memory(title, content)) };
        const files = Object.entries(readableFiles(entries, meta)).filter(([path]) =>
          path.startsWith('memories/'),
        );
        expect(files).toHaveLength(texts.length);
        files.forEach(([, text], i) => {
          expect(text.endsWith(`\n\n${texts[i]?.[1]}\n`)).toBe(true);
        });
      }),
    );
  });

  it('are a file for each month where there are very many entries, and hold every text', () => {
    const memories = Array.from({ length: 10_001 }, (_, i) => ({
      ...memory(`Title ${i}`, `Words ${i}.`),
      createdAt: `2026-0${(i % 3) + 1}-03T04:05:06.000Z`,
    }));
    const files = readableFiles({ ...nothing, memories }, meta);
    expect(Object.keys(files).sort()).toEqual([
      'README.md',
      'memories/2026-01.md',
      'memories/2026-02.md',
      'memories/2026-03.md',
    ]);
    expect(files['memories/2026-02.md']).toContain(
      '# Title 10000\n\n- Sealed 2026-02-03T04:05:06.000Z\n\nWords 10000.\n',
    );
    const held = Object.values(files)
      .join('')
      .match(/^# Title \d+$/gm);
    expect(held).toHaveLength(10_001);
  });

  it('name everything that was left out', () => {
    const leftOut: EntriesFile['leftOut'] = {
      locked: [{ title: 'For later', timeLockUntil: '2030-01-01T00:00:00.000Z', createdAt: meta.createdAt }],
      unreadable: [{ kind: 'memory', id: 7, createdAt: meta.createdAt }],
      deleted: 6,
      ghosts: 2,
      breath: true,
      answers: true,
      links: 3,
      webhooks: 2,
      scrolls: 4,
      whispers: 5,
    };
    expect(leftOutLines(leftOut)).toHaveLength(10);
    expect(countLeftOut(leftOut)).toBe(26);
    expect(countLeftOut(nothing.leftOut)).toBe(0);
    const readMe = readableFiles({ ...nothing, leftOut }, meta)['README.md'];
    for (const line of leftOutLines(leftOut)) expect(readMe).toContain(line);
    expect(readableFiles(nothing, meta)['README.md']).toContain('Nothing was left out.');
  });
});

describe('the entries file', () => {
  it('takes details along as JSON, with keys that nobody knows yet, and says the known ones in words', () => {
    const details = { attachments: [1], happenedOn: '2019-05-17T14:30', tags: ['garden', 'Agnes'], v: 1 };
    const file = { ...nothing, memories: [{ ...memory('Garden'), details }] };
    const { format: _, v: __, ...entries } = file;
    expect(entriesFromText(entriesToText(entries))).toEqual(file);
    expect(readableFiles(file, meta)['memories/2026-02-03-garden.md']).toContain(
      '- Happened 2019-05-17 14:30\n- Tags: garden, Agnes\n',
    );
  });

  it('comes back as it was written', () => {
    const { format: _, v: __, ...entries } = { ...nothing, memories: [memory('Ünïcode 🜏', '\r\n\u0000')] };
    expect(entriesFromText(entriesToText(entries))).toEqual({ ...entries, format: 'latebra/entries', v: 1 });
  });

  it('comes back with letters and whispers', () => {
    const { format: _, v: __, ...entries } = { ...nothing, letters: [letter], whispers: [whisper] };
    expect(entriesFromText(entriesToText(entries))).toEqual({ ...entries, format: 'latebra/entries', v: 1 });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"format":"latebra/entries","v":2}',
    '{"format":"latebra/entries","v":1}',
  ])('is refused when it is %s', (text) => {
    expect(entriesFromText(text)).toBeNull();
  });
});
