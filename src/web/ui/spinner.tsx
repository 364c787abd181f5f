// Waiting, said aloud: a slow arc and words for those who do not see it. Never a bare animation.
import { classes } from './classes.ts';

/** The arc alone, for use inside something that already says what it waits for. */
export function Arc({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={classes('animate-turn', className)}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
    >
      <circle cx="12" cy="12" r="10" opacity=".22" />
      <path d="M12 2a10 10 0 0 1 10 10" />
    </svg>
  );
}

interface SpinnerProps {
  /** What is being waited for, in words. */
  label?: string;
  /** Fills the window; the words are shown beneath the arc. */
  screen?: boolean;
}

/** Says that something is on its way. Inline it shows the arc and the words; with `screen` it fills the window. */
export function Spinner({ label = 'One moment', screen = false }: SpinnerProps) {
  if (!screen) {
    return (
      <span role="status" className="inline-flex items-center gap-3 text-dust">
        <Arc className="size-5 text-ember" />
        {label}
      </span>
    );
  }
  return (
    <div
      role="status"
      className="candle-below grid min-h-dvh place-content-center justify-items-center gap-6"
    >
      <Arc className="size-12 text-ember" />
      <span className="caps text-dust">{label}</span>
    </div>
  );
}
