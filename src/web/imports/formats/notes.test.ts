// Applications that keep notes: Simplenote, Bear, Ulysses, Tomboy, jrnl, Bitwarden, canvases, and the encrypted backups of
// Standard Notes. What each export says, with its odd cases.
import { describe, expect, test } from 'vitest';
import { stretchAsTyped } from '../../../crypto/argon2.ts';
import { BACKUP_STRETCH, BACKUP_STRETCH_LENGTH } from '../backup-stretch.ts';
import { isObject, type Json, type LeftOut, LeftOutList, Locked, Refused } from '../imported-entry.ts';
import { stampHere } from '../local-times.ts';
import { BACKUP_KEY, BACKUP_PASSWORD, encryptedBackup } from '../testing/encrypted-backup.ts';
import { isBitwarden, parseBitwarden } from './bitwarden.ts';
import { isCanvas, parseCanvas } from './canvas.ts';
import { isJrnl, isJrnlText, parseJrnl, parseJrnlText } from './jrnl.ts';
import { isSimplenote, parseSimplenote } from './simplenote.ts';
import { parseStandardNotes } from './standard-notes.ts';
import { openBackup } from './standard-notes-backup.ts';
import { bundleOf, parseTextBundle } from './text-bundle.ts';
import { isTomboy, parseTomboy } from './tomboy.ts';

const counts = (leftOut: LeftOutList) =>
  Object.fromEntries(leftOut.toArray().map(({ reason, count }: LeftOut) => [reason, count]));

describe('Simplenote', () => {
  const backup = {
    activeNotes: [
      {
        id: 'd7703380',
        content: '# Plums\r\n\r\nFrom the tree\r\nby the wall.',
        creationDate: '2018-10-18T23:51:58.258Z',
        lastModified: '2018-10-19T08:00:00.000Z',
        markdown: true,
        pinned: true,
        tags: ['garden', ' late summer'],
      },
      { id: '02a8b0fc', content: 'One line', lastModified: '2019-01-01T00:00:00.000Z' },
      { id: '', content: '' },
    ],
    trashedNotes: [{ id: 'x', content: 'Old\nwords' }],
  };

  test('the first line is the title, tags and pins stay, the bin is counted', () => {
    const leftOut = new LeftOutList();
    expect(isSimplenote(backup)).toBe(true);
    expect(parseSimplenote(backup, leftOut)).toMatchObject([
      {
        title: 'Plums',
        content: 'From the tree\nby the wall.',
        happenedOn: stampHere(Date.parse('2018-10-18T23:51:58.258Z')),
        tags: ['garden', ' late summer', 'pinned'],
        sourceId: 'd7703380',
      },
      { title: 'One line', content: '', happenedOn: stampHere(Date.parse('2019-01-01T00:00:00.000Z')) },
      { title: '', content: '', sourceId: null },
    ]);
    expect(counts(leftOut)).toEqual({ trashed: 1 });
  });

  test.each([{ activeNotes: [] }, { notes: [] }, [], null])('%j is none', (json) =>
    expect(isSimplenote(json)).toBe(false),
  );
});

describe('Bear and other bundles', () => {
  const bear = (more: object = {}) => ({
    type: 'net.daringfireball.markdown',
    version: 2,
    'net.shinyfrog.bear': {
      creationDate: '2023-10-11T08:10:15Z',
      uniqueIdentifier: 'CC881A6A',
      trashed: 0,
      archived: 0,
      pinned: 0,
      ...more,
    },
  });

  test('a note is dated by when it was made, and its tags may have spaces', () => {
    const text = '# The wall\n\nPlums. #late summer# and #home/garden, not #a or `#code`\n#two words#\n#1';
    expect(
      parseTextBundle(
        { name: 'The wall', path: 'The wall.textbundle/text.md' },
        text,
        bear({ pinned: 1 }),
        new LeftOutList(),
      ),
    ).toMatchObject([
      {
        format: 'bear',
        title: 'The wall',
        happenedOn: stampHere(Date.parse('2023-10-11T08:10:15Z')),
        tags: ['late summer', 'two words', 'home/garden', 'a', 'pinned'],
        sourceId: 'CC881A6A',
      },
    ]);
  });

  test.each([
    [{ trashed: 1 }, { trashed: 1 }],
    [{ encrypted: 1, encryptedData: 'AAEB' }, { encrypted: 1 }],
  ])('%j is left out and counted', (more, expected) => {
    const leftOut = new LeftOutList();
    expect(
      parseTextBundle({ name: 'Gone', path: 'Gone.textbundle/text.md' }, 'x', bear(more), leftOut),
    ).toEqual([]);
    expect(counts(leftOut)).toEqual(expected);
  });

  test('a sheet of Ulysses is called like its folder where it has no title', () => {
    const info = { creatorIdentifier: 'com.ulyssesapp.mac', version: 2 };
    expect(
      parseTextBundle(
        { name: 'Search and Find', path: 'Search and Find.textbundle/text.md' },
        '## Quick Open\n\nPress.',
        info,
        new LeftOutList(),
      ),
    ).toMatchObject([{ format: 'markdown', title: 'Search and Find', content: '## Quick Open\n\nPress.' }]);
    expect(
      parseTextBundle(
        { name: 'No info', path: 'No info.textbundle/text.md' },
        'Words.',
        null,
        new LeftOutList(),
      ),
    ).toMatchObject([{ title: 'No info', content: 'Words.' }]);
  });

  test.each([
    ['Notes/The wall.textbundle/text.md', 'text.md'],
    ['The wall.textbundle/info.json', 'info.json'],
    ['The wall.textbundle/assets/plum.jpg', 'assets/plum.jpg'],
    ['The wall/text.md', undefined],
    ['The wall.textbundle/other/text.md', undefined],
  ])('%s', (path, file) => expect(bundleOf(path)?.file).toBe(file));
});

describe('Tomboy', () => {
  const note = (content: string, more = '') =>
    `\ufeff<?xml version="1.0" encoding="utf-8"?>
<note version="0.3" xmlns:size="http://beatniksoftware.com/tomboy/size" xmlns="http://beatniksoftware.com/tomboy">
  <title>The plums &amp; the wall</title>
  <text xml:space="preserve"><note-content version="0.1">The plums &amp; the wall

${content}</note-content></text>
  <last-change-date>2025-09-04T22:56:53.9751960+02:00</last-change-date>
  <create-date>2025-09-04T22:54:02.5630180+02:00</create-date>
  <tags>${more}</tags>
</note>`;
  const path = 'notes/2769c249-6cbb-4263-ae03-7c0a5be89ac1.note';

  test('a note with its words, lists, headings and notebook', () => {
    const text = note(
      'By the wall, <bold>seven</bold> of them.\n<size:huge>Later\n</size:huge>\n<list><list-item dir="ltr">a ladder\n<list><list-item>a long one</list-item></list></list-item><list-item><strikethrough>a basket</strikethrough></list-item></list>',
      '<tag>system:notebook:Garden</tag><tag>system:pinned</tag><tag>autumn</tag>',
    );
    expect(isTomboy(text)).toBe(true);
    expect(parseTomboy(path, text, new LeftOutList())).toMatchObject([
      {
        title: 'The plums & the wall',
        content: 'By the wall, **seven** of them.\n## Later\n\n- a ladder\n  - a long one\n- ~~a basket~~',
        happenedOn: stampHere(Date.parse('2025-09-04T22:54:02+02:00')),
        tags: ['Garden', 'autumn'],
        sourceId: '2769c249-6cbb-4263-ae03-7c0a5be89ac1',
      },
    ]);
  });

  test('the template of a notebook is no note, and other XML is none', () => {
    const leftOut = new LeftOutList();
    expect(parseTomboy(path, note('x', '<tag>system:template</tag>'), leftOut)).toEqual([]);
    expect(counts(leftOut)).toEqual({ 'other-file': 1 });
    expect(isTomboy('<note><title>x</title></note>')).toBe(false);
  });

  test('what is nested a thousand times loses no word', () => {
    const deep = `${'<list><list-item>'.repeat(1000)}plum${'</list-item></list>'.repeat(1000)}`;
    const [parsed] = parseTomboy(path, note(deep), new LeftOutList());
    expect(parsed?.content).toContain('plum');
  });

  test('what is nested without an end is more than is read', () => {
    const endless = note('<bold>'.repeat(100_000));
    expect(() => parseTomboy(path, endless, new LeftOutList())).toThrow(new Refused('too-large'));
  });
});

describe('jrnl', () => {
  test('entries of the JSON form', () => {
    const json = {
      tags: { '@idea': 1 },
      entries: [
        {
          title: 'A good day.',
          body: 'We swam.',
          date: '2024-06-03',
          time: '10:12',
          tags: ['@idea'],
          starred: true,
        },
      ],
    };
    expect(isJrnl(json)).toBe(true);
    expect(parseJrnl(json)).toMatchObject([
      {
        title: 'A good day.',
        content: 'We swam.',
        happenedOn: '2024-06-03T10:12',
        tags: ['idea', 'starred'],
      },
    ]);
    expect(isJrnl({ entries: [{ creationDate: '2017-06-28T23:38:37Z', uuid: 'x' }], tags: {} })).toBe(false);
  });

  test('entries of the text form, with seconds, halves of the day, stars and lines that go on', () => {
    const text =
      '[2024-06-03 10:12] A good day. *\nWe swam. @lake\n\n[not a date] still the same\n\n[2024-06-04 11:05:09 PM] Late.\n[2024-06-05 12:00:00 AM] * Midnight.\n';
    expect(isJrnlText(text)).toBe(true);
    expect(parseJrnlText(text)).toMatchObject([
      {
        title: 'A good day.',
        content: 'We swam. @lake\n\n[not a date] still the same',
        happenedOn: '2024-06-03T10:12',
        tags: ['lake', 'starred'],
      },
      { title: 'Late.', content: '', happenedOn: '2024-06-04T23:05', tags: [] },
      { title: 'Midnight.', happenedOn: '2024-06-05T00:00', tags: ['starred'] },
    ]);
  });

  test.each([
    ['[2024-06-03 10:12] Breakfast: eggs', true],
    ['[2024-06-03 10:12:13] Nora: eggs\n[2024-06-03 10:12:14] Tom: no', false],
    ['[2024-06-03 10:12:13] Nora: eggs\n[2024-06-03 10:12:14] No eggs today.', true],
    ['[03/06/2024, 10:12:13] Nora: eggs', false],
    ['Dear Nora,\n[2024-06-03 10:12] x', false],
  ])('%j is a journal: %s', (text, expected) => expect(isJrnlText(text)).toBe(expected));
});

describe('Bitwarden', () => {
  const plain = {
    encrypted: false,
    folders: [{ id: 'f1', name: 'Home' }],
    items: [
      {
        id: 'i1',
        folderId: 'f1',
        type: 2,
        name: 'The safe',
        notes: 'Behind the stove.',
        favorite: true,
        fields: [{ name: 'Since', value: '1987', type: 0 }],
        secureNote: { type: 0 },
        creationDate: '2024-06-03T10:12:00.000Z',
      },
      { id: 'i2', folderId: null, type: 2, name: 'Empty', notes: null },
      { id: 'i3', type: 1, name: 'Bank', login: { password: 'secret' } },
    ],
  };

  test('secure notes alone, with their folder and fields; passwords stay where they are and are counted', () => {
    const leftOut = new LeftOutList();
    expect(isBitwarden(plain)).toBe(true);
    const entries = parseBitwarden(plain, leftOut);
    expect(entries).toMatchObject([
      {
        title: 'The safe',
        content: 'Behind the stove.\n\n- Since: 1987',
        happenedOn: stampHere(Date.parse('2024-06-03T10:12:00.000Z')),
        tags: ['Home', 'favorite'],
        sourceId: 'i1',
      },
      { title: 'Empty', content: '', happenedOn: null, tags: [] },
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
    expect(counts(leftOut)).toEqual({ credential: 1 });
  });

  test('collections of an organisation are tags too', () => {
    const shared = {
      encrypted: false,
      collections: [{ id: 'c1', name: 'Family' }],
      items: [{ id: 'i1', type: 2, name: 'The safe', notes: 'x', collectionIds: ['c1', 'gone'] }],
    };
    expect(parseBitwarden(shared, new LeftOutList())).toMatchObject([{ tags: ['Family'] }]);
  });

  test.each([
    { encrypted: true, encKeyValidation_DO_NOT_EDIT: '2.x', items: [] },
    { encrypted: true, passwordProtected: true, data: '2.x' },
  ])('an encrypted export is refused', (json) => {
    expect(isBitwarden(json)).toBe(true);
    expect(() => parseBitwarden(json, new LeftOutList())).toThrow(new Refused('encrypted-export'));
  });
});

describe('a canvas', () => {
  const canvas = {
    nodes: [
      { id: 'b', type: 'text', x: 0, y: 200, text: 'Then we left.' },
      { id: 'a', type: 'text', x: 0, y: 0, text: '# We came\nby train' },
      { id: 'c', type: 'file', x: 300, y: 0, file: 'Lake.md', subpath: '#pier' },
      { id: 'd', type: 'link', x: 600, y: 0, url: 'https://example.org' },
      { id: 'e', type: 'group', x: -10, y: -10, label: '1987' },
      { id: 'f', type: 'group', x: 900, y: 900 },
    ],
    edges: [
      { id: '1', fromNode: 'a', toNode: 'b', label: 'later' },
      { id: '2', fromNode: 'a', toNode: 'gone' },
      { id: '3', fromNode: 'f', toNode: 'a', label: 'by the\nfirst train' },
    ],
  };

  test('its cards from top to bottom, and what its arrows say', () => {
    expect(isCanvas(canvas)).toBe(true);
    expect(parseCanvas(canvas, 'Trips/The lake.canvas')).toMatchObject([
      {
        title: 'The lake',
        content:
          '## 1987\n\n# We came\nby train\n\n[[Lake.md#pier]]\n\n<https://example.org>\n\nThen we left.\n\n- We came → Then we left.: later\n- … → We came: by the first train',
      },
    ]);
    expect(parseCanvas({ nodes: [] }, 'Empty.canvas')).toMatchObject([{ content: '' }]);
    expect(isCanvas({ nodes: [{ type: 'text' }] })).toBe(false);
  });
});

describe('an encrypted backup of Standard Notes', () => {
  // The first half of what libsodium made of the password.

  /** The backup, read anew, with one item changed. */
  const backupWith = (at: number, change: (item: Json) => void): Json => {
    const copy = structuredClone(encryptedBackup) as Json & { items: Json[] };
    const item = copy.items[at];
    if (item) change(item);
    return copy;
  };

  test('it asks for a password, which opens it', { tags: 'long' }, async () => {
    const locked = await openBackup(encryptedBackup, null).catch((error: unknown) => error);
    if (!(locked instanceof Locked)) throw new Error('it is locked');
    expect(locked.wrong).toBe(false);
    const stretched = await stretchAsTyped(
      BACKUP_PASSWORD,
      locked.salt,
      BACKUP_STRETCH,
      BACKUP_STRETCH_LENGTH,
    );
    expect(stretched.slice(0, 32)).toEqual(BACKUP_KEY);

    const leftOut = new LeftOutList();
    const opened = await openBackup(encryptedBackup, BACKUP_KEY);
    expect(parseStandardNotes(opened, leftOut)).toMatchObject([
      { title: 'The orchard', content: 'Plums, and a ladder.', tags: ['garden'] },
    ]);
    expect(counts(leftOut)).toEqual({ trashed: 1 });
  });

  test('another password is told as wrong', async () => {
    const error = await openBackup(encryptedBackup, new Uint8Array(32)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Locked', wrong: true });
  });

  test.each<[string, number, (item: Json) => void]>([
    [
      'a changed byte',
      1,
      (item) => (item.content = String(item.content).replace(/:(.)/, (_, a) => `:${a === '0' ? '1' : '0'}`)),
    ],
    ['another item’s number', 1, (item) => (item.uuid = '7f6cf8a4-0000-4000-8000-00000000000f')],
    ['another version', 1, (item) => (item.content = String(item.content).replace('004', '005'))],
    ['no key', 1, (item) => (item.enc_item_key = null)],
  ])('an item with %s does not open, and is counted', async (_, at, change) => {
    const leftOut = new LeftOutList();
    const opened = await openBackup(backupWith(at, change), BACKUP_KEY);
    expect(parseStandardNotes(opened, leftOut)).toEqual([]);
    expect(counts(leftOut)).toEqual({ encrypted: 1, trashed: 1 });
  });

  test('a backup of another protocol is refused', async () => {
    const old = { ...encryptedBackup, keyParams: { ...encryptedBackup.keyParams, version: '003' } };
    expect(isObject(old)).toBe(true);
    await expect(openBackup(old, BACKUP_KEY)).rejects.toThrow(new Refused('encrypted-backup'));
  });
});
