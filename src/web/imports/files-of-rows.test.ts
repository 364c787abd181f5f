// Photographs and other files of an import, without its page: which of them come along, and what becomes of names and files that were
// made to do harm.
import { md5 } from '@noble/hashes/legacy.js';
import { gzipSync, zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { toBase64, toHex } from '../../crypto/base64.ts';
import { tidyName } from '../../vault/files/file-name.ts';
import { withFilesNamed } from './files-named.ts';
import type { PreviewRow } from './import-messages.ts';
import { dayOneWithPhotos, jpeg } from './testing/day-one-photos.ts';
import { fileOf, importing } from './testing/importing.ts';
import { enexNote, enexOf } from './testing/page-fixtures.ts';

// Ten thousand files take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const utf8 = (text: string) => new TextEncoder().encode(text);

type Imported = Awaited<ReturnType<typeof importing>>;

const bytesOf = async (blob: Blob | null) => blob && new Uint8Array(await blob.arrayBuffer());

async function fileOfRow({ ask }: Imported, id: number, at: number): Promise<Blob | null> {
  const reply = await ask({ ask: 'file', id, at });
  if (!reply.ok || !('file' in reply)) throw new Error('no such file');
  return reply.file;
}

/** Imports a journal of these entries, with these files beside it. */
const dayOne = (entries: object[], files: Record<string, Uint8Array>) =>
  importing([
    fileOf(
      'Journal.zip',
      zipSync({
        'Journal.json': utf8(
          JSON.stringify({
            entries: entries.map((entry, at) => ({
              uuid: `U${at}`,
              creationDate: '2020-01-01T00:00:00Z',
              ...entry,
            })),
          }),
        ),
        ...files,
      }),
    ),
  ]);

const only = ({ rows }: Imported): PreviewRow => rows[0] ?? expect.fail('no row');

test('what is not there is named and counted, what is damaged is told when it is opened, and the others come', async () => {
  const { zip } = dayOneWithPhotos(1, 3);
  // The checksum of the second photograph no longer holds: a byte of its remark is another one.
  const at = new TextDecoder('latin1').decode(zip).indexOf('photograph 1');
  zip[at] = 0x50;
  const found = await importing([fileOf('Journal.zip', zip)]);
  const opened = await Promise.all([0, 1, 2].map(async (n) => bytesOf(await fileOfRow(found, 0, n))));
  expect(opened).toEqual([jpeg(0), null, jpeg(2)]);

  const without = await dayOne(
    [{ text: 'Warm. ![](dayone-moment://A)', photos: [{ identifier: 'A', md5: 'abc', type: 'jpeg' }] }],
    { 'photos/other.jpeg': jpeg(4) },
  );
  expect(only(without).files).toEqual([]);
  expect(without.leftOut).toEqual({ media: 2 });
  expect(await without.words(0)).toContain('[Photo left out: abc.jpeg]');
});

test('an entry of photographs alone is called by how many they are', async () => {
  const photos = ['a', 'b'].map((sum) => ({ identifier: sum, md5: sum, type: 'jpeg' }));
  const found = await dayOne([{ text: '![](dayone-moment://a)', photos }], {
    'photos/a.jpeg': jpeg(1),
    'photos/b.jpeg': jpeg(2),
  });
  expect(only(found)).toMatchObject({ title: '2 photos', start: '[Photo: a.jpeg] [Photo: b.jpeg]' });
  expect(only(found).files).toMatchObject([{ name: 'a.jpeg' }, { name: 'b.jpeg' }]);
});

test('hostile names lead to nothing else, and ten thousand pictures of one entry to thirty', {
  tags: 'long',
}, async () => {
  const names = ['../../etc/passwd', '/etc/passwd', 'C:\\boot.ini', '__proto__', `${'x'.repeat(4000)}.jpg`];
  const found = await dayOne(
    [
      { photos: names.map((filename) => ({ filename })) },
      { photos: Array.from({ length: 10_000 }, (_, n) => ({ md5: `p${n}`, type: 'jpeg' })) },
      { photos: [{ filename: 'photo\u202egpj.exe' }] },
    ],
    {
      [`photos/${'x'.repeat(4000)}.jpg`]: jpeg(1),
      'photos/photo\u202egpj.exe': jpeg(2),
      ...Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`photos/p${n}.jpeg`, jpeg(n)])),
    },
  );
  expect(found.rows.map(({ files }) => files.length).sort((a, b) => a - b)).toEqual([1, 1, 30]);
  expect(found.leftOut).toEqual({ media: 4, 'too-many-files': 9970 });
  const kept = found.rows.filter(({ files }) => files.length === 1).flatMap(({ files }) => files);
  expect(kept.map(({ name }) => tidyName(name)).sort()).toEqual(['photogpj.exe', `${'x'.repeat(251)}.jpg`]);
});

const ID = '0123456789abcdef0123456789abcdef';
const here = (path: string) => new Map([[path, jpeg(7)]]);

test.each<[string, Record<string, string>, Map<string, Uint8Array>]>([
  ['Markdown', { 'vault/Day.md': 'Warm. ![[Bees in May.jpg|300]]' }, here('vault/img/Bees in May.jpg')],
  ['Markdown', { 'vault/Day.md': 'Warm. ![](img/Bees%20in%20May.jpg)' }, here('vault/img/Bees in May.jpg')],
  ['Notion', { [`The day ${ID}.md`]: '# The day\n\n![](The%20day/image.png)' }, here('The day/image.png')],
  [
    'Journey',
    {
      'a.json': JSON.stringify({ id: 'a', date_journal: 1717402502000, text: 'Warm.', photos: ['lake.jpg'] }),
    },
    here('lake.jpg'),
  ],
  [
    'Google Keep',
    {
      'Takeout/Keep/x.json': JSON.stringify({
        ...{ title: 'Day', textContent: 'Warm.', userEditedTimestampUsec: 1600000000000000 },
        attachments: [{ filePath: '17a.jpeg', mimetype: 'image/jpeg' }],
      }),
    },
    here('Takeout/Keep/17a.jpg'),
  ],
  [
    'WhatsApp',
    { '_chat.txt': '31.12.23, 23:58 - Nora: Look\n31.12.23, 23:59 - Nora: IMG-1.jpg (file attached)' },
    here('IMG-1.jpg'),
  ],
  [
    'Telegram',
    {
      'result.json': JSON.stringify({
        ...{ name: 'Nora', type: 'personal_chat', id: 1 },
        messages: [
          {
            id: 1,
            type: 'message',
            date: '2023-12-31T10:01:00',
            from: 'Nora',
            photo: 'photos/1.jpg',
            text: '',
          },
        ],
      }),
    },
    here('photos/1.jpg'),
  ],
  [
    'Bear',
    { 'The wall.textbundle/text.md': 'Plums. ![](assets/plum.jpg)', 'The wall.textbundle/info.json': '{}' },
    here('The wall.textbundle/assets/plum.jpg'),
  ],
  [
    'a web page',
    { 'page.html': '<title>The wall</title><p>It stands. <img src="wall.jpg"></p>' },
    here('wall.jpg'),
  ],
])('of %s a picture comes along with its text', async (_, texts, pictures) => {
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, utf8(text)]));
  const found = await importing([
    fileOf('Export.zip', zipSync({ ...files, ...Object.fromEntries(pictures) })),
  ]);
  expect(only(found).files).toHaveLength(1);
  expect(found.leftOut.media).toBeUndefined();
  expect(await bytesOf(await fileOfRow(found, only(found).id, 0))).toEqual(jpeg(7));
  expect(withFilesNamed((await found.words(0)) ?? '', only(found).files)).not.toContain('left out');
});

test('the photographs of an entry that is split come with the part that names them, and are left out of none', async () => {
  const photos = ['A', 'B', 'C'].map((identifier, at) => ({ identifier, md5: `photo${at}`, type: 'jpeg' }));
  const [a, b, c] = photos.map(({ identifier }) => `![](dayone-moment://${identifier})`);
  const long = 'Warm words. '.repeat(150_000);
  const found = await dayOne([{ text: `${a}\n\n${long}\n\n${b} ${a} ${c}`, photos }], {
    'photos/photo0.jpeg': jpeg(0),
    'photos/photo1.jpeg': jpeg(1),
  });
  const rows = found.rows.toSorted((one, other) => (one.title < other.title ? -1 : 1));
  expect(rows.map(({ files }) => files.map(({ name }) => name))).toEqual([['photo0.jpeg'], ['photo1.jpeg']]);
  const [first = '', second = ''] = await Promise.all(
    rows.map(async ({ id, files }) => withFilesNamed((await found.words(id)) ?? '', files)),
  );
  expect(first).toContain('[Photo: photo0.jpeg]');
  expect(first).not.toContain('left out');
  expect(second).toContain('[Photo: photo1.jpeg] [Photo: photo0.jpeg] [Photo left out: photo2.jpeg]');
});

const page = 'file:///C:/D/Garden';
const webArchive = (html: string, pictures: string) =>
  [
    'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n',
    `--x\nContent-Location: ${page}.htm\nContent-Type: text/html\n\n${html}`,
    `${pictures}--x--\n`,
  ].join('\n');
const pictureAt = (location: string, base64: string) =>
  `--x\nContent-Location: ${location}\nContent-Transfer-Encoding: base64\nContent-Type: image/jpeg\n\n${base64}\n\n`;

test('the pictures of a section of OneNote come along from within its file, once each; what is no Base64 does not', async () => {
  const html =
    '<meta name=ProgId content=OneNote.File><p>Warm.</p><img src="Garden_files/a.jpg"><img src="Garden_files/bad.jpg">' +
    `<img src="${page}_files/a.jpg"><img src="Garden_files/gone.jpg"><img src="../../etc/passwd">`;
  const pictures =
    pictureAt(`${page}_files/a.jpg`, toBase64(jpeg(3)).replace(/.{76}/g, '$&\r\n')) +
    pictureAt(`${page}_files/bad.jpg`, '%%%%') +
    pictureAt(`${page}_files/unseen.jpg`, toBase64(jpeg(4)));
  const found = await importing([fileOf('Garden.mht', utf8(webArchive(html, pictures)))]);
  expect(only(found).files).toEqual([{ name: 'a.jpg', type: 'image/jpeg', bytes: jpeg(3).length }]);
  expect(await bytesOf(await fileOfRow(found, 0, 0))).toEqual(jpeg(3));
  expect(found.leftOut).toEqual({ media: 4 });
  expect(withFilesNamed((await found.words(0)) ?? '', only(found).files)).toContain('[Image: a.jpg]');
});

test('what is attached to a note of UpNote comes along from the folder beside its backup', async () => {
  const own = 'http://localhost:45670/images/owner';
  const html = `<p>Warm.</p><img src="${own}/bees%20in%20May.jpg?w=3"><a href="${own}/wall.pdf">The wall</a><img src="${own}/gone.jpg"><img src="https://example.org/web.jpg">`;
  const note = { id: 'n1', title: 'Bees', createdAt: 1717402502000, html };
  const backup = `version:2\n${JSON.stringify({ type: 'notes', data: note })}`;
  const found = await importing([
    fileOf(
      'UpNote_Backup.zip',
      zipSync({
        'UpNote_Backup/data/2024-06-03.upnx': gzipSync(utf8(backup)),
        'UpNote_Backup/files/bees in May.jpg': jpeg(5),
        'UpNote_Backup/files/wall.pdf': utf8('%PDF-1.7'),
      }),
    ),
  ]);
  expect(only(found).files.map(({ name }) => name)).toEqual(['bees in May.jpg', 'wall.pdf']);
  expect(await bytesOf(await fileOfRow(found, 0, 0))).toEqual(jpeg(5));
  expect(found.leftOut).toEqual({ media: 2 });
  const words = withFilesNamed((await found.words(0)) ?? '', only(found).files);
  expect(words).toContain('[Image: bees in May.jpg]');
  expect(words).toContain('[Image left out: gone.jpg]');
});

/** What is attached to a note, as an export has it. */
const attached = (bytes: Uint8Array, type: string, name = '') =>
  `<resource><data encoding="base64">\n${toBase64(bytes).replace(/.{76}/g, '$&\n')}\n</data>` +
  `<mime>${type}</mime>${name && `<resource-attributes><file-name>${name}</file-name></resource-attributes>`}</resource>`;
const media = (bytes: Uint8Array, type: string) => `<en-media hash="${toHex(md5(bytes))}" type="${type}"/>`;

test('what is attached to notes of Evernote comes along from within their file, whatever stands before it', {
  tags: 'long',
}, async () => {
  const [bees, wall, tune] = [jpeg(1), jpeg(2), new Uint8Array(200_000).fill(7)];
  const found = await importing([
    fileOf(
      'Garden.enex',
      `\ufeff${enexOf(
        enexNote('Ágnes und die Bienen 🐝', 'Süß.'),
        enexNote(
          'Bienen',
          `Süß. 🐝${media(wall, 'image/jpeg')}${media(bees, 'image/jpeg')}`,
          `${attached(bees, 'image/jpeg', 'bees.jpg')}${attached(wall, 'image/jpeg')}${attached(tune, 'audio/mpeg', 'Ő.mp3')}`,
        ),
      )}`,
    ),
  ]);
  const at = found.rows.findIndex(({ files }) => files.length > 0);
  expect(found.rows[at]?.files).toEqual([
    {
      name: 'image.jpg',
      type: 'image/jpeg',
      bytes: wall.length,
      standsAs: { words: '[Image left out]', nths: [0] },
    },
    { name: 'bees.jpg', type: 'image/jpeg', bytes: bees.length },
    { name: 'Ő.mp3', type: 'audio/mpeg', bytes: tune.length },
  ]);
  for (const [n, bytes] of [wall, bees, tune].entries())
    expect(await bytesOf(await fileOfRow(found, at, n))).toEqual(bytes);
  expect(found.leftOut).toEqual({});
  const words = withFilesNamed((await found.words(at)) ?? '', found.rows[at]?.files ?? []);
  expect(words).toMatch(/\[Image: image\.jpg\].*\[Image: bees\.jpg\].*\[Recording: Ő\.mp3\]/s);
});

test('pictures of Evernote without names are named in their own places, whichever of them come along', async () => {
  const [wall, bees, gone] = [jpeg(1), jpeg(2), jpeg(3)];
  const found = await importing([
    fileOf(
      'Garden.enex',
      enexOf(
        enexNote(
          'Bienen',
          `<div>It said [Image left out] of a${media(gone, 'image/jpeg')}, b${media(wall, 'image/jpeg')},</div>` +
            `<div>c${media(bees, 'image/jpeg')}, <a href="https://mill.example/">${media(wall, 'image/jpeg')}</a> again.</div>`,
          `${attached(bees, 'image/jpeg')}${attached(gone, 'image/jpeg').replace('\n', '\n==A=')}${attached(wall, 'image/jpeg')}`,
        ),
      ),
    ),
  ]);
  const { files } = only(found);
  expect(files.map(({ standsAs }) => standsAs?.nths)).toEqual([[2, 4], [3]]);
  const words = (await found.words(0)) ?? '';
  expect(words).toContain('It said [Image left out] of a[Image left out], b[Image left out],');
  expect(words).not.toMatch(/\p{Surrogate}/u);
  // One of them has no room, or is refused: the other one is named all the same, where it stands.
  const [theWall, theBees] = files.map(({ standsAs, ...file }, at) => ({
    ...(standsAs && { standsAs }),
    ...file,
    name: `${at === 0 ? 'wall' : 'bees'}.jpg`,
  }));
  expect(withFilesNamed(words, theBees ? [theBees] : [])).toMatch(
    /of a\[Image left out\], b\[Image left out\],\s+c\[Image: bees\.jpg\], \[Image left out\] again/,
  );
  expect(withFilesNamed(words, theWall && theBees ? [theBees, theWall] : [])).toMatch(
    /of a\[Image left out\], b\[Image: wall\.jpg\],\s+c\[Image: bees\.jpg\], \[Image: wall\.jpg\] again/,
  );
});

test('a picture without a name is named in the part where it stands, when its note is split', {
  tags: 'long',
}, async () => {
  const long = '<div>Warm words.</div>'.repeat(170_000);
  const [wall, bees] = [jpeg(1), jpeg(2)];
  const found = await importing([
    fileOf(
      'Garden.enex',
      enexOf(
        enexNote(
          'Bienen',
          `${media(wall, 'image/jpeg')}${long}${media(bees, 'image/jpeg')}<div>The end.</div>`,
          `${attached(wall, 'image/jpeg')}${attached(bees, 'image/jpeg')}`,
        ),
      ),
    ),
  ]);
  const rows = found.rows.toSorted((one, other) => (one.title < other.title ? -1 : 1));
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.map(({ files }) => files.length).filter(Boolean)).toEqual([1, 1]);
  for (const { id, files } of rows) {
    const words = withFilesNamed((await found.words(id)) ?? '', files);
    expect(words.match(/\[Image: image\.jpg\]/g) ?? []).toHaveLength(files.length);
    expect(words).not.toContain('left out');
  }
});

test('a great attachment is opened without all of its bytes at once', { tags: 'long' }, async () => {
  const film = new Uint8Array(5 * 2 ** 20).fill(7);
  const found = await importing([
    fileOf('Garden.enex', enexOf(enexNote('Film', 'It.', attached(film, 'video/mp4', 'film.mp4')))),
  ]);
  let most = 0;
  const Real = Blob;
  vi.stubGlobal(
    'Blob',
    class extends Real {
      constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
        super(parts, options);
        const held = parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : 0), 0);
        most = Math.max(most, held);
      }
    },
  );
  const file = await fileOfRow(found, 0, 0);
  vi.unstubAllGlobals();
  const bytes = (await bytesOf(file)) ?? expect.fail('it was not opened');
  expect([bytes.length, toHex(md5(bytes))]).toEqual([film.length, toHex(md5(film))]);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2 ** 20);
});

test('what is no Base64 stays left out, and what cannot be found again is told when it is opened', async () => {
  const damaged = attached(jpeg(1), 'image/jpeg', 'bees.jpg').replace('\n', '\n==A=');
  // A byte that is no UTF-8 is read as three: what follows no longer stands where it was seen.
  const [before = '', after = ''] = enexOf(
    enexNote('Bees%', 'They came back.', attached(jpeg(2), 'image/jpeg', 'wall.jpg')),
    enexNote('No bees', 'Not one.', damaged),
  ).split('%');
  const found = await importing([
    fileOf('Garden.enex', new Uint8Array([...utf8(before), 0xff, ...utf8(after)])),
  ]);
  expect(found.leftOut).toEqual({ media: 1 });
  const at = found.rows.findIndex(({ files }) => files.length > 0);
  expect(found.rows[at]?.files).toMatchObject([{ name: 'wall.jpg' }]);
  expect(await fileOfRow(found, at, 0)).toBeNull();
});
