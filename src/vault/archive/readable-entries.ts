// What an export says, one entry after the other and in plain words, for a reader that knows none of the kinds. Pure.
import { QUESTIONS } from '../../shared/three-questions.ts';
import { arrivedWords } from '../entries/arrival-words.ts';
import { detailsFromJson, readArrival, readDetails } from '../entries/details.ts';
import { type FileRef, readFiles } from '../files/file-ref.ts';
import type { EntryKind, EntryType, ExportedEntry } from '../kinds/entry-kind.ts';
import { everyEntryKind } from '../kinds/entry-kinds.ts';
import { type EntriesFile, type ExportedLetter, entriesOf } from './entries-file.ts';

/** An entry, a letter, a whisper or an answer as somebody reads it. */
export interface ReadableEntry {
  /** The noun of its kind of entry, or `letter`, `whisper`, `answer`. */
  kind: string;
  title: string;
  text: string;
  /** When it was written, ISO 8601. */
  writtenAt: string;
  /** When it happened, as exactly as it is known (EDTF). Absent for nothing. */
  happenedOn?: string;
  /** What else is said of it, a few words each. */
  facts: string[];
  tags: string[];
  files: readonly FileRef[];
}

/** What details say, as far as it is read, beside what else is known of an entry. What its author did not write is marked. */
function withDetails(
  details: ExportedEntry['details'],
  facts: readonly string[],
): Pick<ReadableEntry, 'happenedOn' | 'facts' | 'tags' | 'files'> {
  const json = detailsFromJson(details);
  const { happenedOn, tags } = readDetails(json);
  const arrived = readArrival(json);
  return {
    ...(happenedOn !== null && { happenedOn }),
    ...{ facts: [...facts, ...(arrived ? [arrivedWords(arrived)] : [])], tags: [...tags] },
    files: readFiles(json).files,
  };
}

/** Moments as their days: nobody reads the rest. */
const withDays = (fact: string) => fact.replace(/(\d{4}-\d\d-\d\d)T[\d:.]+Z/g, '$1');

function letterFacts({ recipients, state }: ExportedLetter): string[] {
  const names = recipients.map(({ name, recipientAddress }) => name || recipientAddress).filter(Boolean);
  const stood = {
    dormant: 'a draft when this was made',
    watching: 'watched over when this was made',
    released: 'sent before this was made',
  }[state];
  return [...(names.length > 0 ? [`For ${names.join(', ')}`] : []), stood];
}

/** An entry of a list as somebody reads it. */
export const readableEntry = (kind: EntryKind<EntryType>, entry: ExportedEntry): ReadableEntry => ({
  ...{ kind: kind.words.noun, title: kind.archive.heading(entry), text: entry.content },
  // The first of a kind's facts is when it was written.
  writtenAt: entry.createdAt,
  ...withDetails(entry.details, kind.archive.facts(entry).slice(1).map(withDays)),
});

/**
 * Everything of an export that somebody may read, the newest first; what is of one time stands in the order of its text, so
 * that the same entries always give the same list.
 */
export function readableEntries(entries: EntriesFile): ReadableEntry[] {
  const { answers } = entries;
  const all: ReadableEntry[] = [
    ...everyEntryKind.flatMap((kind) => entriesOf(entries, kind).map((entry) => readableEntry(kind, entry))),
    ...entries.letters.map((letter) => ({
      ...{ kind: 'letter', title: letter.title, text: letter.content, writtenAt: letter.createdAt },
      ...withDetails(letter.details, letterFacts(letter)),
    })),
    ...entries.whispers.map(({ title, content, releasedAt, from, details }) => ({
      ...{ kind: 'whisper', title, text: content, writtenAt: releasedAt },
      ...withDetails(details, [`From the vault ${from}`]),
    })),
    ...(answers ? [answers.question1, answers.question2, answers.question3] : []).map((text, i) => ({
      ...{ kind: 'answer', title: QUESTIONS[i] ?? '', text, writtenAt: answers?.createdAt ?? '' },
      ...{ facts: [], tags: [], files: [] },
    })),
  ];
  const order = all.map((entry) => ({
    entry,
    at: entry.happenedOn ?? entry.writtenAt,
    rest: JSON.stringify(entry),
  }));
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  return order.sort((a, b) => compare(b.at, a.at) || compare(a.rest, b.rest)).map(({ entry }) => entry);
}

/** When anything of an export was written or changed last, ISO 8601. Empty for an empty one. */
export const newestOf = (entries: EntriesFile): string =>
  [
    ...everyEntryKind.flatMap((kind) => entriesOf(entries, kind).map(({ updatedAt }) => updatedAt)),
    ...entries.letters.map(({ createdAt }) => createdAt),
    ...entries.whispers.map(({ releasedAt }) => releasedAt),
    ...(entries.answers ? [entries.answers.createdAt] : []),
  ].reduce((newest, at) => (at > newest ? at : newest), '');
