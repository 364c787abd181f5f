// What a form of an entry keeps as a draft, and what is to be sealed of it.
import { newSealId } from '../../../crypto/seal.ts';
import {
  draftOf,
  type EntryDraft,
  type EntryKind,
  type EntryType,
  type OpenedEntry,
} from '../../../vault/kinds/entry-kind.ts';
import { type DraftFiles, settled, withFiles } from '../files/draft-files.ts';
import { useDraft } from './use-draft.ts';

/** How the form of an entry of some kind begins. */
export interface FormBeginning<N extends EntryType, Form> {
  kind: EntryKind<N>;
  /** The entry to change; absent for a new one. */
  entry: N['entry'] | undefined;
  initial: Form;
  /** Puts what was begun elsewhere into the form, or into the draft that is brought back. */
  begin?: ((form: Form) => Form) | undefined;
  /** What of it comes from the entry's details. */
  inDetails: readonly (keyof Form)[];
}

/**
 * What is kept of a form: the number under which it is sealed, which keeps nothing twice also after a reload, the version that
 * it changes, what the entry's details said when it was begun, which files it adds and takes away, and which of them have been sent
 * with a try under that number.
 */
export type Kept<Form> = Form & {
  sealId: string;
  base: number | null;
  begun?: Partial<Form>;
  waited?: true;
  files?: DraftFiles;
  tried?: readonly string[];
};

const picked = <Form extends object>(form: Form, names: readonly (keyof Form)[]): Partial<Form> =>
  Object.fromEntries(names.map((name) => [name, form[name]])) as Partial<Form>;

/**
 * A draft may have been begun while the server did not show the details, or did: what nobody has touched of them is as it
 * is shown now.
 */
export function following<Form extends object>(
  kept: Kept<Form>,
  { initial, inDetails }: Pick<FormBeginning<EntryType, Form>, 'initial' | 'inDetails'>,
): Kept<Form> {
  const { begun } = kept;
  if (!begun) return kept;
  const untouched = inDetails.filter((name) => kept[name] === begun[name]);
  return { ...kept, ...picked(initial, untouched) };
}

/** The form as a draft. */
export function useKeptForm<N extends EntryType, Form extends object>(options: FormBeginning<N, Form>) {
  const { kind, entry, initial, begin } = options;
  const blank = (): Kept<Form> => ({
    ...{ ...initial, sealId: newSealId(), base: entry?.version ?? null },
    ...(entry && { begun: picked(initial, options.inDetails) }),
  });
  const draft = useDraft<Kept<Form>>(
    draftName(kind, entry),
    blank,
    begin && ((found) => ({ ...found, ...begin(found) })),
  );
  return { draft, blank };
}

/** What is to be sealed, with its files. @param changed the entry that it replaces; null for a new one @throws FilesNotWritten */
export function draftWithFiles<N extends EntryType>(
  draft: EntryDraft<N>,
  changed: OpenedEntry | null,
  ofForm: DraftFiles,
): EntryDraft<N> {
  const files = settled(changed?.detailsText, ofForm);
  const details = withFiles(draft.texts.details, changed?.detailsText ?? null, files);
  const added = files.added.map(({ id }) => id);
  return { ...draft, texts: { ...draft.texts, details }, files: { added, removed: files.removed } };
}

/** The name of the form of an entry; of a new one where there is none. */
export const draftName = <N extends EntryType>(kind: EntryKind<N>, entry: N['entry'] | undefined) =>
  entry ? draftOf(kind, entry.sealId) : kind.noun;
