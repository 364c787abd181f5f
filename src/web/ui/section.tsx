// One part of a page: what it is about at the left, what can be done at the right.
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  says: string;
  children?: ReactNode;
}

export function Section({ title, says, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-6 border-t border-line py-10 md:grid-cols-[min(18rem,33%)_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="font-display text-[1.75rem]/[1.1] font-medium">
          {title}
        </h2>
        <p className="mt-2 text-note text-dust">{says}</p>
      </div>
      {children && <div className="grid content-start gap-6">{children}</div>}
    </section>
  );
}
