// The same entries as Markdown, one file each, for people and for programs that know nothing of this server. Pure.

import { counted } from '../../../../shared/counted.ts';
import { isExact } from '../../../../shared/edtf.ts';
import { inFours } from '../../../../shared/in-fours.ts';
import { QUESTIONS } from '../../../../shared/three-questions.ts';
import { type EntriesFile, type ExportedLetter, entriesOf } from '../../../../vault/archive/entries-file.ts';
import { detailsFromJson, readDetails } from '../../../../vault/entries/details.ts';
import { readFiles } from '../../../../vault/files/file-ref.ts';
import type { ExportedEntry } from '../../../../vault/kinds/entry-kind.ts';
import { everyEntryKind } from '../../../../vault/kinds/entry-kinds.ts';
import { formatHappened } from '../../../vault/entries/happened.ts';

/** A file name that every system takes: the day, a few words, and a number where two would be the same. */
function fileNames(folder: string): (day: string, words: string) => string {
  const taken = new Set<string>();
  return (day, words) => {
    const slug = words
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '');
    const name = [day, [...slug].slice(0, 48).join('')].filter(Boolean).join('-');
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
    taken.add(free);
    return `${folder}/${free}.md`;
  };
}

const dayOf = (moment: string) => moment.slice(0, 10);

/** What somebody wrote, under a heading; the heading is one line whatever it holds. */
const page = (heading: string, facts: string[], text: string) =>
  `# ${heading.replace(/\s+/g, ' ').trim()}\n\n${facts.map((fact) => `- ${fact}\n`).join('')}\n${text}\n`;

/** What was left out, a line each. */
export function leftOutLines({
  locked,
  unreadable,
  deleted,
  ghosts,
  breath,
  answers,
  links,
  webhooks,
  scrolls,
  whispers,
  lost = [],
  undescribed = 0,
  kits = 0,
}: EntriesFile['leftOut']): string[] {
  return [
    ...locked.map(
      ({ title, timeLockUntil }) =>
        `Locked until ${timeLockUntil}: ${title ?? 'a memory without a readable title'}`,
    ),
    ...unreadable.map(({ kind, id, createdAt }) => `Could not be opened: ${kind} ${id} of ${createdAt}`),
    ...(deleted > 0
      ? [`Recently deleted entries: ${deleted}. Restore those that you want to take along`]
      : []),
    ...(ghosts > 0 ? [`Ghost entries with words left: ${ghosts}`] : []),
    ...(breath ? ['The sealed final breath'] : []),
    ...(answers ? ['The three answers could not be opened'] : []),
    ...(links > 0 ? [`One-time links that were not used: ${links}. They stay where they are`] : []),
    ...(webhooks > 0 ? [`Webhooks: ${webhooks}. They are addresses on this server, and stay here`] : []),
    ...(kits > 0 ? [`Guardians’ kits: ${kits}. They open your vault on this server`] : []),
    ...lost.map(({ name, of }) => `A file that did not open: ${name}, of ${of}`),
    ...(undescribed > 0
      ? [`Files that are described in a way that this version does not understand: ${undescribed}`]
      : []),
    ...(scrolls > 0 ? [`Legacy scrolls whose letter does not open here: ${scrolls}`] : []),
    ...(whispers > 0
      ? [`Whispers that do not open with this vault’s key alone: ${whispers}. Some want a key card`]
      : []),
  ];
}

/** How many things those lines speak of. */
export function countLeftOut(leftOut: EntriesFile['leftOut']): number {
  const { locked, unreadable, deleted, ghosts, breath, answers, links, webhooks, scrolls, whispers } =
    leftOut;
  const { lost = [], undescribed = 0, kits = 0 } = leftOut;
  const single = Number(breath) + Number(answers);
  return (
    locked.length +
    unreadable.length +
    deleted +
    ghosts +
    single +
    links +
    webhooks +
    scrolls +
    whispers +
    lost.length +
    undescribed +
    kits
  );
}

/** Where and when an export is made. */
interface Made {
  origin: string;
  createdAt: string;
  /** What was found when its lists were compared with the vault's book. */
  finding?: string | null;
}

const inWords = (names: string[]) => new Intl.ListFormat('en-GB').format(names);

function readMe(entries: EntriesFile, { origin, createdAt, finding = null }: Made): string {
  const left = leftOutLines(entries.leftOut);
  return `# What this is

Everything that could be taken out of a vault at ${origin} on ${createdAt}: 
${everyEntryKind.map((kind) => kind.archive.counted(entriesOf(entries, kind).length)).join(', ')},
${counted(entries.letters.length, 'letter', 'letters')} of legacy scrolls and
${counted(entries.whispers.length, 'whisper', 'whispers')} from other vaults. Whoever holds these files unsealed can read them.

- ${inWords(everyEntryKind.map(({ archive }) => `${archive.name}/`))} hold the entries as text, a file for each, or for each month where there are
  very many.
- letters/ holds the letters of legacy scrolls. These copies are sent to nobody: the letters themselves are at the
  server, for as long as the vault is. whispers/ holds what other vaults have left for this one.
- files/ holds the photographs, recordings and other files of entries and letters, in a folder for each.
- entries.json holds the same for programs. Any Latebra takes it back: Settings, Import.
- activity.json is the activity of the account: sign-ins, failed tries, and what was changed.
- manifest.json and manifest.sig say which files belong here and which vault signed them.

${left.length === 0 ? 'Nothing was left out.' : `Left out, because it could not be taken along:\n\n${left.map((line) => `- ${line}\n`).join('')}`}
${finding === null ? '' : `\nSomething was wrong when this was made: ${finding} These files have what was shown.\n`}`;
}

interface Written {
  day: string;
  name: string;
  text: string;
}

/** Up to this many entries of a kind have a file each; above it, each month has one: a zip holds only so many. */
const FILES_MAX = 10_000;

function filesOf(folder: string, written: Written[]): Record<string, string> {
  if (written.length <= FILES_MAX) {
    const fileName = fileNames(folder);
    return Object.fromEntries(written.map(({ day, name, text }) => [fileName(day, name), text]));
  }
  const months = new Map<string, string[]>();
  for (const { day, text } of written) {
    const path = `${folder}/${day.slice(0, 7)}.md`;
    months.set(path, [...(months.get(path) ?? []), text]);
  }
  return Object.fromEntries([...months].map(([path, texts]) => [path, texts.join('\n')]));
}

const RELEASE: Record<ExportedLetter['triggerType'], (value: string) => string> = {
  inactivity: (days) => `To be sent after ${days} days without activity`,
  date: (day) => `To be sent on ${day}`,
  manual: () => 'To be sent by hand',
};

const STATE: Record<ExportedLetter['state'], string> = {
  dormant: 'It was a draft when this copy was made',
  watching: 'It was watching when this copy was made',
  released: 'It was sent before this copy was made',
};

function letterFacts({ createdAt, recipients, triggerType, triggerValue, state }: ExportedLetter): string[] {
  return [
    `Written ${createdAt}`,
    `For ${recipients.map(({ recipientAddress }) => recipientAddress).join(', ')}`,
    RELEASE[triggerType](triggerValue),
    STATE[state],
  ];
}

function detailFacts({ details }: Pick<ExportedEntry, 'details'>): string[] {
  const { happenedOn, tags } = readDetails(detailsFromJson(details));
  return [
    ...(happenedOn === null
      ? []
      : [`Happened ${isExact(happenedOn) ? happenedOn.replace('T', ' ') : formatHappened(happenedOn)}`]),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.join(', ')}`]),
  ];
}

/** The files of an entry that lie in the archive: each name leads there. */
function fileFacts(
  { details }: Pick<ExportedEntry, 'details'>,
  paths: ReadonlyMap<string, string>,
): string[] {
  return readFiles(detailsFromJson(details)).files.flatMap(({ id, name }) => {
    const path = paths.get(id);
    if (path === undefined) return [];
    const address = path
      .split('/')
      .map(encodeURIComponent)
      .join('/')
      .replace(/[()]/g, (c) => (c === '(' ? '%28' : '%29'));
    return [`File: [${name.replace(/[[\]\\]/g, '\\$&')}](../${address})`];
  });
}

/** Paths and texts of everything a person may read. */
export function readableFiles(entries: EntriesFile, made: Made): Record<string, string> {
  const paths = new Map(entries.files?.map(({ id, path }) => [id, path]));
  const lists = everyEntryKind.map((kind) => {
    const { name: folder, heading, facts } = kind.archive;
    const written = entriesOf(entries, kind).map((entry) => ({
      day: dayOf(entry.createdAt),
      name: heading(entry),
      text: page(
        heading(entry),
        [...facts(entry), ...detailFacts(entry), ...fileFacts(entry, paths)],
        entry.content,
      ),
    }));
    return filesOf(folder, written);
  });
  const letters = entries.letters.map((letter) => ({
    day: dayOf(letter.createdAt),
    name: letter.title,
    text: page(letter.title, [...letterFacts(letter), ...fileFacts(letter, paths)], letter.content),
  }));
  const whispers = entries.whispers.map((whisper) => ({
    day: dayOf(whisper.releasedAt),
    name: whisper.title,
    text: page(
      whisper.title,
      [
        `From the vault ${inFours(whisper.from)}`,
        `Released ${whisper.releasedAt}`,
        ...fileFacts(whisper, paths),
      ],
      whisper.content,
    ),
  }));
  const { answers } = entries;
  const told = answers ? [answers.question1, answers.question2, answers.question3] : [];
  return {
    'README.md': readMe(entries, made),
    ...Object.assign({}, ...lists),
    ...filesOf('letters', letters),
    ...filesOf('whispers', whispers),
    ...(answers && {
      'answers.md': told.map((answer, i) => page(QUESTIONS[i] ?? '', [], answer)).join('\n'),
    }),
  };
}
