import { expect, test } from 'vitest';
import type { EntriesFile } from '../vault/archive/entries-file.ts';
import { arkContents } from './contents.ts';

const at = '2026-01-02T03:04:05.000Z';
const later = '2026-03-02T03:04:05.000Z';
const sealId = 'A'.repeat(22);
const dates = { createdAt: at, updatedAt: at };
const file = {
  ...{ id: 'AAECAwQFBgcICQoLDA0ODw', key: 'A'.repeat(43), root: 'A'.repeat(43) },
  ...{ name: 'bees.jpg', type: 'image/jpeg', bytes: 12, width: 3, height: 4, takenAt: '2019-05-17T14:30:05' },
};

const vault: EntriesFile = {
  format: 'latebra/entries',
  v: 1,
  memories: [
    {
      ...dates,
      sealId,
      title: 'Bees',
      content: 'Hives.',
      timeLockUntil: null,
      details: { v: 1, happenedOn: '1962-22~', tags: ['home'], files: [file] },
    },
    {
      ...dates,
      sealId,
      title: 'Once locked',
      content: 'Now.',
      timeLockUntil: '2026-02-01T00:00:00.000Z',
      updatedAt: later,
    },
  ],
  relationships: [
    {
      ...dates,
      sealId,
      personName: 'Nora',
      content: 'On the ferry.',
      eventType: 'confession',
      emotionalWeight: 4,
    },
  ],
  myths: [{ ...dates, sealId, title: 'The bell', content: 'Once.', storyType: 'eulogy' }],
  letters: [
    {
      ...{
        sealId,
        title: 'For Ada',
        content: 'Behind the clock.',
        state: 'watching',
        triggerType: 'manual',
        triggerValue: 'manual',
      },
      ...{ timeZone: 'Europe/Berlin', authorName: null, createdAt: at },
      recipients: [
        { recipientType: 'email', recipientAddress: 'ada@example.org', tell: 'at-release', name: 'Ada' },
      ],
    },
  ],
  whispers: [
    {
      sealId,
      publicId: sealId,
      title: 'Under the stairs',
      content: 'Look.',
      from: '0'.repeat(32),
      releasedAt: at,
    },
  ],
  answers: { question1: 'Nothing.', question2: 'Nora.', question3: 'A bridge.', createdAt: at },
  leftOut: {
    ...{ locked: [], unreadable: [], deleted: 0, ghosts: 0, breath: false, answers: false, links: 0 },
    ...{ webhooks: 0, scrolls: 0, whispers: 0 },
  },
};
const contents = (entries: EntriesFile) => JSON.parse(arkContents(entries, ['A line.']));

test('everything that somebody may read is in it, the newest first, in plain words', () => {
  const { entries, ...others } = contents(vault);
  expect(others).toEqual({ format: 'latebra/ark-entries', v: 1, asOf: later, leftOut: ['A line.'] });
  const times = entries.map(
    (entry: { happenedOn?: string; writtenAt: string }) => entry.happenedOn ?? entry.writtenAt,
  );
  expect(times).toEqual(times.toSorted().toReversed());
  const kinds = entries.map(({ kind }: { kind: string }) => kind);
  expect(kinds.toSorted()).toEqual([
    'answer',
    'answer',
    'answer',
    'letter',
    'memory',
    'memory',
    'moment',
    'myth',
    'whisper',
  ]);
  const by = (title: string) => entries.find((entry: { title: string }) => entry.title === title);
  expect(entries.at(-1)).toEqual({
    ...{
      kind: 'memory',
      title: 'Bees',
      text: 'Hives.',
      writtenAt: at,
      happenedOn: '1962-22~',
      tags: ['home'],
      facts: [],
    },
    files: [{ id: file.id, key: file.key, root: file.root, name: 'bees.jpg', type: 'image/jpeg', bytes: 12 }],
  });
  expect(by('Once locked').facts).toEqual(['Unlocked since 2026-02-01']);
  expect(by('Nora')).toMatchObject({
    kind: 'moment',
    text: 'On the ferry.',
    facts: ['Confession', 'Weight 4 of 5, Intense'],
  });
  expect(by('For Ada').facts).toEqual(['For Ada', 'watched over when this was made']);
  expect(by('Who do you trust?').text).toBe('Nora.');
});

test('the same vault is the same text, in whatever order its lists and members came', () => {
  const turned = Object.fromEntries(Object.entries(vault).toReversed()) as unknown as EntriesFile;
  const memories = vault.memories
    .toReversed()
    .map((entry) => Object.fromEntries(Object.entries(entry).toReversed()));
  expect(arkContents({ ...turned, memories: memories as EntriesFile['memories'] }, ['A line.'])).toBe(
    arkContents(vault, ['A line.']),
  );
});

test('each entry stands on a line of its own, whatever stands in it', () => {
  const memories = vault.memories.map((memory) => ({ ...memory, content: 'One.\n\u2028Two, {"a":[\n' }));
  const lines = arkContents({ ...vault, memories }, ['A line.']).split('\n');
  const entries = lines.slice(1, -1).map((line) => JSON.parse(line.replace(/,$/, '')));
  expect(entries).toEqual(contents({ ...vault, memories }).entries);
  expect(JSON.parse(`${lines[0]}${lines.at(-1)}`).entries).toEqual([]);
});

test('an empty vault has contents too', () => {
  const nothing = {
    ...vault,
    memories: [],
    relationships: [],
    myths: [],
    letters: [],
    whispers: [],
    answers: null,
  };
  expect(contents(nothing)).toMatchObject({ asOf: '', entries: [] });
});
