// How far something has come, and the button that ends it.
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Underway } from '../../vault/entries/use-attempt.ts';

interface UnderwayProps {
  underway: Underway;
  /** Whether the button that was pressed is gone, so that the focus belongs here. */
  takesFocus?: boolean;
  onCancel: () => void;
}

/** Gives an element the focus once it stands there. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();

export function UnderwayPart({ underway, takesFocus = false, onCancel }: UnderwayProps) {
  const { label, value, max, text } = underway;
  return (
    <div className="grid gap-5" aria-busy="true">
      <div tabIndex={-1} ref={takesFocus ? takeFocus : null} className="outline-hidden">
        <ProgressBar label={label} value={value} {...(max !== undefined && { max })} valueText={text} />
      </div>
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
