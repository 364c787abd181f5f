// The same files are known by the same numbers in every time zone: only the dates of what has an instant differ.
import { afterEach, expect, test } from 'vitest';
import { expectedCounts } from './testing/expected-counts.ts';
import { fixtures, zipOfTexts } from './testing/fixtures.ts';
import { fileOf, importing } from './testing/importing.ts';

// What the browser's code is checked with has no types of Node.
declare const process: { env: Record<string, string | undefined> };

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** Samoa had no 30 December 2011: a day that this clock has skipped is one all the same. */
const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Apia', 'Asia/Kathmandu'];

/** Instants without a number of their own, late in the evening of some zones. */
const odd: Record<string, string | Uint8Array> = {
  'old note.json': JSON.stringify({
    title: 'Shopping',
    isTrashed: false,
    textContent: 'Plums',
    userEditedTimestampUsec: 1_600_000_000_000_000,
  }),
  'notes.txt': JSON.stringify({
    version: '004',
    items: [
      { content_type: 'Note', created_at: '2020-02-03T23:05:06Z', content: { title: 'Bees', text: 'x' } },
    ],
  }),
  'Journal.json': JSON.stringify({
    metadata: {},
    entries: [{ uuid: '', creationDate: '2020-02-03T23:05:06Z', text: 'Warm' }],
  }),
  'bitwarden.json': JSON.stringify({
    encrypted: false,
    folders: [],
    items: [{ type: 2, name: 'The safe', notes: 'x', creationDate: '2020-02-03T23:05:06Z' }],
  }),
  'simplenote.json': JSON.stringify({
    activeNotes: [{ content: 'The wall', creationDate: '2020-02-03T23:05:06Z' }],
    trashedNotes: [],
  }),
  'renamed.note':
    '<note xmlns="http://beatniksoftware.com/tomboy"><title>The pier</title><create-date>2020-02-03T22:05:06.1-01:00</create-date></note>',
  'bear.zip': zipOfTexts({
    'The bees.textbundle/text.md': 'Back.',
    'The bees.textbundle/info.json': '{"net.shinyfrog.bear":{"creationDate":"2020-02-03T23:05:06Z"}}',
  }),
  'result.json': JSON.stringify({
    name: 'Nora',
    type: 'personal_chat',
    id: 4271,
    messages: [{ id: 1, type: 'message', date_unixtime: '1704063550', from: 'Nora', text: 'x' }],
  }),
  'WhatsApp Chat with Nora.txt': '30.12.11, 10:00 - Nora: a\n31.12.11, 10:00 - Nora: b',
  '2011-12-30.md': 'A day',
};

test('every file, imported in four time zones', { tags: 'long' }, async () => {
  const files = [
    ...Object.keys(expectedCounts).map((name) => fileOf(name, fixtures[name] ?? '')),
    ...Object.entries(odd).map(([name, text]) => fileOf(name, text)),
  ];
  const seen: { sealIds: string[]; texts: string[]; dates: (string | null)[] }[] = [];
  for (const name of ZONES) {
    process.env.TZ = name;
    const { rows, leftOut } = await importing(files);
    const sorted = rows.toSorted((a, b) => (a.sealId < b.sealId ? -1 : 1));
    seen.push({
      sealIds: sorted.map(({ sealId }) => sealId),
      texts: [...sorted.map(({ title, start }) => `${title}: ${start}`), JSON.stringify(leftOut)],
      dates: sorted.map(({ happenedOn }) => happenedOn),
    });
  }
  const [first, ...others] = seen;
  for (const one of others) {
    expect(one.sealIds).toEqual(first?.sealIds);
    expect(one.texts).toEqual(first?.texts);
    // The test means something: the clocks do differ.
    expect(one.dates).not.toEqual(first?.dates);
    expect(one.dates).toContain('2011-12-30');
  }
});
