// One section of the landing page: a hairline, a small heading over a large one, and its matter.
import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';

interface SectionProps {
  eyebrow: string;
  title: ReactNode;
  lead?: ReactNode;
  /** `beside` puts the matter at the heading's right where there is room; `below` gives it the whole width. */
  matter: 'beside' | 'below';
  children: ReactNode;
}

export function Section({ eyebrow, title, lead, matter, children }: SectionProps) {
  return (
    <section className="wrap">
      <div
        className={classes(
          'grid grid-cols-1 gap-x-16 gap-y-12 border-t border-line/70 py-20 sm:py-28',
          matter === 'beside' && 'md:grid-cols-[5fr_7fr]',
        )}
      >
        <header
          className={matter === 'beside' ? 'max-w-gate self-start md:sticky md:top-12' : 'max-w-[42rem]'}
        >
          <p className="caps text-dust">{eyebrow}</p>
          <h2 className="mt-5 font-display text-title font-light tracking-tight">{title}</h2>
          {lead && <div className="mt-5 text-dust">{lead}</div>}
        </header>
        {children}
      </div>
    </section>
  );
}
