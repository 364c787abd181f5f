// Changing a scroll. A change made elsewhere meanwhile is shown beside it, so that neither letter is lost; while it
// watches, only its words can be changed.
import { useState } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import { refusedAs, sentenceOf } from '../../api/api-error.ts';
import { Problem } from '../../ui/problem.tsx';
import type { ToastWords } from '../../ui/toast-store.ts';
import { toast } from '../../ui/toaster.tsx';
import { EntryDialog } from '../../vault/entries/entry-dialog.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { createdWords, failed } from './creation-form.tsx';
import { type FormProblems, formProblems, problemAtField, type ScrollForm, zoneOf } from './form.ts';
import { draftOfScroll } from './scroll-cache.ts';
import { ScrollFields } from './scroll-fields.tsx';
import { unsentWords } from './scroll-words.ts';
import { formOf, isReadable, keyAfter, type OpenedScroll, type ReadableScroll, wantedOf } from './sealing.ts';
import { meantBy, useRecipient } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

interface EditProps {
  scroll: ReadableScroll;
  scrolls: Scrolls;
  /** @param newCard whether it has a key card now that nobody has seen */
  onChanged: (scroll: OpenedScroll, newCard: boolean) => void;
  onClose: () => void;
}

const sameTrigger = (form: ScrollForm, scroll: ReadableScroll) =>
  form.triggerType === scroll.triggerType && form.triggerValue === scroll.triggerValue;

const changedWords = { title: 'Legacy Scroll Changed', description: 'It was sealed again in this browser.' };

export function EditDialog({ scroll, scrolls, onChanged, onClose }: EditProps) {
  const [draft, setDraft, dropDraft, restored] = useDraft<ScrollForm & { base: number }>(
    draftOfScroll(scroll.id),
    {
      ...formOf(scroll),
      base: scroll.version,
    },
  );
  const { base, ...form } = draft;
  const [other, setOther] = useState<ReadableScroll | null>(null);
  const [refused, setRefused] = useState<FormProblems>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [agreed, setAgreed] = useState(false);
  const [sealId] = useState(newSealId);

  // A draft that was begun on an older version must not replace a newer one unseen.
  const beside = other ?? (restored && base !== scroll.version ? scroll : null);
  const current = other ?? scroll;
  const watching = scrollState(current) === 'watching';
  const wanted = wantedOf(form, current);
  // Of what is saved, never of what a draft says: a letter must not be sealed to another vault than it names.
  const recipient = useRecipient(wanted);
  const meant = meantBy(wanted, recipient);
  const after = keyAfter(meant, current, recipient);
  const all = formProblems(meant, Date.now(), zoneOf(meant, current));
  // A day that is not changed may have begun meanwhile: only the watch asks for another then.
  const { triggerValue, ...others } = all;
  const problems = sameTrigger(wanted, current) || !triggerValue ? others : all;
  // Another way to be reached that this server does not have is agreed to, as where a scroll is written.
  const asksAgain = wanted.recipientType !== current.recipientType;
  const disagreed = asksAgain && !agreed && unsentWords(wanted.recipientType, scrolls.transports) !== null;
  const missing = Object.keys(problems).length > 0 || disagreed;

  async function attempt(work: () => Promise<OpenedScroll>, newCard: boolean, said: ToastWords) {
    setTried(true);
    if (missing || 'waits' in after) return;
    setBusy(true);
    setRefusal(null);
    try {
      const changed = await work();
      dropDraft();
      toast(said);
      onChanged(changed, newCard);
    } catch (error) {
      await fail(error);
    } finally {
      setBusy(false);
    }
  }

  async function fail(error: unknown) {
    if (refusedAs(error, 'stale-version')) {
      const theirs = await scrolls.refetch(scroll.id);
      if (theirs && isReadable(theirs) && theirs.version !== current.version) return setOther(theirs);
    }
    if (refusedAs(error, 'not-found')) {
      setRefusal(error);
      return toast({
        title: 'Legacy Scroll is gone',
        description: 'It was deleted elsewhere. What you wrote still stands here, to be copied.',
        tone: 'destructive',
      });
    }
    const atField = refusedAs(error, 'invalid-input') ? problemAtField(sentenceOf(error)) : null;
    if (atField) return setRefused(atField);
    setRefusal(error);
    failed('Failed to Change Legacy Scroll', error);
  }

  const key = 'key' in after ? after.key : null;
  return (
    <EntryDialog
      title={watching ? 'Edit the words' : 'Edit Legacy Scroll'}
      noun="scroll"
      saveLabel="Seal the change"
      busyLabel="Sealing..."
      editing
      entry={{
        busy,
        restored,
        refusal,
        discard() {
          setDraft({ ...formOf(current), base: current.version });
          dropDraft();
        },
        beside: beside && { name: beside.title, content: beside.letter.content },
        save: () =>
          attempt(
            () => scrolls.update(current, meant, key, current.version),
            key?.kind === 'card',
            changedWords,
          ),
        keepBoth: () =>
          attempt(() => scrolls.create(meant, key ?? { kind: 'card' }, sealId), true, createdWords),
      }}
      onClose={onClose}
    >
      <ScrollFields
        form={wanted}
        onChange={(next) => {
          setRefused({});
          if (next.recipientType !== wanted.recipientType) setAgreed(false);
          setDraft({ ...next, base });
        }}
        problems={{ ...refused, ...(tried && problems) }}
        recipient={recipient}
        transports={scrolls.transports}
        zone={zoneOf(wanted, current)}
        locked={watching}
        busy={busy}
        agreed={agreed}
        {...(asksAgain && { onAgree: setAgreed })}
        disagreed={tried && disagreed}
      />
      {watching && (
        <p className="border-l border-ember/55 pl-4 text-note text-dust">
          It is watching: disarm it first to change when or to whom it goes. Its words can be changed now, and
          its key stays.
        </p>
      )}
      {'says' in after && after.says && <p className="text-note text-dust">{after.says}</p>}
      <Problem>{tried && 'waits' in after ? after.waits : null}</Problem>
    </EntryDialog>
  );
}
