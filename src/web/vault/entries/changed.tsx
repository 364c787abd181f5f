// What is shown of a row that the server shows otherwise than its owner's browser has sealed it. Its text is not shown as
// though nothing had happened, and nobody is kept from it either.
import { useState } from 'react';
import type { ChangedFact } from '../../../shared/sealed-facts.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Hardly anybody ever needs its words. */
const ChangedFacts = later(() => import('./changed-facts.tsx'));

export type Changed = readonly ChangedFact[];

export const ChangedBadge = () => <Badge variant="danger">Changed on the server</Badge>;

/** Of an entry whose words the server does not give out, though no lock that was sealed in lies ahead. */
export const LeftOutBadge = () => <Badge variant="danger">Its words are withheld</Badge>;

/** What stands where a name would that is not shown. */
export const unreadName = ({ changed }: { changed: Changed | null }) =>
  changed ? 'See what was changed' : 'Unreadable with this key';

interface NoteProps {
  /** What was changed, at the beginning of a sentence. */
  subject?: string;
  changed: Changed;
  /** Whether its text is shown beneath; where it is not yet, `onOpen` shows it. */
  opened?: boolean;
  onOpen?: () => void;
}

/** Beside what was opened as it was sealed, or can be. */
export function ChangedNote({ subject = 'This entry was', changed, opened = true, onOpen }: NoteProps) {
  return (
    <div className="grid gap-3 border-l border-blood/55 pl-4 text-note text-dust">
      <ChangedBadge />
      <p>
        {subject} changed on the server.
        {opened ? ' You see it as you sealed it.' : ' Its text has come, and is not shown yet.'}
      </p>
      <ChangedFacts changed={changed} />
      {!opened && (
        <div>
          <Button tone="caps" onClick={onOpen}>
            Open as it was sealed
          </Button>
        </div>
      )}
    </div>
  );
}

/** In the row of a list whose text cannot be opened from there. */
export function ChangedInList({ changed }: { changed: Changed }) {
  return (
    <div className="grid gap-2 border-l border-blood/55 pl-4 text-note text-dust">
      <ChangedBadge />
      <ChangedFacts changed={changed} />
    </div>
  );
}

interface DialogProps {
  /** What it is called in a sentence, such as "memory". */
  noun: string;
  changed: Changed;
  /** Opens it with what it was sealed with, and closes this, or says why it cannot be. Absent where nothing can be opened. */
  onOpen?: (() => Promise<string | null>) | undefined;
  onDelete?: (() => void) | undefined;
  onClose: () => void;
}

/** Says what was changed, before anything of the text is shown. */
export function ChangedDialog({ noun, changed, onOpen, onDelete, onClose }: DialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function open() {
    setBusy(true);
    setProblem((await onOpen?.().catch(sentenceOf)) ?? null);
    setBusy(false);
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`This ${noun} was changed on the server`}
      description="Your browser seals these facts together with the text, so it notices when the server shows others. The text is not shown as if nothing had happened."
      size="narrow"
      footer={
        <>
          {onDelete && <Button onClick={onDelete}>Delete</Button>}
          {onOpen && (
            <Button tone="primary" onClick={() => void open()} busy={busy} busyLabel="Opening">
              Open as it was sealed
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <ChangedFacts changed={changed} />
        <p className="text-note text-dust">
          An error of the server can be the cause, or its administrator. If you edit the {noun} once it is
          open, it is stored again as you see it.
        </p>
        <Problem>{problem}</Problem>
      </div>
    </Dialog>
  );
}
