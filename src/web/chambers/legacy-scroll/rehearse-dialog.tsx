// The rehearsal of a letter: who takes part, what became of the last one, and one press that sends it.
import { useRef, useState } from 'react';
import { canRehearse, SENTENCE_MAX } from '../../../shared/nouns/rehearsals.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { RehearsalLine } from './rehearsal-line.tsx';
import { isTold, named, needsPermission, recipientName } from './scroll-words.ts';
import type { Scrolls } from './use-scrolls.ts';

interface RehearseProps {
  /** As the list has it by now. */
  scroll: ReadableScroll;
  scrolls: Scrolls;
  onClose: () => void;
}

const SENTENCE = 'It works: you will be able to read my letter one day.';

export function RehearseDialog({ scroll, scrolls, onClose }: RehearseProps) {
  const { recipients, names } = scroll;
  const able = recipients.filter(canRehearse);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [sentence, setSentence] = useState(SENTENCE);
  const [tried, setTried] = useState(false);
  /** Sealed once for each sentence: a press whose answer was lost sends nothing twice. */
  const sealed = useRef<{ sentence: string; text: string } | null>(null);
  const { busy, problem, run } = useAttempt();
  const chosen = able.filter(({ id }) => !left.has(id));
  const missing = chosen.length === 0;
  const isBlank = sentence.trim() === '';

  async function send() {
    setTried(true);
    if (missing || isBlank) return;
    await run(async () => {
      const words = sentence.trim();
      if (sealed.current?.sentence !== words)
        sealed.current = { sentence: words, text: await scrolls.sealSentence(scroll, words) };
      await scrolls.rehearse(scroll, {
        encryptedSentence: sealed.current.text,
        recipientIds: chosen.map(({ id }) => id),
      });
      toast({ title: 'Rehearsal Begun', description: 'You see here how far each of them comes.' });
      onClose();
    });
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Rehearse"
      description={
        <>
          It is tried whether {named(scroll)} could be opened: each recipient is told as they will be one day,
          and opens one sentence with their own key. The letter stays sealed, and no time changes.
        </>
      }
      busy={busy}
      onSubmit={() => void send()}
      submitLabel="Send the rehearsal"
      busyLabel="Sending"
      cancelLabel="Not now"
    >
      <ul className="grid gap-5">
        {recipients.map((recipient, i) => {
          const name = recipientName(recipient, i, names);
          return (
            <li key={recipient.id} className="grid gap-2">
              {canRehearse(recipient) ? (
                <Checkbox
                  label={<bdi className="wrap-anywhere">{name}</bdi>}
                  hint={wayOf(recipient, scrolls.transports)}
                  checked={!left.has(recipient.id)}
                  onChange={(event) => setLeft(changed(left, recipient.id, !event.target.checked))}
                />
              ) : (
                <p className="text-note text-dust">
                  <bdi className="wrap-anywhere">{name}</bdi>: {NOTHING_TO_TRY[recipient.access] ?? ''}
                </p>
              )}
              <RehearsalLine recipient={recipient} name={names.get(recipient.publicId)} last />
            </li>
          );
        })}
      </ul>
      <TextField
        label="What they read"
        value={sentence}
        maxLength={SENTENCE_MAX}
        autoComplete="off"
        onChange={(event) => setSentence(event.target.value)}
        error={tried && isBlank ? 'Write a sentence for them to read.' : undefined}
        hint="Nothing of the letter. It is sealed with the letter’s own key, so that this server cannot read it."
      />
      <p className="border-l border-ember/55 pl-4 text-note text-dust">
        Message and page say first that it is a rehearsal and that nothing has happened. It ends when they
        have opened it, or after thirty days.
      </p>
      <Problem>{tried && missing ? 'Choose at least one of them.' : problem}</Problem>
    </FormDialog>
  );
}

const NOTHING_TO_TRY: Partial<Record<ScrollRecipient['access'], string>> = {
  vault: 'nothing to try, it will lie in their vault, which they open themselves.',
  none: 'nothing to try, they have no key. Make them one first.',
};

function wayOf(
  { recipientType, access, rehearsalsStoppedAt }: ScrollRecipient,
  transports: Scrolls['transports'],
): string {
  const key = access === 'passphrase' ? 'their passphrase' : 'their key card';
  if (rehearsalsStoppedAt !== null)
    return 'Nothing is sent, as they asked for no more rehearsals. Ask them by another way.';
  if (recipientType === 'card' || recipientType === 'whisper')
    return `Nothing is sent: ask them to follow ${key} to its page.`;
  const what = recipientType === 'email' ? 'A mail' : 'A text message';
  if (needsPermission(recipientType, transports)) return `${what} waits for the administrator’s permission.`;
  if (!isTold(recipientType, transports))
    return `${what} waits in the outbox for the administrator to pass it on.`;
  return `${what} leaves at once. They open the page by ${key}.`;
}

function changed(set: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
