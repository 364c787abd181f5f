// Texts that are made to take long: each is read in a time that grows no faster than its length.
import { expect, test } from 'vitest';
import { LeftOutList } from '../imported-entry.ts';
import { linkText } from '../markup/links-and-media.ts';
import { parseMarkup } from '../markup/parse-markup.ts';
import { toMarkdown } from '../markup/to-markdown.ts';
import { parseDayOne } from './day-one.ts';
import { parseDayOneText } from './day-one-text.ts';
import { parseNote } from './evernote-note.ts';
import { parseKeepNote } from './google-keep.ts';
import { parseJoplin } from './joplin.ts';
import { parseJrnlText } from './jrnl.ts';
import { tagsInText } from './markdown.ts';
import { parseStandardNotes } from './standard-notes.ts';
import { parseTelegram } from './telegram.ts';
import { parseTomboy } from './tomboy.ts';
import { parseUpNoteBackup } from './upnote.ts';
import { parseWhatsApp } from './whatsapp.ts';
import { placeholdersIn } from './whatsapp-placeholders.ts';

const LENGTH = 200_000;
const times = (part: string, length = LENGTH) => part.repeat(Math.ceil(length / part.length));

const joplin = (body: string) =>
  parseJoplin([{ title: 't', body, properties: { type_: '1', id: '1' } }], new LeftOutList());
const html = (text: string) => toMarkdown(parseMarkup(text), { onMedia: () => {} });
const link = (text: string) =>
  linkText({ name: 'a', attributes: { href: 'https://example.org' }, children: [] }, text);
const dayOne = (text: string) => parseDayOne({ entries: [{ text }] }, 'Journal.json', new LeftOutList());
const dayOneText = (text: string) =>
  parseDayOneText('Journal.txt', `\tDate:\t3 June 2024\n\n${text}`, new LeftOutList());
const whatsApp = (name: string) => parseWhatsApp('', name, null, new LeftOutList());
const upNote = (rows: string) => parseUpNoteBackup('a.upnx', `version:1\n${rows}`, new LeftOutList());
const notebook = '{"type":"notebooks","data":{"id":"b","title":"b"}}\n';
const organizer = '{"type":"organizers","data":{"noteId":"a","notebookId":"b"}}\n';
const standardNotes = (count: number) => {
  const tags = Array.from({ length: count }, (_, at) => ({
    content_type: 'Tag',
    content: { title: `t${at}`, references: [{ uuid: 'a' }] },
  }));
  return parseStandardNotes(
    { items: [{ content_type: 'Note', uuid: 'a', content: {} }, ...tags] },
    new LeftOutList(),
  );
};
const evernote = (element: string, count: number) =>
  parseNote(
    {
      fields: {},
      tags: [],
      content: `<en-note>${element.repeat(count)}</en-note>`,
      resources: Array.from({ length: count }, () => ({
        name: 'a',
        type: 'image/png',
        hash: 'b',
        path: null,
      })),
      tasks: Array.from({ length: count }, () => ({ title: 'a', taskGroupNoteLevelID: 'b' })),
    },
    new LeftOutList(),
  );
const keep = (count: number) =>
  parseKeepNote(
    {
      textContent: 'ab'.repeat(5 * count),
      annotations: Array.from({ length: count }, (_, at) => ({ url: `abababababab${at}` })),
    },
    'a',
    new LeftOutList(),
  );
const ID = '0'.repeat(32);

/** Milliseconds of CPU of this process, which other processes do not take part in. Sources of the web app have no types of Node. */
function cpu(): number {
  const { process } = globalThis as unknown as { process: { cpuUsage(): { user: number; system: number } } };
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

test.each<[string, () => unknown]>([
  ['brackets in Joplin', () => joplin(times('['))],
  ['escaped brackets in Joplin', () => joplin(times('\\['))],
  ['links in Joplin with a place that never ends', () => joplin(times(`[](:/${ID}#`))],
  ['links in Joplin with a title that never ends', () => joplin(times(`[](:/${ID} "`))],
  ['links in links in Joplin', () => joplin(`${times('[')}${times(`](:/${ID})`)}`)],
  ['pictures in Joplin that never end', () => joplin(times('<img ', 4 * LENGTH))],
  ['pictures in Joplin with many sources', () => joplin(`<img ${times(` src=":/${ID}"`)}`)],
  ['spaces before a placeholder of WhatsApp', () => placeholdersIn([`a${times(' ')}b<`])],
  ['spaces in the name of a chat', () => whatsApp(`WhatsApp Chat with a${times(' ')}b`)],
  ['marks in a tag', () => tagsInText(`#a${times('-').slice(0, -3)}b`)],
  ['spaces in a heading', () => html(`<h1>a<pre>a${times(' ')}b</pre></h1>`)],
  ['spaces in a bold text', () => html(`<b>a<code>a</code>${times('\u2003')}b</b>`)],
  ['spaces in a title of jrnl', () => parseJrnlText(`[2024-06-03 10:12] a${times(' ')}b`)],
  ['pictures in a link that never end', () => link(`[${times(' left out', 4 * LENGTH)}`)],
  ['attachments of Day One that never begin', () => dayOne(times('!['))],
  ['attachments of Day One in a text', () => dayOneText(times('!['))],
  [
    'attachments of Day One in a text that never end',
    () => dayOneText(times('![](dayone-moment:', 4 * LENGTH)),
  ],
  ['notebooks of one note of UpNote', () => upNote(notebook + organizer.repeat(LENGTH))],
  ['tags of one note of Standard Notes', () => standardNotes(LENGTH)],
  ['attachments of one note of Evernote', () => evernote('<en-media hash="c"/>', LENGTH / 4)],
  [
    'tasks of one note of Evernote',
    () => evernote('<div style="--en-task-group:true;--en-id:b"/>', LENGTH / 4),
  ],
  ['links of one note of Keep', () => keep(LENGTH / 4)],
])('%s are read in a moment', { tags: 'long' }, (_, read) => {
  const begun = cpu();
  read();
  // A time that grows with the square of the length is half a minute and more.
  expect(cpu() - begun).toBeLessThan(5000);
});

test.each(['constructor', '__proto__', 'toString'])(
  'nothing is called by what every object has: %s',
  (name) => {
    const message = {
      type: 'message',
      date: '2024-06-03T10:00:00',
      from: 'Nora',
      file: 'x',
      media_type: name,
    };
    const [chat] = parseTelegram(
      { name: 'a', type: 'personal_chat', messages: [message] },
      'result.json',
      new LeftOutList(),
    );
    expect(chat?.messages()[0]?.text).toBe('[File left out: x]');
    const note = `<note><text><note-content>a <${name}>b</${name}></note-content></text></note>`;
    expect(parseTomboy('a.note', note, new LeftOutList())[0]?.content).toBe('a b');
  },
);
