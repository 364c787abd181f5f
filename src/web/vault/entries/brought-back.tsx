// Above a form: that what was begun in it is still here, and how to be rid of it; then how to have that back.
import { Button } from '../../ui/button.tsx';

interface BroughtBackProps {
  /** Whether a draft was brought back. */
  restored: boolean;
  /** Of what: words of its own, or changes to what is sealed already. */
  editing?: boolean;
  onDiscard: () => void;
  /** Null where nothing was discarded. */
  bringBack: (() => void) | null;
  disabled?: boolean;
}

/** The button that was pressed is gone: this one has the focus in its place. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });

export function BroughtBack({ restored, editing = false, onDiscard, bringBack, disabled }: BroughtBackProps) {
  if (!restored && !bringBack) return null;
  return (
    <span className="flex flex-wrap items-baseline gap-x-6">
      {restored ? (
        <>
          What you had begun to write is still here.
          <Button tone="caps" onClick={onDiscard} disabled={disabled}>
            {editing ? 'Undo my changes' : 'Discard it'}
          </Button>
        </>
      ) : (
        <>
          <span role="status">
            {editing ? 'Your changes are undone.' : 'It is discarded.'} You can bring{' '}
            {editing ? 'them' : 'it'} back until you leave this form.
          </span>
          <Button key="back" ref={takeFocus} tone="caps" onClick={bringBack ?? undefined} disabled={disabled}>
            {editing ? 'Bring them back' : 'Bring it back'}
          </Button>
        </>
      )}
    </span>
  );
}
