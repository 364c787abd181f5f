// Applications that keep entries and notes: what each export says, with its odd cases.
import { describe, expect, test } from 'vitest';
import { isObject, type LeftOut, LeftOutList, Refused } from '../imported-entry.ts';
import { stampHere } from '../local-times.ts';
import { dayOneText } from '../testing/fixtures.ts';
import { isDayOne, parseDayOne } from './day-one.ts';
import { isDayOneText, parseDayOneText } from './day-one-text.ts';
import { isKeepNote, parseKeepNote } from './google-keep.ts';
import { isStandardNotes, parseStandardNotes } from './standard-notes.ts';

const counts = (leftOut: readonly LeftOut[]) =>
  Object.fromEntries(leftOut.map(({ reason, count }) => [reason, count]));

describe('Day One', () => {
  const journal = (...entries: object[]) => ({ metadata: { version: '1.0' }, entries });
  const entry = (more: object = {}) => ({
    uuid: '1546F37361264E129200B2CA6A885855',
    creationDate: '2017-06-28T23:38:37Z',
    timeZone: 'Asia/Taipei',
    text: 'The lake was warm\\.',
    ...more,
  });
  function parse(more: object) {
    const leftOut = new LeftOutList();
    const json = journal(entry(more));
    if (!isDayOne(json)) throw new Error('a journal');
    const [parsed] = parseDayOne(json, 'Journal.json', leftOut);
    return { ...parsed, leftOut: leftOut.toArray() };
  }

  test('an entry is dated by the clock where it was written', () => {
    expect(parse({})).toMatchObject({
      format: 'day-one',
      title: '',
      content: 'The lake was warm.',
      happenedOn: '2017-06-29T07:38',
      sourceId: '1546F37361264E129200B2CA6A885855',
    });
    expect(parse({ timeZone: 'America\\/New_York' }).happenedOn).toBe('2017-06-28T19:38');
    expect(parse({ isAllDay: true }).happenedOn).toBe('2017-06-29');
  });

  test.each([
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, stampHere(Date.parse('2017-06-28T23:38:37Z'))],
    ['none', { timeZone: undefined }, stampHere(Date.parse('2017-06-28T23:38:37Z'))],
    ['a moment that is none', { creationDate: 'yesterday' }, null],
    ['a year of five digits', { creationDate: '+020170-06-28T23:38:37Z' }, null],
  ])('%s', (_, more, happenedOn) => expect(parse(more).happenedOn).toBe(happenedOn));

  test('a heading is the title, tags and a star are tags, a place is a line', () => {
    expect(
      parse({
        text: '# At the lake\n\n1\\. We swam\\!\n2\\. C:\\\\temp and a\\_b',
        tags: ['summer', 'lake'],
        starred: true,
        location: { placeName: 'Pier 3', localityName: 'Hallstatt', country: 'Hallstatt' },
      }),
    ).toMatchObject({
      title: 'At the lake',
      content: '1. We swam!\n2. C:\\temp and a_b\n\nPlace: Pier 3, Hallstatt',
      tags: ['summer', 'lake', 'starred'],
    });
  });

  test('photos, videos and recordings are named where they stood, and counted', () => {
    const { content, leftOut } = parse({
      text: '![](dayone-moment://AD6F)\n\nLook\\!\n\n![](dayone-moment:/audio/B1)\n![](dayone-moment:/video/C2) ![](dayone-moment://GONE)',
      photos: [{ identifier: 'AD6F', md5: 'abc', type: 'jpeg' }],
      audios: [{ identifier: 'B1' }],
      videos: [{ identifier: 'C2', filename: 'jump.mov' }],
    });
    expect(content).toBe(
      '[Photo left out: abc.jpeg]\n\nLook!\n\n[Recording left out: B1]\n[Video left out: jump.mov] [Attachment left out]',
    );
    expect(leftOut).toMatchObject([{ reason: 'media', count: 3, names: ['abc.jpeg', 'jump.mov', 'B1'] }]);
  });

  test('rich text alone is read', () => {
    const richText = JSON.stringify({
      contents: [{ text: 'One\n' }, { embeddedObjects: [] }, { text: 'Two' }],
    });
    expect(parse({ text: undefined, richText }).content).toBe('One\nTwo');
    expect(parse({ text: undefined, richText: '{"contents":' }).content).toBe('');
  });

  test.each([
    [{ metadata: {}, entries: [] }, true],
    [{ entries: [] }, false],
    [{ entries: [{ text: 'x' }] }, false],
    [[], false],
    [null, false],
  ])('%j is a journal: %s', (json, is) => expect(isDayOne(json)).toBe(is));
});

describe('Day One, as plain text', () => {
  test('entries begin with a date, and keep what is said of them', () => {
    const leftOut = new LeftOutList();
    expect(parseDayOneText('Journal.txt', dayOneText, leftOut)).toEqual([
      {
        format: 'day-one',
        title: 'The lake',
        content:
          'Warm.\n\n[Photo left out: 1.jpeg]\n\n- Weather: 21°C Clear\n- Location: Pier 3, Hallstatt, Austria',
        happenedOn: '2024-06-03T10:12',
        tags: ['summer', 'lake'],
        sourceId: null,
        files: [{ name: '1.jpeg', sought: ['photos/1.jpeg', '1.jpeg'], from: 'Journal.txt' }],
      },
      {
        ...{ format: 'day-one', title: '', content: 'Rain all day.', happenedOn: '2024-06-04T21:00' },
        ...{ tags: [], sourceId: null },
      },
    ]);
    expect(counts(leftOut.toArray())).toEqual({ media: 1 });
  });

  test.each([
    ['3 June 2024 at 10:12:13 CEST', '2024-06-03T10:12'],
    ['February 14, 2005 at 9:00 AM', '2005-02-14T09:00'],
    ['3. Juni 2024 um 10:12:13 MESZ', '2024-06-03T10:12'],
    ['3 juin 2024 à 22:12:13 UTC+2', '2024-06-03T22:12'],
    ['2024-06-03 10:12', '2024-06-03T10:12'],
  ])('%s', (date, happenedOn) => {
    const text = `\n\tDatum:\t${date}\n\nWarm.\n\tDatum:\tis a word\n`;
    expect(parseDayOneText('Journal.txt', text, new LeftOutList())).toMatchObject([
      { happenedOn, content: 'Warm.\n\tDatum:\tis a word' },
    ]);
  });

  test.each(['Dear diary', '\tDate:\tsoon\n\nx', 'Date: June 3, 2024\n\nx', ''])('%j is no journal', (text) =>
    expect(isDayOneText(text)).toBe(false),
  );

  test('a star and what is attached within the text', () => {
    const leftOut = new LeftOutList();
    const text = '\tDate:\tJune 3, 2024\n\tStarred:\tYes\n\nLook ![](dayone-moment://AD6F)';
    expect(parseDayOneText('Journal.txt', text, leftOut)).toMatchObject([
      { tags: ['starred'], content: 'Look [Attachment left out]', happenedOn: '2024-06-03' },
    ]);
    expect(counts(leftOut.toArray())).toEqual({ media: 1 });
  });
});

describe('Google Keep', () => {
  const note = (more: object = {}) => ({
    color: 'DEFAULT',
    isTrashed: false,
    isPinned: false,
    isArchived: false,
    title: 'Shopping',
    textContent: 'For Sunday',
    userEditedTimestampUsec: 1600000000000000,
    createdTimestampUsec: 1500000000000000,
    ...more,
  });
  function parse(more: object) {
    const leftOut = new LeftOutList();
    const json = note(more);
    if (!isKeepNote(json)) throw new Error('a note');
    return { entries: parseKeepNote(json, 'Takeout/Keep/x.json', leftOut), leftOut: leftOut.toArray() };
  }

  test('a note, with its lists, labels and links', () => {
    const { entries, leftOut } = parse({
      listContent: [
        { text: 'Plums', isChecked: true },
        { text: 'Flour', isChecked: false },
      ],
      labels: [{ name: 'home' }, { name: '' }],
      isPinned: true,
      isArchived: true,
      annotations: [
        { url: 'https://example.org/cake', title: 'A cake', source: 'WEBLINK' },
        { url: 'https://example.org/plain', title: '' },
      ],
      attachments: [{ filePath: '17a.jpg', mimetype: 'image/jpeg' }],
    });
    expect(entries).toEqual([
      {
        format: 'google-keep',
        title: 'Shopping',
        content:
          'For Sunday\n\n☑ Plums\n☐ Flour\n\nA cake: https://example.org/cake\nhttps://example.org/plain',
        happenedOn: stampHere(1500000000000),
        instant: 1500000000000,
        tags: ['home', 'pinned', 'archived'],
        sourceId: '1500000000000000',
        files: [{ name: '17a.jpg', sought: ['17a.jpg'], from: 'Takeout/Keep/x.json' }],
      },
    ]);
    expect(leftOut).toEqual([{ reason: 'media', count: 1, names: ['17a.jpg'] }]);
  });

  test('what lies in the bin is counted', () => {
    const { entries, leftOut } = parse({ isTrashed: true });
    expect(entries).toEqual([]);
    expect(counts(leftOut)).toEqual({ trashed: 1 });
  });

  test('older exports have no time of creation, and some write times as strings', () => {
    expect(parse({ createdTimestampUsec: undefined }).entries).toMatchObject([
      { happenedOn: stampHere(1600000000000), sourceId: null },
    ]);
    expect(parse({ createdTimestampUsec: '1500000000000000' }).entries).toMatchObject([
      { sourceId: '1500000000000000' },
    ]);
  });

  test.each([
    [{ title: 'x', textContent: 'y' }, false],
    [{ photoTakenTime: { timestamp: '1' }, title: 'IMG.jpg' }, false],
    ['text', false],
  ])('%j is no note', (json, is) => expect(isKeepNote(json)).toBe(is));
});

describe('Standard Notes', () => {
  const item = (content_type: string, uuid: string, content: unknown, more: object = {}) => ({
    ...{ uuid, content_type, content },
    ...{ created_at: '2020-02-03T04:05:06.000Z', updated_at: '2021-02-03T04:05:06.000Z' },
    ...more,
  });
  function parse(...items: object[]) {
    const leftOut = new LeftOutList();
    const json = { version: '004', items };
    if (!isStandardNotes(json)) throw new Error('a backup');
    return { entries: parseStandardNotes(json, leftOut), leftOut: leftOut.toArray() };
  }

  test('notes have the tags that refer to them, either way', () => {
    const { entries } = parse(
      item('Note', 'n1', {
        title: 'Bees',
        text: 'They came back.',
        references: [{ uuid: 't2', content_type: 'Tag' }],
      }),
      item('Tag', 't1', { title: 'garden', references: [{ uuid: 'n1', content_type: 'Note' }] }),
      item('Tag', 't2', { title: 'spring', references: [{ uuid: 'n1' }] }),
      item('SN|UserPreferences', 'p', {}),
    );
    expect(entries).toEqual([
      {
        format: 'standard-notes',
        title: 'Bees',
        content: 'They came back.',
        happenedOn: stampHere(Date.parse('2020-02-03T04:05:06Z')),
        instant: Date.parse('2020-02-03T04:05:06Z'),
        tags: ['garden', 'spring'],
        sourceId: 'n1',
      },
    ]);
  });

  test('pinned and archived are tags; the bin is counted; a moment may stand in its own data', () => {
    const own = (more: object) => ({ appData: { 'org.standardnotes.sn': more } });
    const { entries, leftOut } = parse(
      item('Note', 'n1', { title: 'a', text: 'b', ...own({ pinned: true, archived: true }) }),
      item('Note', 'n2', { title: 'c', text: 'd', trashed: true }),
      item('Note', 'n3', { title: 'e', text: 'f' }, { deleted: true }),
      item(
        'Note',
        'n4',
        { title: 'g', text: 'h', ...own({ client_updated_at: '2014-05-30T15:39:59.000Z' }) },
        { created_at: '' },
      ),
    );
    expect(entries.map(({ tags }) => tags)).toEqual([['pinned', 'archived'], []]);
    expect(entries[1]?.happenedOn).toBe(stampHere(Date.parse('2014-05-30T15:39:59Z')));
    expect(counts(leftOut)).toEqual({ trashed: 2 });
  });

  test('the words of a “Super” note are kept', () => {
    const text = JSON.stringify({
      root: {
        type: 'root',
        children: [
          { type: 'heading', children: [{ type: 'text', text: 'Plan' }] },
          {
            type: 'paragraph',
            children: [
              { type: 'text', text: 'First ' },
              { type: 'link', children: [{ text: 'here' }] },
              { type: 'linebreak' },
              { text: 'next' },
            ],
          },
          {
            type: 'list',
            children: [
              { type: 'listitem', checked: true, children: [{ text: 'done' }] },
              { type: 'listitem', children: [{ text: 'dash' }] },
            ],
          },
        ],
      },
    });
    const { entries } = parse(item('Note', 'n', { title: 't', text, noteType: 'super' }));
    expect(entries[0]?.content).toBe('Plan\nFirst here\nnext\n\n☑ done\n- dash');
    expect(
      parse(item('Note', 'n', { title: 't', text: 'plain', noteType: 'super' })).entries[0]?.content,
    ).toBe('plain');
  });

  test('an encrypted backup is refused, and encrypted notes among others are counted', () => {
    const sealed = item('Note', 'n', '004:abc:def');
    const refusal = (() => {
      try {
        return parse(sealed, item('SN|ItemsKey', 'k', '004:x'));
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Refused);
    expect(refusal).toMatchObject({ reason: 'encrypted-backup' });
    const { entries, leftOut } = parse(sealed, item('Note', 'm', { title: 'a', text: 'b' }));
    expect(entries).toHaveLength(1);
    expect(counts(leftOut)).toEqual({ encrypted: 1 });
  });
});

test('an object is neither null nor an array', () => {
  expect([{}, null, [], 'x'].map(isObject)).toEqual([true, false, false, false]);
});
