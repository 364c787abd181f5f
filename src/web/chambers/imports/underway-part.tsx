// How far something has come, and the button that ends it.
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Underway } from './use-imports.ts';

export function UnderwayPart({ underway, onCancel }: { underway: Underway; onCancel: () => void }) {
  const { label, value, max, text } = underway;
  return (
    <div className="grid gap-5">
      <ProgressBar label={label} value={value} {...(max !== undefined && { max })} valueText={text} />
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
