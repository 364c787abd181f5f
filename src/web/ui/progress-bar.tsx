// How far something has come, as a line that fills.
import type { ReactNode } from 'react';

interface ProgressBarProps {
  label: ReactNode;
  /** Left out while it cannot be known. */
  value?: number | undefined;
  max?: number;
  /** In words, at the label's right end: "9 of 13". Read aloud in place of the percentage. */
  valueText?: string | undefined;
}

/** A labelled progress line. */
export function ProgressBar({ label, value, max = 100, valueText }: ProgressBarProps) {
  const share = value === undefined || max <= 0 ? undefined : Math.min(1, Math.max(0, value / max));
  return (
    <div className="grid gap-3">
      <div className="flex items-baseline justify-between gap-6">
        <span className="label min-w-0 text-dust">{label}</span>
        {valueText && <span className="label shrink-0 text-bone">{valueText}</span>}
      </div>
      <div
        role="progressbar"
        aria-label={typeof label === 'string' ? label : undefined}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={share === undefined ? undefined : value}
        aria-valuetext={valueText}
        className="h-0.5 overflow-hidden bg-line forced-colors:border"
      >
        {share === undefined ? (
          <div className="h-full w-full animate-breathe bg-ember" />
        ) : (
          <div
            className="h-full origin-left bg-ember transition-transform duration-500 forced-colors:bg-[Highlight]"
            style={{ transform: `scaleX(${share})` }}
          />
        )}
      </div>
    </div>
  );
}
