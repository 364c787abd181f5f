// Writing a legacy scroll. What is written survives a reload, sealed, until it is sent; the passphrase does not.
import { SCROLLS_MAX } from '../../../shared/nouns/legacy.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SUBMIT_KEYS, submitByKey } from '../../ui/submit-by-key.ts';
import { BroughtBack } from '../../vault/entries/brought-back.tsx';
import { SealFailure } from '../../vault/entries/seal-failure.tsx';
import { FilesField } from '../../vault/files/files-field-part.ts';
import { stillOnTheirWay, waitsFor } from '../../vault/files/files-waited-for.ts';
import { StillSealing, WORDS_ARE_SAFE } from '../../vault/sharing/still-sealing.tsx';
import { Withholding } from './key-fields.tsx';
import { ScrollFields } from './scroll-fields.tsx';
import { useCreation } from './use-creation.ts';
import type { Scrolls } from './use-scrolls.ts';

interface Props {
  scrolls: Scrolls;
  onCreated: (scroll: OpenedScroll) => void;
  /** Leaves what is written as a draft; absent where there is nothing else to show. */
  onClose: (() => void) | undefined;
}

export function CreationForm({ scrolls, onCreated, onClose }: Props) {
  const letter = useCreation(scrolls, onCreated);
  const { busy, files, restored, bringBack } = letter;
  const onTheirWay = stillOnTheirWay(files.value);
  const count = scrolls.list.data?.length ?? 0;

  return (
    <form
      ref={letter.element}
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void letter.create();
      }}
      onKeyDown={submitByKey}
      aria-busy={busy}
    >
      <p className="text-note text-dust empty:hidden">
        <BroughtBack {...{ restored, bringBack, onDiscard: letter.discard, disabled: busy }} />
      </p>
      {count >= SCROLLS_MAX && (
        <p className="text-ember" role="status">
          This vault keeps {SCROLLS_MAX} letters, and no more can be made. Delete one before you write
          another.
        </p>
      )}
      <ScrollFields {...letter.fields} beneath={<FilesField files={files} removePlaceByDefault />} />
      <Withholding />
      <Problem>{letter.waits}</Problem>
      <SealFailure error={letter.refusal} />
      <StillSealing isSlow={letter.isSlow}>
        {WORDS_ARE_SAFE} A passphrase that you have typed is not kept.
      </StillSealing>
      <div className="flex flex-wrap justify-end gap-4 max-sm:*:grow">
        {onClose && (
          <Button onClick={onClose} disabled={busy}>
            Not now
          </Button>
        )}
        <Button
          type="submit"
          tone="primary"
          aria-keyshortcuts={SUBMIT_KEYS}
          busy={busy}
          busyLabel="Sealing..."
          disabled={onTheirWay > 0}
        >
          {onTheirWay > 0 ? waitsFor(onTheirWay) : 'Seal the letter'}
        </Button>
      </div>
    </form>
  );
}
