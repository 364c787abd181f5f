// One part beneath the manifesto: what it is at the left, what can be done at the right.
import type { ReactNode } from 'react';

interface PartProps {
  /** Its anchor. */
  id: string;
  title: string;
  says: ReactNode;
  children: ReactNode;
}

export function Part({ id, title, says, children }: PartProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-6 gap-x-16 gap-y-8 border-t border-line/70 py-16 sm:py-20 md:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <header>
        <h2 id={`${id}-title`} className="font-display text-heading font-medium">
          {title}
        </h2>
        <p className="mt-4 text-note text-dust">{says}</p>
      </header>
      <div className="grid max-w-form content-start gap-8">{children}</div>
    </section>
  );
}
