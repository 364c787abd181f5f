// The questions before a scroll is released by hand, deleted, or disarmed where it could not be activated again.
import { useRef, useState } from 'react';
import { scrollState } from '../../../shared/nouns/legacy.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { StillKept } from '../../../vault/outbox/own-refusals.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { asQuestion } from '../../ui/question.ts';
import { toast } from '../../ui/toaster.tsx';
import { DeleteEntry } from '../../vault/entries/delete-entry.tsx';
import { RecipientAddresses } from './recipient-address.tsx';
import { named, tellingWords } from './scroll-words.ts';
import type { Scrolls } from './use-scrolls.ts';

interface QuestionProps {
  scroll: OpenedScroll;
  scrolls: Scrolls;
  onClose: () => void;
}

export function ReleaseQuestion({ scroll, scrolls, onClose }: QuestionProps) {
  const { busy, problem, run } = useAttempt();

  const telling = tellingWords(scroll.recipients, scrolls.transports);

  async function release() {
    await scrolls.release(scroll);
    toast({ title: 'Legacy Scroll Released', description: telling });
    onClose();
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void run(release)}
      title={`Release ${named(scroll)} now?`}
      description={
        <>
          It is for <RecipientAddresses scroll={scroll} />. Whoever has its key can read the letter from now
          on. {telling} A release cannot be taken back.
        </>
      }
      confirmLabel="Release now"
      busy={busy}
      busyLabel="Releasing"
      error={problem}
    />
  );
}

interface DisarmProps {
  scroll: OpenedScroll;
  /** How many scrolls the plan lets watch. */
  most: number;
  disarm: () => Promise<void>;
  onClose: () => void;
}

/** Of an account whose plan has lapsed: what watches goes on, and what is disarmed waits for room. */
export function DisarmQuestion({ scroll, most, disarm, onClose }: DisarmProps) {
  const { busy, problem, run } = useAttempt();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void run(disarm)}
      title={asQuestion(`Disarm ${named(scroll)}`)}
      description={`More of your letters are active than your plan allows. They may stay active. Once this one is disarmed, it can be activated again only when fewer than ${most} others are.`}
      confirmLabel="Disarm it"
      busy={busy}
      busyLabel="Disarming"
      error={problem}
    />
  );
}

const ends = {
  dormant:
    'It is erased from this server and cannot be brought back. Keys that you have handed over open nothing any more.',
  watching:
    'Its watch ends, it is never sent, and it is erased from this server. Keys that you have handed over open nothing any more.',
  released:
    'Its address leads nowhere any more, and what was not delivered yet never is. If it was opened before, the letter has been read.',
};

export function DeleteQuestion({ scroll, scrolls, onClose }: QuestionProps) {
  // As it stood when the question was asked: an answer does not change its meaning meanwhile.
  const [state] = useState(() => scrollState(scroll));
  // A second press means it in spite of what the first one was told.
  const wasTold = useRef(false);
  return (
    <DeleteEntry
      title={asQuestion(`Delete ${named(scroll)}`)}
      description={`${ends[state]} Copies in the administrator’s backups are out of its reach.`}
      deleted="Legacy Scroll Deleted"
      remove={() =>
        scrolls.remove(scroll, wasTold.current).catch((error: unknown) => {
          wasTold.current ||= error instanceof StillKept;
          throw error;
        })
      }
      onGone={() => {
        scrolls.drop(scroll);
        toast({ title: 'Legacy Scroll is gone', description: 'It was deleted elsewhere.' });
      }}
      onClose={onClose}
    />
  );
}
