// One export of each application, small and invented, as its files lie in what people download. For tests.
import { gzipSync, zipSync } from 'fflate';
import { encryptedBackup } from './encrypted-backup.ts';
import {
  appleJournalPage,
  evernoteExport,
  joplinFiles,
  journeyEntry,
  notionPage,
  notionProperty,
  oneNoteArchive,
  tarOfTexts,
  upNoteBackup,
} from './page-fixtures.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A zip of texts, by their paths. */
export const zipOfTexts = (texts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, utf8(text)])));

export const dayOneJournal = JSON.stringify({
  metadata: { version: '1.0' },
  entries: [
    {
      uuid: '1546F37361264E129200B2CA6A885855',
      creationDate: '2017-06-28T23:38:37Z',
      timeZone: 'Asia\\/Taipei',
      starred: true,
      tags: ['summer'],
      text: '# The lake\n\n![](dayone-moment://AD6F)\n\nWarm\\.',
      photos: [{ identifier: 'AD6F', md5: 'abc', type: 'jpeg' }],
    },
    {
      uuid: '2646F37361264E129200B2CA6A885855',
      creationDate: '2018-01-01T10:00:00Z',
      timeZone: 'Europe/Vienna',
      text: '',
    },
  ],
});

export const dayOneText = [
  '\tDate:\tJune 3, 2024 at 10:12:13 AM GMT+2',
  '\tWeather:\t21°C Clear',
  '\tLocation:\tPier 3, Hallstatt, Austria',
  '\tTags:\tsummer, lake',
  '\tPhoto:\t1.jpeg',
  '',
  '# The lake',
  '',
  'Warm.',
  '',
  '\tDate:\tJune 4, 2024 at 9:00:00 PM GMT+2',
  '',
  'Rain all day.',
  '',
].join('\n');

export const whatsAppChat = [
  '31.12.23, 23:58 - Messages and calls are end-to-end encrypted.',
  '31.12.23, 23:59 - Nora: A good year\nto all of you',
  '01.01.24, 00:01 - Tom: <Media omitted>',
  '01.01.24, 00:02 - Tom: And to you',
].join('\n');

export const telegramExport = JSON.stringify({
  name: 'Nora',
  type: 'personal_chat',
  id: 4271,
  messages: [
    { id: 1, type: 'service', date: '2023-12-31T10:00:00', action: 'phone_call', text: '' },
    {
      id: 2,
      type: 'message',
      date: '2023-12-31T10:01:00',
      from: 'Nora',
      text: ['Look: ', { type: 'bold', text: 'bees' }],
    },
  ],
});

export const keepNote = JSON.stringify({
  title: 'Shopping',
  isTrashed: false,
  listContent: [{ text: 'Plums', isChecked: true }],
  labels: [{ name: 'home' }],
  createdTimestampUsec: 1500000000000000,
  userEditedTimestampUsec: 1600000000000000,
});

export const standardNotesBackup = JSON.stringify({
  version: '004',
  items: [
    {
      uuid: 'n1',
      content_type: 'Note',
      created_at: '2020-02-03T04:05:06.000Z',
      content: { title: 'Bees', text: 'They came back.' },
    },
    {
      uuid: 't1',
      content_type: 'Tag',
      content: { title: 'garden', references: [{ uuid: 'n1', content_type: 'Note' }] },
    },
  ],
});

/** The name of the file that opens with a password alone. */
export const ENCRYPTED_BACKUP = 'Standard Notes encrypted.txt';

export const simplenoteBackup = JSON.stringify({
  activeNotes: [
    {
      id: 'd7703380',
      content: 'Plums\r\n\r\nFrom the tree.',
      creationDate: '2018-10-18T23:51:58.258Z',
      tags: ['garden'],
    },
  ],
  trashedNotes: [{ id: '02a8b0fc', content: 'Old', creationDate: '2018-10-18T23:48:33.568Z' }],
});

/** What the codes of a paper hold. */
export const paperText = JSON.stringify({
  entries: [
    {
      ...{ facts: ['Locked until 2020-01-01'], files: [{ bytes: 12, name: 'bees.jpg', type: 'image/jpeg' }] },
      ...{ happenedOn: '1962-22~', kind: 'memory', tags: ['home'], text: 'Hives.', title: 'Bees' },
      writtenAt: '2026-01-02T03:04:05.000Z',
    },
    {
      ...{ facts: [], files: [], kind: 'letter', tags: [], text: 'Behind the clock. ', title: 'For Ada' },
      writtenAt: '2026-01-02T12:04:05.000Z',
    },
  ],
  format: 'latebra/paper-entries',
  v: 1,
});

const bearInfo = (more: object) =>
  JSON.stringify({
    version: 2,
    'net.shinyfrog.bear': { creationDate: '2023-10-11T08:10:15Z', trashed: 0, ...more },
  });

export const bitwardenExport = JSON.stringify({
  encrypted: false,
  folders: [{ id: 'f1', name: 'Home' }],
  items: [
    { id: 'i1', folderId: 'f1', type: 2, name: 'The safe', notes: 'Behind the stove.' },
    { id: 'i2', folderId: null, type: 1, name: 'Bank', login: { password: 'not a note' } },
  ],
});

const ID = '0123456789abcdef0123456789abcdef';

/** Each export by the name of its file. */
export const fixtures: Record<string, Uint8Array> = {
  'Journal.zip': zipOfTexts({ 'Journal.json': dayOneJournal, 'photos/abc.jpeg': 'not text at all' }),
  'Journal.json': utf8(dayOneJournal),
  'Journal text.zip': zipOfTexts({ 'Journal.txt': dayOneText, 'photos/1.jpeg': 'a picture' }),
  'WhatsApp Chat - Nora.zip': zipOfTexts({
    '_chat.txt': whatsAppChat,
    'IMG-20240101-WA0001.jpg': 'a picture',
  }),
  'WhatsApp Chat with Nora.txt': utf8(whatsAppChat),
  'result.json': utf8(telegramExport),
  'takeout.zip': zipOfTexts({
    'Takeout/Keep/Shopping.json': keepNote,
    'Takeout/Keep/Shopping.html': '<html></html>',
    'Takeout/Keep/Labels.txt': 'home',
    'Takeout/Keep/Old.json': JSON.stringify({
      title: 'Old',
      isTrashed: true,
      textContent: 'x',
      userEditedTimestampUsec: 1,
    }),
    'Takeout/archive_browser.html': '<html></html>',
  }),
  'Standard Notes.zip': zipOfTexts({
    'Standard Notes Backup and Import File.txt': standardNotesBackup,
    'Items/Note/Bees-n1.txt': 'They came back.',
  }),
  [ENCRYPTED_BACKUP]: utf8(JSON.stringify(encryptedBackup)),
  'Export-1.zip': zipSync({
    'Export-1-Part-1.zip': zipOfTexts({
      [`Diary ${ID}/The bees ${ID}.md`]:
        '# The bees\n\nCreated: December 31, 2023 11:59 PM\nTags: garden\n\nThey came back.',
      [`Diary ${ID}.csv`]: 'Name,Tags\nThe bees,garden',
    }),
  }),
  'vault.zip': zipOfTexts({
    '.obsidian/app.json': '{}',
    'Daily/2023-12-31.md': '---\ntags: [diary]\naliases: [Silvester]\n---\nNothing happened. #quiet',
    'The lake.md':
      '---\ntitle: |-\n  The lake\ncreated: 3 June 2024\nsource: https://example.org\n---\nWarm.',
    '__MACOSX/._x.md': 'x',
  }),
  'paper.json': utf8(paperText),
  'notes.zip': zipOfTexts({
    'source/notes.json': simplenoteBackup,
    'Plums.txt': 'Plums\n\nFrom the tree.',
    'trash/Old.txt': 'Old',
  }),
  'Bear Notes.bear2bk': zipOfTexts({
    'Bear Notes.bear2bk/The wall.textbundle/text.md': '# The wall\n\nPlums. #late summer#',
    'Bear Notes.bear2bk/The wall.textbundle/info.json': bearInfo({ uniqueIdentifier: 'CC881A6A' }),
    'Bear Notes.bear2bk/The wall.textbundle/assets/plum.jpg': 'a picture',
    'Bear Notes.bear2bk/Gone.textbundle/text.md': 'Gone.',
    'Bear Notes.bear2bk/Gone.textbundle/info.json': bearInfo({ uniqueIdentifier: 'CC881A6B', trashed: 1 }),
    'Bear Notes.bear2bk/Sealed.textbundle/text.md': '',
    'Bear Notes.bear2bk/Sealed.textbundle/info.json': bearInfo({
      uniqueIdentifier: 'CC881A6C',
      encrypted: 1,
    }),
  }),
  'Ulysses.zip': zipOfTexts({
    'The lake.textbundle/text.md': '## At the pier\n\nWarm.',
    'The lake.textbundle/info.json': JSON.stringify({ creatorIdentifier: 'com.ulyssesapp.mac' }),
  }),
  'tomboy.zip': zipOfTexts({
    'tomboy/2769c249-6cbb-4263-ae03-7c0a5be89ac1.note':
      '<?xml version="1.0"?><note version="0.3" xmlns="http://beatniksoftware.com/tomboy"><title>Plums</title><text><note-content>Plums\n\nBy the wall.</note-content></text><create-date>2025-09-04T22:54:02.56+02:00</create-date><tags><tag>system:notebook:Garden</tag></tags></note>',
    'tomboy/manifest.xml': '<sync/>',
  }),
  'The trip.canvas': utf8(
    JSON.stringify({ nodes: [{ id: 'a', type: 'text', x: 0, y: 0, text: 'By train' }] }),
  ),
  'journal.json': utf8(
    JSON.stringify({
      tags: { '@lake': 1 },
      entries: [
        {
          title: 'A good day.',
          body: 'We swam.',
          date: '2024-06-03',
          time: '10:12',
          tags: ['@lake'],
          starred: false,
        },
      ],
    }),
  ),
  'journal.txt': utf8('[2024-06-03 10:12] A good day.\nWe swam. @lake\n\n[2024-06-04 09:00] Rain.\n'),
  'bitwarden.json': utf8(bitwardenExport),
  'Garden.enex': utf8(evernoteExport),
  'notes.jex': tarOfTexts(joplinFiles),
  'journey.zip': zipOfTexts({
    '1717402502000-3fd84fcd19f24294.json': journeyEntry(),
    '1717402502000-lake.jpg': 'a picture',
  }),
  'AppleJournalEntries.zip': zipOfTexts({
    'AppleJournalEntries/index.html':
      '<html><body><a href="Entries/2024-06-03_The_lake.html">The lake</a></body></html>',
    'AppleJournalEntries/Entries/2024-06-03_The_lake.html': appleJournalPage(
      'Monday, June 3, 2024',
      'The lake',
      ['Warm.'],
      '<div id="P1" class="gridItem assetType_photo"><img src="../Resources/P1.heic" class="asset_image"/></div>',
    ),
    'AppleJournalEntries/Resources/P1.heic': 'a picture',
  }),
  'Export-2.zip': zipOfTexts({
    'index.html': '<html><body><a href="a.html">a</a></body></html>',
    [`Diary ${ID}/The bees ${ID}.html`]: notionPage(
      'The bees',
      notionProperty('date', 'Date', '<time>@June 3, 2024</time>') +
        notionProperty('multi_select', 'Tags', '<span class="selected-value">garden</span>'),
      '<p>They came back.</p>',
    ),
    [`Diary ${ID}.csv`]: 'Name,Tags\nThe bees,garden',
  }),
  'backup.upnx': gzipSync(utf8(upNoteBackup)),
  'Garden.mht': utf8(oneNoteArchive),
  'page.html': utf8('<title>The wall</title><p>It stands.</p>'),
  'Diary.pdf': utf8('%PDF-1.7'),
  'ChatExport.zip': zipOfTexts({
    'ChatExport/messages.html': '<html><div class="page_wrap"><div class="history">Hi</div></div></html>',
    'ChatExport/css/style.css': '',
  }),
  'letter.txt': utf8('Dear Nora,\n\nthe bees came back.'),
};
