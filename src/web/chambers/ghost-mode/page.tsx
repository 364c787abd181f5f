// Ghost Mode: the list without words, and which of its dialogs stands open.
import { useMemo, useState } from 'react';
import { OpenError } from '../../../crypto/errors.ts';
import { type Ghost, ghostState } from '../../../shared/nouns/ghost.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import { ghostList, ghostWriter, type Reading } from '../../../vault/outbox/ghost-writer.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { VaultList } from '../../vault/book/vault-list.tsx';
import { DeleteEntry } from '../../vault/entries/delete-entry.tsx';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useNewAddress } from '../../vault/session/new-address.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { GhostDialog } from './ghost-dialog.tsx';
import { GhostReader } from './ghost-reader.tsx';
import { GhostRows } from './ghost-rows.tsx';
import { isLastReading } from './ghost-words.ts';

type Open = { view: 'last' | 'delete'; ghost: Ghost } | { view: 'read'; reading: Reading };

const hasWords = (ghost: Ghost) => ghostState(ghost, Date.parse(ghost.expiresAt), Date.now()) === 'waiting';

/** Reading one, which its owner is asked about before the last time, and what is said where that does not go well. */
function useGhostReading(ghosts: ReturnType<typeof ghostWriter>, refetch: () => Promise<unknown>) {
  const [open, setOpen] = useState<Open | null>(null);
  const [opening, setOpening] = useState<number | null>(null);
  const close = () => setOpen(null);

  /** Presses while one entry is being opened do nothing: each could spend a reading. */
  async function oneAtATime(ghost: Ghost, work: () => Promise<void>) {
    if (opening !== null) return;
    setOpening(ghost.id);
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      setOpening(null);
    }
  }

  const approach = (ghost: Ghost) =>
    oneAtATime(ghost, async () => {
      const fresh = await ghosts.approach(ghost);
      if (!fresh) return gone();
      if (isLastReading(fresh)) return setOpen({ view: 'last', ghost: fresh });
      await read(fresh);
    });

  async function read(ghost: Ghost) {
    const reading = await ghosts.read(ghost);
    const { currentReads, maxReads } = reading.ghost;
    setOpen({ view: 'read', reading });
    if (reading.changed) return;
    if (reading.text === null) return failToOpen('The reading was counted.');
    if (maxReads !== null && currentReads >= maxReads) {
      toast({
        title: 'Final Reading',
        description:
          'The words of this entry are erased from this server and will vanish when you close it. An empty line stays in the list until you delete it.',
      });
    }
  }

  function fail(error: unknown) {
    if (error instanceof ApiError && error.status === 404) return gone();
    close();
    if (error instanceof OpenError) return failToOpen('This reading was not counted.');
    toast({ title: 'Failed to Read', description: sentenceOf(error), tone: 'destructive' });
    // Whether it was counted is not known here.
    void refetch();
  }

  function failToOpen(consequence: string) {
    toast({
      title: 'Failed to Decrypt',
      description: `Unable to decrypt this entry. Your encryption key may have changed. ${consequence}`,
      tone: 'destructive',
    });
  }

  function gone() {
    close();
    toast({ title: 'Entry Vanished', description: 'This ghost entry has already been purged.' });
    void refetch();
  }

  const readNow = (ghost: Ghost) => oneAtATime(ghost, () => read(ghost));
  return { open, setOpen, opening, approach, readNow, gone, close };
}

export default function GhostModePage() {
  const vault = useVault();
  const ghosts = useMemo(() => ghostWriter(vault), [vault]);
  const list = useRows(ghostList, { refetchOnMount: 'always' });
  const { isNew, begin, end } = useNewAddress('/ghost-mode');
  const { open, setOpen, opening, approach, readNow, gone, close } = useGhostReading(ghosts, list.refetch);
  const hint = useLetterHint('n');

  return (
    <Chamber
      eyebrow="Chamber three"
      title="Ghost Mode"
      lead="Words that do not stay. Each reading is counted, and with the last one they are deleted. They are deleted as well when their time is over, read or not."
      action={
        <Button tone="primary" onClick={begin} {...hint}>
          Ghost Thought
        </Button>
      }
      dialogs={
        <>
          {!open && isNew && <GhostDialog ghosts={ghosts} onClose={end} />}
          {open?.view === 'last' && (
            <ConfirmDialog
              open
              onClose={close}
              onConfirm={() => void readNow(open.ghost)}
              title="This is the last reading"
              description="The words are erased from this server as they are sent to you, and nothing brings them back. If the connection breaks on the way, they are gone all the same."
              confirmLabel="Read it for the last time"
              cancelLabel="Not now"
              busy={opening !== null}
              busyLabel="Opening"
            />
          )}
          {open?.view === 'read' && <GhostReader reading={open.reading} onClose={close} />}
          {open?.view === 'delete' && (
            <DeleteEntry
              title="Delete this thought?"
              description={
                hasWords(open.ghost)
                  ? 'Its words are erased from this server and cannot be brought back. Copies in the administrator’s backups are out of its reach.'
                  : 'Its words are gone already. This takes the empty entry off the list.'
              }
              deleted="Ghost Entry Deleted"
              remove={() => ghosts.remove(open.ghost)}
              onGone={gone}
              onClose={close}
            />
          )}
        </>
      }
    >
      <SeveralDrafts list="/ghost-mode" />
      <VaultList
        query={list}
        items={list.data}
        loading="Fetching your ghost entries"
        empty={
          <EmptyState sigil="ghost" title="No thought lingers here">
            Write one, say how often it may be read and how long it may wait. Then it is gone.
          </EmptyState>
        }
      >
        {(all) => (
          <GhostRows
            ghosts={all}
            opening={opening}
            onOpen={(ghost) => void approach(ghost)}
            onDelete={(ghost) => setOpen({ view: 'delete', ghost })}
          />
        )}
      </VaultList>
    </Chamber>
  );
}
