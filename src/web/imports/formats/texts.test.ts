// Telegram, and notes that are texts: Notion, Markdown, plain.
import { describe, expect, test } from 'vitest';
import { groupChat } from '../chats.ts';
import { LeftOutList } from '../imported-entry.ts';
import { readWritten } from '../written-dates.ts';
import { parseMarkdown, tagsInText } from './markdown.ts';
import { notionId, parseNotion } from './notion.ts';
import { parsePlainText } from './plain-text.ts';
import { isTelegram, parseTelegram } from './telegram.ts';

const counts = (leftOut: LeftOutList) =>
  Object.fromEntries(leftOut.toArray().map(({ reason, count }) => [reason, count]));

describe('Telegram', () => {
  const message = (id: number, more: object) => ({
    ...{
      id,
      type: 'message',
      date: '2023-12-31T23:59:10',
      date_unixtime: '1704063550',
      from: 'Nora',
      from_id: 'user1',
    },
    ...more,
  });
  const chat = (...messages: object[]) => ({ name: 'Nora', type: 'personal_chat', id: 4271, messages });
  function parse(json: object) {
    const leftOut = new LeftOutList();
    if (!isTelegram(json)) throw new Error('an export');
    const chats = parseTelegram(json, 'result.json', leftOut);
    return { chats, texts: chats.flatMap((one) => one.messages()).map(({ text }) => text), leftOut };
  }

  test('a text is a string, or pieces', () => {
    const { chats, texts } = parse(
      chat(
        message(1, { text: 'Hello' }),
        message(2, {
          text: [
            'See ',
            { type: 'link', text: 'https://example.org' },
            ' and ',
            { type: 'text_link', text: 'this', href: 'https://example.org/a' },
            '.',
          ],
        }),
        message(3, { text: '', edited: '2024-01-01T00:00:00' }),
      ),
    );
    expect(texts).toEqual(['Hello', 'See https://example.org and this (https://example.org/a).']);
    expect(chats[0]?.messages()[0]).toEqual({ at: '2023-12-31T23:59', from: 'Nora', text: 'Hello' });
    expect(chats[0] && groupChat(chats[0], 'day')).toMatchObject([
      {
        title: 'Nora, 31 December 2023',
        sourceId: '4271/2023-12-31',
        content: '23:59 Nora: Hello\n23:59 Nora: See https://example.org and this (https://example.org/a).',
      },
    ]);
  });

  test('forwarded, deleted, files, stickers, polls, places; notices are counted', () => {
    const { texts, chats, leftOut } = parse(
      chat(
        message(1, { type: 'service', action: 'phone_call', actor: 'Nora', text: '' }),
        message(2, { forwarded_from: 'Tom', text: 'News' }),
        message(3, { photo: 'photos/photo_1.jpg', text: 'The lake' }),
        message(4, {
          file: '(File not included. Change data exporting settings to download.)',
          media_type: 'voice_message',
          text: '',
        }),
        message(5, { file: 'stickers/a.webp', media_type: 'sticker', sticker_emoji: '🐝', text: '' }),
        message(6, { poll: { question: 'Cake?', answers: [{ text: 'Plum' }, { text: 'None' }] }, text: '' }),
        message(7, { location_information: { latitude: 47.5, longitude: 13.6 }, text: '' }),
        message(8, {
          contact_information: { first_name: 'Tom', last_name: '', phone_number: '+43 1' },
          text: '',
        }),
        message(9, { from: null, text: 'who was it' }),
        message(10, { date: 'never', date_unixtime: 'x', text: 'lost' }),
      ),
    );
    expect(texts).toEqual([
      '[Forwarded from Tom]\nNews',
      '[Photo left out: photo_1.jpg]\nThe lake',
      '[Voice message left out]',
      '[Sticker 🐝]',
      'Poll: Cake?\n- Plum\n- None',
      '[Place: 47.5, 13.6]',
      '[Contact: Tom +43 1]',
      'who was it',
    ]);
    expect(chats[0]?.messages().at(-1)?.from).toBe('Deleted account');
    expect(counts(leftOut)).toEqual({ notice: 1, media: 2 });
  });

  test('a whole account has many chats, some of them left or without a name', () => {
    const { chats } = parse({
      about: 'Here is the data you requested.',
      personal_information: { user_id: 1 },
      chats: {
        about: '',
        list: [
          chat(message(1, { text: 'a' })),
          { type: 'saved_messages', id: 9, messages: [message(1, { text: 'b' })] },
          { ...chat(), id: 5 },
        ],
      },
      left_chats: { about: '', list: [{ ...chat(message(1, { text: 'c' })), name: null, id: 7 }] },
    });
    expect(chats.map(({ name, id }) => [name, id])).toEqual([
      ['Nora', '4271'],
      ['Saved Messages', '9'],
      ['A deleted account', '7'],
    ]);
  });

  test.each([
    [{ messages: [] }],
    [{ type: 'x', messages: [{ role: 'user' }] }],
    [{ chats: { list: [] } }],
    [[]],
  ])('%j is none', (json) => expect(isTelegram(json)).toBe(false));
});

describe('Notion', () => {
  const ID = '0123456789abcdef0123456789abcdef';

  test('a page is known by the digits in its name; its lines of properties say when, and the tags', () => {
    const text = `# The bees\n\nCreated: December 31, 2023 11:59 PM\nTags: garden, spring\nMood: quiet\n\nThey came back.\n\n- [ ] Feed them`;
    expect(parseNotion(`Export-1/Diary/The bees ${ID}.md`, text, new LeftOutList())).toEqual({
      format: 'notion',
      title: 'The bees',
      content: 'They came back.\n\n- [ ] Feed them\n\n- Mood: quiet',
      happenedOn: '2023-12-31T23:59',
      tags: ['garden', 'spring'],
      sourceId: ID,
    });
  });

  test('a page of words alone, and one without a heading', () => {
    expect(
      parseNotion(`Plan ${ID}.md`, '# Plan\n\nNote: this is a sentence\nand it goes on.', new LeftOutList()),
    ).toMatchObject({
      content: 'Note: this is a sentence\nand it goes on.',
      happenedOn: null,
      tags: [],
    });
    expect(parseNotion(`Plan ${ID}.md`, 'Just words', new LeftOutList())).toMatchObject({
      title: 'Plan',
      content: 'Just words',
    });
  });

  test.each([
    ['December 31, 2023 11:59 PM', '2023-12-31T23:59'],
    ['December 31, 2023', '2023-12-31'],
    ['Dec 31, 2023 12:05 AM', '2023-12-31T00:05'],
    ['31 December 2023 23:59', '2023-12-31T23:59'],
    ['2023/12/31 23:59', '2023-12-31T23:59'],
    ['2023-12-31', '2023-12-31'],
    ['@December 31, 2023 9:00 AM (GMT+1) → January 1, 2024', '2023-12-31T09:00'],
    ['31/12/2023', '2023-12-31'],
    ['Brumaire 31, 2023', null],
  ])('the date %s', (text, stamp) => expect(readWritten(text)?.happenedOn ?? null).toBe(stamp));

  test.each<[string, string, string | null, string]>([
    ['The lake', 'Wanderdatum: 3. Juni 2024', '2024-06-03', ''],
    ['The lake', 'Reminder: @June 3, 2024 9:00 AM', '2024-06-03T09:00', ''],
    [
      'The lake',
      'Created: June 5, 2024 9:00 AM\nHiked: June 3, 2024',
      '2024-06-05T09:00',
      '- Hiked: June 3, 2024',
    ],
    [
      'The lake',
      'Created: June 5, 2024 9:00 AM\nDate: June 3, 2024',
      '2024-06-03',
      '- Created: June 5, 2024 9:00 AM',
    ],
    ['The lake', 'Due: June 5, 2024\nHiked: June 3, 2024', '2024-06-03', '- Due: June 5, 2024'],
    ['The lake', 'Last edited time: June 5, 2024 9:00 AM', '2024-06-05T09:00', ''],
    ['The lake', 'Date: June 3, 2024 → June 5, 2024', '2024-06-03', '- Date: June 3, 2024 → June 5, 2024'],
    ['The lake', 'Date: 3/6/2024', null, '- Date: 3/6/2024'],
    ['The lake', 'Phone: 20240603', null, '- Phone: 20240603'],
    ['@June 3, 2024', 'Created: June 5, 2024 9:00 AM', '2024-06-03', '- Created: June 5, 2024 9:00 AM'],
    ['2024-06-03', 'Mood: quiet', '2024-06-03', '- Mood: quiet'],
    ['2024-06-03 The lake', 'Mood: quiet', '2024-06-03', '- Mood: quiet'],
    ['Monday, 3 June 2024', 'URL: https://example.org', '2024-06-03', '- URL: https://example.org'],
  ])('%s, with %s', (title, lines, happenedOn, below) => {
    const page = parseNotion(`x ${ID}.md`, `# ${title}\n\n${lines}\n\nWarm.`, new LeftOutList());
    expect(page).toMatchObject({ title, happenedOn, content: ['Warm.', below].filter(Boolean).join('\n\n') });
  });

  test.each([
    [`Diary ${ID}.csv`, ID],
    [`Diary ${ID}_all.csv`, ID],
    [`a/${ID}.md`, ID],
    ['Diary.md', null],
    ['deadbeef.md', null],
  ])('%s', (path, id) => expect(notionId(path)).toBe(id));
});

describe('Markdown', () => {
  test('front matter says date, title and tags; tags stand in the text too', () => {
    const text = `---\ntitle: "The \\"bees\\""\ndate: 2023-12-31 23:59:00\ntags:\n  - garden\n  - 'home/shed'\naliases: [Bees, 'more']\n---\nThey came #back to #garden, not #123 nor a#b nor https://x.y/#z.\n\n\`#code\`\n\n\`\`\`\n#no\n\`\`\``;
    expect(parseMarkdown('vault/Bees.md', text, new LeftOutList())).toMatchObject({
      title: 'The "bees"',
      happenedOn: '2023-12-31T23:59',
      tags: ['garden', 'home/shed', 'back', 'garden'],
      content: expect.stringMatching(/\n\n- aliases: Bees, more$/),
    });
  });

  test('a daily note is dated by its name, a heading is the title once', () => {
    expect(parseMarkdown('Daily/2023-12-31.md', 'Nothing happened.', new LeftOutList())).toMatchObject({
      title: '2023-12-31',
      happenedOn: '2023-12-31',
    });
    expect(parseMarkdown('x.md', '# Heading #\n\nText', new LeftOutList())).toMatchObject({
      title: 'Heading',
      content: 'Text',
    });
    expect(parseMarkdown('x.md', '---\nonly a line, no end', new LeftOutList())).toMatchObject({
      title: 'x',
      content: '---\nonly a line, no end',
    });
    expect(parseMarkdown('2023-13-45 odd.md', 'x', new LeftOutList()).happenedOn).toBeNull();
  });

  test('a heading as long as a chapter is the title as a whole', () => {
    const heading = `The lake ${'was warm '.repeat(400)}to the end`;
    expect(parseMarkdown('x.md', `# ${heading} ##\n\nText`, new LeftOutList())).toMatchObject({
      title: heading,
      content: 'Text',
    });
  });

  test('tags may be in any script', () => {
    expect(tagsInText('#čaj (#日記) #a-b- #a/b/ ##no #')).toEqual(['čaj', '日記', 'a-b', 'a/b']);
  });
});

test('plain text is called like its file', () => {
  expect(parsePlainText('letters/2019-05-17 To Nora.txt', ' Dear Nora,\n')).toEqual({
    format: 'plain-text',
    title: '2019-05-17 To Nora',
    content: 'Dear Nora,',
    happenedOn: '2019-05-17',
    tags: [],
    sourceId: null,
  });
});
