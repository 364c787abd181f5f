// One export of each application, small and invented, as its files lie in what people download. For tests.
import { zipSync } from 'fflate';

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

const ID = '0123456789abcdef0123456789abcdef';

/** Each export by the name of its file. */
export const fixtures: Record<string, Uint8Array> = {
  'Journal.zip': zipOfTexts({ 'Journal.json': dayOneJournal, 'photos/abc.jpeg': 'not text at all' }),
  'Journal.json': utf8(dayOneJournal),
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
  'Export-1.zip': zipSync({
    'Export-1-Part-1.zip': zipOfTexts({
      [`Diary ${ID}/The bees ${ID}.md`]:
        '# The bees\n\nCreated: December 31, 2023 11:59 PM\nTags: garden\n\nThey came back.',
      [`Diary ${ID}.csv`]: 'Name,Tags\nThe bees,garden',
    }),
  }),
  'vault.zip': zipOfTexts({
    '.obsidian/app.json': '{}',
    'Daily/2023-12-31.md': '---\ntags: [diary]\n---\nNothing happened. #quiet',
    '__MACOSX/._x.md': 'x',
  }),
  'letter.txt': utf8('Dear Nora,\n\nthe bees came back.'),
};
