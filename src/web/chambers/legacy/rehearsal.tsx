// A rehearsal, as its recipient meets it: plainly no release. They try the key by which they will open the letter, and read
// one sentence; or they say that they have none, while another can still be made.
import { type ReactNode, useState } from 'react';
import type { ScrollAccess } from '../../../shared/nouns/scroll-recipients.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Room } from '../../ui/page.tsx';
import { Problem as ProblemLine } from '../../ui/problem.tsx';
import { OpeningForm } from './opening-form.tsx';
import type { KeyKind, OpenedRehearsal, Problem } from './use-legacy.ts';

/** Said first of everything. */
export const NOTHING_HAPPENED = 'This is a rehearsal. Nothing has happened to anybody, and nobody has died.';

interface RehearsalProps {
  access: ScrollAccess;
  by: KeyKind;
  openedAt: string | null;
  authorName: string | null;
  busy: boolean;
  problem: Problem | null;
  onOpen: (passphrase: string) => void;
  tellKeyless: () => Promise<void>;
  children?: ReactNode;
}

export function Rehearsal(props: RehearsalProps) {
  const { access, by, openedAt, authorName, busy, problem, onOpen, tellKeyless, children } = props;
  const byPassphrase = access === 'passphrase';
  return (
    <Room
      sigil="legacy"
      width="prose"
      title="A rehearsal"
      lead={
        <>
          {NOTHING_HAPPENED} {authorName ?? 'Somebody'} has written you a letter that you may get one day, and
          asks you to try now whether you could open it then. {opensBy[by]} It costs nothing and takes a
          minute.
        </>
      }
    >
      {children}
      {openedAt && (
        <p className="text-note text-balance text-dust">
          You, or somebody with {by === 'sheets' ? 'the sheets' : `your ${by}`}, opened it on{' '}
          {formatMoment(openedAt)}. Nothing more is needed.
        </p>
      )}
      <OpeningForm
        {...{ byPassphrase, busy, problem, onOpen }}
        label="Open the rehearsal"
        hint="It stays in this browser. Wrong ones lose nothing; your author sees how many there were."
        missing="The rehearsal asks for the passphrase."
      />
      {byPassphrase && openedAt === null && <NoKey by={by} tell={tellKeyless} />}
      <p className="caps text-dust">The letter stays sealed</p>
    </Room>
  );
}

const opensBy: Record<KeyKind, string> = {
  passphrase: 'It opens by the passphrase that you agreed on.',
  card: 'It opens by your key card, which is here already.',
  sheets: 'It opens by the sheets that are together here already.',
};

const another: Record<KeyKind, string> = {
  passphrase: 'give you another passphrase',
  card: 'give you another key card',
  sheets: 'make new sheets',
};

const missing: Record<KeyKind, string> = {
  passphrase: 'I do not know the passphrase',
  card: 'I cannot find my key card',
  sheets: 'We cannot find enough sheets',
};

/** For whoever has nothing to try: their author can still mend it. */
export function NoKey({ by, tell }: { by: KeyKind; tell: () => Promise<void> }) {
  const { busy, problem, run } = useAttempt();
  const [isTold, setTold] = useState(false);
  if (isTold) {
    return (
      <p role="status" className="max-w-gate text-note text-balance text-dust">
        Your author can see that now. They can {another[by]}. There is nothing more to do.
      </p>
    );
  }
  return (
    <div className="grid justify-items-center gap-3">
      <Button
        busy={busy}
        busyLabel="Telling them"
        onClick={() =>
          void run(async () => {
            await tell();
            setTold(true);
          })
        }
      >
        {missing[by]}
      </Button>
      <ProblemLine>{problem}</ProblemLine>
    </div>
  );
}

const afterwards: Record<KeyKind, string> = {
  passphrase: 'Remember the passphrase, and tell it to nobody.',
  card: 'Keep your card where you found it now, and show it to nobody.',
  sheets: 'Give each sheet back to whose it is: none of you alone can open the letter.',
};

/** It worked. */
export function Rehearsed({ words: { sentence, authorName }, by }: OpenedRehearsal) {
  return (
    <Room
      sigil="legacy"
      width="prose"
      title="It works"
      lead={`You could open the letter. This was the rehearsal, and ${authorName ?? 'its author'} can see that you opened it. The letter itself stays sealed until its time.`}
    >
      <figure className="grid w-full gap-4 border-l border-ember/55 py-2 pl-6 text-left">
        <blockquote dir="auto" className="font-display text-name wrap-anywhere whitespace-pre-line">
          {sentence}
        </blockquote>
        {authorName && <figcaption className="text-note text-dust">From {authorName}</figcaption>}
      </figure>
      <p className="text-note text-balance text-dust">{afterwards[by]} You can close this page.</p>
    </Room>
  );
}
