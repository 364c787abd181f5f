// One thought, opened for reading. Its words stand here alone and are gone when it closes.
import { useState } from 'react';
import type { Reading } from '../../../vault/outbox/ghost-writer.ts';
import { useNow } from '../../hooks/use-now.ts';
import { formatDay } from '../../ui/moments.ts';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { ChangedNote } from '../../vault/entries/changed.tsx';
import { OutsideNote } from '../../vault/entries/outside.tsx';
import { readingsLeft, timeLeft } from './ghost-words.ts';

export function GhostReader({ reading, onClose }: { reading: Reading; onClose: () => void }) {
  const { ghost, text, changed, outside, adopt } = reading;
  const [adopted, setAdopted] = useState(false);
  const [asSealed, setAsSealed] = useState(false);
  const now = useNow();
  const left = Date.parse(ghost.expiresAt) - now;
  const last = ghost.maxReads !== null && ghost.currentReads >= ghost.maxReads;
  return (
    <ReadingOverlay
      open
      onClose={onClose}
      eyebrow="Ghost Mode"
      title="A ghost thought"
      meta={[
        `Sealed ${formatDay(ghost.createdAt)}`,
        readingsLeft(ghost),
        !last && (left > 0 ? `${timeLeft(left)} left` : 'Expired'),
        last && 'Erased from this server',
      ]}
      notice={
        changed ? (
          <ChangedNote changed={changed.facts} onOpen={() => setAsSealed(true)} opened={asSealed} />
        ) : (
          outside &&
          !adopted && <OutsideNote onAdopt={adopt ? () => adopt().then(() => setAdopted(true)) : undefined} />
        )
      }
      text={changed ? (asSealed ? changed.text : '') : text}
      error={
        text === null && !changed
          ? 'Unable to decrypt this entry. Your encryption key may have changed. The reading was counted.'
          : undefined
      }
      closeLabel={last ? 'Close for good' : 'Close'}
    />
  );
}
