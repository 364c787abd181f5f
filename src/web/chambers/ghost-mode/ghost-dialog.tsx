// Writing a ghost thought. What is written survives a reload, sealed, until it is sent.
import { useRef, useState } from 'react';
import { newSealId } from '../../../crypto/seal.ts';
import {
  GHOST_HOURS_DEFAULT,
  ghostHours,
  READ_LIMIT_DEFAULT,
  readLimits,
} from '../../../shared/nouns/ghost.ts';
import { HOUR } from '../../../shared/time.ts';
import type { GhostDraft, GhostWriter } from '../../../vault/outbox/ghost-writer.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { TextArea } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { BroughtBack } from '../../vault/entries/brought-back.tsx';
import { SealFailure, tellNotSealed } from '../../vault/entries/seal-failure.tsx';
import { missing } from '../../vault/entries/titled-fields.tsx';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useLeavable } from '../../vault/entries/use-leavable.ts';
import { StillSealing } from '../../vault/sharing/still-sealing.tsx';
import { fateOf } from './ghost-words.ts';

const UNLIMITED = 'unlimited';

const readChoices = readLimits.map((limit) =>
  limit === null
    ? { value: UNLIMITED, label: '∞ Unlimited' }
    : { value: String(limit), label: limit === 1 ? '1 reading' : `${limit} readings` },
);
const hourChoices = ghostHours.map((hours) => ({
  value: String(hours),
  label: hours === 1 ? '1 hour' : hours === 168 ? '168 hours (7 days)' : `${hours} hours`,
}));

const blank = (): GhostDraft => ({
  ...{ content: '', maxReads: READ_LIMIT_DEFAULT, hours: GHOST_HOURS_DEFAULT },
  sealId: newSealId(),
});

export function GhostDialog({ ghosts, onClose }: { ghosts: GhostWriter; onClose: () => void }) {
  const kept = useDraft('ghost', blank);
  const { value: draft, restored, bringBack } = kept;
  const leavable = useLeavable(kept);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [tried, setTried] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const change = (part: Partial<GhostDraft>) => kept.set({ ...draft, ...part });

  function discard() {
    kept.discard(blank());
    setTried(false);
  }

  async function create() {
    if (draft.content.trim() === '') {
      setTried(true);
      area.current?.focus();
      return toast({
        title: 'Empty Thought',
        description: 'Please write something before creating a ghost entry.',
        tone: 'destructive',
        isMistake: true,
      });
    }
    setBusy(true);
    setRefusal(null);
    try {
      const sent = await leavable.send(() => ghosts.create(draft));
      if (!sent) return;
      const { maxReads, expiresAt } = sent.answer;
      kept.drop();
      toast({ title: 'Ghost Entry Created', description: fateOf(maxReads, formatMoment(expiresAt)) });
      onClose();
    } catch (error) {
      setRefusal(error);
      tellNotSealed('Failed to Create Ghost Entry')(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Ghost Thought"
      description={
        (restored || bringBack) && <BroughtBack {...{ restored, bringBack, onDiscard: discard }} />
      }
      busy={busy}
      leavable={leavable.isSlow}
      onSubmit={() => void create()}
      submitLabel="Seal the thought"
      busyLabel="Sealing..."
    >
      <TextArea
        ref={area}
        label="Thought"
        rows={7}
        value={draft.content}
        onChange={(event) => change({ content: event.target.value })}
        error={missing(tried, draft.content, 'The words are missing.')}
        hint="It has no title. The list will show no word of it, not even to you."
      />
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-2">
        <SelectField
          label="May be read"
          choices={readChoices}
          value={draft.maxReads === null ? UNLIMITED : String(draft.maxReads)}
          onChange={({ target: { value } }) =>
            change({ maxReads: value === UNLIMITED ? null : Number(value) })
          }
        />
        <SelectField
          label="Vanishes after"
          choices={hourChoices}
          value={String(draft.hours)}
          onChange={(event) => change({ hours: Number(event.target.value) })}
        />
      </div>
      <p className="border-l border-ember/55 pl-4 text-note text-dust">
        {fateOf(draft.maxReads, formatMoment(Date.now() + draft.hours * HOUR))} Nothing brings them back.
      </p>
      <SealFailure error={refusal} />
      <StillSealing isSlow={leavable.isSlow} />
    </FormDialog>
  );
}
