// One part of the kit page.
import type { ReactNode } from 'react';

/** One part of the page under its own heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-8 border-t border-line py-14">
      <h2 className="font-display text-heading">{title}</h2>
      {children}
    </section>
  );
}
