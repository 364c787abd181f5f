import { type ReactNode, useId } from 'react';

/** One of the small parts beside the latest entries. */
export function Aside({ title, tone = '', children }: { title: string; tone?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid justify-items-start gap-3 border-t border-line py-5">
      <h2 id={id} className={`caps ${tone || 'text-dust'}`}>
        {title}
      </h2>
      {children}
    </section>
  );
}
