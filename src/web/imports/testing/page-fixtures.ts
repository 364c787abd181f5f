// Exports that are HTML or XML within, small and invented, as their applications write them. For tests.

const enex = (...notes: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20240701T120000Z" application="Evernote" version="10.91.1">
${notes.join('\n')}
</en-export>
`;

/** A note of Evernote. @param content the inside of its page @param more elements beside that */
export const enexNote = (title: string, content: string, more = '') =>
  `<note><title>${title}</title><created>20240603T081502Z</created><updated>20240604T090000Z</updated>${more}<content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${content}</en-note>]]></content></note>`;

export const enexOf = enex;

/** `bees`, in Base64, and its MD5. */
export const BEES = { data: 'YmVl\ncw==', hash: 'fc241ec2669cc09d984b5ce23f71ffca' };

export const evernoteExport = enex(
  enexNote(
    'The bees &amp; the wall',
    '<div>They came <b>back</b>.</div><div><br/></div><div><en-todo checked="true"/>Feed them</div>' +
      '<en-media hash="fc241ec2669cc09d984b5ce23f71ffca" type="image/jpeg"/>',
    '<tag>garden</tag><tag>late summer</tag><resource><data encoding="base64">YmVlcw==</data><mime>image/jpeg</mime>' +
      '<recognition><![CDATA[<recoIndex objID="x"><item><t w="90">BEES</t></item></recoIndex>]]></recognition>' +
      '<resource-attributes><file-name>bees.jpg</file-name></resource-attributes></resource>',
  ),
  enexNote('Secret', '<div>Before</div><en-crypt hint="lake">U2VhbGVk</en-crypt>'),
  enexNote('Untitled', '<div><br/></div>'),
);

export const joplinId = (digit: string) => digit.repeat(32);

/** An item of Joplin, as it lies in an export. */
export const joplinItem = (type: number, id: string, text: string, properties: Record<string, string> = {}) =>
  `${text}${text ? '\n\n' : ''}${Object.entries({
    id,
    created_time: '2024-06-03T08:15:02.000Z',
    updated_time: '2024-06-04T09:00:00.000Z',
    encryption_applied: '0',
    ...properties,
    type_: String(type),
  })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}`;

export const joplinFiles: Record<string, string> = {
  [`${joplinId('a')}.md`]: joplinItem(
    1,
    joplinId('a'),
    'The bees\n\nThey came back.\n\n![bees](:/cccccccccccccccccccccccccccccccc)',
    {
      parent_id: joplinId('b'),
      is_todo: '1',
      todo_completed: '0',
      todo_due: '1717488900000',
      source_url: 'https://example.org/bees',
      markup_language: '1',
    },
  ),
  [`${joplinId('b')}.md`]: joplinItem(2, joplinId('b'), 'Garden'),
  [`${joplinId('c')}.md`]: joplinItem(4, joplinId('c'), 'bees.jpg', { mime: 'image/jpeg', filename: '' }),
  [`${joplinId('d')}.md`]: joplinItem(5, joplinId('d'), 'summer'),
  [`${joplinId('e')}.md`]: joplinItem(6, joplinId('e'), '', {
    note_id: joplinId('a'),
    tag_id: joplinId('d'),
  }),
  [`${joplinId('f')}.md`]: joplinItem(1, joplinId('f'), 'Old\n\nGone.', { deleted_time: '1717488900000' }),
  [`resources/${joplinId('c')}.jpg`]: 'a picture',
};

/** A tar of texts, by their paths. */
export function tarOfTexts(texts: Record<string, string>): Uint8Array {
  const blocks = Object.entries(texts).flatMap(([path, text]) =>
    tarEntry(path, new TextEncoder().encode(text)),
  );
  return joined([...blocks, new Uint8Array(1024)]);
}

/** A header and what it announces. */
export function tarEntry(path: string, content: Uint8Array, type = '0'): Uint8Array[] {
  const header = new Uint8Array(512);
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  put(0, path.slice(0, 100));
  put(100, '0000644\0');
  put(124, `${content.length.toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0');
  put(148, '        ');
  put(156, type);
  put(257, 'ustar\x0000');
  put(
    148,
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
  );
  return [header, content, new Uint8Array((512 - (content.length % 512)) % 512)];
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** An entry of Journey. */
export const journeyEntry = (more: object = {}) =>
  JSON.stringify({
    id: '1717402502000-3fd84fcd19f24294',
    date_journal: 1717402502000,
    date_modified: 1717403000000,
    timezone: 'Europe/Vienna',
    type: 'html',
    text: '<p dir="auto">They came&nbsp;back.</p>\n<p dir="auto"></p>\n<p dir="auto"><em>All</em> of them.</p>',
    preview_text: '<p dir="auto">They came',
    mood: 5,
    tags: ['garden'],
    address: 'Pier 3, Hallstatt',
    lat: 1.7976931348623157e308,
    lon: 1.7976931348623157e308,
    weather: {
      id: -1,
      degree_c: 9.4000000000000004,
      description: 'Overcast clouds',
      place: 'Hallstatt',
      icon: '03n',
    },
    music_artist: '',
    music_title: '',
    label: '',
    folder: '',
    favourite: true,
    photos: ['1717402502000-lake.jpg'],
    ...more,
  });

/** A page of Apple's Journal, with elements that overlap as theirs do. */
export const appleJournalPage = (header: string, title: string, paragraphs: readonly string[], assets = '') =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Entry</title><style>p.p1 {margin: 0}</style></head><body>
<p class="p1"><span class="s1"><div class='pageContainer'>
<div class="pageHeader">${header}</div>
<div class="assetGrid">${assets}</div><div class='title'>${title}</div><div class='bodyText'></span></p>
${paragraphs.map((text) => `<p class="p2"><span class="s2">${text}</span></p>`).join('\n')}
<p class="p1"><span class="s1"></div></div></span></p>
</body></html>`;

/** A page of Notion. */
export const notionPage = (title: string, properties: string, body: string) =>
  `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>${title}</title><style>body {}</style></head><body><article id="1590080a-a5a3-8024-88c2-e857dea7aa7e" class="page sans"><header><h1 class="page-title">${title}</h1><p class="page-description"></p>${properties && `<table class="properties"><tbody>${properties}</tbody></table>`}</header><div class="page-body">${body}</div></article></body></html>`;

export const notionProperty = (type: string, name: string, value: string) =>
  `<tr class="property-row property-row-${type}"><th><span class="icon property-icon"></span>${name}</th><td>${value}</td></tr>`;

/** The unpacked backup of UpNote. */
export const upNoteBackup = [
  'version:2',
  JSON.stringify({ type: 'notebooks', data: { id: 'nb1', title: 'Garden', parent: '' } }),
  JSON.stringify({ type: 'notebooks', data: { id: 'nb2', title: 'Bees', parent: 'nb1' } }),
  JSON.stringify({ type: 'organizers', data: { noteId: 'n1', notebookId: 'nb2' } }),
  JSON.stringify({
    type: 'notes',
    data: {
      id: 'n1',
      title: 'The bees',
      createdAt: 1717402502000,
      updatedAt: 1717403000000,
      pinned: true,
      html: '<h1>The bees</h1><div>They came back.</div><ul><li data-checked="true">Feed them</li></ul><a href="upnote://x-callback-url/tag/view?tag=late%20summer">#late summer</a>',
    },
  }),
  JSON.stringify({ type: 'notes', data: { id: 'n2', title: 'Old', trashed: true, html: '<p>Gone</p>' } }),
].join('\n');

/** A section of OneNote as a single file. */
export const oneNoteArchive = `MIME-Version: 1.0
Content-Type: multipart/related;
\tboundary="----=_NextPart_01D"

This document is a Single File Web Page.

------=_NextPart_01D
Content-Location: file:///C:/D/Garden.htm
Content-Transfer-Encoding: quoted-printable
Content-Type: text/html; charset="utf-8"

<html xmlns:o=3D"urn:schemas-microsoft-com:office:office"><head>
<meta name=3DProgId content=3DOneNote.File><title>Garden</title></head><body>
<p style=3D"font-size:20.0pt">The bees</p><p>Gr=C3=BC=C3=9Fe from the wall, a long =
line.</p><img src=3D"Garden_files/image001.png"></body></html>

------=_NextPart_01D
Content-Location: file:///C:/D/Garden_files/image001.png
Content-Transfer-Encoding: base64
Content-Type: image/png

iVBORw0KGgo=

------=_NextPart_01D
Content-Location: file:///C:/D/Garden_files/filelist.xml
Content-Type: text/xml

<xml></xml>
------=_NextPart_01D--
`;
