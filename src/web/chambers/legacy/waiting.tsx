// A scroll before its time. A card can be tried; nothing else can be done, and no passphrase is asked for.
import type { ReactNode } from 'react';
import type { ScrollAccess } from '../../../shared/nouns/scroll-recipients.ts';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/moments.ts';
import { Room } from '../../ui/page.tsx';
import { Problem as ProblemLine } from '../../ui/problem.tsx';
import { From } from './from.tsx';
import type { KeyKind, Problem } from './use-legacy.ts';

interface WaitingProps {
  access: ScrollAccess;
  by: KeyKind;
  whole: boolean;
  busy: boolean;
  problem: Problem | null;
  looking: boolean;
  lookedAt: number | null;
  authorName: string | null;
  onTry: () => void;
  onLook: () => void;
  children?: ReactNode;
}

const leads: Record<ScrollAccess, string> = {
  card: 'Somebody has written to you and given you this card. It opens nothing before its time. You can try now whether it is the right one.',
  passphrase:
    'It has not been sent yet. It will open by a passphrase that its author has told you; this page asks for it when the time has come. If a message can reach you, one will tell you so; look here again now and then.',
  vault:
    'It has not been sent yet. It is sealed to a vault of this server, and when it is sent, the owner of that vault will find it there. There is nothing to do here.',
  none: 'It has not been sent yet. It was sealed by another program, without a key of its own, and this page will not be able to open it.',
};

const SHEETS_WAIT =
  'Somebody has written to you, and split the key among people they trust. Enough of their sheets are together here. They open nothing before its time. You can try now whether they are the right ones.';

const WHOLE_CARD =
  'It is the right one for the letter that waits here, and it opens nothing before its time. If a message can reach you, one will tell you when that has come; look here again now and then. Keep your card safe, and show it to nobody: whoever holds it then can read what was written to you, and only its author can make another.';

const WHOLE_SHEETS =
  'They are the right ones for the letter that waits here, and they open nothing before its time. If a message can reach you, one will tell you when that has come; look here again now and then. Give each sheet back to whose it is, and close this page: only its author can make others.';

export function Waiting(props: WaitingProps) {
  const { access, by, whole, busy, problem, authorName, onTry, children } = props;
  const from = authorName && <From name={authorName} />;
  const bySheets = by === 'sheets';
  if (whole) {
    return (
      <Room
        sigil="legacy"
        width="prose"
        title={bySheets ? 'The sheets are whole' : 'Your card is whole'}
        lead={bySheets ? WHOLE_SHEETS : WHOLE_CARD}
      >
        {from}
        {children}
        <LookAgain {...props} />
        <p className="caps text-dust">Nothing was opened</p>
      </Room>
    );
  }
  return (
    <Room
      sigil="legacy"
      width="prose"
      title="A scroll that waits"
      lead={bySheets ? SHEETS_WAIT : leads[access]}
    >
      {from}
      {children}
      {access !== 'card' && <LookAgain {...props} />}
      {access === 'card' && (
        <>
          <Button tone="primary" onClick={onTry} busy={busy} busyLabel="Trying">
            {bySheets ? 'Try the sheets' : 'Try the card'}
          </Button>
          {problem && (
            <div className="w-full max-w-gate">
              <ProblemLine>{problem.sentence}</ProblemLine>
            </div>
          )}
          <p className="caps text-dust">Trying {bySheets ? 'them' : 'it'} opens nothing</p>
        </>
      )}
    </Room>
  );
}

function LookAgain({ looking, lookedAt, onLook }: Pick<WaitingProps, 'looking' | 'lookedAt' | 'onLook'>) {
  return (
    <>
      <Button onClick={onLook} busy={looking} busyLabel="Looking">
        Look again
      </Button>
      {lookedAt !== null && !looking && (
        <p className="text-note text-dust">
          Looked at {formatTime(new Date(lookedAt).toISOString())}: it still waits.
        </p>
      )}
    </>
  );
}
