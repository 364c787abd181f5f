// A state in a few words, with a dot. The words carry the meaning; the dot only repeats it.
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/** `open` was never closed, `unlocked` has been, `locked` is, `danger` warns, `plain` is none of these. */
export type BadgeVariant = 'open' | 'unlocked' | 'locked' | 'danger' | 'plain';

const words: Record<BadgeVariant, string> = {
  open: 'text-dust',
  unlocked: 'text-dust',
  locked: 'text-ember',
  danger: 'text-blood',
  plain: 'text-dust',
};

const dots: Record<BadgeVariant, string> = {
  open: 'bg-verdigris',
  unlocked: 'border border-verdigris',
  locked: 'border border-ember',
  danger: 'rotate-45 rounded-none! bg-blood',
  plain: 'bg-shade',
};

/** A dot and a few words. */
export function Badge({ variant = 'plain', children }: { variant?: BadgeVariant; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex max-w-full items-baseline gap-2.5 font-machine text-tiny tracking-[0.08em] normal-nums',
        words[variant],
      )}
    >
      <span
        aria-hidden="true"
        className={classes('size-1.5 shrink-0 -translate-y-px rounded-full', dots[variant])}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}
