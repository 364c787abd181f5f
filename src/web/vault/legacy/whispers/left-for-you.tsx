// What other vaults have left for this one. Hidden where there is nothing; nothing of a whisper is known before it is
// opened but that it was released.
import { useId, useState } from 'react';
import { inFours } from '../../../../shared/in-fours.ts';
import { WHISPERS_PER_AUTHOR, WHISPERS_PER_VAULT, type Whisper } from '../../../../shared/nouns/whispers.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { detailsOfLetter } from '../../../../vault/legacy/letter-files.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { later } from '../../../ui/later.tsx';
import { formatDay, formatMoment } from '../../../ui/moments.ts';
import { ReadingOverlay } from '../../../ui/reading-overlay.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { DeleteEntry } from '../../entries/delete-entry.tsx';
import { useGalleryForPrinter } from '../../files/gallery-for-printer.ts';
import { type ReadWhisper, useWhispers } from './use-whispers.ts';

const Gallery = later(() => import('../../files/own-gallery.tsx'));

export function LeftForYou() {
  const { list, heldBack, reading, open, close, remove, drop } = useWhispers();
  const [deleting, setDeleting] = useState<Whisper | null>(null);
  const title = useId();
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="What was left for you could not be fetched"
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      >
        {sentenceOf(list.error)}
      </ErrorState>
    );
  }
  if (!list.data || list.data.length === 0) return null;
  return (
    <section aria-labelledby={title} className="border-t border-line py-10">
      <h2 id={title} className="font-display text-heading">
        Left for you
      </h2>
      <p className="mt-2 mb-6 max-w-prose text-dust">
        Whispers that other vaults wrote to yours, and that were released to you. They can be opened again and
        again.
      </p>
      {heldBack > 0 && <HeldBack count={heldBack} />}
      <ul className="border-t border-line/60">
        {list.data.map((whisper) => (
          <li key={whisper.publicId} className="border-b border-line/60">
            <Row whisper={whisper} onOpen={() => void open(whisper)} onDelete={() => setDeleting(whisper)} />
          </li>
        ))}
      </ul>
      {reading && <Reader {...reading} onClose={close} />}
      {deleting && (
        <DeleteEntry
          title="Delete this whisper?"
          description={whatDeletingEnds(deleting)}
          deleted="Whisper Deleted"
          remove={() => remove(deleting)}
          onGone={() => {
            drop(deleting);
            toast({ title: 'The whisper is gone', description: 'It was deleted elsewhere.' });
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </section>
  );
}

function HeldBack({ count }: { count: number }) {
  return (
    <p role="status" className="mb-6 max-w-prose border-l border-ember pl-4 text-note text-ember">
      {count === 1 ? 'One more waits' : `${count.toLocaleString('en-GB')} more wait`} until you have read or
      deleted some of these. At most {WHISPERS_PER_AUTHOR} unread ones of one author lie here, and{' '}
      {WHISPERS_PER_VAULT.toLocaleString('en-GB')} of all together.
    </p>
  );
}

function whatDeletingEnds({ access, openedAt }: Whisper): string {
  const unopened = access === 'vault' && openedAt === null ? 'You have not opened it yet. ' : '';
  const key = access === 'passphrase' ? 'knows its passphrase' : 'has its key card';
  const others =
    access === 'card' || access === 'passphrase'
      ? ` Whoever ${key} can open it for as long as its author keeps it.`
      : '';
  return `${unopened}It leaves your vault and cannot be brought back. What its author has of it stays theirs, and they are not told.${others} Copies in the administrator’s backups are out of its reach.`;
}

const needs: Record<Exclude<Whisper['access'], 'vault'>, string> = {
  card: 'It needs the key card that its author gave you.',
  passphrase: 'It needs the passphrase that its author told you.',
  none: 'It was sealed by another program, and opens in the vault it came from alone.',
};

interface RowProps {
  whisper: Whisper;
  onOpen: () => void;
  onDelete: () => void;
}

function Row({ whisper, onOpen, onDelete }: RowProps) {
  const { access, releasedAt, openedAt, publicId } = whisper;
  const which = ` the whisper of ${formatDay(releasedAt)}`;
  return (
    <div className="grid gap-x-8 gap-y-3 py-5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="grid min-w-0 gap-1.5">
        <h3 className="font-display text-name font-medium lining-nums">
          Released {formatMoment(releasedAt)}
        </h3>
        <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-shade">
          {openedAt ? (
            <Badge variant="unlocked">First opened {formatDay(openedAt)}</Badge>
          ) : (
            <Badge variant="locked">Not opened yet</Badge>
          )}
          {access !== 'vault' && <span>{needs[access]}</span>}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        {access === 'vault' && (
          <Button size="small" onClick={onOpen}>
            Read<span className="sr-only">{which}</span>
          </Button>
        )}
        {(access === 'card' || access === 'passphrase') && (
          <ButtonLink href={`/legacy/${publicId}`} size="small">
            Go to it<span className="sr-only">,{which}</span>
          </ButtonLink>
        )}
        <Button tone="caps" onClick={onDelete}>
          Delete<span className="sr-only">{which}</span>
        </Button>
      </div>
    </div>
  );
}

function Reader({ whisper, read, openedBefore, opening, onClose }: ReadWhisper & { onClose: () => void }) {
  const letter = read?.letter;
  const files = useGalleryForPrinter(Gallery, letter?.files !== undefined);
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Left for you"
      title={letter?.title ?? 'A whisper'}
      meta={[
        read && (
          <>
            From vault <span className="font-machine text-small">{inFours(read.senderAddress)}</span>
          </>
        ),
        letter && !Number.isNaN(Date.parse(letter.createdAt)) && `Written ${formatDay(letter.createdAt)}`,
        `Released ${formatDay(whisper.releasedAt)}`,
        openedBefore && `Opened before on ${formatMoment(openedBefore)}`,
      ]}
      text={letter?.content ?? null}
      beneath={
        letter?.files !== undefined && (
          <Gallery details={detailsOfLetter(letter)} whisper={whisper.publicId} opening={files.opening} />
        )
      }
      beforePrint={files.beforePrint}
      error={
        opening || letter
          ? undefined
          : 'This whisper cannot be read. No key that your vault has, or has kept, opens it: it was sealed to one that was let go, or it is not what its sender signed.'
      }
    />
  );
}
