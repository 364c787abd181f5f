// The same entries as Markdown, one file each, for people and for programs that know nothing of this house. Pure.
import { eventLabel, weightOf } from '../../../../shared/relationship.ts';
import { QUESTIONS } from '../../../vault/three-questions.ts';
import type { EntriesFile } from './entries-file.ts';

/** A file name that every system takes: the day, a few words, and a number where two would be the same. */
function fileNames(folder: string): (day: string, words: string) => string {
  const taken = new Map<string, number>();
  return (day, words) => {
    const slug = words
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '');
    const name = [day, [...slug].slice(0, 48).join('')].filter(Boolean).join('-');
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return `${folder}/${name}${count > 1 ? `-${count}` : ''}.md`;
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
  ghosts,
  breath,
  answers,
}: EntriesFile['leftOut']): string[] {
  return [
    ...locked.map(
      ({ title, timeLockUntil }) =>
        `Locked until ${timeLockUntil}: ${title ?? 'a memory without a readable title'}`,
    ),
    ...unreadable.map(({ kind, id, createdAt }) => `Could not be opened: ${kind} ${id} of ${createdAt}`),
    ...(ghosts > 0 ? [`Ghost entries with words left: ${ghosts}`] : []),
    ...(breath ? ['The sealed final breath'] : []),
    ...(answers ? ['The three answers could not be opened'] : []),
  ];
}

function readMe(entries: EntriesFile, origin: string, createdAt: string): string {
  const left = leftOutLines(entries.leftOut);
  return `# What this is

Everything that could be taken out of a vault at ${origin} on ${createdAt}: ${entries.memories.length} memories and
${entries.relationships.length} moments with people. Whoever holds these files unsealed can read them.

- memories/ and relationships/ hold one text file for each entry.
- entries.json holds the same for programs. Any Latebra takes it back: Settings, Import.
- manifest.json and manifest.sig say which files belong here and which vault signed them.

${left.length === 0 ? 'Nothing was left out.' : `Left out, because it could not be taken along:\n\n${left.map((line) => `- ${line}\n`).join('')}`}
`;
}

/** Paths and texts of everything a person may read. */
export function readableFiles(
  entries: EntriesFile,
  { origin, createdAt }: { origin: string; createdAt: string },
): Record<string, string> {
  const files: Record<string, string> = { 'README.md': readMe(entries, origin, createdAt) };
  const memoryName = fileNames('memories');
  for (const { title, content, ...memory } of entries.memories) {
    const facts = [`Sealed ${memory.createdAt}`];
    if (memory.timeLockUntil) facts.push(`Unlocked since ${memory.timeLockUntil}`);
    files[memoryName(dayOf(memory.createdAt), title)] = page(title, facts, content);
  }
  const momentName = fileNames('relationships');
  for (const { personName, content, ...entry } of entries.relationships) {
    const weight = weightOf(entry.emotionalWeight);
    files[momentName(dayOf(entry.createdAt), personName)] = page(
      personName,
      [
        `Recorded ${entry.createdAt}`,
        eventLabel(entry.eventType),
        `Weight ${weight.value} of 5, ${weight.label}`,
      ],
      content,
    );
  }
  const { answers } = entries;
  if (answers) {
    const told = [answers.question1, answers.question2, answers.question3];
    files['answers.md'] = told.map((answer, i) => page(QUESTIONS[i] ?? '', [], answer)).join('\n');
  }
  return files;
}
