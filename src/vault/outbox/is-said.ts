// Whether what was sent has arrived, where the answer to it was lost.
import { chosenOf, type EntryDraft, type EntryKind, type EntryType } from '../kinds/entry-kind.ts';

/** Whether an entry says what a draft does, so that the draft has arrived. What is withheld is known by when it was sealed. */
export function isSaid<N extends EntryType>(
  kind: EntryKind<N>,
  entry: N['entry'],
  draft: EntryDraft<N>,
): boolean {
  const { texts, clear } = draft;
  const { createdAt, ...chosen } = clear as { createdAt?: string };
  const [name, content] = kind.fields;
  const own = chosenOf(kind, entry) as Record<string, unknown>;
  const isChosen = Object.entries(chosen).every(([fact, value]) => {
    const shown = own[fact];
    return typeof value === 'string' && typeof shown === 'string' && value !== shown
      ? Date.parse(value) === Date.parse(shown)
      : (value ?? null) === (shown ?? null);
  });
  if (!isChosen || entry.changed || entry.name !== texts[name as N['field']]) return false;
  // Whatever had been tried before this was written was sealed before that.
  if (entry.withheld)
    return (
      entry.version === 1 && createdAt !== undefined && Date.parse(entry.createdAt) >= Date.parse(createdAt)
    );
  const { details = entry.detailsText } = texts;
  return entry.content === texts[content as N['field']] && entry.detailsText === details;
}
