// Exports that are HTML or XML within: Evernote, Joplin, Journey, Apple Journal, Notion, UpNote, OneNote, with the odd
// cases of each.
import { gzipSync } from 'fflate';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stampHere } from '../local-times.ts';
import { type NamedBlob, readFiles } from '../read-files.ts';
import { zipOfTexts } from '../testing/fixtures.ts';
import {
  appleJournalPage,
  BEES,
  enexNote,
  enexOf,
  evernoteExport,
  joined,
  joplinFiles,
  joplinId,
  joplinItem,
  journeyEntry,
  notionPage,
  notionProperty,
  oneNoteArchive,
  tarEntry,
  tarOfTexts,
  upNoteBackup,
} from '../testing/page-fixtures.ts';
import { IMPORT_LIMITS } from '../zip-files.ts';

const file = (name: string, content: string | Uint8Array): NamedBlob =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);

async function read(name: string, content: string | Uint8Array, limits = IMPORT_LIMITS) {
  const { sources, leftOut, refused } = await readFiles([file(name, content)], { limits });
  return {
    entries: sources.flatMap(({ entries }) => entries),
    leftOut: Object.fromEntries(leftOut.toArray().map(({ reason, count }) => [reason, count])),
    names: leftOut.toArray().flatMap(({ names }) => names),
    refused: refused.map(({ reason }) => reason),
  };
}

const MADE = Date.parse('2024-06-03T08:15:02Z');

describe('Evernote', () => {
  test('reads a note with thousands of empty attachments in steps that grow as its length does', {
    tags: 'long',
  }, async () => {
    const encode = vi.spyOn(TextEncoder.prototype, 'encode');
    onTestFinished(() => encode.mockRestore());
    /** How many characters were turned into bytes while it was read, to know where in the file something stands. */
    async function steps(count: number): Promise<number> {
      const text = enexOf(enexNote('a', 'b', `<resource>${'<data></data>'.repeat(count)}</resource>`));
      encode.mockClear();
      expect((await read('a.enex', text)).entries).toHaveLength(1);
      return encode.mock.calls.reduce((sum, [said = '']) => sum + said.length, 0);
    }
    const [few, many] = [await steps(2000), await steps(20_000)];
    expect(few).toBeGreaterThan(0);
    expect(many / few).toBeLessThan(12);
  });

  test('notes with their dates, tags, boxes and pictures; encrypted words are named', async () => {
    const { entries, leftOut, names } = await read('Garden.enex', evernoteExport);
    expect(entries).toMatchObject([
      {
        format: 'evernote',
        title: 'The bees & the wall',
        content: 'They came **back**.\n\n- [x] Feed them\n\n[Image left out: bees.jpg]',
        happenedOn: stampHere(MADE),
        instant: MADE,
        tags: ['garden', 'late summer'],
        sourceId: null,
      },
      { title: 'Secret', content: 'Before\n\n[Encrypted text left out]' },
      { title: '', content: '' },
    ]);
    expect(leftOut).toEqual({ media: 1, encrypted: 1 });
    expect(names).toEqual(['bees.jpg', 'Secret']);
  });

  test.each<[string, string, string, string]>([
    [
      'a list of things to do',
      '<ul style="--en-todo:true;"><li style="--en-checked:false;">Open</li><li style="--en-checked:true;">Done</li></ul>',
      '',
      '- [ ] Open\n- [x] Done',
    ],
    [
      'boxes in a list',
      '<ol><li><en-todo checked="false"/>Open</li><li><en-todo checked="true"/>Done</li></ol>',
      '',
      '1. [ ] Open\n2. [x] Done',
    ],
    [
      'code',
      '<div style="--en-codeblock:true;--en-syntaxLanguage:python;"><div>if x:</div><div>&nbsp; y</div><div><br/></div><div>z</div></div>',
      '',
      '```python\nif x:\n  y\n\nz\n```',
    ],
    [
      'links to other notes',
      '<a href="evernote:///view/1/s1/a/a/">Other</a> <a href="https://example.org">here</a>',
      '',
      'Other [here](https://example.org)',
    ],
    [
      'a web clip',
      '<div><style>p{}</style><table><tr><td><table><tr><td>Clipped</td></tr></table></td></tr></table></div>',
      '<note-attributes><source>web.clip7</source><source-url>https://example.org/a</source-url></note-attributes>',
      'Clipped\n\n- Source: https://example.org/a',
    ],
    [
      'what a note says of itself',
      'x',
      '<note-attributes><place-name>Pier 3</place-name><latitude>47.5</latitude><longitude>13.6</longitude><author>Nora</author><reminder-time>20240605T100000Z</reminder-time></note-attributes>',
      'x\n\n- Place: Pier 3, 47.5, 13.6\n- Author: Nora\n- Reminder: 2024-06-05 10:00 UTC',
    ],
    [
      'tasks',
      '<div>a</div><div style="--en-task-group:true; --en-id:g1;"></div><div>b</div>',
      '<task><title>Feed</title><taskStatus>completed</taskStatus><taskGroupNoteLevelID>g1</taskGroupNoteLevelID></task><task><title>Look</title><taskStatus>open</taskStatus><taskGroupNoteLevelID>g2</taskGroupNoteLevelID></task>',
      'a\n\n- [x] Feed\n\nb\n\n- [ ] Look',
    ],
    ['a picture that is not there', '<en-media hash="00" type="image/png"/>', '', '[Image left out]'],
    [
      'what is attached and not shown',
      'x',
      '<resource><data encoding="base64"></data><mime>application/pdf</mime><resource-attributes><file-name>a.pdf</file-name></resource-attributes></resource>',
      'x\n\n[Document left out: a.pdf]',
    ],
    [
      'a hash of bytes over several lines',
      `<en-media hash="${BEES.hash.toUpperCase()}" type="audio/mpeg"/>`,
      `<resource><data encoding="base64">\n${BEES.data}\n</data><mime>audio/mpeg</mime><resource-attributes><file-name>b.mp3</file-name></resource-attributes></resource>`,
      '[Recording left out: b.mp3]',
    ],
  ])('%s', async (_, page, more, content) => {
    const { entries } = await read('a.enex', enexOf(enexNote('t', page, more)));
    expect(entries).toMatchObject([{ content }]);
  });

  test('words that are not in CDATA, and entities of its own, are what they are', async () => {
    const bomb = evernoteExport
      .replace('export4.dtd">', 'export4.dtd" [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>')
      .replace('The bees', '&b; The bees');
    const { entries } = await read('a.enex', bomb);
    expect(entries[0]?.title).toBe('&b; The bees & the wall');
    const plain =
      '<?xml version="1.0"?><en-export><note><title>t</title><content>&lt;en-note&gt;a &amp;amp; b&lt;/en-note&gt;</content></note></en-export>';
    expect((await read('a.enex', plain)).entries).toMatchObject([{ content: 'a & b', happenedOn: null }]);
  });

  test('an export may be much larger than what is read of it', async () => {
    const picture = `<resource><data encoding="base64">${'QUFB'.repeat(50_000)}</data><mime>image/png</mime></resource>`;
    const limits = { ...IMPORT_LIMITS, textBytes: 5000 };
    const { entries, leftOut } = await read('a.enex', enexOf(enexNote('t', 'x', picture)), limits);
    expect(entries).toHaveLength(1);
    expect(leftOut).toEqual({ media: 1 });
    expect((await read('a.enex', enexOf(enexNote('t', 'x'.repeat(6000))), limits)).refused).toEqual([
      'too-large',
    ]);
  });

  test('one that lies in a zip, and one that is cut off', async () => {
    expect((await read('a.zip', zipOfTexts({ 'Garden.enex': evernoteExport }))).entries).toHaveLength(3);
    expect((await read('a.enex', evernoteExport.slice(0, 500))).refused).toEqual(['nothing-inside']);
    expect((await read('a.enex', '<opml/>')).refused).toEqual(['unknown']);
  });
});

describe('Joplin', () => {
  const expected = [
    {
      format: 'joplin',
      title: 'The bees',
      content:
        'They came back.\n\n[Image left out: bees.jpg]\n\n- To do: open\n- Due: 2024-06-04 08:15 UTC\n- Source: https://example.org/bees',
      happenedOn: stampHere(MADE),
      tags: ['summer', 'Garden'],
      sourceId: joplinId('a'),
    },
  ];

  test('a JEX, a folder and a zip of it are the same', async () => {
    const jex = await read('notes.jex', tarOfTexts(joplinFiles));
    expect(jex.entries).toMatchObject(expected);
    expect(jex.leftOut).toEqual({ media: 1, trashed: 1 });
    expect((await read('raw.zip', zipOfTexts(joplinFiles))).entries).toEqual(jex.entries);
    const folder = await readFiles(
      Object.entries(joplinFiles).map(([path, text]) => file(`raw/${path}`, text)),
    );
    expect(folder.sources[0]?.entries).toEqual(jex.entries);
    expect(folder.leftOut.toArray()).toMatchObject([{ reason: 'media' }, { reason: 'trashed' }]);
  });

  test.each<[string, string, Record<string, string>, object]>([
    [
      'HTML',
      `Clip\n\n<p>a <b>b</b> <img src=":/${joplinId('c')}"/></p>`,
      { markup_language: '2' },
      { content: 'a **b** [Image left out: bees.jpg]' },
    ],
    [
      'links to other notes',
      `t\n\nSee [the wall](:/${joplinId('9')}) and ![gone](:/${joplinId('8')})`,
      {},
      { content: 'See the wall and [Image left out: gone]' },
    ],
    [
      'links to attachments',
      `t\n\n[What we read \\[2\\]](:/${joplinId('c')} "b"), [see [1] here](:/${joplinId('9')}), [bees.jpg](:/${joplinId('c')}), [![](:/${joplinId('c')})](:/${joplinId('c')}) and [ ] one`,
      {},
      {
        content:
          'What we read \\[2\\] [Image left out: bees.jpg], see [1] here, [Image left out: bees.jpg], [Image left out: bees.jpg] and [ ] one',
      },
    ],
    [
      'links to attachments in HTML',
      `t\n\n<p><a href=":/${joplinId('c')}">What we <b>read</b></a>, <a href=":/${joplinId('c')}">bees.jpg</a></p>`,
      { markup_language: '2' },
      { content: 'What we **read** [Image left out: bees.jpg], [Image left out: bees.jpg]' },
    ],
    [
      'a place and an author',
      't\n\nx',
      { latitude: '47.56220000', longitude: '13.64930000', author: 'Nora' },
      { content: 'x\n\n- Place: 47.56220000, 13.64930000\n- Author: Nora' },
    ],
    [
      'no place',
      't\n\nx',
      { latitude: '0.00000000', longitude: '0.00000000', source_url: '' },
      { content: 'x' },
    ],
    [
      'done',
      't\n\nx',
      { is_todo: '1', todo_completed: '1717488900000' },
      { content: 'x\n\n- To do: done 2024-06-04 08:15 UTC' },
    ],
    ['lines that look like properties', 't\n\nid: 3\n\nfoo: bar', {}, { content: 'id: 3\n\nfoo: bar' }],
    ['no text', 't', {}, { title: 't', content: '' }],
    ['a conflict', 't\n\nx', { is_conflict: '1' }, { tags: ['conflict'] }],
  ])('%s', async (_, text, properties, entry) => {
    const jex = tarOfTexts({
      [`${joplinId('1')}.md`]: joplinItem(1, joplinId('1'), text, properties),
      [`${joplinId('c')}.md`]: joplinItem(4, joplinId('c'), 'bees.jpg', { mime: 'image/jpeg' }),
    });
    expect((await read('a.jex', jex)).entries).toMatchObject([entry]);
  });

  test('what is encrypted, a version or damaged is counted', async () => {
    const jex = tarOfTexts({
      [`${joplinId('1')}.md`]: joplinItem(1, joplinId('1'), 't', {
        encryption_applied: '1',
        encryption_cipher_text: 'JED01',
      }),
      [`${joplinId('2')}.md`]: joplinItem(13, joplinId('2'), ''),
      [`${joplinId('3')}.md`]: joplinItem(1, joplinId('3'), 'a\n\nb', { parent_id: joplinId('4') }),
      [`${joplinId('4')}.md`]: joplinItem(2, joplinId('4'), 'Circle', { parent_id: joplinId('4') }),
    });
    const { entries, leftOut } = await read('a.jex', jex);
    expect(entries).toHaveLength(1);
    expect(leftOut).toEqual({ encrypted: 1, 'other-file': 1 });
  });
});

const tooDeep = '<b>'.repeat(3000);
test('a tag of UpNote whose address is none stays as it is', async () => {
  const html = '<a href=\\"upnote://x-callback-url/tag/view?tag=%ff\\">a</a>';
  const backup = `version:1\n{"type":"notes","data":{"title":"t","html":"${html}"}}`;
  expect((await read('a.txt', backup)).entries).toMatchObject([{ tags: ['%ff'] }]);
});

test('an unpacked backup of UpNote with more notes than a function takes arguments', {
  tags: 'long',
}, async () => {
  const note = '{"type":"notes","data":{"title":"a"}}\n';
  expect((await read('a.txt', `version:1\n${note.repeat(150_000)}`)).entries).toHaveLength(150_000);
});

test.each([
  [
    'Joplin',
    'a.jex',
    tarOfTexts({
      [`${joplinId('1')}.md`]: joplinItem(1, joplinId('1'), `Clip\n\n${tooDeep}`, { markup_language: '2' }),
      [`${joplinId('2')}.md`]: joplinItem(1, joplinId('2'), 'The lake\n\nWarm.'),
    }),
  ],
  ['Evernote', 'a.enex', enexOf(enexNote('Clip', tooDeep), enexNote('The lake', 'Warm.'))],
])(
  'a note of %s with more elements than can be read is left out, and the others come',
  async (_, name, all) => {
    const { entries, leftOut, names } = await read(name, all);
    expect(entries).toMatchObject([{ title: 'The lake' }]);
    expect(leftOut).toEqual({ 'too-large': 1 });
    expect(names).toEqual(['Clip']);
  },
);

describe('a tar', () => {
  const text = (words: string) => new TextEncoder().encode(words);
  const end = new Uint8Array(1024);

  test('long names, folders, links and paths that lead out of it', async () => {
    const long = `${'deep/'.repeat(40)}note.md`;
    const tar = joined([
      ...tarEntry('folder/', new Uint8Array(), '5'),
      ...tarEntry('././@LongLink', text(`${long}\0`), 'L'),
      ...tarEntry(long, text('Long.')),
      ...tarEntry('x', text(`${`path=${long}2.md\n`.length + 4} path=${long}2.md\n`), 'x'),
      ...tarEntry(long, text('Longer.')),
      ...tarEntry('link', new Uint8Array(), '2'),
      ...tarEntry('../out.md', text('Out.')),
      ...tarEntry('twice.md', text('One.')),
      ...tarEntry('twice.md', text('Two.')),
      end,
    ]);
    const { entries, leftOut } = await read('a.tar', tar);
    expect(entries.map(({ content }) => content)).toEqual(['Long.', 'Longer.', 'One.']);
    expect(leftOut).toEqual({ 'unsafe-name': 2, damaged: 1 });
  });

  test('one that ends too early, or names more than it has, is refused', async () => {
    const whole = joined([...tarEntry('a.md', text('x'.repeat(2000))), end]);
    expect((await read('a.tar', whole.slice(0, 1500))).refused).toEqual(['damaged']);
    expect((await read('a.tar', whole, { ...IMPORT_LIMITS, files: 0 })).refused).toEqual(['too-large']);
    expect((await read('a.tar', whole, { ...IMPORT_LIMITS, fileBytes: 100 })).leftOut).toEqual({});
  });
});

describe('Journey', () => {
  test.each<[string, object, object]>([
    [
      'an entry',
      {},
      {
        format: 'journey',
        title: '',
        content:
          'They came back.\n\n*All* of them.\n\n[Photo left out: 1717402502000-lake.jpg]\n\n- Place: Pier 3, Hallstatt\n- Weather: Overcast clouds, 9.4 °C, Hallstatt\n- Mood: 5',
        happenedOn: '2024-06-03T10:15',
        tags: ['garden', 'favourite'],
        sourceId: '1717402502000-3fd84fcd19f24294',
      },
    ],
    [
      'plain text of old exports',
      { type: '', text: '2 < 3 and *stars*\nnext' },
      { content: expect.stringContaining('2 < 3 and *stars*\nnext') },
    ],
    [
      'no text but a preview',
      { text: '', type: '', preview_text: 'A beginning' },
      { content: expect.stringContaining('A beginning') },
    ],
    [
      'a heading',
      { text: '<h1>The lake</h1><p>Warm.</p>' },
      { title: 'The lake', content: expect.stringMatching(/^Warm\./) },
    ],
    [
      'another member for its moment',
      { date_journal: undefined, dateOfJournal: '2024-06-03T08:15:02.000Z' },
      { happenedOn: '2024-06-03T10:15' },
    ],
    [
      'coordinates alone',
      { address: '', lat: 47.5, lon: 13.6, photos: [], weather: {}, mood: 0 },
      { content: 'They came back.\n\n*All* of them.\n\n- Place: 47.5, 13.6' },
    ],
    [
      'music',
      { photos: [], weather: undefined, mood: 0, address: '', music_artist: 'Nora', music_title: 'Bees' },
      { content: expect.stringMatching(/- Music: Nora – Bees$/) },
    ],
  ])('%s', async (_, more, entry) => {
    expect(
      (await read('a.zip', zipOfTexts({ '1717402502000.json': journeyEntry(more) }))).entries,
    ).toMatchObject([entry]);
  });
});

describe('Apple Journal', () => {
  const zip = (pages: Record<string, string>) =>
    zipOfTexts({
      'AppleJournalEntries/index.html': '<html><body><a href="Entries/a.html">a</a></body></html>',
      ...Object.fromEntries(
        Object.entries(pages).map(([name, text]) => [`AppleJournalEntries/${name}`, text]),
      ),
    });

  test('an entry, its pictures by name, its places from beside it', async () => {
    const assets =
      '<div id="P1" class="gridItem assetType_photo"><img src="../Resources/P1.heic" class="asset_image"/></div>' +
      '<div id="M1" class="gridItem assetType_multiPinMap"><img src="../Resources/M1.png"></div>' +
      '<div id="A1" class="gridItem assetType_audio"><div class="audioAssetHeader">Voice note</div></div>';
    const { entries, leftOut } = await read(
      'journal.zip',
      zip({
        'Entries/2024-06-03_The_lake.html': appleJournalPage(
          'Monday, June 3, 2024',
          'The lake',
          ['Warm &amp; still.', 'We <b>swam</b>.'],
          assets,
        ),
        'Resources/M1.json': '{"visits":[{"placeName":"Pier 3","city":"Hallstatt"}],"date":739091702.5}',
        'Resources/P1.heic': 'a picture',
        'Resources/M1.png': 'a picture',
        'Entries/2024-06-04.html': appleJournalPage(
          'martedì 4 giugno 2024',
          '',
          ['Pioggia.'],
          '<div class="reflectionPrompt">What was good?</div>',
        ),
      }),
    );
    expect(entries).toMatchObject([
      {
        format: 'apple-journal',
        title: 'The lake',
        happenedOn: '2024-06-03',
        content:
          '[Image left out: P1.heic]\n[Image left out: M1.png]\n\nVoice note\n[Recording left out]\n\nWarm & still.\n\nWe **swam**.\n\n- Place: Pier 3',
      },
      { title: '', happenedOn: '2024-06-04', content: '> What was good?\n\nPioggia.' },
    ]);
    expect(leftOut).toEqual({ media: 3, copy: 1 });
  });

  test.each([
    ['Monday, June 3, 2024', '2024-06-03'],
    ['Monday, 3 June 2024', '2024-06-03'],
    ['Montag, 3. Juni 2024', '2024-06-03'],
    ['lundi 3 juin 2024', '2024-06-03'],
    ['lunes, 3 de junio de 2024', '2024-06-03'],
    ['poniedziałek, 3 czerwca 2024', '2024-06-03'],
    ['понедельник, 3 июня 2024 г.', '2024-06-03'],
    ['pondělí 3. června 2024', '2024-06-03'],
    ['maandag 3 juni 2024', '2024-06-03'],
    ['3 Haziran 2024 Pazartesi', '2024-06-03'],
  ])('without a date in the name of its file, %s is read', async (header, day) => {
    const page = appleJournalPage(header, 'The lake', ['Warm.']);
    expect((await read('j.zip', zip({ 'Entries/The lake.html': page }))).entries).toMatchObject([
      { happenedOn: day, content: 'Warm.' },
    ]);
  });

  test('a date that is not understood stands in the text', async () => {
    const page = appleJournalPage('Some day', 'The lake', ['Warm.']);
    expect((await read('lake.html', page)).entries).toMatchObject([
      { happenedOn: null, content: 'Warm.\n\n- Date: Some day' },
    ]);
  });
});

describe('Notion as HTML', () => {
  const ID = '0123456789abcdef0123456789abcdef';
  const export_ = (files: Record<string, string>) =>
    zipOfTexts({
      'index.html': '<html><body><ul><li><a href="a.html">a</a></li></ul></body></html>',
      ...files,
    });

  test('a page with its properties, and a database whose rows are pages', async () => {
    const { entries, leftOut } = await read(
      'Export.zip',
      export_({
        [`Diary ${ID}/The bees ${ID}.html`]: notionPage(
          'The bees',
          notionProperty('date', 'Date', '<time>@June 3, 2024 8:15 AM</time>') +
            notionProperty(
              'multi_select',
              'Tags',
              '<span class="selected-value">garden</span><span class="selected-value">late summer</span>',
            ) +
            notionProperty('checkbox', 'Fed', '<div class="checkbox checkbox-on"></div>') +
            notionProperty('url', 'Link', '<a href="https://example.org">https://example.org</a>') +
            notionProperty('text', 'Empty', ''),
          '<p>They came back.</p>',
        ),
        [`Diary ${ID.replace('0', 'f')}.html`]:
          '<html><body><article class="page sans"><header><h1 class="page-title">Diary</h1></header><table class="collection-content"><tr><td>The bees</td></tr></table></article></body></html>',
        [`Diary ${ID}.csv`]: 'Name\nThe bees',
      }),
    );
    expect(entries).toMatchObject([
      {
        format: 'notion',
        title: 'The bees',
        content: 'They came back.\n\n- Fed: Yes\n- Link: https://example.org',
        happenedOn: '2024-06-03T08:15',
        tags: ['garden', 'late summer'],
        sourceId: ID,
      },
    ]);
    expect(leftOut).toEqual({ database: 2, copy: 1 });
  });

  test.each<[string, string, string]>([
    [
      'to-dos',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Done</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>',
      '- [x] Done\n- [ ] Open',
    ],
    [
      'toggles',
      '<ul class="toggle"><li><details open=""><summary>More</summary><p>Hidden</p></details></li></ul>',
      '- More\n\n  Hidden',
    ],
    [
      'callouts',
      '<figure class="gray_background callout" style="display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">Watch out</div></figure>',
      '> 💡 Watch out',
    ],
    [
      'links to its own pages',
      '<p><a href="Other%200123456789abcdef0123456789abcdef.html">Other</a></p>',
      'Other',
    ],
    [
      'pictures',
      '<figure class="image"><a href="The%20bees/bee.jpg"><img src="The%20bees/bee.jpg"/></a><figcaption>A bee</figcaption></figure>',
      '[Image left out: bee.jpg]\nA bee',
    ],
    [
      'files',
      '<figure><div class="source"><a href="The%20bees/plan.pdf">plan.pdf</a></div></figure>',
      '[Document left out: plan.pdf]',
    ],
    [
      'bookmarks',
      '<figure><a href="https://example.org" class="bookmark source"><div class="bookmark-info"><div class="bookmark-title">A site</div></div></a></figure>',
      '[A site](https://example.org)',
    ],
    [
      'columns',
      '<div class="column-list"><div class="column"><p>a</p></div><div class="column"><p>b</p></div></div>',
      'a\n\nb',
    ],
    [
      'numbered lists in pieces',
      '<ol type="1" start="1"><li>a</li></ol><ol type="1" start="2"><li>b</li></ol>',
      '1. a\n2. b',
    ],
    [
      'blocks in wrappers',
      '<div style="display:contents" dir="auto"><p>a</p></div><div style="display:contents"><h1>b</h1></div>',
      'a\n\n# b',
    ],
  ])('%s', async (_, body, content) => {
    const { entries } = await read(`The bees ${ID}.html`, notionPage('The bees', '', body));
    expect(entries).toMatchObject([{ title: 'The bees', content }]);
  });
});

describe('UpNote', () => {
  const expected = {
    format: 'upnote',
    title: 'The bees',
    content: 'They came back.\n\n- [x] Feed them\n\n#late summer',
    happenedOn: stampHere(1717402502000),
    tags: ['late summer', 'Garden/Bees', 'pinned'],
    sourceId: 'n1',
  };

  test('a backup, alone or in its folder, where the last one counts', async () => {
    const backup = gzipSync(new TextEncoder().encode(upNoteBackup));
    const alone = await read('2024-06-03.upnx', backup);
    expect(alone.entries).toMatchObject([expected]);
    expect(alone.leftOut).toEqual({ trashed: 1 });
    const { sources, leftOut } = await readFiles([
      file('UpNote_Backup/data/2024-06-02.upnx', 'not packed'),
      file('UpNote_Backup/data/2024-06-03.upnx', backup),
      file('UpNote_Backup/files/a.png', 'a picture'),
    ]);
    expect(sources[0]?.entries).toMatchObject([expected]);
    expect(leftOut.toArray().map(({ reason }) => reason)).toEqual(['trashed', 'copy', 'media']);
  });

  test('a backup that is cut off or too large', async () => {
    const backup = gzipSync(new TextEncoder().encode(upNoteBackup));
    expect((await read('a.upnx', backup.slice(0, 60))).refused).toEqual(['damaged']);
    expect((await read('a.upnx', backup, { ...IMPORT_LIMITS, fileBytes: 100 })).refused).toEqual([
      'too-large',
    ]);
    expect((await read('a.upnx', gzipSync(new TextEncoder().encode('else')))).refused).toEqual(['foreign']);
  });

  test('pages of HTML', async () => {
    const page =
      '<html><body><h1>The bees</h1><div>Back.</div><a data-upnote-tag="#garden" href="upnote://x">#garden</a></body></html>';
    expect(
      (await read('UpNote.zip', zipOfTexts({ 'General Space/The bees.html': page }))).entries,
    ).toMatchObject([{ format: 'upnote', title: 'The bees', content: 'Back.\n#garden', tags: ['garden'] }]);
  });
});

test('OneNote: a section in one file', async () => {
  const { entries, leftOut, names } = await read('Garden.mht', oneNoteArchive.replaceAll('\n', '\r\n'));
  expect(entries).toMatchObject([
    {
      format: 'onenote',
      title: 'Garden',
      content: 'The bees\n\nGrüße from the wall, a long line.\n\n[Image left out: image001.png]',
    },
  ]);
  expect(entries[0]?.files).toMatchObject([{ name: 'image001.png' }]);
  // Whoever looks for its files takes that back (files-of-rows.test.ts).
  expect(leftOut).toEqual({ media: 1 });
  expect(names).toEqual(['image001.png']);
});

test('a page in one file keeps what only looks quoted, and one without a page is counted', async () => {
  const quoted = oneNoteArchive.replace('a long =', 'a=4z=4 b=3');
  expect((await read('Garden.mht', quoted)).entries[0]?.content).toContain('a=4z=4 b=3');
  const [none, encoded] = [
    oneNoteArchive.replace('text/html', 'text/plain'),
    oneNoteArchive.replace('quoted-printable', 'base64'),
  ];
  const zip = zipOfTexts({ 'None.mht': none, 'Encoded.mht': encoded, 'Garden.mht': oneNoteArchive });
  const { entries, leftOut } = await read('a.zip', zip);
  expect(entries).toHaveLength(1);
  expect(leftOut).toEqual({ damaged: 2, media: 1 });
  expect((await read('None.mht', none)).refused).toEqual(['damaged']);
});

test('any other page is called by its title, or by its file', async () => {
  expect(
    (await read('a.html', '<title>The lake</title><h1>The lake</h1><p>Warm.</p>')).entries,
  ).toMatchObject([{ format: 'html', title: 'The lake', content: 'Warm.' }]);
  expect((await read('The wall.htm', '<p>Warm.</p>')).entries).toMatchObject([
    { title: 'The wall', content: 'Warm.' },
  ]);
});
