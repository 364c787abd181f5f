// What people bring that cannot be imported: every row recognises its files, and no text is taken for one of them.
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { refusalSentence } from '../chambers/imports/sentences.ts';
import { type ForeignKind, foreignFiles } from './foreign-files.ts';
import { type NamedBlob, readFiles } from './read-files.ts';
import { zipOfTexts } from './testing/fixtures.ts';

/** Bytes by Latin-1, with zeros behind them, as what is no text has somewhere. */
const bytes = (text: string) => Uint8Array.from([...text.padEnd(64, '\0')], (c) => c.charCodeAt(0));
const stored = (path: string, content: string) =>
  zipSync({ [path]: new TextEncoder().encode(content) }, { level: 0 });
const ID = '0123456789abcdef0123456789abcdef';
const SQLITE = bytes('SQLite format 3\0');

const samples: Record<ForeignKind, [name: string, content: string | Uint8Array][]> = {
  'latebra-unpacked': [['Vault/entries.json', '{"format":"latebra/entries"}']],
  'day-one-package': [
    [
      'Journal.dayone.zip',
      zipOfTexts({ 'Journal.dayone/entries/0A1B.doentry': '<?xml version="1.0"?><plist/>' }),
    ],
    ['Journal.dayone', 'anything'],
  ],
  'whatsapp-backup': [
    ['msgstore.db.crypt14', bytes('\x0a\x26\x12\x20')],
    ['msgstore.db.crypt15', bytes('\x81\x01')],
    ['msgstore.db', SQLITE],
  ],
  'telegram-html': [
    [
      'messages.html',
      '<!DOCTYPE html><html><body><div class="page_wrap"><div class="history">Hi</div></div></body></html>',
    ],
    [
      'ChatExport.zip',
      zipOfTexts({
        'ChatExport/messages.html': '<html><div class="page_wrap"><div class="history">Hi</div></div></html>',
        'ChatExport/css/style.css': 'a{}',
      }),
    ],
  ],
  'telegram-data': [['key_datas', bytes('TDF$\x01')]],
  'apple-notes': [
    ['NoteStore.sqlite', SQLITE],
    ['group.com.apple.notes.zip', zipSync({ 'group/NoteStore.sqlite': SQLITE })],
  ],
  'notion-pdf': [
    [`The bees ${ID}.pdf`, '%PDF-1.4'],
    ['Export.zip', zipOfTexts({ [`The bees ${ID}.pdf`]: '%PDF-1.4' })],
  ],
  'evernote-backup': [['My notes.exb', bytes('\x01\x02')]],
  onenote: [
    ['Diary.one', bytes('\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1')],
    ['notes', bytes('\xa1\x2f\xff\x43\xd9\xef\x76\x4c\x9e\xe2')],
    ['Notebook.onepkg', bytes('MSCF')],
    ['OneDrive.zip', zipSync({ 'Diary/Trips.one': bytes('\xe4\x52\x5c\x7b') })],
  ],
  'one-password': [
    ['export.1pux', zipOfTexts({ 'export.data': '{}', 'export.attributes': '{}' })],
    ['export.zip', zipOfTexts({ 'export.data': '{}', 'export.attributes': '{}' })],
  ],
  keepass: [
    ['keys.kdbx', 'x'],
    ['keys', bytes('\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5')],
  ],
  'google-doc': [
    ['Diary.gdoc', '{"":"WARNING!","doc_id":"1AbC","email":"a@example.org"}'],
    ['Diary.json', '{"url":"https://docs.google.com/document/d/1","doc_id":"1AbC"}'],
  ],
  epub: [['book.zip', stored('mimetype', 'application/epub+zip')]],
  word: [
    ['Letter.docx', zipOfTexts({ 'word/document.xml': '<w/>', '[Content_Types].xml': '<x/>' })],
    ['Letter.zip', zipOfTexts({ 'word/document.xml': '<w/>', '[Content_Types].xml': '<x/>' })],
    ['Letter.doc', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ],
  'open-document': [['Letter', stored('mimetype', 'application/vnd.oasis.opendocument.text')]],
  spreadsheet: [
    ['Moods.csv', 'Date,Mood\n2024-06-03,good'],
    ['Moods.zip', zipOfTexts({ 'xl/workbook.xml': '<x/>' })],
  ],
  slides: [['Talk.zip', zipOfTexts({ 'ppt/presentation.xml': '<x/>' })]],
  pages: [
    ['Letter.pages', zipOfTexts({ 'Index/Document.iwa': 'x' })],
    ['Letter.zip', zipOfTexts({ 'Index/Document.iwa': 'x' })],
  ],
  'old-office': [['unnamed', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')]],
  pdf: [['Diary', '%PDF-1.7\n1 0 obj << /Title (Diary) >>']],
  rtf: [['Diary.txt', '{\\rtf1\\ansi Dear diary}']],
  picture: [
    ['a', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['b', bytes('\x89PNG\r\n\x1a\n')],
    ['c', bytes('GIF89a')],
    ['d', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
    ['e', bytes('\0\0\0\x18ftypheic')],
    ['f', bytes('II*\0')],
    ['g.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ],
  recording: [
    ['a', bytes('ID3\x04')],
    ['b', bytes('OggS\0')],
    ['c', bytes('\0\0\0\x20ftypisom')],
    ['d', bytes('RIFF\x10\0\0\0WAVEfmt ')],
    ['e', bytes('\x1a\x45\xdf\xa3')],
  ],
  mail: [
    ['All mail.mbox', 'x'],
    ['archive', 'From nora@example.org Mon Jun  3 08:15:02 2024\nSubject: Hi\n\nHi'],
    ['message', 'Return-Path: <nora@example.org>\nReceived: from mx\nSubject: Hi\n\nHi'],
    ['one.eml', 'Subject: Hi\n\nHi'],
  ],
  contacts: [
    ['a', 'BEGIN:VCARD\nFN:Nora\nEND:VCARD'],
    ['b', 'BEGIN:VCALENDAR\nEND:VCALENDAR'],
  ],
  'pgp-file': [['letter.txt', '-----BEGIN PGP MESSAGE-----\n\nabc']],
  'encrypted-file': [
    ['notes.enc', bytes('\x93\x01')],
    ['notes.txt', bytes('Salted__\x01\x02')],
  ],
  'tar-gz': [['vault.tar.gz', bytes('\x1f\x8b\x08')]],
  gzip: [['notes.json.gz', bytes('\x1f\x8b\x08')]],
  'seven-zip': [['a', bytes('7z\xbc\xaf\x27\x1c')]],
  rar: [['a', bytes('Rar!\x1a\x07\x01')]],
  packed: [
    ['a', bytes('BZh91AY')],
    ['b', bytes('\xfd7zXZ\0')],
    ['c', bytes('\x28\xb5\x2f\xfd')],
    ['d.dmg', bytes('x')],
  ],
  database: [
    ['journal.db', SQLITE],
    ['a', SQLITE],
  ],
  'property-list': [
    ['a', bytes('bplist00')],
    ['page.webarchive', bytes('x')],
  ],
  program: [
    ['a', bytes('MZ\x90\0')],
    ['b', bytes('\x7fELF\x02')],
  ],
};

const blob = (name: string, content: string | Uint8Array): NamedBlob =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);

describe('every row has its files, which are refused by name', () => {
  test.each(Object.keys(foreignFiles) as ForeignKind[])('%s', async (kind) => {
    expect(samples[kind].length).toBeGreaterThan(0);
    for (const [name, content] of samples[kind]) {
      const { refused, sources } = await readFiles([blob(name, content)]);
      expect(sources, name).toEqual([]);
      const [top] = name.split('/');
      expect(refused, name).toEqual([{ name: top, reason: 'foreign', seems: kind }]);
    }
    const { seems, instead } = foreignFiles[kind];
    expect(refusalSentence({ reason: 'foreign', seems: kind })).toBe(`This seems to be ${seems}. ${instead}`);
    expect(seems).toMatch(/^[\p{L}]/u);
    expect(instead).toMatch(/^\p{Lu}.*\.$/u);
  });
});

test('a folder is named by what lies in it', async () => {
  const { refused } = await readFiles([blob('Diary.dayone/entries/0A1B.doentry', '<plist/>')]);
  expect(refused).toEqual([{ name: 'Diary.dayone', reason: 'foreign', seems: 'day-one-package' }]);
});

test('what lies beside notes keeps nobody from importing them', async () => {
  const vault = zipOfTexts({ 'a.md': 'Warm.', 'b.one': 'x', 'c.doentry': 'x', 'NoteStore.sqlite': 'x' });
  const { sources, refused } = await readFiles([blob('vault.zip', vault)]);
  expect(refused).toEqual([]);
  expect(sources[0]?.entries).toHaveLength(1);
});

test.each([
  'MZ is how she signed',
  'ID3 tags are what players show',
  'BZh, he said',
  'GIF8 or not',
  'BM',
  'From now on, 2024 is behind us',
  'Received: one letter.\nIt was long.',
  'PDF is a format',
  'begin: vcard',
])('a text that begins with %j is a text', async (text) => {
  const { sources, refused } = await readFiles([blob('letter.txt', text)]);
  expect(refused).toEqual([]);
  expect(sources[0]?.formats).toEqual(['plain-text']);
});
