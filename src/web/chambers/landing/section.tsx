// One section of the landing page: a hairline, a small heading over a large one, and its matter.
import type { ReactNode } from 'react';

interface SectionProps {
  eyebrow: string;
  title: ReactNode;
  children: ReactNode;
}

export const TITLE = 'mt-3 font-display text-heading font-light tracking-tight sm:mt-4 sm:text-title';

export function Section({ eyebrow, title, children }: SectionProps) {
  return (
    <section className="wrap">
      <div className="grid grid-cols-1 gap-y-7 border-t border-line/70 py-8 sm:gap-y-12 sm:py-24">
        <header className="max-w-[42rem]">
          <p className="caps text-dust">{eyebrow}</p>
          <h2 className={TITLE}>{title}</h2>
        </header>
        {children}
      </div>
    </section>
  );
}

/** Terms with their words, in small letters. On a phone they wait beneath a line that unfolds them. */
export function Fold({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="group unfolded-where-wide border-t border-line/70">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between py-2 text-note [&::-webkit-details-marker]:hidden">
        {summary}
        <span aria-hidden="true" className="font-machine text-dust group-open:rotate-45">
          +
        </span>
      </summary>
      <dl className="grid gap-x-10 gap-y-5 pt-3 pb-6 sm:grid-cols-2 md:grid-cols-3 md:pt-8 md:pb-0">
        {children}
      </dl>
    </details>
  );
}
