// What can stand begun in this browser: of which kind a draft is, where it is written on, and by which words it is known.
import { listPaths } from '../../../shared/screens.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import type { DraftFiles } from '../files/draft-files.ts';
import { changeOfForm, formOf } from '../session/drafts.ts';

export interface DraftKind {
  /** What it is called in a list. */
  label: string;
  /** The chamber in which it is written; the desk for what stands in its line. */
  list: string;
  /** It changes an entry that is there. */
  isChange: boolean;
}

const entries = everyEntryKind.map(({ noun, words }) => [
  noun,
  { label: words.title, change: `Change to a ${words.noun}`, list: listPaths[noun] },
]);

const kinds: Record<string, { label: string; change: string; list: string }> = {
  ...Object.fromEntries(entries),
  ghost: { label: 'Ghost thought', change: '', list: '/ghost-mode' },
  'legacy-scroll': { label: 'Letter', change: 'Change to a letter', list: '/legacy-scroll' },
  'final-breath': { label: 'Final breath', change: '', list: '/final-breath' },
  line: { label: 'A line begun on this page', change: '', list: '/' },
};

/** Of which kind a draft is; null for what is not listed, as answers to the three questions. */
export function draftKind(slot: string): DraftKind | null {
  const form = formOf(slot);
  const changed = changeOfForm(form);
  const kind = kinds[changed?.noun ?? form];
  if (!kind) return null;
  const { label, change, list } = kind;
  return { label: changed ? change : label, list, isChange: changed !== null };
}

/** The words by which its author knows a draft, the title or the name first; none where nothing is written yet. */
export function draftWords(draft: unknown): string[] {
  if (typeof draft === 'string') return lines(draft);
  if (typeof draft !== 'object' || draft === null) return [];
  const { title, person, content, source, story, files } = draft as Record<string, unknown>;
  const added = (files as Partial<DraftFiles> | undefined)?.added ?? [];
  return [
    title,
    person,
    ...draftWords(story),
    content,
    source,
    (draft as { text?: unknown }).text,
    ...added.map(({ name }) => name),
  ].flatMap((text) => (typeof text === 'string' ? lines(text) : []));
}

const BEGINNING = 400;

/** The first line of a text that has words, if any. */
const lines = (text: string): string[] =>
  text
    .slice(0, BEGINNING)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 1);
