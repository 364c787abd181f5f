// What the vault says of entries, in English, is what the Ark's catalogues know: it is told to a reader in any of them.
import { expect, test } from 'vitest';
import { catalogues } from '../../../../ark/template.ts';
import { factIn } from '../../../../ark/testing/fact-in.ts';
import { eventTypes, weights } from '../../../../shared/nouns/moment-kinds.ts';
import { storyTypes } from '../../../../shared/nouns/story-types.ts';
import type { EntriesFile } from '../../../../vault/archive/entries-file.ts';
import { readableEntries } from '../../../../vault/archive/readable-entries.ts';
import { findingLine } from './ark-work.ts';
import { leftOutLines } from './readable-files.ts';

const { en: _, ...foreign } = catalogues;
const at = '2026-01-01T00:00:00.000Z';

const arrived = (by: object) => ({ v: 1, arrived: by });
const entry = { sealId: 'x', content: 'Words.', createdAt: at, updatedAt: at, details: null };

/** One of everything that may be said. */
const everything = {
  memories: [
    { ...entry, title: 'One', timeLockUntil: at },
    ...[
      { by: 'webhook', id: 1 },
      { by: 'model', model: null },
      { by: 'model', model: 'A model' },
      { by: 'server' },
    ].map((by) => ({ ...entry, title: 'One', timeLockUntil: null, details: arrived(by) })),
  ],
  relationships: [
    ...eventTypes.map(({ value }) => ({
      ...entry,
      personName: 'Nora',
      eventType: value,
      emotionalWeight: 3,
    })),
    ...weights.map(({ value }) => ({
      ...entry,
      personName: 'Nora',
      eventType: 'ending',
      emotionalWeight: value,
    })),
    { ...entry, personName: 'Nora' },
  ],
  myths: storyTypes.map(({ value }) => ({ ...entry, title: 'A myth', storyType: value })),
  letters: (['dormant', 'watching', 'released'] as const).map((state) => ({
    ...entry,
    ...{ title: 'A letter', state, recipients: [{ name: 'Mira', recipientAddress: 'mira@mail.example' }] },
  })),
  whispers: [{ ...entry, title: 'A whisper', releasedAt: at, from: 'AAAA' }],
  answers: { question1: 'a', question2: 'b', question3: 'c', createdAt: at },
} as unknown as EntriesFile;

const leftOut: Required<EntriesFile['leftOut']> = {
  locked: [
    { title: 'Later', timeLockUntil: at },
    { title: null, timeLockUntil: at },
  ],
  unreadable: [{ kind: 'memory', id: 1, createdAt: at }],
  ...{ deleted: 2, ghosts: 2, breath: true, answers: true, links: 2, webhooks: 2, scrolls: 2, whispers: 2 },
  lost: [{ name: 'a.jpg', of: 'Bees' }],
  ...{ undescribed: 2, kits: 2 },
} as unknown as Required<EntriesFile['leftOut']>;

test.each(Object.entries(foreign))('in %s', (code, catalogue) => {
  const readable = readableEntries(everything);
  const titles = readable.flatMap(({ kind, title }) => (kind === 'answer' ? [title] : []));
  const facts = readable.flatMap((one) => one.facts);
  const lines = leftOutLines(leftOut);
  expect([titles.length, new Set(facts).size, lines.length]).toEqual([3, 28, 14]);
  const said = [...titles, ...facts, ...lines, findingLine('Something.')];
  // A word may be the same in two languages.
  const same = new Set(['Ending', 'Confession'].filter((word) => catalogue[word as 'Ending'] === word));
  expect(said.filter((one) => factIn(code, catalogue, one) === one && !same.has(one))).toEqual([]);
});
