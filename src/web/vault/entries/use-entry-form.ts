// Writing an entry, or changing one: what is written survives a reload, a lost answer keeps nothing twice, and a change
// made elsewhere meanwhile is shown beside it, so that neither text is lost.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { ApiError } from '../../../vault/api/api-error.ts';
import { DetailsHidden, whoseDetailsAreHidden } from '../../../vault/book/hidden-details.ts';
import { canEditDetails } from '../../../vault/entries/details.ts';
import { FileNotWhole, FilesNotWritten } from '../../../vault/files/problems.ts';
import {
  type EntryDraft,
  type EntryKind,
  type EntryType,
  type OpenedEntry,
  sharedEntry,
} from '../../../vault/kinds/entry-kind.ts';
import { EarlierIsLocked } from '../../../vault/outbox/entry-writer.ts';
import type { LinkOptions } from '../../../vault/outbox/link-writer.ts';
import { EarlierWentOn, isOutOfReach } from '../../../vault/outbox/own-refusals.ts';
import { type DraftFiles, formFiles, NOT_CHANGED_HERE, withoutStaying } from '../files/draft-files.ts';
import { stillOnTheirWay } from '../files/files-waited-for.ts';
import { bookKey } from '../session/book-key.ts';
import { useVault } from '../session/vault-context.ts';
import { type HandedLink, handOverLink } from '../sharing/hand-over-link.ts';
import { useFilesAlong } from '../sharing/use-files-along.ts';
import { useLinkOptions } from '../sharing/use-link-options.ts';
import type { Collection } from './collection.ts';
import {
  draftName,
  draftWithFiles,
  type FormBeginning,
  following,
  type Kept,
  useKeptForm,
} from './kept-form.ts';
import { tellNotSealed } from './seal-failure.tsx';
import type { Draft } from './use-draft.ts';
import { useLeavable } from './use-leavable.ts';
import { type Unsent, useWaiting, Waits } from './use-waiting.ts';

/**
 * What follows once an entry is sealed.
 * @param link the one-time link that was made at once; null when that failed, which was said, and absent where none was wanted
 */
export type AfterSealing<E> = (entry: E, link?: HandedLink | null) => void;

interface FormOptions<N extends EntryType, Form> extends Omit<FormBeginning<N, Form>, 'kind'> {
  collection: Collection<N>;
  /** What is to be sealed; null when something is missing, which has then been said. */
  toDraft: (form: Form) => EntryDraft<N> | null;
  onSealed: AfterSealing<N['entry']>;
  /** What follows once it waits on this device instead; left out where it cannot. */
  onWaits?: () => void;
  /** Why no one-time link can be made of what is written; null when one can. */
  linkObstacle?: (form: Form) => string | null;
  /** The title of the toast when it fails. */
  failure: string;
}

/** How an entry that is being changed went elsewhere: it can be restored, or was erased. */
export type Gone = 'deleted' | 'erased';

function useHidesDetails(entry: OpenedEntry | undefined): boolean {
  const vault = useVault();
  const hidden = useQuery({
    queryKey: [...bookKey(vault), 'hidden', entry?.sealId, entry?.leaf],
    queryFn: async () => entry !== undefined && (await whoseDetailsAreHidden(vault, [entry])).size > 0,
    enabled: entry?.detailsText === null,
  });
  return hidden.data === true;
}

/** Why the files of an entry cannot be changed; null where they can. */
function whyFilesAreFixed(hidesDetails: boolean, entry: OpenedEntry | undefined): Error | null {
  if (hidesDetails) return new DetailsHidden();
  return entry && !canEditDetails(entry.detailsText) ? new FilesNotWritten(NOT_CHANGED_HERE) : null;
}

/** How an entry went elsewhere while it is changed here: to another version, or away. */
function useElsewhere<N extends EntryType>(collection: Collection<N>, entry: N['entry'] | undefined) {
  const [other, setOther] = useState<N['entry'] | null>(null);
  const [gone, setGone] = useState<Gone | null>(null);

  /** Whether that is why a change was refused, which is then shown. */
  async function explains(error: unknown): Promise<boolean> {
    if (!entry || !(error instanceof ApiError)) return false;
    if (error.code === 'stale-version') {
      const { version } = other ?? entry;
      const theirs = await collection.fetchOther({ ...entry, version }).catch(() => null);
      if (theirs) {
        setOther(theirs);
        return true;
      }
    }
    const how = error.code === 'entry-deleted' ? 'deleted' : error.status === 404 ? 'erased' : null;
    if (how) setGone(how);
    return how !== null;
  }

  /** It is here again. */
  const goOn = () => setGone(null);
  return { other, gone, explains, goOn };
}

/** The one-time link that can be made of a new entry at once. @param obstacle why none can; null where one can */
function useLinkAtOnce<N extends EntryType>(
  kind: EntryKind<N>,
  isNew: boolean,
  obstacle: string | null,
  added: DraftFiles,
) {
  const vault = useVault();
  const [isChosen, onChange] = useState(false);
  const options = useLinkOptions();
  const files = useFilesAlong(added);
  return {
    wanted: isNew && isChosen && obstacle === null,
    ...{ onChange, options, obstacle, files },
    handOver: (chosen: LinkOptions, sealed: N['entry']) =>
      handOverLink(vault, {
        ...{ ...chosen, entryId: sealed.id, files: { along: files.along, added: [] } },
        words: async () => sharedEntry(kind, sealed),
      }),
  };
}

/** Keeps which files are sent with a try, before they are. @returns what is kept with that */
async function keepTried<Form>(
  draft: Draft<Kept<Form>>,
  { files }: Pick<EntryDraft<EntryType>, 'files'>,
): Promise<Kept<Form>> {
  let kept = draft.value;
  if (!files || files.added.length === 0) return kept;
  draft.update((now) => {
    kept = { ...now, tried: [...new Set([...(now.tried ?? []), ...files.added])] };
    return kept;
  });
  await draft.keep();
  return kept;
}

export function useEntryForm<N extends EntryType, Form extends object>(options: FormOptions<N, Form>) {
  const { collection, entry, toDraft, onSealed, failure } = options;
  const { draft, blank } = useKeptForm({ ...options, kind: collection.kind });
  const { restored } = draft;
  const form = following(draft.value, options);
  const [busy, setBusy] = useState(false);
  const leavable = useLeavable(draft);
  const [refusal, setRefusal] = useState<unknown>(null);
  /** What was tried last, where it can wait: what it was to change. */
  const [unsent, setUnsent] = useState<{ changed: OpenedEntry | null } | null>(null);
  const waiting = useWaiting({
    kind: collection.kind,
    form: draftName(collection.kind, entry),
    draft,
    onWaits: options.onWaits,
  });
  const [tried, setTried] = useState(false);
  const vault = useVault();
  const { other, gone, explains, goOn } = useElsewhere(collection, entry);
  const hidesDetails = useHidesDetails(entry);
  const files = formFiles(draft, (other ?? entry)?.detailsText ?? null);
  const link = useLinkAtOnce(collection.kind, !entry, options.linkObstacle?.(form) ?? null, files.value);
  const whyNoFiles = whyFilesAreFixed(hidesDetails, entry);
  // A draft that was begun on an older version must not replace a newer one unseen.
  const beside = other ?? (entry && restored && form.base !== entry.version ? entry : null);

  function tell(error: unknown) {
    setRefusal(error);
    tellNotSealed(failure)(error);
  }

  // What has waited may have arrived long ago, and gone on since.
  const create = form.waited ? collection.createOnce : collection.create;

  /** Has wait what stands in the form now, which may be more than was tried. */
  async function waitAsItIs(changed: OpenedEntry | null) {
    const worded = toDraft(form);
    setTried(!worded);
    if (!worded) return;
    try {
      await waiting.wait(
        waiting.unsentOf(draftWithFiles(worded, changed, files.value), changed, draft.value),
      );
    } catch (error) {
      tell(error);
    }
  }

  /** @param triedBefore the files that were sent with earlier tries */
  async function fail(error: unknown, triedBefore: readonly string[]) {
    // What was sent with the version that arrived has gone with it, and may not be looked up: it is locked.
    if (error instanceof EarlierIsLocked || error instanceof EarlierWentOn)
      draft.update(({ waited: _, ...kept }) => ({
        ...(kept as Kept<Form>),
        sealId: newSealId(),
        files: withoutStaying(kept as Kept<Form>, triedBefore),
        tried: [],
      }));
    if (error instanceof FileNotWhole) files.sendAgain(error.fileId);
    if (!(await explains(error))) tell(error);
  }

  async function attempt(work: (draft: EntryDraft<N>) => Promise<N['entry']>, changed: OpenedEntry | null) {
    if (stillOnTheirWay(files.value) > 0) {
      // They are sent while their field is shown, which it is not: nothing else would say why nothing happens.
      if (whyNoFiles) tell(whyNoFiles);
      return;
    }
    const worded = toDraft(form);
    setTried(!worded);
    if (!worded) return;
    setBusy(true);
    setRefusal(null);
    setUnsent(null);
    const triedBefore = draft.value.tried ?? [];
    try {
      const written = draftWithFiles(worded, changed, files.value);
      const chosen = link.wanted ? await link.options.read() : undefined;
      // Its field says that the passphrase is too weak.
      if (chosen === null) return;
      const asSent = await keepTried(draft, written);
      const what = waiting.unsentOf(written, changed, asSent);
      const sent = await leavable.send(
        () =>
          work(written).catch((error) => {
            // A link, and what was deleted, need the server at once.
            const waits = waiting.canWait && isOutOfReach(error) && !link.wanted && gone === null;
            if (waits) setUnsent({ changed });
            throw waits && vault.isOffline() ? new Waits('', { cause: what }) : error;
          }),
        asSent,
      );
      if (!sent) return;
      const sealed = sent.answer;
      draft.drop();
      onSealed(sealed, chosen && (await link.handOver(chosen, sealed)));
    } catch (error) {
      if (error instanceof Waits) await waiting.wait(error.cause as Unsent<N, Kept<Form>>);
      else await fail(error, triedBefore);
    } finally {
      setBusy(false);
    }
  }

  return {
    form,
    // On what is kept by now: uploads write into it too.
    change: (part: Partial<Form>) => draft.update((kept) => ({ ...following(kept, options), ...part })),
    busy,
    isSlow: leavable.isSlow,
    /** Whether a draft was brought back. */
    restored,
    discard() {
      draft.discard(blank());
      setTried(false);
    },
    bringBack: draft.bringBack,
    /** Whether it was tried with something missing: fields that are needed and empty say so from then on. */
    tried,
    /** The one-time link that can be made of a new entry at once. */
    link,
    /** Whether the server shows it without the date and tags that the book knows it to have. */
    hidesDetails,
    /** What the last try ended with; null where it has succeeded, or is under way. */
    refusal,
    /** Lets it wait on this device, where that is why it was not sent; null where that is no way out. */
    letWait: unsent && stillOnTheirWay(files.value) === 0 ? () => void waitAsItIs(unsent.changed) : null,
    /** The other version of this entry, when there are two. */
    beside,
    /** Set once the entry turned out to be deleted elsewhere; what was written is still here. */
    gone,
    /** Its files, and how they are changed; null where its details cannot be. */
    files: whyNoFiles ? null : files,
    save: () =>
      attempt(
        async (draft) => {
          if (!entry || gone === 'erased') return create(draft, form.sealId);
          if (gone === 'deleted') await collection.restore(entry);
          goOn();
          const { version, leaf } = other ?? entry;
          return collection.update({ ...entry, version, leaf }, draft);
        },
        gone === 'erased' ? null : (other ?? entry ?? null),
      ),
    keepBoth: () => attempt((draft) => create(draft, form.sealId), null),
  };
}
