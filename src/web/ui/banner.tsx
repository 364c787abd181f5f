// One line beneath the head, at most 64 pixels high. So its letters have a limit, which those who chose large ones reach (app.css). Where
// it has more to say, that stands where its button leads.
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface BannerProps {
  /** Says that something is wrong. */
  isFinding?: boolean;
  /** Its button, or its link: small. */
  actions: ReactNode;
  children: ReactNode;
}

export function Banner({ isFinding = false, actions, children }: BannerProps) {
  return (
    <div
      data-banner=""
      className={classes('border-b bg-ink-1 max-md:border-t', isFinding ? 'border-blood/55' : 'border-line')}
    >
      <div className="wrap flex items-center gap-x-3 py-1 sm:gap-x-6">
        <p role="status" className={classes('line-clamp-2 min-w-0 flex-1', isFinding && 'text-blood')}>
          {children}
        </p>
        <div className="flex shrink-0 gap-3">{actions}</div>
      </div>
    </div>
  );
}
